//! The heights of a space, kept by its grid too: there they close steps to bodies that climb only so much.
//!
//! Each change of heights is made in both at once. A grid has the heights of one space, of the last that
//! handed it any, or those of the storeys of a house, each with its own cells. When the space goes, or gets
//! another grid, its cells are flat again.

use std::sync::{Arc, Weak};

use godot::prelude::*;
use pathforge_core::geometry::CellRect;

use super::PathForgeSpace3D;
use crate::engine::state::{self, HasState, State};
use crate::map::grid::PathForgeGrid;

type Map = <PathForgeGrid as HasState>::State;

/// The grid that has the heights of a space.
pub struct Holder {
    map: Weak<State<Map>>,
    grid: InstanceId,
    space: InstanceId,
    /// The cells whose heights a storey has handed over; empty for all.
    cells: CellRect,
}

impl Holder {
    /// The map, while it has the heights of this space.
    fn map(&self) -> Option<Arc<State<Map>>> {
        self.map.upgrade().filter(|map| map.lock().has_heights_of(self.space))
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        if let Some(map) = self.map() {
            map.lock().forget_heights(self.space, self.cells);
        }
    }
}

impl PathForgeSpace3D {
    /// Sets the heights of cells, here and on the grid.
    pub(super) fn set_heights(&mut self, whole: CellRect, region: CellRect, heights: &[f32]) {
        Arc::make_mut(&mut self.ground).set_heights(whole, region, heights);
        self.publish_storey();
        let known = self.resolve_grid().map(|grid| grid.instance_id());
        let holder = self.holder.as_ref().filter(|holder| {
            Some(holder.grid) == known && (!self.is_storey() || holder.cells.contains_rect(region))
        });
        match holder.and_then(Holder::map) {
            Some(map) => map.lock().set_heights(region, heights),
            None => self.hand_heights(),
        }
    }

    /// Hands all heights to the grid, if there are any.
    pub(super) fn hand_heights(&mut self) {
        // The former grid loses them first.
        self.holder = None;
        let Some(grid) = self.resolve_grid().filter(|_| !self.ground.is_flat()) else { return };
        let map = state::of(&grid);
        let (grid, space) = (grid.instance_id(), self.base().instance_id());
        let mut cells = CellRect::default();
        {
            let mut map = map.lock();
            if self.is_storey() {
                cells = self.sheet.intersection(map.region());
                if cells.is_empty() {
                    return;
                }
                map.share_heights(space, cells, &self.ground);
            } else {
                map.replace_heights(Some((space, (*self.ground).clone())));
            }
        }
        self.holder = Some(Holder { map: Arc::downgrade(&map), grid, space, cells });
    }

    /// Hands the heights on when the node has got another grid, as by a move in the tree, or the grid has got
    /// other cells of a storey.
    pub(super) fn follow_grid(&mut self) {
        if self.ground.is_flat() {
            return;
        }
        let held = self.holder.as_ref().map(|holder| (holder.grid, holder.cells));
        let has_moved = held.is_none() || held.map(|(grid, _)| grid) != self.known_grid_id();
        let has_grown = || {
            let grid = self.link.known();
            let cells = grid.map(|grid| state::of(&grid).lock().region().intersection(self.sheet));
            self.is_storey() && cells.is_some() && cells != held.map(|(_, cells)| cells)
        };
        if has_moved || has_grown() {
            self.hand_heights();
        }
    }
}
