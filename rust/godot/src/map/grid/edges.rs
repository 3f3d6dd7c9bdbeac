//! Edges between cells: thin walls, fences, ledges and the gates in them.

use godot::prelude::*;
use pathforge_core::geometry::Side;

use super::PathForgeGrid;
use super::map::Map;
use crate::engine::errors::reported;
use crate::engine::state;
use crate::script::enumeration::{self, Constant};
use crate::script::given::given;

#[godot_api(secondary)]
impl PathForgeGrid {
    /// Blocks or opens the edge at one side of a cell: a thin wall, a fence, or a gate in it. `side` is one of
    /// Godot's constants [constant @GlobalScope.SIDE_LEFT], [constant @GlobalScope.SIDE_TOP], [constant
    /// @GlobalScope.SIDE_RIGHT] and [constant @GlobalScope.SIDE_BOTTOM]. A cell and the cell beyond that side
    /// share the edge.
    ///
    /// - No body steps over a blocked edge, and none stands across it: a body of 2×2 cells needs four cells
    ///   without a blocked edge between them. Diagonal steps go round the end of a blocked edge as round the
    ///   corner of a solid cell, see [member diagonal_mode].
    /// - With `one_way`, only steps out of `cell` over that side are blocked or opened: a ledge, which bodies
    ///   jump down and do not climb. Bodies may stand across it.
    /// - Paths, flow fields, agents, crowds and clearance heed edges. The bodies of a [PathForgePlatformer] do
    ///   not.
    ///
    /// A cell keeps its edges when it becomes solid or open.
    ///
    /// ```gdscript
    /// grid.set_edge_blocked(Vector2i(4, 7), SIDE_TOP) # A fence north of the cell,
    /// grid.set_edge_blocked(Vector2i(4, 7), SIDE_TOP, false) # and a gate in it.
    /// grid.set_edge_blocked(Vector2i(4, 8), SIDE_TOP, true, true) # Down into (4, 8), not up from it.
    /// ```
    #[func(gd_self)]
    fn set_edge_blocked(
        this: Gd<Self>,
        cell: Vector2i,
        side: Constant<enumeration::Side>,
        #[opt(default = true)] blocked: bool,
        #[opt(default = false)] one_way: bool,
    ) {
        let method = "PathForgeGrid.set_edge_blocked";
        let Some(side) = reported(method, side_of(side)) else { return };
        Self::edit_cell(this, method, cell, |terrain, rect| {
            Ok(terrain.fill_edges(rect, side, blocked, one_way))
        });
    }

    /// Returns [code]true[/code] if an edge blocks the step out of `cell` over `side`, a constant such as
    /// [constant @GlobalScope.SIDE_TOP]. Where it blocks one way only, the cell beyond the edge may say
    /// otherwise. `false` and an error outside the region.
    #[func(gd_self)]
    fn is_edge_blocked(this: Gd<Self>, cell: Vector2i, side: Constant<enumeration::Side>) -> bool {
        let method = "PathForgeGrid.is_edge_blocked";
        let Some(side) = reported(method, side_of(side)) else { return false };
        let blocked = |map: &Map, cell| map.world.terrain().is_edge_blocked(cell, side);
        Self::read(&this, method, cell, false, blocked)
    }

    /// Blocks or opens the edges at one side of each cell of `region`, as [method set_edge_blocked] does for
    /// one cell. A region that is one cell high has a straight fence at its top or bottom. Cells outside the
    /// grid are left out.
    ///
    /// ```gdscript
    /// grid.fill_edge_region(Rect2i(3, 5, 12, 1), SIDE_TOP) # A fence of 12 cells.
    /// ```
    #[func(gd_self)]
    fn fill_edge_region(
        this: Gd<Self>,
        region: Rect2i,
        side: Constant<enumeration::Side>,
        #[opt(default = true)] blocked: bool,
        #[opt(default = false)] one_way: bool,
    ) {
        let method = "PathForgeGrid.fill_edge_region";
        let Some(side) = reported(method, side_of(side)) else { return };
        Self::edit_region(this, method, region, |terrain, rect| {
            Ok(terrain.fill_edges(rect, side, blocked, one_way))
        });
    }

    /// Blocks or opens all edges between `region` and the cells around it: a fence around a field. With
    /// `one_way`, only steps out of the region are blocked or opened, as those of animals in a pen. Cells
    /// outside the grid are left out.
    ///
    /// ```gdscript
    /// grid.fill_edge_outline(Rect2i(10, 4, 8, 6))
    /// grid.set_edge_blocked(Vector2i(13, 9), SIDE_BOTTOM, false) # The gate.
    /// ```
    #[func(gd_self)]
    fn fill_edge_outline(
        this: Gd<Self>,
        region: Rect2i,
        #[opt(default = true)] blocked: bool,
        #[opt(default = false)] one_way: bool,
    ) {
        Self::edit_region(this, "PathForgeGrid.fill_edge_outline", region, |terrain, rect| {
            Ok(terrain.fill_edge_outline(rect, blocked, one_way))
        });
    }

    /// Replaces all edges: one byte a cell, row by row over [member region]. A byte is the sum of the sides
    /// over which steps out of the cell are blocked: left 1, top 2, right 4 and bottom 8. A thin wall is in the
    /// bytes of both cells that share it; an edge in one byte alone is one-way.
    #[func(gd_self)]
    fn set_edge_data(this: Gd<Self>, data: PackedByteArray) {
        Self::make(this, "PathForgeGrid.set_edge_data", |terrain| terrain.set_edge_data(data.as_slice()));
    }

    /// The blocked edges of every cell, one byte a cell, in the form of [method set_edge_data].
    #[func(gd_self)]
    fn get_edge_data(this: Gd<Self>) -> PackedByteArray {
        PackedByteArray::from(state::of(&this).lock().world.terrain().edge_data())
    }
}

/// The side that a script names.
fn side_of(side: Constant<enumeration::Side>) -> Result<Side, String> {
    given("side", side).read("SIDE_LEFT, SIDE_TOP, SIDE_RIGHT or SIDE_BOTTOM", |n| Side::from_number(n.0))
}
