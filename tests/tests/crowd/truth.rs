//! Reports of groups are true: agents that report *arrived* are in the room that their group fills.

use pathforge_core::crowd::AgentState;
use pathforge_core::geometry::Cell;
use pathforge_tests::hall::Hall;
use pathforge_tests::judge::arena::Arena;
use pathforge_tests::judge::gathering::Group;
use pathforge_tests::judge::{meeting, passing};
use pathforge_tests::maps::Walls;
use pathforge_tests::rng::Rng;

use crate::is_long;

#[test]
fn agents_that_report_arrival_are_there_and_few_that_are_blocked_could_come_nearer() {
    for seed in 0..if is_long() { 8 } else { 2 } {
        let kind = ["city", "alleys"][seed as usize % 2];
        let mut group = Group::new(kind, seed, [80, 54], &[(3, 6), (2, 25), (1, 170)]);
        let verdict = group.judge_orders(2, 200);
        println!("{kind} {seed}: {verdict}");
        assert!(verdict.under_way == 0 && verdict.stuck == 0, "{kind} {seed}: {verdict}");
        assert_eq!(verdict.arrived_falsely, 0, "{kind} {seed}: {verdict}");
        assert!(verdict.blocked_falsely * 100 <= verdict.count, "{kind} {seed}: {verdict}");
    }
}

#[test]
fn a_group_behind_a_wall_that_rises_comes_through_its_gaps() {
    let mut group = Group::new("open", 1, [80, 54], &[(3, 6), (2, 25), (1, 170)]);
    let goal = Cell::new(60, 27);
    group.order(goal);
    group.arena.wait(2);
    let wall = group.wall(goal, 12);
    assert!(!group.build(wall, goal).is_empty(), "there is room for a wall");
    let verdict = group.arena.judge(200);
    println!("{verdict}");
    assert!(verdict.told[3].is_finite() && verdict.under_way == 0, "{verdict}");
    assert_eq!((verdict.arrived_falsely, verdict.blocked_falsely), (0, 0), "{verdict}");
}

#[test]
fn each_of_nine_places_is_taken() {
    let verdict = passing::places(4);
    assert_eq!(verdict.places_empty, Some(0), "{verdict}");
    assert_eq!(verdict.arrived, verdict.count, "{verdict}");
}

/// Small agents stand behind large ones that a gap of two cells holds up. Only agents that got through report
/// *arrived*. This holds also if many agents of the group have no path to the goal: these take none of the
/// room around it.
#[test]
fn those_behind_others_that_cannot_pass_are_blocked() {
    [0, 60].into_iter().for_each(some_are_blocked);
}

fn some_are_blocked(cut_off: i32) {
    let half = ".".repeat(30);
    let gap = |y: i32| if y / 2 == 5 { '.' } else { '#' };
    let rows: Vec<String> = (0..20).map(|y| format!("{half}{}{half}#{}", gap(y), ".".repeat(40))).collect();
    let mut hall = Hall::draw(&rows.join("\n"));
    let goal = Cell::new(50, 10);
    let small = hall.field(1, &[goal], 0);
    // The largest come as near as they can: before the gap.
    let large = hall.field(3, &[Cell::new(27, 9)], 0);
    for n in 0..6 {
        hall.add(Cell::new(18 + n % 2 * 4, 3 + n / 2 * 5), 3, 3.0, Some(large)).expect("it fits");
    }
    for n in 0..12 {
        hall.add(Cell::new(2 + n % 4 * 2, 7 + n / 4 * 2), 1, 4.0, Some(small)).expect("it fits");
    }
    for n in 0..cut_off {
        hall.add(Cell::new(62 + n % 13 * 3, 1 + n / 13 * 3), 3, 3.0, Some(large)).expect("it fits");
    }
    let (mut arrived, mut blocked) = (Vec::new(), Vec::new());
    for _ in 0..60 * 60 {
        let news = hall.step(1.0 / 60.0);
        arrived.extend(news.arrived);
        blocked.extend(news.blocked);
    }
    for view in hall.crowd.views().filter(|view| view.kind == 0) {
        let is_there = (view.x - 50.5).hypot(view.y - 10.5) < 8.0;
        assert_eq!(arrived.contains(&view.id), is_there, "{view:?}");
        assert_eq!(view.state == AgentState::Arrived, is_there, "{view:?}");
    }
    println!("{} arrived, {} blocked, {:?}", arrived.len(), blocked.len(), hall.states());
}

/// All come from one end of a street to a goal in its middle. The first ones walk on beyond it, so that they
/// do not close the way.
#[test]
fn a_group_in_a_street_fills_it_on_both_sides_of_the_goal() {
    let mut hall = Hall::draw(&vec![".".repeat(120); 5].join("\n"));
    let goal = Cell::new(70, 2);
    let fields = [1, 2, 3].map(|side| hall.field(side, &[goal], 0));
    for n in 0..120 {
        let side = [1, 1, 1, 1, 2, 3][n % 6];
        let at = Cell::new(1 + (n / 2) as i32 % 40, 1 + (n % 2) as i32);
        hall.add(at, side, 4.0, Some(fields[side as usize - 1])).expect("it fits");
    }
    let mut walking = Vec::new();
    for _ in 0..60 * 60 {
        if !hall.step(1.0 / 60.0).groups.is_empty() {
            walking.push(hall.crowd.views().filter(|view| view.vx.hypot(view.vy) > 0.3).count());
        }
    }
    assert_eq!(walking, [0], "the group is told once, and when none walks any more");
    let beyond = hall.crowd.views().filter(|view| view.x > 70.5).count();
    let states = hall.states();
    println!("{beyond} beyond the goal, {states:?}");
    assert!(hall.crowd.views().all(|view| view.state == AgentState::Arrived), "{states:?}");
    // About half of them.
    assert!((35..85).contains(&beyond), "{beyond} of 120 are beyond the goal");
}

/// The bound follows from the map: of two gates, the one half as wide takes twice as long. All agents that
/// have to pass are through by then.
#[test]
fn a_group_is_told_by_when_the_gates_on_its_ways_let_it_through() {
    for gate in [4, 8] {
        let mut walls = Walls::filled(80, 32, false);
        walls.fill(70, 0, 1, 32, true);
        walls.fill(70, 16 - gate / 2, 1, gate, false);
        let mut arena = Arena::new(walls);
        let goal = Cell::new(76, 16);
        let ids = arena.scatter(&mut Rng::new(1), arena.region(), &[(3, 10), (2, 30), (1, 130)], None);
        arena.order(&ids, goal);
        arena.find_bound(goal);
        let verdict = arena.judge(300);
        println!("gate of {gate} cells: {verdict}");
        assert!(verdict.late.is_some_and(|late| late <= 1.0), "gate of {gate} cells: {verdict}");
    }
}

/// Some of a crowd that is sent elsewhere again and again walk to and fro, or at full speed against an agent
/// that pushes them back.
#[test]
fn an_agent_that_reports_moving_moves() {
    for seed in [3, 5] {
        let verdict = meeting::anew(seed);
        println!("sent anew {seed}: {verdict}");
        assert!(verdict.on_one_spot <= 3.0, "sent anew {seed}: {verdict}");
    }
}
