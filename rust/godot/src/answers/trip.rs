//! What a path has in addition when it jumps.

use godot::prelude::*;
use pathforge_core::geometry::{Cell, Footprint};
use pathforge_core::path::Route;
use pathforge_core::world::{Engine, PathOutcome, Reason, Status};
use pathforge_platformer::{
    Character, FlightPlan, JumpProfile, PlatformerOutcome, PlatformerPath, PlatformerReason,
};

/// A path that jumps, and what a follower needs to follow it and to ask again.
#[derive(Clone)]
pub struct Trip {
    pub path: PlatformerPath,
    /// How to follow it; `None` without a path, and of a character without physics.
    pub plan: Option<FlightPlan>,
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
    /// The character on cells.
    pub profile: JumpProfile,
    /// The character by the profile's physics; `None` where they make no sense.
    pub character: Option<Character>,
    /// `true` if paths are found by them.
    pub uses_physics: bool,
    /// `true` if a goal in the air becomes the ground below it.
    pub goal_on_ground: bool,
    /// Most expansions; `u32::MAX` is no limit.
    pub expansions_max: u32,
    /// Its cells, and how they lie around it.
    pub cells: BodyCells,
}

/// The cells of a body, and how they lie around it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BodyCells {
    pub footprint: Footprint,
    /// From the body's position to the centre of its cells.
    pub to_center: Vector2,
    /// From the body's position to the centre of its feet.
    pub to_feet: Vector2,
}

impl BodyCells {
    /// A body that is its cells, its position their centre.
    pub const fn of_footprint(footprint: Footprint) -> Self {
        Self { footprint, to_center: Vector2::ZERO, to_feet: Vector2::ZERO }
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
