//! Exact flights against an oracle that plays all buttons: nothing is claimed that a body cannot reach, and
//! next to nothing is missed.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::time::Instant;

use pathforge_core::geometry::{Cell, CellRect, Footprint};
use pathforge_core::terrain::Terrain;
use pathforge_core::world::World;
use pathforge_platformer::motion::{
    Body, Departure, Flight, FlightCosts, Flyer, Leg, Level, Motion, RouteEnd, StandCell, TakeOff,
};
use pathforge_tests::rng::{Rng, seeds};

use super::floors::{Floors, any_floors};
use super::levels::{any_rng, draw};
use super::physics_body::Arena;

const CELL: f64 = 16.0;

/// Platforms over a floor with gaps, walls and strewn blocks.
fn level(rng: &mut Rng) -> Terrain {
    let (w, h) = (rng.int(8..15), rng.int(7..12));
    let mut map = Terrain::new(CellRect::new(0, 0, w, h)).expect("a small level");
    if rng.percent(80) {
        map.fill_solid(CellRect::new(0, h - 1, w, 1), true);
        map.fill_solid(CellRect::new(rng.int(0..w), h - 1, rng.int(1..4), 1), false);
    }
    for _ in 0..rng.int(2..7) {
        let rect = CellRect::new(rng.int(-1..w), rng.int(1..h), rng.int(1..6), 1);
        if rng.percent(35) {
            map.fill_one_way(rect, true);
        } else {
            map.fill_solid(rect, true);
        }
    }
    for _ in 0..rng.int(0..3) {
        map.fill_solid(CellRect::new(rng.int(0..w), rng.int(0..h), 1, rng.int(1..5)), true);
    }
    map
}

fn any_body(rng: &mut Rng) -> Body {
    let width = f64::from(rng.pick(&[4, 8, 10, 12, 14, 16, 20, 28, 30, 46, 62]));
    let height = f64::from(rng.pick(&[4, 10, 14, 15, 24, 30, 30, 32, 46, 62]));
    Body::rectangle(width, height)
}

fn any_motion(rng: &mut Rng, acceleration: f64, ticks: i32) -> Motion {
    Motion {
        run_speed: f64::from(rng.int(100..220)),
        acceleration,
        air_acceleration: 0.0,
        friction: 0.0,
        gravity: f64::from(rng.int(800..1400)),
        gravity_down: if rng.percent(30) { 1600.0 } else { 0.0 },
        terminal_speed: if rng.percent(30) { 400.0 } else { 0.0 },
        jump_speed: f64::from(rng.int(200..420)),
        climb_speed: 0.0,
        jump_cut: rng.pick(&[0.0, 0.0, 0.5]),
        full_first_step: rng.percent(50),
        tick: 1.0 / f64::from(ticks),
    }
}

/// The level as the planner sees it.
fn grid(map: &Terrain) -> Level {
    let mut world = World::from_terrain(map.clone());
    Level::new(&world.body_layers(Footprint::ONE), None, (CELL, CELL))
}

/// The level with floors inside cells.
fn with_floors(map: &Terrain, floors: &Floors) -> Level {
    let (solid, one_way) =
        (|x, y| map.is_solid(Cell::new(x, y)), |x, y| y > 0 && map.is_one_way(Cell::new(x, y)));
    let CellRect { w, h, .. } = map.region();
    Level::with_floors((w, h), (CELL, CELL), solid, one_way, |x, y| floors.get(x, y))
}

/// A level, with floors inside cells or not.
fn any_ground(rng: &mut Rng, map: &mut Terrain, ground: Ground) -> (Level, Floors) {
    match ground {
        Ground::Cells => (grid(map), Floors::default()),
        Ground::Floors => {
            let floors = any_floors(rng, map, CELL);
            (with_floors(map, &floors), floors)
        }
    }
}

fn stands(flyer: &Flyer) -> Vec<StandCell> {
    let (columns, rows) = flyer.level().size();
    let cells = (-1..rows).flat_map(|row| (0..columns).map(move |column| StandCell { column, row }));
    cells.filter(|&cell| flyer.foothold().at(cell).is_some()).collect()
}

/// All cells that walks and flights lead to.
fn claimed(flyer: &mut Flyer, start: StandCell) -> HashSet<StandCell> {
    let (mut cells, mut todo) = (HashSet::from([start]), vec![start]);
    while let Some(at) = todo.pop() {
        let walks: Vec<_> = [-1, 1].into_iter().filter_map(|side| flyer.foothold().walk(at, side)).collect();
        let flights: Vec<_> = flyer.flights(at).iter().map(|flight| flight.to).collect();
        todo.extend(walks.into_iter().chain(flights).filter(|&cell| cells.insert(cell)));
    }
    cells
}

/// What a comparison counted.
#[derive(Default, Debug)]
struct Tally {
    levels: u32,
    cells: usize,
    wrong: usize,
    missed: usize,
    stands: usize,
    micros: f64,
}

/// Which ground levels have.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Ground {
    Cells,
    Floors,
}

/// The oracle for a body on a level.
fn arena(map: &Terrain, floors: &Floors, body: Body, motion: Motion) -> Arena {
    let region = map.region();
    let letter = |cell: Cell| match (map.is_solid(cell), map.is_one_way(cell)) {
        _ if floors.get(cell.x, cell.y).is_some() => b'.',
        (true, _) => b'#',
        (_, true) if cell.y > 0 => b'=',
        _ => b'.',
    };
    let rows = (0..region.h).map(|y| (0..region.w).map(|x| letter(Cell::new(x, y))).collect()).collect();
    let quantum =
        if motion.acceleration == 0.0 { (0.25, 1.0) } else { (1.0, motion.acceleration * motion.tick) };
    let (half_width, height) = (body.half_width, body.height);
    let is_round = body.is_round;
    Arena { rows, cell: CELL, floors: floors.clone(), half_width, height, is_round, motion, quantum }
}

fn compare(tally: &mut Tally, seed: u64, (acceleration, ticks): (f64, i32), ground: Ground) {
    let rng = &mut any_rng(seed);
    let (mut map, mut body, motion) = (level(rng), any_body(rng), any_motion(rng, acceleration, ticks));
    let (level, floors) = any_ground(rng, &mut map, ground);
    if ground == Ground::Floors && rng.percent(25) {
        body = Body::capsule(body.half_width, body.height.max(2.0 * body.half_width));
    }
    let mut flyer = Flyer::new(level, body, motion, FlightCosts::default()).expect("sound measures");
    let stands = stands(&flyer);
    if stands.is_empty() {
        return;
    }
    let start = rng.pick(&stands);
    let (low, high) = flyer.foothold().at(start).expect("a stand");
    let begin = Instant::now();
    let claimed = claimed(&mut flyer, start);
    tally.micros += begin.elapsed().as_secs_f64() * 1e6;
    tally.stands += flyer.known();
    let arena = arena(&map, &floors, body, motion);
    let place = |part| low + (high - low) * f64::from(part) / 8.0;
    let starts: Vec<_> =
        (0..=8).map(|part| (place(part), flyer.foothold().height(start, place(part)))).collect();
    let reached = arena.reached(&starts, 0.0);
    let mut wrong: BTreeSet<_> = claimed.difference(&reached).copied().collect();
    let missed: BTreeSet<_> = reached.difference(&claimed).copied().collect();
    if !wrong.is_empty() {
        let loose = arena.reached(&starts, 1.0);
        wrong.retain(|cell| !loose.contains(cell));
    }
    tally.levels += 1;
    tally.cells += reached.len();
    tally.wrong += wrong.len();
    tally.missed += missed.len();
    if std::env::var_os("PATHFORGE_SHOW").is_some() && !(wrong.is_empty() && missed.is_empty()) {
        let mark = |cell: &StandCell, letter| (Cell::new(cell.column, cell.row), letter);
        let mut marks: Vec<_> = claimed.iter().map(|cell| mark(cell, 'o')).collect();
        marks.extend(wrong.iter().map(|cell| mark(cell, 'W')));
        marks.extend(missed.iter().map(|cell| mark(cell, 'M')));
        marks.push(mark(&start, 'S'));
        marks.extend(floors.iter().map(|(x, y, floor)| {
            let letter = match (floor.left - floor.right).partial_cmp(&0.0) {
                Some(std::cmp::Ordering::Less) => '/',
                Some(std::cmp::Ordering::Greater) => '\\',
                _ if floor.one_way => '-',
                _ => '_',
            };
            (Cell::new(x, y), letter)
        }));
        println!("seed {seed} {body:?}\n{motion:?}\n{}wrong {wrong:?}\n{}", draw(&map, &marks), missed.len());
        println!("missed {missed:?}");
    }
}

fn holds_against_the_oracle(block: u64, accelerations: &[f64], levels: u64, ground: Ground) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds(block, levels) {
        for &acceleration in accelerations {
            // Slow changes at many ticks have too many speeds for the oracle.
            let ticks =
                if seed % 2 == 0 || acceleration < 1000.0 || ground == Ground::Floors { 60 } else { 120 };
            compare(&mut tally, seed, (acceleration, ticks), ground);
        }
    }
    println!("{tally:?}: {:.1} µs a stand cell", tally.micros / tally.stands as f64);
    tally
}

#[test]
fn instant_flights_are_what_all_buttons_reach() {
    let tally = holds_against_the_oracle(90, &[0.0], 20, Ground::Cells);
    assert_eq!(tally.wrong, 0, "{tally:?}");
    assert!(tally.missed * 100 <= tally.cells, "{tally:?}");
}

#[test]
fn accelerated_flights_are_what_all_buttons_reach() {
    let tally = holds_against_the_oracle(91, &[600.0, 1500.0, 3000.0], 2, Ground::Cells);
    assert_eq!(tally.wrong, 0, "{tally:?}");
    assert!(tally.missed * 100 <= tally.cells, "{tally:?}");
}

#[test]
fn flights_over_slabs_and_slopes_are_what_all_buttons_reach() {
    let tally = holds_against_the_oracle(96, &[0.0], 20, Ground::Floors);
    assert_eq!(tally.wrong, 0, "{tally:?}");
    assert!(tally.missed * 100 <= tally.cells, "{tally:?}");
}

/// Sharper than what all flights together reach: each flight of each cell.
#[test]
fn each_flight_over_slabs_and_slopes_is_flown() {
    let mut count = 0;
    for seed in seeds(98, 3) {
        let rng = &mut any_rng(seed);
        let (mut map, motion) = (level(rng), any_motion(rng, 0.0, 60));
        let body = Body::rectangle(f64::from(rng.int(6..24)), f64::from(rng.int(6..30)));
        let (level, floors) = any_ground(rng, &mut map, Ground::Floors);
        let mut flyer = Flyer::new(level, body, motion, FlightCosts::default()).expect("sound measures");
        let arena = arena(&map, &floors, body, motion);
        for from in stands(&flyer) {
            let (low, high) = flyer.foothold().at(from).expect("a stand");
            let place = |part| low + (high - low) * f64::from(part) / 8.0;
            let starts: Vec<_> =
                (0..=8).map(|part| (place(part), flyer.foothold().height(from, place(part)))).collect();
            let landings = arena.landings(&starts, 1.0, (low - 1.0, high + 1.0));
            for flight in flyer.flights(from) {
                let show = || {
                    let mark = |cell: &StandCell, letter| (Cell::new(cell.column, cell.row), letter);
                    let floors = floors.iter().map(|(x, y, floor)| format!("{x},{y} {floor:?}\n"));
                    let marks = [mark(&from, 'S'), mark(&flight.to, 'W')];
                    format!("{}{}", draw(&map, &marks), floors.collect::<String>())
                };
                assert!(
                    landings.contains(&flight.to),
                    "seed {seed} {flight:?}\n{body:?} {motion:?}\n{}{landings:?}",
                    show()
                );
                count += 1;
            }
        }
    }
    assert!(count > 50, "{count} flights");
}

#[test]
fn accelerated_flights_over_slabs_and_slopes_are_what_all_buttons_reach() {
    let tally = holds_against_the_oracle(97, &[3000.0], 4, Ground::Floors);
    assert_eq!(tally.wrong, 0, "{tally:?}");
    assert!(tally.missed * 100 <= tally.cells, "{tally:?}");
}

/// All flights of a level.
fn all_flights(flyer: &mut Flyer) -> Vec<(StandCell, Vec<Flight>)> {
    stands(flyer).into_iter().map(|cell| (cell, flyer.flights(cell).to_vec())).collect()
}

#[test]
fn repaired_equals_rebuilt() {
    for seed in seeds(94, 15) {
        let rng = &mut any_rng(seed);
        let mut map = Terrain::new(CellRect::new(0, 0, 200, 14)).expect("a level");
        map.fill_solid(CellRect::new(0, 13, 200, 1), true);
        for _ in 0..70 {
            let rect = CellRect::new(rng.int(0..200), rng.int(1..14), rng.int(1..7), 1);
            if rng.percent(40) {
                map.fill_one_way(rect, true)
            } else {
                map.fill_solid(rect, true)
            };
        }
        let acceleration = if rng.percent(70) { 0.0 } else { 1500.0 };
        let (body, motion) = (any_body(rng), any_motion(rng, acceleration, 60));
        let costs = FlightCosts { jump: 140, air: 14, fall: 3, max_fall: rng.pick(&[0, 5]) };
        let mut floors = Floors::default();
        if rng.percent(50) {
            floors = any_floors(rng, &mut map, CELL);
        }
        let new = |map: &Terrain, floors: &Floors| {
            Flyer::new(with_floors(map, floors), body, motion, costs).expect("measures")
        };
        let mut kept = new(&map, &floors);
        all_flights(&mut kept);
        for _ in 0..4 {
            let known = kept.known();
            let rect = CellRect::new(rng.int(0..200), rng.int(0..14), rng.int(1..4), rng.int(1..3));
            let rect = rect.intersection(map.region());
            if rng.percent(30) {
                map.fill_one_way(rect, true)
            } else {
                map.fill_solid(rect, rng.percent(50))
            };
            if rng.percent(30) {
                floors.change(rng, CELL);
            }
            kept.set_level(with_floors(&map, &floors));
            assert!(kept.known() > 0 || known == 0, "seed {seed}: an edit made all flights forgotten");
            assert_eq!(all_flights(&mut kept), all_flights(&mut new(&map, &floors)), "seed {seed}");
        }
    }
}

/// The cost of the cheapest way to every cell, by Bellman and Ford's relaxation.
fn costs_from(flyer: &mut Flyer, start: StandCell) -> HashMap<StandCell, u32> {
    let flights = all_flights(flyer);
    let mut costs = HashMap::from([(start, 0)]);
    loop {
        let mut changed = false;
        for (from, flights) in &flights {
            let Some(&cost) = costs.get(from) else { continue };
            let walks = [-1, 1].into_iter().filter_map(|side| flyer.foothold().walk(*from, side));
            let walks = walks.map(|to| (to, flyer.foothold().walk_cost(*from, to)));
            for (to, more) in walks.chain(flights.iter().map(|flight| (flight.to, flight.cost))) {
                let known = costs.entry(to).or_insert(u32::MAX);
                if cost + more < *known {
                    (*known, changed) = (cost + more, true);
                }
            }
        }
        if !changed {
            return costs;
        }
    }
}

#[test]
fn routes_cost_the_least_and_their_cells_lie_side_by_side() {
    let mut found = 0;
    for seed in seeds(95, 40) {
        let rng = &mut any_rng(seed);
        let acceleration = rng.pick(&[0.0, 0.0, 1200.0]);
        let (mut map, body, motion) = (level(rng), any_body(rng), any_motion(rng, acceleration, 60));
        let ground = rng.pick(&[Ground::Cells, Ground::Floors]);
        let (level, _) = any_ground(rng, &mut map, ground);
        let costs = FlightCosts { jump: rng.pick(&[0, 140]), air: rng.pick(&[0, 14]), fall: 5, max_fall: 0 };
        let mut flyer = Flyer::new(level, body, motion, costs).expect("sound measures");
        let stands = stands(&flyer);
        if stands.is_empty() {
            continue;
        }
        let start = rng.pick(&stands);
        let costs = costs_from(&mut flyer, start);
        for &goal in &stands {
            let route = flyer.find_route(Departure::Cell(start), goal, u32::MAX);
            let cost = (route.end == RouteEnd::Found).then_some(route.cost);
            assert_eq!(cost, costs.get(&goal).copied(), "seed {seed} {start:?} to {goal:?}");
            if cost.is_none() {
                continue;
            }
            found += 1;
            let cell = |stand: StandCell| {
                let foothold = flyer.foothold();
                foothold.body_cell(foothold.resting_x(stand).expect("a stand"), stand.row)
            };
            assert_eq!((route.cells[0], route.cells.last()), (cell(start), Some(&cell(goal))), "seed {seed}");
            assert_eq!(route.cells.len(), route.on_ground.len());
            let beside = |pair: &[Cell]| pair[0].x.abs_diff(pair[1].x) + pair[0].y.abs_diff(pair[1].y) == 1;
            assert!(route.cells.windows(2).all(beside), "seed {seed} {:?}\n{:?}", route.cells, route.legs);
        }
    }
    assert!(found > 100, "{found} routes");
}

/// A body in the air that holds no button falls to where its route says.
#[test]
fn a_start_in_the_air_is_a_fall() {
    let level = Level::from_cells((12, 10), (CELL, CELL), |_, row| row == 9, |_, _| false);
    let motion = any_motion(&mut any_rng(1), 0.0, 60);
    let mut flyer =
        Flyer::new(level, Body::rectangle(14.0, 30.0), motion, FlightCosts::default()).expect("ok");
    let goal = StandCell { column: 9, row: 8 };
    for from in [
        Departure::Cell(StandCell { column: 3, row: 2 }),
        Departure::Air { x: 56.0, y: 47.0, vx: 0.0, vy: -100.0 },
    ] {
        let route = flyer.find_route(from, goal, u32::MAX);
        assert_eq!((route.end, route.cells.last()), (RouteEnd::Found, Some(&Cell::new(9, 8))));
        assert!(matches!(&route.legs[0], Leg::Flight { flight, .. } if flight.kind == TakeOff::InAir));
        assert!(!route.on_ground[0]);
    }
    assert_eq!(flyer.find_route(Departure::Cell(goal), goal, 0).cost, 0);
    let air = StandCell { column: 9, row: 7 };
    assert_eq!(flyer.find_route(Departure::Cell(goal), air, 9).end, RouteEnd::BadGoal);
}
