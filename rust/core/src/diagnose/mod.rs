//! Why a route is as it is: the reason of a refusal with the cells and numbers behind it, or what a found
//! path costs and why it leads where it leads.
//!
//! Made for single queries: takes searches and passes over the map that a path does not need.

mod costs;
mod gap;
mod links;
mod remedy;
mod words;

pub use costs::{CostSplit, Detour};
pub use gap::Gap;
pub use links::{BarringLink, LinkBar};
pub use remedy::BarringEdge;
pub use words::Words;

use crate::geometry::{Cell, CellRect, Footprint};
use crate::world::{GoalMode, LargestFootprint, PathOutcome, PathQuery, Profile, Reason, Status, World};

/// Everything there is to say about one query.
///
/// ```
/// use pathforge_core::diagnose::diagnose;
/// use pathforge_core::geometry::{Cell, Footprint};
/// use pathforge_core::terrain::Terrain;
/// use pathforge_core::world::{PathQuery, Profile, Reason, World};
///
/// let mut world = World::from_terrain(Terrain::from_text("..#..\n.....\n..#..\n", Cell::new(0, 0))?);
/// let profile = Profile { footprint: Footprint::square(2)?, ..Profile::default() };
/// let diagnosis = diagnose(&mut world, &PathQuery::new(Cell::new(0, 0), Cell::new(3, 0), profile));
/// assert_eq!(diagnosis.outcome.reason, Some(Reason::Disconnected));
/// assert_eq!(diagnosis.widest.map(|widest| widest.side), Some(1), "a body of one cell could go");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Diagnosis {
    /// The answer to the query.
    pub outcome: PathOutcome,
    /// What counts as being at the goal.
    pub goal_mode: GoalMode,
    /// Where a path that leads near to the goal ends.
    pub nearest: Option<Nearest>,
    /// The end that refuses.
    pub refusal: Option<Refusal>,
    /// What lies between the components of both ends.
    pub gap: Option<Gap>,
    /// The widest square body that could make the trip.
    pub widest: Option<LargestFootprint>,
    /// The terrains that block the body: there is a path if it may enter them. In ascending order.
    pub barring_terrains: Vec<u8>,
    /// The cells under obstacles that block the body between ends where it fits, in reading order: there is a
    /// path without these obstacles.
    pub barring_obstacles: Vec<Cell>,
    /// The blocked edges that part ends where the body fits, from the start on: there is a path without them.
    pub barring_edges: Vec<BarringEdge>,
    /// The links that would join the ends if the body could take them, from the start on.
    pub barring_links: Vec<BarringLink>,
    /// The latest edit in the journal without which there would be a path.
    pub closed_by: Option<CellRect>,
    /// What the path costs and for what.
    pub costs: Option<CostSplit>,
    /// The shorter path that would cost more.
    pub detour: Option<Detour>,
    /// The cells that show the reason on a map.
    pub cells: Vec<Cell>,
}

/// Where a partial path ends, and how far that is from the goal.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Nearest {
    /// The body's top-left cell there.
    pub anchor: Cell,
    /// From the goal to its nearest cell, in cells.
    pub distance: f64,
}

/// Why the body does not fit at one end of the path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The top-left cell of the body there; the goal itself where the body only has to cover it.
    pub anchor: Cell,
    /// The cells under the body that it may not enter, in reading order; the anchor itself where it lies
    /// outside. If the body only has to cover the goal: the goal itself when that is closed, otherwise the
    /// cells that the body would cover around it.
    pub closed: Vec<Cell>,
    /// The clearance of the anchor, for the body's terrains; where the body only has to cover the goal, the
    /// side of the largest square that does.
    pub clearance: u32,
    /// What the body needs.
    pub needed: Footprint,
}

/// Explains the answer to `query`.
pub fn diagnose(world: &mut World, query: &PathQuery) -> Diagnosis {
    let outcome = world.find_path(query);
    let mut diagnosis = Diagnosis {
        refusal: outcome.reason.and_then(|reason| refusal(world, query, reason)),
        goal_mode: query.goal_mode,
        nearest: nearest(query, &outcome),
        outcome,
        ..Diagnosis::default()
    };
    let route = &diagnosis.outcome.route;
    if !route.is_empty() {
        diagnosis.costs = Some(costs::split(world, &query.profile, route));
    }
    if diagnosis.outcome.status == Status::Complete {
        diagnosis.detour = costs::detour(world, query, &diagnosis.outcome);
        diagnosis.cells = route.cells();
        return diagnosis;
    }
    // Each of these takes several searches or repairs, so only where a change of the map could help.
    if diagnosis.outcome.reason.is_some_and(|reason| reason.status() == Status::Unreachable) {
        diagnosis.widest = Some(world.largest_footprint(query));
        diagnosis.barring_terrains = remedy::barring_terrains(world, query);
        diagnosis.closed_by = remedy::closing_edit(world, query);
    }
    if diagnosis.outcome.reason == Some(Reason::Disconnected) {
        diagnosis.gap = gap::between(world, query);
        diagnosis.barring_obstacles = remedy::barring_obstacles(world, query);
        diagnosis.barring_edges = remedy::barring_edges(world, query);
        diagnosis.barring_links = links::barring_links(world, query);
    }
    // An end that refuses says more than a gap between components.
    diagnosis.cells = match (&diagnosis.refusal, &diagnosis.gap) {
        (Some(refusal), _) => refusal.closed.clone(),
        _ if !diagnosis.barring_obstacles.is_empty() => diagnosis.barring_obstacles.clone(),
        _ if !diagnosis.barring_edges.is_empty() => {
            diagnosis.barring_edges.iter().flat_map(|edge| [edge.cell, edge.side.beyond(edge.cell)]).collect()
        }
        _ if !diagnosis.barring_links.is_empty() => {
            diagnosis.barring_links.iter().flat_map(|link| [link.from, link.to]).collect()
        }
        (None, Some(gap)) => gap.cells.clone(),
        (None, None) => Vec::new(),
    };
    diagnosis
}

fn refusal(world: &mut World, query: &PathQuery, reason: Reason) -> Option<Refusal> {
    let (anchor, is_start) = match reason {
        Reason::StartOutOfBounds | Reason::StartSolid | Reason::StartTerrain | Reason::StartClearance => {
            (query.start, true)
        }
        Reason::GoalOutOfBounds | Reason::GoalSolid | Reason::GoalTerrain | Reason::GoalClearance => {
            (query.goal, false)
        }
        _ => return None,
    };
    let profile: &Profile = &query.profile;
    // Where the body only has to cover the goal, the cells around it are the reason; outside the region there
    // are none.
    let is_inside = world.terrain().region().contains(anchor);
    if query.goal_mode != GoalMode::Exact && is_inside && !is_start {
        return Some(uncovered(world, query, reason));
    }
    // An anchor outside the region is the reason itself: the cells under it are not on the map.
    let closed = if is_inside { closed(world, query, profile.footprint.at(anchor)) } else { vec![anchor] };
    let clearance = world.clearance_at(anchor, profile);
    Some(Refusal { anchor, closed, clearance, needed: profile.footprint })
}

/// Returns the cells of `rect` that the body may not enter.
fn closed(world: &World, query: &PathQuery, rect: CellRect) -> Vec<Cell> {
    let Profile { capability, ignored_obstacles, .. } = &query.profile;
    let is_open = |cell: &Cell| {
        !query.blocked().contains(cell) && world.terrain().is_open_past(*cell, *capability, ignored_obstacles)
    };
    rect.cells().filter(|cell| !is_open(cell)).collect()
}

/// Why the body fits nowhere over the goal.
fn uncovered(world: &mut World, query: &PathQuery, reason: Reason) -> Refusal {
    let profile = &query.profile;
    let (anchor, needed) = (query.goal, profile.footprint);
    let closed = if reason == Reason::GoalClearance {
        // Every cell that the body can cover while it covers the goal.
        let anchors = query.goal_anchors();
        let around = CellRect { w: anchors.w + needed.w() - 1, h: anchors.h + needed.h() - 1, ..anchors };
        closed(world, query, around)
    } else {
        vec![anchor]
    };
    let covers = |world: &mut World, side: u32| {
        let Ok(footprint) = Footprint::square(i64::from(side)) else { return false };
        let body = Profile { footprint, ..*profile };
        let mut anchors = footprint.anchors_touching(CellRect::cell(anchor)).cells();
        anchors.any(|anchor| world.clearance_at(anchor, &body) >= side)
    };
    let most = needed.w().max(needed.h()) as u32;
    // A square that covers the goal contains a smaller square that does, so the first failure ends the
    // search.
    let clearance = (1..=most).take_while(|&side| covers(world, side)).last().unwrap_or(0);
    Refusal { anchor, closed, clearance, needed }
}

/// Where a path that leads near to the goal ends.
fn nearest(query: &PathQuery, outcome: &PathOutcome) -> Option<Nearest> {
    let anchor = outcome.route.goal().filter(|_| outcome.status == Status::Partial)?;
    let outside = |at: i32, low: i32, side: i32| {
        let (at, low) = (i64::from(at), i64::from(low));
        // The distance on one axis to the nearest cell of the body; 0 within it.
        (low - at).max(at - (low + i64::from(side) - 1)).max(0) as f64
    };
    let (goal, body) = (query.goal, query.profile.footprint);
    let distance = outside(goal.x, anchor.x, body.w()).hypot(outside(goal.y, anchor.y, body.h()));
    Some(Nearest { anchor, distance })
}
