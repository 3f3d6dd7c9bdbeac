//! The map as bodies meet it: where they fit, who stands there, who is near.

pub(in crate::crowd) mod map;
pub(in crate::crowd) mod neighbours;
pub(in crate::crowd) mod settle_radius;
pub(in crate::crowd) mod sight;
pub(in crate::crowd) mod spread;
pub(in crate::crowd) mod standing;
pub(in crate::crowd) mod steps;
pub(in crate::crowd) mod sweep;
