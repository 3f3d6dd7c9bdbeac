//! Asking the map.

use godot::prelude::*;
use pathforge_core::geometry::{Cell, CellRect};

use super::{CoreMap, InfluenceMap};
use crate::engine::direct::{Declared, Functions};
use crate::engine::errors::reported;
use crate::engine::state::{self, State};
use crate::script::convert::{self, vector_or_none};

#[godot_api(secondary)]
impl InfluenceMap {
    /// Returns the value of a cell, a multiple of [member quantum]; 0 outside the region.
    #[func(gd_self)]
    fn get_influence(this: Gd<Self>, cell: Vector2i) -> f64 {
        f64::from(state::of(&this).lock().value(convert::cell(cell)))
    }

    /// Returns the value of every cell: one number a cell, row by row over the grid's region. Empty without a
    /// grid.
    #[func]
    fn get_influence_data(&mut self) -> PackedFloat32Array {
        let Some(region) = self.hear_grid().map(|grid| grid.bind().cell_region()) else {
            return PackedFloat32Array::new();
        };
        let map = self.map.lock();
        if map.region() == region {
            PackedFloat32Array::from(map.shown().to_vec())
        } else {
            region.cells().map(|cell| map.value(cell)).collect()
        }
    }

    /// Returns the cell of `region` with the highest value that is not solid, the first in reading order of
    /// several; without a `region`, of the whole grid. `Vector2i.MIN` when there is no such cell.
    ///
    /// ```gdscript
    /// var hunting_ground := scent.find_highest(Rect2i(wolf_cell - Vector2i(9, 9), Vector2i(19, 19)))
    /// ```
    #[func]
    fn find_highest(&mut self, #[opt(default = Rect2i::default())] region: Rect2i) -> Vector2i {
        self.find("InfluenceMap.find_highest", region, true)
    }

    /// Returns the cell of `region` with the lowest value that is not solid, as [method find_highest].
    ///
    /// ```gdscript
    /// var hiding_place := danger.find_lowest(Rect2i(scout_cell - Vector2i(9, 9), Vector2i(19, 19)))
    /// ```
    #[func]
    fn find_lowest(&mut self, #[opt(default = Rect2i::default())] region: Rect2i) -> Vector2i {
        self.find("InfluenceMap.find_lowest", region, false)
    }

    /// Returns how many stamps there are that can still be moved or taken away.
    #[func]
    fn get_stamp_count(&self) -> i64 {
        self.map.lock().source_count() as i64
    }
}

impl InfluenceMap {
    /// The direct answer of a method, if it has one.
    pub fn direct(method: &str, declared: Declared) -> Option<Functions> {
        (method == "get_influence").then(|| {
            declared.after(|_: &Gd<Self>, map: &State<CoreMap>, (cell,): (Vector2i,)| {
                Some(f64::from(map.try_lock()?.value(convert::cell(cell))))
            })
        })
    }

    fn find(&mut self, method: &str, region: Rect2i, highest: bool) -> Vector2i {
        let Some(rect) = reported(method, convert::fill_rect(region)) else { return convert::NO_CELL };
        let Some(grid) = self.hear_grid() else { return convert::NO_CELL };
        let cells = state::of(&grid);
        let map = self.map.lock();
        let cells = cells.lock();
        let rect = if region == Rect2i::default() { cells.region() } else { rect };
        // A region of the grid that the map has not heard of yet has no influence.
        if map.region() != cells.region() {
            return vector_or_none(first_cell(rect.intersection(cells.region())));
        }
        let solid = Some(cells.solid_cells());
        vector_or_none(if highest { map.highest(rect, solid) } else { map.lowest(rect, solid) })
    }
}

fn first_cell(rect: CellRect) -> Option<Cell> {
    (!rect.is_empty()).then(|| Cell::new(rect.x, rect.y))
}
