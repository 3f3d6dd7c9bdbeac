//! Landmarks: some placements far apart, with the costs of all paths to them and from them, by which searches
//! over weights estimate the cost to their goals. Made for profiles that are prepared, in time and memory of
//! several fields. After an edit they are bounds, which say less where paths cost more than before; what
//! would take long to lower is dropped, until the profile is prepared again.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::bitgrid::{LocalRect, PaddedIndex};
use crate::connectivity::{ComponentId, Components, FarRect, nearest_placements};
use crate::derived::{Derived, Rects};
use crate::field::{Distances, FieldGround, MoveBytes};
use crate::geometry::{CellRect, DiagonalMode};
use crate::parallel;
use crate::passability::{PlacementCosts, Placements};
use crate::primitives::{BucketQueue, LandmarkCosts, Way};

/// Where landmarks lie, in halves of the map's width and height: corners and the middles between.
const PLACES: [(u32, u32); 8] = [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1)];
/// Cells that are looked at to find the component of most placements. Chosen, not tuned: components of less
/// than a hundredth of the map may be missed.
const SAMPLES: usize = 1024;
/// Cells of the largest map with landmarks, on which they take 270 MB.
const CELLS_MAX: usize = 1 << 22;

/// The landmarks of one layer, its costs and a diagonal mode: eight bytes a cell for each.
#[derive(Clone, Debug)]
pub struct Landmarks {
    /// Two for each place, of which edits have dropped some.
    distances: Vec<Arc<Distances>>,
    /// Nothing was edited since they were made.
    pub are_exact: bool,
}

impl Landmarks {
    /// Returns the costs of paths to and from landmarks.
    pub fn costs(&self) -> SmallVec<[LandmarkCosts<'_>; 2 * PLACES.len()]> {
        self.distances.iter().map(|distances| distances.costs()).collect()
    }

    /// Returns whether what is left are bounds.
    pub fn check_invariants(&self, source: <Self as Derived>::Source<'_>) -> bool {
        self.distances.iter().all(|distances| distances.are_bounds(&ground(source)))
    }
}

/// Unlike other structures they are not after an edit what a build would make, but bounds that are as good or
/// weaker. Their kind is the mode that the moves are for.
impl Derived for Landmarks {
    type Source<'a> = (&'a Placements, [&'a MoveBytes; 2], &'a Components, &'a PlacementCosts);
    type Kind = DiagonalMode;

    fn build(source @ (placements, _, components, _): Self::Source<'_>, _: DiagonalMode) -> Self {
        let ends = places(placements, components).into_iter();
        let work = ends.flat_map(|end| [(end, Way::To), (end, Way::From)]).collect();
        let distances =
            parallel::map(work, |(end, way)| Arc::new(Distances::build(&ground(source), way, end)));
        Self { distances, are_exact: true }
    }

    fn repair_in(
        &mut self,
        source: Self::Source<'_>,
        mode: DiagonalMode,
        rect: LocalRect,
    ) -> Option<LocalRect> {
        self.repair(source, mode, &[rect]).pop()
    }

    fn repair(&mut self, source: Self::Source<'_>, _: DiagonalMode, rects: &[LocalRect]) -> Rects {
        let ground = ground(source);
        let mut queue = BucketQueue::default();
        self.distances.retain_mut(|own| Arc::make_mut(own).lower_after(&ground, rects, &mut queue));
        self.are_exact = false;
        rects.into()
    }

    fn memory(&self) -> usize {
        self.distances.iter().map(|distances| distances.memory()).sum()
    }
}

fn ground((placements, moves, _, costs): <Landmarks as Derived>::Source<'_>) -> FieldGround<'_> {
    let layout = placements.layout();
    let region = CellRect::new(0, 0, layout.width() as i32, layout.height() as i32);
    FieldGround::new(region, placements, moves, Some(costs))
}

/// Returns where landmarks lie: in the component of most placements, those nearest to each of [`PLACES`].
fn places(placements: &Placements, components: &Components) -> Vec<PaddedIndex> {
    let layout = placements.layout();
    let Some(component) = largest(placements, components).filter(|_| layout.cells() <= CELLS_MAX) else {
        return Vec::new();
    };
    let members = components.reached_from(placements, component);
    let nearest = |(x, y): (u32, u32)| {
        let (x, y) = ((layout.width() - 1) * x / 2, (layout.height() - 1) * y / 2);
        let (x, y) = (i64::from(x), i64::from(y));
        let target = FarRect { x0: x, y0: y, x1: x, y1: y };
        nearest_placements(placements, target, u128::MAX, &members)?.1.first().copied()
    };
    PLACES.into_iter().filter_map(nearest).collect()
}

/// Returns the component of most placements, as far as samples tell.
fn largest(placements: &Placements, components: &Components) -> Option<ComponentId> {
    let layout = placements.layout();
    // An odd number of cells apart, so that samples do not lie in few columns.
    let step = layout.cells().div_ceil(SAMPLES) | 1;
    let component = |at: usize| {
        let (x, y) = (at % layout.width() as usize, at / layout.width() as usize);
        components.component(placements, layout.index(x as u32, y as u32))
    };
    let mut found: Vec<ComponentId> = (0..layout.cells()).step_by(step).filter_map(component).collect();
    found.sort_unstable();
    found.chunk_by(|a, b| a == b).max_by_key(|same| same.len()).map(|same| same[0])
}
