//! What becomes of an agent at the end of a substep.

pub(in crate::crowd) mod arrival;
pub(in crate::crowd) mod settle;
