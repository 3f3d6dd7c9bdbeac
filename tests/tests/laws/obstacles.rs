//! Obstacles: the map with them answers as one on which they are painted solid, overlaps survive removal, and
//! what is repaired equals what is rebuilt.

use pathforge_core::bytes::{BytesError, Reader, Saved};
use pathforge_core::cost::Cost;
use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::terrain::{
    IGNORED_OBSTACLES_MAX, IgnoredObstacles, ObstacleCells, ObstacleError, ObstacleId, ObstacleLayers,
    Terrain,
};
use pathforge_core::world::{GoalMode, PathQuery, Profile, Reason, World};
use pathforge_tests::bodies::any_body;
use pathforge_tests::check::{Expectation, Trip};
use pathforge_tests::edits::{Wildness, any_edit};
use pathforge_tests::maps::{any_cell, any_ground, any_map, any_rect};
use pathforge_tests::rng::{Rng, seeds};

/// A map with obstacles and what a reader with a pencil knows of them.
struct Scene {
    world: World,
    plain: Terrain,
    obstacles: Vec<(ObstacleId, ObstacleCells, ObstacleLayers)>,
}

impl Scene {
    fn new(rng: &mut Rng) -> Self {
        let kind = any_ground(rng);
        let plain = any_map(rng, kind);
        Self { world: World::from_terrain(plain.clone()), plain, obstacles: Vec::new() }
    }

    /// The map with every obstacle but those of `ignored` painted solid.
    fn painted(&self, ignored: &IgnoredObstacles) -> Terrain {
        let mut painted = self.plain.clone();
        for (id, cells, layers) in &self.obstacles {
            if layers.0 & !ignored.layers().0 != 0 && !ignored.ids().contains(id) {
                for &part in cells.parts() {
                    painted.fill_solid(part, true);
                }
            }
        }
        painted
    }

    /// Some of the obstacles, all, none, or those on some layers.
    fn any_ignored(&self, rng: &mut Rng) -> IgnoredObstacles {
        if rng.percent(15) {
            return IgnoredObstacles::ALL;
        }
        let some = self.obstacles.iter().map(|(id, _, _)| *id).filter(|_| rng.percent(40)).take(6);
        let some = IgnoredObstacles::new(some).expect("a few");
        if rng.percent(50) { some } else { some.on_layers(any_layers(rng)) }
    }

    fn any_rect(&self, rng: &mut Rng) -> CellRect {
        let region = self.world.terrain().region();
        match rng.int(0..10) {
            0 => CellRect::new(region.x - 3, region.y - 2, 5, 5),
            1 => CellRect::new(region.right() + 4, region.y, 3, 3),
            2 => CellRect::new(region.x, region.y, 0, 2),
            3..6 => any_rect(rng, region),
            _ => {
                let cell = any_cell(rng, region);
                CellRect::new(cell.x, cell.y, rng.int(1..4), rng.int(1..4))
            }
        }
    }

    /// A rectangle, or every second of its rows, of which some are shorter.
    fn any_cells(&self, rng: &mut Rng) -> ObstacleCells {
        let rect = self.any_rect(rng);
        if rng.percent(60) {
            return rect.into();
        }
        let row = |y| CellRect::new(rect.x, y, (rect.w - rng.int(0..2)).max(0), 1);
        let rows: Vec<CellRect> = (rect.y..rect.bottom()).step_by(2).map(row).collect();
        ObstacleCells::new(&rows)
    }

    fn change(&mut self, rng: &mut Rng) {
        let cells = self.any_cells(rng);
        match rng.int(0..8) {
            0..3 => {
                let layers = if rng.percent(60) { ObstacleLayers::FIRST } else { any_layers(rng) };
                let (id, _) =
                    self.world.terrain_mut().add_obstacle(cells.clone(), layers).expect("there is room");
                assert!(self.obstacles.iter().all(|(other, ..)| *other != id), "an id is used once");
                self.obstacles.push((id, cells, layers));
            }
            3..5 if !self.obstacles.is_empty() => {
                let place = rng.place(self.obstacles.len());
                let (id, former, _) = &mut self.obstacles[place];
                // Most steps are small.
                let (dx, dy) = (rng.int(-1..2), rng.int(-1..2));
                let near = |part: &CellRect| CellRect { x: part.x + dx, y: part.y + dy, ..*part };
                let near: Vec<CellRect> = former.parts().iter().map(near).collect();
                *former = if rng.percent(70) { ObstacleCells::new(&near) } else { cells };
                self.world.terrain_mut().move_obstacle(*id, former.clone()).expect("it is there");
            }
            5 if !self.obstacles.is_empty() => {
                let (id, ..) = self.obstacles.swap_remove(rng.place(self.obstacles.len()));
                self.world.terrain_mut().remove_obstacle(id).expect("it is there");
                assert_eq!(self.world.terrain_mut().remove_obstacle(id), Err(ObstacleError::Unknown { id }));
            }
            6 if rng.percent(20) => {
                let region = self.world.terrain().region();
                let region = CellRect { w: (region.w - rng.int(0..3)).max(1), ..region };
                self.world.set_region(region).expect("a small region");
                self.plain = self.plain.resized(region).expect("a small region");
            }
            _ => {
                let edit = any_edit(rng, &self.plain, Wildness::Any);
                edit.apply(&mut self.plain);
                edit.apply(self.world.terrain_mut());
            }
        }
    }
}

/// Up to three of the first four layers and the last.
fn any_layers(rng: &mut Rng) -> ObstacleLayers {
    let count = rng.int(0..4);
    ObstacleLayers((0..count).fold(0, |all, _| all | 1 << rng.pick(&[0, 1, 2, 3, 31])))
}

#[test]
fn a_map_with_obstacles_answers_as_one_with_walls() {
    for seed in seeds(75, 80) {
        let mut rng = Rng::new(seed);
        let mut scene = Scene::new(&mut rng);
        let bodies: Vec<_> = (0..3).map(|_| any_body(&mut rng, true)).collect();
        for round in 0..40 {
            for _ in 0..rng.int(0..4) {
                scene.change(&mut rng);
            }
            let body = &bodies[rng.place(bodies.len())];
            let ignored = scene.any_ignored(&mut rng);
            let region = scene.world.terrain().region();
            let trip = Trip {
                start: any_cell(&mut rng, region),
                goal: any_cell(&mut rng, region),
                goal_mode: rng.pick(&[GoalMode::Exact, GoalMode::Cover, GoalMode::Nearest]),
            };
            let mut painted = scene.painted(&ignored);
            let blocked: Vec<Cell> = (0..if rng.percent(50) { rng.int(0..7) } else { 0 })
                .map(|_| any_cell(&mut rng, region))
                .collect();
            let profile = Profile { ignored_obstacles: ignored, ..body.profile() };
            let query = PathQuery { profile, ..trip.query(body) }.past(&blocked);
            let before = scene.world.terrain().clone();
            let outcome = scene.world.find_path(&query);
            let label = format!("seed {seed}, round {round}, {ignored:?} of {:?}", scene.obstacles);
            for cell in painted.region().cells() {
                let open = scene.world.terrain().is_open_past(cell, body.capability(), &ignored);
                assert_eq!(open, painted.is_open(cell, body.capability()), "{label}: {cell:?}");
            }
            for &cell in &blocked {
                painted.fill_solid(CellRect::cell(cell), true);
            }
            Expectation::new(&painted, body, trip.start).assert_right(&painted, body, trip, &outcome, &label);
            let reached = World::from_terrain(painted).is_reachable(&trip.query(body));
            assert_eq!(scene.world.is_reachable(&query), reached, "{label}");
            assert_eq!(
                scene.world.find_paths(&[query], || 0),
                [(outcome, 0)],
                "{label}: another answer in a batch"
            );
            assert_eq!(scene.world.terrain().revision(), before.revision(), "{label}: a question is no edit");
        }
        assert_eq!(scene.world.terrain().state_hash(), scene.plain.state_hash(), "cells know nothing of it");
    }
}

#[test]
fn layers_with_obstacles_that_are_repaired_equal_rebuilt() {
    for seed in seeds(76, 60) {
        let mut rng = Rng::new(seed);
        let mut scene = Scene::new(&mut rng);
        let body = any_body(&mut rng, true);
        for _ in 0..30 {
            scene.change(&mut rng);
            let ignored = scene.any_ignored(&mut rng);
            let painted = scene.painted(&IgnoredObstacles::NONE);
            let mut fresh = World::from_terrain(painted.clone());
            let key = body.profile().layer_key();
            assert!(scene.world.placements(key) == fresh.placements(key));
            let profile = Profile { ignored_obstacles: ignored, ..body.profile() };
            let mut without = World::from_terrain(scene.painted(&ignored));
            for cell in painted.region().cells() {
                assert_eq!(
                    scene.world.is_placement(cell, &profile),
                    without.is_placement(cell, &body.profile()),
                    "seed {seed}: {cell:?}"
                );
                assert_eq!(
                    scene.world.clearance_at(cell, &body.profile()),
                    fresh.clearance_at(cell, &body.profile())
                );
            }
        }
    }
}

#[test]
fn overlaps_survive_the_removal_of_one() {
    let mut terrain = Terrain::new(CellRect::new(0, 0, 6, 1)).expect("a small region");
    let (left, _) =
        terrain.add_obstacle(CellRect::new(1, 0, 3, 1), ObstacleLayers::FIRST).expect("there is room");
    let (right, _) =
        terrain.add_obstacle(CellRect::new(3, 0, 2, 1), ObstacleLayers::FIRST).expect("there is room");
    let row = |terrain: &Terrain, ignored: Option<ObstacleId>| -> String {
        let ignored = ignored.map_or(IgnoredObstacles::NONE, IgnoredObstacles::from);
        terrain.region().cells().map(|c| if terrain.is_blocked(c, &ignored) { 'o' } else { '.' }).collect()
    };
    assert_eq!(row(&terrain, None), ".oooo.");
    assert_eq!(row(&terrain, Some(left)), "...oo.");
    assert_eq!(row(&terrain, Some(right)), ".ooo..");
    terrain.remove_obstacle(left).expect("it is there");
    assert_eq!(row(&terrain, None), "...oo.");
    terrain.move_obstacle(right, CellRect::new(-1, 0, 2, 1)).expect("it is there");
    assert_eq!(row(&terrain, None), "o.....");
    assert_eq!(terrain.solid_data(), [0; 6]);
}

#[test]
fn a_body_is_blocked_on_the_layers_that_it_does_not_ignore() {
    let mut terrain = Terrain::new(CellRect::new(0, 0, 5, 1)).expect("a small region");
    for (x, layers) in [(0, 0b01), (1, 0b10), (2, 0b11), (3, 0)] {
        let rect = CellRect::new(x, 0, 1, 1);
        terrain.add_obstacle(rect, ObstacleLayers(layers)).expect("there is room");
    }
    let row = |layers: u32| -> String {
        let ignored = IgnoredObstacles::NONE.on_layers(ObstacleLayers(layers));
        terrain.region().cells().map(|c| if terrain.is_blocked(c, &ignored) { 'o' } else { '.' }).collect()
    };
    assert_eq!(row(0), "ooo..");
    assert_eq!(row(0b01), ".oo..", "an obstacle on two layers blocks on the other one");
    assert_eq!(row(0b10), "o.o..");
    assert_eq!(row(0b11), ".....");
    assert_eq!(row(u32::MAX), ".....");
    assert!(IgnoredObstacles::NONE.on_layers(ObstacleLayers::ALL).are_all());
}

#[test]
fn an_end_under_an_obstacle_counts_as_solid() {
    let mut world = World::new(CellRect::new(0, 0, 5, 1)).expect("a small region");
    let (id, changed) = world
        .terrain_mut()
        .add_obstacle(CellRect::new(4, 0, 1, 1), ObstacleLayers::FIRST)
        .expect("there is room");
    assert_eq!(changed, Some(CellRect::new(4, 0, 1, 1)));
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(4, 0), Profile::default());
    assert_eq!(world.find_path(&query).reason, Some(Reason::GoalSolid));
    let profile = Profile { ignored_obstacles: id.into(), ..Profile::default() };
    assert_eq!(world.find_path(&PathQuery { profile, ..query.clone() }).reason, None);
    let gone = Profile { ignored_obstacles: ObstacleId(77).into(), ..Profile::default() };
    assert_eq!(world.find_path(&PathQuery { profile: gone, ..query }).reason, Some(Reason::GoalSolid));
}

/// Queries that see the map with changes of their own leave it as it was, bit for bit: every later answer is
/// that of a world that never had them.
#[test]
fn goals_of_fields_are_those_of_a_map_without_ignored_obstacles() {
    for seed in seeds(79, 200) {
        let mut rng = Rng::new(seed);
        let mut scene = Scene::new(&mut rng);
        (0..6).for_each(|_| scene.change(&mut rng));
        let ignored = scene.any_ignored(&mut rng);
        let body = any_body(&mut rng, true);
        let mut without = World::from_terrain(scene.painted(&ignored));
        let goals: Vec<Cell> = (0..3).map(|_| any_cell(&mut rng, scene.plain.region())).collect();
        for mode in [GoalMode::Exact, GoalMode::Cover, GoalMode::Nearest] {
            let profile = Profile { ignored_obstacles: ignored, ..body.profile() };
            let found = scene.world.field_goals(&goals, mode, &profile);
            let wanted = without.field_goals(&goals, mode, &body.profile());
            assert_eq!(found, wanted, "seed {seed}: {goals:?} {mode:?} {body:?}");
        }
    }
}

#[test]
fn what_lay_over_the_map_for_one_query_is_gone_after_it() {
    for seed in seeds(77, 60) {
        let mut rng = Rng::new(seed);
        let mut scene = Scene::new(&mut rng);
        if rng.percent(20) {
            scene.world.set_layer_memory_max(0);
        }
        let bodies: Vec<_> = (0..2).map(|_| any_body(&mut rng, true)).collect();
        for round in 0..30 {
            if rng.percent(40) {
                scene.change(&mut rng);
            }
            let mut untouched = World::from_terrain(scene.world.terrain().clone());
            let region = scene.world.terrain().region();
            let body = &bodies[rng.place(bodies.len())];
            let mut cells: [Cell; 8] = std::array::from_fn(|_| any_cell(&mut rng, region));
            cells[7].x = region.right() + 3;
            let goal_mode = rng.pick(&[GoalMode::Exact, GoalMode::Cover, GoalMode::Nearest]);
            let trip = Trip { start: cells[0], goal: cells[1], goal_mode };
            let profile = Profile { ignored_obstacles: scene.any_ignored(&mut rng), ..body.profile() };
            let query = PathQuery { profile, ..trip.query(body) }.past(&cells[2..]);
            let world = &mut scene.world;
            match rng.int(0..5) {
                0 => drop(world.find_path(&query)),
                1 => drop(world.find_path_to_any(&query, &cells[1..4])),
                2 => drop(world.is_reachable(&query)),
                3 => drop(world.cells_within(cells[0], Cost::from_units(900), &profile, &cells[2..])),
                _ => drop(world.snapshot().find_path(&query)),
            }
            let asked = world.find_path(&trip.query(body));
            assert_eq!(asked, untouched.find_path(&trip.query(body)), "seed {seed}, round {round}: {body:?}");
            let field = |world: &mut World| world.field_source(&body.profile()).placements().clone();
            assert!(field(world) == field(&mut untouched), "seed {seed}, round {round}: {body:?}");
        }
    }
}

#[test]
fn ignored_obstacles_are_few_and_sorted() {
    let ids = |numbers: &[u64]| IgnoredObstacles::new(numbers.iter().map(|&n| ObstacleId(n)));
    let some = ids(&[9, 2, 9, 5]).expect("a few");
    assert_eq!(some.ids(), [2, 5, 9].map(ObstacleId));
    assert_eq!(Some(some), ids(&[5, 9, 2]));
    let many: Vec<u64> = (1..=IGNORED_OBSTACLES_MAX as u64).collect();
    assert!(
        ids(&many).is_some_and(|all| all.with(ObstacleId(3)).is_some() && all.with(ObstacleId(99)).is_none())
    );
    let layered = some.on_layers(ObstacleLayers(0b101));
    assert_eq!(layered.without_ids(), IgnoredObstacles::NONE.on_layers(ObstacleLayers(0b101)));
    for ignored in [IgnoredObstacles::NONE, IgnoredObstacles::ALL, some, layered] {
        let mut bytes = Vec::new();
        ignored.write(&mut bytes);
        assert_eq!(Reader::new(&bytes, "").and_then(|mut reader| reader.read()), Ok(ignored));
    }
    let too_many =
        Reader::new(&99_u64.to_le_bytes(), "").and_then(|mut reader| reader.read::<IgnoredObstacles>());
    assert!(matches!(too_many, Err(BytesError::Value(_))));
}
