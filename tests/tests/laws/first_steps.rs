//! First steps of requests: they come before the rest of any path of their batch, once at most, can be walked when they are
//! told, and the whole path begins with them unless an edit has made it another one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::terrain::Terrain;
use pathforge_core::world::{
    Engine, PathAnswer, PathOutcome, PathQuery, PathRequests, Profile, SearchMode, Status, Ticket, Workers,
    World,
};
use pathforge_tests::bodies::{Body, any_body};
use pathforge_tests::check::{Expectation, Trip, show, walk};
use pathforge_tests::edits::{Wildness, any_edit};
use pathforge_tests::maps::{any_cell, any_ground, any_origin, boxes, city, dress};
use pathforge_tests::rng::{Rng, seeds};

use crate::crew::{Crew, Threads};

const GOAL_MODE: pathforge_core::world::GoalMode = pathforge_core::world::GoalMode::Exact;

fn far_query(start: Cell, goal: Cell) -> PathQuery {
    PathQuery { search_mode: SearchMode::Hierarchical, ..PathQuery::new(start, goal, Profile::default()) }
}

/// A wall with a gap at either end by turns, every 20 rows: long paths.
fn long_map(side: i32) -> World {
    let mut terrain = Terrain::new(CellRect::new(0, 0, side, side)).expect("a small region");
    for (n, y) in (20..side).step_by(20).enumerate() {
        terrain.fill_solid(CellRect::new((n % 2) as i32, y, side - 1, 1), true);
    }
    World::from_terrain(terrain)
}

fn submit_in_steps(requests: &mut PathRequests, query: PathQuery) {
    let ticket = requests.submit(query);
    requests.want_first_steps(ticket);
}

fn begun(requests: &mut PathRequests, world: &mut World) -> Vec<PathAnswer> {
    std::iter::from_fn(|| requests.next_prefix(world)).collect()
}

fn answers(requests: &mut PathRequests, world: &mut World) -> Vec<PathAnswer> {
    std::iter::from_fn(|| requests.next_answer(world)).collect()
}

#[test]
fn all_first_steps_come_before_the_rest_of_any_path() {
    for count in 1..4 {
        let crew = Crew::of(count);
        let mut world = long_map(200);
        let mut requests = PathRequests::new(Arc::clone(&crew) as Arc<dyn Workers>);
        let queries: Vec<_> = (0..12).map(|n| far_query(Cell::new(n, 0), Cell::new(199 - n, 199))).collect();
        for query in &queries {
            submit_in_steps(&mut requests, query.clone());
        }
        requests.pump(&mut world);
        let (mut rng, mut told) = (Rng::new(count as u64), Vec::new());
        while told.len() < queries.len() {
            assert!(crew.run_one(&mut rng), "{count}: there is more to do");
            requests.pump(&mut world);
            told.extend(begun(&mut requests, &mut world));
            assert!(requests.next_answer(&mut world).is_none(), "{count}: {} were told", told.len());
        }
        while crew.run_one(&mut rng) {}
        requests.pump(&mut world);
        assert!(begun(&mut requests, &mut world).is_empty());
        let whole = answers(&mut requests, &mut world);
        assert_eq!(whole.len(), queries.len());
        told.sort_by_key(|answer| answer.ticket);
        for (steps, whole) in told.iter().zip(&whole) {
            assert_eq!((steps.ticket, &steps.query), (whole.ticket, &whole.query));
            let PathOutcome { status, reason, engine, .. } = steps.outcome;
            assert_eq!((status, reason, engine), (Status::Prefix, None, Engine::Haa));
            let (first, all) = (steps.outcome.route.cells(), whole.outcome.route.cells());
            assert!(first.len() > 1 && first.len() < all.len());
            assert_eq!(first, all[..first.len()]);
            assert!(steps.outcome.cost < whole.outcome.cost);
            assert_eq!(whole.outcome, world.find_path(&whole.query), "the whole is what a search finds");
        }
    }
}

#[test]
fn nobody_is_told_who_did_not_ask_nor_where_ends_are_near() {
    let crew = Crew::of(1);
    let mut world = long_map(200);
    let mut requests = PathRequests::new(Arc::clone(&crew) as Arc<dyn Workers>);
    let far = far_query(Cell::new(0, 0), Cell::new(199, 199));
    let flat = PathQuery { search_mode: SearchMode::Auto, ..far.clone() };
    requests.submit(far.clone());
    submit_in_steps(&mut requests, flat);
    submit_in_steps(&mut requests, far_query(Cell::new(0, 0), Cell::new(9, 9)));
    let mut rng = Rng::new(1);
    // The first two pieces plan and set out, if there is anything to set out on.
    for _ in 0..2 {
        requests.pump(&mut world);
        crew.run_one(&mut rng);
    }
    requests.pump(&mut world);
    assert!(begun(&mut requests, &mut world).is_empty());
    while crew.run_one(&mut rng) {}
    requests.pump(&mut world);
    assert_eq!(answers(&mut requests, &mut world).len(), 3);
    requests.want_all_first_steps(true);
    requests.submit(far);
    for _ in 0..2 {
        requests.pump(&mut world);
        crew.run_one(&mut rng);
    }
    requests.pump(&mut world);
    assert_eq!(begun(&mut requests, &mut world).len(), 1, "all are wanted now");
    assert!(requests.cancel(4));
    while crew.run_one(&mut rng) {}
    requests.pump(&mut world);
    let cancelled = requests.next_answer(&mut world).expect("it is answered");
    assert_eq!(cancelled.outcome.status, Status::Cancelled);
}

#[test]
fn an_edit_between_first_steps_and_the_whole_leaves_no_path_through_a_wall() {
    let crew = Crew::of(1);
    let mut world = long_map(200);
    let mut requests = PathRequests::new(Arc::clone(&crew) as Arc<dyn Workers>);
    let query = far_query(Cell::new(0, 0), Cell::new(199, 199));
    submit_in_steps(&mut requests, query.clone());
    requests.pump(&mut world);
    let mut rng = Rng::new(1);
    crew.run_one(&mut rng);
    crew.run_one(&mut rng);
    requests.pump(&mut world);
    let steps = requests.next_prefix(&mut world).expect("the first steps").outcome.route.cells();
    // A wall across the steps that were told, with a gap elsewhere, and a gap in the first wall.
    let middle = steps[steps.len() / 2];
    world.terrain_mut().fill_solid(CellRect::new(middle.x, 0, 1, 19), true);
    world.terrain_mut().fill_solid(CellRect::new(0, 20, 1, 1), false);
    while crew.run_one(&mut rng) || !requests.is_empty() {
        requests.pump(&mut world);
        assert!(requests.next_prefix(&mut world).is_none(), "they are told once");
        if let Some(PathAnswer { outcome, .. }) = requests.next_answer(&mut world) {
            assert_eq!(outcome, world.find_path(&query));
            assert!(!outcome.route.cells().contains(&middle));
        }
    }
}

/// A game that asks, edits and cancels at random.
struct Game {
    world: World,
    requests: PathRequests,
    asked: Vec<(Body, Trip)>,
    /// The first steps that were told, and the revision of the map then.
    begun: BTreeMap<Ticket, (Vec<Cell>, u64)>,
    cancelled: BTreeSet<Ticket>,
    answered: Ticket,
}

impl Game {
    fn ask(&mut self, rng: &mut Rng, body: &Body) {
        let region = self.world.terrain().region();
        let mut end = || {
            let cell = any_cell(rng, region);
            self.world.nearest_fit(cell, &body.profile(), None).unwrap_or(cell)
        };
        let trip = Trip { start: end(), goal: end(), goal_mode: GOAL_MODE };
        let query = PathQuery { search_mode: SearchMode::Hierarchical, ..trip.query(body) };
        if rng.percent(80) {
            submit_in_steps(&mut self.requests, query);
        } else {
            self.requests.submit(query);
        }
        self.asked.push((body.clone(), trip));
    }

    fn take(&mut self, most: usize, label: &str) {
        self.requests.pump(&mut self.world);
        for _ in 0..most {
            let Some(PathAnswer { ticket, outcome, .. }) = self.requests.next_prefix(&mut self.world) else {
                break;
            };
            assert!(ticket > self.answered, "{label}: the whole was told already");
            assert!(!self.cancelled.contains(&ticket), "{label}: it was cancelled");
            self.hold_to_the_map(ticket, &outcome, label);
            let steps = (outcome.route.cells(), self.world.terrain().revision());
            assert!(self.begun.insert(ticket, steps).is_none(), "{label}: ticket {ticket} twice");
        }
        for _ in 0..most {
            let Some(PathAnswer { ticket, outcome, .. }) = self.requests.next_answer(&mut self.world) else {
                break;
            };
            self.answered += 1;
            assert_eq!(ticket, self.answered, "{label}: in order");
            assert_eq!(outcome.status == Status::Cancelled, self.cancelled.contains(&ticket), "{label}");
            self.hold_to_the_map(ticket, &outcome, label);
            if let Some((steps, revision)) = self.begun.get(&ticket)
                && *revision == self.world.terrain().revision()
                && outcome.cost.is_some()
            {
                assert_eq!(*steps, outcome.route.cells()[..steps.len()], "{label}, ticket {ticket}");
            }
        }
    }

    fn hold_to_the_map(&self, ticket: Ticket, outcome: &PathOutcome, label: &str) {
        let (body, trip) = &self.asked[ticket as usize - 1];
        let terrain = self.world.terrain();
        let label = || format!("{label}, ticket {ticket}:\n{}", show(terrain, body, *trip, outcome));
        if outcome.status == Status::Cancelled {
            return;
        }
        let expected = Expectation::new(terrain, body, trip.start);
        if outcome.status != Status::Prefix {
            let best = expected.answer(terrain, body, *trip);
            assert_eq!((outcome.status, outcome.reason), (best.status, best.reason), "{}", label());
        }
        if let Some(cost) = outcome.cost {
            let walked = walk(expected.ground(), trip.start, &outcome.route.cells());
            assert_eq!(walked, Ok(u64::from(cost.units())), "{}", label());
        }
    }
}

fn play(
    rng: &mut Rng,
    workers: Arc<dyn Workers>,
    turns: usize,
    work: &mut dyn FnMut(&mut Rng),
    label: &str,
) -> usize {
    let kind = any_ground(rng);
    let walls = if rng.percent(50) { boxes(rng, 170, 140) } else { city(rng, 170, 140) };
    let mut terrain = walls.into_terrain(any_origin(rng));
    dress(rng, &mut terrain, kind);
    let world = World::from_terrain(terrain);
    let requests = PathRequests::new(workers);
    let bodies: Vec<Body> = (0..2).map(|_| any_body(rng, true)).collect();
    let mut game = Game {
        world,
        requests,
        asked: Vec::new(),
        begun: BTreeMap::new(),
        cancelled: BTreeSet::new(),
        answered: 0,
    };
    for _ in 0..turns {
        match rng.int(0..12) {
            0..4 => game.ask(rng, &bodies[rng.clone().place(bodies.len())]),
            4 => {
                let edit = any_edit(rng, game.world.terrain(), Wildness::Any);
                edit.apply(game.world.terrain_mut());
            }
            5 => {
                let ticket = rng.int(0..game.asked.len() as i32 + 2) as Ticket;
                if game.requests.cancel(ticket) {
                    game.cancelled.insert(ticket);
                }
            }
            6..8 => work(rng),
            _ => game.take(rng.int(1..8) as usize, label),
        }
    }
    while !game.requests.is_empty() {
        work(rng);
        game.take(usize::MAX, label);
    }
    assert_eq!(game.answered, game.asked.len() as Ticket, "{label}");
    game.begun.len()
}

#[test]
fn first_steps_hold_whatever_happens_meanwhile() {
    let mut begun = 0;
    for seed in seeds(76, 16) {
        let mut rng = Rng::new(seed);
        let crew = Crew::of(rng.int(1..4) as usize);
        let mut work = |rng: &mut Rng| {
            crew.run_one(rng);
        };
        let workers = Arc::clone(&crew) as Arc<dyn Workers>;
        begun += play(&mut rng, workers, 60, &mut work, &format!("seed {seed}"));
    }
    assert!(begun > 20, "{begun}");
}

#[test]
fn first_steps_hold_on_threads() {
    for (seed, threads) in seeds(77, 3).zip([1, 2, 3]) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start");
        let mut work = |_: &mut Rng| std::thread::yield_now();
        play(&mut Rng::new(seed), Arc::new(Threads(pool)), 60, &mut work, &format!("{threads} threads"));
    }
}
