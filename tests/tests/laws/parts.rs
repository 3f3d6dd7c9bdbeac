//! Repaired equals rebuilt: one law, run for each structure that is derived from the terrain.

use pathforge_core::bitgrid::{GridLayout, LocalRect};
use pathforge_core::clearance::{ClearanceMap, ClearanceMetric};
use pathforge_core::connectivity::Components;
use pathforge_core::geometry::{Cell, CellRect, DiagonalMode, Footprint};
use pathforge_core::passability::{LayerKey, PlacementCosts, Placements, TerrainCosts};
use pathforge_core::terrain::Terrain;
use pathforge_core::testing::{
    BodyGround, Change, Derived, Hierarchy, JumpMap, Landmarks, MoveBytes, MoveWay, Prices, Surfaces,
    Transpose, anchors_touching,
};
use pathforge_tests::bodies::{Body, any_body};
use pathforge_tests::draw::draw;
use pathforge_tests::edits::{Wildness, any_edit};
use pathforge_tests::maps::{any_cell, any_ground, any_map, noise};
use pathforge_tests::rng::{Rng, seeds};

const METRICS: [ClearanceMetric; 2] = [ClearanceMetric::True, ClearanceMetric::Brushfire];

/// What changed since `revision`, as rectangles counted from the map's corner.
fn edits_since(terrain: &Terrain, revision: u64) -> Vec<(LocalRect, Change)> {
    let entries = terrain.journal().since(revision).expect("the journal keeps the last edits");
    entries.map(|entry| (entry.rect, entry.change)).collect()
}

/// One of each derived structure, made for one body.
struct Structures {
    body: Body,
    factors: TerrainCosts,
    clearance_max: u8,
    open: Placements,
    placements: Placements,
    transpose: Transpose,
    jump_map: JumpMap,
    moves: MoveBytes,
    components: Components,
    costs: PlacementCosts,
    cost_jump_map: JumpMap,
    landmarks: Landmarks,
    surfaces: Surfaces,
    /// Where every step has the unit cost, and where steps cost what `costs` says.
    hierarchies: [Hierarchy; 2],
    clearances: [ClearanceMap; 2],
}

/// What is done with every structure in turn: see [`Structures::visit`].
trait Visitor {
    fn see<D: Derived + PartialEq>(
        &mut self,
        name: &str,
        structure: &mut D,
        source: D::Source<'_>,
        kind: D::Kind,
    );
}

/// Makes a structure.
fn made<D: Derived>(source: D::Source<'_>, kind: D::Kind) -> D {
    D::build(source, kind)
}

impl Structures {
    fn build(terrain: &Terrain, body: &Body, clearance_max: u8) -> Self {
        let factors = TerrainCosts::new(&body.terrain_costs).expect("valid factors");
        let key = body.profile().layer_key();
        let open: Placements = made((terrain, None), key.of_one_cell());
        let placements: Placements = made((terrain, Some(&open)), key);
        let transpose: Transpose = made(&placements, ());
        let costs: PlacementCosts = made((terrain, &placements, Prices::from(&factors)), body.footprint());
        let moves: MoveBytes = made(&placements, (body.mode, MoveWay::Leaving));
        let components: Components = made(&placements, body.mode.joins_diagonally());
        let hierarchy = || made((&placements, None), body.mode);
        Self {
            body: body.clone(),
            clearance_max,
            hierarchies: [hierarchy(), hierarchy()],
            jump_map: made((&placements, &transpose, None), JumpMap::shared_mode(body.mode)),
            landmarks: made((&placements, [&moves; 2], &components, &costs), body.mode),
            moves,
            components,
            cost_jump_map: made((&placements, &transpose, Some(&costs)), JumpMap::shared_mode(body.mode)),
            costs,
            surfaces: made((terrain, &placements), body.footprint()),
            clearances: METRICS.map(|metric| made(&open, (metric, clearance_max))),
            factors,
            open,
            placements,
            transpose,
        }
    }

    /// Shows `visitor` every structure, each after the structures that it is made from.
    fn visit(&mut self, terrain: &Terrain, visitor: &mut impl Visitor) {
        let (key, mode) = (self.body.profile().layer_key(), self.body.mode);
        visitor.see("open cells", &mut self.open, (terrain, None), key.of_one_cell());
        visitor.see("placements", &mut self.placements, (terrain, Some(&self.open)), key);
        let placements = &self.placements;
        visitor.see("transpose", &mut self.transpose, placements, ());
        let scanned = (placements, &self.transpose, None);
        visitor.see("jump map", &mut self.jump_map, scanned, JumpMap::shared_mode(mode));
        visitor.see("moves", &mut self.moves, placements, (mode, MoveWay::Leaving));
        visitor.see("components", &mut self.components, placements, mode.joins_diagonally());
        let paid = (terrain, placements, Prices::from(&self.factors));
        visitor.see("costs", &mut self.costs, paid, self.body.footprint());
        let scanned = (placements, &self.transpose, Some(&self.costs));
        visitor.see("cost jump map", &mut self.cost_jump_map, scanned, JumpMap::shared_mode(mode));
        visitor.see("surfaces", &mut self.surfaces, (terrain, placements), self.body.footprint());
        for (map, metric) in self.clearances.iter_mut().zip(METRICS) {
            visitor.see("clearance", map, &self.open, (metric, self.clearance_max));
        }
    }

    /// Follows the edits.
    fn repair(&mut self, terrain: &Terrain, edits: &[(LocalRect, Change)]) {
        let cells: Vec<LocalRect> = edits.iter().map(|(rect, _)| *rect).collect();
        let footprint = self.body.footprint();
        let layout = terrain.layout();
        // Whether an edge is near changes two cells around it, too.
        let around = |rect: LocalRect| LocalRect {
            x0: rect.x0.saturating_sub(2),
            y0: rect.y0.saturating_sub(2),
            x1: (rect.x1 + 2).min(layout.width()),
            y1: (rect.y1 + 2).min(layout.height()),
        };
        let anchors: Vec<LocalRect> =
            cells.iter().map(|&rect| around(anchors_touching(rect, footprint, layout))).collect();
        for (hierarchy, costs) in self.hierarchies.iter_mut().zip([None, Some(&self.costs)]) {
            hierarchy.repair((&self.placements, costs), self.body.mode, &anchors);
        }
        self.visit(terrain, &mut Repairing { cells, anchors: anchors.clone(), layout });
        let walked = (&self.placements, [&self.moves; 2], &self.components, &self.costs);
        self.landmarks.repair(walked, self.body.mode, &anchors);
    }

    /// Fails where a structure differs from a new one.
    fn assert_as_new(&mut self, terrain: &Terrain, label: &str) {
        let told = format!("{label}: {:?}\n{}", self.body, draw(terrain, &[]));
        self.visit(terrain, &mut Checking { told });
        for grid in [&self.open, &self.placements] {
            assert!(grid.border_is_clear(), "bits outside the map: {label}");
        }
        // Landmarks are dropped where much would have to be lowered; then all are made anew for the next
        // edit.
        let (walked, mode) =
            ((&self.placements, [&self.moves; 2], &self.components, &self.costs), self.body.mode);
        assert!(self.landmarks.check_invariants(walked), "landmarks: {label}");
        if self.landmarks.costs().is_empty() {
            self.landmarks = Landmarks::build(walked, mode);
        }
        // Not all clusters are made. Existing ones hold; the rest is made after the check, so that the next
        // edit finds clusters that it has to mark as stale.
        for (hierarchy, costs) in self.hierarchies.iter().zip([None, Some(&self.costs)]) {
            let ground = BodyGround::new(&self.placements, costs, self.body.mode);
            assert!(hierarchy.check_invariants(&ground), "clusters, costs {}: {label}", costs.is_some());
            hierarchy.complete(&ground);
        }
    }
}

/// Repairs every structure around edits.
struct Repairing {
    cells: Vec<LocalRect>,
    anchors: Vec<LocalRect>,
    layout: GridLayout,
}

impl Visitor for Repairing {
    fn see<D: Derived + PartialEq>(
        &mut self,
        name: &str,
        structure: &mut D,
        source: D::Source<'_>,
        kind: D::Kind,
    ) {
        let is_of_cells = matches!(name, "open cells" | "clearance" | "surfaces");
        if is_of_cells {
            let touched = self.cells.iter().map(|&rect| D::touched_by(rect, kind, self.layout));
            structure.repair(source, kind, &touched.collect::<Vec<_>>());
        } else {
            structure.repair(source, kind, &self.anchors);
        }
    }
}

/// Checks every structure.
struct Checking {
    told: String,
}

impl Visitor for Checking {
    fn see<D: Derived + PartialEq>(
        &mut self,
        name: &str,
        structure: &mut D,
        source: D::Source<'_>,
        kind: D::Kind,
    ) {
        assert!(*structure == D::build(source, kind), "{name}: {}", self.told);
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
            let edits = edits_since(&terrain, revision);
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
        let metric = rng.pick(&METRICS);
        let capability = pathforge_core::terrain::Capability::ALL;
        let kind = (metric, rng.pick(&[1, 4, 255]));
        let mut map =
            ClearanceMap::build(&made((&terrain, None), LayerKey::new(Footprint::ONE, capability)), kind);
        for _ in 0..20 {
            let revision = terrain.revision();
            any_edit(&mut rng, &terrain, Wildness::Small).apply(&mut terrain);
            let open = made((&terrain, None), LayerKey::new(Footprint::ONE, capability));
            for (rect, _) in edits_since(&terrain, revision) {
                let before = map.clone();
                let told = map.repair_in(&open, kind, rect);
                let layout = terrain.layout();
                let mut bounds: Option<LocalRect> = None;
                for y in 0..layout.height() {
                    for x in (0..layout.width()).filter(|&x| map.get(x, y) != before.get(x, y)) {
                        LocalRect::join(&mut bounds, LocalRect { x0: x, y0: y, x1: x + 1, y1: y + 1 });
                    }
                }
                assert_eq!(told, bounds, "seed {seed}: {metric:?} after {rect:?}");
            }
        }
    }
}

/// For every revision the journal either says that it has forgotten, or tells of every cell that changed
/// since.
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
            if rng.percent(20) {
                terrain.seal_journal();
            }
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
                assert!(
                    is_told,
                    "seed {seed}: {rect:?} is missing among the edits after revision {revision}"
                );
            }
        }
        assert!(forgotten < terrain.revision(), "seed {seed}: nothing is kept");
    }
}
