use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::terrain::Terrain;
use pathforge_core::world::{GoalMode, Reason, Status};

use super::{Distances, Ground};
use crate::bodies::Body;

/// What a query must be answered with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// What became of it.
    pub status: Status,
    /// Why there is no complete path.
    pub reason: Option<Reason>,
    /// Units of the cheapest path.
    pub cost: Option<u64>,
    /// Where the path ends.
    pub end: Option<Cell>,
}

impl Answer {
    const fn refused(status: Status, reason: Reason) -> Self {
        Self { status, reason: Some(reason), cost: None, end: None }
    }
}

/// The answer to "how does `body` get from `start` to `goal`", given where it can stand and what its paths
/// from `start` cost.
///
/// Checks run start first: bounds, the anchor's solid flag and terrain, the other cells. Then the goal's, of
/// which a body that need not stand exactly there checks the bounds only.
///
/// # Panics
/// Never, when `ground` and `ways` belong to the map, the body and the start.
pub fn answer(
    terrain: &Terrain,
    body: &Body,
    (ground, distances): (&Ground, &Distances),
    (start, goal): (Cell, Cell),
    goal_mode: GoalMode,
) -> Answer {
    if terrain.region().is_empty() {
        return Answer::refused(Status::Invalid, Reason::EmptyGrid);
    }
    if ground.place(start).is_none() {
        return Answer::refused(Status::Invalid, Reason::StartOutOfBounds);
    }
    if let Some(reason) = why_no_stand(terrain, body, ground, start) {
        return Answer::refused(Status::Unreachable, reason);
    }
    if ground.place(goal).is_none() && goal_mode != GoalMode::Nearest {
        return Answer::refused(Status::Invalid, Reason::GoalOutOfBounds);
    }
    let reached: Vec<(Cell, u64)> =
        ground.placements().filter_map(|cell| Some((cell, distances.cost(ground, cell)?))).collect();
    let complete = |(end, cost): (Cell, u64)| Answer {
        status: Status::Complete,
        reason: None,
        cost: Some(cost),
        end: Some(end),
    };
    match goal_mode {
        GoalMode::Exact => {
            if let Some(reason) = why_no_stand(terrain, body, ground, goal) {
                return Answer::refused(Status::Unreachable, as_of_goal(reason));
            }
            reached
                .iter()
                .find(|(cell, _)| *cell == goal)
                .map_or(Answer::refused(Status::Unreachable, Reason::Disconnected), |&found| complete(found))
        }
        GoalMode::Cover => {
            let covering = reached.iter().filter(|(cell, _)| squared_distance(body, *cell, goal) == 0);
            covering.min_by_key(|(cell, cost)| (*cost, cell.y, cell.x)).map_or(
                Answer::refused(Status::Unreachable, why_not_covered(terrain, body, ground, goal)),
                |&found| complete(found),
            )
        }
        GoalMode::Nearest => {
            let nearest = reached
                .iter()
                .min_by_key(|(cell, cost)| (squared_distance(body, *cell, goal), *cost, cell.y, cell.x))
                .expect("the start is a placement that is reached");
            if squared_distance(body, nearest.0, goal) == 0 {
                return complete(*nearest);
            }
            let reason = Some(why_not_covered(terrain, body, ground, goal));
            Answer { status: Status::Partial, reason, ..complete(*nearest) }
        }
    }
}

/// The placement that is nearest to `cell`, among those at most `distance_max` cells away; the first in
/// reading order of several.
pub fn nearest_fit(ground: &Ground, body: &Body, cell: Cell, distance_max: Option<f64>) -> Option<Cell> {
    ground
        .placements()
        .map(|placement| (squared_distance(body, placement, cell), placement.y, placement.x))
        .filter(|(squared, _, _)| distance_max.is_none_or(|max| (*squared as f64) <= max * max))
        .min()
        .map(|(_, y, x)| Cell::new(x, y))
}

/// The square of the distance from `cell` to the nearest cell of the body that stands at `anchor`.
fn squared_distance(body: &Body, anchor: Cell, cell: Cell) -> i128 {
    let under = CellRect::new(anchor.x, anchor.y, body.w, body.h);
    let squares = under.cells().map(|c| {
        let (dx, dy) = (i128::from(c.x) - i128::from(cell.x), i128::from(c.y) - i128::from(cell.y));
        dx * dx + dy * dy
    });
    squares.min().expect("a body has cells")
}

/// Why the body cannot stand at `anchor`, as the reason of a start.
fn why_no_stand(terrain: &Terrain, body: &Body, ground: &Ground, anchor: Cell) -> Option<Reason> {
    if terrain.is_solid(anchor) {
        Some(Reason::StartSolid)
    } else if body.capability >> terrain.terrain(anchor) & 1 == 0 {
        Some(Reason::StartTerrain)
    } else if !ground.fits(anchor) {
        Some(Reason::StartClearance)
    } else {
        None
    }
}

const fn as_of_goal(reason: Reason) -> Reason {
    match reason {
        Reason::StartSolid => Reason::GoalSolid,
        Reason::StartTerrain => Reason::GoalTerrain,
        _ => Reason::GoalClearance,
    }
}

/// Why no placement that is reached covers `goal`: the cell itself, or that no placement covers it, or that
/// none can be reached.
fn why_not_covered(terrain: &Terrain, body: &Body, ground: &Ground, goal: Cell) -> Reason {
    if ground.place(goal).is_none() {
        Reason::GoalOutOfBounds
    } else if terrain.is_solid(goal) {
        Reason::GoalSolid
    } else if body.capability >> terrain.terrain(goal) & 1 == 0 {
        Reason::GoalTerrain
    } else if !ground.placements().any(|placement| squared_distance(body, placement, goal) == 0) {
        Reason::GoalClearance
    } else {
        Reason::Disconnected
    }
}
