//! Repaired equals rebuilt for each derived structure by itself: layers and their twins, stop bits, regions, costs and
//! clearance maps.

use pathforge_core::{
    BitGrid, Cell, CellRect, Change, ClearanceMap, ClearanceMetric, DiagonalMode, JumpMap, LocalRect,
    Regions, StandCosts, Terrain, TerrainCosts, anchors_touching, open_again, open_grid,
};
use pathforge_tests::bodies::{Body, any_body};
use pathforge_tests::draw::draw;
use pathforge_tests::edits::{Wildness, any_edit};
use pathforge_tests::maps::{any_cell, any_ground, any_map, noise};
use pathforge_tests::rng::{Rng, seeds};

/// What changed since `revision`, as rectangles counted from the map's corner.
fn news(terrain: &Terrain, revision: u64) -> Vec<(LocalRect, Change)> {
    let entries = terrain.journal().since(revision).expect("the journal keeps the last edits");
    entries.map(|entry| (entry.rect, entry.change)).collect()
}

/// One of each derived structure, made for one body.
struct Structures {
    body: Body,
    factors: TerrainCosts,
    open: BitGrid,
    layer: BitGrid,
    twin: BitGrid,
    jump_map: JumpMap,
    regions: Regions,
    costs: StandCosts,
    clearances: [ClearanceMap; 2],
}

impl Structures {
    fn build(terrain: &Terrain, body: &Body, max: u8) -> Self {
        let factors = TerrainCosts::new(&body.terrain_costs).expect("valid factors");
        let open = open_grid(terrain, body.capability());
        let layer = open.eroded(body.footprint());
        let twin = layer.transposed();
        Self {
            body: body.clone(),
            factors,
            jump_map: JumpMap::build(&layer, &twin, body.mode),
            regions: Regions::build(&layer, body.mode),
            costs: StandCosts::build(terrain, &layer, body.footprint(), &factors),
            clearances: [ClearanceMetric::True, ClearanceMetric::Brushfire]
                .map(|metric| ClearanceMap::build(&open, metric, max)),
            open,
            layer,
            twin,
        }
    }

    fn repair(&mut self, terrain: &Terrain, edits: &[(LocalRect, Change)]) {
        let footprint = self.body.footprint();
        for (rect, _) in edits {
            open_again(&mut self.open, terrain, self.body.capability(), *rect);
        }
        for (rect, _) in edits {
            for clearance in &mut self.clearances {
                clearance.repair(&self.open, *rect);
            }
            let anchors = anchors_touching(*rect, footprint, terrain.shape());
            self.layer.erode_again(&self.open, footprint, anchors);
            self.layer.transpose_again(&mut self.twin, anchors);
            self.jump_map.repair(&self.layer, &self.twin, anchors);
            self.regions.repair(&self.layer, anchors);
            self.costs.repair(terrain, &self.layer, footprint, &self.factors, anchors);
        }
    }

    /// Fails where a structure differs from one that is built anew.
    fn assert_as_new(&self, terrain: &Terrain, label: &str) {
        let new = Self::build(terrain, &self.body, self.clearances[0].max());
        let told = || format!("{label}: {:?}\n{}", self.body, draw(terrain, &[]));
        assert!(self.open == new.open, "open cells: {}", told());
        assert!(self.layer == new.layer, "layer: {}", told());
        assert!(self.layer.border_is_clear(), "border: {}", told());
        assert!(self.twin == new.twin, "twin: {}", told());
        assert!(self.jump_map == new.jump_map, "stop bits: {}", told());
        assert!(self.regions.check_invariants(&self.layer), "regions: {}", told());
        assert!(self.costs == new.costs, "costs: {}", told());
        assert!(self.clearances == new.clearances, "clearance: {}", told());
    }
}

#[test]
fn every_structure_repaired_by_itself_equals_one_built_anew() {
    for seed in seeds(50, 120) {
        let mut rng = Rng::new(seed);
        let ground = any_ground(&mut rng);
        let mut terrain = any_map(&mut rng, ground);
        let body = any_body(&mut rng, true);
        let mut structures = Structures::build(&terrain, &body, rng.pick(&[1, 2, 5, 255]));
        for _ in 0..25 {
            let revision = terrain.revision();
            for _ in 0..rng.int(1..4) {
                any_edit(&mut rng, &terrain, Wildness::Any).apply(&mut terrain);
            }
            let edits = news(&terrain, revision);
            structures.repair(&terrain, &edits);
            structures.assert_as_new(&terrain, &format!("seed {seed}, edits {edits:?}"));
        }
    }
}

/// Doors one by one in the columns and rows where a word, a padded word, a chunk or the map ends.
#[test]
fn doors_where_words_end_are_repaired() {
    for seed in seeds(53, 2) {
        let mut rng = Rng::new(seed);
        for (w, h) in [(130, 66), (66, 130)] {
            let mut terrain = noise(&mut rng, w, h, 20).into_terrain(Cell::default());
            let body = Body { mode: rng.pick(&DiagonalMode::ALL), ..Body::new(1, 1, DiagonalMode::Always) };
            let mut structures = Structures::build(&terrain, &body, 255);
            let ends = |side: i32| {
                [0, 1, 61, 62, 63, 64, 65, 125, 126, 127, 128, 129].into_iter().filter(move |&n| n < side)
            };
            for door in ends(h).flat_map(|y| ends(w).map(move |x| Cell::new(x, y))) {
                let closed = terrain.is_solid(door);
                terrain.fill_solid(CellRect::cell(door), !closed);
                // The door alone, as the journal may tell it together with the last one.
                let alone = LocalRect::within(terrain.region(), CellRect::cell(door)).expect("inside");
                structures.repair(&terrain, &[(alone, Change::PASSABILITY)]);
                structures.assert_as_new(&terrain, &format!("seed {seed}, door {door:?}"));
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
            let is_near = rng.percent(30);
            let near = made.last().filter(|_| is_near).map(|(_, rect)| rect.grown(1, 1, 1, 1));
            let place = near.unwrap_or(terrain.region()).intersection(terrain.region());
            let cell = any_cell(&mut rng, place);
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
