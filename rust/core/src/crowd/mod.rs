//! Thousands of agents that follow fields or paths and avoid each other, as arrays.
//!
//! A step is cut into substeps of at most 1/60 s (`step`), and a substep has two passes over all agents:
//!
//! 1. Each agent looks up its preferred velocity (`preferred_velocity`), lets an agent pass that has the
//!    right of way or wants through where it rests (`yielding`), finds the velocity next to the preferred one
//!    that keeps clear of its nearest neighbours (`avoidance`, `velocity_obstacle`, `solver`), and moves
//!    without leaving the valid placements of its footprint (`sweep`). `steer` puts these together.
//! 2. Bodies whose outlines overlap are moved apart, in several rounds (`contact`). How far each has come is
//!    its velocity. Each agent finds out what becomes of it: whether it settles, waits or is stuck
//!    (`arrival`, `settle`).
//!
//! Between substeps the ways of groups to what is free of their rooms are found, and it is told who has arrived
//! and who is blocked (`rounds`). Formations are handed their places (`places`), those that rest short of the
//! end of a path or of their place are judged (`group_arrival`), and groups of which all have arrived are
//! announced (`open_orders`).
//!
//! The principles, each with its reason:
//!
//! - *Standing bodies are part of the ground of others* (`standing`, `detours`): walked into, they hold up all.
//! - *Contact sees all overlaps*, and passes pushes on: what it leaves, every later rule would have to undo.
//! - *Who follows takes the correction*, of avoiding, and after a while of an overlap: so the first of a jam
//!   can always move.
//! - *Movement is what contact leaves*: two that push each other to and fro are held up.
//! - *A room is laid once and fills from its far end* (`gathering`, `lay_rooms`): so none closes the way to what
//!   is filled later.
//! - *What is told is true*: arrived is said of a body at rest in its room, once, and blocked by a search past
//!   those that stand.
//!
//! | files | |
//! |---|---|
//! | `agent`, `body` | the state of an agent, and what its neighbours read of it |
//! | `behaviour` | what an agent does: six behaviours, with the table of their changes |
//! | `control`, `progress`, `priority`, `slot` | what moves its body, how it gets on, its right of way, its place |
//! | `guide` | what leads it: a field, a path or a course |
//! | `spec`, `members`, `orders`, `driven` | what a game gives: agents, orders, bodies that are moved from outside |
//! | `queries`, `trace`, `bytes` | what a game reads: agents by position, why one stands where it stands, saved bytes |
//! | `free_places` | where there is room for a body that a game adds |
//! | `ground` | the map as a crowd reads it |
//! | `standing`, `spread`, `detours`, `find_detours` | bodies that stand, fronts, and ways round them |
//! | `gathering`, `lay_rooms`, `rounds`, `settle` | the rooms of groups |
//! | `state`, `substep` | all that is kept, and what is the same for all agents in a substep |
//! | `march`, `lead_march` | groups that keep a shape on the way: their slots, and how the front goes on |
//! | `settle_radius`, `place_candidates` | the disc that a group fills, and free places nearest to one |
//! | `tuning`, `varied` | most numbers that were chosen by measuring, and how the bench varies them |
//! | `millis`, `vector`, `outline` | times, pairs of coordinates, and the room that bodies take |
//!
//! Neighbours are found by a uniform grid and kept for a few substeps (`neighbours`); now and then the arrays
//! are put into the grid's order, so that neighbours lie side by side in memory. That order is part of the
//! state. In both passes an agent reads what others were before and writes only its own element, and the
//! arithmetic is + − × ÷ √ only: the result is the same on every machine and for any number of threads. A
//! step takes time in proportion to the number of agents.

mod agent;
mod arrival;
mod avoidance;
mod behaviour;
mod blockage;
mod body;
mod bytes;
mod contact;
mod control;
mod detours;
mod driven;
mod find_detours;
mod free_places;
mod gathering;
mod ground;
mod group_arrival;
mod guide;
mod lay_rooms;
mod lead_march;
mod march;
mod members;
mod millis;
mod neighbours;
mod open_orders;
mod orders;
mod outline;
mod place_candidates;
mod places;
mod preferred_velocity;
mod priority;
mod progress;
mod queries;
mod rounds;
mod settle;
mod settle_radius;
mod slot;
mod solver;
mod spec;
mod spread;
mod standing;
mod state;
mod steer;
mod step;
mod substep;
mod sweep;
mod trace;
mod tuning;
#[cfg(feature = "tuning")]
mod varied;
mod vector;
mod velocity_obstacle;
mod yielding;

pub use arrival::GroupNews;
pub use behaviour::AgentState;
pub use blockage::Blockage;
pub use free_places::Bodies;
pub use ground::{CrowdField, CrowdGround, CrowdKind};
pub use march::MarchShape;
pub use orders::CROWD_THROW_SECONDS_MAX;
pub use outline::OutlineForm;
pub use spec::{AgentSpec, AgentView, CROWD_RADIUS_MAX, CROWD_SPEED_MAX, CrowdError, CrowdSettings};
pub use state::Crowd;
pub use step::CrowdNews;
pub use trace::{AgentGuide, AgentTrace, AgentWait};
#[cfg(feature = "tuning")]
pub use tuning::{names as tuning_names, vary as vary_tuning};
