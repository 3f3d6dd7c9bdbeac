//! The level's cells: the node's own, or a grid's, kept up to date.

use godot::prelude::*;
use pathforge_core::clearance::ClearanceMetric;
use pathforge_core::geometry::CellRect;
use pathforge_core::platformer::PlatformerMap;
use pathforge_core::terrain::Capability;
use pathforge_core::world::ClearanceKey;

use super::PathForgePlatformer;
use crate::geometry::{CellGeometry, CellShape};
use crate::grid::PathForgeGrid;
use crate::grid_link::nearest_grid;

/// Clearance up to 1 says which cells are not solid, and the grid keeps the news of it.
const OPEN: ClearanceKey = ClearanceKey::new(Capability::ALL, ClearanceMetric::True, 1);
/// Changes of more cells than this are taken over as one.
const RUNS_AREA_MAX: u64 = 4096;

impl PathForgePlatformer {
    /// The grid that the solid cells are taken from, if any.
    pub(super) fn shared_grid(&mut self) -> Option<Gd<PathForgeGrid>> {
        if self.owns && self.link.named().is_none() {
            return None;
        }
        let node = self.to_gd().upcast();
        self.link.resolve(&node)
    }

    /// The same, without remembering what was found.
    pub(super) fn grid_now(&self) -> Option<Gd<PathForgeGrid>> {
        let named = self.link.named();
        if self.owns || named.is_some() { named } else { nearest_grid(&self.to_gd().upcast()) }
    }

    /// Takes over what has changed in the grid.
    pub(super) fn bring_up_to_date(&mut self) {
        let Some(mut grid) = self.shared_grid() else {
            self.followed = None;
            return;
        };
        let id = grid.instance_id();
        let seen = if self.followed == Some(id) { self.seen } else { 0 };
        let mut grid = grid.bind_mut();
        let region = grid.cell_region();
        let (now, mut changed) = grid.clearance_news(OPEN, seen);
        if self.platformer.map().region() != region
            && let Ok(map) = self.platformer.map().resized(region)
        {
            self.platformer.set_map(map);
            changed = Some(region);
        } else if self.followed != Some(id) {
            changed = Some(region);
        }
        (self.followed, self.seen) = (Some(id), now);
        if let Some(rect) = changed.map(|rect| rect.intersection(region)).filter(|rect| !rect.is_empty()) {
            self.edits += 1;
            copy(&grid, rect, self.platformer.map_mut());
        }
    }

    /// Puts another level in place of the node's own.
    pub(super) fn replace_map(&mut self, map: PlatformerMap) {
        self.platformer.set_map(map);
        self.followed = None;
        self.edits += 1;
    }

    /// Where cells lie: in the grid's local space, or in the node's own.
    pub(super) fn cell_geometry(&mut self) -> CellGeometry {
        let geometry = self.shared_grid().map_or(self.geometry, |grid| grid.bind().cell_geometry());
        CellGeometry { shape: CellShape::Square, ..geometry }
    }

    /// From the space that cells lie in to the world. The engine answers only on the thread that runs the scene tree, so
    /// elsewhere a node in the tree is taken where it was seen last.
    pub(super) fn global_frame(&mut self) -> Transform2D {
        let node = self.shared_grid().map_or_else(|| self.to_gd().upcast::<Node2D>(), Gd::upcast);
        if godot::init::is_main_thread() || !node.is_inside_tree() {
            self.last_global = node.get_global_transform();
        }
        self.last_global
    }
}

/// Takes over the solid cells of `rect`.
fn copy(grid: &PathForgeGrid, rect: CellRect, map: &mut PlatformerMap) {
    let mut cells = grid.map();
    let (open, region) = cells.clearance_map(OPEN);
    if rect.area() > RUNS_AREA_MAX {
        let solid: Vec<u8> = open.data().into_iter().map(|clearance| u8::from(clearance == 0)).collect();
        // The map has the grid's region, so the length is right.
        let _ = map.set_solid_data(&solid);
        return;
    }
    for y in rect.y..rect.bottom() {
        let row = open.row((y - region.y) as u32);
        let mut x = rect.x;
        while x < rect.right() {
            let value = |x: i32| row[(x - region.x) as usize] == 0;
            let end = (x..rect.right()).find(|&next| value(next) != value(x)).unwrap_or(rect.right());
            map.fill_solid(CellRect::new(x, y, end - x, 1), value(x));
            x = end;
        }
    }
}
