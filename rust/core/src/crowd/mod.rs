//! Thousands of agents that walk by fields or by paths of their own, as arrays.
//!
//! A step of at most 1/60 s has two passes. In the first, each agent looks up where it wants to go, steers clear of its nearest
//! neighbours (`solver`), gives way where two cannot pass (`right_of_way`), makes way where it rests (`aside`), and moves without ever leaving the
//! stands of its footprint (`sweep`). In the second, discs that still overlap are moved apart, weighted by size, and each
//! agent takes stock: whether it has arrived, stands in a queue or is stuck (`part`).
//!
//! Bodies that are moved from outside take part in the same step (`driven`). `orders` has what agents are told, `marches` leads groups
//! in a shape, `groups` finds when a whole group has arrived.
//!
//! Agents are sorted into bins (`lattice`) to find out who is near whom (`near`), which is kept for a few parts; now and
//! then the arrays are put into that order, so that neighbours lie side by side in memory. In both passes (`passes`) an agent
//! reads what others were before and writes only its own slot, and the arithmetic is + − × ÷ √ only: the result is the same
//! on every machine and for any number of threads. The order of the arrays is part of the state.

mod agent;
mod around;
mod aside;
mod behaviour;
mod body;
mod bytes;
mod contact;
mod driven;
mod error;
mod follow;
mod ground;
mod groups;
mod guide;
mod index;
mod kinds;
mod lattice;
mod march;
mod marches;
mod members;
mod near;
mod orders;
mod passes;
mod places;
mod progress;
mod queries;
mod reach;
mod right_of_way;
mod routes;
mod settings;
mod slots;
mod solver;
mod spec;
mod state;
mod steer;
mod step;
mod sweep;
mod tick;
mod vector;
mod wish;

pub use behaviour::AgentState;
pub use error::CrowdError;
pub use ground::{CrowdField, CrowdGround};
pub use march::MarchShape;
pub use orders::CROWD_THROW_SECONDS_MAX;
pub use settings::CrowdSettings;
pub use spec::{AgentSpec, AgentView, CROWD_RADIUS_MAX, CROWD_SPEED_MAX};
pub use state::Crowd;
pub use step::{CROWD_PARTS_MAX, CrowdNews};
