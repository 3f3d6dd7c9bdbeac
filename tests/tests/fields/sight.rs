//! Lines of sight: seen from exactly where the body can walk straight to a goal at the field's cost.

use pathforge_core::{Cell, FlowField};
use pathforge_tests::bodies::{Body, any_body};
use pathforge_tests::maps::{any_ground, any_map};
use pathforge_tests::oracle::{Ground, sweep};
use pathforge_tests::rng::{Rng, seeds};

use crate::scene::Scene;

/// The first goal in reading order that the body walks to straight: all cells that it sweeps are open, every stand around
/// its way costs what weight 1 does, and the field's cost is that of the shortest way on open ground.
fn plainly_seen(scene: &Scene, ground: &Ground, field: &FlowField, from: Cell) -> Option<Cell> {
    let cost = field.integration().cost(from)?.units();
    let sees = |goal: &Cell| {
        let (dx, dy) = (from.x.abs_diff(goal.x), from.y.abs_diff(goal.y));
        let octile = 70 * (dx.max(dy) - dx.min(dy)) + 99 * dx.min(dy);
        // A body of one cell between two cells covers both: the stands around the way.
        let around = sweep(1, 1, from, *goal);
        let unit = |stand: &Cell| {
            let (body, mode) = (&scene.body, pathforge_core::DiagonalMode::Always);
            let free = Ground::new(&scene.terrain, &Body { mode, ..body.clone() });
            let neighbour = free.neighbours(*stand).next().map(|(cell, _)| cell);
            ground.fits(*stand)
                && neighbour.is_some_and(|n| {
                    free.step(n, *stand) == Some(if n.x != stand.x && n.y != stand.y { 99 } else { 70 })
                })
        };
        cost == octile && cost > 0 && around.iter().all(unit)
    };
    field.integration().goals().find(sees)
}

#[test]
fn a_goal_is_seen_from_where_the_body_can_walk_straight() {
    let mut seen_count = 0;
    for seed in seeds(330, 150) {
        let mut rng = Rng::new(seed);
        let any = any_ground(&mut rng);
        let terrain = any_map(&mut rng, any);
        if terrain.region().area() > 900 {
            continue;
        }
        let body = any_body(&mut rng, true);
        let scene = Scene::new(terrain, body);
        let ground = Ground::new(&scene.terrain, &scene.body);
        let count = rng.pick(&[1, 2, 4]);
        let goals = scene.any_goals(&mut rng, count);
        let field = scene.build(&goals, None);
        for cell in scene.terrain.region().cells() {
            let expected = plainly_seen(&scene, &ground, &field, cell);
            assert_eq!(field.goal_in_sight(cell), expected, "seed {seed}: {cell:?}\n{}", scene.show(&goals));
            let at_goal = field.integration().goals().any(|goal| goal == cell);
            assert_eq!(field.has_line_of_sight(cell), expected.is_some() || at_goal, "seed {seed}");
            seen_count += u32::from(expected.is_some());
        }
    }
    assert!(seen_count > 500, "{seen_count}");
}
