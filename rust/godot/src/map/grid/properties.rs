//! What setting the region does beyond storing it, and where the grid lies.

use godot::prelude::*;
use pathforge_core::geometry::CellRect;
use pathforge_core::terrain::RegionError;

use super::PathForgeGrid;

impl PathForgeGrid {
    /// Changes the region, keeps shared cells, and announces both regions as changed. Cells that enter are as
    /// the tiles of source layers tell, if these are followed.
    pub(super) fn change_region(&mut self, region: CellRect) -> Result<(), RegionError> {
        let old = self.cell_region();
        let changed = self.map.lock().set_region(region)?;
        let entered = self.told_on_entering(old, region);
        // Announced with the region. Terrains and weights were checked when the tiles were read.
        let _ = self.map.lock().edit(|terrain| terrain.set_some_cells(&entered));
        self.announce_from_inside(changed);
        Ok(())
    }

    /// From the node's local space to the world. The engine answers only on the thread that runs the scene
    /// tree, so elsewhere a node in the tree is taken where it was seen last.
    pub fn global_transform(&mut self) -> Transform2D {
        if godot::init::is_main_thread() || !self.base().is_inside_tree() {
            self.last_global = self.base().get_global_transform();
        }
        self.last_global
    }
}
