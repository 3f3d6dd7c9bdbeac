//! What Godot's engine is to the library and the library to it: threads, frames, the platform, errors, and
//! how calls of scripts reach an object.

pub mod after_call;
pub mod clock;
pub mod direct;
pub mod errors;
pub mod frames;
pub mod help;
pub mod in_tree;
pub mod platform;
pub mod state;
pub mod weak;
pub mod workers;
