//! Every engine that searches over cells gives the oracle's answer, whichever a world would choose.

use pathforge_core::geometry::{Cell, CellRect, DiagonalMode};
use pathforge_core::primitives::SearchEnd;
use pathforge_core::terrain::Terrain;
use pathforge_core::testing::Scratch;
use pathforge_tests::bodies::{Body, any_body};
use pathforge_tests::maps::{Ground, any_cell, any_map, any_weight, noise};
use pathforge_tests::rng::{Rng, seeds};
use pathforge_tests::searches::Searches;

/// Asks for some trips of one body to one or more goals.
fn explore(rng: &mut Rng, terrain: Terrain, body: &Body, scratch: &mut Scratch, label: &str) {
    let searches = Searches::new(terrain, body);
    let placements: Vec<Cell> = searches.ground.placements().collect();
    for _ in 0..if placements.is_empty() { 0 } else { 8 } {
        let start = rng.pick(&placements);
        let goals = if rng.percent(50) { 1 } else { rng.int(1..7) };
        let goals: Vec<Cell> = (0..goals).map(|_| rng.pick(&placements)).collect();
        searches.assert_right(start, &goals, scratch, label);
    }
}

#[test]
fn all_engines_find_what_the_oracle_does_on_any_ground() {
    // One scratch for maps of every size: nothing of an older search may shine through.
    let mut scratch = Scratch::default();
    let grounds = [Ground::Plain, Ground::Patches, Ground::Weights, Ground::LightWeights, Ground::Both];
    for seed in seeds(6, 600) {
        let mut rng = Rng::new(seed);
        let ground = rng.pick(&grounds);
        let terrain = any_map(&mut rng, ground);
        let body = any_body(&mut rng, true);
        explore(&mut rng, terrain, &body, &mut scratch, &format!("seed {seed}, {ground:?}"));
    }
}

/// Open ground in patches, where jumps are longest and paths of equal cost are most.
fn patches(rng: &mut Rng, side: i32, patch: i32) -> Terrain {
    let walls = rng.pick(&[0, 0, 3, 15]);
    let mut terrain = noise(rng, side, side, walls).into_terrain(Cell::default());
    // Few weights, so that neighbouring patches often cost the same or one and a half times as much.
    let weights: Vec<f32> = (0..rng.int(2..5)).map(|_| any_weight(rng, false)).collect();
    for y in (0..side).step_by(patch as usize) {
        for x in (0..side).step_by(patch as usize) {
            let rect = CellRect::new(x, y, patch, patch).intersection(terrain.region());
            terrain.fill_weight(rect, rng.pick(&weights)).expect("a valid weight");
        }
    }
    if rng.percent(30) {
        for _ in 0..side {
            let cell = CellRect::cell(any_cell(rng, terrain.region()));
            terrain.fill_weight(cell, rng.pick(&weights)).expect("a valid weight");
        }
    }
    terrain
}

#[test]
fn all_engines_find_what_the_oracle_does_on_patches() {
    let mut scratch = Scratch::default();
    for seed in seeds(9, 250) {
        let mut rng = Rng::new(seed);
        let (side, patch) = (rng.int(8..75), rng.int(2..30));
        let terrain = patches(&mut rng, side, patch);
        let (w, h) = rng.pick(&[(1, 1), (1, 1), (2, 2), (3, 3), (4, 2)]);
        let body = Body::new(w, h, rng.pick(&DiagonalMode::ALL));
        explore(&mut rng, terrain, &body, &mut scratch, &format!("seed {seed}, patches of {patch}"));
    }
}

#[test]
fn all_engines_keep_a_limit_on_expansions() {
    let mut scratch = Scratch::default();
    for seed in seeds(19, 60) {
        let mut rng = Rng::new(seed);
        let terrain = patches(&mut rng, 40, 13);
        let body = Body::new(1, 1, rng.pick(&DiagonalMode::ALL));
        let searches = Searches::new(terrain, &body);
        let placements: Vec<Cell> = searches.ground.placements().collect();
        let (start, goals) = (rng.pick(&placements), [rng.pick(&placements), rng.pick(&placements)]);
        for (n, (engine, free)) in searches.ask(start, &goals, u32::MAX, &mut scratch).into_iter().enumerate()
        {
            for max in [0, 1, free.expanded / 2, free.expanded.saturating_sub(1), free.expanded] {
                let (_, limited) = searches.ask(start, &goals, max, &mut scratch).swap_remove(n);
                if max >= free.expanded {
                    assert_eq!(limited, free, "seed {seed}, {engine}: a limit of {max} is not reached");
                } else {
                    assert_eq!((limited.end, limited.waypoints.len()), (SearchEnd::Limit, 0), "{engine}");
                    assert!(limited.expanded <= max, "seed {seed}, {engine}: {}", limited.expanded);
                }
            }
        }
    }
}
