//! Influence weighs like other weights of cells: every answer on an influenced map is the oracle's on a map
//! whose weights are the sums, before and after repairs. A map shows the sums of its sources, however large.

use pathforge_core::bitgrid::LocalRect;
use pathforge_core::field::{FieldBuilder, FlowField};
use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::influence::{
    Falloff, INFLUENCE_MAX, InfluenceMap, InfluenceSettings, STRENGTH_MAX, SourceId, SourceShape,
};
use pathforge_core::passability::InfluenceWeights;
use pathforge_core::raster::Raster;
use pathforge_core::terrain::Terrain;
use pathforge_core::world::{GoalMode, Profile, World};
use pathforge_tests::bodies::{Body, any_body};
use pathforge_tests::check::{Expectation, Trip};
use pathforge_tests::maps::{any_cell, any_ground, any_map};
use pathforge_tests::rng::{Rng, seeds};

/// Slots that the tests fill.
const SLOTS: usize = 3;

/// A world, and the influences that were put into it.
struct Scene {
    world: World,
    body: Body,
    weights: Vec<f32>,
    slots: Vec<Option<Raster<f32>>>,
}

impl Scene {
    /// All numbers are multiples of small powers of two, so that sums are exact in any order.
    fn any(rng: &mut Rng) -> Self {
        let ground = any_ground(rng);
        let mut terrain = any_map(rng, ground);
        let region = terrain.region();
        for cell in region.cells() {
            let weight = (terrain.weight(cell) * 4.0).round() / 4.0;
            terrain.fill_weight(CellRect::cell(cell), weight.min(64.0)).expect("a valid weight");
        }
        let mut body = any_body(rng, true);
        body.terrain_costs.iter_mut().for_each(|cost| *cost = (*cost * 2.0).round().min(16.0) / 2.0);
        let weights = (0..SLOTS).map(|_| rng.pick(&[0.0, 0.5, 1.0, 2.0, -0.5])).collect();
        let mut scene = Self { world: World::from_terrain(terrain), body, weights, slots: vec![None; SLOTS] };
        (0..SLOTS).for_each(|slot| scene.change(rng, slot));
        scene
    }

    fn profile(&self) -> Profile {
        let influence_weights = InfluenceWeights::new(&self.weights).expect("valid weights");
        Profile { influence_weights, ..self.body.profile() }
    }

    /// Gives a part of a slot other values, or empties it.
    fn change(&mut self, rng: &mut Rng, slot: usize) {
        let layout = self.world.terrain().layout();
        if layout.cells() == 0 || rng.percent(15) {
            self.slots[slot] = None;
            self.world.take_influence(slot);
            return;
        }
        let (x0, y0) = (rng.int(0..layout.width() as i32) as u32, rng.int(0..layout.height() as i32) as u32);
        let rect = LocalRect {
            x0,
            y0,
            x1: (x0 + rng.int(1..9) as u32).min(layout.width()),
            y1: (y0 + rng.int(1..9) as u32).min(layout.height()),
        };
        let was_empty = self.slots[slot].is_none();
        let values = self.slots[slot].get_or_insert_with(|| Raster::filled(layout, 0.0));
        values.fill(rect, rng.int(-200..600) as f32 / 64.0);
        assert!(self.world.put_influence(slot, values, if was_empty { layout.all() } else { rect }));
    }

    fn edit(&mut self, rng: &mut Rng) {
        let region = self.world.terrain().region();
        let at = any_cell(rng, region);
        let rect = CellRect::new(at.x, at.y, rng.int(1..4), rng.int(1..4));
        let terrain = self.world.terrain_mut();
        match rng.int(0..3) {
            0 => terrain.fill_solid(rect, rng.percent(50)),
            1 => terrain.fill_weight(rect, rng.int(0..12) as f32 / 4.0).expect("a valid weight"),
            _ => terrain.fill_terrain(rect, i64::from(rng.int(0..4))).expect("a valid terrain"),
        };
    }

    /// The map with everything that cells cost in its weights, and the body without terrain costs.
    fn folded(&self) -> (Terrain, Body) {
        let terrain = self.world.terrain();
        let mut folded = terrain.clone();
        let (region, body) = (terrain.region(), self.body.profile());
        for cell in region.cells() {
            let (x, y) = ((cell.x - region.x) as u32, (cell.y - region.y) as u32);
            let own = terrain.weight(cell) * body.terrain_costs.of(terrain.terrain(cell));
            let added = self
                .slots
                .iter()
                .zip(&self.weights)
                .map(|(values, weight)| values.as_ref().map_or(0.0, |values| values.get(x, y) * weight));
            let weight = added.fold(own, |sum, part| sum + part).max(0.0);
            folded.fill_weight(CellRect::cell(cell), weight).expect("a valid weight");
        }
        (folded, Body { terrain_costs: Vec::new(), ..self.body.clone() })
    }
}

#[test]
fn every_answer_equals_the_oracles_while_influence_changes() {
    for seed in seeds(60, 120) {
        let mut rng = Rng::new(seed);
        let rng = &mut rng;
        let mut scene = Scene::any(rng);
        let region = scene.world.terrain().region();
        for round in 0..6 {
            let (folded, body) = scene.folded();
            let start = any_cell(rng, region);
            let expected = Expectation::new(&folded, &body, start);
            for _ in 0..6 {
                let goal_mode = rng.pick(&[GoalMode::Exact, GoalMode::Cover, GoalMode::Nearest]);
                let trip = Trip { start, goal: any_cell(rng, region), goal_mode };
                let mut query = trip.query(&body);
                query.profile = scene.profile();
                let outcome = scene.world.find_path(&query);
                expected.assert_right(&folded, &body, trip, &outcome, &format!("seed {seed}, round {round}"));
            }
            for _ in 0..rng.int(0..4) {
                let slot = rng.int(0..SLOTS as i32) as usize;
                if rng.percent(60) { scene.change(rng, slot) } else { scene.edit(rng) }
            }
        }
    }
}

#[test]
fn repaired_fields_equal_rebuilt_ones_after_influence_and_edits() {
    for seed in seeds(61, 120) {
        let mut rng = Rng::new(seed);
        let rng = &mut rng;
        let mut scene = Scene::any(rng);
        let region = scene.world.terrain().region();
        let profile = scene.profile();
        let mut goals: Vec<Cell> = (0..3).map(|_| any_cell(rng, region)).collect();
        let mut builder = FieldBuilder::default();
        let (mut field, mut fresh) = (FlowField::default(), FlowField::default());
        let mut source = scene.world.field_source(&profile);
        builder.build(source.ground(), &goals, None, &mut field);
        for round in 0..12 {
            let slot = rng.int(0..SLOTS as i32) as usize;
            if rng.percent(60) {
                scene.change(rng, slot);
            } else {
                scene.edit(rng);
            }
            if rng.percent(20) {
                goals[0] = any_cell(rng, region);
            }
            let changes = scene.world.anchors_changed_since(source.version(), &profile);
            source = scene.world.field_source(&profile);
            let label = format!("seed {seed}, round {round}");
            let repair = |changes: Vec<_>| builder.repair(source.ground(), &changes, &goals, &mut field);
            if changes.and_then(repair).is_none() {
                builder.build(source.ground(), &goals, None, &mut field);
            }
            FieldBuilder::default().build(source.ground(), &goals, None, &mut fresh);
            assert!(field.integration() == fresh.integration(), "{label}: costs");
            for cell in region.cells() {
                assert_eq!(field.next_cell(cell), fresh.next_cell(cell), "{label}: {cell:?}");
                assert_eq!(field.has_line_of_sight(cell), fresh.has_line_of_sight(cell), "{label}: {cell:?}");
            }
            let (folded, body) = scene.folded();
            let start = any_cell(rng, region);
            let costs = goals.iter().filter_map(|&goal| {
                let trip = Trip { start, goal, goal_mode: GoalMode::Exact };
                Expectation::new(&folded, &body, start).answer(&folded, &body, trip).cost
            });
            let cost = field.integration().cost(start).map(|cost| u64::from(cost.units()));
            assert_eq!(cost, costs.min(), "{label}: from {start:?}");
        }
    }
}

#[test]
fn bodies_without_a_weight_for_it_are_not_charged() {
    let mut world = World::new(CellRect::new(0, 0, 40, 30)).expect("a valid region");
    let layout = world.terrain().layout();
    assert!(world.put_influence(2, &Raster::filled(layout, 5.0), layout.all()));
    assert!(!world.put_influence(8, &Raster::filled(layout, 5.0), layout.all()));
    let small = pathforge_core::bitgrid::GridLayout::new(3, 3);
    assert!(!world.put_influence(0, &Raster::filled(small, 5.0), small.all()));
    let cost = |world: &mut World, weights: &[f32]| {
        let influence_weights = InfluenceWeights::new(weights).expect("valid weights");
        let profile = Profile { influence_weights, ..Profile::default() };
        let query = pathforge_core::world::PathQuery::new(Cell::new(0, 0), Cell::new(10, 0), profile);
        let outcome = world.find_path(&query);
        (outcome.cost.map(pathforge_core::cost::Cost::units), outcome.engine.name())
    };
    assert_eq!(cost(&mut world, &[]), (Some(700), "jps"));
    assert_eq!(cost(&mut world, &[1.0, 1.0]), (Some(700), "jps"));
    assert_eq!(cost(&mut world, &[0.0, 0.0, 1.0]), (Some(4200), "jps"));
    assert_eq!(cost(&mut world, &[0.0, 0.0, -1.0]), (Some(10), "astar"));
    let snapshot = world.snapshot();
    world.take_influence(2);
    assert_eq!(cost(&mut world, &[0.0, 0.0, 1.0]), (Some(700), "jps"));
    assert_eq!(cost(&mut { snapshot }, &[0.0, 0.0, 1.0]), (Some(4200), "jps"), "a snapshot keeps it");
}

/// A shape of any strength, the largest among them.
fn any_shape(rng: &mut Rng, falloff: Falloff) -> SourceShape {
    let limit = STRENGTH_MAX as i32;
    let (any, small) = (rng.int(-limit..limit + 1), rng.int(-9..10));
    let strength = rng.pick(&[limit, -limit, any, small]) as f32;
    SourceShape { strength, radius: rng.int(0..9) as f32, falloff }
}

fn all_zero(map: &InfluenceMap) -> bool {
    map.region().cells().all(|cell| map.value(cell) == 0.0)
}

#[test]
fn shown_influence_is_the_sum_of_its_sources_within_bounds() {
    for seed in seeds(62, 60) {
        let rng = &mut Rng::new(seed);
        let mut map = InfluenceMap::new(CellRect::new(-3, 5, 30, 20), InfluenceSettings::default());
        // Whole strengths that do not fall off, so that the oracle needs no rounding.
        let mut sources: Vec<(SourceId, Cell, SourceShape)> = Vec::new();
        for round in 0..80 {
            let cell = Cell::new(rng.int(-9..33), rng.int(-1..31));
            match rng.int(0..8) {
                0 if !sources.is_empty() => {
                    let at = rng.place(sources.len());
                    assert!(map.move_source(sources[at].0, cell, None));
                    sources[at].1 = cell;
                }
                1 if !sources.is_empty() => {
                    let (id, ..) = sources.swap_remove(rng.place(sources.len()));
                    assert!(map.remove_source(id));
                }
                2 => map.resize(CellRect::new(rng.int(-6..1), 5, rng.int(12..33), 20), None),
                _ => {
                    let shape = any_shape(rng, Falloff::None);
                    sources.push((map.add_source(cell, shape, rng.percent(50), None), cell, shape));
                }
            }
            map.show();
            for cell in map.region().cells() {
                let reaches = |(_, at, shape): &&(SourceId, Cell, SourceShape)| {
                    let (dx, dy) = ((at.x - cell.x) as f32, (at.y - cell.y) as f32);
                    dx * dx + dy * dy <= shape.radius * shape.radius
                };
                let sum: f32 = sources.iter().filter(reaches).map(|(.., shape)| shape.strength).sum();
                // An empty sum is a negative zero.
                let shown = sum.clamp(-INFLUENCE_MAX, INFLUENCE_MAX) + 0.0;
                assert_eq!(
                    map.value(cell).to_bits(),
                    shown.to_bits(),
                    "seed {seed}, round {round}, {cell:?}"
                );
            }
        }
        for &(id, ..) in &sources {
            assert!(map.remove_source(id));
        }
        map.show();
        assert!(all_zero(&map), "seed {seed}");
    }
}

#[test]
fn a_map_whose_sources_are_removed_is_empty_again() {
    for seed in seeds(63, 60) {
        let rng = &mut Rng::new(seed);
        let decay_per_second = rng.pick(&[0.0, 0.0, 0.1, 0.7]);
        let settings = InfluenceSettings { decay_per_second, ..InfluenceSettings::default() };
        let ground = any_ground(rng);
        let terrain = any_map(rng, ground);
        let (region, solid) = (terrain.region(), rng.percent(60).then_some(terrain.solid()));
        let mut map = InfluenceMap::new(region, settings);
        let mut ids: Vec<SourceId> = Vec::new();
        for _ in 0..60 {
            let cell = any_cell(rng, region);
            match rng.int(0..6) {
                0 if !ids.is_empty() => {
                    let _ = map.move_source(rng.pick(&ids), cell, solid);
                }
                1 => {
                    map.step(f64::from(rng.int(1..90)) / 60.0, solid);
                }
                2 => map.update_obstacles(CellRect::new(cell.x, cell.y, 5, 5), solid),
                _ => {
                    let falloff = rng.pick(&Falloff::ALL);
                    ids.push(map.add_source(cell, any_shape(rng, falloff), rng.percent(50), solid));
                }
            }
        }
        for id in ids {
            map.remove_source(id);
        }
        if decay_per_second > 0.0 {
            // Of a source that had all but faded, a rest is left to fade.
            map.step(2000.0, solid);
        }
        map.show();
        assert!(all_zero(&map), "seed {seed}");
    }
}

#[test]
fn spreading_loses_nothing_of_sums_beyond_what_is_shown() {
    let settings = InfluenceSettings { spread_per_second: 0.9, ..InfluenceSettings::default() };
    let mut map = InfluenceMap::new(CellRect::new(0, 0, 12, 1), settings);
    let shape = SourceShape { strength: STRENGTH_MAX, radius: 0.0, falloff: Falloff::None };
    // Together 2⁴¹ and more units: times a share of 14 bits, they need more than 55.
    (0..3000).for_each(|_| map.deposit(Cell::new(0, 0), shape, None));
    for _ in 0..2000 {
        map.step(0.1, None);
    }
    map.show();
    assert!(map.region().cells().all(|cell| map.value(cell) == INFLUENCE_MAX));
    let below = SourceShape { strength: -STRENGTH_MAX, radius: 12.0, falloff: Falloff::None };
    (0..250).for_each(|_| map.deposit(Cell::new(0, 0), below, None));
    map.show();
    let sum: f32 = map.region().cells().map(|cell| map.value(cell)).sum();
    assert!(sum.abs() < 1.0, "{sum}");
}
