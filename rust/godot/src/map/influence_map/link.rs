//! The map's grid: following its region and its walls, and telling it what has changed.

use std::cell::Cell;

use godot::prelude::*;
use pathforge_core::bitgrid::BitGrid;
use pathforge_core::influence::InfluenceMap as CoreMap;

use super::InfluenceMap;
use crate::engine::errors::report;
use crate::engine::state;
use crate::map::grid::PathForgeGrid;
use crate::map::grid_link::{self, NO_GRID};
use crate::script::convert;

/// How deep handlers of `influence_changed` may change maps within each other.
const ANNOUNCEMENTS_MAX: u32 = 128;

thread_local! {
    static ANNOUNCEMENTS: Cell<u32> = const { Cell::new(0) };
}

/// Calls `emit`, unless handlers that change a map again and again would exhaust the stack.
fn announce(emit: impl FnOnce()) {
    let depth = ANNOUNCEMENTS.get();
    if depth == ANNOUNCEMENTS_MAX {
        let problem = format!("handlers have changed the map {depth} deep; this change is not announced");
        return report("InfluenceMap.influence_changed", problem);
    }
    ANNOUNCEMENTS.set(depth + 1);
    emit();
    ANNOUNCEMENTS.set(depth);
}

impl InfluenceMap {
    /// The grid, and the map listens to it from now on.
    pub(super) fn hear_grid(&mut self) -> Option<Gd<PathForgeGrid>> {
        let node = self.to_gd().upcast();
        let grid = self.link.resolve(&node);
        let id = grid.as_ref().map(Gd::instance_id);
        if id != self.heard {
            grid_link::hear_instead(&node, self.heard, grid.as_ref());
            self.leave_grid();
            self.heard = id;
        }
        grid
    }

    /// Takes the map's values off the grid, as the map goes.
    pub(super) fn leave_grid(&mut self) {
        let grid = self.heard.take().and_then(|id| Gd::<PathForgeGrid>::try_from_instance_id(id).ok());
        if let Some(grid) = grid {
            state::of(&grid).lock().forget_influence(self.base().instance_id());
        }
    }

    /// Makes a change, given the solid cells where those matter, and tells the grid and all listeners the
    /// result. Without a grid nothing happens; that is an error of `method`, if one is named.
    pub(crate) fn change<T>(
        mut this: Gd<Self>,
        method: Option<&str>,
        change: impl FnOnce(&mut CoreMap, Option<&BitGrid>) -> T,
    ) -> Option<T> {
        let (result, changed) = this.bind_mut().apply(change);
        if let (None, Some(method)) = (&result, method) {
            report(method, NO_GRID);
        }
        if let Some(region) = changed {
            announce(|| this.signals().influence_changed().emit(region));
        }
        result
    }

    /// The same from a setter, which has the map borrowed; handlers can use it all the same.
    pub(super) fn change_from_inside(&mut self, change: impl FnOnce(&mut CoreMap, Option<&BitGrid>)) {
        let (_, changed) = self.apply(change);
        if let Some(region) = changed {
            announce(|| self.signals().influence_changed().emit(region));
        }
    }

    /// Makes a change and tells the grid; returns what other listeners must be told.
    fn apply<T>(
        &mut self,
        change: impl FnOnce(&mut CoreMap, Option<&BitGrid>) -> T,
    ) -> (Option<T>, Option<Rect2i>) {
        let Some(grid) = self.hear_grid() else { return (None, None) };
        let id = self.base().instance_id();
        let cells = state::of(&grid);
        let mut map = self.map.lock();
        let mut cells = cells.lock();
        let solid = self.blocked_by_solid.then(|| cells.solid_cells());
        if map.region() != cells.region() {
            map.resize(cells.region(), solid);
        }
        let result = change(&mut map, solid);
        let changed = map.show();
        if let Some(rect) = changed {
            self.changes += 1;
            cells.take_in_influence(id, map.shown(), rect);
        }
        (Some(result), changed.map(|rect| convert::region(rect.to_cells(map.region()))))
    }
}
