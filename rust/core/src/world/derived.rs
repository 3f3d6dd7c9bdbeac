//! What is derived from the terrain, behind one trait: how each structure is made, repaired and measured.
//!
//! Invariant: a structure that is repaired after edits equals one that is built anew, bit for bit. One test holds every
//! implementation to it. Repairs take time in proportion to the edited cells, builds in proportion to the map.

use smallvec::SmallVec;

use crate::bitgrid::{BitGrid, GridLayout, LocalRect};
use crate::clearance::{ClearanceMap, ClearanceMetric};
use crate::connectivity::Components;
use crate::field::MoveBytes;
use crate::geometry::{DiagonalMode, Footprint};
use crate::hierarchy::Hierarchy;
use crate::passability::{
    LayerKey, PlacementCosts, Prices, anchors_touching, open_grid_past, repair_open_grid,
};
use crate::platformer::layers::{Surfaces, touched};
use crate::search::JumpMap;
use crate::terrain::{Change, Terrain};

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

    /// Brings the structure up to date after `source` changed in `rect`; returns where it changed itself, at most. The result
    /// equals [`Derived::build`].
    fn repair_in(&mut self, source: Self::Source<'_>, kind: Self::Kind, rect: LocalRect)
    -> Option<LocalRect>;

    /// As [`Derived::repair_in`], for several changes.
    fn repair(&mut self, source: Self::Source<'_>, kind: Self::Kind, rects: &[LocalRect]) -> Rects {
        rects.iter().filter_map(|&rect| self.repair_in(source, kind, rect)).collect()
    }

    /// Returns the bytes on the heap.
    fn memory(&self) -> usize;

    /// Returns whether an edit of the terrain that changed this may have changed the source.
    fn is_concerned_by(change: Change) -> bool {
        change.opens_or_closes()
    }

    /// Returns where the source may have changed after an edit of the cells in `rect`.
    fn touched_by(rect: LocalRect, _kind: Self::Kind, _layout: GridLayout) -> LocalRect {
        rect
    }

    /// Takes what `other`, made from the same source, has and this one lacks: for structures that are made part by part.
    fn adopt_missing(&self, _other: &Self) {}
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

    fn repair_in(
        &mut self,
        (terrain, open): Self::Source<'_>,
        key: LayerKey,
        rect: LocalRect,
    ) -> Option<LocalRect> {
        match open {
            Some(open) => self.repair_eroded(open, key.footprint, rect),
            None => repair_open_grid(self, terrain, key.capability, &key.ignored_obstacles, rect),
        }
    }

    fn touched_by(rect: LocalRect, key: LayerKey, layout: GridLayout) -> LocalRect {
        anchors_touching(rect, key.footprint, layout)
    }

    fn memory(&self) -> usize {
        self.memory()
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

    fn repair_in(&mut self, placements: &BitGrid, (): (), rect: LocalRect) -> Option<LocalRect> {
        placements.repair_transpose(&mut self.0, rect);
        // Which bits differ is not known: `rect` is where they can.
        Some(rect)
    }

    fn memory(&self) -> usize {
        self.0.memory()
    }
}

/// Its kind is one of the modes that [`JumpMap::shared_mode`] returns.
impl Derived for JumpMap {
    type Source<'a> = (&'a BitGrid, &'a Transpose, Option<&'a PlacementCosts>);
    type Kind = DiagonalMode;

    fn build((placements, transpose, costs): Self::Source<'_>, mode: DiagonalMode) -> Self {
        Self::build(placements, &transpose.0, costs, mode)
    }

    fn repair_in(
        &mut self,
        (placements, transpose, costs): Self::Source<'_>,
        _: DiagonalMode,
        rect: LocalRect,
    ) -> Option<LocalRect> {
        self.repair(placements, &transpose.0, costs, rect);
        Some(rect)
    }

    fn memory(&self) -> usize {
        self.memory()
    }
}

impl Derived for MoveBytes {
    type Source<'a> = &'a BitGrid;
    type Kind = DiagonalMode;

    fn build(placements: &BitGrid, mode: DiagonalMode) -> Self {
        Self::build(placements, mode)
    }

    fn repair_in(&mut self, placements: &BitGrid, _: DiagonalMode, rect: LocalRect) -> Option<LocalRect> {
        self.repair(placements, rect);
        Some(rect)
    }

    fn memory(&self) -> usize {
        self.memory()
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

    fn repair_in(
        &mut self,
        placements: &BitGrid,
        joins_diagonally: bool,
        rect: LocalRect,
    ) -> Option<LocalRect> {
        Derived::repair(self, placements, joins_diagonally, &[rect]).pop()
    }

    /// At once, as chunks that several changes touch are made once.
    fn repair(&mut self, placements: &BitGrid, _: bool, rects: &[LocalRect]) -> Rects {
        self.repair(placements, rects);
        rects.into()
    }

    fn memory(&self) -> usize {
        self.memory()
    }
}

impl Derived for PlacementCosts {
    type Source<'a> = (&'a Terrain, &'a BitGrid, Prices<'a>);
    type Kind = Footprint;

    fn build((terrain, placements, prices): Self::Source<'_>, footprint: Footprint) -> Self {
        Self::build(terrain, placements, footprint, prices)
    }

    fn repair_in(
        &mut self,
        (terrain, placements, prices): Self::Source<'_>,
        footprint: Footprint,
        rect: LocalRect,
    ) -> Option<LocalRect> {
        self.repair(terrain, placements, footprint, prices, rect);
        Some(rect)
    }

    /// All edits count, also those that open or close: a placement that is new needs a cost.
    fn is_concerned_by(_: Change) -> bool {
        true
    }

    fn touched_by(rect: LocalRect, footprint: Footprint, layout: GridLayout) -> LocalRect {
        anchors_touching(rect, footprint, layout)
    }

    fn memory(&self) -> usize {
        self.memory()
    }
}

/// Made part by part, when a search first needs it: a build makes nothing, and a repair marks the clusters that are stale.
impl Derived for Hierarchy {
    type Source<'a> = (&'a BitGrid, Option<&'a PlacementCosts>);
    type Kind = DiagonalMode;

    fn build((placements, _): Self::Source<'_>, _: DiagonalMode) -> Self {
        Self::new(placements.layout())
    }

    fn repair_in(&mut self, _: Self::Source<'_>, _: DiagonalMode, rect: LocalRect) -> Option<LocalRect> {
        self.invalidate(rect);
        Some(rect)
    }

    fn memory(&self) -> usize {
        self.memory()
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

    fn repair_in(&mut self, open: &BitGrid, _: Self::Kind, rect: LocalRect) -> Option<LocalRect> {
        self.repair(open, rect)
    }

    fn memory(&self) -> usize {
        self.memory()
    }
}

impl Derived for Surfaces {
    type Source<'a> = (&'a Terrain, &'a BitGrid);
    type Kind = Footprint;

    fn build((terrain, placements): Self::Source<'_>, footprint: Footprint) -> Self {
        Self::build(terrain, placements, footprint)
    }

    fn repair_in(
        &mut self,
        (terrain, placements): Self::Source<'_>,
        footprint: Footprint,
        rect: LocalRect,
    ) -> Option<LocalRect> {
        self.repair(terrain, placements, footprint, rect);
        Some(touched(rect, footprint, placements.layout()))
    }

    /// Terrain ids and weights concern other bodies only.
    fn is_concerned_by(change: Change) -> bool {
        change.supports()
    }

    fn memory(&self) -> usize {
        self.memory()
    }
}
