//! The grid's clearance maps, and what others read of the grid.

use pathforge_core::clearance::ClearanceMap;
use pathforge_core::geometry::CellRect;
use pathforge_core::world::ClearanceKey;

use super::PathForgeGrid;
use super::map::Map;
use crate::engine::state::Guard;
use crate::script::geometry::CellGeometry;

impl PathForgeGrid {
    /// What changed in a clearance map after the change number `seen`, and the number to ask with next time.
    pub fn clearance_news(&mut self, key: ClearanceKey, seen: u64) -> (u64, Option<CellRect>) {
        self.map.lock().world.clearance_changes_since(key, seen)
    }

    /// What the grid's verbs work on, locked while the answer lives: see [`crate::engine::state`] for what
    /// must not be done meanwhile.
    pub fn map(&self) -> Guard<'_, Map> {
        self.map.lock()
    }

    /// Counts the changes of cells.
    pub fn edit_count(&self) -> u64 {
        self.map.lock().edits.count()
    }

    /// The cells of the grid.
    pub fn cell_region(&self) -> CellRect {
        self.map.lock().world.terrain().region()
    }

    /// Where the grid's cells lie.
    pub fn cell_geometry(&self) -> CellGeometry {
        self.map.lock().geometry
    }
}

impl Map {
    /// The cells of the grid.
    pub fn region(&self) -> CellRect {
        self.world.terrain().region()
    }

    /// An up-to-date clearance map, and the region that it covers.
    pub fn clearance_map(&mut self, key: ClearanceKey) -> (&ClearanceMap, CellRect) {
        let region = self.region();
        (self.world.clearance_map(key), region)
    }
}
