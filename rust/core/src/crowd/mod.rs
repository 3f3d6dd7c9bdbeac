//! Thousands of agents that follow fields or paths and avoid each other, as arrays.
//!
//! A step is cut into substeps of at most 1/60 s (`step`), and a substep has two passes over all agents:
//!
//! 1. Each agent looks up its preferred velocity (`preferred_velocity`), lets an agent pass that has the
//!    right of way or wants through where it rests (`right_of_way`), finds the velocity next to the preferred one
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
//! | | |
//! |---|---|
//! | `numbers` | numbers that were chosen by measuring, times and vectors |
//! | `state` | an agent, and what its neighbours read of it; `behaviour` has the table of what agents do |
//! | `ground` | the map as bodies meet it: where they fit, who stands there, who is near |
//! | `guide` | what leads an agent: paths, fields and ways round standing bodies, rooms and marches |
//! | `steering`, `right_of_way` | the first pass, and who lets whom pass |
//! | `contact`, `outcome` | the second pass, and what becomes of an agent |
//! | `rooms` | how rooms and detours are found between substeps |
//! | `orders` | what a game gives: agents, orders, places, marches, bodies that it moves itself |
//! | `telling` | what a game is told: arrival, blockage, groups, free places, records |
//! | `kept`, `substep`, `step`, `bytes` | all that is kept, what is the same for all agents in a substep, a step, and saved bytes |
//!
//! Neighbours are found by a uniform grid and kept for a few substeps (`neighbours`); now and then the arrays
//! are put into the grid's order, so that neighbours lie side by side in memory. That order is part of the
//! state. In both passes an agent reads what others were before and writes only its own element, and the
//! arithmetic is + − × ÷ √ only: the result is the same on every machine and for any number of threads. A
//! step takes time in proportion to the number of agents.

mod bytes;
mod contact;
mod ground;
mod guide;
mod kept;
mod numbers;
mod orders;
mod outcome;
mod right_of_way;
mod rooms;
mod state;
mod steering;
mod step;
mod substep;
mod telling;

pub use ground::map::{CrowdField, CrowdGround, CrowdKind};
pub use guide::march::MarchShape;
pub use kept::Crowd;
#[cfg(feature = "tuning")]
pub use numbers::tuning::{names as tuning_names, vary as vary_tuning};
pub use orders::given::CROWD_THROW_SECONDS_MAX;
pub use outcome::arrival::GroupNews;
pub use state::avoidance::Avoidance;
pub use state::behaviour::AgentState;
pub use state::outline::OutlineForm;
pub use state::spec::{AgentSpec, AgentView, CROWD_RADIUS_MAX, CROWD_SPEED_MAX, CrowdError, CrowdSettings};
pub use step::CrowdNews;
pub use telling::blockage::Blockage;
pub use telling::free_places::Bodies;
pub use telling::trace::{AgentGuide, AgentTrace, AgentWait};
