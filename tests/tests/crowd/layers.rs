//! Avoidance by layers and masks: agents that share no layer behave as if each layer were alone, and where only
//! one of two avoids the other, the other goes on as if it were alone.

use pathforge_core::crowd::{AgentState, AgentView, Avoidance, Crowd, MarchShape};
use pathforge_core::geometry::Cell;
use pathforge_tests::hall::{Hall, overlap};
use pathforge_tests::maps::{Walls, any_cell, rooms};
use pathforge_tests::rng::Rng;

const STEP: f64 = 1.0 / 60.0;
const SPEED: f32 = 4.0;
/// What contact may leave of an overlap, in cells.
const LEFT: f32 = 0.12;

/// Puts agents on a layer of which each avoids the others, and no other one.
fn separate(hall: &mut Hall, ids: &[u32], layer: u32) {
    assert_eq!(hall.crowd.set_avoidance(ids, Some(layer), Some(layer)), ids.len());
}

fn open(width: i32, height: i32) -> Hall {
    Hall::new(Walls::filled(width, height, false).into_terrain(Cell::default()))
}

fn view(hall: &mut Hall, id: u32) -> AgentView {
    hall.crowd.view(id).expect("an agent")
}

/// What can be seen of some agents, to the last bit.
fn seen(hall: &mut Hall, ids: &[u32]) -> Vec<(u64, u64, AgentState)> {
    let each = ids.iter().map(|&id| view(hall, id));
    each.map(|view| (view.x.to_bits(), view.y.to_bits(), view.state)).collect()
}

/// The deepest overlap of two of some agents, in cells.
fn deepest(hall: &mut Hall, ids: &[u32], others: &[u32]) -> f32 {
    let views = |hall: &mut Hall, ids: &[u32]| ids.iter().map(|&id| view(hall, id)).collect::<Vec<_>>();
    let (own, others) = (views(hall, ids), views(hall, others));
    let pairs = own.iter().flat_map(|a| others.iter().filter(|b| b.id != a.id).map(move |b| overlap(a, b)));
    pairs.fold(f32::NEG_INFINITY, f32::max)
}

/// Orders of all sorts, given to one layer at a time.
fn order(hall: &mut Hall, rng: &mut Rng, ids: &[u32], group: u32) {
    let region = hall.terrain.region();
    let point = |cell: Cell| [f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5];
    let some: Vec<u32> = ids.iter().copied().filter(|_| rng.percent(40)).collect();
    match rng.int(0..6) {
        0 | 1 => {
            let goal = any_cell(rng, region);
            for side in 1..=2 {
                let field = hall.field(side, &[goal], group);
                let its: Vec<u32> =
                    some.iter().copied().filter(|&id| i32::from(view(hall, id).kind) + 1 == side).collect();
                hall.crowd.assign_field(&its, field);
            }
        }
        2 => {
            let points: Vec<[f64; 2]> = (0..2).map(|_| point(any_cell(rng, region))).collect();
            hall.crowd.assign_path(&some, &points, group);
        }
        3 => {
            let points: Vec<[f64; 2]> = (0..2).map(|_| point(any_cell(rng, region))).collect();
            hall.crowd.assign_march(&some[..some.len().min(12)], &points, group, MarchShape::Wedge);
        }
        4 => {
            let goal = any_cell(rng, region);
            let field = hall.field(2, &[goal], group);
            hall.crowd.assign_field(&some, field);
            let places: Vec<[f64; 2]> = some.iter().map(|_| point(goal)).collect();
            hall.crowd.assign_places(&some, &places);
        }
        _ => _ = hall.crowd.stop(&some),
    }
}

#[test]
fn layers_apart_walk_as_if_each_were_alone() {
    for seed in 0..if crate::is_long() { 60 } else { 8 } {
        let mut rng = Rng::new(seed);
        let mut hall = Hall::new(rooms(&mut rng, 50, 50, 12).into_terrain(Cell::new(-7, 12)));
        let region = hall.terrain.region();
        let mut layers = [Vec::new(), Vec::new()];
        // In one chunk of contact: in others, pushes are passed on in the next round.
        for n in 0..400 {
            let side = rng.pick(&[1, 1, 1, 2]);
            layers[n % 2].extend(hall.add(any_cell(&mut rng, region), side, SPEED, None));
        }
        let mut alone = [hall.clone(), hall.clone()];
        for (hall, others) in alone.iter_mut().zip([&layers[1], &layers[0]]) {
            hall.crowd.remove(others);
        }
        separate(&mut hall, &layers[0], 2);
        separate(&mut hall, &layers[1], 1 << 31);
        let mut group = 0;
        let mut met = 0.0_f32;
        for step in 0..900 {
            if step % 150 == 0 {
                for (ids, alone) in layers.iter().zip(&mut alone) {
                    group += 1;
                    let seed = rng.bits();
                    order(&mut hall, &mut Rng::new(seed), ids, group);
                    order(alone, &mut Rng::new(seed), ids, group);
                }
            }
            hall.step(STEP);
            for (ids, alone) in layers.iter().zip(&mut alone) {
                alone.step(STEP);
                let here = seen(&mut hall, ids);
                assert_eq!(here, seen(alone, ids), "seed {seed}, step {step}");
            }
            if step % 60 == 0 {
                met = met.max(deepest(&mut hall, &layers[0], &layers[1]));
            }
        }
        assert!(met > 0.3, "seed {seed}: none has walked through another, {met}");
    }
}

#[test]
fn two_layers_of_one_group_fill_the_same_room() {
    let mut hall = open(60, 40);
    let field = hall.field(1, &[Cell::new(45, 20)], 0);
    let mut add = |n: i32| hall.add(Cell::new(2 + n % 8, 8 + n / 8), 1, SPEED, Some(field)).expect("room");
    let all: Vec<u32> = (0..160).map(&mut add).collect();
    let (ground, air) = all.split_at(80);
    let mut alone = hall.clone();
    alone.crowd.remove(air);
    separate(&mut hall, air, 2);
    let farthest = |hall: &mut Hall, ids: &[u32]| {
        let distance = |view: AgentView| (view.x - 45.5).hypot(view.y - 20.5);
        ids.iter().map(|&id| distance(view(hall, id))).fold(0.0, f64::max)
    };
    for _ in 0..60 * 40 {
        hall.step(STEP);
        alone.step(STEP);
    }
    let own = farthest(&mut alone, ground);
    for ids in [ground, air] {
        assert!(
            ids.iter().all(|&id| view(&mut hall, id).state == AgentState::Arrived),
            "{:?}",
            hall.states()
        );
        let far = farthest(&mut hall, ids);
        assert!(far < own + 0.7, "{far} cells from the goal, and {own} alone");
        let deep = deepest(&mut hall, ids, ids);
        assert!(deep < LEFT, "an overlap of {deep} within a layer");
    }
    assert!(deepest(&mut hall, ground, air) > 0.3, "the layers share the room");
}

#[test]
fn agents_that_avoid_none_come_to_the_goal_itself() {
    let mut hall = open(40, 20);
    let field = hall.field(1, &[Cell::new(30, 10)], 0);
    let mut add = |n: i32| hall.add(Cell::new(2 + n % 4, 4 + n / 4), 1, SPEED, Some(field)).expect("room");
    let ids: Vec<u32> = (0..30).map(&mut add).collect();
    assert_eq!(hall.crowd.set_avoidance(&ids, None, Some(0)), 30);
    for _ in 0..60 * 20 {
        hall.step(STEP);
    }
    for &id in &ids {
        let AgentView { x, y, state, .. } = view(&mut hall, id);
        assert_eq!(state, AgentState::Arrived);
        assert!((x - 30.5).hypot(y - 10.5) < 1.5, "at {x}, {y}");
    }
}

#[test]
fn contact_moves_only_the_one_that_avoids() {
    // A rests, and then walks.
    for walks in [false, true] {
        let mut hall = open(30, 9);
        let field = hall.field(1, &[Cell::new(28, 4)], 0);
        let ids = [Cell::new(6, 4), Cell::new(9, 4)].map(|at| hall.add(at, 1, SPEED, None).expect("room"));
        let [own, other] = ids;
        if walks {
            hall.crowd.assign_field(&[other], field);
        }
        let mut alone = hall.clone();
        alone.crowd.remove(&[own]);
        hall.crowd.set_avoidance(&[other], Some(2), Some(2));
        hall.crowd.set_avoidance(&[own], None, Some(1 | 2));
        let at =
            hall.with_ground(|crowd, ground| crowd.set_position(own, 9.3, 4.6, ground)).expect("it fits");
        for step in 0..120 {
            hall.step(STEP);
            alone.step(STEP);
            assert_eq!(seen(&mut hall, &[other]), seen(&mut alone, &[other]), "walks {walks}, step {step}");
        }
        let deep = deepest(&mut hall, &[own], &[other]);
        assert!(deep < LEFT, "walks {walks}: an overlap of {deep} is left");
        assert!((view(&mut hall, own).x - at.0).abs() > 0.1, "it was moved");
    }
}

#[test]
fn the_one_that_avoids_steers_clear_alone() {
    let mut hall = open(40, 15);
    let (right, left) = (hall.field(1, &[Cell::new(38, 7)], 0), hall.field(1, &[Cell::new(1, 7)], 1));
    let own = hall.add(Cell::new(4, 7), 1, SPEED, Some(right)).expect("room");
    let other = hall.add(Cell::new(35, 7), 1, SPEED, Some(left)).expect("room");
    let mut alone = hall.clone();
    alone.crowd.remove(&[own]);
    hall.crowd.set_avoidance(&[other], Some(2), Some(2));
    hall.crowd.set_avoidance(&[own], None, Some(u32::MAX));
    let (mut deep, mut aside) = (f32::NEG_INFINITY, 0.0_f64);
    for step in 0..60 * 12 {
        hall.step(STEP);
        alone.step(STEP);
        assert_eq!(seen(&mut hall, &[other]), seen(&mut alone, &[other]), "step {step}");
        deep = deep.max(deepest(&mut hall, &[own], &[other]));
        aside = aside.max((view(&mut hall, own).y - 7.5).abs());
    }
    assert!(deep < 0.02, "they overlapped by {deep}");
    assert!(aside > 0.6, "it went only {aside} aside");
    assert!([own, other].iter().all(|&id| view(&mut hall, id).state == AgentState::Arrived));
}

#[test]
fn one_that_holds_its_position_is_not_moved_by_one_that_it_avoids() {
    let mut hall = open(20, 9);
    let ids = [Cell::new(6, 4), Cell::new(9, 4)].map(|at| hall.add(at, 1, SPEED, None).expect("room"));
    let [own, other] = ids;
    hall.crowd.set_holds_position(own, true);
    hall.crowd.set_avoidance(&[other], Some(2), Some(2));
    hall.crowd.set_avoidance(&[own], None, Some(2));
    hall.with_ground(|crowd, ground| crowd.set_position(own, 9.3, 4.6, ground));
    let before = seen(&mut hall, &ids);
    (0..60).for_each(|_| drop(hall.step(STEP)));
    assert_eq!(seen(&mut hall, &ids), before);
}

/// A lane of one cell with one agent that is to pass another, which is paused in it.
fn lane() -> (Hall, [u32; 2]) {
    let mut hall = open(30, 1);
    let own = hall.add(Cell::new(1, 0), 1, SPEED, None).expect("room");
    let other = hall.add(Cell::new(14, 0), 1, SPEED, None).expect("room");
    hall.crowd.assign_path(&[own], &[[28.5, 0.5]], 1);
    hall.crowd.set_paused(other, true);
    (hall, [own, other])
}

#[test]
fn layers_change_under_way() {
    let (mut hall, [own, other]) = lane();
    let run = |hall: &mut Hall, seconds: u32| (0..60 * seconds).for_each(|_| drop(hall.step(STEP)));
    run(&mut hall, 30);
    assert!(view(&mut hall, own).x < 13.9, "held up");
    let blockage = hall.with_ground(|crowd, ground| crowd.blockage(ground, own)).expect("it is kept off");
    assert_eq!(blockage.by, [other]);
    assert_eq!(hall.crowd.standing(own), [Cell::new(14, 0)]);
    // Up in the air it goes on through the other.
    separate(&mut hall, &[own], 2);
    assert_eq!(hall.crowd.avoidance(own), Some(Avoidance { layers: 2, mask: 2 }));
    assert_eq!(hall.crowd.avoidance(other), Some(Avoidance::default()));
    assert_eq!(hall.crowd.standing(own), []);
    let blockage = hall.with_ground(|crowd, ground| crowd.blockage(ground, own));
    assert!(blockage.is_none_or(|blockage| blockage.by.is_empty()));
    run(&mut hall, 10);
    assert!((view(&mut hall, own).x - 28.5).abs() < 0.3, "at {}", view(&mut hall, own).x);
    // Down again, and back.
    let back = hall.field(1, &[Cell::new(1, 0)], 1);
    separate(&mut hall, &[own], 1);
    hall.crowd.assign_field(&[own], back);
    run(&mut hall, 10);
    assert!(view(&mut hall, own).x > 15.1, "held up on the other side");
    assert_eq!(hall.crowd.set_avoidance(&[own, other, 9, own], Some(1), Some(1)), 3, "no agent 9");
    assert_eq!(hall.crowd.avoidance(9), None);
}

#[test]
fn a_path_and_a_place_that_another_layer_takes_are_free() {
    let mut hall = open(30, 9);
    let ids: Vec<u32> =
        (0..4).map(|y| hall.add(Cell::new(2, 2 + y), 1, SPEED, None).expect("room")).collect();
    separate(&mut hall, &ids[1..2], 2);
    separate(&mut hall, &ids[3..], 2);
    // Two share a path's end, and two the place of a formation.
    hall.crowd.assign_path(&ids[..2], &[[20.5, 2.5]], 1);
    let field = hall.field(1, &[Cell::new(20, 6)], 2);
    hall.crowd.assign_field(&ids[2..], field);
    hall.crowd.assign_places(&ids[2..], &[[20.5, 6.5], [20.5, 6.5]]);
    for _ in 0..60 * 12 {
        hall.step(STEP);
    }
    for (n, &id) in ids.iter().enumerate() {
        let AgentView { x, y, state, .. } = view(&mut hall, id);
        let end = if n < 2 { 2.5 } else { 6.5 };
        assert_eq!(state, AgentState::Arrived);
        assert!((x - 20.5).hypot(y - end) < 0.2, "agent {id} at {x}, {y}");
    }
}

/// 500 agents on three layers, some of them with masks of their own, on their way to two rooms.
fn mixed(threads: usize, steps: usize) -> Hall {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
    pool.install(|| {
        let mut rng = Rng::new(5);
        let mut hall = Hall::new(rooms(&mut rng, 70, 70, 14).into_terrain(Cell::new(3, -2)));
        let region = hall.terrain.region();
        let fields = [1, 2].map(|n| hall.field(1, &[Cell::new(3 + 20 * n, 30)], 0));
        for _ in 0..1500 {
            let field = rng.pick(&[Some(fields[0]), Some(fields[1]), None]);
            if let Some(id) = hall.add(any_cell(&mut rng, region), 1, SPEED, field) {
                let (layers, mask) = (1 << rng.int(0..3), rng.pick(&[1, 2, 4, 7, 0]));
                hall.crowd.set_avoidance(&[id], Some(layers), Some(mask));
            }
        }
        (0..steps).for_each(|_| drop(hall.step(STEP)));
        hall
    })
}

#[test]
fn threads_change_nothing_on_layers() {
    let one = mixed(1, 90).crowd.state_hash();
    assert_eq!(one, mixed(2, 90).crowd.state_hash());
    assert_eq!(one, mixed(3, 90).crowd.state_hash());
}

#[test]
fn layers_are_saved() {
    let mut hall = mixed(2, 400);
    let bytes = hall.crowd.to_bytes();
    assert!(bytes.starts_with(b"PFCB"));
    let mut copy = hall.clone();
    copy.crowd = Crowd::from_bytes(&bytes).expect("its own bytes");
    assert_eq!(copy.crowd.to_bytes(), bytes);
    for _ in 0..120 {
        hall.step(STEP);
        copy.step(STEP);
    }
    assert_eq!(hall.crowd.state_hash(), copy.crowd.state_hash());
    for cut in [bytes.len() - 1, bytes.len() / 2, 5] {
        assert!(Crowd::from_bytes(&bytes[..cut]).is_err(), "cut to {cut}");
    }
    // As those of a crowd without layers, they are too long.
    let mut other = bytes.clone();
    other[3] = b'A';
    assert!(Crowd::from_bytes(&other).is_err());
    // All avoid each other again: as soon as nothing is kept of before, so do the bytes.
    let ids: Vec<u32> = hall.crowd.ids().collect();
    hall.crowd.set_avoidance(&ids, Some(1), Some(1));
    (0..60).for_each(|_| drop(hall.step(STEP)));
    assert!(hall.crowd.to_bytes().starts_with(b"PFCA"));
}
