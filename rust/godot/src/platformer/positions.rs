//! Between positions and the cells of a character.

use godot::prelude::*;
use pathforge_core::geometry::{Cell, Footprint};
use pathforge_core::platformer::BodyLayers;

use super::jump_profile::{PathForgeJumpProfile, footprint_of};
use super::{PathForgePlatformer, layers_on};
use crate::convert::{self, NO_CELL, vector_or_none};
use crate::geometry::CellGeometry;
use crate::grid::PathForgeGrid;
use crate::grid_link::local_position;
use crate::resource_arg::ResourceArg;

#[godot_api(secondary)]
impl PathForgePlatformer {
    /// The centre of a character that stands with its top-left cell at `cell`, in the grid's local space.
    #[func]
    fn cell_to_local(
        &mut self,
        cell: Vector2i,
        #[opt(default = ResourceArg::NONE)] profile: ResourceArg<PathForgeJumpProfile>,
    ) -> Vector2 {
        let grid = self.grid_for("PathForgePlatformer.cell_to_local");
        grid.map_or(Vector2::ZERO, |grid| center(&grid, cell, &profile))
    }

    /// The centre of a character that stands with its top-left cell at `cell`, in global space.
    #[func]
    fn cell_to_global(
        &mut self,
        cell: Vector2i,
        #[opt(default = ResourceArg::NONE)] profile: ResourceArg<PathForgeJumpProfile>,
    ) -> Vector2 {
        let grid = self.grid_for("PathForgePlatformer.cell_to_global");
        grid.map_or(Vector2::ZERO, |mut grid| {
            let center = center(&grid, cell, &profile);
            grid.bind_mut().global_transform() * center
        })
    }

    /// The top-left cell of a character whose centre is at a position in the grid's local space. If the character does not
    /// stand on ground there, a place close by at which it does and which still covers the position: one cell to the side,
    /// since it may stand with less than half of itself on an edge, or higher, so that a click on the ground means a place
    /// above it. If it does not fit there, as beside a wall, the nearest place at which it fits and covers the position.
    /// `Vector2i.MIN` when the position is not finite.
    #[func]
    fn local_to_cell(
        &mut self,
        position: Vector2,
        #[opt(default = ResourceArg::NONE)] profile: ResourceArg<PathForgeJumpProfile>,
    ) -> Vector2i {
        let grid = self.grid_for("PathForgePlatformer.local_to_cell");
        grid.map_or(NO_CELL, |grid| place(&grid, position, &profile))
    }

    /// The top-left cell of a character whose centre is at a global position. See [method local_to_cell].
    ///
    /// ```gdscript
    /// var start := platformer.global_to_cell(body.global_position, profile)
    /// var goal := platformer.global_to_cell(get_global_mouse_position(), profile)
    /// var path := platformer.find_path(start, goal, profile)
    /// ```
    #[func]
    fn global_to_cell(
        &mut self,
        position: Vector2,
        #[opt(default = ResourceArg::NONE)] profile: ResourceArg<PathForgeJumpProfile>,
    ) -> Vector2i {
        let grid = self.grid_for("PathForgePlatformer.global_to_cell");
        let local = grid.and_then(|grid| local_position(&grid, position).map(|local| (grid, local)));
        local.map_or(NO_CELL, |(grid, local)| place(&grid, local, &profile))
    }
}

fn center(grid: &Gd<PathForgeGrid>, cell: Vector2i, profile: &ResourceArg<PathForgeJumpProfile>) -> Vector2 {
    PathForgeGrid::geometry_of(grid).footprint_center(convert::cell(cell), footprint_of(profile))
}

fn place(
    grid: &Gd<PathForgeGrid>,
    position: Vector2,
    profile: &ResourceArg<PathForgeJumpProfile>,
) -> Vector2i {
    let footprint = footprint_of(profile);
    let (layers, geometry) = layers_on(grid, footprint);
    vector_or_none(anchor_near(&layers, &geometry, position, footprint))
}

/// The anchor of a character whose centre is at `position`; `None` when that is not finite.
fn anchor_near(
    layers: &BodyLayers,
    geometry: &CellGeometry,
    position: Vector2,
    footprint: Footprint,
) -> Option<Cell> {
    let nearest = geometry.anchor_at(position, footprint)?;
    if layers.stands_at(nearest) {
        return Some(nearest);
    }
    let (x, _) = geometry.cell_space_of(position);
    let off = x - f64::from(footprint.w()) / 2.0 - f64::from(nearest.x);
    let beside = Cell::new(nearest.x.saturating_add(if off < 0.0 { -1 } else { 1 }), nearest.y);
    if off.abs() > 0.01 && layers.stands_at(beside) {
        return Some(beside);
    }
    // The position stays within the body's cells: at most in the lowest row.
    let mut higher = (1..=footprint.h() / 2).map(|rows| Cell::new(nearest.x, nearest.y.saturating_sub(rows)));
    let standing = higher.clone().find(|&cell| layers.stands_at(cell));
    let fitting = || {
        let fits = |&cell: &Cell| layers.fits_at(cell);
        if fits(&nearest) {
            None
        } else {
            covering(layers, geometry, position, footprint).or(higher.find(fits))
        }
    };
    Some(standing.or_else(fitting).unwrap_or(nearest))
}

/// The nearest anchor of a character that fits and covers `position`, on ground if there is one.
fn covering(
    layers: &BodyLayers,
    geometry: &CellGeometry,
    position: Vector2,
    footprint: Footprint,
) -> Option<Cell> {
    let (cell, (x, y)) = (geometry.cell_at(position)?, geometry.cell_space_of(position));
    let (w, h) = (footprint.w(), footprint.h());
    let off = |anchor: Cell| {
        let (dx, dy) =
            (f64::from(anchor.x) + f64::from(w) / 2.0 - x, f64::from(anchor.y) + f64::from(h) / 2.0 - y);
        dx * dx + dy * dy
    };
    let anchors = (0..w * h).map(|n| Cell::new(cell.x.saturating_sub(n % w), cell.y.saturating_sub(n / w)));
    let in_air = |anchor: Cell| !layers.stands_at(anchor);
    anchors
        .filter(|&anchor| layers.fits_at(anchor))
        .min_by(|&a, &b| in_air(a).cmp(&in_air(b)).then(off(a).total_cmp(&off(b))))
}
