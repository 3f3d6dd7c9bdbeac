//! Characters that run and jump, seen from the side: their paths, the follower, and the profile of a jump.

pub mod body;
pub mod follower;
pub mod jump_profile;
pub mod platformer;
