//! What a path has in addition when it jumps.

use godot::prelude::*;
use pathforge_core::geometry::{Cell, Footprint};
use pathforge_core::path::Route;
use pathforge_core::world::{Engine, PathOutcome, Reason, Status};
use pathforge_platformer::{FollowPlan, JumpProfile, PlatformerOutcome, PlatformerPath, PlatformerReason};

/// A path that jumps, and what a follower needs to follow it and to ask again.
#[derive(Clone)]
pub struct Trip {
    pub path: PlatformerPath,
    pub plan: FollowPlan,
    /// The platformer that found it.
    pub platformer: InstanceId,
    /// What was asked for.
    pub goal: Cell,
    pub jumper: Jumper,
    /// What is wrong with the profile, if the query was refused for it.
    pub bad_profile: Option<PlatformerReason>,
}

/// What a query takes from a profile.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Jumper {
    /// The character.
    pub profile: JumpProfile,
    /// `true` if a goal in the air becomes the ground below it.
    pub goal_on_ground: bool,
    /// Most expansions; `u32::MAX` is no limit.
    pub expansions_max: u32,
    /// How far a full jump carries until it is back at its height, in cells; 0 where that is not known.
    pub carries_cells: f64,
    /// Its cells, and how they lie around it.
    pub cells: BodyCells,
    /// Speed, gravity and acceleration in pixels and seconds; 0 where they are not known.
    pub run_speed_px: f64,
    /// See above.
    pub gravity_px: f64,
    /// See above.
    pub acceleration_px: f64,
}

/// The cells of a body, and how they lie around it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BodyCells {
    pub footprint: Footprint,
    /// From the body's position to the centre of its cells.
    pub to_center: Vector2,
    /// How much farther than what carries the body its cells reach on each side, in cells.
    pub slack: f64,
}

impl BodyCells {
    /// A body that is its cells, its position their centre.
    pub const fn of_footprint(footprint: Footprint) -> Self {
        Self { footprint, to_center: Vector2::ZERO, slack: 0.0 }
    }
}

/// The answer of a platformer in the words of every path. Its cells are the character's top-left cells.
pub fn path_outcome(outcome: &PlatformerOutcome) -> PathOutcome {
    let (status, reason) = status_of(outcome.reason);
    PathOutcome {
        cost: outcome.cost,
        route: Route::new(outcome.path.cells.clone()),
        expanded: outcome.expanded,
        generated: outcome.generated,
        engine: Engine::None,
        ..PathOutcome::unsearched(status, reason)
    }
}

fn status_of(reason: Option<PlatformerReason>) -> (Status, Option<Reason>) {
    let refused = |reason: Reason| (reason.status(), Some(reason));
    let Some(reason) = reason else { return (Status::Complete, None) };
    match reason {
        PlatformerReason::NoMap => refused(Reason::NoGrid),
        PlatformerReason::EmptyMap => refused(Reason::EmptyGrid),
        PlatformerReason::StartOutOfBounds => refused(Reason::StartOutOfBounds),
        PlatformerReason::GoalOutOfBounds => refused(Reason::GoalOutOfBounds),
        PlatformerReason::StartSolid => refused(Reason::StartSolid),
        PlatformerReason::StartClearance => refused(Reason::StartClearance),
        PlatformerReason::GoalSolid => refused(Reason::GoalSolid),
        PlatformerReason::GoalClearance | PlatformerReason::GoalWithoutGround => {
            refused(Reason::GoalClearance)
        }
        PlatformerReason::Limit => refused(Reason::Limit),
        PlatformerReason::BadProfile(_) => refused(Reason::BadProfile),
        _ => refused(Reason::Disconnected),
    }
}
