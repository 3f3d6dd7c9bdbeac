//! What is told of nodes is true: on the map of the demo's first scene, all are sent to one cell after
//! another.

use std::collections::HashMap;

use pathforge_core::crowd::{AgentGuide, AgentState};
use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::walker::Point;
use pathforge_tests::rng::Rng;
use pathforge_tests::town::Town;
use rayon::prelude::*;

/// Each unit that rests is at the end of its way, or others are named that keep it from there. Returns how
/// many are still on their way, and for how many none is named.
fn check_told(town: &mut Town, cell: Cell) -> [usize; 2] {
    // Bodies fill six tenths of the room that they take.
    let (states, reach) = (town.states(), 1.3 * town.reach());
    let [mut under_way, mut unnamed] = [0; 2];
    for (n, state) in states.into_iter().enumerate() {
        let unit = &town.units[n];
        let trace = town.crowd.trace(unit.id).expect("it is there");
        let left = f64::from(trace.left.unwrap_or_default());
        let far = unit.walker.end().map_or(f64::INFINITY, |end| end.distance(unit.position));
        let is_blocked = unit.walker.is_blocked(Some(state));
        let context = format!("{} to {cell:?}, {far:.1} from the end of its way, {state:?}", unit.title);
        // Later bodies may have moved it aside, within the room that all of them fill.
        assert!(!unit.walker.is_finished() || is_blocked || far < reach, "{context}: it is not there");
        if is_blocked {
            // A body that settled beside another may rest up to a body short when that has gone.
            let is_beside = unit.walker.is_finished() && left <= unit.longest;
            let blockage = town.blockage(n).unwrap_or_else(|| panic!("{context}: nothing is in its way"));
            unnamed += usize::from(!is_beside && blockage.by.is_empty());
        } else if !unit.walker.is_finished() {
            under_way += 1;
        }
    }
    [under_way, unnamed]
}

#[test]
fn each_is_there_or_blocked_by_named_others() {
    let orders = 200;
    let mut rng = Rng::new(33);
    let mut town = Town::new();
    let cells = town.open_cells();
    let [mut all_under_way, mut all_unnamed, mut slow] = [0; 3];
    for order in 0..orders {
        let cell = rng.pick(&cells);
        town.send(cell);
        let time = town.rest(150);
        let [under_way, unnamed] = check_told(&mut town, cell);
        println!("order {order} to {cell:?}: {time:?} s, {under_way} under way");
        all_under_way += under_way;
        all_unnamed += unnamed;
        slow += usize::from(time.is_none_or(|seconds| seconds > 60.0));
    }
    // Straight across the map takes a hauler 16 seconds; few jams before a gate last for longer than a
    // minute.
    assert!(slow * 50 <= orders, "{slow} orders took more than a minute");
    // One in 3,000 rests short of the end of its path behind others that have gone on.
    assert!(all_unnamed * 1000 <= orders * town.units.len(), "none is named for {all_unnamed}");
    assert!(all_under_way * 200 <= orders * town.units.len(), "{all_under_way} under way");
}

/// Returns the units that lie at most half a cell apart and of which each wants to where the other is, two
/// and two.
fn head_on(town: &mut Town) -> Vec<(usize, usize)> {
    let mut all = Vec::new();
    for unit in &town.units {
        let view = town.crowd.trace(unit.id).filter(|_| !unit.walker.is_finished());
        let Some((AgentGuide::Path([x, y]), view)) = view.map(|trace| (trace.guide, trace.view)) else {
            all.push(None);
            continue;
        };
        let way = Point::new(x - unit.position.x, y - unit.position.y);
        all.push(Some((unit.position, way, view.half.map(f64::from))));
    }
    let mut pairs = Vec::new();
    for (a, one) in all.iter().enumerate() {
        for (b, other) in all.iter().enumerate().skip(a + 1) {
            let (Some((from, way, half)), Some((to, back, its_half))) = (one, other) else { continue };
            let (dx, dy) = (to.x - from.x, to.y - from.y);
            let is_to = |way: &Point, sign: f64| {
                sign * (way.x * dx + way.y * dy) > 0.3 * dx.hypot(dy) * way.x.hypot(way.y)
            };
            let apart = [dx.abs() - half[0] - its_half[0], dy.abs() - half[1] - its_half[1]];
            if apart.iter().all(|&gap| gap < 0.5) && is_to(way, 1.0) && is_to(back, -1.0) {
                pairs.push((a, b));
            }
        }
    }
    pairs
}

/// With a target each, many meet in streets and on bridges.
#[test]
fn few_hold_each_other_head_on() {
    let holds: usize = (1..7).into_par_iter().map(pairs_head_on).sum();
    println!("{holds} pairs for more than 20 s");
    // If agents turn round before the other has passed, there are 53.
    assert!(holds <= 43, "{holds} pairs hold each other for more than 20 s");
}

/// Returns how many pairs hold each other for more than 20 s in 60 orders.
fn pairs_head_on(seed: u64) -> usize {
    let mut holds = 0;
    let mut rng = Rng::new(seed);
    let mut town = Town::new();
    let cells = town.open_cells();
    for _ in 0..60 {
        (0..town.units.len()).for_each(|index| town.send_one(index, rng.pick(&cells)));
        // For how many quarters of a second each two have been head-on.
        let mut times = HashMap::new();
        for frame in 0..100 * 60 {
            town.frame();
            if frame % 15 == 0 {
                for pair in head_on(&mut town) {
                    *times.entry(pair).or_insert(0) += 1;
                }
            }
        }
        holds += times.values().filter(|&&quarters| quarters > 20 * 4).count();
    }
    holds
}

/// Haulers, as wide as a bridge, are sent across it and back, through streets in which others rest: these
/// make way until a hauler has passed.
#[test]
fn those_at_rest_let_the_widest_pass() {
    let (seeds, mut slow) = (25, 0);
    for seed in 0..seeds {
        let mut rng = Rng::new(seed);
        let mut town = Town::new();
        let cells = town.open_cells();
        let haulers: Vec<usize> =
            (0..town.units.len()).filter(|&n| town.units[n].title.starts_with("hauler")).collect();
        (0..town.units.len()).for_each(|index| town.send_one(index, rng.pick(&cells)));
        town.rest(40);
        for cell in [Cell::new(44, 9), Cell::new(12, 9)].repeat(2) {
            for &hauler in &haulers {
                town.send_one(hauler, cell);
            }
            let is_told = |town: &mut Town| {
                let states = town.states();
                let is_over = |state| matches!(state, AgentState::Blocked | AgentState::Stuck);
                haulers.iter().all(|&n| town.units[n].walker.is_finished() || is_over(states[n]))
            };
            // Straight across the map takes a hauler 16 seconds.
            let frames = (0..30 * 60).take_while(|_| {
                town.frame();
                !is_told(&mut town)
            });
            slow += usize::from(frames.count() == 30 * 60);
            town.rest(30);
        }
    }
    println!("{slow} of {} orders took longer than half a minute", 4 * seeds);
    assert!(slow <= 5, "{slow} of {} orders", 4 * seeds);
}

/// Scouts want past a hauler that has no room to step aside, and to no place of its own: one alone, and two.
#[test]
fn one_without_room_to_step_aside_is_named_by_those_that_want_past() {
    for scouts in [&[0][..], &[0, 3]] {
        let mut town = Town::new();
        let (building, hauler) = (CellRect::new(18, 14, 4, 4), 10);
        // The ways round it are closed.
        for walls in [building, CellRect::new(17, 18, 8, 2), CellRect::new(25, 17, 1, 1)] {
            town.world.terrain_mut().fill_solid(walls, true);
        }
        town.units[hauler].position = Point::new(23.5, 14.4);
        for (&scout, x) in scouts.iter().zip([22.5, 23.3]) {
            town.units[scout].position = Point::new(x, 17.5);
            town.send_one(scout, Cell::new(12, 9));
        }
        town.rest(30).expect("all rest");
        let states = town.states();
        let mut named = Vec::new();
        for &scout in scouts {
            assert_eq!(states[scout], AgentState::Blocked, "{}", town.units[scout].title);
            named.extend(town.blockage(scout).expect("one is in its way").by);
        }
        assert!(named.contains(&town.units[hauler].id), "not it, but {named:?}");
        town.world.terrain_mut().fill_solid(building, false);
        town.send_one(hauler, Cell::new(19, 15));
        town.rest(30).expect("all rest");
        for &scout in scouts {
            let far = town.units[scout].position.distance(Point::new(12.5, 9.5));
            assert!(far < 2.0, "{} goes on, and rests {far} off", town.units[scout].title);
        }
    }
}

/// The other way out of the hall.
const OTHER_DOOR: CellRect = CellRect::new(16, 15, 1, 2);

/// Two want through a doorway of one cell, in which one stands that nothing moves. Returns the town, that one
/// and the two.
fn before_a_door() -> (Town, usize, [usize; 2]) {
    let mut town = Town::new();
    let (stander, scouts) = (0, [3, 4]);
    (town.units[stander].stands, town.units[stander].position) = (true, Point::new(25.5, 17.5));
    for (scout, x) in scouts.into_iter().zip([23.5, 22.5]) {
        town.units[scout].position = Point::new(x, 17.5);
        town.send_one(scout, Cell::new(26, 14));
    }
    (town, stander, scouts)
}

#[test]
fn those_before_one_that_stands_go_round_it() {
    let (mut town, stander, scouts) = before_a_door();
    let mut are_told = false;
    for _ in 0..20 * 60 {
        let blocked = town.frame().blocked;
        are_told |= scouts.iter().any(|&scout| blocked.contains(&town.units[scout].id));
    }
    assert!(!are_told, "they do not stay before it");
    for scout in scouts {
        let unit = &town.units[scout];
        assert!(unit.walker.is_finished(), "{} is there, by another way", unit.title);
        let far = unit.position.distance(Point::new(26.5, 14.5));
        assert!(far < 2.0, "{} rests {far} off", unit.title);
    }
    let place = town.units[stander].position;
    assert!(place.distance(Point::new(25.5, 17.5)) < 0.1, "it still stands in the door, not at {place:?}");
}

#[test]
fn one_that_stands_in_a_door_is_named_by_those_that_want_through() {
    let (mut town, stander, scouts) = before_a_door();
    town.world.terrain_mut().fill_solid(OTHER_DOOR, true);
    town.rest(30).expect("all rest");
    let states = town.states();
    for (scout, before) in scouts.into_iter().zip([stander, scouts[0]]) {
        assert_eq!(states[scout], AgentState::Blocked, "{}", town.units[scout].title);
        let (id, blockage) = (town.units[before].id, town.blockage(scout).expect("one is in its way"));
        assert!(blockage.by.contains(&id), "not {id}, but {:?}", blockage.by);
    }
    town.units[stander].position = Point::new(28.5, 17.5);
    town.rest(30).expect("all rest");
    for scout in scouts {
        let far = town.units[scout].position.distance(Point::new(26.5, 14.5));
        assert!(far < 2.0, "{} goes on, and rests {far} off", town.units[scout].title);
    }
}

/// Two to four scouts before a door in which a unit stands, the other door closed: half of all starts are
/// told within half a minute.
#[test]
fn those_before_a_door_that_stays_shut_are_told_soon() {
    let mut rng = Rng::new(5);
    let mut times: Vec<u32> = (0..41).map(|_| seconds_until_told(&mut rng)).collect();
    times.sort_unstable();
    assert!(times[times.len() / 2] <= 30, "seconds: {times:?}");
}

fn seconds_until_told(rng: &mut Rng) -> u32 {
    let (mut town, stander, _) = before_a_door();
    town.world.terrain_mut().fill_solid(OTHER_DOOR, true);
    let is_scout = |&unit: &usize| unit != stander && town.units[unit].title.starts_with("scout");
    let scouts: Vec<usize> = (0..town.units.len()).filter(is_scout).take(2 + rng.place(3)).collect();
    for &scout in &scouts {
        let [x, y] = [60, 40].map(|span| f64::from(rng.int(0..span)) * 0.05);
        town.units[scout].position = Point::new(23.7 - x, 16.5 + y);
        town.send_one(scout, Cell::new(26, 14));
    }
    let told = (1..120).find(|_| {
        (0..60).for_each(|_| drop(town.frame()));
        let states = town.states();
        scouts.iter().all(|&scout| states[scout] == AgentState::Blocked)
    });
    told.unwrap_or(120)
}

/// Tanks with one target want through a door as wide as one, in which another one stands for a minute. Before
/// it they come to hold each other, or rest askew of their way.
#[test]
fn those_before_a_door_that_was_held_go_on_when_it_is_free() {
    let (stander, tanks, starts) = (8, [5, 6, 7], 24);
    let mut left = Vec::new();
    for start in 0..starts {
        let mut town = Town::new();
        (town.units[stander].stands, town.units[stander].position) = (true, Point::new(16.5, 16.0));
        // Out of their way.
        town.units[10].position = Point::new(4.5, 27.5);
        for (n, tank) in tanks.into_iter().enumerate() {
            let (x, y) = ((start + n) % 3, start / 3 + 2 * n);
            town.units[tank].position = Point::new(13.0 + 0.4 * x as f64, 8.0 + y as f64);
            town.send_one(tank, Cell::new(21, 15));
        }
        let wait = |town: &mut Town| (0..60 * 60).for_each(|_| drop(town.frame()));
        wait(&mut town);
        town.units[stander].position = Point::new(30.0, 14.0);
        wait(&mut town);
        let states = town.states();
        for &tank in tanks.iter().filter(|&&tank| states[tank] != AgentState::Arrived) {
            let unit = &town.units[tank];
            left.push(format!("start {start}: {} is {:?} at {:?}", unit.title, states[tank], unit.position));
        }
    }
    // Bodies as wide as a door may hold each other before it like the stones of an arch.
    assert!(left.len() <= 3, "{} of {}: {left:#?}", left.len(), 3 * starts);
}

/// A body at rest on a bridge is shoved off it by another that crosses, among a third at its end. At last
/// each is where it was sent, or is reported as kept off.
#[test]
fn one_that_is_shoved_off_a_bridge_comes_back_or_is_blocked() {
    let cell = |(x, y): (i32, i32)| if (22..28).contains(&x) && !(14..17).contains(&y) { '#' } else { '.' };
    let row = |y: i32| (0..50).map(move |x| (x, y)).map(cell);
    let map: String = (0..30).flat_map(|y| row(y).chain(['\n'])).collect();
    for (at_rest, x) in [("scout", 25), ("tank", 22), ("hauler", 23), ("hauler", 24)] {
        for third in ["scout 29,13", "tank 29,14", "scout 21,13"] {
            let mut town = Town::on(&format!("{map}\n{at_rest} {x},14\nhauler 5,8\n{third}\n"));
            for n in [0, 2] {
                let Point { x, y } = town.units[n].position;
                town.send_one(n, Cell::new(x as i32, y as i32));
            }
            (0..120).for_each(|_| drop(town.frame()));
            town.send_one(1, Cell::new(40, 8));
            (0..60 * 80).for_each(|_| drop(town.frame()));
            for (unit, state) in town.units.iter().zip(town.crowd.views()) {
                let is_told = unit.walker.is_target_reached() || unit.walker.is_blocked(Some(state.state));
                assert!(is_told, "{at_rest} at {x}, {third}: {} at {:?}", unit.title, unit.position);
            }
        }
    }
}

/// A scout wants out of a dead end that a hauler fills. It pushes the hauler round the corner, from where the
/// hauler cannot see its place. When the scout has passed, there is room for the hauler at the end of its way.
#[test]
fn one_that_is_pushed_round_a_corner_goes_back_by_a_path() {
    let is_open = |(x, y): (i32, i32)| {
        let (street, corner) = ((10..32).contains(&x) && (10..13).contains(&y), CellRect::new(10, 2, 3, 11));
        street || corner.contains(Cell::new(x, y)) || CellRect::new(4, 2, 14, 4).contains(Cell::new(x, y))
    };
    let row = |y: i32| (0..34).map(move |x| if is_open((x, y)) { '.' } else { '#' }).chain(['\n']);
    let map: String = (0..15).flat_map(row).collect();
    let mut town = Town::on(&format!("{map}\nscout 30,11\nhauler 20,10\n"));
    town.send(Cell::new(30, 11));
    town.rest(20).expect("both rest");
    let end = town.units[1].walker.end().expect("it has a path");
    town.send_one(0, Cell::new(5, 3));
    let mut farthest: f64 = 0.0;
    for _ in 0..60 * 60 {
        town.frame();
        farthest = farthest.max(town.units[1].position.distance(end));
    }
    assert!(farthest > 15.0, "it was pushed round the corner, not {farthest} off");
    let hauler = &town.units[1];
    let far = hauler.position.distance(end);
    assert!(
        hauler.walker.is_finished() && far < hauler.longest,
        "it rests {far} off, at {:?}",
        hauler.position
    );
}
