//! What a path has in addition when it jumps.

use godot::prelude::*;
use pathforge_core::geometry::Cell;
use pathforge_core::path::Route;
use pathforge_core::platformer::{
    FollowPlan, KeyKind, PlatformerOutcome, PlatformerPath, PlatformerReason, StepKind,
};
use pathforge_core::world::{Engine, PathOutcome, Reason, Status};

use super::jump_profile::Jumper;
use crate::convert::vector;
use crate::path::PathForgePath;

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
        PlatformerReason::BadProfile(_) => (Status::Invalid, None),
        _ => refused(Reason::Disconnected),
    }
}

#[godot_api(secondary)]
impl PathForgePath {
    /// The character walks to this cell. See [member steps].
    #[constant]
    const STEP_WALK: i64 = StepKind::Walk as i64;
    /// The character comes to this cell in a jump, before or at its highest cell.
    #[constant]
    const STEP_JUMP: i64 = StepKind::Jump as i64;
    /// The character falls to this cell.
    #[constant]
    const STEP_FALL: i64 = StepKind::Fall as i64;
    /// The character drops to this cell, through the one-way platform that it stood on.
    #[constant]
    const STEP_DROP: i64 = StepKind::DropThrough as i64;
    /// The character lands in this cell.
    #[constant]
    const STEP_LAND: i64 = StepKind::Land as i64;

    /// The first cell. See [method get_key_points].
    #[constant]
    const KEY_START: i64 = KeyKind::Start as i64;
    /// A jump begins here.
    #[constant]
    const KEY_TAKE_OFF: i64 = KeyKind::TakeOff as i64;
    /// The character walks off an edge here, to fall.
    #[constant]
    const KEY_STEP_OFF: i64 = KeyKind::StepOff as i64;
    /// The character drops through a one-way platform here.
    #[constant]
    const KEY_DROP: i64 = KeyKind::DropThrough as i64;
    /// The first of a jump's highest cells.
    #[constant]
    const KEY_APEX: i64 = KeyKind::Apex as i64;
    /// The path turns back sideways here.
    #[constant]
    const KEY_TURN: i64 = KeyKind::Turn as i64;
    /// A jump or a fall ends here.
    #[constant]
    const KEY_LANDING: i64 = KeyKind::Landing as i64;
    /// The last cell.
    #[constant]
    const KEY_GOAL: i64 = KeyKind::Goal as i64;

    /// The few cells of a platformer's path that matter, in their order: each a dictionary with `index`, its place in
    /// [member cells], `cell`, and `kind`, one of the `KEY_*` constants. A cell can be there more than once. Empty for
    /// paths of a [PathForgeGrid].
    ///
    /// ```gdscript
    /// for point: Dictionary in path.get_key_points():
    ///     if point["kind"] == PathForgePath.KEY_TAKE_OFF:
    ///         show_marker(point["cell"])
    /// ```
    #[func]
    fn get_key_points(&self) -> Array<VarDictionary> {
        let Some(trip) = self.trip() else { return Array::new() };
        let point = |point: &pathforge_core::platformer::KeyPoint| {
            let mut entry = VarDictionary::new();
            entry.set("index", point.index as i64);
            entry.set("cell", vector(trip.path.cells[point.index]));
            entry.set("kind", point.kind as i64);
            entry
        };
        trip.path.key_points.iter().map(point).collect()
    }

    /// The jump value in each of [member cells] of a platformer's path: 0 on the ground; a step up raises it to the
    /// next even number, a step sideways through the air by one; at twice the jump's height the character can only
    /// fall. Empty for paths of a [PathForgeGrid].
    #[func]
    fn get_jump_values(&self) -> PackedInt32Array {
        let values = self.trip().map(|trip| trip.path.jump_values.as_slice()).unwrap_or_default();
        values.iter().map(|&value| value as i32).collect()
    }
}
