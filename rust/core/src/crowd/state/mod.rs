//! What is kept of an agent, and what its neighbours read of it.

pub(in crate::crowd) mod agent;
pub(in crate::crowd) mod avoidance;
pub(in crate::crowd) mod behaviour;
pub(in crate::crowd) mod body;
pub(in crate::crowd) mod control;
pub(in crate::crowd) mod crossing;
pub(in crate::crowd) mod outline;
pub(in crate::crowd) mod priority;
pub(in crate::crowd) mod progress;
pub(in crate::crowd) mod routes;
pub(in crate::crowd) mod slot;
pub(in crate::crowd) mod spec;
