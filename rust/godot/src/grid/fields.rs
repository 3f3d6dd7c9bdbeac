//! What flow fields ask of the grid.

use std::sync::Arc;

use pathforge_core::bitgrid::{BitGrid, LocalRect};
use pathforge_core::geometry::{Cell, DiagonalMode};
use pathforge_core::passability::{LayerKey, PlacementCosts, TerrainCosts};
use pathforge_core::world::{FieldSource, GoalMode, MapVersion, PathOutcome, PathQuery, Profile};

use super::PathForgeGrid;

impl PathForgeGrid {
    /// How bodies step that do not say themselves.
    pub fn grid_diagonal_mode(&self) -> DiagonalMode {
        self.map.lock().mode
    }

    /// What fields for the body of `profile` are made from now.
    pub fn field_source(&mut self, profile: &Profile) -> FieldSource {
        self.map.lock().world.field_source(profile)
    }

    /// The anchors that a field for the body of `profile` leads to.
    pub fn field_goals(&mut self, goals: &[Cell], goal_mode: GoalMode, profile: &Profile) -> Vec<Cell> {
        self.map.lock().world.field_goals(goals, goal_mode, profile)
    }

    /// Where placements, or their costs, may have changed since `version`; `None` when everywhere.
    pub fn anchors_changed_since(&self, version: MapVersion, profile: &Profile) -> Option<Vec<LocalRect>> {
        self.map.lock().world.anchors_changed_since(version, profile)
    }

    /// The placements of a passability layer.
    pub fn placements(&mut self, key: LayerKey) -> Arc<BitGrid> {
        Arc::clone(self.map.lock().world.placements(key))
    }

    /// What weights and terrains make of the steps onto the placements of a layer; `None` where all cost the same.
    pub fn placement_costs(
        &mut self,
        layer: LayerKey,
        terrain_costs: TerrainCosts,
    ) -> Option<Arc<PlacementCosts>> {
        self.map.lock().world.placement_costs(layer, terrain_costs)
    }

    /// The state that the map is in.
    pub fn map_version(&self) -> MapVersion {
        self.map.lock().world.version()
    }

    /// The answer to a query, without a note of it for the overlay.
    pub fn answer(&mut self, query: &PathQuery) -> PathOutcome {
        self.map.lock().world.find_path(query)
    }
}
