//! Where a body fits, which steps between its placements edges close and which links add; the transpose of
//! such a grid. Both as they are derived from the terrain.

use std::ops::Deref;
use std::sync::Arc;

use smallvec::SmallVec;

use super::LayerKey;
use super::open_cells::{anchors_touching, open_grid_past, repair_open_grid};
use super::placement_edges::PlacementEdges;
use super::placement_links::{LinkStep, PlacementLinks};
use crate::bitgrid::{BitGrid, GridLayout, LocalRect, PaddedIndex, Wall};
use crate::derived::{Derived, Rects};
use crate::geometry::{DiagonalMode, Footprint, Side};
use crate::pages::Log;
use crate::terrain::{Change, Edges, Terrain};

/// The placements of a body, one bit a cell, the edges that steps between them cross, and its links.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Placements {
    fits: BitGrid,
    /// `None` while the map has none for these bodies.
    edges: Option<Arc<PlacementEdges>>,
}

impl Deref for Placements {
    type Target = BitGrid;

    fn deref(&self) -> &BitGrid {
        &self.fits
    }
}

/// Placements on a map without edges.
impl From<BitGrid> for Placements {
    fn from(fits: BitGrid) -> Self {
        Self { fits, edges: None }
    }
}

impl Placements {
    /// Returns the edges and links; `None` while the map has neither.
    #[inline]
    pub(crate) const fn edges(&self) -> Option<&Arc<PlacementEdges>> {
        self.edges.as_ref()
    }

    /// Returns whether the map has edges or links.
    pub const fn has_edges(&self) -> bool {
        self.edges.is_some()
    }

    /// Returns whether the edge at a side of a placement is blocked both ways.
    pub(crate) fn has_wall(&self, index: PaddedIndex, side: Side) -> bool {
        let direction = side.direction();
        let offset = direction.dy() as isize * self.layout().stride() as isize + direction.dx() as isize;
        let beyond = PaddedIndex::new(index.get().wrapping_add_signed(offset));
        self.edges
            .as_ref()
            .is_some_and(|edges| edges.closed(side).get(index) && edges.closed(side.opposite()).get(beyond))
    }

    /// Returns the links that the bodies take; `None` while they take none.
    #[inline]
    pub(crate) fn links(&self) -> Option<&PlacementLinks> {
        self.edges.as_ref().map(|edges| edges.links()).filter(|links| !links.is_empty())
    }

    /// Returns the steps over links from a placement, those to valid ones; none if it is not valid.
    #[inline]
    pub(crate) fn links_from(&self, index: usize) -> impl Iterator<Item = &LinkStep> {
        let at = PaddedIndex::new(index);
        let links = self.links().filter(|_| !self.is_plain(at) && self.fits.get(at));
        let steps = links.map_or(&[][..], |links| links.from(index as u32));
        steps.iter().filter(|step| self.fits.get(PaddedIndex::new(step.to as usize)))
    }

    /// Returns the steps over links to a placement, valid or not, those from valid ones.
    #[inline]
    pub(crate) fn links_to(&self, index: usize) -> impl Iterator<Item = &LinkStep> {
        let links = self.links().filter(|_| !self.is_plain(PaddedIndex::new(index)));
        let steps = links.map_or(&[][..], |links| links.to(index as u32));
        steps.iter().filter(|step| self.fits.get(PaddedIndex::new(step.from as usize)))
    }

    /// Returns whether no edge is near a placement, and no link begins or ends there.
    #[inline]
    pub(crate) fn is_plain(&self, index: PaddedIndex) -> bool {
        self.edges.as_ref().is_none_or(|edges| edges.plain().get(index))
    }

    /// Returns whether edges may be blocked one way alone.
    pub(crate) fn is_one_way(&self) -> bool {
        self.edges.as_ref().is_some_and(|edges| edges.is_one_way())
    }

    /// Returns the 3×3 bits around a placement, as [`BitGrid::neighbourhood`], without the cells that no step
    /// leads to for an edge: the steps that are legal by these bits are legal.
    #[inline]
    pub(crate) fn steps_from(&self, mode: DiagonalMode, index: PaddedIndex) -> u32 {
        let cells = self.fits.neighbourhood(index);
        match &self.edges {
            None => cells,
            Some(edges) => edges.steps_from(cells, mode, index),
        }
    }

    /// As [`Placements::steps_from`], for the steps that lead to the placement.
    #[inline]
    pub(crate) fn steps_to(&self, mode: DiagonalMode, index: PaddedIndex) -> u32 {
        let cells = self.fits.neighbourhood(index);
        match &self.edges {
            None => cells,
            Some(edges) => edges.steps_to(cells, mode, index),
        }
    }

    /// Makes the bits of `rect` what they are for the placements of a body of one cell, for one query; adds
    /// the words that change to `log`.
    pub(crate) fn repair_noted(
        &mut self,
        open: &Self,
        footprint: Footprint,
        rect: LocalRect,
        log: &mut Log<u64>,
    ) {
        with_walls(open.edges.as_deref(), footprint, |walls| {
            self.fits.erode_noted(&open.fits, footprint, walls, rect, log);
        });
    }

    /// Makes the bits of `rect` what they are for the placements of a body of one cell.
    pub(crate) fn repair_eroded(
        &mut self,
        open: &Self,
        footprint: Footprint,
        rect: LocalRect,
    ) -> Option<LocalRect> {
        with_walls(open.edges.as_deref(), footprint, |walls| {
            self.fits.repair_eroded(&open.fits, footprint, walls, rect)
        })
    }

    /// The edges and links, to be repaired.
    fn edges_mut(&mut self, layout: GridLayout) -> &mut PlacementEdges {
        Arc::make_mut(self.edges.get_or_insert_with(|| Arc::new(PlacementEdges::new(layout))))
    }

    /// The bits alone, to be changed for one query.
    pub(crate) const fn bits_mut(&mut self) -> &mut BitGrid {
        &mut self.fits
    }
}

/// Made from open cells, edges and heights for a body of one cell, else eroded from the placements of such a
/// body. No body stands across an edge that is closed both ways.
impl Derived for Placements {
    type Source<'a> = (&'a Terrain, Option<&'a Self>);
    type Kind = LayerKey;

    fn build((terrain, open): Self::Source<'_>, key: LayerKey) -> Self {
        if meets_edges((terrain, open), key) {
            let mut placements = Self::from(BitGrid::new(terrain.layout()));
            placements.repair_in((terrain, open), key, terrain.layout().all());
            return placements;
        }
        Self::from(open.map_or_else(
            || open_grid_past(terrain, key.capability, &key.ignored_obstacles),
            |open| open.fits.eroded(key.footprint),
        ))
    }

    fn repair_in(
        &mut self,
        (terrain, open): Self::Source<'_>,
        key: LayerKey,
        rect: LocalRect,
    ) -> Option<LocalRect> {
        self.repair((terrain, open), key, &[rect]).into_iter().reduce(LocalRect::union)
    }

    fn repair(&mut self, (terrain, open): Self::Source<'_>, key: LayerKey, rects: &[LocalRect]) -> Rects {
        let LayerKey { footprint, capability, ignored_obstacles, climb } = key;
        let (layout, steep) = (terrain.layout(), terrain.steep_steps(climb));
        let meets_edges = meets_edges((terrain, open), key);
        // Where a body of one cell meets edges.
        let word = |side: Side, word: usize| match open {
            Some(open) => open.edges().map_or(0, |edges| edges.closed(side).words()[word]),
            None => {
                terrain.edges().map_or(0, |edges| edges.blocked(side).words()[word])
                    | steep.as_ref().map_or(0, |steep| steep.word(side, word, layout))
            }
        };
        let moved = meets_edges || self.edges.is_some();
        let moved = moved && self.edges_mut(layout).follow_links(terrain, key);
        // Heights close edges both ways.
        let is_one_way = terrain.edges().is_some_and(Edges::is_one_way);
        let mut all = Rects::new();
        for &rect in rects {
            let changed = match open {
                Some(open) => self.repair_eroded(open, footprint, rect),
                None => repair_open_grid(&mut self.fits, terrain, capability, &ignored_obstacles, rect),
            };
            // The last edge may be opened now.
            let around = (meets_edges || self.edges.is_some())
                .then(|| self.edges_mut(layout).repair_in(word, (is_one_way, moved), key, rect));
            all.extend(changed.into_iter().chain(around.flatten()).reduce(LocalRect::union));
        }
        // Heights may close nothing. A larger body has edges where one of a single cell has some.
        let has_some = |edges: &Arc<PlacementEdges>| open.is_some() || !edges.is_empty();
        self.edges = self.edges.take().filter(|edges| meets_edges && has_some(edges));
        all
    }

    fn is_concerned_by(change: Change, key: LayerKey) -> bool {
        change.opens_or_closes_for(key.climb)
    }

    fn touched_by(rect: LocalRect, key: LayerKey, layout: GridLayout) -> LocalRect {
        anchors_touching(rect, key.footprint, layout)
    }

    fn memory(&self) -> usize {
        self.fits.memory() + self.edges.as_ref().map_or(0, |edges| edges.memory())
    }
}

/// Returns whether bodies of `key` may meet edges or links; `open` are the placements of a body of one cell, for a
/// larger one.
fn meets_edges((terrain, open): (&Terrain, Option<&Placements>), key: LayerKey) -> bool {
    match open {
        Some(open) => open.has_edges(),
        None => {
            terrain.has_edges() || terrain.link_table().is_some() || terrain.steep_steps(key.climb).is_some()
        }
    }
}

/// Calls `work` with the edges that are closed both ways to a body of one cell, which a body of `footprint`
/// must not stand across.
fn with_walls<T>(
    edges: Option<&PlacementEdges>,
    footprint: Footprint,
    work: impl FnOnce(&[Wall<'_>]) -> T,
) -> T {
    let Some(edges) = edges else { return work(&[]) };
    let [left, top, right, bottom] = Side::ALL.map(|side| edges.closed(side).words());
    let stride = edges.closed(Side::Top).layout().stride_words();
    let upright = |word: usize| right[word] & (left[word] >> 1 | left[word + 1] << 63);
    // No edge lies below the last row, behind which there is no other.
    let level = |word: usize| if bottom[word] == 0 { 0 } else { bottom[word] & top[word + stride] };
    let (w, h) = (i64::from(footprint.w()), i64::from(footprint.h()));
    let inner =
        [(Footprint::new(w - 1, h), &upright as &dyn Fn(usize) -> u64), (Footprint::new(w, h - 1), &level)];
    // A body of a single column or row has no edge inside of it that way.
    let walls: SmallVec<[Wall<'_>; 2]> =
        inner.into_iter().filter_map(|(cells, word)| Some((cells.ok()?, word))).collect();
    work(&walls)
}

/// Placements with rows and columns exchanged, so that scans along a column run along words, too.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transpose(pub BitGrid);

impl Derived for Transpose {
    type Source<'a> = &'a Placements;
    type Kind = ();

    fn build(placements: &Placements, (): ()) -> Self {
        Self(placements.transposed())
    }

    fn repair_in(&mut self, placements: &Placements, (): (), rect: LocalRect) -> Option<LocalRect> {
        placements.repair_transpose(&mut self.0, rect);
        // Which bits differ is not known: `rect` is where they can.
        Some(rect)
    }

    fn memory(&self) -> usize {
        self.0.memory()
    }
}
