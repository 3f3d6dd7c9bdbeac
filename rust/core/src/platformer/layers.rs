//! What one size of character can do where, as bit rows: fit, stand on ground, touch the ceiling.

use super::PlatformerMap;
use super::map::rewrite_part;
use crate::bitgrid::{BitGrid, LocalRect};
use crate::connectivity::Regions;
use crate::geometry::{CellRect, DiagonalMode, Footprint};
use crate::passability::anchors_touching;

/// The bits of one size of character, anchored at its top-left cell as every layer is, so that a search tests one bit
/// a step whatever the size.
///
/// Repaired from the map's journal; repaired equals rebuilt.
#[derive(Clone, Debug)]
pub struct BodyLayers {
    size: Footprint,
    region: CellRect,
    revision: u64,
    /// Cells that are not solid.
    open: BitGrid,
    /// Cells that carry nothing: neither solid nor one-way.
    hollow: BitGrid,
    /// Runs of `w` hollow cells by their leftmost one.
    hollow_runs: BitGrid,
    fits: BitGrid,
    ground: BitGrid,
    ceiling: BitGrid,
    regions: Regions,
}

impl BodyLayers {
    /// The bits of a character of `size` on `map`.
    ///
    /// Takes `log₂ w + log₂ h` passes over the words and a few over the cells.
    pub fn build(map: &PlatformerMap, size: Footprint) -> Self {
        let shape = map.shape();
        let row = Footprint::new(i64::from(size.w()), 1).unwrap_or(Footprint::ONE);
        let (mut open, mut hollow) = (BitGrid::new(shape), BitGrid::new(shape));
        copy_cells(map, &mut open, &mut hollow, shape.all());
        let fits = open.eroded(size);
        let mut layers = Self {
            size,
            region: map.region(),
            revision: map.journal().revision(),
            hollow_runs: hollow.eroded(row),
            regions: Regions::build(&fits, DiagonalMode::Never),
            open,
            hollow,
            fits,
            ground: BitGrid::new(shape),
            ceiling: BitGrid::new(shape),
        };
        layers.derive(shape.all());
        layers
    }

    /// Brings the bits up to date with `map`, which must be the one that they were made from.
    ///
    /// Takes time in proportion to the edited rectangles, and to the chunks of [`Regions`] that they touch.
    pub fn repair(&mut self, map: &PlatformerMap) {
        if self.revision == map.journal().revision() && self.region == map.region() {
            return;
        }
        let shape = map.shape();
        let news = (self.region == map.region() && self.revision <= map.journal().revision())
            .then(|| map.journal().since(self.revision))
            .flatten();
        let Some(news) = news else {
            *self = Self::build(map, self.size);
            return;
        };
        let edits: Vec<LocalRect> = news.map(|edit| edit.rect).collect();
        let area: u64 = edits.iter().map(|&rect| anchors_touching(rect, self.size, shape).area()).sum();
        if area * 2 > shape.cells() as u64 {
            *self = Self::build(map, self.size);
            return;
        }
        let row = Footprint::new(i64::from(self.size.w()), 1).unwrap_or(Footprint::ONE);
        for &rect in &edits {
            copy_cells(map, &mut self.open, &mut self.hollow, rect);
        }
        for &rect in &edits {
            let runs = anchors_touching(rect, row, shape);
            self.hollow_runs.erode_again(&self.hollow, row, runs);
            let anchors = anchors_touching(rect, self.size, shape);
            self.fits.erode_again(&self.open, self.size, anchors);
            self.regions.repair(&self.fits, anchors);
        }
        for rect in edits {
            // A body stands on the row below its lowest and touches the row above its highest.
            self.derive(anchors_touching(rect.grown(0, 1, 0, 1, shape), self.size, shape));
        }
        self.revision = map.journal().revision();
    }

    /// The character's size.
    pub const fn size(&self) -> Footprint {
        self.size
    }

    /// The cells of the level.
    pub(super) const fn region(&self) -> CellRect {
        self.region
    }

    /// A bit for each cell at which the character fits with its top-left cell there.
    pub const fn fits(&self) -> &BitGrid {
        &self.fits
    }

    /// A bit for each cell at which the character fits and stands on ground.
    pub const fn ground(&self) -> &BitGrid {
        &self.ground
    }

    /// A bit for each cell at which the character fits and is at the ceiling.
    pub const fn ceiling(&self) -> &BitGrid {
        &self.ceiling
    }

    /// Which fitting cells are joined by fitting cells, jumping aside.
    pub(super) const fn regions(&self) -> &Regions {
        &self.regions
    }

    /// Whether all bits are those of a build of `map`.
    pub fn check_invariants(&self, map: &PlatformerMap) -> bool {
        let fresh = Self::build(map, self.size);
        self.open == fresh.open
            && self.hollow == fresh.hollow
            && self.hollow_runs == fresh.hollow_runs
            && self.fits == fresh.fits
            && self.ground == fresh.ground
            && self.ceiling == fresh.ceiling
            && self.regions.check_invariants(&self.fits)
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        6 * self.fits.memory() + self.regions.memory()
    }

    /// Makes the ground and ceiling bits of `rect` anew.
    fn derive(&mut self, rect: LocalRect) {
        let shape = self.fits.shape();
        let (fits, height) = (&self.fits, self.size.h() as u32);
        let hollow_runs = &self.hollow_runs;
        rewrite_part(&mut self.ground, rect, |x, y| {
            let below = y + height;
            fits.get(shape.index(x, y)) && below < shape.height() && !hollow_runs.get(shape.index(x, below))
        });
        // One row higher, only the cells above it are new.
        rewrite_part(&mut self.ceiling, rect, |x, y| {
            fits.get(shape.index(x, y)) && y > 0 && !fits.get(shape.index(x, y - 1))
        });
    }
}

/// Makes the open and hollow bits of `rect` anew.
fn copy_cells(map: &PlatformerMap, open: &mut BitGrid, hollow: &mut BitGrid, rect: LocalRect) {
    let shape = map.shape();
    for y in rect.y0..rect.y1 {
        open.write_row_inverted(y, rect.x0..rect.x1, map.solid());
    }
    rewrite_part(hollow, rect, |x, y| {
        let index = shape.index(x, y);
        !map.solid().get(index) && !map.one_way().get(index)
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Cell;

    /// The anchors whose bit is set, drawn row by row.
    fn drawn(grid: &BitGrid) -> Vec<String> {
        let shape = grid.shape();
        (0..shape.height())
            .map(|y| {
                (0..shape.width()).map(|x| if grid.get(shape.index(x, y)) { '1' } else { '.' }).collect()
            })
            .collect()
    }

    #[test]
    fn a_wide_body_stands_half_over_an_edge_and_nothing_carries_below_the_map() {
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
