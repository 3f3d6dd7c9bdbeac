//! Queries that are answered over the clusters of a [`Hierarchy`], at once or piece by piece.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::bitgrid::{BitGrid, PaddedIndex};
use crate::geometry::{Cell, CellRect, DiagonalMode};
use crate::hierarchy::{BodyGround, Hierarchy, PathRefiner};
use crate::passability::StandCosts;
use crate::primitives::{GridPoint, SearchEnd};
use crate::search::SearchResult;

/// Everything that a search over clusters reads.
#[derive(Clone, Debug)]
pub(super) struct HierarchicalJob {
    pub(super) hierarchy: Arc<Hierarchy>,
    pub(super) placements: Arc<BitGrid>,
    pub(super) costs: Option<Arc<StandCosts>>,
    pub(super) mode: DiagonalMode,
    pub(super) start: GridPoint,
    pub(super) goals: SmallVec<[GridPoint; 1]>,
}

/// A path of which the first cells are found, and the refiner for the rest.
#[derive(Debug)]
pub(super) struct PathPrefix {
    refiner: PathRefiner,
    places: Vec<(u32, u32)>,
    is_whole: bool,
}

/// What a hierarchical search found.
pub(super) struct HierarchicalPath {
    /// Turning points, counted from the map's corner; empty without a path.
    pub(super) waypoints: Vec<(u32, u32)>,
    pub(super) cost: u32,
    pub(super) expanded: u32,
    pub(super) end: SearchEnd,
}

impl HierarchicalJob {
    /// Finds and refines the whole path.
    pub(super) fn run(&self, expansions_max: u32) -> HierarchicalPath {
        match self.start(expansions_max) {
            Ok(prefix) => self.resume(prefix),
            Err(failed) => failed,
        }
    }

    /// Finds a path and refines its first piece.
    pub(super) fn start(&self, expansions_max: u32) -> Result<PathPrefix, HierarchicalPath> {
        // Pieces begin with the neighbour of their first cell, so the start is put in front.
        let mut places = vec![self.start.cell_xy()];
        let mut refiner =
            self.begin(expansions_max).map_err(|(end, expanded)| HierarchicalPath::failed(end, expanded))?;
        match self.next_piece(&mut refiner, &mut places) {
            Ok(more) => Ok(PathPrefix { refiner, places, is_whole: !more }),
            Err(end) => Err(HierarchicalPath::failed(end, refiner.expanded())),
        }
    }

    /// Refines the rest of the path.
    pub(super) fn resume(&self, prefix: PathPrefix) -> HierarchicalPath {
        let PathPrefix { mut refiner, mut places, mut is_whole } = prefix;
        while !is_whole {
            match self.next_piece(&mut refiner, &mut places) {
                Ok(more) => is_whole = !more,
                Err(end) => return HierarchicalPath::failed(end, refiner.expanded()),
            }
        }
        HierarchicalPath::found(&refiner, &places)
    }

    fn begin(&self, expansions_max: u32) -> Result<PathRefiner, (SearchEnd, u32)> {
        let index = |point: &GridPoint| point.index(self.placements.shape());
        let goals: SmallVec<[PaddedIndex; 4]> = self.goals.iter().map(index).collect();
        // Lent by the hierarchy's pool, so that threads that search at the same time share no scratch memory.
        self.hierarchy.with_scratch(|scratch| {
            self.hierarchy.find(&self.ground(), index(&self.start), &goals, expansions_max, scratch)
        })
    }

    fn next_piece(&self, refiner: &mut PathRefiner, places: &mut Vec<(u32, u32)>) -> Result<bool, SearchEnd> {
        self.hierarchy
            .with_scratch(|scratch| refiner.next_piece(&self.hierarchy, &self.ground(), scratch, places))
    }

    fn ground(&self) -> BodyGround<'_> {
        BodyGround::new(&self.placements, self.costs.as_deref(), self.mode)
    }
}

impl PathPrefix {
    /// Returns whether the prefix is the whole path.
    pub(super) const fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Returns the prefix as a path that ends where it ends.
    pub(super) fn so_far(&self) -> HierarchicalPath {
        HierarchicalPath::found(&self.refiner, &self.places)
    }
}

impl HierarchicalPath {
    fn found(refiner: &PathRefiner, places: &[(u32, u32)]) -> Self {
        let (cost, expanded) = (refiner.cost(), refiner.expanded());
        Self { waypoints: turning_points(places), cost, expanded, end: SearchEnd::Found }
    }

    const fn failed(end: SearchEnd, expanded: u32) -> Self {
        Self { waypoints: Vec::new(), cost: 0, expanded, end }
    }

    pub(super) fn into_result(self) -> SearchResult {
        let waypoints = self.waypoints.into_iter().map(|(x, y)| GridPoint::of_cell(x, y)).collect();
        // What is expanded was generated; more is not counted.
        SearchResult {
            end: self.end,
            cost: self.cost,
            expanded: self.expanded,
            generated: self.expanded,
            waypoints,
        }
    }
}

/// Returns the places of a path over cells at which it turns, and both ends.
pub(super) fn turning_points(places: &[(u32, u32)]) -> Vec<(u32, u32)> {
    // Wrapping differences: a step to the left is a number close to 2³², equal for equal steps.
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
/// meanwhile; the path stays one of the map on which it was begun.
#[derive(Clone, Debug)]
pub struct PathPieces {
    region: CellRect,
    job: HierarchicalJob,
    refiner: PathRefiner,
}

impl PathPieces {
    pub(super) fn begin(region: CellRect, job: &HierarchicalJob, expansions_max: u32) -> Option<Self> {
        let refiner = job.begin(expansions_max).ok()?;
        Some(Self { region, job: job.clone(), refiner })
    }

    /// Returns the next cells of the path, neighbours in a row; the first piece begins with the start's neighbour. `None`
    /// behind the last piece, which ends on the goal, and where a limit was met.
    pub fn next_piece(&mut self) -> Option<Vec<Cell>> {
        let mut places = Vec::new();
        // The refiner keeps half of the path to its next target: of a path of one cell, that is nothing.
        while places.is_empty() {
            let more = self.job.next_piece(&mut self.refiner, &mut places).ok()?;
            if !more && places.is_empty() {
                return None;
            }
        }
        let Self { region, .. } = self;
        Some(places.into_iter().map(|(x, y)| Cell::new(region.x + x as i32, region.y + y as i32)).collect())
    }

    /// Transitions and cells expanded so far.
    pub const fn expanded(&self) -> u32 {
        self.refiner.expanded()
    }
}
