//! The heights of a space, kept by its grid too: there they close steps to bodies that climb only so much.
//!
//! Each change of heights is made in both at once. A grid has the heights of one space: of the last that
//! handed it any. When the space goes, or gets another grid, the grid is flat again.

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
}

impl Holder {
    /// The map, while it has the heights of this space.
    fn map(&self) -> Option<Arc<State<Map>>> {
        self.map.upgrade().filter(|map| map.lock().heights_of == Some(self.space))
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        if let Some(map) = self.map() {
            map.lock().replace_heights(None);
        }
    }
}

impl PathForgeSpace3D {
    /// Sets the heights of cells, here and on the grid.
    pub(super) fn set_heights(&mut self, whole: CellRect, region: CellRect, heights: &[f32]) {
        self.ground.set_heights(whole, region, heights);
        let known = self.resolve_grid().map(|grid| grid.instance_id());
        let holder = self.holder.as_ref().filter(|holder| Some(holder.grid) == known);
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
        map.lock().replace_heights(Some((space, self.ground.clone())));
        self.holder = Some(Holder { map: Arc::downgrade(&map), grid, space });
    }

    /// Hands the heights on when the node has got another grid, as by a move in the tree.
    pub(super) fn follow_grid(&mut self) {
        let held_by = self.holder.as_ref().map(|holder| holder.grid);
        if !self.ground.is_flat() && (held_by.is_none() || held_by != self.known_grid_id()) {
            self.hand_heights();
        }
    }
}
