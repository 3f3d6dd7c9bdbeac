use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::cost::Cost;
use crate::world::{FieldKind, GoalMode, Profile};

/// Workers whose work waits until it is asked for, with a clock that is `tick` and one microseconds later at
/// each look.
#[derive(Default)]
struct Bench {
    clock: AtomicU64,
    tick: u64,
    waiting: Mutex<Vec<Box<dyn FnOnce() + Send>>>,
}

impl Workers for Bench {
    fn count(&self) -> usize {
        1
    }

    fn spawn(&self, work: Box<dyn FnOnce() + Send>) {
        self.waiting.lock().unwrap().push(work);
    }

    fn clock_usec(&self) -> u64 {
        self.clock.fetch_add(1 + self.tick, Ordering::Relaxed)
    }
}

impl Bench {
    fn work(&self) {
        let waiting = std::mem::take(&mut *self.waiting.lock().unwrap());
        for work in waiting {
            work();
        }
    }
}

fn order() -> FieldOrder {
    FieldOrder {
        kind: FieldKind { map: 1, profile: Profile::default(), max_cost: None },
        goals: vec![Cell::new(2, 3)],
        goal_mode: GoalMode::Exact,
    }
}

fn walled() -> World {
    let mut world = World::new(CellRect::new(-10, -10, 200, 150)).unwrap();
    world.terrain_mut().fill_solid(CellRect::new(40, -10, 2, 140), true);
    world
}

fn costs(upkeep: &FieldUpkeep) -> Vec<Option<Cost>> {
    let field = upkeep.field().unwrap();
    field.integration().region().cells().map(|cell| field.integration().cost(cell)).collect()
}

fn built_at_once(world: &mut World, order: FieldOrder) -> Vec<Option<Cost>> {
    let mut upkeep = FieldUpkeep::new(Arc::new(Bench::default()));
    upkeep.build_now(world, order);
    costs(&upkeep)
}

#[test]
fn in_pieces_and_at_a_worker_it_is_the_same_field() {
    let mut world = walled();
    let wanted = built_at_once(&mut world, order());
    let mut in_pieces = FieldUpkeep::new(Arc::new(Bench::default()));
    assert_eq!(in_pieces.follow(&mut world, &order(), 0.0, false), None);
    let pieces = std::iter::repeat_with(|| in_pieces.resume(Some(1))).take_while(Option::is_none).count();
    assert!(pieces > 1, "{pieces} pieces");
    assert_eq!(costs(&in_pieces), wanted);

    let bench = Arc::new(Bench::default());
    let mut sent = FieldUpkeep::new(bench.clone());
    assert_eq!(sent.follow(&mut world, &order(), 0.0, true), None);
    assert_eq!(sent.resume(None), None, "nothing is done here");
    bench.work();
    let region = world.terrain().region();
    assert_eq!(sent.resume(None), Some(FieldMessage { updated: Some(region), leads_nowhere: false }));
    assert_eq!(costs(&sent), wanted);
}

#[test]
fn what_a_worker_drops_is_built_here() {
    let (mut world, bench) = (walled(), Arc::new(Bench::default()));
    let mut upkeep = FieldUpkeep::new(bench.clone());
    upkeep.follow(&mut world, &order(), 0.0, true);
    bench.waiting.lock().unwrap().clear();
    assert!(upkeep.resume(None).is_some());
    assert_eq!(costs(&upkeep), built_at_once(&mut world, order()));
}

#[test]
fn a_worker_builds_turn_by_turn_until_no_field_waits() {
    let (mut world, bench) = (walled(), Arc::new(Bench { tick: 1000, ..Bench::default() }));
    let mut upkeep = FieldUpkeep::new(bench.clone());
    upkeep.follow(&mut world, &order(), 0.0, true);
    let waits = || bench.waiting.lock().unwrap().len();
    bench.work();
    assert_eq!((upkeep.resume(None), waits()), (None, 1), "the rest is queued behind other work");
    drop(upkeep);
    bench.work();
    assert_eq!(waits(), 0);
}

#[test]
fn the_field_in_use_stays_until_its_successor_is_complete() {
    let (mut world, bench) = (walled(), Arc::new(Bench::default()));
    let mut upkeep = FieldUpkeep::new(bench.clone());
    upkeep.build_now(&mut world, order());
    let other = FieldOrder { kind: FieldKind { map: 2, ..order().kind }, ..order() };
    upkeep.follow(&mut world, &other, 0.0, true);
    assert_eq!((upkeep.order(), upkeep.changes()), (Some(&order()), 1));
    bench.work();
    upkeep.resume(None);
    assert_eq!((upkeep.order(), upkeep.changes()), (Some(&other), 2));
}

#[test]
fn edits_are_repaired_as_often_as_is_allowed() {
    let mut world = walled();
    let mut upkeep = FieldUpkeep::new(Arc::new(Bench::default()));
    upkeep.build_now(&mut world, order());
    assert_eq!(upkeep.follow(&mut world, &order(), 2.0, false), None, "nothing has changed");
    world.terrain_mut().fill_solid(CellRect::new(150, 100, 1, 6), true);
    upkeep.pass_time(0.4);
    assert_eq!(upkeep.follow(&mut world, &order(), 2.0, false), None, "two updates a second");
    upkeep.pass_time(0.2);
    let message = upkeep.follow(&mut world, &order(), 2.0, false).unwrap();
    assert!(message.updated.is_some_and(|rect| rect.contains(Cell::new(150, 105))) && !message.leads_nowhere);
    assert_eq!(costs(&upkeep), built_at_once(&mut world, order()));
    assert_eq!(upkeep.changes(), 2);
}

#[test]
fn goals_that_are_gone_are_told_once() {
    let mut world = walled();
    let mut upkeep = FieldUpkeep::new(Arc::new(Bench::default()));
    upkeep.build_now(&mut world, order());
    world.terrain_mut().fill_solid(CellRect::new(2, 3, 1, 1), true);
    let message = upkeep.follow(&mut world, &order(), 0.0, false).or_else(|| upkeep.resume(None));
    assert!(message.unwrap().leads_nowhere);
    assert!(!upkeep.build_now(&mut world, order()).leads_nowhere);
    let elsewhere = FieldOrder { goals: Vec::new(), ..order() };
    assert!(upkeep.build_now(&mut world, elsewhere).leads_nowhere);
}
