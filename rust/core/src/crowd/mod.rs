//! Thousands of agents that follow fields or paths and avoid each other, as arrays.
//!
//! A step is cut into substeps of at most 1/60 s (`step`), and a substep has two passes over all agents (`passes`):
//!
//! 1. Each agent looks up its preferred velocity (`wish`), lets an agent pass that has the right of way where two cannot pass
//!    (`right_of_way`), steps aside where it rests in the way of others (`aside`), finds the velocity next to the preferred one that
//!    keeps clear of its nearest neighbours (`solver`), and moves without leaving the valid placements of its footprint (`sweep`).
//! 2. Discs that overlap are moved apart, weighted by size (`contact`), and each agent finds out how it gets on: whether it settles,
//!    waits or is stuck (`progress`).
//!
//! What an agent does is one of six behaviours, with one table of transitions (`behaviour`). Neighbours are found by a uniform grid
//! (`lattice`) and kept for a few substeps (`near`); now and then the arrays are put into the grid's order, so that neighbours lie side
//! by side in memory. That order is part of the state.
//!
//! In both passes an agent reads what others were before and writes only its own slot, and the arithmetic is + − × ÷ √ only: the result
//! is the same on every machine and for any number of threads. A step takes time in proportion to the number of agents.

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
mod room;
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
pub use kinds::CrowdKind;
pub use march::MarchShape;
pub use orders::CROWD_THROW_SECONDS_MAX;
pub use progress::GroupNews;
pub use settings::CrowdSettings;
pub use spec::{AgentSpec, AgentView, CROWD_RADIUS_MAX, CROWD_SPEED_MAX};
pub use state::Crowd;
pub use step::{CROWD_PARTS_MAX, CrowdNews};
