//! Characters that run and jump, seen from the side: their paths, who follows them, and how a character
//! jumps.

pub mod follower;
pub mod jump_profile;
pub mod platformer;
