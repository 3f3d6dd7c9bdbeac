//! Requests while the map changes: answers come after a bounded number of batches, however many edits there
//! are. Each path can be walked and costs what it says when it comes. It is a path of least cost unless an
//! edit may have opened a better one meanwhile; then it is no older than a stated number of pumps.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use pathforge_core::bitgrid::GridLayout;
use pathforge_core::cost::Cost;
use pathforge_core::geometry::{Cell, CellRect, Footprint};
use pathforge_core::passability::InfluenceWeights;
use pathforge_core::path::sweeps_over;
use pathforge_core::raster::Raster;
use pathforge_core::world::{
    GoalMode, PathAnswer, PathOutcome, PathQuery, PathRequests, Profile, Status, Workers, World,
};
use pathforge_tests::bodies::any_body;
use pathforge_tests::check::{Expectation, Trip, show, walk_along};
use pathforge_tests::edits::{Wildness, any_edit};
use pathforge_tests::maps::{any_cell, any_ground, any_map_of, any_rect};
use pathforge_tests::oracle::step_units;
use pathforge_tests::rng::{Rng, seeds};

use crate::crew::Crew;

/// The pumps after which a path is searched again if another may cost less: as the docs of `request_path`
/// say.
const AGE_MAX: usize = 60;
/// The first search and four more: after that, what edits have made wrong is found in the call that hands it
/// out.
const ROUNDS_MAX: usize = 5;

/// Requests, the world that they are about, and workers that do nothing by themselves.
struct Game {
    world: World,
    requests: PathRequests,
    crew: Arc<Crew>,
    rng: Rng,
}

impl Game {
    fn new(world: World, seed: u64) -> Self {
        let crew = Crew::of(2);
        let requests = PathRequests::new(Arc::clone(&crew) as Arc<dyn Workers>);
        Self { world, requests, crew, rng: Rng::new(seed) }
    }

    fn open(w: i32, h: i32) -> Self {
        Self::new(World::new(CellRect::new(0, 0, w, h)).expect("a small region"), 1)
    }

    fn fill(&mut self, rect: CellRect, solid: bool) {
        self.world.terrain_mut().fill_solid(rect, solid);
    }

    /// A frame in which no answer is taken.
    fn frame(&mut self) {
        self.requests.pump(&mut self.world);
        self.requests.look_ahead(&mut self.world);
    }

    /// A frame in which all answers that are ready are taken.
    fn answers(&mut self) -> Vec<PathAnswer> {
        self.requests.pump(&mut self.world);
        let answers = std::iter::from_fn(|| self.next()).collect();
        self.requests.look_ahead(&mut self.world);
        answers
    }

    /// Lets the workers do all that is to be done.
    fn work(&mut self) {
        while self.crew.run_one(&mut self.rng) {}
    }

    fn next(&mut self) -> Option<PathAnswer> {
        self.requests.next_answer(&mut self.world)
    }

    /// The answer to a query that is edited by `edit` when it is found, `pumps` before it is told.
    fn answer_after(&mut self, query: &PathQuery, edit: impl FnOnce(&mut Self), pumps: usize) -> PathOutcome {
        self.requests.submit(query.clone());
        self.frame();
        self.work();
        self.frame();
        edit(self);
        for _ in 0..pumps {
            self.frame();
        }
        self.work();
        self.frame();
        self.next().expect("it is answered").outcome
    }

    fn pieces_done(&self) -> usize {
        self.crew.done.load(Ordering::Relaxed)
    }
}

fn query(start: (i32, i32), goal: (i32, i32)) -> PathQuery {
    PathQuery::new(Cell::new(start.0, start.1), Cell::new(goal.0, goal.1), Profile::default())
}

#[test]
fn edits_in_every_round_hold_up_no_answer_for_long() {
    for seed in seeds(80, 30) {
        let mut rng = Rng::new(seed);
        let kind = any_ground(&mut rng);
        let mut game = Game::new(World::from_terrain(any_map_of(&mut rng, 50, 40, kind)), seed);
        let region = game.world.terrain().region();
        let body = any_body(&mut rng, true);
        let mut trips = Vec::new();
        for _ in 0..60 {
            let goal_mode = rng.pick(&[GoalMode::Exact, GoalMode::Cover, GoalMode::Nearest]);
            let trip =
                Trip { start: any_cell(&mut rng, region), goal: any_cell(&mut rng, region), goal_mode };
            game.requests.submit(trip.query(&body));
            trips.push(trip);
        }
        // Sometimes more edits than any journal holds.
        let edits = rng.pick(&[1, 10, 10, 1500]);
        let mut answered = 0;
        for _ in 0..ROUNDS_MAX {
            game.frame();
            game.work();
            for _ in 0..edits {
                let wildness = if edits > 10 { Wildness::Small } else { Wildness::Any };
                any_edit(&mut rng, game.world.terrain(), wildness).apply(game.world.terrain_mut());
            }
            for PathAnswer { outcome, .. } in game.answers() {
                let (terrain, trip) = (game.world.terrain(), trips[answered]);
                let label = || format!("seed {seed}:\n{}", show(terrain, &body, trip, &outcome));
                let expected = Expectation::new(terrain, &body, trip.start);
                let best = expected.answer(terrain, &body, trip);
                assert_eq!((outcome.status, outcome.reason), (best.status, best.reason), "{}", label());
                if let Some(cost) = outcome.cost {
                    let walked = walk_along(expected.ground(), trip.start, &outcome.route);
                    assert_eq!(walked, Ok(u64::from(cost.units())), "{}", label());
                }
                answered += 1;
            }
        }
        assert_eq!(answered, trips.len(), "seed {seed}");
    }
}

#[test]
fn where_cells_only_close_each_path_is_the_one_that_a_search_finds() {
    for seed in seeds(81, 40) {
        let mut rng = Rng::new(seed);
        let kind = any_ground(&mut rng);
        let mut game = Game::new(World::from_terrain(any_map_of(&mut rng, 40, 40, kind)), seed);
        let region = game.world.terrain().region();
        let body = any_body(&mut rng, true);
        for _ in 0..40 {
            let goal_mode = rng.pick(&[GoalMode::Exact, GoalMode::Cover]);
            let trip =
                Trip { start: any_cell(&mut rng, region), goal: any_cell(&mut rng, region), goal_mode };
            game.requests.submit(trip.query(&body));
        }
        while !game.requests.is_empty() {
            game.frame();
            game.work();
            let wall = any_rect(&mut rng, region);
            game.fill(CellRect { w: wall.w.min(4), h: wall.h.min(4), ..wall }, true);
            for PathAnswer { query, outcome, .. } in game.answers() {
                let found = game.world.find_path(&query);
                assert_eq!(
                    (outcome.status, outcome.reason, outcome.cost),
                    (found.status, found.reason, found.cost),
                    "seed {seed}: {query:?}"
                );
            }
        }
    }
}

/// A wall of one column, with a gap at its end.
fn walled() -> Game {
    let mut game = Game::open(60, 60);
    game.fill(CellRect::new(20, 0, 1, 30), true);
    game
}

const GAP: CellRect = CellRect { x: 20, y: 5, w: 1, h: 1 };

#[test]
fn a_path_that_another_may_undercut_is_told_while_it_is_young() {
    let query = query((10, 5), (30, 5));
    for pumps in [0, 1, AGE_MAX - 2] {
        let mut game = walled();
        let before = game.world.find_path(&query);
        let told = game.answer_after(&query, |game| game.fill(GAP, false), pumps);
        assert_eq!(told, before, "{pumps} pumps");
    }
    let mut game = walled();
    let told = game.answer_after(&query, |game| game.fill(GAP, false), AGE_MAX + 2);
    assert_eq!(told, game.world.find_path(&query), "the way through the gap");
    assert!(told.route.cells().contains(&Cell::new(20, 5)));
}

#[test]
fn an_edit_that_is_too_far_to_matter_has_nothing_searched_again() {
    let query = query((10, 5), (30, 5));
    let mut game = walled();
    game.fill(CellRect::new(40, 50, 9, 9), true);
    let before = game.world.find_path(&query);
    let told = game.answer_after(&query, |game| game.fill(CellRect::new(44, 55, 1, 1), false), 3 * AGE_MAX);
    assert_eq!((&told, &told), (&before, &game.world.find_path(&query)));
    assert_eq!(game.pieces_done(), 2, "one piece plans, one searches");
}

#[test]
fn an_answer_that_is_old_is_searched_again_once_only() {
    let query = query((10, 5), (30, 5));
    let mut game = walled();
    game.requests.submit(query);
    let mut pieces = Vec::new();
    for round in 0..3 {
        game.frame();
        game.work();
        pieces.push(game.pieces_done());
        game.frame();
        // A weight anywhere may make another path cost less.
        let weight = CellRect::new(50, round, 1, 1);
        game.world.terrain_mut().fill_weight(weight, 2.0).expect("a valid weight");
        for _ in 0..2 * AGE_MAX {
            game.frame();
        }
    }
    assert!(game.next().is_some_and(|answer| answer.outcome.status == Status::Complete));
    assert!(pieces[0] < pieces[1], "it is searched again");
    // What the second search has replaced is given back by the workers.
    assert_eq!((pieces[2] - pieces[1], game.crew.waiting()), (1, 0), "and not a third time");
}

#[test]
fn answers_that_wait_for_their_turn_alone_are_left_to_the_workers() {
    let mut game = Game::open(60, 62);
    for cell in CellRect::new(0, 0, 60, 62).cells() {
        let weight = game.rng.int(1..10) as f32;
        game.world.terrain_mut().fill_weight(CellRect::cell(cell), weight).expect("a valid weight");
    }
    // Three bands, and a long search in each.
    for y in [20, 41] {
        game.fill(CellRect::new(0, y, 60, 1), true);
    }
    let queries = [0, 21, 42].map(|y| query((0, y), (59, y + 19)));
    for query in &queries {
        assert!(game.world.find_path(query).expanded > 500, "it is no quick search");
        game.requests.submit(query.clone());
    }
    let close = |game: &mut Game, query: &PathQuery| {
        let path = game.world.find_path(query).route.cells();
        game.fill(CellRect::cell(path[path.len() / 2]), true);
    };
    game.frame();
    game.work();
    game.frame();
    for _ in 0..2 * ROUNDS_MAX {
        close(&mut game, &queries[1]);
        game.frame();
        game.work();
        game.frame();
    }
    close(&mut game, &queries[2]);
    assert!(game.next().is_some() && game.next().is_some());
    assert!(game.next().is_none(), "the third has waited for nothing but its turn");
    game.frame();
    game.work();
    game.frame();
    assert!(game.next().is_some());
}

#[test]
fn straight_lines_of_an_answer_pass_no_new_wall() {
    let profile = Profile { footprint: Footprint::new(2, 2).expect("small"), ..Profile::default() };
    let query = PathQuery { smoothing: true, ..PathQuery::new(Cell::new(0, 0), Cell::new(40, 9), profile) };
    let mut game = Game::open(50, 50);
    let before = game.world.find_path(&query);
    let lines = before.smoothed.clone().expect("it was asked for");
    // Under the straight line, and beside the path of steps.
    let beside = |cell: &Cell| {
        let wall = CellRect::new(cell.x, cell.y, 1, 1);
        sweeps_over(&lines, profile.footprint, wall)
            && before
                .route
                .cells()
                .iter()
                .all(|&at| !profile.footprint.at(at).grown(1, 1, 1, 1).contains(*cell))
    };
    let cell = CellRect::new(0, 0, 50, 50).cells().find(beside).expect("the lines cut a corner");
    let wall = CellRect::new(cell.x, cell.y, 1, 1);
    let told = game.answer_after(&query, |game| game.fill(wall, true), 1);
    let lines = told.smoothed.expect("it was asked for");
    assert!(!sweeps_over(&lines, profile.footprint, wall), "{lines:?} past {wall:?}");
}

/// Influence that is different in each round, as if it decayed.
fn influence(layout: GridLayout, round: usize) -> Raster<f32> {
    let mut values = Raster::filled(layout, 0.0);
    for (x, y) in layout.all().places() {
        let value = ((x * 7 + y * 13) % 11) as f32 / (round + 1) as f32;
        values.set(x, y, value);
    }
    values
}

#[test]
fn influence_that_decays_has_nothing_searched_again_and_costs_what_it_is_now() {
    let mut rng = Rng::new(7);
    let weights = InfluenceWeights::new(&[1.0]).expect("finite");
    let profile = Profile { influence_weights: weights, ..Profile::default() };
    let mut game = Game::open(40, 40);
    let (region, layout) = (game.world.terrain().region(), game.world.terrain().layout());
    game.world.put_influence(0, &influence(layout, 0), layout.all());
    for _ in 0..50 {
        let (start, goal) = (any_cell(&mut rng, region), any_cell(&mut rng, region));
        game.requests.submit(PathQuery::new(start, goal, profile));
    }
    game.frame();
    game.work();
    let mut answers = 0;
    for round in 1..11 {
        game.world.put_influence(0, &influence(layout, round), layout.all());
        game.frame();
        for _ in 0..5 {
            let PathAnswer { outcome, .. } = game.next().expect("all were found in the first round");
            let steps = outcome.route.cells();
            let units = steps.windows(2).map(|pair| {
                let added = game.world.influence_at(0, pair[1].x as u32, pair[1].y as u32);
                let (straight, diagonal) = step_units(1.0 + f64::from(added));
                let is_diagonal = pair[0].x != pair[1].x && pair[0].y != pair[1].y;
                if is_diagonal { diagonal } else { straight }
            });
            assert_eq!(outcome.cost.map(Cost::units), Some(units.sum()), "round {round}");
            answers += 1;
        }
    }
    assert_eq!(answers, 50);
    assert_eq!(game.crew.waiting(), 0, "nothing is searched again");
}
