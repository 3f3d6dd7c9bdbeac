//! Jump paths: cheapest paths through side views for bodies of any width and height.
//!
//! The model is D. Branicki's (*How to Adapt A\* Pathfinding to a 2D Grid-Based Platformer*, Envato Tuts+,
//! 2015). A search state is a cell and a *jump value*, which says how much of a jump is used up. A body is
//! anchored at its top-left cell, as everywhere; y grows downwards, so "up" is −y. Solid cells and obstacles
//! block it, one-way cells support it from above; terrain ids and weights mean nothing to it.
//!
//! - [`surfaces`](pathforge_core::surfaces), in the core: where a body of one size fits, stands, and touches
//!   a ceiling; which cell a body between cells is at.
//! - `jump_table`: which steps each jump value allows, and which value dominates which; the rules stand
//!   there.
//! - `steps`: the steps of a state on the layers. `flights`: where a body that leaves the ground at a cell
//!   lands, found by `flight_search` when a search first comes there, and kept until the map changes around
//!   it.
//! - `search`: A\* along the ground and over flights, and over (cell, jump value) with dominance where a path
//!   begins or ends in the air. `reachability` prunes it once it takes long, `trace` tells its path. Exact:
//!   the cost found is the least of the model, in units of [`Cost`](pathforge_core::cost::Cost): 70 a step
//!   and the profile's additions.
//! - `gap`: which jump is missing where there is no path.
//!
//! Bodies with physics have no part in that model:
//!
//! - [`motion`]: their exact flights, computed from their shape and speeds. Tests hold them against an oracle
//!   that plays all buttons.
//! - `character`: such a body. `flyers`: finds its path and keeps its flights.
//! - `follower`: the buttons to press so that it follows the path. `pressing`: how far to press.
//!   `following`: what comes out.

mod character;
mod flight_search;
mod flights;
mod flyers;
mod follower;
mod following;
mod gap;
mod goal;
mod jump_table;
pub mod motion;
mod nodes;
mod path;
mod planner;
mod pressing;
mod profile;
mod query;
mod reachability;
mod search;
mod state;
mod steps;
mod trace;

pub use character::Character;
pub use flyers::{BodyPlace, FlightLayers, FlightOutcome, FlightPlan, FlightQuery, FlightStart, Flyers};
pub use follower::Follower;
pub use following::{Buttons, FollowState, StuckReason};
pub use gap::JumpGap;
pub use path::{KeyKind, KeyPoint, PlatformerPath, StepKind};
pub use planner::Platformer;
pub use profile::{AIR_LIMIT_MAX, JUMP_HEIGHT_MAX, JumpProfile, JumpProfileError};
pub use query::{PlatformerOutcome, PlatformerQuery, PlatformerReason};
