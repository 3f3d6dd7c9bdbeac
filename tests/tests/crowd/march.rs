//! Groups on the march keep their shape, narrow in front of a gate and widen behind it.

use pathforge_core::crowd::{AgentState, Crowd, MarchShape};
use pathforge_core::geometry::Cell;
use pathforge_core::world::Profile;
use pathforge_tests::game::Game;
use pathforge_tests::hall::{Hall, walks};
use pathforge_tests::maps::Walls;
use pathforge_tests::rng::Rng;

use crate::is_long;

const STEP: f64 = 1.0 / 60.0;

/// A field of 80 × 40 cells; with a wall in the middle that has a gate of so many cells.
fn hall(gate: Option<i32>) -> Hall {
    let mut walls = Walls::filled(80, 40, false);
    if let Some(height) = gate {
        walls.fill(40, 0, 2, 40, true);
        walls.fill(40, 20 - height / 2, 2, height, false);
    }
    Hall::new(walls.into_terrain(Cell::default()))
}

fn squad(hall: &mut Hall, count: i32, side: impl Fn(i32) -> i32) -> Vec<u32> {
    let add = |n| {
        let cell = Cell::new(6 + n % 5 * 3, 12 + n / 5 * 3);
        hall.add(cell, side(n), 4.0, None).expect("room")
    };
    (0..count).map(add).collect()
}

/// How wide and how deep the group is, in cells: the greater part along y, and along x.
fn extent(crowd: &Crowd, ids: &[u32]) -> (f64, f64) {
    let of = |at: fn(f64, f64) -> f64| {
        let all: Vec<f64> = crowd
            .views_unordered()
            .filter(|view| ids.contains(&view.id))
            .map(|view| at(view.x, view.y))
            .collect();
        all.iter().copied().fold(f64::MIN, f64::max) - all.iter().copied().fold(f64::MAX, f64::min)
    };
    (of(|_, y| y), of(|x, _| x))
}

fn middle(crowd: &Crowd) -> f64 {
    crowd.views_unordered().map(|view| view.x).sum::<f64>() / crowd.len() as f64
}

/// Steps until the middle of all is at `x`; returns the deepest overlap on the way.
fn until(hall: &mut Hall, x: f64) -> f32 {
    let mut deepest = 0.0_f32;
    for tick in 0..60 * 90 {
        hall.step(STEP);
        if tick % 10 == 0 {
            assert_eq!(hall.in_a_wall(), None);
            deepest = hall.overlaps(|_| true, |_| true).into_iter().fold(deepest, f32::max);
        }
        if middle(&hall.crowd) >= x {
            return deepest;
        }
    }
    panic!("it gets stuck at {}", middle(&hall.crowd));
}

fn until_all_rest(hall: &mut Hall) -> Vec<u32> {
    let mut groups = Vec::new();
    for _ in 0..60 * 60 {
        groups.extend(hall.step(STEP).groups.iter().map(|news| news.group));
        if !hall.crowd.views_unordered().any(|view| walks(&view)) && !groups.is_empty() {
            return groups;
        }
    }
    panic!("it never rests: {:?}", hall.states());
}

#[test]
fn a_group_keeps_its_shape_in_the_open() {
    // 20 agents, 0.8 wide: a pitch of 1.04 cells.
    for (shape, width, depth) in [
        (MarchShape::Block, 4.0 * 1.04, 3.0 * 1.04),
        (MarchShape::Column, 1.04, 9.0 * 1.04),
        (MarchShape::Wedge, 4.0 * 1.04, 5.0 * 1.04),
    ] {
        let mut hall = hall(None);
        let ids = squad(&mut hall, 20, |_| 1);
        let path = [[12.5, 18.5], [64.5, 18.5]];
        assert_eq!(hall.crowd.assign_march(&ids, &path, 3, shape), 20);
        let mut deepest = 0.0;
        for x in [42.0, 48.0, 54.0] {
            deepest = f32::max(deepest, until(&mut hall, x));
            let (w, d) = extent(&hall.crowd, &ids);
            println!("{shape:?} at {x}: {w:.2} wide, {d:.2} deep, overlap {deepest:.3}");
            assert!((w - width).abs() < 0.5, "{shape:?} at {x}: {w} wide, {width} asked");
            assert!((d - depth).abs() < 0.8, "{shape:?} at {x}: {d} deep, {depth} asked");
        }
        assert_eq!(until_all_rest(&mut hall), [3], "told of once");
        assert_eq!(hall.states()[AgentState::Arrived as usize], 20);
        let (w, d) = extent(&hall.crowd, &ids);
        assert!((w - width).abs() < 0.2 && (d - depth).abs() < 0.2, "{shape:?} at its end: {w} × {d}");
        assert!((middle(&hall.crowd) - 64.5).abs() < 1.5, "{}", middle(&hall.crowd));
        assert!(deepest <= 0.1, "{deepest}");
    }
}

#[test]
fn a_block_gets_through_a_gate_and_is_a_block_again() {
    for (gate, sides) in [(2, 1), (4, 1), (4, 2)] {
        let mut hall = hall(Some(gate));
        let ids = squad(&mut hall, 30, |n| 1 + n % sides);
        let path = [[12.5, 20.0], [30.0, 20.0], [52.0, 20.0], [68.0, 20.0]];
        hall.crowd.assign_march(&ids, &path, 0, MarchShape::Block);
        let deepest = until(&mut hall, 41.0);
        let (w, d) = extent(&hall.crowd, &ids);
        println!(
            "gate {gate}, bodies up to {sides}: {w:.2} wide and {d:.2} deep in it, overlap {deepest:.3}"
        );
        assert_eq!(until_all_rest(&mut hall).len(), 1);
        assert_eq!(hall.states()[AgentState::Arrived as usize], 30, "{:?}", hall.states());
        let (w, d) = extent(&hall.crowd, &ids);
        println!("  {w:.2} × {d:.2} at the end");
        let pitch = 1.3 * 2.0 * f64::from(Hall::radius(sides));
        assert!((w - 5.0 * pitch).abs() < 0.5 && (d - 4.0 * pitch).abs() < 0.5, "{w} × {d}");
        assert!(deepest <= 0.2, "{deepest}");
    }
}

#[test]
fn a_march_that_was_saved_goes_on_as_if_nothing_had_been() {
    let mut hall = hall(Some(3));
    let ids = squad(&mut hall, 24, |n| 1 + n % 2);
    hall.crowd.assign_march(&ids, &[[12.5, 20.0], [60.0, 20.0]], 0, MarchShape::Wedge);
    for part in 0..20 {
        let bytes = hall.crowd.to_bytes();
        let mut other = hall.clone();
        other.crowd = Crowd::from_bytes(&bytes).expect("a crowd");
        for _ in 0..60 {
            hall.step(STEP);
            other.step(STEP);
        }
        assert_eq!(hall.crowd.state_hash(), other.crowd.state_hash(), "after {part} seconds");
    }
}

#[test]
fn those_that_are_told_something_else_leave_the_march() {
    let mut hall = hall(None);
    let ids = squad(&mut hall, 9, |_| 1);
    hall.crowd.assign_march(&ids, &[[12.5, 16.5], [60.0, 16.5]], 0, MarchShape::Block);
    (0..120).for_each(|_| drop(hall.step(STEP)));
    hall.crowd.stop(&ids[..3]);
    hall.crowd.remove(&ids[3..6]);
    until_all_rest(&mut hall);
    let far = hall.crowd.views().filter(|view| view.x > 55.0).count();
    assert_eq!((far, hall.crowd.len()), (3, 6), "three went on, three stayed");
    assert_eq!(hall.crowd.assign_march(&ids, &[], 0, MarchShape::Block), 6, "without a path they stop");
    assert_eq!(hall.crowd.assign_march(&[99], &[[1.0, 1.0]], 0, MarchShape::Block), 0, "there is none");
    assert_eq!(
        hall.crowd.assign_march(&ids[..1], &[[20.0, 20.0]], 0, MarchShape::Block),
        1,
        "a path of one place"
    );
    until_all_rest(&mut hall);
    let view = hall.crowd.view(ids[0]).expect("it is there");
    assert!((view.x - 20.0).hypot(view.y - 20.0) < 0.1, "{view:?}");
}

/// The map of the lesson on marches, with its thirty agents.
fn lesson() -> (Game, Vec<u32>) {
    let mut walls = Walls::filled(40, 20, false);
    walls.fill(20, 0, 1, 20, true);
    walls.fill(20, 8, 1, 3, false);
    let mut game = Game::new(walls.into_terrain(Cell::default()));
    let profile = Profile::default();
    let add = |n| game.add(Cell::new(3 + n % 5, 6 + n / 5), &profile, 110.0 / 32.0).expect("room");
    let ids = (0..30).map(add).collect();
    (game, ids)
}

/// Each march begins where the one before has ended, its agents perhaps on both sides of the wall.
#[test]
fn all_of_a_march_come_to_their_slots() {
    let (mut game, ids) = lesson();
    let mut rng = Rng::new(20);
    let region = game.world.terrain().region();
    let cells: Vec<Cell> = region.cells().filter(|&cell| !game.world.terrain().is_solid(cell)).collect();
    for order in 0..if is_long() { 200 } else { 40 } {
        let cell = rng.pick(&cells);
        // As far from the goal as the shape is deep, or a little more where walls move slots together.
        let (shape, depth) =
            rng.pick(&[(MarchShape::Block, 12.0), (MarchShape::Column, 20.0), (MarchShape::Wedge, 12.0)]);
        game.march(&ids, cell, shape);
        let mut told = Vec::new();
        let ticks = (1..60 * 60).find(|_| {
            told = game.step().groups;
            !told.is_empty()
        });
        // Agents that stepped aside for the last come back.
        (0..15 * 60).for_each(|_| drop(game.step()));
        let context = format!("order {order}, {shape:?} to {cell:?}, told {told:?} after {ticks:?} ticks");
        assert_eq!(
            told.iter().map(|news| (news.arrived, news.blocked)).collect::<Vec<_>>(),
            [(30, 0)],
            "{context}"
        );
        for &id in &ids {
            let trace = game.crowd.trace(id).expect("it is there");
            let ([x, y], view) = (trace.place.expect("its slot"), trace.view);
            let context = format!("{context}: {id} at ({:.1}, {:.1}), {trace}", view.x, view.y);
            assert_eq!(view.state, AgentState::Arrived, "{context}");
            assert!((x - view.x).hypot(y - view.y) < 0.5, "{context}: its slot is at ({x:.1}, {y:.1})");
            let (x, y) = (f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5);
            assert!((x - view.x).hypot(y - view.y) < depth, "{context}");
        }
    }
}

/// The front has no room beyond the goal: the column ends behind it, two abreast.
#[test]
fn a_column_before_a_wall_ends_as_a_column() {
    let mut hall = hall(None);
    let ids = squad(&mut hall, 20, |_| 1);
    hall.crowd.assign_march(&ids, &[[12.5, 18.5], [78.5, 18.5]], 0, MarchShape::Column);
    until_all_rest(&mut hall);
    let (w, d) = extent(&hall.crowd, &ids);
    assert!((w - 1.04).abs() < 0.2 && (d - 9.0 * 1.04).abs() < 0.5, "{w} × {d}");
}

/// A body that is paused in the only gate holds a march, or a formation. No agent counts as arrived before
/// it, and all arrive when it has gone.
#[test]
fn those_before_a_held_gate_are_not_there_and_come_when_it_is_free() {
    for (is_driven, is_march) in [(false, true), (true, true), (false, false), (true, false)] {
        let context = format!("driven {is_driven}, a march {is_march}");
        let mut hall = hall(Some(3));
        hall.crowd.settings_mut().frees_stuck = false;
        let holder = hall.add(Cell::new(40, 19), 3, 4.0, None).expect("room");
        assert!(hall.crowd.set_paused(holder, true));
        let ids: Vec<u32> = if is_driven {
            (0..12).map(|n| hall.add_driven(Cell::new(6 + n % 4 * 4, 12 + n / 4 * 4), 1, None)).collect()
        } else {
            squad(&mut hall, 12, |_| 1)
        };
        let goal = [60.5, 20.5];
        if is_march {
            let path = [[12.0, 16.0], [38.5, 20.5], [43.5, 20.5], goal];
            hall.crowd.assign_march(&ids, &path, 7, MarchShape::Block);
        } else {
            let field = hall.field(1, &[Cell::new(60, 20)], 7);
            let place = |n: i32| [goal[0] + f64::from(n % 4) * 1.5, goal[1] + f64::from(n / 4) * 1.5];
            let places: Vec<[f64; 2]> = (0..12).map(place).collect();
            hall.crowd.assign_field(&ids, field);
            hall.crowd.assign_places(&ids, &places);
        }
        let steps = |hall: &mut Hall, seconds: u32| {
            (0..60 * seconds)
                .for_each(|_| drop(if is_driven { hall.drive(&ids, 4.0, STEP) } else { hall.step(STEP) }));
            let states = ids.iter().map(|&id| hall.crowd.view(id).expect("it is there"));
            states.filter(|view| view.state == AgentState::Arrived).map(|view| view.x).collect::<Vec<f64>>()
        };
        assert_eq!(steps(&mut hall, 120), [0.0; 0], "{context}: none is there");
        hall.crowd.remove(&[holder]);
        let arrived = steps(&mut hall, 40);
        assert!(arrived.len() == 12 && arrived.iter().all(|&x| x > 55.0), "{context}: {arrived:.1?}");
    }
}

/// An agent that is ahead of its place, and does not see it, waits for the others: the front does not wait
/// for it.
#[test]
fn a_march_does_not_crawl_for_one_that_is_ahead() {
    for gap in [30, 47] {
        let mut hall = hall(None);
        let ahead = hall.add(Cell::new(8, 5), 1, 6.0, None).expect("room");
        let behind = hall.add(Cell::new(8 + gap, 5), 1, 6.0, None).expect("room");
        let path = [[f64::from(gap) + 8.5, 5.5], [8.5, 5.5]];
        hall.crowd.assign_march(&[ahead, behind], &path, 7, MarchShape::Block);
        let told = (0..60 * 60).position(|_| !hall.step(STEP).groups.is_empty());
        let seconds = told.expect("they come there") as f64 * STEP;
        let straight = f64::from(gap) / 6.0;
        assert!(seconds <= 2.0 * straight, "{gap} cells: {seconds} s, straight {straight} s");
    }
}
