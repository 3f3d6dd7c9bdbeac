//! Structures that are derived from the terrain, behind one trait: how each is made, repaired and measured.
//! The world keeps them.
//!
//! Invariant: after repairs a structure equals a new one, bit for bit. One test holds every implementation to
//! it. Repairs take time in proportion to the edited cells, builds in proportion to the map.

use smallvec::SmallVec;

use crate::bitgrid::{GridLayout, LocalRect};
use crate::terrain::Change;

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

    /// Brings the structure up to date after `source` changed in `rect`; returns where it changed itself, at
    /// most. The result equals [`Derived::build`].
    fn repair_in(&mut self, source: Self::Source<'_>, kind: Self::Kind, rect: LocalRect)
    -> Option<LocalRect>;

    /// As [`Derived::repair_in`], for several changes.
    fn repair(&mut self, source: Self::Source<'_>, kind: Self::Kind, rects: &[LocalRect]) -> Rects {
        rects.iter().filter_map(|&rect| self.repair_in(source, kind, rect)).collect()
    }

    /// Returns the bytes on the heap.
    fn memory(&self) -> usize;

    /// Returns whether an edit of the terrain that changed this may have changed the source.
    fn is_concerned_by(change: Change, _kind: Self::Kind) -> bool {
        change.opens_or_closes()
    }

    /// Returns where the source may have changed after an edit of the cells in `rect`.
    fn touched_by(rect: LocalRect, _kind: Self::Kind, _layout: GridLayout) -> LocalRect {
        rect
    }

    /// Takes what `other`, made from the same source, has and this one lacks: for structures that are made
    /// part by part.
    fn adopt_missing(&self, _other: &Self) {}
}
