//! Queries that are answered over clusters of the map, at once or piece by piece.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::bitgrid::{BitGrid, PaddedIndex};
use crate::geometry::{Cell, CellRect, DiagonalMode};
use crate::hierarchy::{BodyGround, Hierarchy, Journey, JourneyEnd};
use crate::passability::StandCosts;
use crate::search::{SearchEnd, SearchResult, Spot};

/// Everything that a search over clusters reads.
#[derive(Clone, Debug)]
pub(super) struct HierarchicalJob {
    pub(super) hierarchy: Arc<Hierarchy>,
    pub(super) stands: Arc<BitGrid>,
    pub(super) costs: Option<Arc<StandCosts>>,
    pub(super) mode: DiagonalMode,
    pub(super) start: Spot,
    pub(super) goals: SmallVec<[Spot; 1]>,
}

/// A way over clusters of which the first cells are found.
#[derive(Debug)]
pub(super) struct WayBegun {
    journey: Journey,
    places: Vec<(u32, u32)>,
    is_whole: bool,
}

/// A way over cells from a search over clusters.
pub(super) struct HierarchicalWay {
    /// Turning points, counted from the map's corner; empty without a way.
    pub(super) waypoints: Vec<(u32, u32)>,
    pub(super) cost: u32,
    pub(super) expanded: u32,
    pub(super) end: Option<JourneyEnd>,
}

impl HierarchicalJob {
    /// Searches and refines all of the way.
    pub(super) fn run(&self, expansions_max: u32) -> HierarchicalWay {
        match self.set_out(expansions_max) {
            Ok(begun) => self.go_on(begun),
            Err(failed) => failed,
        }
    }

    /// Searches and refines the first piece of the way.
    pub(super) fn set_out(&self, expansions_max: u32) -> Result<WayBegun, HierarchicalWay> {
        let mut places = vec![self.start.xy()];
        let mut journey =
            self.begin(expansions_max).map_err(|(end, expanded)| HierarchicalWay::failed(end, expanded))?;
        match self.next_piece(&mut journey, &mut places) {
            Ok(more) => Ok(WayBegun { journey, places, is_whole: !more }),
            Err(end) => Err(HierarchicalWay::failed(end, journey.expanded())),
        }
    }

    /// Refines the rest of the way.
    pub(super) fn go_on(&self, begun: WayBegun) -> HierarchicalWay {
        let WayBegun { mut journey, mut places, mut is_whole } = begun;
        while !is_whole {
            match self.next_piece(&mut journey, &mut places) {
                Ok(more) => is_whole = !more,
                Err(end) => return HierarchicalWay::failed(end, journey.expanded()),
            }
        }
        HierarchicalWay::found(&journey, &places)
    }

    fn begin(&self, expansions_max: u32) -> Result<Journey, (JourneyEnd, u32)> {
        let index = |spot: &Spot| spot.index(self.stands.shape());
        let goals: SmallVec<[PaddedIndex; 4]> = self.goals.iter().map(index).collect();
        self.hierarchy.with_scratch(|scratch| {
            self.hierarchy.find(&self.ground(), index(&self.start), &goals, expansions_max, scratch)
        })
    }

    fn next_piece(&self, journey: &mut Journey, places: &mut Vec<(u32, u32)>) -> Result<bool, JourneyEnd> {
        self.hierarchy
            .with_scratch(|scratch| journey.next_piece(&self.hierarchy, &self.ground(), scratch, places))
    }

    fn ground(&self) -> BodyGround<'_> {
        BodyGround::new(&self.stands, self.costs.as_deref(), self.mode)
    }
}

impl WayBegun {
    /// Whether no piece is missing.
    pub(super) const fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// What is found of the way, as if it ended there.
    pub(super) fn so_far(&self) -> HierarchicalWay {
        HierarchicalWay::found(&self.journey, &self.places)
    }
}

impl HierarchicalWay {
    fn found(journey: &Journey, places: &[(u32, u32)]) -> Self {
        let (cost, expanded) = (journey.cost(), journey.expanded());
        Self { waypoints: turning_points(places), cost, expanded, end: None }
    }

    const fn failed(end: JourneyEnd, expanded: u32) -> Self {
        Self { waypoints: Vec::new(), cost: 0, expanded, end: Some(end) }
    }

    pub(super) fn into_result(self) -> SearchResult {
        let end = match self.end {
            None => SearchEnd::Found,
            Some(JourneyEnd::Nothing) => SearchEnd::Exhausted,
            Some(JourneyEnd::Limit) => SearchEnd::Limit,
        };
        let waypoints = self.waypoints.into_iter().map(|(x, y)| Spot::of(x, y)).collect();
        // What is expanded was generated; more is not counted.
        SearchResult { end, cost: self.cost, expanded: self.expanded, generated: self.expanded, waypoints }
    }
}

/// The places of a way over cells at which it turns, and both ends.
pub(super) fn turning_points(places: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let step = |a: (u32, u32), b: (u32, u32)| (b.0.wrapping_sub(a.0), b.1.wrapping_sub(a.1));
    let mut turns = Vec::new();
    for (n, &place) in places.iter().enumerate() {
        let goes_on =
            n > 0 && n + 1 < places.len() && step(places[n - 1], place) == step(place, places[n + 1]);
        if !goes_on {
            turns.push(place);
        }
    }
    turns
}

/// A path that is found piece by piece: the first cells are there long before the last. The world may be edited
/// meanwhile; the path stays one of the map that it was begun on.
#[derive(Clone, Debug)]
pub struct PathPieces {
    region: CellRect,
    job: HierarchicalJob,
    journey: Journey,
}

impl PathPieces {
    pub(super) fn begin(region: CellRect, job: &HierarchicalJob, expansions_max: u32) -> Option<Self> {
        let journey = job.begin(expansions_max).ok()?;
        Some(Self { region, job: job.clone(), journey })
    }

    /// The next cells of the path, neighbours in a row; the first piece begins with the start's neighbour. `None` behind
    /// the last piece, which ends on the goal, and where a limit was met.
    pub fn next_piece(&mut self) -> Option<Vec<Cell>> {
        let mut places = Vec::new();
        while places.is_empty() {
            let more = self.job.next_piece(&mut self.journey, &mut places).ok()?;
            if !more && places.is_empty() {
                return None;
            }
        }
        let Self { region, .. } = self;
        Some(places.into_iter().map(|(x, y)| Cell::new(region.x + x as i32, region.y + y as i32)).collect())
    }

    /// Entrances and cells expanded so far.
    pub const fn expanded(&self) -> u32 {
        self.journey.expanded()
    }
}
