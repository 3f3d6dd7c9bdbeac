//! Reports of groups are true: agents that report *arrived* are in the room that their group fills.

use pathforge_core::crowd::AgentState;
use pathforge_core::geometry::Cell;
use pathforge_tests::hall::Hall;
use pathforge_tests::maps;
use pathforge_tests::rng::Rng;
use pathforge_tests::scenes::Scene;
use pathforge_tests::truth::Truth;

use crate::is_long;

/// Of a hundred agents that report *arrived*, this many may be beyond 1.3 of the rim.
const FALSE_MAX: usize = 1;

#[test]
fn those_that_are_told_as_arrived_are_there() {
    let seeds = if is_long() { 1..5 } else { 1..2 };
    for seed in seeds {
        let terrain = maps::city(&mut Rng::new(seed), 140, 90).into_terrain(Cell::default());
        let mut truth = Truth::new(terrain, seed, 600);
        for order in 0..3 {
            let told = truth.order(200.0);
            println!("city {seed}, order {order}: {told:?}");
            assert!(told.falsely * 100 <= told.arrived * FALSE_MAX, "city {seed}, order {order}: {told:?}");
            assert_eq!(told.taken_back, 0, "city {seed}, order {order}: {told:?}");
        }
    }
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
    assert!((40..80).contains(&beyond), "{beyond} of 120 are beyond the goal");
}

/// The bound follows from the map: of two gates, the one half as wide takes twice as long. All that have to
/// pass are through by then.
#[test]
fn a_group_is_told_by_when_the_gates_on_its_ways_let_it_through() {
    let [narrow, wide] = [4, 8].map(|gate| {
        let row = |y: i32| {
            let is_open = (16 - gate / 2..16 + gate / 2).contains(&y);
            format!("{}{}{}", ".".repeat(70), if is_open { '.' } else { '#' }, ".".repeat(9))
        };
        let rows: Vec<String> = (0..32).map(row).collect();
        let terrain = Hall::draw(&rows.join("\n")).terrain;
        let mut truth = Truth::new(terrain, 1, 200);
        truth.send(Cell::new(76, 16));
        let gate = truth.sent().gate();
        let told = truth.watch(0.0);
        println!("gate of {gate} s, {told:?}");
        assert!(told.seconds[3].is_some_and(|last| last <= told.bound), "{told:?}");
        gate
    });
    assert!((1.8..2.2).contains(&(narrow / wide)), "{narrow} and {wide}");
}

/// In a city whose crowd is sent elsewhere three times, some walk to and fro, or at full speed against an
/// agent that pushes them back.
#[test]
fn one_that_is_told_as_moving_moves() {
    for seed in [3, 5] {
        let seen = Scene::new(6, seed).watch(60);
        assert!(seen.on_one_spot <= 3.0, "sent anew {seed}: {seen:?}");
    }
}
