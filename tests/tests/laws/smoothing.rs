//! Straight lines instead of steps: the body fits all along them, and they are never longer or over dearer
//! ground.

use pathforge_core::geometry::{Cell, DiagonalMode};
use pathforge_core::terrain::Terrain;
use pathforge_core::world::{GoalMode, PathOutcome, PathQuery, World};
use pathforge_tests::bodies::{Body, any_body};
use pathforge_tests::check::{Trip, show};
use pathforge_tests::maps::{any_cell, any_ground, any_map};
use pathforge_tests::oracle::{Ground, sweep};
use pathforge_tests::rng::{Rng, seeds};

fn length(places: &[Cell]) -> f64 {
    let between = |a: Cell, b: Cell| f64::from(a.x - b.x).hypot(f64::from(a.y - b.y));
    places.windows(2).map(|pair| between(pair[0], pair[1])).sum()
}

/// What standing on a cell costs a body, as a factor.
fn factor(terrain: &Terrain, body: &Body, cell: Cell) -> f64 {
    let of_terrain = body.terrain_costs.get(usize::from(terrain.terrain(cell))).copied().unwrap_or(1.0);
    f64::from(terrain.weight(cell)) * f64::from(of_terrain)
}

/// Whether `line` runs along the route itself, which may cut corners where its mode allows it.
fn follows_route(cells: &[Cell], line: (Cell, Cell)) -> bool {
    let place = |cell: Cell| cells.iter().position(|&c| c == cell);
    let (Some(a), Some(b)) = (place(line.0), place(line.1)) else { return false };
    let steps = line.0.x.abs_diff(line.1.x).max(line.0.y.abs_diff(line.1.y));
    a.abs_diff(b) == steps as usize
}

/// Parts of a step at which a line is looked at.
const PARTS: i32 = 16;

/// Where a body on a straight line stands across an edge that is closed for steps that way.
fn crossed_edge(ground: &Ground, (a, b): (Cell, Cell)) -> Option<Cell> {
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let count = dx.abs().max(dy.abs()) * PARTS;
    (0..=count).find_map(|n| {
        // The anchors that the body stands between, in whole numbers.
        let between = |from: i32, by: i32| {
            let at = by * n;
            from + at.div_euclid(count)..=from - (-at).div_euclid(count)
        };
        let (columns, rows) = (between(a.x, dx), between(a.y, dy));
        let is_under = |cell: &Cell| columns.contains(&cell.x) && rows.contains(&cell.y);
        let anchors = rows.clone().flat_map(|y| columns.clone().map(move |x| Cell::new(x, y)));
        let mut steps = anchors.flat_map(|from| {
            [Cell::new(from.x + dx.signum(), from.y), Cell::new(from.x, from.y + dy.signum())]
                .map(|to| (from, to))
        });
        steps
            .find(|(from, to)| from != to && is_under(to) && !ground.slides(*from, *to))
            .map(|(from, _)| from)
    })
}

fn verify(terrain: &Terrain, body: &Body, outcome: &PathOutcome) -> Result<(), String> {
    let ground = Ground::new(terrain, body);
    let smoothed = outcome.smoothed.as_deref().unwrap_or_default();
    let cells = outcome.route.cells();
    if (smoothed.first(), smoothed.last()) != (cells.first(), cells.last()) {
        return Err("the ends of the lines are not those of the route".to_owned());
    }
    if length(smoothed) > length(&cells) + 1e-6 {
        return Err("the lines are longer than the route".to_owned());
    }
    let under = |cell: &Cell| sweep(body.w, body.h, *cell, *cell);
    let maximum = cells.iter().flat_map(under).map(|c| factor(terrain, body, c)).fold(0.0, f64::max);
    let is_link = |pair: &&[Cell]| outcome.route.link_ends().any(|(ends, _)| ends == **pair);
    for pair in smoothed.windows(2).filter(|pair| !is_link(pair)) {
        if pair[0] == pair[1] {
            return Err(format!("a line goes nowhere at {:?}", pair[0]));
        }
        if let Some(at) = crossed_edge(&ground, (pair[0], pair[1])) {
            let may_cut = matches!(body.mode, DiagonalMode::Always | DiagonalMode::AtLeastOneWalkable);
            if !(may_cut && follows_route(&cells, (pair[0], pair[1]))) {
                return Err(format!("the line {pair:?} crosses an edge at {at:?}"));
            }
        }
        for cell in sweep(body.w, body.h, pair[0], pair[1]) {
            let may_cut = matches!(body.mode, DiagonalMode::Always | DiagonalMode::AtLeastOneWalkable);
            let fits = terrain.is_open(cell, body.capability());
            let cuts = may_cut && follows_route(&cells, (pair[0], pair[1]));
            if !fits && !cuts {
                return Err(format!("the line {pair:?} hits {cell:?}"));
            }
            if fits && factor(terrain, body, cell) > maximum && !follows_route(&cells, (pair[0], pair[1])) {
                return Err(format!("the line {pair:?} takes dearer ground at {cell:?}"));
            }
        }
    }
    Ok(())
}

#[test]
fn lines_fit_the_body_and_are_never_longer_or_dearer() {
    for seed in seeds(70, 150) {
        let mut rng = Rng::new(seed);
        let ground = any_ground(&mut rng);
        let terrain = any_map(&mut rng, ground);
        for _ in 0..3 {
            let body = any_body(&mut rng, true);
            let placements: Vec<Cell> = Ground::new(&terrain, &body).placements().collect();
            let mut world = World::from_terrain(terrain.clone());
            for _ in 0..if placements.is_empty() { 0 } else { 8 } {
                let trip = Trip {
                    start: rng.pick(&placements),
                    goal: any_cell(&mut rng, terrain.region()),
                    goal_mode: GoalMode::Nearest,
                };
                let plain = world.find_path(&trip.query(&body));
                let smooth = world.find_path(&PathQuery { smoothing: true, ..trip.query(&body) });
                assert_eq!(
                    plain,
                    PathOutcome { smoothed: None, ..smooth.clone() },
                    "seed {seed}: more than lines"
                );
                if let Err(why) = verify(&terrain, &body, &smooth) {
                    panic!(
                        "seed {seed}: {why}\n{:?}\n{}",
                        smooth.smoothed,
                        show(&terrain, &body, trip, &smooth)
                    );
                }
            }
        }
    }
}

#[test]
fn a_sweep_covers_what_a_body_slides_over() {
    let at = |x, y| Cell::new(x, y);
    assert_eq!(sweep(1, 1, at(3, 3), at(3, 3)), [at(3, 3)]);
    assert_eq!(sweep(1, 1, at(0, 0), at(2, 0)), [at(0, 0), at(1, 0), at(2, 0)]);
    assert_eq!(sweep(1, 1, at(1, 1), at(0, 0)), [at(0, 0), at(1, 0), at(0, 1), at(1, 1)]);
    // A shallow line leaves the corners opposite its slope.
    let line = sweep(1, 1, at(0, 0), at(4, 2));
    assert!([at(0, 0), at(1, 0), at(2, 1), at(4, 2)].iter().all(|cell| line.contains(cell)));
    assert!(!line.contains(&at(4, 0)) && !line.contains(&at(0, 2)));
    assert_eq!(sweep(2, 1, at(0, 0), at(0, 1)), [at(0, 0), at(1, 0), at(0, 1), at(1, 1)]);
}
