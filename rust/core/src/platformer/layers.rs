//! Where a body of one size fits, stands on ground and touches a ceiling: one bit a cell each.
//!
//! Built from a [`PlatformerMap`] by erosion, as passability layers are, in O(words · (log w + log h)); repaired from
//! the map's journal in time proportional to the edits. Repaired equals rebuilt.

use super::PlatformerMap;
use super::map::rewrite;
use crate::bitgrid::{BitGrid, LocalRect, local};
use crate::connectivity::Components;
use crate::geometry::{Cell, CellRect, DiagonalMode, Footprint};
use crate::passability::anchors_touching;
use crate::primitives::GridPoint;

/// The layers of one body size, anchored at its top-left cell, so that a search tests one bit a step whatever the size.
///
/// - The body *fits* where none of its w×h cells is solid or outside the region.
/// - It *stands on ground* where any of its bottom cells is right above a solid or one-way cell, so a wide body may
///   stand half over an edge. Nothing supports it below the region: a hole in the lowest row is a pit.
/// - It is *at the ceiling* where any cell right above it is solid. There is no ceiling above the region.
#[derive(Clone, Debug)]
pub struct BodyLayers {
    size: Footprint,
    region: CellRect,
    revision: u64,
    /// Cells that are not solid.
    open: BitGrid,
    /// Cells that support nothing: neither solid nor one-way.
    non_supporting: BitGrid,
    /// The leftmost cells of runs of `w` non-supporting cells.
    non_supporting_runs: BitGrid,
    fits: BitGrid,
    ground: BitGrid,
    ceiling: BitGrid,
    components: Components,
}

impl BodyLayers {
    /// Builds the layers of a body of `size` on `map`.
    pub fn build(map: &PlatformerMap, size: Footprint) -> Self {
        let layout = map.layout();
        let (mut open, mut non_supporting) = (BitGrid::new(layout), BitGrid::new(layout));
        copy_cells(map, &mut open, &mut non_supporting, layout.all());
        let fits = open.eroded(size);
        let mut layers = Self {
            size,
            region: map.region(),
            revision: map.journal().revision(),
            non_supporting_runs: non_supporting.eroded(bottom_row(size)),
            // A body moves up, down and sideways only, so diagonal contact connects nothing.
            components: Components::build(&fits, DiagonalMode::Never),
            open,
            non_supporting,
            fits,
            ground: BitGrid::new(layout),
            ceiling: BitGrid::new(layout),
        };
        layers.derive(layout.all());
        layers
    }

    /// Brings the layers up to date with `map`, which must be the one that they were built from.
    ///
    /// Takes time in proportion to the edited rectangles and to the chunks of [`Components`] that they touch.
    pub fn repair(&mut self, map: &PlatformerMap) {
        if self.revision == map.journal().revision() && self.region == map.region() {
            return;
        }
        let layout = map.layout();
        // A map of another region, or one that is behind, shares no history with these layers.
        let edits = (self.region == map.region() && self.revision <= map.journal().revision())
            .then(|| map.journal().since(self.revision))
            .flatten();
        let Some(edits) = edits else {
            *self = Self::build(map, self.size);
            return;
        };
        let edits: Vec<LocalRect> = edits.map(|edit| edit.rect).collect();
        let area: u64 = edits.iter().map(|&rect| anchors_touching(rect, self.size, layout).area()).sum();
        // A repair goes cell by cell where a build goes word by word, so it is worth it for small parts only.
        if area * 2 > layout.cells() as u64 {
            *self = Self::build(map, self.size);
            return;
        }
        let row = bottom_row(self.size);
        // Erosion reads cells beyond its own rectangle, so the cells of all edits come first.
        for &rect in &edits {
            copy_cells(map, &mut self.open, &mut self.non_supporting, rect);
        }
        for &rect in &edits {
            let runs = anchors_touching(rect, row, layout);
            self.non_supporting_runs.repair_eroded(&self.non_supporting, row, runs);
            let anchors = anchors_touching(rect, self.size, layout);
            self.fits.repair_eroded(&self.open, self.size, anchors);
            self.components.repair(&self.fits, &[anchors]);
        }
        for rect in edits {
            // A body stands on the row below its lowest and touches the row above its highest.
            self.derive(anchors_touching(rect.grown(0, 1, 0, 1, layout), self.size, layout));
        }
        self.revision = map.journal().revision();
    }

    /// The body's size.
    pub const fn size(&self) -> Footprint {
        self.size
    }

    /// The cells of the level.
    pub(super) const fn region(&self) -> CellRect {
        self.region
    }

    /// One bit for each anchor at which the body fits.
    pub const fn fits(&self) -> &BitGrid {
        &self.fits
    }

    /// One bit for each anchor at which the body fits and stands on ground.
    pub const fn ground(&self) -> &BitGrid {
        &self.ground
    }

    /// One bit for each anchor at which the body fits and is at the ceiling.
    pub const fn ceiling(&self) -> &BitGrid {
        &self.ceiling
    }

    /// The connected components of the anchors at which the body fits, jump rules aside.
    pub(super) const fn components(&self) -> &Components {
        &self.components
    }

    /// The anchor of a body whose bottom-left cell is `cell`; `None` if a cell of its left column lies outside the
    /// region.
    pub(super) fn anchor(&self, cell: Cell) -> Option<GridPoint> {
        let (x, y) = local(self.region, cell)?;
        Some(GridPoint::of_cell(x, y.checked_sub(self.size.h() as u32 - 1)?))
    }

    /// The bottom-left cell of a body at `anchor`.
    pub(super) const fn bottom_left(&self, anchor: GridPoint) -> Cell {
        bottom_left(self.region, self.size.h(), anchor)
    }

    /// Returns `true` if the body fits with its bottom-left cell on `cell`.
    pub(super) fn fits_at(&self, cell: Cell) -> bool {
        self.anchor(cell).is_some_and(|anchor| self.fits.get(anchor.index(self.fits.layout())))
    }

    /// Returns `true` if the body fits and stands on ground with its bottom-left cell on `cell`.
    pub(super) fn stands_at(&self, cell: Cell) -> bool {
        self.anchor(cell).is_some_and(|anchor| self.ground.get(anchor.index(self.fits.layout())))
    }

    /// Returns `true` if all bits are those of a build of `map`.
    pub fn check_invariants(&self, map: &PlatformerMap) -> bool {
        let rebuilt = Self::build(map, self.size);
        self.open == rebuilt.open
            && self.non_supporting == rebuilt.non_supporting
            && self.non_supporting_runs == rebuilt.non_supporting_runs
            && self.fits == rebuilt.fits
            && self.ground == rebuilt.ground
            && self.ceiling == rebuilt.ceiling
            && self.components.check_invariants(&self.fits)
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        // All six grids have one layout.
        6 * self.fits.memory() + self.components.memory()
    }

    /// Rewrites the ground and ceiling bits of `rect`.
    fn derive(&mut self, rect: LocalRect) {
        let layout = self.fits.layout();
        let (fits, height) = (&self.fits, self.size.h() as u32);
        let non_supporting_runs = &self.non_supporting_runs;
        rewrite(&mut self.ground, rect, |x, y| {
            let below = y + height;
            // Only the bottom row's width counts: the body stands unless all cells below it are non-supporting.
            fits.get(layout.index(x, y))
                && below < layout.height()
                && !non_supporting_runs.get(layout.index(x, below))
        });
        // The body fits here. If it does not fit one row higher, a cell of that row, the only new one, is solid.
        rewrite(&mut self.ceiling, rect, |x, y| {
            fits.get(layout.index(x, y)) && y > 0 && !fits.get(layout.index(x, y - 1))
        });
    }
}

/// The footprint of a body's bottom row, which is what supports it.
fn bottom_row(size: Footprint) -> Footprint {
    Footprint::new(i64::from(size.w()), 1).unwrap_or(Footprint::ONE)
}

/// The bottom-left cell of a body of `height` rows at `anchor`.
pub(super) const fn bottom_left(region: CellRect, height: i32, anchor: GridPoint) -> Cell {
    let (x, y) = anchor.cell_xy();
    Cell::new(region.x + x as i32, region.y + y as i32 + height - 1)
}

/// Rewrites the open and non-supporting bits of `rect`.
fn copy_cells(map: &PlatformerMap, open: &mut BitGrid, non_supporting: &mut BitGrid, rect: LocalRect) {
    let layout = map.layout();
    for y in rect.y0..rect.y1 {
        // Word by word.
        open.write_row_inverted(y, rect.x0..rect.x1, map.solid());
    }
    // Solid ground supports, too: a cell must be neither.
    rewrite(non_supporting, rect, |x, y| {
        let index = layout.index(x, y);
        !map.solid().get(index) && !map.one_way().get(index)
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Cell;

    /// Draws the anchors whose bit is set, row by row.
    fn drawn(grid: &BitGrid) -> Vec<String> {
        let layout = grid.layout();
        (0..layout.height())
            .map(|y| {
                (0..layout.width()).map(|x| if grid.get(layout.index(x, y)) { '1' } else { '.' }).collect()
            })
            .collect()
    }

    #[test]
    fn a_wide_body_stands_half_over_an_edge_and_nothing_supports_it_below_the_map() {
        let map = PlatformerMap::from_text(
            "......
             .#....
             ......
             ....=.
             ##....",
            Cell::default(),
        );
        let layers = BodyLayers::build(&map.unwrap(), Footprint::new(2, 2).unwrap());
        assert_eq!(drawn(layers.fits()), ["..111.", "..111.", "11111.", "..111.", "......"]);
        assert_eq!(drawn(layers.ground()), ["......", "...11.", "11....", "......", "......"]);
        assert_eq!(drawn(layers.ceiling()), ["......", "......", "11....", "......", "......"]);
    }
}
