//! Lines of sight: exactly the cells from which the body can walk to a goal in a straight line at the field's
//! cost.

use pathforge_core::field::FlowField;
use pathforge_core::geometry::Cell;
use pathforge_tests::bodies::{Body, any_body};
use pathforge_tests::maps::{any_ground, any_map};
use pathforge_tests::oracle::{Ground, sweep};
use pathforge_tests::rng::{Rng, seeds};

use crate::scene::Scene;

/// The first goal in reading order that the body can walk to in a straight line. All placements that the line
/// passes are valid and cost the same as weight 1, and the field's cost is the octile distance.
fn visible_goal(scene: &Scene, ground: &Ground, field: &FlowField, from: Cell) -> Option<Cell> {
    let cost = field.integration().cost(from)?.units();
    let sees = |goal: &Cell| {
        let (dx, dy) = (from.x.abs_diff(goal.x), from.y.abs_diff(goal.y));
        let octile = 70 * (dx.max(dy) - dx.min(dy)) + 99 * dx.min(dy);
        // A point that is swept as a body of one cell covers the placements around the line.
        let around = sweep(1, 1, from, *goal);
        let unit = |placement: &Cell| {
            let (body, mode) = (&scene.body, pathforge_core::geometry::DiagonalMode::Always);
            let free = Ground::new(&scene.terrain, &Body { mode, ..body.clone() });
            let neighbour = free.neighbours(*placement).next().map(|(cell, _)| cell);
            ground.fits(*placement)
                && neighbour.is_some_and(|n| {
                    free.step(n, *placement)
                        == Some(if n.x != placement.x && n.y != placement.y { 99 } else { 70 })
                })
        };
        cost == octile && cost > 0 && around.iter().all(unit)
    };
    field.integration().goals().find(sees)
}

#[test]
fn lines_of_sight_equal_those_of_the_oracle() {
    let mut seen_count = 0;
    for seed in seeds(330, 300) {
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
        if scene.placements.has_edges() {
            // Lines keep off edges, so fewer are found.
            for cell in scene.terrain.region().cells() {
                let Some(goal) = field.goal_in_sight(cell) else { continue };
                let anchors = sweep(1, 1, cell, goal);
                let joined = |&a: &Cell| {
                    let beside = [Cell::new(a.x + 1, a.y), Cell::new(a.x, a.y + 1)];
                    let mut beside = beside.into_iter().filter(|b| anchors.contains(b));
                    beside.all(|b| ground.slides(a, b) && ground.slides(b, a))
                };
                assert!(
                    anchors.iter().all(joined),
                    "seed {seed}: {cell:?} sees {goal:?}\n{}",
                    scene.show(&goals)
                );
            }
            continue;
        }
        for cell in scene.terrain.region().cells() {
            let expected = visible_goal(&scene, &ground, &field, cell);
            assert_eq!(field.goal_in_sight(cell), expected, "seed {seed}: {cell:?}\n{}", scene.show(&goals));
            let at_goal = field.integration().goals().any(|goal| goal == cell);
            assert_eq!(field.has_line_of_sight(cell), expected.is_some() || at_goal, "seed {seed}");
            seen_count += u32::from(expected.is_some());
        }
    }
    assert!(seen_count > 500, "{seen_count}");
}
