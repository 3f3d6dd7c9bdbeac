//! Exits, corridors and lanes.

use pathforge_core::crowd::AgentState;
use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::terrain::Terrain;
use pathforge_tests::hall::{Hall, percentile, walks};
use pathforge_tests::halls::{Sizes, corridor, exit};

use crate::is_long;

const STEP: f64 = 1.0 / 60.0;

/// Agents that pass the exit leave; returns how many pass a second, and the overlap below which 99.9 % of
/// walking agents stay.
fn through_the_exit(seed: u64, sizes: Sizes, count: usize) -> (f64, f32) {
    let mut hall = exit(seed, sizes, count);
    let all = hall.crowd.len();
    let (mut first, mut last, mut overlaps) = (0.0, 0.0, Vec::new());
    for tick in 0..60 * 300 {
        hall.step(STEP);
        if tick % 10 == 0 {
            overlaps.extend(hall.overlaps(walks, walks));
            assert_eq!(hall.in_a_wall(), None);
        }
        let gone: Vec<u32> = hall.crowd.views_unordered().filter(|v| v.x > 70.0).map(|v| v.id).collect();
        if hall.crowd.remove(&gone) > 0 {
            last = f64::from(tick) * STEP;
            if first == 0.0 {
                first = last;
            }
        }
        if hall.crowd.is_empty() {
            break;
        }
    }
    assert!(hall.crowd.is_empty(), "seed {seed}: {:?} are left", hall.states());
    (all as f64 / (last - first), percentile(&mut overlaps, 0.999))
}

#[test]
fn an_exit_of_three_cells_lets_many_through() {
    let (seeds, count) = if is_long() { (5, 600) } else { (1, 120) };
    for seed in 0..seeds {
        let (rate, overlap) = through_the_exit(seed, Sizes::Small, count);
        println!("small, seed {seed}: {rate:.1} a second, overlap {overlap:.3}");
        assert!(rate >= 6.0, "seed {seed}: {rate} a second");
        assert!(overlap <= 0.13, "seed {seed}: overlap {overlap}");
        let (rate, overlap) = through_the_exit(seed, Sizes::Mixed, count / 2);
        println!("mixed, seed {seed}: {rate:.1} a second, overlap {overlap:.3}");
        // Bodies of three cells need all of the exit, and come last. The goal is 3 a second.
        assert!(rate >= 2.0, "seed {seed}: {rate} a second");
        assert!(overlap <= 0.13, "seed {seed}: overlap {overlap}");
    }
}

/// Steps until all agents are on the other side; returns after how many seconds, and the part of them that
/// had passed after `look_after`.
fn through_the_corridor(hall: &mut Hall, length: i32, seconds: u32, look_after: u32) -> (Option<f64>, f64) {
    let all = hall.crowd.len();
    let mut part = 1.0;
    for tick in 0..60 * seconds {
        hall.step(STEP);
        if tick % 10 == 0 {
            assert_eq!(hall.in_a_wall(), None);
        }
        let goes_east = |field: Option<u32>| field.is_some_and(|field| field < 3);
        let is_there = |x: f64, east: bool| if east { x > f64::from(40 + length) } else { x < 40.0 };
        let passed = hall.crowd.views_unordered().filter(|v| is_there(v.x, goes_east(v.field))).count();
        if tick == look_after * 60 {
            part = passed as f64 / all as f64;
        }
        if passed == all {
            return (Some(f64::from(tick) * STEP), part);
        }
    }
    (None, part)
}

#[test]
fn a_jam_is_where_many_press_and_nobody_walks() {
    let mut hall = exit(1, Sizes::Small, 400);
    let jammed = |hall: &Hall| -> Vec<usize> {
        let jams = hall.crowd.jams(100, 61, 4);
        assert_eq!(jams.len(), 25 * 16);
        (0..jams.len()).filter(|&tile| jams[tile] > 0.3).collect()
    };
    hall.step(STEP);
    (0..60 * 12).for_each(|_| drop(hall.step(STEP)));
    let tiles = jammed(&hall);
    // Before the exit, which is at (60, 30); not behind it.
    assert!(tiles.contains(&(7 * 25 + 14)), "{tiles:?}");
    assert!(tiles.iter().all(|tile| tile % 25 < 15), "{tiles:?}");
    hall.crowd.stop(&hall.crowd.clone().ids().collect::<Vec<_>>());
    hall.step(STEP);
    assert!(jammed(&hall).is_empty(), "a resting agent blocks no other for long");
}

#[test]
fn two_crowds_pass_in_a_wide_corridor() {
    let (seeds, small, mixed) = if is_long() { (5, 200, 80) } else { (1, 60, 25) };
    for seed in 0..seeds {
        for (sizes, count) in [(Sizes::Small, small), (Sizes::Mixed, mixed)] {
            let mut hall = corridor(seed, 12, 40, count, sizes);
            let (_, part) = through_the_corridor(&mut hall, 40, 61, 60);
            println!("{sizes:?}, seed {seed}: {:.1} % after a minute", part * 100.0);
            assert!(part >= 0.95, "seed {seed}, {sizes:?}: {part} after a minute");
        }
    }
}

#[test]
fn opposing_traffic_in_a_corridor_of_one_cell_resolves_itself() {
    let (seeds, count) = if is_long() { (5, 20) } else { (1, 8) };
    for seed in 0..seeds {
        for length in [2, 20] {
            let mut hall = corridor(seed, 1, length, count, Sizes::Small);
            let (time, _) = through_the_corridor(&mut hall, length, 600, 0);
            println!("length {length}, seed {seed}: after {time:?} s");
            let left: Vec<_> = hall.crowd.views().filter(walks).collect();
            assert!(time.is_some(), "seed {seed}, length {length}: {:?}, {left:?}", hall.states());
        }
    }
}

/// Eighty bodies of three cells queue at a gate that closes for a while and opens again.
#[test]
fn a_queue_whose_gate_was_closed_for_a_while_does_not_walk_through_itself() {
    let gate = |open: bool| {
        move |terrain: &mut Terrain| {
            terrain.fill_solid(CellRect::new(40, 16, 2, 8), !open);
        }
    };
    let mut terrain = Terrain::new(CellRect::new(0, 0, 80, 40)).expect("a map");
    terrain.fill_solid(CellRect::new(40, 0, 2, 40), true);
    gate(true)(&mut terrain);
    let mut hall = Hall::new(terrain);
    let goals = [Cell::new(65, 20)];
    let field = hall.field(3, &goals, 1);
    for n in 0..80 {
        hall.add(Cell::new(3 + n % 8 * 3, 5 + n / 8 * 3), 3, 5.0, Some(field)).expect("room");
    }
    let mut deepest = 0.0_f32;
    for tick in 0..60 * 60 {
        if tick == 300 || tick == 480 {
            hall.edit(gate(tick == 480));
            hall.rebuild_field(field, 3, &goals);
        }
        hall.step(STEP);
        // Agents in the gate step out among the others when it closes.
        if tick % 10 == 0 && !(300..360).contains(&tick) {
            deepest = hall.overlaps(|_| true, |_| true).into_iter().fold(deepest, f32::max);
        }
    }
    assert!(deepest <= 0.2, "they overlap by {deepest} of the smaller radius");
    assert_eq!(hall.states()[AgentState::Arrived as usize], 80, "{:?}", hall.states());
}
