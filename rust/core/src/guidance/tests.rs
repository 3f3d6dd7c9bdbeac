use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::bytes::Reader;
use crate::cost::Cost;
use crate::crowd::{AgentSpec, AgentState, CrowdSettings, MarchShape};
use crate::field::FlowField;
use crate::geometry::{CellRect, Footprint};
use crate::world::{FieldKind, FieldOrder, FieldUpkeep, GoalMode, Profile};

/// Workers with a clock that is a microsecond later at each look.
#[derive(Default)]
struct Clock(AtomicU64);

impl Workers for Clock {
    fn count(&self) -> usize {
        1
    }

    fn spawn(&self, _: Box<dyn FnOnce() + Send>) {
        unreachable!("a crowd's fields are made at once");
    }

    fn clock_usec(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}

/// A crowd with what leads it on a map.
struct Scene {
    guidance: Guidance,
    crowd: Crowd,
    world: World,
    map: u64,
}

const SECOND: f64 = 1.0;
const CELL: Cell = Cell::new(60, 30);

impl Scene {
    /// A map of 80×80 cells with a wall that has a gap, larger than those on which all agents share a field.
    fn new() -> Self {
        let mut world = World::new(CellRect::new(0, 0, 80, 80)).unwrap();
        world.terrain_mut().fill_solid(CellRect::new(40, 0, 1, 70), true);
        Self {
            guidance: Guidance::new(Arc::new(Clock::default())),
            crowd: Crowd::new(CrowdSettings::default()),
            world,
            map: 1,
        }
    }

    /// Adds agents of a profile; `side` is that of its footprint.
    fn add(&mut self, count: u32, side: i64) -> Vec<u32> {
        let profile = square(side);
        let known = self.guidance.profiles().iter().position(|known| *known == profile);
        let number = known.map_or_else(|| self.guidance.add_profile(&profile), |number| number as u16);
        let kind = self.crowd.kind(kind_of(&profile));
        let spec = |n: u32| AgentSpec {
            x: 5.0 + f64::from(n % 8 * 4),
            y: 5.0 + f64::from(n / 8 * 4),
            kind,
            speed: 8.0,
            radius: default_radius(&profile) as f32,
        };
        let specs: Vec<AgentSpec> = (0..count).map(spec).collect();
        let map = &mut CrowdMap { id: self.map, world: &mut self.world };
        let layers = self.guidance.layers(&self.crowd, map);
        let ids = layers.with(&[], |ground| self.crowd.add(ground, &specs));
        let ids: Vec<u32> = ids.into_iter().map(|id| id.expect("the map is open there")).collect();
        for &id in &ids {
            self.guidance.note_profile(id, number);
        }
        ids
    }

    fn on_map<T>(&mut self, work: impl FnOnce(&mut Guidance, &mut Crowd, &mut CrowdMap<'_>) -> T) -> T {
        let map = &mut CrowdMap { id: self.map, world: &mut self.world };
        work(&mut self.guidance, &mut self.crowd, map)
    }

    fn send(&mut self, ids: &[u32]) -> usize {
        self.on_map(|guidance, crowd, map| guidance.send(crowd, map, ids, CELL))
    }

    fn step(&mut self, seconds: f64, lent: &[Option<Arc<FlowField>>]) -> CrowdNews {
        let layers = self.on_map(|guidance, crowd, map| {
            guidance.update(crowd, map);
            guidance.layers(crowd, map)
        });
        self.guidance.step(&mut self.crowd, &layers, lent, seconds).unwrap()
    }

    fn state(&mut self, id: u32) -> AgentState {
        self.crowd.view(id).unwrap().state
    }

    /// The costs of the field to the cell for agents of this size.
    fn costs(&mut self, side: i64) -> Vec<Option<Cost>> {
        let number = self.guidance.fields.find(CELL, &square(side)).unwrap();
        let fields = self.guidance.fields.list(&[]);
        costs(fields[number as usize].as_ref().unwrap().field)
    }

    fn saved(&self) -> Vec<u8> {
        let mut bytes = b"TEST".to_vec();
        self.guidance.write(&self.crowd, &mut bytes);
        bytes
    }

    /// Takes over what was saved.
    fn load(&mut self, bytes: &[u8]) {
        let mut reader = Reader::new(bytes, "TEST").unwrap();
        self.crowd = self.guidance.restore(SavedGuidance::read(&mut reader).unwrap());
        reader.end().unwrap();
    }
}

fn square(side: i64) -> Profile {
    Profile { footprint: Footprint::new(side, side).unwrap(), ..Profile::default() }
}

/// A field that is built from nothing.
fn built(world: &mut World, goals: Vec<Cell>, goal_mode: GoalMode, side: i64) -> Arc<FlowField> {
    let kind = FieldKind { map: 1, profile: square(side), max_cost: None };
    let mut upkeep = FieldUpkeep::new(Arc::new(Clock::default()));
    upkeep.build_now(world, FieldOrder { kind, goals, goal_mode });
    upkeep.field().unwrap().clone()
}

fn costs(field: &FlowField) -> Vec<Option<Cost>> {
    let field = field.integration();
    field.region().cells().map(|cell| field.cost(cell)).collect()
}

#[test]
fn a_repaired_field_equals_a_rebuilt_one() {
    let mut scene = Scene::new();
    for side in [1, 2] {
        let ids = scene.add(8, side);
        assert_eq!(scene.send(&ids), 8);
    }
    let mut fewest = u64::MAX;
    for n in 0..20 {
        let (x, y) = (n * 37 % 78, n * 53 % 78);
        scene.world.terrain_mut().fill_solid(CellRect::new(x, y, 2, 1), n % 3 != 0);
        let figures = scene.on_map(Guidance::update);
        for side in [1, 2] {
            let rebuilt = built(&mut scene.world, vec![CELL], GoalMode::Nearest, side);
            assert!(scene.costs(side) == costs(&rebuilt), "side {side} after edit {n}");
        }
        // An edit that changes no cost updates no field.
        let Some(figures) = figures else { continue };
        assert!(figures.usec > 0 && figures.cells > 0);
        fewest = fewest.min(figures.cells);
    }
    assert!(fewest < 1000, "{fewest} cells are no repair");
}

#[test]
fn agents_of_one_profile_share_a_field_until_none_follows_it() {
    let mut scene = Scene::new();
    let (small, large) = (scene.add(20, 1), scene.add(7, 3));
    scene.send(&small[..10]);
    scene.send(&small[10..]);
    scene.send(&large);
    let field = |scene: &mut Scene, id| scene.crowd.view(id).unwrap().field;
    assert_eq!((field(&mut scene, small[0]), field(&mut scene, small[19])), (Some(0), Some(0)));
    assert_eq!(field(&mut scene, large[0]), Some(1));
    assert_eq!((scene.guidance.goal(0), scene.guidance.cell_of(group_of([CELL]))), (Some(CELL), Some(CELL)));
    scene.guidance.stop(&mut scene.crowd, &small);
    scene.on_map(|guidance, crowd, map| guidance.send(crowd, map, &small, Cell::new(1, 1)));
    assert_eq!(field(&mut scene, small[0]), Some(0), "its number was free");
    assert_eq!(field(&mut scene, large[0]), Some(1));
}

#[test]
fn few_agents_walk_along_paths_which_are_found_anew() {
    let mut scene = Scene::new();
    let ids = scene.add(2, 1);
    assert_eq!(scene.send(&[ids[0], ids[1], 99]), 2);
    assert_eq!(scene.crowd.view(ids[0]).unwrap().field, None);
    scene.step(SECOND, &[]);
    // The gap that both walk to is closed, and another one opens.
    scene.world.terrain_mut().fill_solid(CellRect::new(40, 0, 1, 80), true);
    scene.world.terrain_mut().fill_solid(CellRect::new(40, 3, 1, 3), false);
    for _ in 0..12 {
        scene.step(SECOND, &[]);
    }
    assert_eq!(ids.iter().map(|&id| scene.state(id)).collect::<Vec<_>>(), [AgentState::Arrived; 2]);
    // One more edit: agents that have arrived stay.
    scene.world.terrain_mut().fill_solid(CellRect::new(40, 3, 1, 3), true);
    scene.step(SECOND, &[]);
    assert_eq!((scene.guidance.trips.all().len(), scene.state(ids[0])), (0, AgentState::Arrived));
}

#[test]
fn few_agents_that_cannot_get_there_are_stuck_until_there_is_a_way() {
    let mut scene = Scene::new();
    let ids = scene.add(2, 1);
    let wall = |scene: &mut Scene, is_solid| {
        _ = scene.world.terrain_mut().fill_solid(CellRect::new(40, 0, 1, 80), is_solid);
        (0..12).for_each(|_| drop(scene.step(SECOND, &[])));
        (scene.guidance.trips.all().len(), [scene.state(ids[0]), scene.state(ids[1])])
    };
    scene.world.terrain_mut().fill_solid(CellRect::new(40, 0, 1, 80), true);
    assert_eq!(scene.send(&ids), 2);
    assert_eq!(wall(&mut scene, true), (0, [AgentState::Stuck; 2]));
    assert_eq!(wall(&mut scene, false), (0, [AgentState::Arrived; 2]));
    // A wall goes up while they walk.
    let back = Cell::new(5, 5);
    scene.on_map(|guidance, crowd, map| guidance.send(crowd, map, &ids, back));
    scene.step(SECOND, &[]);
    assert_eq!(wall(&mut scene, true), (0, [AgentState::Stuck; 2]));
}

#[test]
fn a_map_of_the_same_age_is_another_map() {
    let mut scene = Scene::new();
    let ids = scene.add(10, 1);
    scene.send(&ids);
    scene.step(SECOND, &[]);
    let before = scene.costs(1);
    let mut other = World::new(CellRect::new(0, 0, 80, 80)).unwrap();
    other.terrain_mut().fill_solid(CellRect::new(0, 50, 60, 1), true);
    assert_eq!(other.version(), scene.world.version());
    (scene.world, scene.map) = (other, 2);
    scene.step(SECOND, &[]);
    assert!(before != scene.costs(1));
}

#[test]
fn a_lent_field_leads_until_its_owner_is_gone() {
    let mut scene = Scene::new();
    let ids = scene.add(10, 1);
    let goals = vec![CELL, CELL.offset(1, 0)];
    let field = built(&mut scene.world, goals.clone(), GoalMode::Exact, 1);
    assert_eq!(scene.guidance.send_along_field(&mut scene.crowd, &ids, 7), 10);
    assert_eq!(scene.guidance.lent().collect::<Vec<_>>(), [Some(7)]);
    assert_eq!(scene.guidance.goal(0), None, "it was not lent yet");
    scene.step(SECOND, &[Some(field)]);
    assert_eq!(scene.guidance.goal(0), Some(CELL));
    assert_eq!(scene.guidance.cell_of(group_of(goals)), Some(CELL));
    // What was saved has no field of this owner where none has the number.
    let bytes = scene.saved();
    let mut elsewhere = Scene::new();
    elsewhere.load(&bytes);
    assert_eq!(elsewhere.state(ids[0]), AgentState::Idle);
    scene.guidance.end_lent(&mut scene.crowd, |key| key != 7);
    assert_eq!(scene.state(ids[0]), AgentState::Moving);
    scene.guidance.end_lent(&mut scene.crowd, |key| key == 7);
    assert_eq!(scene.state(ids[0]), AgentState::Idle);
}

#[test]
fn what_is_loaded_goes_on_as_before() {
    let mut scene = Scene::new();
    let (many, few) = (scene.add(20, 1), scene.add(3, 2));
    scene.send(&many);
    scene.send(&few);
    scene.on_map(|guidance, crowd, map| guidance.march(crowd, map, &many[..5], CELL, MarchShape::Column));
    scene.step(SECOND, &[]);
    let bytes = scene.saved();
    let mut loaded = Scene::new();
    loaded.load(&bytes);
    assert!(loaded.saved() == bytes);
    for n in 0..6 {
        for scene in [&mut scene, &mut loaded] {
            // The map is loaded as it was saved, and edited later.
            scene.world.terrain_mut().fill_solid(CellRect::new(50, 20 + n, 2, 1), n > 0);
            scene.step(SECOND, &[]);
        }
        assert_eq!(scene.crowd.state_hash(), loaded.crowd.state_hash(), "second {n}");
    }
    for cut in 4..bytes.len() {
        assert!(SavedGuidance::read(&mut Reader::new(&bytes[..cut], "TEST").unwrap()).is_err());
    }
}

#[test]
fn agents_follow_the_edits_of_their_profile() {
    let mut scene = Scene::new();
    let (many, few) = (scene.add(10, 1), scene.add(2, 2));
    scene.send(&many);
    scene.send(&few);
    scene.step(SECOND, &[]);
    let large = square(3);
    scene.on_map(|guidance, crowd, map| guidance.edit_profile(crowd, map, 0, &large));
    let number = scene.guidance.add_profile(&large);
    scene.on_map(|guidance, crowd, map| assert_eq!(guidance.give_profile(crowd, map, &few, number), 2));
    scene.step(SECOND, &[]);
    for &id in many.iter().chain(&few) {
        let view = scene.crowd.view(id).unwrap();
        assert_eq!(scene.guidance.profile_of(id), Some(large));
        assert!((f64::from(view.radius) - default_radius(&large)).abs() < 1e-6);
        assert!(view.state != AgentState::Idle, "agent {id} goes on");
    }
    let field = scene.crowd.view(many[0]).unwrap().field.unwrap();
    assert_eq!(scene.guidance.fields.find(CELL, &large), Some(field));
    assert!(scene.guidance.trips.all().iter().all(|trip| trip.profile == large));
}

#[test]
fn those_in_front_get_the_places_in_front() {
    let mut scene = Scene::new();
    let ids = scene.add(2, 1);
    // The first agent is behind: it is farther from the places.
    let places = vec![[70.5, 30.5], [66.5, 30.5]];
    let count =
        scene.on_map(|guidance, crowd, map| guidance.send_in_formation(crowd, map, &ids, CELL, places));
    assert_eq!(count, 2);
    for _ in 0..20 {
        scene.step(SECOND, &[]);
    }
    let x = ids.iter().map(|&id| scene.crowd.view(id).unwrap().x).collect::<Vec<_>>();
    assert!((x[0] - 66.5).abs() < 0.5 && (x[1] - 70.5).abs() < 0.5, "{x:?}");
}
