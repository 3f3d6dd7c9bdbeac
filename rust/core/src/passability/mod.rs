//! Where a body fits, and what it costs to step there: the layers that searches run on.
//!
//! A *passability layer* has one bit a cell for one footprint and one capability: whether the body fits with
//! its top-left cell, its *anchor*, there. Such a cell is a *placement*. A layer is the grid of open cells of
//! its capability eroded by its footprint, so a search tests one bit whatever the body's size. For a square
//! of side n, the bit is one exactly where true clearance is at least n.

pub(crate) mod open_cells;
mod placement_costs;
mod placement_edges;
mod placement_links;
pub(crate) mod placements;
pub(crate) mod prices;

pub(crate) use open_cells::anchors_touching;
pub use open_cells::open_grid;
pub use placement_costs::PlacementCosts;
pub(crate) use placement_costs::cost_at;
pub(crate) use placement_edges::{EDGE_REACH, PlacementEdges};
pub(crate) use placement_links::LinkStep;
pub use placements::Placements;
pub(crate) use placements::Transpose;
pub(crate) use prices::Prices;
pub use prices::{INFLUENCES_MAX, InfluenceWeights, TerrainCosts};

use crate::bytes::{BytesError, Reader, Saved};
use crate::geometry::Footprint;
use crate::terrain::{Capability, ClimbLimit, IgnoredObstacles};

/// What a layer is made for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct LayerKey {
    /// The body's size.
    pub footprint: Footprint,
    /// The terrains that it may enter.
    pub capability: Capability,
    /// The obstacles that it walks through.
    pub ignored_obstacles: IgnoredObstacles,
    /// How steep its steps may be.
    pub climb: ClimbLimit,
}

/// Set in the first byte, the width, where a climb limit follows behind the other fields. Bodies without a
/// limit have no bytes for it.
const WITH_CLIMB: u8 = 1 << 7;

impl Saved for LayerKey {
    const BYTES_MIN: usize = Footprint::BYTES_MIN + Capability::BYTES_MIN + IgnoredObstacles::BYTES_MIN;

    fn write(&self, bytes: &mut Vec<u8>) {
        let first = bytes.len();
        self.footprint.write(bytes);
        (self.capability, self.ignored_obstacles).write(bytes);
        if self.climb.is_some() {
            bytes[first] |= WITH_CLIMB;
            self.climb.write(bytes);
        }
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, BytesError> {
        let [w, h] = reader.read::<[u8; 2]>()?;
        let footprint = Footprint::new((w & !WITH_CLIMB).into(), h.into());
        let footprint = footprint.map_err(|_| BytesError::Value("a footprint is too large"))?;
        let (capability, ignored_obstacles) = reader.read()?;
        let climb = if w & WITH_CLIMB == 0 { ClimbLimit::NONE } else { reader.read()? };
        Ok(Self { footprint, capability, ignored_obstacles, climb })
    }
}

impl LayerKey {
    /// Returns the key of the layer of a body that every obstacle blocks.
    pub const fn new(footprint: Footprint, capability: Capability) -> Self {
        Self { footprint, capability, ignored_obstacles: IgnoredObstacles::NONE, climb: ClimbLimit::NONE }
    }

    /// Returns the key with a footprint of one cell.
    #[must_use]
    pub const fn of_one_cell(self) -> Self {
        Self { footprint: Footprint::ONE, ..self }
    }

    /// Returns the key of the layer in which obstacles that this layer ignores by id block. Obstacles that it
    /// ignores for their obstacle layers do not: bodies ignore few different sets of these, so each has a
    /// layer that stays.
    #[must_use]
    pub(crate) fn without_ids(self) -> Self {
        Self { ignored_obstacles: self.ignored_obstacles.without_ids(), ..self }
    }
}
