//! Requests: every ticket that is not withdrawn is answered once and in order, with a path that can be walked
//! at that time, whatever edits, cancels and workers do meanwhile.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::terrain::Terrain;
use pathforge_core::world::{
    Engine, GoalMode, PathAnswer, PathOutcome, PathQuery, PathRequests, Profile, Reason, SearchMode, Status,
    Ticket, Workers, World,
};
use pathforge_tests::bodies::{Body, any_body};
use pathforge_tests::check::{Expectation, Trip, show, walk_along};
use pathforge_tests::edits::{Wildness, any_edit};
use pathforge_tests::maps::{any_cell, any_ground, any_map, any_map_of};
use pathforge_tests::rng::{Rng, seeds};

use crate::crew::{Crew, Threads};

/// A game with requests under way.
struct Game {
    world: World,
    requests: PathRequests,
    bodies: Vec<Body>,
    asked: Vec<(Body, Trip)>,
    cancelled: BTreeSet<Ticket>,
    /// Taken back while they were open, so never answered.
    withdrawn: BTreeSet<Ticket>,
    answered: Ticket,
}

impl Game {
    fn new(rng: &mut Rng, terrain: Terrain, workers: Arc<dyn Workers>) -> Self {
        Self {
            world: World::from_terrain(terrain),
            requests: PathRequests::new(workers),
            bodies: (0..3).map(|_| any_body(rng, true)).collect(),
            asked: Vec::new(),
            cancelled: BTreeSet::new(),
            withdrawn: BTreeSet::new(),
            answered: 0,
        }
    }

    /// The last ticket before `end` that has an answer or is to have one.
    fn last_told(&self, end: Ticket) -> Ticket {
        (1..end).rev().find(|ticket| !self.withdrawn.contains(ticket)).unwrap_or(0)
    }

    fn ask(&mut self, rng: &mut Rng) {
        let region = self.world.terrain().region();
        let body = self.bodies[rng.place(self.bodies.len())].clone();
        let goal_mode = rng.pick(&[GoalMode::Exact, GoalMode::Exact, GoalMode::Cover, GoalMode::Nearest]);
        let goal = if rng.percent(60) { Cell::new(region.x, region.y) } else { any_cell(rng, region) };
        let trip = Trip { start: any_cell(rng, region), goal, goal_mode };
        for _ in 0..rng.int(1..4) {
            let ticket = self.requests.submit(trip.query(&body));
            self.asked.push((body.clone(), trip));
            assert_eq!(ticket, self.asked.len() as Ticket);
        }
    }

    fn cancel(&mut self, rng: &mut Rng) {
        let ticket = rng.int(0..self.asked.len() as i32 + 2) as Ticket;
        let is_open = ticket > self.answered
            && ticket <= self.asked.len() as Ticket
            && !self.cancelled.contains(&ticket)
            && !self.withdrawn.contains(&ticket);
        assert_eq!(self.requests.cancel(ticket), is_open, "ticket {ticket}");
        if is_open {
            self.cancelled.insert(ticket);
        }
    }

    /// Takes back some requests in a row: those of units that are gone.
    fn withdraw(&mut self, rng: &mut Rng) {
        let first = rng.int(0..self.asked.len() as i32 + 2) as Ticket;
        for ticket in first..first + rng.int(1..6) as Ticket {
            let is_open = ticket > self.answered && ticket <= self.asked.len() as Ticket;
            self.requests.withdraw(ticket);
            if is_open {
                self.withdrawn.insert(ticket);
            }
        }
        let open = (self.answered + 1..=self.asked.len() as Ticket).filter(|t| !self.withdrawn.contains(t));
        assert_eq!(self.requests.len(), open.count(), "those that are to be answered");
    }

    fn edit(&mut self, rng: &mut Rng) {
        if rng.percent(4) {
            let kind = any_ground(rng);
            self.world.replace_terrain(any_map(rng, kind));
        } else {
            let edit = any_edit(rng, self.world.terrain(), Wildness::Any);
            edit.apply(self.world.terrain_mut());
        }
    }

    /// Takes some answers and holds each to the map as it is now.
    fn take(&mut self, most: usize, label: &str) {
        self.requests.pump(&mut self.world);
        for _ in 0..most {
            let Some(answer) = self.requests.next_answer(&mut self.world) else { break };
            let PathAnswer { ticket, query, outcome, .. } = answer;
            assert!(!self.withdrawn.contains(&ticket), "{label}: withdrawn");
            assert_eq!(self.last_told(ticket), self.answered, "{label}: in order");
            self.answered = ticket;
            let (body, trip) = self.asked[ticket as usize - 1].clone();
            assert_eq!(query, trip.query(&body));
            self.judge(ticket, &body, trip, &outcome, label);
        }
    }

    fn judge(&self, ticket: Ticket, body: &Body, trip: Trip, outcome: &PathOutcome, label: &str) {
        let terrain = self.world.terrain();
        let label = || format!("{label}, ticket {ticket}:\n{}", show(terrain, body, trip, outcome));
        if self.cancelled.contains(&ticket) {
            assert_eq!(
                (outcome.status, outcome.reason),
                (Status::Cancelled, Some(Reason::Cancelled)),
                "{}",
                label()
            );
            return;
        }
        let expected = Expectation::new(terrain, body, trip.start);
        let answer = expected.answer(terrain, body, trip);
        assert_eq!((outcome.status, outcome.reason), (answer.status, answer.reason), "{}", label());
        if let Some(cost) = outcome.cost {
            let walked = walk_along(expected.ground(), trip.start, &outcome.route);
            assert_eq!(walked, Ok(u64::from(cost.units())), "{}", label());
            if outcome.status == Status::Complete {
                assert!(answer.cost.is_some_and(|best| u64::from(cost.units()) >= best), "{}", label());
            }
        }
    }
}

#[test]
fn every_ticket_is_answered_once_with_a_path_of_today() {
    for seed in seeds(70, 60) {
        let mut rng = Rng::new(seed);
        let kind = any_ground(&mut rng);
        let terrain = any_map(&mut rng, kind);
        let crew = Crew::of(rng.int(1..4) as usize);
        let mut game = Game::new(&mut rng, terrain, Arc::clone(&crew) as Arc<dyn Workers>);
        let label = format!("seed {seed}");
        for _ in 0..60 {
            match rng.int(0..10) {
                0..3 => game.ask(&mut rng),
                3..5 => game.edit(&mut rng),
                5 if rng.percent(50) => game.cancel(&mut rng),
                5 => game.withdraw(&mut rng),
                6..9 => {
                    for _ in 0..rng.int(1..4) {
                        crew.run_one(&mut rng);
                    }
                }
                _ => game.take(rng.int(1..8) as usize, &label),
            }
        }
        for _ in 0..2000 {
            while crew.run_one(&mut rng) {}
            game.take(usize::MAX, &label);
        }
        assert!(game.requests.is_empty(), "{label}: {:?}", game.requests);
        assert_eq!(game.answered, game.last_told(game.asked.len() as Ticket + 1));
    }
}

#[test]
fn edits_while_threads_search_leave_no_path_through_a_wall() {
    for (seed, threads) in seeds(71, 3).zip([1, 2, 3]) {
        let mut rng = Rng::new(seed);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start");
        let kind = any_ground(&mut rng);
        let terrain = any_map_of(&mut rng, 60, 50, kind);
        let mut game = Game::new(&mut rng, terrain, Arc::new(Threads(pool)));
        let label = format!("seed {seed}, {threads} threads");
        for round in 0..400 {
            game.ask(&mut rng);
            if round % 3 == 0 {
                game.edit(&mut rng);
            }
            if round % 7 == 0 {
                game.cancel(&mut rng);
                game.withdraw(&mut rng);
            }
            game.take(4, &label);
        }
        while !game.requests.is_empty() {
            game.take(usize::MAX, &label);
            std::thread::yield_now();
        }
        assert_eq!(game.answered, game.last_told(game.asked.len() as Ticket + 1), "{label}");
    }
}

#[test]
fn requests_with_one_goal_share_a_field_and_cost_what_searches_find() {
    let mut shared = 0;
    for seed in seeds(72, 32) {
        let mut rng = Rng::new(seed);
        let kind = any_ground(&mut rng);
        let terrain = any_map_of(&mut rng, 40, 30, kind);
        let region = terrain.region();
        let body = any_body(&mut rng, true);
        let goal_mode = rng.pick(&[GoalMode::Exact, GoalMode::Cover, GoalMode::Nearest]);
        let goal = any_cell(&mut rng, region);
        let crew = Crew::of(2);
        let mut world = World::from_terrain(terrain.clone());
        let mut requests = PathRequests::new(Arc::clone(&crew) as Arc<dyn Workers>);
        for _ in 0..80 {
            let trip = Trip { start: any_cell(&mut rng, region), goal, goal_mode };
            requests.submit(trip.query(&body));
        }
        requests.pump(&mut world);
        while crew.run_one(&mut rng) {}
        requests.pump(&mut world);
        let mut searching = World::from_terrain(terrain.clone());
        while let Some(PathAnswer { query, outcome, .. }) = requests.next_answer(&mut world) {
            let trip = Trip { start: query.start, goal, goal_mode };
            let label = || format!("seed {seed}:\n{}", show(&terrain, &body, trip, &outcome));
            let found = searching.find_path(&query);
            assert_eq!(
                (outcome.status, outcome.reason, outcome.cost),
                (found.status, found.reason, found.cost),
                "{}",
                label()
            );
            assert_eq!(outcome.smoothed.is_some(), found.smoothed.is_some(), "{}", label());
            if let (Engine::Field, Some(cost)) = (outcome.engine, outcome.cost) {
                shared += 1;
                let expected = Expectation::new(&terrain, &body, trip.start);
                let walked = walk_along(expected.ground(), trip.start, &outcome.route);
                assert_eq!(walked, Ok(u64::from(cost.units())), "{}", label());
            }
        }
        assert!(requests.is_empty(), "seed {seed}");
    }
    assert!(shared > 100, "{shared} were read off fields");
}

#[test]
fn few_requests_and_those_with_a_limit_are_searched_one_by_one() {
    let crew = Crew::of(1);
    let mut world = open_world(20, 20);
    let mut requests = PathRequests::new(Arc::clone(&crew) as Arc<dyn Workers>);
    let to = |x, expansions_max| PathQuery {
        expansions_max,
        ..PathQuery::new(Cell::new(x, 0), Cell::new(9, 19), Profile::default())
    };
    for x in 0..20 {
        if x < 5 {
            requests.submit(to(x, u32::MAX));
        }
        requests.submit(to(x, 1000));
    }
    requests.pump(&mut world);
    let mut rng = Rng::new(1);
    while crew.run_one(&mut rng) {}
    requests.pump(&mut world);
    let answers: Vec<_> = std::iter::from_fn(|| requests.next_answer(&mut world)).collect();
    assert_eq!(answers.len(), 25);
    assert!(answers.iter().all(|answer| answer.outcome.engine == Engine::Jps));
}

fn open_world(w: i32, h: i32) -> World {
    World::new(CellRect::new(0, 0, w, h)).expect("a small region")
}

#[test]
fn equal_requests_are_searched_once() {
    let crew = Crew::of(1);
    let mut world = open_world(20, 20);
    let mut requests = PathRequests::new(Arc::clone(&crew) as Arc<dyn Workers>);
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(19, 9), Profile::default());
    for _ in 0..1000 {
        requests.submit(query.clone());
    }
    requests.pump(&mut world);
    let mut rng = Rng::new(1);
    while crew.run_one(&mut rng) {}
    assert_eq!(crew.done.load(Ordering::Relaxed), 2, "one piece plans, one searches");
    requests.pump(&mut world);
    let answers: Vec<_> = std::iter::from_fn(|| requests.next_answer(&mut world)).collect();
    assert_eq!(answers.len(), 1000);
    assert!(answers.iter().all(|answer| answer.outcome == answers[0].outcome));
}

#[test]
fn requests_that_search_in_different_ways_are_not_the_same() {
    let crew = Crew::of(1);
    let mut world = open_world(200, 200);
    let mut requests = PathRequests::new(Arc::clone(&crew) as Arc<dyn Workers>);
    let modes = [SearchMode::Optimal, SearchMode::Hierarchical, SearchMode::Optimal];
    let queries = modes.map(|search_mode| PathQuery {
        search_mode,
        ..PathQuery::new(Cell::new(0, 0), Cell::new(199, 150), Profile::default())
    });
    for query in queries.clone() {
        requests.submit(query);
    }
    requests.pump(&mut world);
    let mut rng = Rng::new(1);
    while crew.run_one(&mut rng) {}
    requests.pump(&mut world);
    for query in queries {
        let answer = requests.next_answer(&mut world).expect("an answer");
        assert_eq!(answer.query, query);
        assert_eq!(answer.outcome.engine, world.find_path(&query).engine);
    }
}

#[test]
fn layers_that_workers_make_are_kept() {
    let crew = Crew::of(1);
    let mut world = open_world(30, 30);
    let mut requests = PathRequests::new(Arc::clone(&crew) as Arc<dyn Workers>);
    requests.submit(PathQuery::new(Cell::new(0, 0), Cell::new(9, 9), Profile::default()));
    requests.pump(&mut world);
    assert_eq!(world.layer_count(), 0, "nothing is made on the caller's thread");
    let mut rng = Rng::new(1);
    while crew.run_one(&mut rng) {}
    requests.pump(&mut world);
    assert_eq!(world.layer_count(), 1);
}

/// On a huge map they are a hundred megabytes, which the main thread has no time to give back.
#[test]
fn layers_that_are_replaced_are_given_back_by_the_workers() {
    let crew = Crew::of(1);
    let mut world = open_world(30, 30);
    let mut requests = PathRequests::new(Arc::clone(&crew) as Arc<dyn Workers>);
    let mut rng = Rng::new(1);
    for replaces in [false, true] {
        requests.submit(PathQuery::new(Cell::new(0, 0), Cell::new(9, 9), Profile::default()));
        requests.pump(&mut world);
        while crew.run_one(&mut rng) {}
        requests.pump(&mut world);
        assert_eq!(crew.waiting(), usize::from(replaces));
        while crew.run_one(&mut rng) {}
        requests.next_answer(&mut world).expect("it is answered");
        world.terrain_mut().fill_solid(CellRect { x: 20, y: 20, w: 1, h: 1 }, true);
    }
}

#[test]
fn requests_that_are_dropped_leave_no_work_behind() {
    let crew = Crew::of(2);
    let mut world = open_world(30, 30);
    let mut requests = PathRequests::new(Arc::clone(&crew) as Arc<dyn Workers>);
    for x in 0..30 {
        requests.submit(PathQuery::new(Cell::new(x, 0), Cell::new(9, 9), Profile::default()));
    }
    requests.pump(&mut world);
    let mut rng = Rng::new(1);
    crew.run_one(&mut rng);
    drop(requests);
    while crew.run_one(&mut rng) {}
    assert_eq!(crew.waiting(), 0);
    assert!(crew.done.load(Ordering::Relaxed) <= 3, "searches of cancelled requests are not begun");
}
