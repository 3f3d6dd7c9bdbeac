//! What leads an agent: paths, fields and ways round bodies that stand, rooms and marches.

pub(in crate::crowd) mod detours;
pub(in crate::crowd) mod gathering;
pub(in crate::crowd) mod march;
pub(in crate::crowd) mod preferred_velocity;
