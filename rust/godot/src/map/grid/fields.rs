//! What agents ask of the grid.

use std::sync::Arc;

use pathforge_core::geometry::DiagonalMode;
use pathforge_core::passability::{LayerKey, PlacementCosts, TerrainCosts};
use pathforge_core::world::{PathOutcome, PathQuery};

use super::PathForgeGrid;

impl PathForgeGrid {
    /// How bodies step that do not say themselves.
    pub fn grid_diagonal_mode(&self) -> DiagonalMode {
        self.map.lock().mode
    }

    /// What weights and terrains make of the steps onto the placements of a layer; `None` where all cost the
    /// same.
    pub fn placement_costs(
        &mut self,
        layer: LayerKey,
        terrain_costs: TerrainCosts,
    ) -> Option<Arc<PlacementCosts>> {
        self.map.lock().world.placement_costs(layer, terrain_costs)
    }

    /// The answer to a query, without a note of it for the overlay.
    pub fn answer(&mut self, query: &PathQuery) -> PathOutcome {
        self.map.lock().world.find_path(query)
    }
}
