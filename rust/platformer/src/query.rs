//! Queries for jump paths and their outcomes.

use std::fmt;

use super::path::PlatformerPath;
use super::profile::{JumpProfile, JumpProfileError};
use pathforge_core::cost::Cost;
use pathforge_core::geometry::Cell;

/// A query for a jump path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlatformerQuery {
    /// The body's top-left cell.
    pub start: Cell,
    /// The body's top-left cell at the end. Where it does not fit so, it is shifted to the left, as long as
    /// it covers the goal.
    pub goal: Cell,
    /// The body's size, jumps and costs.
    pub profile: JumpProfile,
    /// If `true`, a goal in the air becomes the ground below it.
    pub goal_on_ground: bool,
    /// The most states that a search may expand; `u32::MAX` for no limit.
    pub expansions_max: u32,
}

impl PlatformerQuery {
    /// Returns a query without limits for a path that ends at `goal` itself.
    pub const fn new(start: Cell, goal: Cell, profile: JumpProfile) -> Self {
        Self { start, goal, profile, goal_on_ground: false, expansions_max: u32::MAX }
    }
}

/// Why a query has no path.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum PlatformerReason {
    /// The profile has a number out of its limits.
    BadProfile(JumpProfileError),
    /// There is no map. A planner always has one; other code may have to look for its map.
    NoMap,
    /// The map has no cells.
    EmptyMap,
    /// The start lies outside the region.
    StartOutOfBounds,
    /// The start cell is solid or under an obstacle.
    StartSolid,
    /// Another cell of the body at the start is solid, under an obstacle or outside.
    StartClearance,
    /// The goal lies outside the region.
    GoalOutOfBounds,
    /// The goal cell is solid or under an obstacle.
    GoalSolid,
    /// The body does not fit at the goal, nor shifted to the left.
    GoalClearance,
    /// There is no ground below a goal that must be on ground.
    GoalWithoutGround,
    /// No connection is wide and high enough for the body, jump rules aside. Known without a search.
    Disconnected,
    /// The body cannot jump or fall to the goal.
    NoPath,
    /// The limit on expansions was reached, or the path costs more than can be counted.
    Limit,
}

impl fmt::Display for PlatformerReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::BadProfile(error) => return write!(f, "the profile's {error}"),
            Self::NoMap => "there is no map",
            Self::EmptyMap => "the map has no cells",
            Self::StartOutOfBounds => "the start lies outside the map",
            Self::StartSolid => "the start is solid",
            Self::StartClearance => "the body does not fit at the start",
            Self::GoalOutOfBounds => "the goal lies outside the map",
            Self::GoalSolid => "the goal is solid",
            Self::GoalClearance => "the body does not fit at the goal",
            Self::GoalWithoutGround => "there is no ground below the goal",
            Self::Disconnected => "walls part the start from the goal for a body of this size",
            Self::NoPath => "the body cannot jump or fall to the goal",
            Self::Limit => "the limit on expansions was met",
        };
        f.write_str(text)
    }
}

/// The outcome of a query.
#[derive(Clone, PartialEq, Debug)]
pub struct PlatformerOutcome {
    /// Why there is no path; `None` if there is one.
    pub reason: Option<PlatformerReason>,
    /// The cost of the path; `None` without one.
    pub cost: Option<Cost>,
    /// The path; empty without one.
    pub path: PlatformerPath,
    /// States expanded.
    pub expanded: u32,
    /// States added to the queue.
    pub generated: u32,
}

impl PlatformerOutcome {
    /// Returns `true` if there is a path.
    pub const fn is_complete(&self) -> bool {
        self.reason.is_none()
    }

    pub(super) fn without_path(reason: PlatformerReason, expanded: u32, generated: u32) -> Self {
        Self { reason: Some(reason), cost: None, path: PlatformerPath::default(), expanded, generated }
    }
}
