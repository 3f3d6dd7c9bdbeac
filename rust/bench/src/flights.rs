//! Paths by physics on levels of a game's size: on cells, and with slopes where ground rises by a cell.

use std::hint::black_box;
use std::time::Instant;

use pathforge_core::geometry::{Cell, CellRect, Footprint};
use pathforge_core::terrain::{Floor, Terrain};
use pathforge_platformer::motion::{Body, FlightCosts, Motion};
use pathforge_platformer::{Character, FlightQuery, FlightStart};
use pathforge_tests::jumps::Jumps;

use crate::goals;
use crate::levels::levels;
use crate::maps::Random;
use crate::measure::Samples;
use crate::options::Options;
use crate::report::{Report, Table};

/// The side of a cell, in px.
const CELL: f64 = 16.0;
/// A part of a large level: what a game shows on a few screens.
const PART: CellRect = CellRect::new(0, 160, 128, 96);
const QUERIES: usize = 100;

/// Measures.
pub fn run(options: &Options, report: &mut Report) {
    let mut table = Table::new(
        "Paths by physics, 128×96",
        "A query of a body of 14×30 px on cells of 16 px, 180 px/s, jumps of 55 px: the first round, in which flights are found, and again; ground cells that a query expands.",
        "level",
    );
    for level in levels(3) {
        for (ground, is_hilly) in [("cells", false), ("slopes", true)] {
            for (way, acceleration) in [("at once", 0.0), ("1,800 px/s²", 1800.0)] {
                let map = part(&level.map, is_hilly);
                let name = format!("{}, {ground}, full speed {way}", level.name);
                let row = table.row(&name);
                let (first, again, expanded) = measure(map, acceleration, options.rounds());
                row.samples("first", &first, "µs").samples("again", &again, "µs");
                row.number("again, p90", again.percentile(90), "µs");
                row.count("expanded", expanded.median() as usize);
                report.reach(&goals::FLIGHT_QUERY, &name, again.median());
            }
        }
    }
    report.add(table);
}

/// A part of a level, moved to the corner.
fn part(map: &Terrain, is_hilly: bool) -> Terrain {
    let mut part =
        Terrain::new(CellRect::new(0, 0, PART.w, PART.h)).expect("a level of this size is allowed");
    for cell in part.region().cells() {
        let from = Cell::new(cell.x + PART.x, cell.y + PART.y);
        part.fill_solid(CellRect::cell(cell), map.is_solid(from));
        part.fill_one_way(CellRect::cell(cell), map.is_one_way(from));
    }
    if is_hilly {
        let solid = part.clone();
        let is_solid = |x: i32, y: i32| solid.is_solid(Cell::new(x, y));
        for cell in
            solid.region().cells().filter(|cell| !is_solid(cell.x, cell.y) && is_solid(cell.x, cell.y + 1))
        {
            let rises = |side: i32| is_solid(cell.x + side, cell.y) && !is_solid(cell.x + side, cell.y - 1);
            let floor = match (rises(-1), rises(1)) {
                (true, false) => Floor { left: 1.0, right: 0.0 },
                (false, true) => Floor { left: 0.0, right: 1.0 },
                _ => continue,
            };
            part.set_floor(CellRect::cell(cell), Some(floor));
        }
    }
    part
}

/// The times of a first round and of the best of the others, and the cells expanded, a query each.
fn measure(map: Terrain, acceleration: f64, rounds: usize) -> (Samples, Samples, Samples) {
    let motion = Motion { jump_speed: 330.0, acceleration, ..Motion::new(180.0, 980.0) };
    let body = Body::rectangle(14.0, 30.0);
    let character =
        Character { body, motion, costs: FlightCosts::default(), cell: (CELL, CELL), climb_mask: 0 };
    let footprint = character.footprint().unwrap_or(Footprint::ONE);
    let stands = Jumps::new(map.clone()).stands(footprint);
    let mut random = Random::new(17);
    let mut any = || stands[random.below(stands.len() as u32) as usize];
    let mut jumps = Jumps::new(map);
    let mut time = |query: &FlightQuery| {
        let start = Instant::now();
        let found = black_box(jumps.find_flights(query));
        (start.elapsed().as_secs_f64() * 1e6, found)
    };
    let (mut queries, mut first, mut expanded) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..QUERIES * 50 {
        let query =
            FlightQuery { start: FlightStart::Cell(any()), goal: any(), character, expansions_max: u32::MAX };
        let (usec, found) = time(&query);
        if found.plan.is_some() && queries.len() < QUERIES {
            queries.push(query);
            first.push(usec);
            expanded.push(f64::from(found.outcome.expanded));
        }
        if queries.len() == QUERIES {
            break;
        }
    }
    let mut again = vec![f64::INFINITY; queries.len()];
    for _ in 0..rounds {
        for (query, least) in queries.iter().zip(&mut again) {
            *least = least.min(time(query).0);
        }
    }
    (Samples::new(first), Samples::new(again), Samples::new(expanded))
}
