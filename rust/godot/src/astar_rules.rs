//! What `AStarGrid2D` does that PathForge's own queries do not: it walks out of a solid start.
//!
//! Seen in Godot 4.6: start equal to goal is a path of one cell, solid or not; a solid start is left by any legal step;
//! with partial paths it is itself a candidate for the nearest cell.

use pathforge_core::{
    Capability, Cell, DiagonalMode, Direction, GoalMode, PathQuery, Profile, Route, StepCost, World,
};

/// The route of a 1×1 body of every capability by the rules of `AStarGrid2D`; empty without one. Both ends lie in the
/// region.
pub fn find_route(world: &mut World, start: Cell, goal: Cell, mode: DiagonalMode, partial: bool) -> Route {
    if start == goal {
        return Route::new(vec![start]);
    }
    let profile = Profile { diagonal_mode: mode, ..Profile::default() };
    let goal_mode = if partial { GoalMode::Nearest } else { GoalMode::Exact };
    let query = PathQuery { goal_mode, ..PathQuery::new(start, goal, profile) };
    if world.terrain().is_solid(start) { leave_solid(world, query) } else { world.find_path(&query).route }
}

/// The best route that leaves a solid start by one step: nearest to the goal, then cheapest, then first in the order of
/// directions. It never comes back to the start, so what follows is an ordinary query.
fn leave_solid(world: &mut World, query: PathQuery) -> Route {
    let (start, goal) = (query.start, query.goal);
    let stay = (query.goal_mode == GoalMode::Nearest).then(|| Route::new(vec![start]));
    let mut best = stay.map(|route| ((squared(start, goal), 0), route));
    for direction in Direction::ALL {
        let next = start.offset(direction.dx(), direction.dy());
        if !is_step(world, start, direction, query.profile.diagonal_mode) {
            continue;
        }
        let outcome = world.find_path(&PathQuery { start: next, ..query });
        let (Some(rest), Some(end)) = (outcome.cost, outcome.route.goal()) else { continue };
        let step = StepCost::from_weight(f64::from(world.terrain().weight(next)));
        let first = if direction.is_diagonal() { step.diagonal } else { step.straight };
        let rank = (squared(end, goal), rest.plus(u32::from(first)).units());
        if best.as_ref().is_none_or(|(least, _)| rank < *least) {
            let waypoints = std::iter::once(start).chain(outcome.route.waypoints().iter().copied());
            best = Some((rank, Route::new(waypoints.collect())));
        }
    }
    best.map(|(_, route)| route).unwrap_or_default()
}

fn is_step(world: &World, from: Cell, direction: Direction, mode: DiagonalMode) -> bool {
    let is_open = |dx, dy| world.terrain().is_open(from.offset(dx, dy), Capability::ALL);
    let (dx, dy) = (direction.dx(), direction.dy());
    is_open(dx, dy) && (!direction.is_diagonal() || mode.allows(is_open(dx, 0), is_open(0, dy)))
}

fn squared(a: Cell, b: Cell) -> u64 {
    let (dx, dy) = (u64::from(a.x.abs_diff(b.x)), u64::from(a.y.abs_diff(b.y)));
    dx * dx + dy * dy
}

#[cfg(test)]
mod tests {
    use super::*;
    use pathforge_core::Terrain;

    fn world(rows: &str) -> World {
        World::from_terrain(Terrain::from_text(rows, Cell::default()).unwrap())
    }

    fn route(rows: &str, start: (i32, i32), goal: (i32, i32), partial: bool) -> Vec<(i32, i32)> {
        let (start, goal) = (Cell::new(start.0, start.1), Cell::new(goal.0, goal.1));
        let found = find_route(&mut world(rows), start, goal, DiagonalMode::Always, partial);
        found.cells().iter().map(|cell| (cell.x, cell.y)).collect()
    }

    #[test]
    fn start_on_goal_is_one_cell_even_when_solid() {
        assert_eq!(route("#.\n..", (0, 0), (0, 0), false), [(0, 0)]);
    }

    #[test]
    fn a_solid_start_is_left_by_the_cheapest_step() {
        assert_eq!(route("#..\n##.\n...", (0, 0), (2, 2), false), [(0, 0), (1, 0), (2, 1), (2, 2)]);
    }

    #[test]
    fn a_walled_in_solid_start_stays_when_partial_paths_are_wanted() {
        assert_eq!(route("##.\n##.\n...", (0, 0), (2, 2), true), [(0, 0)]);
        assert_eq!(route("##.\n##.\n...", (0, 0), (2, 2), false), []);
    }

    #[test]
    fn a_solid_goal_is_approached() {
        assert_eq!(route("#..\n...\n..#", (0, 0), (2, 2), true).last(), Some(&(2, 1)));
    }
}
