//! What fields are made from, and a state of the map to ask later what has changed since.

use std::sync::Arc;

use super::influences::Revisions;
use crate::field::{FieldGround, MoveBytes};
use crate::geometry::CellRect;
use crate::passability::{PlacementCosts, Placements};

/// A state of a world, to ask later what has changed since.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MapVersion {
    /// Counts how often all cells were replaced.
    pub(in crate::world) epoch: u64,
    /// Counts the edits since.
    pub(in crate::world) revision: u64,
    /// Counts the changes of influences.
    pub(in crate::world) influences: Revisions,
}

/// What the fields of one kind of body are made from. It stays what it is while the world goes on, so a field
/// can be built on it in steps, on any thread.
#[derive(Clone, Debug)]
pub struct FieldSource {
    pub(super) region: CellRect,
    pub(super) placements: Arc<Placements>,
    pub(super) moves: [Arc<MoveBytes>; 2],
    pub(super) costs: Option<Arc<PlacementCosts>>,
    pub(super) version: MapVersion,
}

impl FieldSource {
    /// Returns the ground to build on.
    pub fn ground(&self) -> FieldGround<'_> {
        let moves = self.moves.each_ref().map(|moves| &**moves);
        FieldGround::new(self.region, &self.placements, moves, self.costs.as_deref())
    }

    /// Returns the cells of the map.
    pub const fn region(&self) -> CellRect {
        self.region
    }

    /// Returns the placements of the body, one bit a cell.
    pub fn placements(&self) -> &Placements {
        &self.placements
    }

    /// Returns the state that it was taken from.
    pub const fn version(&self) -> MapVersion {
        self.version
    }
}
