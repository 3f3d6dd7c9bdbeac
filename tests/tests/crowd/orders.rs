//! What agents are told on their way: how fast, how large, to wait, to be elsewhere, to fly; and when a group
//! is there.

use pathforge_core::crowd::{AgentState, AgentView, Crowd};
use pathforge_core::geometry::{Cell, CellRect};
use pathforge_tests::hall::{Hall, walks};
use pathforge_tests::maps::Walls;

const STEP: f64 = 1.0 / 60.0;

/// An open field with a wall at the right, and one agent on its way from left to right.
fn field_with_one() -> (Hall, u32) {
    let mut walls = Walls::filled(60, 20, false);
    walls.fill(50, 0, 10, 20, true);
    let mut hall = Hall::new(walls.into_terrain(Cell::default()));
    let field = hall.field(1, &[Cell::new(40, 10)], 0);
    let id = hall.add(Cell::new(5, 10), 1, 4.0, Some(field)).expect("room");
    (hall, id)
}

fn steps(hall: &mut Hall, count: usize) {
    (0..count).for_each(|_| drop(hall.step(STEP)));
}

fn view(hall: &mut Hall, id: u32) -> AgentView {
    hall.crowd.view(id).expect("it is there")
}

#[test]
fn speed_and_radius_count_from_the_next_step() {
    let (mut hall, id) = field_with_one();
    assert!(hall.crowd.set_speed(id, 8.0) && hall.crowd.set_radius(id, 0.3));
    steps(&mut hall, 60);
    let agent = view(&mut hall, id);
    assert!(agent.x > 12.5 && agent.x < 14.5, "{agent:?}");
    assert!((agent.radius - 0.3).abs() < 1e-6);
    for bad in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert!(!hall.crowd.set_speed(id, bad) && !hall.crowd.set_radius(id, bad), "{bad}");
    }
    assert!(!hall.crowd.set_speed(99, 1.0) && !hall.crowd.set_radius(99, 0.4));
}

#[test]
fn one_that_is_paused_stands_and_goes_on_afterwards() {
    let (mut hall, id) = field_with_one();
    steps(&mut hall, 30);
    assert!(hall.crowd.set_paused(id, true) && hall.crowd.is_paused(id));
    steps(&mut hall, 1);
    let before = view(&mut hall, id);
    steps(&mut hall, 600);
    let after = view(&mut hall, id);
    assert!((before.x - after.x).abs() < 1e-6 && after.state == AgentState::Moving, "{after:?}");
    assert!(hall.crowd.set_paused(id, false));
    steps(&mut hall, 600);
    assert_eq!(view(&mut hall, id).state, AgentState::Arrived);
}

#[test]
fn one_that_is_put_elsewhere_stands_on_the_nearest_placement_and_goes_on() {
    let (mut hall, id) = field_with_one();
    let put =
        |hall: &mut Hall, id, x, y| hall.with_ground(|crowd, ground| crowd.set_position(id, x, y, ground));
    assert_eq!(put(&mut hall, id, 30.25, 5.5), Some((30.25, 5.5)));
    // In the wall: the nearest cell before it.
    assert_eq!(put(&mut hall, id, 55.5, 8.5), Some((49.5, 8.5)));
    assert_eq!(put(&mut hall, id, f64::NAN, 8.5), None);
    assert_eq!(put(&mut hall, 99, 5.5, 8.5), None);
    steps(&mut hall, 600);
    let agent = view(&mut hall, id);
    assert_eq!(agent.state, AgentState::Arrived);
    // An agent that has arrived stays where it is put.
    assert_eq!(put(&mut hall, id, 20.5, 3.5), Some((20.5, 3.5)));
    steps(&mut hall, 120);
    let agent = view(&mut hall, id);
    assert!(agent.state == AgentState::Arrived && (agent.x - 20.5).abs() < 0.05, "{agent:?}");
    hall.edit(|terrain| {
        terrain.fill_solid(CellRect::new(0, 0, 60, 20), true);
    });
    assert_eq!(put(&mut hall, id, 20.5, 3.5), None);
}

#[test]
fn one_that_is_thrown_flies_up_to_the_wall_and_goes_on_or_back() {
    let (mut hall, id) = field_with_one();
    steps(&mut hall, 600);
    let home = view(&mut hall, id);
    assert_eq!(home.state, AgentState::Arrived);
    assert!(hall.crowd.throw(id, [30.0, 0.0], 0.5));
    steps(&mut hall, 20);
    let flying = view(&mut hall, id);
    assert!(flying.x > 48.0 && flying.x < 50.0 && hall.in_a_wall().is_none(), "{flying:?}");
    assert_eq!(flying.state, AgentState::Arrived, "it counts as arrived whatever throws it");
    steps(&mut hall, 300);
    let back = view(&mut hall, id);
    assert!((back.x - home.x).abs() < 0.3, "{back:?}");
    assert!(!hall.crowd.throw(id, [f32::NAN, 0.0], 0.5) && !hall.crowd.throw(id, [1.0, 0.0], -1.0));
    assert!(!hall.crowd.throw(99, [1.0, 0.0], 0.5));
}

/// Two that meet head-on: the one of the higher class keeps its line.
#[test]
fn the_higher_class_goes_first() {
    for first in [0, 1] {
        let mut hall = Hall::new(Walls::filled(40, 21, false).into_terrain(Cell::default()));
        let east = hall.field(1, &[Cell::new(38, 10)], 0);
        let west = hall.field(1, &[Cell::new(1, 10)], 1);
        let ids = [(5, east), (33, west)]
            .map(|(x, field)| hall.add(Cell::new(x, 10), 1, 4.0, Some(field)).expect("room"));
        assert!(hall.crowd.set_priority(ids[first], 1.0) && hall.crowd.set_priority(ids[1 - first], 0.0));
        let mut off = [0.0_f64; 2];
        for _ in 0..60 * 12 {
            hall.step(STEP);
            for (off, id) in off.iter_mut().zip(ids) {
                *off = off.max((view(&mut hall, id).y - 10.5).abs());
            }
        }
        assert!(off[first] < off[1 - first] * 0.6, "{off:?}");
        assert_eq!(hall.states()[AgentState::Arrived as usize], 2);
    }
}

#[test]
fn a_group_is_told_once_when_all_are_there_that_can() {
    let mut walls = Walls::filled(50, 20, false);
    walls.fill(5, 0, 1, 20, true);
    let mut hall = Hall::new(walls.into_terrain(Cell::default()));
    let field = hall.field(1, &[Cell::new(40, 10)], 7);
    for n in 0..10 {
        hall.add(Cell::new(10 + n, 10), 1, 4.0, Some(field)).expect("room");
    }
    // It cannot get there.
    hall.add(Cell::new(1, 1), 1, 4.0, Some(field)).expect("room");
    let mut saved: Option<Crowd> = None;
    let mut told = Vec::new();
    for tick in 0..60 * 30 {
        let news = hall.step(STEP);
        told.extend(news.groups.iter().map(|news| (tick, news.group)));
        if tick == 60 {
            saved = Some(Crowd::from_bytes(&hall.crowd.to_bytes()).expect("what was saved"));
        }
    }
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0].1, 7);
    assert_eq!(hall.states()[AgentState::Arrived as usize], 10);
    hall.crowd = saved.expect("it was saved");
    let again = (61..60 * 30).find(|_| !hall.step(STEP).groups.is_empty());
    assert_eq!(again, Some(told[0].0), "a saved crowd tells at the same time");
}

/// A body is as long on its way as the costs of its path say: the most expensive cell under it counts.
#[test]
fn weights_slow_agents_by_what_a_step_costs() {
    for (side, middle) in [(1, 20.0), (2, 21.0), (3, 22.0)] {
        for is_driven in [false, true] {
            let mut walls = Walls::filled(60, 9, false).into_terrain(Cell::default());
            walls.fill_weight(CellRect::new(20, 0, 20, 9), 4.0).expect("a weight");
            let mut hall = Hall::new(walls);
            hall.slow();
            let field = hall.field(side, &[Cell::new(50, 3)], 0);
            let start = Cell::new(5, 3);
            let id = if is_driven {
                hall.add_driven(start, side, Some(field))
            } else {
                hall.add(start, side, 5.0, Some(field)).expect("there is room")
            };
            let mut seconds = 0.0;
            while hall.crowd.view(id).is_some_and(|view| walks(&view)) && seconds < 60.0 {
                if is_driven {
                    hall.drive(&[id], 5.0, STEP)
                } else {
                    hall.step(STEP)
                };
                seconds += STEP;
            }
            let wanted = (45.0 - middle + 4.0 * middle) / 5.0;
            assert!(
                (seconds - wanted).abs() < 1.0,
                "{side} cells, driven {is_driven}: {seconds} s, not {wanted}"
            );
            assert_eq!(hall.crowd.view(id).map(|view| view.state), Some(AgentState::Arrived));
        }
    }
}

#[test]
fn that_none_of_a_group_comes_nearer_is_told_once_and_that_they_are_there_later() {
    let mut walls = Walls::filled(30, 3, true);
    walls.fill(0, 1, 30, 1, false);
    let mut hall = Hall::new(walls.into_terrain(Cell::default()));
    hall.crowd.settings_mut().frees_stuck = false;
    let field = hall.field(1, &[Cell::new(27, 1)], 0);
    let holder = hall.add(Cell::new(15, 1), 1, 4.0, None).expect("room");
    assert!(hall.crowd.set_paused(holder, true));
    for x in [3, 5, 7] {
        hall.add(Cell::new(x, 1), 1, 4.0, Some(field)).expect("room");
    }
    let told = |hall: &mut Hall| {
        let news = (0..60 * 90).flat_map(|_| hall.step(STEP).groups);
        news.map(|news| (news.arrived, news.blocked)).collect::<Vec<_>>()
    };
    assert_eq!(told(&mut hall), [(0, 3)], "while one holds the lane");
    hall.crowd.remove(&[holder]);
    assert_eq!(told(&mut hall), [(3, 0)]);
}
