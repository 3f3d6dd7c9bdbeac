//! Why a route is what it is: the reason of a refusal with the cells and numbers behind it, and what a found path costs and
//! why it goes where it goes.
//!
//! Made for people who ask once: takes searches and passes over the map that a query does without.

mod costs;
mod gap;
mod remedy;
mod words;

pub use costs::{CostSplit, Detour};
pub use gap::Gap;
pub use words::Words;

use crate::geometry::{Cell, CellRect, Footprint};
use crate::world::{LargestFootprint, PathOutcome, PathQuery, Profile, Reason, Status, World};

/// Everything there is to say about one query.
#[derive(Clone, PartialEq, Debug)]
pub struct Diagnosis {
    /// The answer to the query.
    pub outcome: PathOutcome,
    /// The end that refuses.
    pub refusal: Option<Refusal>,
    /// What lies between the regions of both ends.
    pub gap: Option<Gap>,
    /// The widest square body that could make the trip.
    pub widest: Option<LargestFootprint>,
    /// The terrains that bar the way: with them the body could go. In ascending order.
    pub barring_terrains: Vec<u8>,
    /// The latest edit that is still known without which there would be a way.
    pub closed_by: Option<CellRect>,
    /// What the path costs and for what.
    pub costs: Option<CostSplit>,
    /// The shorter way that would cost more.
    pub detour: Option<Detour>,
    /// The cells that show the reason on a map.
    pub cells: Vec<Cell>,
}

/// Why the body cannot stand at one end of the way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The top-left cell of the body there.
    pub anchor: Cell,
    /// The cells under the body that it may not enter, in reading order; the anchor itself where it lies outside.
    pub closed: Vec<Cell>,
    /// The clearance of the anchor, for the body's terrains.
    pub clearance: u32,
    /// What the body needs.
    pub needed: Footprint,
}

/// Explains the answer to `query`.
pub fn diagnose(world: &mut World, query: &PathQuery) -> Diagnosis {
    let outcome = world.find_path(query);
    let mut diagnosis = Diagnosis {
        refusal: refusal(world, query, outcome.reason),
        gap: None,
        widest: None,
        barring_terrains: Vec::new(),
        closed_by: None,
        costs: None,
        detour: None,
        cells: Vec::new(),
        outcome,
    };
    if diagnosis.outcome.status == Status::Complete {
        let route = &diagnosis.outcome.route;
        diagnosis.costs = Some(costs::split(world, &query.profile, &route.cells()));
        diagnosis.detour = costs::detour(world, query, &diagnosis.outcome);
        diagnosis.cells = route.cells();
        return diagnosis;
    }
    if is_about_the_map(diagnosis.outcome.reason) {
        diagnosis.widest = Some(world.largest_footprint(query.start, query.goal, &query.profile));
        diagnosis.barring_terrains = remedy::barring_terrains(world, query);
        diagnosis.closed_by = remedy::closing_edit(world, query);
    }
    if diagnosis.outcome.reason == Reason::Disconnected {
        diagnosis.gap = gap::between(world, query);
    }
    diagnosis.cells = match (&diagnosis.refusal, &diagnosis.gap) {
        (Some(refusal), _) => refusal.closed.clone(),
        (None, Some(gap)) => gap.cells.clone(),
        (None, None) => Vec::new(),
    };
    diagnosis
}

/// Whether another map could have another answer.
const fn is_about_the_map(reason: Reason) -> bool {
    !matches!(
        reason,
        Reason::None
            | Reason::StartOutOfBounds
            | Reason::GoalOutOfBounds
            | Reason::Limit
            | Reason::Cancelled
            | Reason::EmptyGrid
    )
}

fn refusal(world: &mut World, query: &PathQuery, reason: Reason) -> Option<Refusal> {
    let anchor = match reason {
        Reason::StartOutOfBounds | Reason::StartSolid | Reason::StartTerrain | Reason::StartClearance => {
            query.start
        }
        Reason::GoalOutOfBounds | Reason::GoalSolid | Reason::GoalTerrain | Reason::GoalClearance => {
            query.goal
        }
        _ => return None,
    };
    let profile: &Profile = &query.profile;
    let terrain = world.terrain();
    let is_closed = |cell: &Cell| !terrain.is_open_past(*cell, profile.capability, profile.ignored_obstacle);
    let closed = if terrain.region().contains(anchor) {
        profile.footprint.at(anchor).cells().filter(is_closed).collect()
    } else {
        vec![anchor]
    };
    let clearance = world.clearance_at(anchor, profile.capability);
    Some(Refusal { anchor, closed, clearance, needed: profile.footprint })
}
