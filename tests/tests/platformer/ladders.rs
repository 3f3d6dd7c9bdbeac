//! Ladders: where climbs lead against a search that tries every place of a column, and bodies that follow.

use std::collections::HashSet;

use pathforge_core::geometry::{Cell, CellRect, Footprint};
use pathforge_core::terrain::{Capability, Terrain};
use pathforge_core::world::World;
use pathforge_platformer::motion::{Body, Flight, FlightCosts, Flyer, Level, Motion, StandCell, TakeOff};
use pathforge_platformer::{Character, StepKind};
use pathforge_tests::jumps::Jumps;
use pathforge_tests::rng::{Rng, seeds};

use super::body::{End, Game, character};
use super::levels::{any_rng, draw};

const CELL: f64 = 16.0;
const LADDER: u8 = 7;
/// The oracle tries places so far apart, in px. Widths of bodies are even, so all ends are among them.
const STEP: f64 = 0.1;
/// Support that is narrower does not count, in px.
const MARGIN: f64 = 0.1;
const ROUNDING: f64 = 1e-6;

/// Storeys with holes, ladders between them, and blocks in the way.
fn level(rng: &mut Rng) -> Terrain {
    let (w, h) = (rng.int(5..10), rng.int(6..12));
    let mut map = Terrain::new(CellRect::new(0, 0, w, h)).expect("a small level");
    for _ in 0..rng.int(2..6) {
        let rect = CellRect::new(rng.int(-1..w), rng.int(1..h), rng.int(1..7), 1);
        if rng.percent(30) {
            map.fill_one_way(rect, true);
        } else {
            map.fill_solid(rect, true);
        }
    }
    for _ in 0..rng.int(1..4) {
        let rect = CellRect::new(rng.int(0..w), rng.int(0..h), rng.int(1..3), rng.int(2..h));
        map.fill_terrain(rect, i64::from(LADDER)).expect("a terrain");
        if rng.percent(70) {
            map.fill_solid(rect, false);
        }
        if rng.percent(50) {
            map.fill_one_way(CellRect { h: 1, ..rect }, true);
        }
    }
    map
}

/// A body that is moved along straight lines.
struct Climber<'a> {
    map: &'a Terrain,
    half: f64,
    height: f64,
}

impl Climber<'_> {
    fn is_solid(&self, column: i32, row: i32) -> bool {
        let CellRect { w, h, .. } = self.map.region();
        !(0..w).contains(&column) || (0..h).contains(&row) && self.map.is_solid(Cell::new(column, row))
    }

    fn columns(&self, x: f64, less: f64) -> std::ops::RangeInclusive<i32> {
        let half = self.half - less;
        ((x - half) / CELL).floor() as i32..=((x + half) / CELL).floor() as i32
    }

    fn is_free(&self, x: f64, feet: f64) -> bool {
        let rows = ((feet - self.height + ROUNDING) / CELL).floor() as i32
            ..=((feet - ROUNDING) / CELL).floor() as i32;
        rows.into_iter().all(|row| self.columns(x, ROUNDING).all(|column| !self.is_solid(column, row)))
    }

    /// Whether it stands with its feet on the lower edge of a row.
    fn stands(&self, x: f64, row: i32) -> bool {
        let below = row + 1;
        let carries = |column: i32| {
            let cell = Cell::new(column, below);
            self.map.region().contains(cell) && (self.map.is_solid(cell) || self.map.is_one_way(cell))
        };
        self.columns(x, MARGIN - ROUNDING).any(carries) && self.is_free(x, f64::from(below) * CELL)
    }

    /// Whether it gets on ground from a place of a ladder by moving sideways, to all places of `ground`.
    fn steps_off(&self, x: f64, row: i32, to: f64) -> bool {
        let steps = ((to - x).abs() / STEP).ceil() as i32;
        let between = |step: i32| x + (to - x) * f64::from(step) / f64::from(steps.max(1));
        (0..=steps).all(|step| self.is_free(between(step), f64::from(row + 1) * CELL))
    }

    /// Whether it moves straight up a ladder from row to row.
    fn climbs(&self, column: i32, x: f64, (low, high): (i32, i32)) -> bool {
        let is_ladder = |row: i32| {
            let cell = Cell::new(column, row);
            self.map.region().contains(cell) && self.map.terrain(cell) == LADDER
        };
        let feet = |step: i32| f64::from(low + 1) * CELL - f64::from(step);
        (high + 1..=low).all(is_ladder)
            && (0..=(low - high) * CELL as i32).all(|step| self.is_free(x, feet(step)))
    }
}

fn places((low, high): (f64, f64)) -> impl Iterator<Item = f64> {
    let steps = ((high - low) / STEP).round() as i32;
    (0..=steps).map(move |step| low + (high - low) * f64::from(step) / f64::from(steps.max(1)))
}

#[test]
fn climbs_lead_where_a_body_can_be_moved() {
    let (mut pairs, mut found, mut beside) = (0_u32, 0_u32, 0_u32);
    for seed in seeds(73, 400) {
        let mut rng = any_rng(seed);
        let map = level(&mut rng);
        let (width, height) =
            (rng.pick(&[4.0, 8.0, 14.0, 16.0, 20.0, 28.0]), rng.pick(&[6.0, 14.0, 16.0, 30.0]));
        let ids = map.shared_ids().expect("a ladder");
        let cells = World::from_terrain(map.clone()).body_layers(Footprint::ONE);
        let mask = Capability(1 << LADDER);
        let grid = Level::new(&cells, None, (CELL, CELL))
            .with_ladders(&|x, y| mask.contains(ids.get(x as u32, y as u32)));
        let motion = Motion { climb_speed: 80.0, ..Motion::new(150.0, 980.0) };
        let body = Body::rectangle(width, height);
        let mut flyer = Flyer::new(grid, body, motion, FlightCosts::default()).expect("a body");
        let climber = Climber { map: &map, half: width / 2.0, height };
        let CellRect { w, h, .. } = map.region();
        let stands: Vec<StandCell> = (-1..h)
            .flat_map(|row| (0..w).map(move |column| StandCell { column, row }))
            .filter(|&cell| flyer.foothold().at(cell).is_some())
            .collect();
        for &from in &stands {
            let own = (f64::from(from.column) * CELL, f64::from(from.column + 1) * CELL);
            let is_own = |flight: &&Flight| {
                matches!(flight.kind, TakeOff::Climb(_)) && (own.0..=own.1).contains(&flight.start_x)
            };
            let claimed: HashSet<StandCell> =
                flyer.flights(from).iter().filter(is_own).map(|flight| flight.to).collect();
            for &to in stands.iter().filter(|to| to.row != from.row) {
                // Ground in the ladder's own column.
                if from.column != to.column {
                    continue;
                }
                let column = from.column;
                let (low, high) = (from.row.max(to.row), from.row.min(to.row));
                let intervals = [from, to].map(|cell| flyer.foothold().at(cell).expect("it stands"));
                let is_in = |x: f64| {
                    intervals.iter().all(|at| (at.0 - ROUNDING..=at.1 + ROUNDING).contains(&x))
                        && climber.stands(x, low)
                        && climber.stands(x, high)
                };
                let is_possible = places(own).any(|x| is_in(x) && climber.climbs(column, x, (low, high)));
                let marks = [(Cell::new(from.column, from.row), 'a'), (Cell::new(to.column, to.row), 'b')];
                assert_eq!(
                    claimed.contains(&to),
                    is_possible,
                    "seed {seed}, {width}x{height}, {from:?} to {to:?}\n{}",
                    draw(&map, &marks)
                );
                pairs += 1;
                found += u32::from(is_possible);
            }
            // To ground beside a ladder, or from it: each claim is true.
            for flight in flyer.flights(from).to_vec() {
                if !matches!(flight.kind, TakeOff::Climb(_)) {
                    continue;
                }
                let x = flight.start_x;
                let column = (x / CELL).floor() as i32;
                let rows = (from.row.max(flight.to.row), from.row.min(flight.to.row));
                let climbs = [column, column - 1].into_iter().any(|column| climber.climbs(column, x, rows));
                let steps_off = climber.steps_off(x, flight.to.row, flight.land_x)
                    && climber.stands(flight.land_x, flight.to.row);
                assert!(climbs && steps_off, "seed {seed}, {from:?}: {flight:?}\n{}", draw(&map, &[]));
                beside += u32::from(from.column != flight.to.column);
            }
        }
    }
    println!("{pairs} pairs, {found} climbs in a column, {beside} beside it");
    assert!(found > 100 && beside > 100, "{found} climbs, {beside} beside");
}

/// A body with a path over a ladder, on a level of its own.
fn any_game(rng: &mut Rng) -> Game {
    loop {
        let (width, height): (f64, f64) =
            (rng.pick(&[4.0, 8.0, 12.0, 14.0, 20.0, 28.0]), rng.pick(&[6.0, 14.0, 28.0, 30.0]));
        let body = if rng.percent(40) {
            Body::capsule(width / 2.0, height.max(width))
        } else {
            Body::rectangle(width, height)
        };
        let motion = Motion {
            jump_speed: rng.pick(&[0.0, 250.0]),
            climb_speed: f64::from(rng.int(30..300)),
            acceleration: rng.pick(&[0.0, 0.0, 1200.0]),
            ..Motion::new(150.0, 980.0)
        };
        let character = Character { body, climb_mask: 1 << LADDER, ..character((1.0, 1.0), motion) };
        let mut jumps = Jumps::new(level(rng));
        let stands = jumps.stands(character.footprint().expect("a small body"));
        if stands.is_empty() {
            continue;
        }
        let ends = (rng.pick(&stands), rng.pick(&stands));
        let Some(mut game) = Game::new(jumps, ends, &character) else { continue };
        let steps = game.jumps.find_flights(&game.query).outcome.path.steps;
        if steps.contains(&StepKind::Climb) {
            return game;
        }
    }
}

#[test]
fn bodies_arrive_over_ladders() {
    let seeds = seeds(74, 400);
    let games = seeds.end - seeds.start;
    let mut arrived = 0;
    for seed in seeds {
        let mut game = any_game(&mut any_rng(seed));
        let (end, time_s) = game.play(120.0);
        assert_ne!(end, End::Late, "seed {seed} after {time_s:.0} s");
        arrived += u64::from(end == End::Arrived);
        if end != End::Arrived && std::env::var_os("PATHFORGE_SHOW").is_some() {
            let cells = game.jumps.find_flights(&game.query).outcome.path.cells;
            let body = Cell::new((game.body.x / CELL) as i32, (game.body.feet / CELL) as i32 - 1);
            let ladders = game.world.region().cells().filter(|&cell| game.world.terrain(cell) == LADDER);
            let marks: Vec<_> =
                ladders.map(|cell| (cell, 'H')).chain(cells.iter().map(|&c| (c, '*'))).collect();
            let place = (game.body.x, game.body.feet, body);
            println!("seed {seed} {place:?} {:?}\n{}{cells:?}", game.query, draw(&game.world, &marks));
        }
    }
    println!("{arrived} of {games} arrived");
    assert!(arrived * 1000 >= games * 985, "{arrived} of {games}");
}
