//! Agents whose bodies are moved from outside keep clear of all, get there together, and settle.

use pathforge_core::crowd::AgentState;
use pathforge_core::geometry::{Cell, CellRect};
use pathforge_tests::gathering::Rest;
use pathforge_tests::hall::Hall;
use pathforge_tests::halls::{DRIVEN_SPEED as SPEED, Units, crossing, gate, tanks};
use pathforge_tests::maps::Walls;
use pathforge_tests::rng::Rng;

use crate::is_long;

const STEP: f64 = 1.0 / 60.0;

#[test]
fn six_tanks_get_through_a_gate_as_wide_as_one() {
    let (mut hall, ids) = tanks();
    let mut rest = Rest::await_all(&mut hall, &ids, SPEED, 60);
    let deepest = rest.overlap(1.0);
    println!("{:?} s, overlap {deepest}", rest.seconds);
    // 45 cells at 5 a second, and six bodies of two cells one behind the other.
    let time = rest.seconds;
    let is_soon = time.is_some_and(|time| time < 1.5 * (45.0 + 6.0 * 2.2) / 5.0 + 2.0);
    assert!(is_soon, "{time:?}: {:?}", hall.states());
    assert_eq!(hall.states()[AgentState::Arrived as usize], 6);
    assert!(deepest <= 0.1, "{deepest}");
}

#[test]
fn units_of_three_sizes_go_there_and_back() {
    for seed in 0..if is_long() { 10 } else { 3 } {
        let mut units = Units::new(seed);
        for is_back in [false, true, false] {
            units.send(is_back);
            let mut rest = Rest::await_all(&mut units.hall, &units.ids, SPEED, 90);
            let (time, deepest) = (rest.seconds, rest.overlap(0.99));
            println!("seed {seed}: {time:?} s, overlap {deepest}, {:?}", units.hall.states());
            assert!(time.is_some(), "seed {seed}: {:?}", units.hall.states());
            assert!(deepest <= 0.1, "seed {seed}: {deepest}");
        }
    }
}

/// No agent passes through another here: agents that have arrived let the others pass.
#[test]
fn two_hundred_cross_two_hundred() {
    let seeds = if is_long() { 6 } else { 2 };
    for (seed, is_driven) in (0..seeds).flat_map(|seed| [(seed, true), (seed, false)]) {
        let is_open = seed % 2 == 0;
        let (mut hall, ids) = crossing(seed, is_open, is_driven);
        let mut rest = Rest::await_all(&mut hall, &ids, SPEED, 210);
        let (time, deepest) = (rest.seconds, rest.overlap(0.999));
        let scene = format!("seed {seed}, driven {is_driven}, open {is_open}");
        println!("{scene}: {time:?} s, overlap {deepest}, {:?}", hall.states());
        assert!(time.is_some() && deepest <= 0.12, "{scene}: {time:?}, {deepest}, {:?}", hall.states());
    }
}

/// Tanks with courses of their own, all to one place: the first stands there, the others settle beside it.
#[test]
fn courses_to_one_place_end_beside_each_other() {
    let mut hall = Hall::new(Walls::filled(40, 30, false).into_terrain(Cell::default()));
    let goal = [30.0, 15.0];
    let ids: Vec<u32> = (0..6).map(|n| hall.add_driven(Cell::new(4, 2 + n * 4), 2, None)).collect();
    for &id in &ids {
        assert!(hall.crowd.assign_course(id, 7));
    }
    let mut time = None;
    for tick in 0..60 * 40 {
        for &id in &ids {
            let view = hall.crowd.view(id).expect("it is there");
            let (dx, dy) = (goal[0] - view.x, goal[1] - view.y);
            let left = dx.hypot(dy);
            hall.crowd.set_course(id, goal, goal, left as f32);
            if left < 0.1 && view.state != AgentState::Arrived {
                hall.crowd.finish(id);
            }
        }
        hall.drive(&ids, SPEED, STEP);
        if time.is_none() && hall.states()[AgentState::Arrived as usize] == 6 {
            time = Some(f64::from(tick) * STEP);
        }
    }
    println!("{time:?} s");
    // 26 cells at 5 a second, and as long as two look for a way round.
    assert!(time.is_some_and(|time| time < 9.5), "{time:?}: {:?}", hall.states());
    let deepest = hall.overlaps(|_| true, |_| true).into_iter().fold(0.0, f32::max);
    assert!(deepest <= 0.1, "{deepest}");
    assert!(hall.crowd.views().all(|view| (view.x - goal[0]).hypot(view.y - goal[1]) < 6.0));
}

/// A body that is never asked for its velocity walks where it likes, and the others steer clear of it.
#[test]
fn others_keep_clear_of_bodies_that_only_move() {
    let mut hall = Hall::new(Walls::filled(40, 20, false).into_terrain(Cell::default()));
    let field = hall.field(1, &[Cell::new(36, 10)], 0);
    let player = hall.add_driven(Cell::new(20, 8), 3, None);
    (0..8).for_each(|n| {
        hall.add(Cell::new(2, 6 + n), 1, 4.0, Some(field)).expect("room");
    });
    let mut deepest = 0.0_f32;
    for tick in 0..60 * 20 {
        let x = 21.5 - f64::from(tick) * STEP;
        hall.crowd.set_driven_position(player, x.max(4.0), 9.5, STEP);
        hall.step(STEP);
        deepest = hall.overlaps(|_| true, |_| true).into_iter().fold(deepest, f32::max);
    }
    assert_eq!(hall.states()[AgentState::Arrived as usize], 8, "{:?}", hall.states());
    assert!(deepest < 0.25, "{deepest}");
}

/// Agents step aside for a player exactly on the axis of an agent at rest, of a packed group and of an agent
/// that comes towards it.
#[test]
fn a_body_that_only_moves_is_made_way_for_even_on_the_axis() {
    for (name, cells, walks) in [
        ("one", vec![(20, 9)], false),
        ("packed", (0..25).map(|n| (18 + n % 5, 7 + n / 5)).collect(), false),
        ("towards it", vec![(30, 9)], true),
    ] {
        let mut hall = Hall::new(Walls::filled(44, 20, false).into_terrain(Cell::default()));
        let west = hall.field(1, &[Cell::new(2, 9)], 0);
        let player = hall.add_driven(Cell::new(6, 9), 1, None);
        for (x, y) in cells {
            hall.add(Cell::new(x, y), 1, 4.0, walks.then_some(west)).expect("room");
        }
        let homes: Vec<_> = hall.crowd.views().collect();
        let mut deepest = 0.0_f32;
        for tick in 0..60 * 8 {
            hall.crowd.set_driven_position(player, 6.5 + f64::from(tick) * STEP * 4.0, 9.5, STEP);
            hall.step(STEP);
            deepest = hall.overlaps(|_| true, |_| true).into_iter().fold(deepest, f32::max);
        }
        let away = homes.iter().filter(|home| !walks && home.id != player).map(|home| {
            let view = hall.crowd.view(home.id).expect("it is there");
            (view.x - home.x).hypot(view.y - home.y)
        });
        let away = away.fold(0.0, f64::max);
        println!("{name}: {deepest}, {away} cells away");
        assert!(deepest < 0.2, "{name}: {deepest}");
        assert!(away < 1.5, "{name}: pushed {away} cells along");
    }
}

/// A player walks through a unit that rests at 20.5, 9.5. The unit reports `state` all the time, and comes
/// back.
fn makes_way_and_comes_back(hall: &mut Hall, unit: u32, state: AgentState) {
    let player = hall.add_driven(Cell::new(6, 9), 3, None);
    let mut farthest = 0.0_f64;
    for tick in 0..60 * 12 {
        hall.crowd.set_driven_position(player, 7.5 + f64::from(tick) * STEP * 3.0, 9.5, STEP);
        hall.drive(&[unit], SPEED, STEP);
        let view = hall.crowd.view(unit).expect("it is there");
        assert_eq!(view.state, state, "all the time");
        farthest = farthest.max((view.x - 20.5).hypot(view.y - 9.5));
    }
    assert!(farthest > 1.0, "it made way: {farthest}");
    let view = hall.crowd.view(unit).expect("it is there");
    assert!((view.x - 20.5).hypot(view.y - 9.5) < 0.1, "it is back: {view:?}");
}

/// A field with one body that has reached its target.
fn one_at_its_target() -> (Hall, u32) {
    let mut hall = Hall::new(Walls::filled(44, 20, false).into_terrain(Cell::default()));
    let unit = hall.add_driven(Cell::new(20, 9), 1, None);
    hall.crowd.assign_course(unit, 7);
    hall.drive(&[unit], SPEED, STEP);
    hall.crowd.finish(unit);
    (hall, unit)
}

/// An agent that has reached its target comes back to it when others have pushed through.
#[test]
fn one_that_was_pushed_comes_back_to_where_it_arrived() {
    let (mut hall, unit) = one_at_its_target();
    let news = hall.drive(&[unit], SPEED, STEP);
    assert_eq!(news.arrived, [unit], "it is told");
    makes_way_and_comes_back(&mut hall, unit, AgentState::Arrived);
}

/// One without an order joins, is put elsewhere by its game, and comes back to there when it has made way.
#[test]
fn one_without_an_order_is_at_home_where_its_game_puts_it() {
    let mut hall = Hall::new(Walls::filled(44, 20, false).into_terrain(Cell::default()));
    let unit = hall.add_driven(Cell::new(2, 2), 1, None);
    hall.crowd.set_driven_position(unit, 20.5, 9.5, STEP);
    makes_way_and_comes_back(&mut hall, unit, AgentState::Idle);
}

/// A driven agent that is too slow to press only pushes.
#[test]
fn one_that_was_only_pushed_comes_back_too() {
    let (mut hall, unit) = one_at_its_target();
    let player = hall.add_driven(Cell::new(17, 8), 3, None);
    let mut farthest = 0.0_f64;
    for tick in 0..60 * 12 {
        hall.crowd.set_driven_position(player, 18.7 + f64::from(tick) * STEP * 0.15, 9.5, STEP);
        hall.drive(&[unit], SPEED, STEP);
        farthest = farthest.max(hall.crowd.view(unit).expect("it is there").x - 20.5);
    }
    assert!(farthest > 0.5, "it was pushed: {farthest}");
    hall.crowd.remove(&[player]);
    (0..120).for_each(|_| drop(hall.drive(&[unit], SPEED, STEP)));
    let view = hall.crowd.view(unit).expect("it is there");
    assert!((view.x - 20.5).hypot(view.y - 9.5) < 0.1, "it is back: {view:?}");
}

/// Walls that go up over bodies at rest are left by the shortest way, and what is there is a place from then
/// on.
#[test]
fn one_that_is_built_over_walks_out_and_rests_there() {
    let mut hall = Hall::new(Walls::filled(44, 20, false).into_terrain(Cell::default()));
    let ids = [hall.add_driven(Cell::new(8, 9), 2, None), hall.add_driven(Cell::new(28, 9), 2, None)];
    hall.crowd.assign_course(ids[1], 7);
    hall.drive(&ids, SPEED, STEP);
    hall.crowd.finish(ids[1]);
    hall.drive(&ids, SPEED, STEP);
    hall.edit(|terrain| {
        terrain.fill_solid(CellRect::new(6, 7, 6, 5), true);
        terrain.fill_solid(CellRect::new(26, 7, 6, 5), true);
    });
    (0..120).for_each(|_| drop(hall.drive(&ids, SPEED, STEP)));
    assert_eq!(hall.in_a_wall(), None);
    let rested: Vec<_> = ids.map(|id| hall.crowd.driven_position(id)).into();
    (0..120).for_each(|_| drop(hall.drive(&ids, SPEED, STEP)));
    assert_eq!(rested, ids.map(|id| hall.crowd.driven_position(id)), "they stay there");
    let far =
        rested.iter().zip([9.0, 29.0]).map(|(at, x)| at.map_or(99.0, |[to, y]| (to - x).hypot(y - 10.0)));
    assert!(far.clone().all(|far| far < 3.5), "the nearest place: {:?}", far.collect::<Vec<_>>());
    assert_eq!(hall.states()[AgentState::Arrived as usize], 1);
}

/// A frame of an engine whose bodies are boxes that hold each other: along each axis a body goes on until it
/// touches another.
fn drive_boxes(hall: &mut Hall, ids: &[u32], half: f64) {
    hall.step(STEP);
    let mut all: Vec<[f64; 2]> =
        ids.iter().map(|&id| hall.crowd.driven_position(id).expect("it is there")).collect();
    for own in 0..ids.len() {
        let velocity = hall.crowd.safe_velocity(ids[own]).unwrap_or_default();
        for axis in [0, 1] {
            let mut to = all[own];
            to[axis] += f64::from(velocity[axis]) * STEP;
            let touches = |other: &[f64; 2]| {
                (to[0] - other[0]).abs() < 2.0 * half && (to[1] - other[1]).abs() < 2.0 * half
            };
            if !all.iter().enumerate().any(|(n, other)| n != own && touches(other)) {
                all[own] = to;
            }
        }
        hall.crowd.steer(ids[own], SPEED);
        hall.crowd.set_driven_position(ids[own], all[own][0], all[own][1], STEP);
    }
}

/// Physics shapes are often larger than the discs that the crowd knows of.
#[test]
fn boxes_that_hold_each_other_before_a_gate_take_turns() {
    for seed in 0..12 {
        let mut hall = gate(2);
        let field = hall.field(2, &[Cell::new(50, 14)], 0);
        let mut rng = Rng::new(seed);
        let ids: Vec<u32> = (0..6)
            .map(|n| {
                let cell =
                    Cell::new(14 + n % 2 * 5 + rng.pick(&[0, 1, 2]), 6 + n / 2 * 6 + rng.pick(&[0, 1, 2]));
                hall.add_driven(cell, 2, Some(field))
            })
            .collect();
        let through = |hall: &Hall| hall.crowd.views_unordered().filter(|view| view.x > 33.0).count();
        let ticks = (0..60 * 60).find(|_| {
            drive_boxes(&mut hall, &ids, 0.9375);
            through(&hall) == 6
        });
        println!("seed {seed}: {:?} s", ticks.map(|ticks| f64::from(ticks) * STEP));
        assert!(ticks.is_some(), "seed {seed}: {} of 6 are through", through(&hall));
    }
}

/// A wall leaves it no way to the side: it falls back until there is room to pass.
#[test]
fn a_fast_body_does_not_press_past_a_slow_one_between_walls() {
    for step in [STEP, 3.0 * STEP] {
        let mut walls = Walls::filled(60, 30, true);
        walls.fill(1, 10, 58, 3, false);
        let mut hall = Hall::new(walls.into_terrain(Cell::default()));
        let [small, large] = [1, 3].map(|side| hall.field(side, &[Cell::new(50, 10)], 0));
        // They overlap at first, as those do that come through a door together.
        let ids = [
            hall.add_driven(Cell::new(10, 10), 3, Some(large)),
            hall.add_driven(Cell::new(10, 12), 1, Some(small)),
        ];
        let mut overlap = 0.0;
        for _ in 0..(5.0 / step) as u32 {
            hall.drive_each(&[(ids[0], 3.2), (ids[1], 6.5)], step);
            overlap += step * hall.overlaps(|_| true, |_| true).into_iter().map(f64::from).sum::<f64>();
        }
        assert!(overlap < 0.12, "{overlap} of its radius for a second");
    }
}
