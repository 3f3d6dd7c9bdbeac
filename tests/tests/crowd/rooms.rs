//! Groups that gather in rooms: what they are told is true and stays so, and all leave at a goal that takes
//! them in.

use pathforge_core::crowd::{AgentState, AgentView, Crowd};
use pathforge_core::geometry::{Cell, CellRect};
use pathforge_tests::hall::Hall;
use pathforge_tests::judge::{Verdict, meeting, passing};
use pathforge_tests::maps::Walls;

const STEP: f64 = 1.0 / 60.0;

type Play = fn(u64) -> Verdict;

#[test]
fn all_leave_at_a_goal_that_takes_them_in() {
    for seed in 41..if crate::is_long() { 61 } else { 43 } {
        for (name, play) in [("open", passing::swallow as Play), ("a tower", passing::swallow_past_a_tower)] {
            let verdict = play(seed);
            println!("{name} {seed}: {verdict}");
            assert!(verdict.under_way == 0 && verdict.told[3] < 60.0, "{name} {seed}: {verdict}");
        }
    }
}

/// The way through costs far more than the way round, also near the room and where the room is too small.
#[test]
fn a_group_keeps_to_cheap_ground_on_the_way_to_its_room() {
    let mut walls = Walls::filled(60, 24, false).into_terrain(Cell::default());
    let dear = CellRect::new(24, 5, 8, 19);
    walls.fill_weight(dear, 30.0).expect("a weight");
    let mut hall = Hall::new(walls);
    hall.slow();
    let field = hall.field(1, &[Cell::new(44, 12)], 0);
    let ids: Vec<u32> = (0..240)
        .map(|n| hall.add(Cell::new(2 + n / 20, 2 + n % 20), 1, 4.0, Some(field)).expect("room"))
        .collect();
    let is_on_it = |view: &AgentView| {
        let at = Cell::new(view.x.floor() as i32, view.y.floor() as i32);
        // Others push some over the edge.
        at.x > dear.x && at.x < dear.x + dear.w - 1 && at.y > dear.y
    };
    let mut most = 0;
    for _ in 0..60 * 60 {
        hall.step(STEP);
        let views = ids.iter().filter_map(|&id| hall.crowd.view(id));
        most = most.max(views.filter(is_on_it).count());
    }
    assert!(most <= 12, "{most} on dear ground at once");
    assert_eq!(hall.states()[AgentState::Arrived as usize], ids.len());
}

#[test]
fn those_that_are_told_stay() {
    let scenes: [(&str, Play); 3] =
        [("crossing", meeting::crossing), ("lane", meeting::lane), ("exit", meeting::exit)];
    for (name, play) in scenes {
        let verdict = play(41);
        println!("{name}: {verdict}");
        assert_eq!(verdict.arrived, verdict.count, "{name}: {verdict}");
        assert_eq!(verdict.arrived_falsely, 0, "{name}: {verdict}");
        assert!(verdict.moved_on * 100 <= verdict.count, "{name}: {verdict}");
    }
}

#[test]
fn a_room_is_filled_the_same_after_loading_and_on_two_threads() {
    let mut hall = Hall::new(Walls::filled(60, 40, false).into_terrain(Cell::default()));
    let fields = [1, 2].map(|side| hall.field(side, &[Cell::new(45, 20)], 0));
    for n in 0..160 {
        let side = 1 + i32::from(n % 8 == 0);
        let cell = Cell::new(2 + n % 16 * 2, 2 + n / 16 * 3);
        hall.add(cell, side, 4.0, Some(fields[side as usize - 1]));
    }
    for _ in 0..6 {
        (0..157).for_each(|_| drop(hall.step(STEP)));
        let mut copies = [hall.clone(), hall.clone(), hall.clone()];
        copies[1].crowd = Crowd::from_bytes(&hall.crowd.to_bytes()).expect("its own bytes");
        for (copy, threads) in copies.iter_mut().zip([1, 1, 2]) {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            pool.install(|| (0..90).for_each(|_| drop(copy.step(STEP))));
        }
        let [one, saved, threaded] = copies.map(|copy| copy.crowd.state_hash());
        assert_eq!(one, saved, "saved and loaded");
        assert_eq!(one, threaded, "two threads");
    }
    (0..60 * 60).for_each(|_| drop(hall.step(STEP)));
    assert_eq!(hall.states()[AgentState::Arrived as usize], hall.crowd.len(), "{:?}", hall.states());
}
