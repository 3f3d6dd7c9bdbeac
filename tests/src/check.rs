//! Whether an answer is the right one, and if not, what is wrong with it.

use pathforge_core::geometry::Cell;
use pathforge_core::path::Route;
use pathforge_core::terrain::Terrain;
use pathforge_core::world::{GoalMode, PathOutcome, PathQuery, Status};

use crate::bodies::Body;
use crate::draw::draw;
use crate::oracle::{Answer, Distances, Ground, answer};

/// A question to a map.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Trip {
    /// Where the body is.
    pub start: Cell,
    /// Where it wants to go.
    pub goal: Cell,
    /// What counts as being there.
    pub goal_mode: GoalMode,
}

impl Trip {
    /// The trip as a query of `body`.
    pub fn query(&self, body: &Body) -> PathQuery {
        PathQuery { goal_mode: self.goal_mode, ..PathQuery::new(self.start, self.goal, body.profile()) }
    }
}

/// Everything that the oracle knows about one body that starts at one cell.
#[derive(Clone, Debug)]
pub struct Expectation {
    ground: Ground,
    distances: Distances,
}

impl Expectation {
    /// Looks at the whole map from `start`.
    pub fn new(terrain: &Terrain, body: &Body, start: Cell) -> Self {
        let ground = Ground::new(terrain, body);
        let distances = Distances::from(&ground, start);
        Self { ground, distances }
    }

    /// The same body at another cell of the same map.
    #[must_use]
    pub fn from(self, start: Cell) -> Self {
        let distances = Distances::from(&self.ground, start);
        Self { distances, ..self }
    }

    /// Where the body can stand.
    pub const fn ground(&self) -> &Ground {
        &self.ground
    }

    /// What the oracle answers.
    pub fn answer(&self, terrain: &Terrain, body: &Body, trip: Trip) -> Answer {
        answer(terrain, body, (&self.ground, &self.distances), (trip.start, trip.goal), trip.goal_mode)
    }

    /// Whether `outcome` is the right answer.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn verify(
        &self,
        terrain: &Terrain,
        body: &Body,
        trip: Trip,
        outcome: &PathOutcome,
    ) -> Result<(), String> {
        let expected = self.answer(terrain, body, trip);
        let cost = outcome.cost.map(|c| u64::from(c.units()));
        let given =
            Answer { status: outcome.status, reason: outcome.reason, cost, end: outcome.route.goal() };
        if given != expected {
            return Err(format!("answered {given:?}, expected {expected:?}"));
        }
        if matches!(outcome.status, Status::Complete | Status::Partial) {
            let walked = walk_along(&self.ground, trip.start, &outcome.route)?;
            for ([from, to], id) in outcome.route.link_ends() {
                let told = terrain.link(id.into()).map(|link| link.cost.units()).ok();
                if told.is_none() || told != self.ground.link(from, to) {
                    return Err(format!("link {id} does not lead from {from:?} to {to:?}"));
                }
            }
            if Some(walked) != cost {
                return Err(format!("the path costs {walked} step by step, the answer says {cost:?}"));
            }
            Ok(())
        } else if outcome.route.is_empty() {
            Ok(())
        } else {
            Err("there is a route without a path".to_owned())
        }
    }

    /// Fails with a drawing of the map unless `outcome` is right.
    ///
    /// # Panics
    /// When it is not.
    pub fn assert_right(
        &self,
        terrain: &Terrain,
        body: &Body,
        trip: Trip,
        outcome: &PathOutcome,
        label: &str,
    ) {
        if let Err(why) = self.verify(terrain, body, trip, outcome) {
            panic!("{label}: {why}\n{}", show(terrain, body, trip, outcome));
        }
    }
}

/// The cost of a walk, cell by cell, in units.
///
/// # Errors
/// When it does not begin at `start`, or at a step that is not legal.
pub fn walk(ground: &Ground, start: Cell, cells: &[Cell]) -> Result<u64, String> {
    if cells.first() != Some(&start) {
        return Err(format!("the route begins at {:?}", cells.first()));
    }
    let mut sum = 0;
    for pair in cells.windows(2) {
        let step = ground.step(pair[0], pair[1]);
        sum +=
            u64::from(step.ok_or_else(|| format!("the step {:?} to {:?} is not legal", pair[0], pair[1]))?);
    }
    Ok(sum)
}

/// The cost of a route with its links, cell by cell, in units.
///
/// # Errors
/// As [`walk`].
pub fn walk_along(ground: &Ground, start: Cell, route: &Route) -> Result<u64, String> {
    let cells = route.cells();
    if cells.first() != Some(&start) {
        return Err(format!("the route begins at {:?}", cells.first()));
    }
    let links: Vec<[Cell; 2]> = route.link_ends().map(|(ends, _)| ends).collect();
    let cost = |pair: &[Cell]| {
        let (from, to) = (pair[0], pair[1]);
        let step = if links.contains(&[from, to]) { ground.link(from, to) } else { ground.walk(from, to) };
        step.map(u64::from).ok_or_else(|| format!("the step {from:?} to {to:?} is not legal"))
    };
    cells.windows(2).map(cost).sum()
}

/// A question and its answer with the map drawn: `S` start, `G` goal, `*` the route, `X` its end.
pub fn show(terrain: &Terrain, body: &Body, trip: Trip, outcome: &PathOutcome) -> String {
    let mut marks: Vec<_> = outcome.route.cells().into_iter().map(|c| (c, '*')).collect();
    marks.extend(outcome.route.goal().map(|c| (c, 'X')));
    marks.extend([(trip.start, 'S'), (trip.goal, 'G')]);
    format!("{body:?}\n{trip:?}\n{outcome:?}\n{}", draw(terrain, &marks))
}
