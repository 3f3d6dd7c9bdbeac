//! Arriving: a group that has come to rest around its goal is told so soon, and stays so.

use pathforge_core::crowd::{AgentState, AgentView, Crowd};
use pathforge_core::geometry::Cell;
use pathforge_tests::gathering::{Arrival, Gathering};
use pathforge_tests::hall::{Hall, walks};
use pathforge_tests::halls::Sizes;
use pathforge_tests::judge::meeting;
use pathforge_tests::maps::{Walls, city};
use pathforge_tests::rng::Rng;

use crate::is_long;

const STEP: f64 = 1.0 / 60.0;

/// All are told once, soon after they stand close together, stay arrived, and lie still.
fn check(arrival: &Arrival, scene: &str, count: usize) {
    let seen = Arrival { steps: Vec::new(), ..arrival.clone() };
    println!("{scene}: {seen:?}");
    let told = arrival.told.unwrap_or(f64::INFINITY);
    // Told late is meant: a few seconds after the last has come to rest, which goes on while it finds better
    // room.
    assert!(told.is_finite() && told <= arrival.packed.unwrap_or(told) + 20.0, "{scene}: {seen:?}");
    assert!(arrival.fell * 100 <= count, "{scene}: {seen:?}");
    assert_eq!(arrival.reported_twice, 0, "{scene}: {seen:?}");
    assert_eq!(arrival.restless, 0, "{scene}: {seen:?}");
    assert!(arrival.overlap <= 0.05, "{scene}: {seen:?}");
    assert!(arrival.spread < 1.5, "{scene}: {seen:?}");
}

#[test]
fn a_group_around_its_goal_is_told_within_seconds_and_stays() {
    let seeds = if is_long() { 3 } else { 1 };
    for seed in 0..seeds {
        for has_gate in [true, false] {
            for (sizes, count) in [(Sizes::Small, 600), (Sizes::Small, 120), (Sizes::Mixed, 100)] {
                let arrival = Gathering::readme(seed, sizes, count, has_gate).watch(120);
                check(&arrival, &format!("{sizes:?} {count}, gate {has_gate}, seed {seed}"), count);
            }
        }
    }
}

#[test]
fn a_whole_city_settles() {
    [5, 12].into_iter().for_each(settle_a_city);
}

/// In the minute after the last was told, all that rested on others with no room to part have found a free
/// place.
fn settle_a_city(seed: u64) {
    let mut rng = Rng::new(seed);
    let mut hall = Hall::new(city(&mut rng, 480, 288).into_terrain(Cell::default()));
    let goal = (0..200)
        .map(|n| Cell::new(236 + n, 140))
        .find(|c| (0..3).all(|y| (0..3).all(|x| !hall.terrain.is_solid(Cell::new(c.x + x, c.y + y)))));
    let goal = goal.expect("a street");
    let fields = [1, 2, 3].map(|side| hall.field(side, &[goal], 0));
    let (mut count, wanted) = (0, if is_long() { 10_000 } else { 1000 });
    while count < wanted {
        let side = rng.pick(&[1, 1, 1, 1, 1, 1, 1, 1, 1, 2]);
        let side = if rng.percent(2) { 3 } else { side };
        let at = Cell::new(rng.int(0..477), rng.int(0..285));
        let speed = [4.0, 3.5, 3.0][side as usize - 1];
        if hall.reaches(fields[side as usize - 1], at) {
            count += usize::from(hall.add(at, side, speed, Some(fields[side as usize - 1])).is_some());
        }
    }
    let mut gathering = Gathering::of(hall, goal);
    let arrival = gathering.watch(400);
    println!("city {seed}, {count}: told {:?}, {:?}", arrival.told, gathering.hall.states());
    for view in gathering.hall.crowd.views().filter(walks).take(5) {
        println!("  on its way: {view:?}");
    }
    assert!(arrival.told.is_some() && arrival.fell * 100 <= count && arrival.reported_twice == 0);
    (0..3600).for_each(|_| drop(gathering.hall.step(STEP)));
    let overlaps = gathering.hall.overlaps(|_| true, |_| true);
    let deep = overlaps.iter().filter(|overlap| **overlap > 0.1).count();
    assert_eq!(deep, 0, "city {seed}: of {count} rest on another");
    assert!(arrival.blocked * 25 <= count, "{} of {count} are blocked", arrival.blocked);
}

/// Rooms whose doors jam: agents that reported *arrived* in the jam before a door are in the room of their
/// group, and rest soon, without overlap.
#[test]
fn a_jam_between_rooms_comes_to_rest() {
    for seed in 0..if is_long() { 4 } else { 2 } {
        let verdict = meeting::one_room(seed);
        println!("rooms {seed}: {verdict}");
        assert!(verdict.told[3].is_finite(), "rooms {seed}: {verdict}");
        // Those that are kept off try again when more have arrived.
        let kept_off = verdict.blocked + verdict.under_way;
        assert!(verdict.restless <= kept_off, "rooms {seed}: {verdict}");
        assert!(verdict.overlap_resting[1] <= 0.02, "rooms {seed}: {verdict}");
    }
}

/// Two armies in rows of three sizes on a field with rocks, each with a field to `goals`.
struct Armies {
    hall: Hall,
    /// Ids by army and size.
    ids: [[Vec<u32>; 3]; 2],
}

impl Armies {
    fn new(seed: u64, rocks: usize) -> Self {
        let mut rng = Rng::new(seed);
        let mut walls = Walls::filled(110, 70, false);
        for _ in 0..rocks {
            let side = rng.int(1..5);
            walls.fill(rng.int(22..84), rng.int(2..62), side, side, true);
        }
        let mut hall = Hall::new(walls.into_terrain(Cell::default()));
        let mut ids: [[Vec<u32>; 3]; 2] = Default::default();
        for (army, left) in [(0, 2), (1, 88)] {
            for (size, (count, rows)) in [(60, 15), (12, 10), (4, 4)].into_iter().enumerate() {
                let side = size as i32 + 1;
                for n in 0..count {
                    let column = [0, 9, 16][size] + n / rows * (side + 1);
                    let column = if army == 0 { 18 - column - side } else { column };
                    let at = Cell::new(left + column, 6 + n % rows * (side + 1) * 4 / (side + 1));
                    ids[army][size].extend(hall.add(at, side, [4.0, 5.0, 3.0][size], None));
                }
            }
        }
        Self { hall, ids }
    }

    /// Sends one army to a place, in a shape: a block, a line or a wedge.
    fn march(&mut self, army: usize, to: [f64; 2], shape: usize) {
        let facing = if army == 0 { 1.0 } else { -1.0 };
        for size in 0..3 {
            let ids = self.ids[army][size].clone();
            let side = size as i32 + 1;
            let pitch = [1.9, 3.2, 4.6][size];
            let rank = [[12, 8, 4], [20, 12, 4], [12, 8, 4]][shape][size];
            let places: Vec<[f64; 2]> = (0..ids.len())
                .map(|n| {
                    let across = (n % rank) as f64 - (rank - 1) as f64 * 0.5;
                    let wedge = if shape == 2 { across.abs() * pitch * 0.55 } else { 0.0 };
                    let back = (n / rank) as f64 * pitch * 0.87 + wedge + [0.0, 11.0, 17.0][size];
                    [to[0] + (8.0 - back) * facing, to[1] + across * pitch]
                })
                .collect();
            let middle = |axis: usize| {
                let sum: f64 = places.iter().map(|place| place[axis]).sum();
                (sum / places.len() as f64 - f64::from(side) * 0.5 + 0.5).floor() as i32
            };
            let goal = Cell::new(middle(0), middle(1));
            let layer = self.hall.placements(side);
            let layout = layer.layout();
            let fits = |cell: &Cell| {
                cell.x >= 0
                    && cell.y >= 0
                    && (cell.x as u32) < layout.width()
                    && (cell.y as u32) < layout.height()
                    && layer.at(cell.x as u32, cell.y as u32)
            };
            let around = (0..20).flat_map(|r: i32| (-r..=r).flat_map(move |y| (-r..=r).map(move |x| (x, y))));
            let goal = around.map(|(x, y)| Cell::new(goal.x + x, goal.y + y)).find(fits).expect("a place");
            let field = self.hall.field(side, &[goal], (goal.y * 1000 + goal.x) as u32);
            self.hall.crowd.assign_field(&ids, field);
            self.hall.crowd.assign_places(&ids, &places);
        }
    }

    /// Steps until all agents are in place; returns after how many seconds, and the deepest overlap with a
    /// resting agent on the way.
    fn settle(&mut self, seconds: u32) -> (Option<f64>, f32) {
        let all = self.hall.crowd.len();
        let mut deepest = 0.0_f32;
        for tick in 0..60 * seconds {
            self.hall.step(STEP);
            if tick % 10 == 0 {
                assert_eq!(self.hall.in_a_wall(), None);
                let rests = |v: &AgentView| v.vx == 0.0 && v.vy == 0.0;
                deepest = self.hall.overlaps(|_| true, rests).into_iter().fold(deepest, f32::max);
            }
            if self.hall.states()[AgentState::Arrived as usize] == all {
                return (Some(f64::from(tick) * STEP), deepest);
            }
        }
        (None, deepest)
    }

    /// All agents are in place, soon, and none on top of another.
    fn check(&mut self, scene: &str) {
        let (time, deepest) = self.settle(150);
        (0..300).for_each(|_| drop(self.hall.step(STEP)));
        let overlap = self.hall.overlaps(|_| true, |_| true).into_iter().fold(0.0, f32::max);
        println!(
            "{scene}: in place after {time:?} s, overlap {overlap:.3}, with those at rest until then {deepest:.3}"
        );
        assert!(time.is_some(), "{scene}: {:?}", self.hall.states());
        assert!(overlap <= 0.05, "{scene}: overlap {overlap}");
        let still = (0..24).find(|_| self.stands_for(300));
        println!("{scene}: still {still:?}");
        assert!(still.is_some(), "{scene}: some still move after two minutes");
        // Where many are pushed off their places for long, one or two take others that touch.
        assert!(self.shared_places() <= 2, "{scene}: {} places that two have", self.shared_places());
    }

    /// Returns `true` if none moves by more than a twentieth of a cell in so many steps.
    fn stands_for(&mut self, steps: u32) -> bool {
        let at = |armies: &Self| {
            let mut all: Vec<(u32, f64, f64)> =
                armies.hall.crowd.views_unordered().map(|view| (view.id, view.x, view.y)).collect();
            all.sort_unstable_by_key(|&(id, ..)| id);
            all
        };
        let before = at(self);
        (0..steps).for_each(|_| drop(self.hall.step(STEP)));
        before.iter().zip(at(self)).all(|(a, b)| (a.1 - b.1).hypot(a.2 - b.2) < 0.05)
    }

    /// Returns how many pairs have places in each other: both would press on the other for good.
    fn shared_places(&mut self) -> usize {
        let Self { hall, ids } = self;
        let ids = ids.iter().flatten().flatten();
        let places: Vec<([f64; 2], f64)> = ids
            .filter_map(|&id| {
                let trace = hall.crowd.trace(id)?;
                Some((trace.place?, f64::from(trace.view.radius)))
            })
            .collect();
        let shares = |a: &([f64; 2], f64), b: &([f64; 2], f64)| {
            (a.0[0] - b.0[0]).hypot(a.0[1] - b.0[1]) < a.1 + b.1 - 0.1 * a.1.min(b.1)
        };
        let pairs = |n: usize| places[..n].iter().filter(|other| shares(&places[n], other)).count();
        (0..places.len()).map(pairs).sum()
    }
}

#[test]
fn armies_cross_twice_and_everybody_finds_a_place_of_its_own() {
    let seeds = if is_long() { 3 } else { 1 };
    for seed in 0..seeds {
        for shape in 0..3 {
            let mut armies = Armies::new(seed, 40);
            for crossing in 0..2 {
                let (left, right) = ([16.0, 35.0], [94.0, 35.0]);
                let (to, other) = if crossing == 0 { (right, left) } else { (left, right) };
                armies.march(0, to, shape);
                armies.march(1, other, shape);
                armies.check(&format!("seed {seed}, shape {shape}, crossing {crossing}"));
            }
            armies.march(0, [55.0, 35.0], shape);
            armies.march(1, [55.0, 35.0], shape);
            armies.check(&format!("seed {seed}, shape {shape}, one spot"));
        }
    }
}

/// Steps a copy that was saved and loaded, and the same on two threads, beside a crowd.
fn goes_on_the_same(hall: &Hall, steps: usize) {
    let mut copies = [hall.clone(), hall.clone(), hall.clone()];
    copies[1].crowd = Crowd::from_bytes(&hall.crowd.to_bytes()).expect("its own bytes");
    for (copy, threads) in copies.iter_mut().zip([1, 1, 2]) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| (0..steps).for_each(|_| drop(copy.step(STEP))));
    }
    let [one, saved, threaded] = copies.map(|copy| copy.crowd.state_hash());
    assert_eq!(one, saved, "saved and loaded");
    assert_eq!(one, threaded, "two threads");
}

#[test]
fn arriving_is_the_same_after_loading_and_on_two_threads() {
    let mut gathering = Gathering::readme(1, Sizes::Small, 600, false);
    (0..500).for_each(|_| drop(gathering.hall.step(STEP)));
    for _ in 0..4 {
        (0..37).for_each(|_| drop(gathering.hall.step(STEP)));
        goes_on_the_same(&gathering.hall, 60);
    }
    let mut armies = Armies::new(1, 40);
    armies.march(0, [60.0, 35.0], 0);
    armies.march(1, [50.0, 35.0], 2);
    goes_on_the_same(&armies.hall, 60);
    for _ in 0..3 {
        (0..307).for_each(|_| drop(armies.hall.step(STEP)));
        goes_on_the_same(&armies.hall, 60);
    }
}

/// The last agents find the places taken and others in their way. They push through for a while, and then
/// make do with a place before them. No agent wanders to and fro before a place that it sees and does not
/// reach.
#[test]
fn armies_that_meet_at_one_spot_all_find_a_place() {
    for (seed, shape, rocks) in [(4, 0, 40), (7, 1, 40), (9, 2, 80), (38, 1, 40)] {
        let mut armies = Armies::new(seed, rocks);
        armies.march(0, [55.0, 35.0], shape);
        armies.march(1, [55.0, 35.0], shape);
        armies.check(&format!("seed {seed}, shape {shape}, {rocks} rocks"));
    }
}
