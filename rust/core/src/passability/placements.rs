//! The placements of bodies and their transpose, as they are derived from the terrain.

use super::LayerKey;
use super::open_cells::{anchors_touching, open_grid_past, repair_open_grid};
use crate::bitgrid::{BitGrid, GridLayout, LocalRect};
use crate::derived::Derived;
use crate::terrain::Terrain;

/// The placements of a body: made from the open cells for one of a single cell, else eroded from the
/// placements of such a one.
impl Derived for BitGrid {
    type Source<'a> = (&'a Terrain, Option<&'a BitGrid>);
    type Kind = LayerKey;

    fn build((terrain, open): Self::Source<'_>, key: LayerKey) -> Self {
        open.map_or_else(
            || open_grid_past(terrain, key.capability, &key.ignored_obstacles),
            |open| open.eroded(key.footprint),
        )
    }

    fn repair_in(
        &mut self,
        (terrain, open): Self::Source<'_>,
        key: LayerKey,
        rect: LocalRect,
    ) -> Option<LocalRect> {
        match open {
            Some(open) => self.repair_eroded(open, key.footprint, rect),
            None => repair_open_grid(self, terrain, key.capability, &key.ignored_obstacles, rect),
        }
    }

    fn touched_by(rect: LocalRect, key: LayerKey, layout: GridLayout) -> LocalRect {
        anchors_touching(rect, key.footprint, layout)
    }

    fn memory(&self) -> usize {
        self.memory()
    }
}

/// Placements with rows and columns exchanged, so that scans along a column run along words, too.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transpose(pub BitGrid);

impl Derived for Transpose {
    type Source<'a> = &'a BitGrid;
    type Kind = ();

    fn build(placements: &BitGrid, (): ()) -> Self {
        Self(placements.transposed())
    }

    fn repair_in(&mut self, placements: &BitGrid, (): (), rect: LocalRect) -> Option<LocalRect> {
        placements.repair_transpose(&mut self.0, rect);
        // Which bits differ is not known: `rect` is where they can.
        Some(rect)
    }

    fn memory(&self) -> usize {
        self.0.memory()
    }
}
