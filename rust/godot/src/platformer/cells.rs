//! Setting and reading cells.

use godot::prelude::*;
use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::platformer::PlatformerMap;
use pathforge_core::terrain::EditError;

use super::PathForgePlatformer;
use crate::convert::{self, vector_or_none};
use crate::errors::reported;
use crate::grid::PathForgeGrid;

#[godot_api(secondary)]
impl PathForgePlatformer {
    /// Makes a cell solid or not. With a grid, the grid's cell.
    #[func(gd_self)]
    fn set_point_solid(this: Gd<Self>, cell: Vector2i, #[opt(default = true)] solid: bool) {
        if let Some(mut grid) = Self::grid_of(&this) {
            grid.call("set_point_solid", vslice![cell, solid]);
            return;
        }
        Self::edit(this, "PathForgePlatformer.set_point_solid", |map| {
            let cell = inside(map, cell)?;
            Ok(map.fill_solid(CellRect::cell(cell), solid))
        });
    }

    /// Returns [code]true[/code] if a cell is solid; `false` and an error outside the region.
    #[func]
    fn is_point_solid(&mut self, cell: Vector2i) -> bool {
        self.read("PathForgePlatformer.is_point_solid", cell, PlatformerMap::is_solid)
    }

    /// Makes a cell one-way or not. A cell that is solid as well acts as a solid one.
    ///
    /// ```gdscript
    /// platformer.set_point_one_way(Vector2i(4, 7)) # A platform of one cell.
    /// ```
    #[func(gd_self)]
    fn set_point_one_way(this: Gd<Self>, cell: Vector2i, #[opt(default = true)] one_way: bool) {
        Self::edit(this, "PathForgePlatformer.set_point_one_way", |map| {
            let cell = inside(map, cell)?;
            Ok(map.fill_one_way(CellRect::cell(cell), one_way))
        });
    }

    /// Returns [code]true[/code] if a cell is one-way; `false` and an error outside the region.
    #[func]
    fn is_point_one_way(&mut self, cell: Vector2i) -> bool {
        self.read("PathForgePlatformer.is_point_one_way", cell, PlatformerMap::is_one_way)
    }

    /// Makes all cells of `region` solid or not; cells outside the level are left out. With a grid, the grid's cells.
    #[func(gd_self)]
    fn fill_solid_region(this: Gd<Self>, region: Rect2i, #[opt(default = true)] solid: bool) {
        if let Some(mut grid) = Self::grid_of(&this) {
            grid.call("fill_solid_region", vslice![region, solid]);
            return;
        }
        let method = "PathForgePlatformer.fill_solid_region";
        if let Some(rect) = reported(method, convert::fill_rect(region)) {
            Self::edit(this, method, |map| Ok(map.fill_solid(rect, solid)));
        }
    }

    /// Makes all cells of `region` one-way or not; cells outside the level are left out.
    #[func(gd_self)]
    fn fill_one_way_region(this: Gd<Self>, region: Rect2i, #[opt(default = true)] one_way: bool) {
        let method = "PathForgePlatformer.fill_one_way_region";
        if let Some(rect) = reported(method, convert::fill_rect(region)) {
            Self::edit(this, method, |map| Ok(map.fill_one_way(rect, one_way)));
        }
    }

    /// Makes cells solid where `data` is not 0 and open where it is: one byte a cell, row by row over [member region].
    /// With a grid, the grid's cells.
    #[func(gd_self)]
    fn set_solid_data(this: Gd<Self>, data: PackedByteArray) {
        if let Some(mut grid) = Self::grid_of(&this) {
            grid.call("set_solid_data", vslice![data]);
            return;
        }
        Self::edit(this, "PathForgePlatformer.set_solid_data", |map| map.set_solid_data(data.as_slice()));
    }

    /// One byte a cell, row by row over [member region]: 1 for solid cells, 0 for others.
    #[func]
    fn get_solid_data(&mut self) -> PackedByteArray {
        self.bring_up_to_date();
        PackedByteArray::from(self.platformer.map().solid_data())
    }

    /// Makes cells one-way where `data` is not 0: one byte a cell, row by row over [member region].
    #[func(gd_self)]
    fn set_one_way_data(this: Gd<Self>, data: PackedByteArray) {
        Self::edit(this, "PathForgePlatformer.set_one_way_data", |map| map.set_one_way_data(data.as_slice()));
    }

    /// One byte a cell, row by row over [member region]: 1 for one-way cells, 0 for others.
    #[func]
    fn get_one_way_data(&mut self) -> PackedByteArray {
        self.bring_up_to_date();
        PackedByteArray::from(self.platformer.map().one_way_data())
    }

    /// Replaces the node's own cells by those that `rows` draws, one letter a cell, one line a row: `#` solid, `=`
    /// one-way, `.` open. The region takes the drawing's size and keeps its position. An unknown letter or a row of
    /// another length is an error, and so is a grid; nothing changes then.
    #[func]
    fn set_from_text(&mut self, rows: GString) {
        let method = "PathForgePlatformer.set_from_text";
        if self.link.named().is_some() {
            crate::errors::report(method, "the solid cells are the grid's; set `grid` to null first");
            return;
        }
        let CellRect { x, y, .. } =
            if self.owns { self.platformer.map().region() } else { CellRect::default() };
        let drawn = PlatformerMap::from_text(&rows.to_string(), Cell::new(x, y));
        if let Some(map) = reported(method, drawn) {
            self.owns = true;
            self.replace_map(map);
        }
    }

    /// Takes all solid and one-way cells away. With a grid, only the one-way cells.
    #[func]
    fn clear(&mut self) {
        self.bring_up_to_date();
        if let Ok(map) = PlatformerMap::new(self.platformer.map().region()) {
            self.replace_map(map);
        }
    }

    /// The cell that holds a position in the local space of the grid, or of this node without one. `Vector2i.MIN` when
    /// the position is not finite.
    #[func]
    fn local_to_cell(&mut self, position: Vector2) -> Vector2i {
        vector_or_none(self.cell_geometry().cell_at(position))
    }

    /// The centre of a cell in the local space of the grid, or of this node without one.
    #[func]
    fn cell_to_local(&mut self, cell: Vector2i) -> Vector2 {
        self.cell_geometry().footprint_center(convert::cell(cell), pathforge_core::geometry::Footprint::ONE)
    }

    /// The bottom-left cell of a character of `size` cells whose centre is at a position in local space: what [method
    /// find_path] takes as a start. That is the nearest cell or, when only that one has ground below, the other one
    /// that the body lies over: it may stand with less than half of itself on an edge. `Vector2i.MIN` when the position
    /// is not finite.
    ///
    /// ```gdscript
    /// var start := platformer.body_to_cell(platformer.to_local(body.global_position), profile.size)
    /// ```
    #[func]
    fn body_to_cell(&mut self, position: Vector2, size: Vector2i) -> Vector2i {
        let checked = convert::footprint(size);
        let size = reported("PathForgePlatformer.body_to_cell", checked).unwrap_or_default();
        let (x, y) = self.cell_geometry().cell_space_of(position);
        let corner = (x - f64::from(size.w() - 1) / 2.0, y + f64::from(size.h() - 1) / 2.0);
        if !corner.0.is_finite() || !corner.1.is_finite() {
            return vector_or_none(None);
        }
        let nearest = Cell::new(corner.0.floor() as i32, corner.1.floor() as i32);
        let off = corner.0 - corner.0.floor() - 0.5;
        let side = if off < 0.0 { -1 } else { 1 };
        let beside = Cell::new(nearest.x.saturating_add(side), nearest.y);
        let on_edge = off.abs() > 0.01 && !self.stands(nearest, size) && self.stands(beside, size);
        vector_or_none(Some(if on_edge { beside } else { nearest }))
    }

    /// The centre of a character of `size` cells that stands with its bottom-left cell at `cell`, in local space.
    #[func]
    fn body_center(&mut self, cell: Vector2i, size: Vector2i) -> Vector2 {
        let checked = convert::footprint(size);
        let size = reported("PathForgePlatformer.body_center", checked).unwrap_or_default();
        let top = Cell::new(cell.x, cell.y.saturating_sub(size.h() - 1));
        self.cell_geometry().footprint_center(top, size)
    }
}

impl PathForgePlatformer {
    fn grid_of(this: &Gd<Self>) -> Option<Gd<PathForgeGrid>> {
        this.clone().bind_mut().shared_grid()
    }

    /// Makes an edit of the level, or reports why it cannot be made.
    pub(super) fn edit(
        mut this: Gd<Self>,
        method: &str,
        edit: impl FnOnce(&mut PlatformerMap) -> Result<Option<CellRect>, EditError>,
    ) {
        let mut node = this.bind_mut();
        node.bring_up_to_date();
        if reported(method, edit(node.platformer.map_mut())).flatten().is_some() {
            node.edits += 1;
        }
    }

    fn read(&mut self, method: &str, cell: Vector2i, read: impl Fn(&PlatformerMap, Cell) -> bool) -> bool {
        self.bring_up_to_date();
        let map = self.platformer.map();
        reported(method, inside(map, cell)).is_some_and(|cell| read(map, cell))
    }
}

/// The cell, when it lies within the level.
fn inside(map: &PlatformerMap, cell: Vector2i) -> Result<Cell, EditError> {
    let (cell, region) = (convert::cell(cell), map.region());
    if region.contains(cell) { Ok(cell) } else { Err(EditError::OutOfBounds { cell, region }) }
}
