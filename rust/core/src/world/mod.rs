//! A map with everything that is derived from it, and the questions that it answers.
//!
//! Its rooms, each of which imports only from rooms before it:
//!
//! - `query`: what is asked and answered. `background`: work on other threads.
//! - `structures`: the terrain, and all that is derived from it and kept.
//! - `plan`: from a query to an answer or a search.
//! - `facade`: the world, which hands each question on.
//! - `upkeep`: fields and preparations. `requests`: paths that workers search.

mod announcements;
mod background;
mod body_coverage;
mod facade;
pub(crate) mod plan;
mod query;
mod requests;
pub(crate) mod structures;
mod upkeep;

pub use announcements::{ANNOUNCEMENTS_MAX, Announcements};
pub use background::Workers;
pub use body_coverage::BodyCoverage;
pub use facade::{Statistics, World};
pub use plan::LargestFootprint;
pub(crate) use plan::SearchJob;
pub use query::{Engine, GoalMode, PathOutcome, PathQuery, Profile, Reason, SearchMode, Status};
pub use requests::{PathAnswer, PathRequests, Ticket};
pub use structures::{ClearanceKey, FieldSource, MapVersion};
pub use upkeep::{FieldFigures, FieldKind, FieldMessage, FieldOrder, FieldUpkeep, Preparations};
