//! Paths that jump: side-view levels, for characters of any width and height.
//!
//! The model is D. Branicki's (*How to Adapt A\* Pathfinding to a 2D Grid-Based Platformer*, Envato Tuts+, 2015). A
//! state of the search is a cell together with a *jump value*, which stands for how much of a jump is used up. A
//! character is named by its bottom-left cell; y grows downwards, so "up" is −y.
//!
//! # The level
//!
//! A cell is open, *solid*, or *one-way*: a one-way cell lets bodies through from below and from the sides and carries
//! them from above. Nothing lies outside the region: a body cannot leave it, nothing carries below it (a hole in the
//! lowest row is a pit), and nothing is a ceiling above it.
//!
//! - The character *fits* at a cell when none of its w×h cells is solid or outside.
//! - It *stands on ground* when any of its bottom cells is right above a solid or one-way cell, so a wide one may stand
//!   half over an edge.
//! - It is *at the ceiling* when any cell right above it is solid.
//!
//! # The steps
//!
//! With H the jump height in cells and 2H the value of a *spent* jump, from a state with jump value v the character
//! may step to each of the four neighbouring cells where it fits, as follows.
//!
//! - **Up**, when v < 2H. The value becomes the next even number above v.
//! - **Sideways**, when v is even and at most L = 2H + 2D, where D is 3 unless the profile says otherwise. The value becomes v + 1.
//! - **Down**, always. The value becomes the next even number above v, but at least 2H: the jump is over. From L on the
//!   fall is a long one, faster down than across: the value stays L, where the character may move sideways; after a step
//!   sideways, to L + 1, it goes by L + 2, L + 4 and L + 6 back to L, so four cells lie between two steps sideways.
//!   Down from ground is a drop through one-way cells, since the character does not fit into solid ones.
//! - Where it then stands on ground, the value is 0 instead. Ground counts before the ceiling, so that a corridor of
//!   the character's own height can be walked.
//! - Else, where it is at the ceiling, the value is at least 2H after a step up and at least 2H + 1 after one sideways.
//!
//! So while v is odd the character moves up or down only, which keeps the arc plausible. A start on ground begins with 0,
//! one in the air with 2H unless the profile says otherwise. The profile may also limit the steps sideways from one
//! ground to the next (*run in the air*), and the steps down in one fall.
//!
//! The model is kinder than gravity in three points, so a profile that is computed from physics has a stricter rule: no
//! take-off with value 1, which is one step beyond the edge; no step sideways to a place at the ceiling with a value above
//! 2H, since a falling body is past a gap of its own height before it is in it; and a D by its speed.
//!
//! # What is found
//!
//! A cheapest way, in the units of [`Cost`](crate::Cost): 70 a step, and on top of that what the profile charges for
//! being in the air, for each take-off and for falling. The same cell is visited again with another jump value unless a
//! state that was reached there at no greater cost can do everything that the new one can; `arc` says when that is.

mod arc;
mod backward;
mod follower;
mod goal;
mod layers;
mod map;
mod nodes;
mod path;
mod plan;
mod profile;
mod query;
mod search;
mod text;

pub use follower::{BodyState, Buttons, FollowLimits, FollowState, Follower};
pub use layers::BodyLayers;
pub use map::PlatformerMap;
pub use nodes::PlatformerScratch;
pub use path::{KeyKind, KeyPoint, PlatformerPath, StepKind};
pub use plan::FollowPlan;
pub use profile::{
    AIR_LIMIT_MAX, BodyPhysics, DRIFT_ROWS_MAX, EXTRA_COST_MAX, JUMP_HEIGHT_MAX, JumpProfile,
    JumpProfileError,
};
pub use query::{Platformer, PlatformerOutcome, PlatformerQuery, PlatformerReason, ReachedState};
