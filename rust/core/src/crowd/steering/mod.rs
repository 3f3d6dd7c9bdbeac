//! The first pass of a substep: where each agent goes among others.

pub(in crate::crowd) mod avoidance;
pub(in crate::crowd) mod solver;
pub(in crate::crowd) mod steer;
pub(in crate::crowd) mod velocity_obstacle;
