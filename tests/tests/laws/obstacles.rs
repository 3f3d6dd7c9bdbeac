//! Obstacles: the map with them answers as one on which they are painted solid, overlaps survive removal, and what is
//! repaired equals what is rebuilt.

use pathforge_core::{
    Cell, CellRect, EditError, GoalMode, ObstacleId, PathQuery, Profile, Reason, Terrain, World,
};
use pathforge_tests::bodies::any_body;
use pathforge_tests::check::{Expectation, Trip};
use pathforge_tests::edits::{Wildness, any_edit};
use pathforge_tests::maps::{any_cell, any_ground, any_map, any_rect};
use pathforge_tests::rng::{Rng, seeds};

/// A map with obstacles and what a reader with a pencil knows of them.
struct Scene {
    world: World,
    plain: Terrain,
    obstacles: Vec<(ObstacleId, CellRect)>,
}

impl Scene {
    fn new(rng: &mut Rng) -> Self {
        let kind = any_ground(rng);
        let plain = any_map(rng, kind);
        Self { world: World::from_terrain(plain.clone()), plain, obstacles: Vec::new() }
    }

    /// The map with every obstacle but `ignored` painted solid.
    fn painted(&self, ignored: Option<ObstacleId>) -> Terrain {
        let mut painted = self.plain.clone();
        for (_, rect) in self.obstacles.iter().filter(|(id, _)| Some(*id) != ignored) {
            painted.fill_solid(*rect, true);
        }
        painted
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

    fn change(&mut self, rng: &mut Rng) {
        let rect = self.any_rect(rng);
        match rng.int(0..8) {
            0..3 => {
                let (id, _) = self.world.terrain_mut().add_obstacle(rect).expect("there is room");
                assert!(self.obstacles.iter().all(|(other, _)| *other != id), "a name is used once");
                self.obstacles.push((id, rect));
            }
            3..5 if !self.obstacles.is_empty() => {
                let place = rng.place(self.obstacles.len());
                let (id, former) = &mut self.obstacles[place];
                // Most steps are small.
                let near = CellRect { x: former.x + rng.int(-1..2), y: former.y + rng.int(-1..2), ..*former };
                *former = if rng.percent(70) { near } else { rect };
                self.world.terrain_mut().move_obstacle(*id, *former).expect("it is there");
            }
            5 if !self.obstacles.is_empty() => {
                let (id, _) = self.obstacles.swap_remove(rng.place(self.obstacles.len()));
                self.world.terrain_mut().remove_obstacle(id).expect("it is there");
                assert_eq!(
                    self.world.terrain_mut().remove_obstacle(id),
                    Err(EditError::UnknownObstacle { id: id.0 })
                );
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
            let ignored = (!scene.obstacles.is_empty() && rng.percent(60))
                .then(|| scene.obstacles[rng.place(scene.obstacles.len())].0);
            let region = scene.world.terrain().region();
            let trip = Trip {
                start: any_cell(&mut rng, region),
                goal: any_cell(&mut rng, region),
                goal_mode: rng.pick(&[GoalMode::Exact, GoalMode::Cover, GoalMode::Nearest]),
            };
            let painted = scene.painted(ignored);
            let profile = Profile { ignored_obstacle: ignored, ..body.profile() };
            let outcome = scene.world.find_path(&PathQuery { profile, ..trip.query(body) });
            let label = format!("seed {seed}, round {round}, {ignored:?} of {:?}", scene.obstacles);
            Expectation::new(&painted, body, trip.start).assert_right(&painted, body, trip, &outcome, &label);
            for cell in painted.region().cells() {
                let open = scene.world.terrain().is_open_past(cell, body.capability(), ignored);
                assert_eq!(open, painted.is_open(cell, body.capability()), "{label}: {cell:?}");
            }
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
            let ignored = scene.obstacles.first().map(|(id, _)| *id);
            let painted = scene.painted(None);
            let mut fresh = World::from_terrain(painted.clone());
            let (footprint, capability) = (body.footprint(), body.capability());
            assert!(scene.world.layer(footprint, capability) == fresh.layer(footprint, capability));
            let profile = Profile { ignored_obstacle: ignored, ..body.profile() };
            let mut without = World::from_terrain(scene.painted(ignored));
            for cell in painted.region().cells() {
                assert_eq!(
                    scene.world.can_stand(cell, &profile),
                    without.can_stand(cell, &body.profile()),
                    "seed {seed}: {cell:?}"
                );
                assert_eq!(scene.world.clearance_at(cell, capability), fresh.clearance_at(cell, capability));
            }
        }
    }
}

#[test]
fn overlaps_survive_the_removal_of_one() {
    let mut terrain = Terrain::new(CellRect::new(0, 0, 6, 1)).expect("a small region");
    let (left, _) = terrain.add_obstacle(CellRect::new(1, 0, 3, 1)).expect("there is room");
    let (right, _) = terrain.add_obstacle(CellRect::new(3, 0, 2, 1)).expect("there is room");
    let row = |terrain: &Terrain, ignored| -> String {
        terrain.region().cells().map(|c| if terrain.is_blocked(c, ignored) { 'o' } else { '.' }).collect()
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
fn an_end_under_an_obstacle_counts_as_solid() {
    let mut world = World::new(CellRect::new(0, 0, 5, 1)).expect("a small region");
    let (id, changed) = world.terrain_mut().add_obstacle(CellRect::new(4, 0, 1, 1)).expect("there is room");
    assert_eq!(changed, Some(CellRect::new(4, 0, 1, 1)));
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(4, 0), Profile::default());
    assert_eq!(world.find_path(&query).reason, Reason::GoalSolid);
    let profile = Profile { ignored_obstacle: Some(id), ..Profile::default() };
    assert_eq!(world.find_path(&PathQuery { profile, ..query }).reason, Reason::None);
    let gone = Profile { ignored_obstacle: Some(ObstacleId(77)), ..Profile::default() };
    assert_eq!(world.find_path(&PathQuery { profile: gone, ..query }).reason, Reason::GoalSolid);
}
