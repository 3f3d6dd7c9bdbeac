//! Repaired equals rebuilt: entrances and edges after any edits are those of a new hierarchy, and so are the
//! answers.

use pathforge_core::bitgrid::LocalRect;
use pathforge_core::geometry::{Cell, DiagonalMode};
use pathforge_core::passability::{PlacementCosts, Placements};
use pathforge_core::testing::{BodyGround, Derived, Hierarchy, anchors_touching};
use pathforge_core::world::{PathQuery, SearchMode, World};
use pathforge_tests::bodies::any_body;
use pathforge_tests::edits::{Wildness, any_edit};
use pathforge_tests::maps::{any_ground, any_map_of};
use pathforge_tests::rng::{Rng, seeds};

#[test]
fn entrances_and_edges_repaired_are_those_rebuilt() {
    let mut edits = 0;
    for seed in seeds(64, 40) {
        let mut rng = Rng::new(seed);
        let ground = any_ground(&mut rng);
        let (w, h) = (rng.int(60..200), rng.int(60..200));
        let mut terrain = any_map_of(&mut rng, w, h, ground);
        let body = any_body(&mut rng, true);
        let (profile, mode) = (body.profile(), rng.pick(&DiagonalMode::ALL));
        let costs = |terrain: &_, placements: &Placements| {
            PlacementCosts::build((terrain, placements, (&profile.terrain_costs).into()), profile.footprint)
        };
        let mut placements = body.placements(&terrain);
        let mut paid = costs(&terrain, &placements);
        let mut hierarchy = Hierarchy::build((&placements, Some(&paid)), mode);
        hierarchy.complete(&BodyGround::new(&placements, Some(&paid), mode));
        for edit in 0..60 {
            let changed = any_edit(&mut rng, &terrain, Wildness::Small).apply(&mut terrain);
            let Some(rect) = changed.and_then(|changed| LocalRect::within(terrain.region(), changed)) else {
                continue;
            };
            edits += 1;
            placements = body.placements(&terrain);
            paid = costs(&terrain, &placements);
            let anchors = anchors_touching(rect, profile.footprint, terrain.layout());
            hierarchy.repair_in((&placements, Some(&paid)), mode, anchors);
            let ground = BodyGround::new(&placements, Some(&paid), mode);
            // Sometimes several edits pass before a query, or the query needs a part only.
            match edit % 4 {
                0 => hierarchy.complete(&ground),
                1 => hierarchy.complete_around(&ground, rect),
                _ => {}
            }
            if edit % 10 == 9 {
                assert!(hierarchy.check_invariants(&ground), "seed {seed}, edit {edit}: {body:?}");
            }
        }
        let ground = BodyGround::new(&placements, Some(&paid), mode);
        assert!(hierarchy.check_invariants(&ground), "seed {seed}: {body:?}");
        hierarchy.complete(&ground);
        let fresh = Hierarchy::build((&placements, Some(&paid)), mode);
        fresh.complete(&ground);
        assert_eq!(hierarchy.counts(), fresh.counts(), "seed {seed}");
        assert!(hierarchy.check_invariants(&ground), "seed {seed}: {body:?}");
    }
    assert!(edits > 1000, "only {edits} edits");
}

#[test]
fn an_edited_world_answers_as_a_new_one() {
    for seed in seeds(65, 30) {
        let mut rng = Rng::new(seed);
        let ground = any_ground(&mut rng);
        let (w, h) = (rng.int(60..200), rng.int(60..200));
        let terrain = any_map_of(&mut rng, w, h, ground);
        let bodies = [any_body(&mut rng, true), any_body(&mut rng, true)];
        let mut world = World::from_terrain(terrain);
        for _ in 0..25 {
            for _ in 0..rng.int(1..6) {
                let edit = any_edit(&mut rng, world.terrain(), Wildness::Any);
                edit.apply(world.terrain_mut());
            }
            let mut fresh = World::from_terrain(world.terrain().clone());
            for body in &bodies {
                let profile = body.profile();
                let mut placement = || {
                    let cell = pathforge_tests::maps::any_cell(&mut rng, fresh.terrain().region());
                    fresh.nearest_fit(cell, &profile, None).unwrap_or(cell)
                };
                let (start, goal): (Cell, Cell) = (placement(), placement());
                let query = PathQuery {
                    search_mode: SearchMode::Hierarchical,
                    ..PathQuery::new(start, goal, profile)
                };
                assert_eq!(world.find_path(&query), fresh.find_path(&query), "seed {seed}: {query:?}");
            }
        }
    }
}
