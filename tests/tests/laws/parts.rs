//! Repaired equals rebuilt for each derived structure by itself: layers and their twins, stop bits, regions, costs and
//! clearance maps.

use pathforge_core::{
    CellRect, Change, ClearanceMap, ClearanceMetric, JumpMap, LocalRect, Regions, StandCosts, Terrain,
    TerrainCosts, anchors_touching, open_again, open_grid,
};
use pathforge_tests::bodies::any_body;
use pathforge_tests::draw::draw;
use pathforge_tests::edits::{Wildness, any_edit};
use pathforge_tests::maps::{any_cell, any_ground, any_map};
use pathforge_tests::rng::{Rng, seeds};

/// What changed since `revision`, as rectangles counted from the map's corner.
fn news(terrain: &Terrain, revision: u64) -> Vec<(LocalRect, Change)> {
    let entries = terrain.journal().since(revision).expect("the journal keeps the last edits");
    entries.map(|entry| (entry.rect, entry.change)).collect()
}

#[test]
fn every_structure_repaired_by_itself_equals_one_built_anew() {
    for seed in seeds(50, 120) {
        let mut rng = Rng::new(seed);
        let ground = any_ground(&mut rng);
        let mut terrain = any_map(&mut rng, ground);
        let body = any_body(&mut rng, true);
        let (footprint, capability, mode) = (body.footprint(), body.capability(), body.mode);
        let factors = TerrainCosts::new(&body.terrain_costs).expect("valid factors");
        let metrics = [ClearanceMetric::True, ClearanceMetric::Brushfire];
        let max = rng.pick(&[1, 2, 5, 255]);

        let mut open = open_grid(&terrain, capability);
        let mut layer = open.eroded(footprint);
        let mut twin = layer.transposed();
        let mut jump_map = JumpMap::build(&layer, &twin, mode);
        let mut regions = Regions::build(&layer, mode);
        let mut costs = StandCosts::build(&terrain, &layer, footprint, &factors);
        let mut clearances = metrics.map(|metric| ClearanceMap::build(&open, metric, max));

        for _ in 0..25 {
            let revision = terrain.revision();
            for _ in 0..rng.int(1..4) {
                any_edit(&mut rng, &terrain, Wildness::Any).apply(&mut terrain);
            }
            let edits = news(&terrain, revision);
            for (rect, _) in &edits {
                open_again(&mut open, &terrain, capability, *rect);
            }
            for (rect, _) in &edits {
                for clearance in &mut clearances {
                    clearance.repair(&open, *rect);
                }
                let anchors = anchors_touching(*rect, footprint, terrain.shape());
                layer.erode_again(&open, footprint, anchors);
                layer.transpose_again(&mut twin, anchors);
                jump_map.repair(&layer, &twin, anchors);
                regions.repair(&layer, anchors);
                costs.repair(&terrain, &layer, footprint, &factors, anchors);
            }
            let told = || format!("seed {seed}: {body:?}, edits {edits:?}\n{}", draw(&terrain, &[]));
            assert!(open == open_grid(&terrain, capability), "open cells: {}", told());
            assert!(layer == open.eroded(footprint), "layer: {}", told());
            assert!(layer.border_is_clear(), "border: {}", told());
            assert!(twin == layer.transposed(), "twin: {}", told());
            assert!(jump_map == JumpMap::build(&layer, &twin, mode), "stop bits: {}", told());
            assert!(regions.check_invariants(&layer), "regions: {}", told());
            assert!(costs == StandCosts::build(&terrain, &layer, footprint, &factors), "costs: {}", told());
            for (clearance, metric) in clearances.iter().zip(metrics) {
                assert!(*clearance == ClearanceMap::build(&open, metric, max), "{metric:?}: {}", told());
            }
        }
    }
}

/// What a repair of clearance says has changed is the smallest rectangle that holds all changes.
#[test]
fn a_clearance_repair_tells_exactly_what_changed() {
    for seed in seeds(51, 150) {
        let mut rng = Rng::new(seed);
        let mut terrain = any_map(&mut rng, pathforge_tests::maps::Ground::Plain);
        let metric = rng.pick(&[ClearanceMetric::True, ClearanceMetric::Brushfire]);
        let capability = pathforge_core::Capability::ALL;
        let mut map = ClearanceMap::build(&open_grid(&terrain, capability), metric, rng.pick(&[1, 4, 255]));
        for _ in 0..20 {
            let revision = terrain.revision();
            any_edit(&mut rng, &terrain, Wildness::Small).apply(&mut terrain);
            let open = open_grid(&terrain, capability);
            for (rect, _) in news(&terrain, revision) {
                let before = map.clone();
                let told = map.repair(&open, rect);
                let shape = terrain.shape();
                let mut bounds: Option<LocalRect> = None;
                for y in 0..shape.height() {
                    for x in (0..shape.width()).filter(|&x| map.get(x, y) != before.get(x, y)) {
                        LocalRect::join(&mut bounds, LocalRect { x0: x, y0: y, x1: x + 1, y1: y + 1 });
                    }
                }
                assert_eq!(told, bounds, "seed {seed}: {metric:?} after {rect:?}");
            }
        }
    }
}

/// For every revision the journal either says that it has forgotten, or tells of every cell that changed since.
#[test]
fn a_journal_never_forgets_in_silence() {
    for seed in seeds(52, 6) {
        let mut rng = Rng::new(seed);
        let mut terrain = Terrain::new(CellRect::new(0, 0, 60, 60)).expect("a small region");
        let mut made: Vec<(u64, CellRect)> = Vec::new();
        for _ in 0..rng.int(300..500) {
            // Doors side by side, which may be told together, and doors far apart, which may not.
            let near =
                made.last().filter(|_| rng.clone().percent(30)).map(|(_, rect)| rect.grown(1, 1, 1, 1));
            let cell = any_cell(&mut rng, near.unwrap_or(terrain.region()).intersection(terrain.region()));
            let closed = terrain.is_solid(cell);
            let changed = terrain.fill_solid(CellRect::cell(cell), !closed).expect("a door changes");
            made.push((terrain.revision(), changed));
        }
        let mut forgotten = 0;
        for revision in 0..=terrain.revision() {
            let Some(told) = terrain.journal().since(revision) else {
                assert_eq!(
                    forgotten, revision,
                    "seed {seed}: what is older than the forgotten is forgotten too"
                );
                forgotten += 1;
                continue;
            };
            let told: Vec<CellRect> = told.map(|entry| entry.rect.to_cells(terrain.region())).collect();
            for (_, rect) in made.iter().filter(|(made_in, _)| *made_in > revision) {
                let is_told = told.iter().any(|t| t.contains_rect(*rect));
                assert!(is_told, "seed {seed}: {rect:?} is not told to who has seen revision {revision}");
            }
        }
        assert!(forgotten < terrain.revision(), "seed {seed}: nothing is kept");
    }
}
