//! Where a body of one size fits, stands on ground and touches a ceiling: one bit an anchor each.
//!
//! The body fits at the placements of its passability layer. Its *surfaces* support it or stop its jump. A
//! pass over the cells derives them from these placements and the one-way cells; repairs take time
//! proportional to the edits. [`World::body_layers`](crate::world::World::body_layers) keeps all of them up
//! to date.

mod anchors;

use std::sync::Arc;

use crate::bitgrid::{BitGrid, GridLayout, LocalRect, local};
use crate::connectivity::Components;
use crate::derived::Derived;
use crate::geometry::{Cell, CellRect, Footprint};
use crate::passability::{Placements, anchors_touching};
use crate::primitives::GridPoint;
use crate::terrain::{Change, Terrain};

/// Where a body stands on ground, and where it is at the ceiling.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Surfaces {
    ground: BitGrid,
    ceiling: BitGrid,
}

impl Derived for Surfaces {
    type Source<'a> = (&'a Terrain, &'a Placements);
    type Kind = Footprint;

    fn build(source @ (_, placements): Self::Source<'_>, footprint: Footprint) -> Self {
        let layout = placements.layout();
        let mut surfaces = Self { ground: BitGrid::new(layout), ceiling: BitGrid::new(layout) };
        surfaces.derive(source, footprint, layout.all());
        surfaces
    }

    /// Where the cells of `rect` have changed, and the placements around them with them.
    fn repair_in(
        &mut self,
        source: Self::Source<'_>,
        footprint: Footprint,
        rect: LocalRect,
    ) -> Option<LocalRect> {
        let anchors = touched(rect, footprint, self.ground.layout());
        self.derive(source, footprint, anchors);
        Some(anchors)
    }

    fn memory(&self) -> usize {
        self.ground.memory() + self.ceiling.memory()
    }

    /// Terrain ids and weights concern other bodies only.
    fn is_concerned_by(change: Change, _kind: Self::Kind) -> bool {
        change.supports()
    }
}

impl Surfaces {
    /// Rewrites the bits of `rect`.
    fn derive(
        &mut self,
        (terrain, placements): (&Terrain, &Placements),
        footprint: Footprint,
        rect: LocalRect,
    ) {
        let layout = placements.layout();
        let (width, height) = (footprint.w() as u32, footprint.h() as u32);
        let fits = |x: u32, y: u32| placements.get(layout.index(x, y));
        let one_way = terrain.one_way();
        self.ground.rewrite(rect, |x, y| {
            let below = y + height;
            // Nothing supports a body below the map. If it does not fit one row lower, a cell of that row,
            // the only new one, is closed.
            fits(x, y)
                && below < layout.height()
                && (!fits(x, y + 1)
                    || one_way.is_some_and(|cells| (x..x + width).any(|x| cells.get(layout.index(x, below)))))
        });
        // There is no ceiling above the map.
        self.ceiling.rewrite(rect, |x, y| fits(x, y) && y > 0 && !fits(x, y - 1));
    }
}

/// The anchors whose surfaces depend on the cells of `rect`.
fn touched(rect: LocalRect, footprint: Footprint, layout: GridLayout) -> LocalRect {
    // A body stands on the row below its lowest and touches the row above its highest.
    anchors_touching(rect.grown(0, 1, 0, 1, layout), footprint, layout)
}

/// The layers of one body, anchored at its top-left cell, so that a search tests one bit a step whatever the
/// size. They stay the same while the map changes.
///
/// - The body *fits* where none of its w×h cells is solid, under an obstacle, or outside the region.
/// - It *stands on ground* where any of its bottom cells is right above a one-way cell or a cell that it
///   cannot enter. So a wide body may stand half over an edge. Nothing supports it below the region: a hole
///   in the lowest row is a pit.
/// - It is *at the ceiling* where it cannot enter a cell right above it. There is no ceiling above the
///   region.
#[derive(Clone, Debug)]
pub struct BodyLayers {
    pub(crate) footprint: Footprint,
    pub(crate) region: CellRect,
    /// The placements of a body of one cell.
    pub(crate) open: Arc<Placements>,
    pub(crate) fits: Arc<Placements>,
    pub(crate) surfaces: Arc<Surfaces>,
    /// The connected components of `fits`, jump rules aside.
    pub(crate) components: Arc<Components>,
}

impl BodyLayers {
    /// Returns the body's size.
    pub const fn footprint(&self) -> Footprint {
        self.footprint
    }

    /// Returns the cells of the map.
    pub const fn region(&self) -> CellRect {
        self.region
    }

    /// One bit for each anchor at which the body fits.
    pub fn fits(&self) -> &BitGrid {
        &self.fits
    }

    /// One bit for each anchor at which the body fits and stands on ground.
    pub fn ground(&self) -> &BitGrid {
        &self.surfaces.ground
    }

    /// One bit for each anchor at which the body fits and is at the ceiling.
    pub fn ceiling(&self) -> &BitGrid {
        &self.surfaces.ceiling
    }

    /// Returns `true` if the body fits with its top-left cell on `cell`.
    pub fn fits_at(&self, cell: Cell) -> bool {
        self.holds(&self.fits, cell)
    }

    /// Returns `true` if the body fits and stands on ground with its top-left cell on `cell`.
    pub fn stands_at(&self, cell: Cell) -> bool {
        self.holds(self.ground(), cell)
    }

    /// Returns `true` if no body can enter `cell`, which lies in the region.
    pub fn is_closed(&self, cell: Cell) -> bool {
        !self.holds(&self.open, cell)
    }

    /// Returns `true` if no connection joins the two anchors, jump rules aside.
    pub fn are_apart(&self, a: GridPoint, b: GridPoint) -> bool {
        let component =
            |anchor: GridPoint| self.components.component(&self.fits, anchor.index(self.fits.layout()));
        // No jump heeds edges, so components that these part are not apart.
        self.fits.edges().is_none() && component(a) != component(b)
    }

    fn holds(&self, grid: &BitGrid, cell: Cell) -> bool {
        local(self.region, cell).is_some_and(|(x, y)| grid.get(grid.layout().index(x, y)))
    }
}

#[cfg(test)]
mod tests {
    use crate::bitgrid::BitGrid;
    use crate::geometry::{Cell, Footprint};
    use crate::terrain::Terrain;
    use crate::world::World;

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
        let terrain = Terrain::from_text(
            "......
             .#....
             ......
             ....=.
             ##....",
            Cell::default(),
        );
        let mut world = World::from_terrain(terrain.unwrap());
        let layers = world.body_layers(Footprint::new(2, 2).unwrap());
        assert_eq!(drawn(layers.fits()), ["..111.", "..111.", "11111.", "..111.", "......"]);
        assert_eq!(drawn(layers.ground()), ["......", "...11.", "11....", "......", "......"]);
        assert_eq!(drawn(layers.ceiling()), ["......", "......", "11....", "......", "......"]);
    }
}
