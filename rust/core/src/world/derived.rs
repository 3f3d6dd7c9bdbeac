//! What is derived from the terrain, behind one trait: how each structure is made, repaired, measured and checked.
//!
//! Invariant: a structure that is repaired after edits equals one that is built anew, bit for bit. One test holds every
//! implementation to it. Repairs take time in proportion to the edited cells, builds in proportion to the map.

use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

use crate::bitgrid::{BitGrid, GridLayout, LocalRect};
use crate::clearance::{ClearanceMap, ClearanceMetric};
use crate::connectivity::Components;
use crate::field::MoveBytes;
use crate::geometry::{DiagonalMode, Footprint};
use crate::hierarchy::{BodyGround, Hierarchy};
use crate::passability::{LayerKey, PlacementCosts, Prices, open_grid_past, repair_open_grid};
use crate::platformer::layers::{Surfaces, touched};
use crate::search::JumpMap;
use crate::terrain::Terrain;

/// Rectangles of cells, counted from the region's corner.
pub type Rects = SmallVec<[LocalRect; 8]>;

/// A structure that is made from others and follows their changes.
pub trait Derived: Sized {
    /// What it is made from.
    type Source<'a>: Copy;
    /// What it is made for, where one source has several: how the body steps, what is measured.
    type Kind: Copy + PartialEq;
    /// A repair that touches more than one in this many cells of the map takes longer than a build.
    const BUILD_SHARE: u64 = 2;

    /// Makes the structure.
    fn build(source: Self::Source<'_>, kind: Self::Kind) -> Self;

    /// Brings the structure up to date after `source` changed in `rects`; returns where it changed itself, at most. The
    /// result equals [`Derived::build`].
    fn repair(&mut self, source: Self::Source<'_>, kind: Self::Kind, rects: &[LocalRect]) -> Rects;

    /// Returns the bytes on the heap.
    fn memory(&self) -> usize;

    /// Returns whether the structure is what [`Derived::build`] makes of `source`.
    fn check_invariants(&self, source: Self::Source<'_>, kind: Self::Kind) -> bool;

    /// Takes what `other`, made from the same source, has and this one lacks: for structures that are made part by part.
    fn adopt_missing(&self, _other: &Self) {}
}

/// The most cells of a small map. After an edit a small map is searched without its components first: their repair took a
/// good part of the time of such a query. The limit is chosen to hold 64² and is not tuned.
const SMALL_CELLS_MAX: usize = 72 * 72;
/// Beyond this number of edits, repairs are weighed against a build: a repair takes as long as building
/// [`CELLS_PER_REPAIR`] cells (the bench's table of obstacles that have moved).
const EDITS_FEW: usize = 64;
const CELLS_PER_REPAIR: u64 = 2_000;

/// Returns whether a map is small: then searches after an edit need not wait for components.
pub(super) const fn is_small(layout: GridLayout) -> bool {
    layout.cells() <= SMALL_CELLS_MAX
}

/// Returns where to repair a `D`, given where its source has changed; `None` if a build takes less time.
pub(super) fn to_repair<D: Derived>(mut rects: Vec<LocalRect>, layout: GridLayout) -> Option<Vec<LocalRect>> {
    let (edits, cells) = (rects.len() as u64, layout.cells() as u64);
    // Overlaps count twice: they are repaired twice as well.
    let area: u64 = rects.iter().map(|rect| rect.area()).sum();
    if is_small(layout) {
        // A build would ask for new pages, which are larger than the map.
        if edits > 1 && area > cells / 2 {
            rects = vec![layout.all()];
        }
        return Some(rects);
    }
    let is_much =
        area * D::BUILD_SHARE > cells || (rects.len() > EDITS_FEW && edits * CELLS_PER_REPAIR > cells);
    (!is_much).then_some(rects)
}

/// Calls `repair` for each rectangle.
fn repair_each(rects: &[LocalRect], repair: impl FnMut(LocalRect) -> Option<LocalRect>) -> Rects {
    rects.iter().copied().filter_map(repair).collect()
}

/// The placements of a body: made from the open cells for one of a single cell, else eroded from the placements of such a
/// one.
impl Derived for BitGrid {
    type Source<'a> = (&'a Terrain, Option<&'a BitGrid>);
    type Kind = LayerKey;

    fn build((terrain, open): Self::Source<'_>, key: LayerKey) -> Self {
        open.map_or_else(
            || open_grid_past(terrain, key.capability, &key.ignored_obstacles),
            |open| open.eroded(key.footprint),
        )
    }

    fn repair(&mut self, (terrain, open): Self::Source<'_>, key: LayerKey, rects: &[LocalRect]) -> Rects {
        repair_each(rects, |rect| match open {
            Some(open) => self.repair_eroded(open, key.footprint, rect),
            None => repair_open_grid(self, terrain, key.capability, &key.ignored_obstacles, rect),
        })
    }

    fn memory(&self) -> usize {
        self.memory()
    }

    fn check_invariants(&self, source: Self::Source<'_>, key: LayerKey) -> bool {
        *self == Self::build(source, key) && self.border_is_clear()
    }
}

/// Placements with rows and columns exchanged, so that scans along a column run along words, too.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transpose(pub BitGrid);

impl Derived for Transpose {
    type Source<'a> = &'a BitGrid;
    type Kind = ();

    fn build(placements: &BitGrid, (): ()) -> Self {
        Self(placements.transposed())
    }

    fn repair(&mut self, placements: &BitGrid, (): (), rects: &[LocalRect]) -> Rects {
        for &rect in rects {
            placements.repair_transpose(&mut self.0, rect);
        }
        // Which bits differ is not known: `rects` is where they can.
        rects.into()
    }

    fn memory(&self) -> usize {
        self.0.memory()
    }

    fn check_invariants(&self, placements: &BitGrid, (): ()) -> bool {
        *self == Self::build(placements, ())
    }
}

/// Its kind is one of the modes that [`JumpMap::shared_mode`] returns.
impl Derived for JumpMap {
    type Source<'a> = (&'a BitGrid, &'a Transpose, Option<&'a PlacementCosts>);
    type Kind = DiagonalMode;

    fn build((placements, transpose, costs): Self::Source<'_>, mode: DiagonalMode) -> Self {
        Self::build(placements, &transpose.0, costs, mode)
    }

    fn repair(
        &mut self,
        (placements, transpose, costs): Self::Source<'_>,
        _: DiagonalMode,
        rects: &[LocalRect],
    ) -> Rects {
        for &rect in rects {
            self.repair(placements, &transpose.0, costs, rect);
        }
        rects.into()
    }

    fn memory(&self) -> usize {
        self.memory()
    }

    fn check_invariants(&self, source: Self::Source<'_>, mode: DiagonalMode) -> bool {
        *self == <Self as Derived>::build(source, mode)
    }
}

impl Derived for MoveBytes {
    type Source<'a> = &'a BitGrid;
    type Kind = DiagonalMode;

    fn build(placements: &BitGrid, mode: DiagonalMode) -> Self {
        Self::build(placements, mode)
    }

    fn repair(&mut self, placements: &BitGrid, _: DiagonalMode, rects: &[LocalRect]) -> Rects {
        for &rect in rects {
            self.repair(placements, rect);
        }
        rects.into()
    }

    fn memory(&self) -> usize {
        self.memory()
    }

    fn check_invariants(&self, placements: &BitGrid, _: DiagonalMode) -> bool {
        self.check_invariants(placements)
    }
}

/// Its kind is whether steps join cells diagonally.
impl Derived for Components {
    type Source<'a> = &'a BitGrid;
    type Kind = bool;

    fn build(placements: &BitGrid, joins_diagonally: bool) -> Self {
        // Each mode that does not join diagonally makes the same components.
        Self::build(placements, if joins_diagonally { DiagonalMode::Always } else { DiagonalMode::Never })
    }

    fn repair(&mut self, placements: &BitGrid, _: bool, rects: &[LocalRect]) -> Rects {
        self.repair(placements, rects);
        rects.into()
    }

    fn memory(&self) -> usize {
        self.memory()
    }

    fn check_invariants(&self, placements: &BitGrid, _: bool) -> bool {
        self.check_invariants(placements)
    }
}

impl Derived for PlacementCosts {
    type Source<'a> = (&'a Terrain, &'a BitGrid, Prices<'a>);
    type Kind = Footprint;

    fn build((terrain, placements, prices): Self::Source<'_>, footprint: Footprint) -> Self {
        Self::build(terrain, placements, footprint, prices)
    }

    fn repair(
        &mut self,
        (terrain, placements, prices): Self::Source<'_>,
        footprint: Footprint,
        rects: &[LocalRect],
    ) -> Rects {
        for &rect in rects {
            self.repair(terrain, placements, footprint, prices, rect);
        }
        rects.into()
    }

    fn memory(&self) -> usize {
        self.memory()
    }

    fn check_invariants(&self, source: Self::Source<'_>, footprint: Footprint) -> bool {
        *self == <Self as Derived>::build(source, footprint)
    }
}

/// Made part by part, when a search first needs it: a build makes nothing, and a repair marks the clusters that are stale.
impl Derived for Hierarchy {
    type Source<'a> = (&'a BitGrid, Option<&'a PlacementCosts>);
    type Kind = DiagonalMode;

    fn build((placements, _): Self::Source<'_>, _: DiagonalMode) -> Self {
        Self::new(placements.layout())
    }

    fn repair(&mut self, _: Self::Source<'_>, _: DiagonalMode, rects: &[LocalRect]) -> Rects {
        for &rect in rects {
            self.invalidate(rect);
        }
        rects.into()
    }

    fn memory(&self) -> usize {
        self.memory()
    }

    fn check_invariants(&self, (placements, costs): Self::Source<'_>, mode: DiagonalMode) -> bool {
        self.check_invariants(&BodyGround::new(placements, costs, mode))
    }

    fn adopt_missing(&self, other: &Self) {
        self.adopt_missing(other);
    }
}

impl Derived for ClearanceMap {
    type Source<'a> = &'a BitGrid;
    type Kind = (ClearanceMetric, u8);
    // A change reaches as far as the largest value, so a repair works on more cells than have changed.
    const BUILD_SHARE: u64 = 8;

    fn build(open: &BitGrid, (metric, max): Self::Kind) -> Self {
        Self::build(open, metric, max)
    }

    fn repair(&mut self, open: &BitGrid, _: Self::Kind, rects: &[LocalRect]) -> Rects {
        repair_each(rects, |rect| self.repair(open, rect))
    }

    fn memory(&self) -> usize {
        self.memory()
    }

    fn check_invariants(&self, open: &BitGrid, kind: Self::Kind) -> bool {
        *self == <Self as Derived>::build(open, kind)
    }
}

impl Derived for Surfaces {
    type Source<'a> = (&'a Terrain, &'a BitGrid);
    type Kind = Footprint;

    fn build((terrain, placements): Self::Source<'_>, footprint: Footprint) -> Self {
        Self::build(terrain, placements, footprint)
    }

    fn repair(
        &mut self,
        (terrain, placements): Self::Source<'_>,
        footprint: Footprint,
        rects: &[LocalRect],
    ) -> Rects {
        for &rect in rects {
            self.repair(terrain, placements, footprint, rect);
        }
        rects.iter().map(|&rect| touched(rect, footprint, placements.layout())).collect()
    }

    fn memory(&self) -> usize {
        self.memory()
    }

    fn check_invariants(&self, source: Self::Source<'_>, footprint: Footprint) -> bool {
        *self == <Self as Derived>::build(source, footprint)
    }
}

/// The structures of one type that are made from one source, one for each kind that was asked for. A clone shares them all.
#[derive(Clone, Debug)]
pub(super) struct Variants<K, D>(SmallVec<[(K, Arc<D>); 1]>);

impl<K, D> Default for Variants<K, D> {
    fn default() -> Self {
        Self(smallvec![])
    }
}

impl<K: Copy + PartialEq, D> Variants<K, D> {
    /// Returns the one of `kind`, made by `build` if there is none.
    pub(super) fn get_or_insert_with(&mut self, kind: K, build: impl FnOnce() -> D) -> &Arc<D> {
        // A scan, since there are few kinds of each structure.
        let place = self.0.iter().position(|(own, _)| *own == kind).unwrap_or_else(|| {
            self.0.push((kind, Arc::new(build())));
            self.0.len() - 1
        });
        &self.0[place].1
    }

    pub(super) fn get(&self, kind: K) -> Option<&Arc<D>> {
        self.0.iter().find(|(own, _)| *own == kind).map(|(_, structure)| structure)
    }

    pub(super) fn get_mut(&mut self, kind: K) -> Option<&mut Arc<D>> {
        self.0.iter_mut().find(|(own, _)| *own == kind).map(|(_, structure)| structure)
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

impl<D: Derived + Clone> Variants<D::Kind, D> {
    /// Returns the one of `kind`, built from `source` if there is none.
    pub(super) fn get_or_build(&mut self, source: D::Source<'_>, kind: D::Kind) -> &Arc<D> {
        self.get_or_insert_with(kind, || D::build(source, kind))
    }

    /// Takes the kinds and the parts of `others`, made from the same source, that are missing.
    pub(super) fn take_missing(&mut self, others: Self) {
        for (kind, other) in others.0 {
            match self.get(kind) {
                // What a snapshot still shares has nothing to add.
                Some(own) if Arc::ptr_eq(own, &other) => {}
                Some(own) => D::adopt_missing(own, &other),
                None => self.0.push((kind, other)),
            }
        }
    }

    /// Repairs all of them.
    pub(super) fn repair(&mut self, source: D::Source<'_>, rects: &[LocalRect]) {
        for (kind, structure) in &mut self.0 {
            // Copies the structure if a snapshot still reads it; its pages stay shared until they are written.
            Arc::make_mut(structure).repair(source, *kind, rects);
        }
    }

    pub(super) fn memory(&self) -> usize {
        self.0.iter().map(|(_, structure)| D::memory(structure)).sum()
    }
}
