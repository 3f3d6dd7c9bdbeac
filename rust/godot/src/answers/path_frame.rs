//! Where the positions of a path lie, and which of them are ends of links.

use godot::prelude::*;
use pathforge_core::geometry::{Cell, Footprint};
use pathforge_core::path::Route;
use pathforge_core::world::PathOutcome;

use crate::script::geometry::CellGeometry;

/// What turns the cells of a path into positions: the grid as it was when it was asked.
#[derive(Clone, Copy, Default)]
pub struct PathFrame {
    /// Where cells lie.
    pub geometry: CellGeometry,
    /// The body's size.
    pub footprint: Footprint,
    /// From the grid's local space to the world.
    pub to_global: Transform2D,
    /// From the centre of the body's cells to its position.
    pub to_position: Vector2,
}

impl PathFrame {
    /// The positions of the body at the ends of straight lines, if those were wanted, else at every cell.
    pub(super) fn centers(&self, outcome: &PathOutcome) -> PackedVector2Array {
        let center = |cell| self.geometry.footprint_center(cell, self.footprint) + self.to_position;
        if let Some(ends) = &outcome.smoothed {
            return ends.iter().copied().map(center).collect();
        }
        let mut positions = PackedVector2Array::new();
        positions.resize(outcome.route.cell_count());
        self.geometry.write_centers(&outcome.route, self.footprint, positions.as_mut_slice());
        if self.to_position != Vector2::ZERO {
            positions.as_mut_slice().iter_mut().for_each(|position| *position += self.to_position);
        }
        positions
    }

    /// The same in cell space, of which each cell is a unit.
    pub(super) fn cell_space_centers(&self, outcome: &PathOutcome) -> Vec<(f64, f64)> {
        let center = |at: i32, side: i32| f64::from(at) + f64::from(side) / 2.0;
        let center = |cell: Cell| (center(cell.x, self.footprint.w()), center(cell.y, self.footprint.h()));
        if let Some(ends) = &outcome.smoothed {
            return ends.iter().copied().map(center).collect();
        }
        let mut centers = Vec::with_capacity(outcome.route.cell_count());
        outcome.route.for_each_cell(|cell| centers.push(center(cell)));
        centers
    }
}

/// The places in `ends`, the ends of straight lines along `route`, at which the links of the route are taken.
pub(super) fn links_along<'a>(ends: &'a [Cell], route: &'a Route) -> impl Iterator<Item = usize> + 'a {
    // A path visits no cell twice.
    route.link_ends().filter_map(|(link, _)| ends.windows(2).position(|pair| pair == link))
}
