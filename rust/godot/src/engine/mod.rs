//! The library beside Godot's engine: threads, frames, platforms, errors. How calls of scripts reach an object:
//! the state beside it, and direct answers from that state.

pub mod after_call;
pub mod clock;
pub mod direct;
pub mod errors;
pub mod frames;
pub mod help;
pub mod in_tree;
pub mod panics;
pub mod platform;
pub mod state;
pub mod weak;
pub mod workers;
