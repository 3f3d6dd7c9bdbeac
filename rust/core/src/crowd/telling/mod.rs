//! What a game is told: arrival, blockage, groups, where agents are.

pub(in crate::crowd) mod blockage;
pub(in crate::crowd) mod free_places;
pub(in crate::crowd) mod group_arrival;
pub(in crate::crowd) mod open_orders;
pub(in crate::crowd) mod queries;
pub(in crate::crowd) mod trace;
