//! What moves: node agents and crowds. They use each other, so they share a room.

pub mod agent;
pub mod crowd;
