//! Repaired equals rebuilt: after any edits, in any order, a world that was asked before answers as a new
//! one.

use pathforge_core::clearance::ClearanceMetric;
use pathforge_core::geometry::{Cell, CellRect, DiagonalMode};
use pathforge_core::passability::LayerKey;
use pathforge_core::terrain::{Capability, Terrain};
use pathforge_core::testing::{Plan, Scratch};
use pathforge_core::world::{ClearanceKey, GoalMode, PathQuery, Profile, World};
use pathforge_tests::bodies::{Body, any_body, footprint};
use pathforge_tests::check::{Trip, show};
use pathforge_tests::draw::draw;
use pathforge_tests::edits::{Edit, Wildness, any_edit};
use pathforge_tests::maps::{Ground, any_cell, any_ground, any_map, any_map_of};
use pathforge_tests::oracle;
use pathforge_tests::rng::{Rng, seeds};

const GOAL_MODES: [GoalMode; 3] = [GoalMode::Exact, GoalMode::Cover, GoalMode::Nearest];

/// A world that lives through edits, the bodies that ask it, and a line for each edit since a failure could
/// begin.
struct Story {
    rng: Rng,
    label: String,
    world: World,
    bodies: Vec<Body>,
    clearances: Vec<ClearanceKey>,
    last: Vec<Edit>,
}

impl Story {
    fn new(seed: u64, terrain: Terrain, mut rng: Rng) -> Self {
        let mut bodies: Vec<Body> = (0..4).map(|_| any_body(&mut rng, true)).collect();
        // One layer with all that can hang on it: every mode on the same body.
        bodies.extend(DiagonalMode::ALL.map(|mode| Body { mode, ..bodies[0].clone() }));
        // And more sets of terrain costs on it than a layer keeps.
        for cost in [0.0, 0.5, 2.0, 3.0, 10.0] {
            bodies.push(Body { terrain_costs: vec![1.0, cost], ..bodies[0].clone() });
        }
        let clearances = (0..4)
            .map(|_| {
                ClearanceKey::new(
                    Capability(rng.pick(&[u32::MAX, 1, 0b10])),
                    rng.pick(&[ClearanceMetric::True, ClearanceMetric::Brushfire]),
                    rng.pick(&[1, 2, 3, 7, 40, 255]),
                )
            })
            .collect();
        let world = World::from_terrain(terrain);
        Self { rng, label: format!("seed {seed}"), world, bodies, clearances, last: Vec::new() }
    }

    fn edit(&mut self, wildness: Wildness) {
        let edit = any_edit(&mut self.rng, self.world.terrain(), wildness);
        edit.apply(self.world.terrain_mut());
        self.last.push(edit);
        if self.last.len() > 200 {
            self.last.remove(0);
        }
    }

    /// Compares some data of the world with a new world. The parts differ from time to time, so that some are
    /// many edits behind when they are asked again.
    fn compare(&mut self) {
        let mut fresh = World::from_terrain(self.world.terrain().clone());
        let bodies: Vec<Body> = self.bodies.iter().filter(|_| self.rng.percent(40)).cloned().collect();
        for body in &bodies {
            let key = body.profile().layer_key();
            assert!(
                self.world.placements(key) == fresh.placements(key),
                "{}: the layer of {body:?} differs after {:?}\n{}",
                self.label,
                self.last,
                draw(fresh.terrain(), &[])
            );
            for _ in 0..3 {
                self.compare_trip(&mut fresh, body);
            }
        }
        for key in self.clearances.clone() {
            if self.rng.percent(40) {
                assert!(
                    self.world.clearance_map(key) == fresh.clearance_map(key),
                    "{}: {key:?} differs after {:?}\n{}",
                    self.label,
                    self.last,
                    draw(fresh.terrain(), &[])
                );
            }
        }
    }

    fn compare_trip(&mut self, fresh: &mut World, body: &Body) {
        let region = self.world.terrain().region();
        let placements: Vec<Cell> = {
            let layer = fresh.placements(body.profile().layer_key());
            let is_placement = |c: &Cell| layer.at((c.x - region.x) as u32, (c.y - region.y) as u32);
            region.cells().filter(is_placement).collect()
        };
        let mut place = || {
            if placements.is_empty() || self.rng.percent(5) {
                any_cell(&mut self.rng, region)
            } else {
                self.rng.pick(&placements)
            }
        };
        let (start, goal) = (place(), place());
        let trip = Trip { start, goal, goal_mode: self.rng.pick(&GOAL_MODES) };
        let query = PathQuery { smoothing: self.rng.percent(50), ..trip.query(body) };
        let (old, new) = (self.world.find_path(&query), fresh.find_path(&query));
        assert!(
            old == new,
            "{}: {}\na new world answers: {new:?}\nedits: {:?}",
            self.label,
            show(fresh.terrain(), body, trip, &old),
            self.last
        );
        assert_eq!(self.world.is_reachable(&query), fresh.is_reachable(&query), "{}", self.label);
        assert_eq!(
            self.world.nearest_fit(goal, &query.profile, None),
            fresh.nearest_fit(goal, &query.profile, None)
        );
        assert_eq!(self.world.clearance_at(goal, &body.profile()), fresh.clearance_at(goal, &body.profile()));
    }
}

#[test]
fn a_world_that_was_edited_answers_as_a_new_one() {
    for seed in seeds(10, 60) {
        let mut rng = Rng::new(seed);
        let ground = any_ground(&mut rng);
        let mut story = Story::new(seed, any_map(&mut rng, ground), rng);
        for _ in 0..40 {
            for _ in 0..story.rng.pick(&[1, 1, 1, 2, 3, 7]) {
                story.edit(Wildness::Any);
            }
            story.compare();
        }
    }
}

#[test]
fn doors_and_small_boxes_on_larger_maps_are_repaired() {
    for seed in seeds(11, 12) {
        let mut rng = Rng::new(seed);
        let ground = any_ground(&mut rng);
        let (w, h) = (rng.int(120..200), rng.int(120..200));
        let mut story = Story::new(seed, any_map_of(&mut rng, w, h, ground), rng);
        for _ in 0..40 {
            for _ in 0..story.rng.pick(&[1, 1, 2, 5]) {
                story.edit(Wildness::Small);
            }
            story.compare();
        }
    }
}

#[test]
fn worlds_that_fall_far_behind_catch_up() {
    for seed in seeds(12, 15) {
        let mut rng = Rng::new(seed);
        let mut story = Story::new(seed, any_map_of(&mut rng, 90, 70, Ground::Plain), rng);
        for _ in 0..6 {
            // More than the journal keeps, now and then.
            for _ in 0..story.rng.int(60..260) {
                story.edit(Wildness::Small);
            }
            story.compare();
        }
    }
}

#[test]
fn a_world_with_little_memory_answers_as_one_with_much() {
    for seed in seeds(13, 20) {
        let mut rng = Rng::new(seed);
        let ground = any_ground(&mut rng);
        let mut story = Story::new(seed, any_map(&mut rng, ground), rng);
        for round in 0..15 {
            story.world.set_layer_memory_max(story.rng.pick(&[0, 3_000, 20_000, usize::MAX]));
            story.compare();
            if round % 2 == 0 {
                story.edit(Wildness::Any);
            }
        }
        story.world.set_layer_memory_max(0);
        assert!(story.world.layer_count() <= 1, "layers are kept without memory for them");
    }
}

#[test]
fn a_world_whose_region_changes_answers_as_a_new_one() {
    for seed in seeds(18, 30) {
        let mut rng = Rng::new(seed);
        let ground = any_ground(&mut rng);
        let mut story = Story::new(seed, any_map(&mut rng, ground), rng);
        for _ in 0..8 {
            let region = story.world.terrain().region();
            let mut moved = |way: i32| way + story.rng.int(-9..10);
            let region = CellRect::new(
                moved(region.x),
                moved(region.y),
                moved(region.w).clamp(1, 140),
                moved(region.h).clamp(1, 140),
            );
            if story.world.set_region(region).is_err() {
                continue;
            }
            assert_eq!(story.world.terrain().region(), region);
            for _ in 0..2 {
                story.compare();
                story.edit(Wildness::Any);
            }
        }
    }
}

#[test]
fn layers_that_nobody_uses_are_dropped() {
    let mut world = World::new(CellRect::new(0, 0, 9, 9)).expect("a small region");
    let mut use_layer = |side: i32| {
        world.placements(LayerKey::new(footprint(side, side), Capability::ALL));
        world.layer_count()
    };
    assert_eq!(use_layer(2), 2, "the cells' own layer and the body's");
    for _ in 0..10_001 {
        use_layer(1);
    }
    assert_eq!(use_layer(3), 2, "the layer of side 2 is gone");
}

#[test]
fn changes_of_clearance_are_told_in_full() {
    for seed in seeds(14, 60) {
        let mut rng = Rng::new(seed);
        let mut world = World::from_terrain(any_map(&mut rng, Ground::Patches));
        let key = ClearanceKey::new(
            Capability(rng.pick(&[u32::MAX, 1])),
            rng.pick(&[ClearanceMetric::True, ClearanceMetric::Brushfire]),
            rng.pick(&[1, 3, 255]),
        );
        let region = world.terrain().region();
        let (mut seen, told) = world.clearance_changes_since(key, 0);
        assert_eq!(told, Some(region), "the first question tells the whole map");
        for _ in 0..25 {
            let before = world.clearance_map(key).data();
            for _ in 0..rng.int(1..4) {
                let wildness = rng.pick(&[Wildness::Small, Wildness::Any]);
                any_edit(&mut rng, world.terrain(), wildness).apply(world.terrain_mut());
                if rng.percent(50) {
                    world.clearance_map(key);
                }
            }
            let (number, told) = world.clearance_changes_since(key, seen);
            let told = told.unwrap_or_default();
            seen = number;
            let after = world.clearance_map(key).data();
            for (cell, (old, new)) in region.cells().zip(before.iter().zip(&after)) {
                assert!(
                    old == new || told.contains(cell),
                    "seed {seed}: {cell:?} went from {old} to {new}, told {told:?}"
                );
            }
            assert_eq!(world.clearance_changes_since(key, seen), (seen, None));
        }
    }
}

#[test]
fn a_planned_search_does_not_see_later_edits() {
    for seed in seeds(15, 150) {
        let mut rng = Rng::new(seed);
        let ground = any_ground(&mut rng);
        let mut world = World::from_terrain(any_map(&mut rng, ground));
        let body = any_body(&mut rng, true);
        let region = world.terrain().region();
        let trip = Trip {
            start: any_cell(&mut rng, region),
            goal: any_cell(&mut rng, region),
            goal_mode: GoalMode::Nearest,
        };
        let query = trip.query(&body);
        let before = world.find_path(&query);
        let Plan::Search(job) = world.plan(&query) else { continue };
        let old = world.terrain().clone();
        for _ in 0..3 {
            any_edit(&mut rng, world.terrain(), Wildness::Any).apply(world.terrain_mut());
            world.find_path(&query);
        }
        let after = job.run(&mut Scratch::default());
        assert!(before == after, "seed {seed}: {}\nlater: {after:?}", show(&old, &body, trip, &before));
    }
}

#[test]
fn a_map_tells_exactly_what_an_edit_changed() {
    for seed in seeds(16, 120) {
        let mut rng = Rng::new(seed);
        let ground = any_ground(&mut rng);
        let mut terrain = any_map(&mut rng, ground);
        let region = terrain.region();
        let look = |t: &Terrain| -> Vec<((bool, bool, u8, u32), u8)> {
            let cell = |c| (t.is_solid(c), t.is_one_way(c), t.terrain(c), t.weight(c).to_bits());
            region.cells().map(cell).zip(t.edge_data()).collect()
        };
        for _ in 0..30 {
            let (before, revision) = (look(&terrain), terrain.revision());
            let edit = any_edit(&mut rng, &terrain, Wildness::Any);
            let told = edit.apply(&mut terrain);
            let after = look(&terrain);
            let differ = region.cells().zip(before.iter().zip(&after)).filter(|(_, (a, b))| a != b);
            let bounds =
                differ.fold(CellRect::default(), |bounds, (cell, _)| bounds.union(CellRect::cell(cell)));
            assert_eq!(told.unwrap_or_default(), bounds, "seed {seed}: {edit:?}");
            // Cells do not tell of links.
            let is_link = matches!(edit, Edit::AddLink(_) | Edit::SetLink(..));
            let is_counted = is_link || terrain.revision() - revision == u64::from(told.is_some());
            assert!(is_counted, "seed {seed}: {edit:?}");
            let expect = |cell: Cell| match &edit {
                Edit::Solid(rect, solid) if rect.contains(cell) => terrain.is_solid(cell) == *solid,
                Edit::Edges(rect, side, blocked, _) if rect.contains(cell) => {
                    terrain.is_edge_blocked(cell, *side) == *blocked
                }
                Edit::OneWay(rect, one_way) if rect.contains(cell) => terrain.is_one_way(cell) == *one_way,
                Edit::Terrain(rect, id) if rect.contains(cell) => terrain.terrain(cell) == *id,
                Edit::Weight(rect, weight) if rect.contains(cell) => {
                    terrain.weight(cell).to_bits() == weight.to_bits()
                }
                _ => true,
            };
            assert!(region.cells().all(expect), "seed {seed}: {edit:?} was not made");
        }
    }
}

#[test]
fn after_edits_every_structure_is_what_the_oracle_sees() {
    for seed in seeds(17, 40) {
        let mut rng = Rng::new(seed);
        let mut world = World::from_terrain(any_map(&mut rng, Ground::Patches));
        let (body, capability) = (any_body(&mut rng, false), Capability(rng.pick(&[u32::MAX, 1])));
        let key = |metric| ClearanceKey::new(capability, metric, 255);
        for _ in 0..6 {
            any_edit(&mut rng, world.terrain(), Wildness::Any).apply(world.terrain_mut());
            let terrain = world.terrain().clone();
            let ground = oracle::Ground::new(&terrain, &body);
            let brushfire = oracle::brushfire_map(&terrain, capability);
            let true_values = world.clearance_map(key(ClearanceMetric::True)).data();
            let fire_values = world.clearance_map(key(ClearanceMetric::Brushfire)).data();
            for (n, cell) in terrain.region().cells().enumerate() {
                let fits = world.is_placement(cell, &body.profile());
                assert_eq!(fits, ground.fits(cell), "seed {seed}: {body:?} at {cell:?}");
                let side = oracle::clearance_at(&terrain, capability, cell);
                assert_eq!(u32::from(true_values[n]), side.min(255), "seed {seed}: clearance of {cell:?}");
                assert_eq!(
                    world.clearance_at(cell, &Profile { capability, ..Profile::default() }),
                    side,
                    "seed {seed}: {cell:?} on demand"
                );
                assert_eq!(u32::from(fire_values[n]), brushfire[n].min(255), "seed {seed}: {cell:?}");
            }
        }
    }
}
