//! Where a body fits, and what it costs to step there: the layers that searches run on.
//!
//! A *passability layer* has one bit a cell for one footprint and one capability: whether the body fits with
//! its top-left cell, its *anchor*, there. Such a cell is a *placement*. A layer is the grid of open cells of
//! its capability eroded by its footprint, so a search tests one bit whatever the body's size. For a square
//! of side n, the bit is one exactly where true clearance is at least n.

pub(crate) mod open_cells;
mod placement_costs;
mod placement_edges;
pub(crate) mod placements;
pub(crate) mod prices;

pub(crate) use open_cells::anchors_touching;
pub use open_cells::open_grid;
pub use placement_costs::PlacementCosts;
pub(crate) use placement_costs::cost_at;
pub(crate) use placement_edges::{EDGE_REACH, PlacementEdges};
pub use placements::Placements;
pub(crate) use placements::Transpose;
pub(crate) use prices::Prices;
pub use prices::{INFLUENCES_MAX, InfluenceWeights, TerrainCosts};

use crate::geometry::Footprint;
use crate::terrain::{Capability, IgnoredObstacles};

/// What a layer is made for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct LayerKey {
    /// The body's size.
    pub footprint: Footprint,
    /// The terrains that it may enter.
    pub capability: Capability,
    /// The obstacles that it walks through.
    pub ignored_obstacles: IgnoredObstacles,
}

crate::bytes::saved_fields!(LayerKey {
    footprint: Footprint,
    capability: Capability,
    ignored_obstacles: IgnoredObstacles,
});

impl LayerKey {
    /// Returns the key of the layer of a body that every obstacle blocks.
    pub const fn new(footprint: Footprint, capability: Capability) -> Self {
        Self { footprint, capability, ignored_obstacles: IgnoredObstacles::NONE }
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
