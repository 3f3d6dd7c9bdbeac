//! The edges that a body meets, and the links that it takes: which straight steps from each placement edges
//! close, and where none of both is near.
//!
//! A straight step moves every cell of the body over a side, so it is closed where one of these sides is
//! blocked. A diagonal step leads past two corners: round each, it is two straight steps one after the other.
//! It needs one such way without a blocked edge, and what the diagonal mode asks of the corners counts for a
//! corner only where the way round it is free.
//!
//! A placement is *plain* if no link begins or ends there, and no step into or out of it, or of any placement
//! around it, can meet an edge. There steps follow from the 3×3 placements alone, so jumps pass plain
//! placements and stop at others.

use super::LayerKey;
use super::placement_links::PlacementLinks;
use crate::bitgrid::{BitGrid, GridLayout, LocalRect, PaddedIndex, WordPages};
use crate::geometry::{DiagonalMode, Direction, Side};
use crate::terrain::Terrain;

/// How far from an edge placements are not plain.
pub(crate) const EDGE_REACH: u32 = 2;

/// The edges that bodies of one kind meet, and the links that they take.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct PlacementEdges {
    /// By side: one bit a placement, whether the straight step over it is closed.
    closed: [BitGrid; 4],
    /// Steps that are closed.
    count: u64,
    /// Whether some edge is blocked one way alone.
    is_one_way: bool,
    links: PlacementLinks,
    plain: BitGrid,
}

impl PlacementEdges {
    /// Returns those of a map without blocked edges, to be repaired.
    pub(super) fn new(layout: GridLayout) -> Self {
        let closed = Side::ALL.map(|_| BitGrid::new(layout));
        let links = PlacementLinks::default();
        Self { closed, count: 0, is_one_way: false, links, plain: BitGrid::filled(layout) }
    }

    /// Takes over the map's links; returns whether they have changed.
    pub(super) fn follow_links(&mut self, terrain: &Terrain, key: LayerKey) -> bool {
        let is_stale = !self.links.is_of(terrain);
        if is_stale {
            self.links = PlacementLinks::build(terrain, key);
        }
        is_stale
    }

    /// Makes what depends on the edges and links at the cells of bodies in `rect` what it is now; returns where
    /// it has changed, at most. `word` returns where steps of a body of one cell over a side are closed, by
    /// words; `moved` says whether links have changed.
    pub(super) fn repair_in(
        &mut self,
        word: impl Fn(Side, usize) -> u64,
        (is_one_way, moved): (bool, bool),
        key: LayerKey,
        rect: LocalRect,
    ) -> Option<LocalRect> {
        self.is_one_way = is_one_way;
        let layout = self.plain.layout();
        let before = self.count_in(rect);
        let mut changed = None;
        for side in Side::ALL {
            let own = self.closed[side as usize].repair_dilated(|at| word(side, at), key.footprint, rect);
            if let Some(own) = own {
                LocalRect::join(&mut changed, own);
            }
        }
        if changed.is_some() {
            self.count = self.count + self.count_in(rect) - before;
        }
        let around = changed.map(|it| it.grown(EDGE_REACH, EDGE_REACH, EDGE_REACH, EDGE_REACH, layout));
        let around = around.into_iter().chain(moved.then_some(rect)).reduce(LocalRect::union)?;
        let Self { closed, plain, links, .. } = self;
        for y in around.y0..around.y1 {
            plain
                .write_row_words(y, around.x0..around.x1, |word| !(near(closed, word) | links.ends_in(word)));
        }
        Some(around)
    }

    /// Counts the closed steps in the rows of `rect`.
    fn count_in(&self, rect: LocalRect) -> u64 {
        let stride = self.plain.layout().stride_words();
        let rows = (rect.y0 as usize + 1) * stride..(rect.y1 as usize + 1) * stride;
        let ones = |closed: &BitGrid| -> u64 {
            rows.clone().map(|word| u64::from(closed.words()[word].count_ones())).sum()
        };
        self.closed.iter().map(ones).sum()
    }

    /// Returns whether no step is closed, and no link is taken.
    pub(super) const fn is_empty(&self) -> bool {
        self.count == 0 && self.links.is_empty()
    }

    /// Returns the placements with no edge near them, at which no link begins or ends.
    #[inline]
    pub(crate) const fn plain(&self) -> &BitGrid {
        &self.plain
    }

    /// Returns the links that these bodies take.
    #[inline]
    pub(crate) const fn links(&self) -> &PlacementLinks {
        &self.links
    }

    /// Returns whether some edge is blocked one way alone.
    pub(crate) const fn is_one_way(&self) -> bool {
        self.is_one_way
    }

    /// Returns whether the step over `side` is closed, by placement.
    #[inline]
    pub(crate) const fn closed(&self, side: Side) -> &BitGrid {
        &self.closed[side as usize]
    }

    /// Returns the words of [`PlacementEdges::closed`] for 64 placements, by side; where `arriving`, of the
    /// steps into them over that side.
    #[inline]
    pub(crate) fn closed_words(&self, word: usize, arriving: bool) -> [u64; 4] {
        if !arriving {
            return Side::ALL.map(|side| self.closed(side).words()[word]);
        }
        let stride = self.plain.layout().stride_words();
        let [left, top, right, bottom] = Side::ALL.map(|side| self.closed(side).words());
        // Nothing is closed beyond the grid.
        let at = |words: &WordPages, word: usize| if word < words.len() { words[word] } else { 0 };
        // The step into a cell over its left side is the step out of its left neighbour over the right one.
        [
            right[word] << 1 | at(right, word.wrapping_sub(1)) >> 63,
            at(bottom, word.wrapping_sub(stride)),
            left[word] >> 1 | at(left, word + 1) << 63,
            at(top, word + stride),
        ]
    }

    /// Returns where an edge lies left of a placement that is blocked for some step over it, for those of a word.
    #[inline]
    pub(crate) fn cut_left(&self, word: usize) -> u64 {
        let [left, _, right, _] = Side::ALL.map(|side| self.closed(side).words());
        let before = if word == 0 { 0 } else { right[word - 1] >> 63 };
        left[word] | right[word] << 1 | before
    }

    /// As [`PlacementEdges::cut_left`], for edges above placements.
    #[inline]
    pub(crate) fn cut_top(&self, word: usize) -> u64 {
        let above = word.checked_sub(self.plain.layout().stride_words());
        self.closed(Side::Top).words()[word]
            | above.map_or(0, |above| self.closed(Side::Bottom).words()[above])
    }

    /// Returns whether no edge is blocked, either way, that a step from the placement at `index` in `direction`
    /// or back could lead over, round either corner.
    pub(crate) fn is_clear(&self, index: PaddedIndex, direction: Direction) -> bool {
        let stride = self.plain.layout().stride();
        let at = |x: i32, y: i32| index.get().wrapping_add_signed(y as isize * stride as isize + x as isize);
        let bit = |word: u64, at: usize| word >> (at & 63) & 1 == 1;
        let is_cut_left = |at: usize| bit(self.cut_left(at >> 6), at);
        let is_cut_top = |at: usize| bit(self.cut_top(at >> 6), at);
        let (dx, dy) = (direction.dx(), direction.dy());
        // The column right of the edge between both columns, and the row below that between both rows.
        let (right, below) = (dx.max(0), dy.max(0));
        let upright = |y: i32| dx != 0 && is_cut_left(at(right, y));
        let level = |x: i32| dy != 0 && is_cut_top(at(x, below));
        !(upright(0) || level(0) || direction.is_diagonal() && (upright(dy) || level(dx)))
    }

    /// Removes the cells from the 3×3 `cells` around a placement that no step from it leads to for an edge.
    #[inline]
    pub(crate) fn steps_from(&self, cells: u32, mode: DiagonalMode, index: PaddedIndex) -> u32 {
        if self.plain.get(index) { cells } else { self.steps_beside_edges(cells, mode, index, false) }
    }

    /// As [`PlacementEdges::steps_from`], for the steps into the placement.
    #[inline]
    pub(super) fn steps_to(&self, cells: u32, mode: DiagonalMode, index: PaddedIndex) -> u32 {
        if self.plain.get(index) { cells } else { self.steps_beside_edges(cells, mode, index, true) }
    }

    /// Returns the bytes on the heap.
    pub(super) fn memory(&self) -> usize {
        self.closed.iter().map(BitGrid::memory).sum::<usize>() + self.plain.memory() + self.links.memory()
    }

    #[inline(never)]
    fn steps_beside_edges(&self, cells: u32, mode: DiagonalMode, index: PaddedIndex, arriving: bool) -> u32 {
        let stride = self.plain.layout().stride() as isize;
        // Whether a straight step in a direction is free that begins `from` the placement, or ends there.
        let is_free = |(dx, dy): (i32, i32), direction: Direction| {
            let at = |x: i32, y: i32| index.get().wrapping_add_signed(y as isize * stride + x as isize);
            let side = Side::of(direction);
            let (at, side) = if arriving {
                (at(dx + direction.dx(), dy + direction.dy()), side.map(Side::opposite))
            } else {
                (at(dx, dy), side)
            };
            side.is_none_or(|side| !self.closed(side).get(PaddedIndex::new(at)))
        };
        let is_open = |dx: i32, dy: i32| cells >> (4 + dy * 3 + dx) & 1 == 1;
        let mut legal = cells & 1 << 4;
        for direction in Direction::ALL {
            let (dx, dy) = (direction.dx(), direction.dy());
            if !is_open(dx, dy) {
                continue;
            }
            let is_legal = if direction.is_diagonal() {
                let across = Direction::towards(dx, 0);
                let along = if dy < 0 { Direction::N } else { Direction::S };
                let a = is_free((0, 0), across) && is_free((dx, 0), along);
                let b = is_free((0, 0), along) && is_free((0, dy), across);
                (a || b) && mode.allows(a && is_open(dx, 0), b && is_open(0, dy))
            } else {
                is_free((0, 0), direction)
            };
            legal |= u32::from(is_legal) << (4 + dy * 3 + dx);
        }
        legal
    }
}

/// Returns the placements of a word that are not plain.
fn near(closed: &[BitGrid; 4], word: usize) -> u64 {
    let [left, top, right, bottom] = Side::ALL.map(|side| closed[side as usize].words());
    let (stride, rows) = (closed[0].layout().stride_words(), closed[0].layout().rows());
    let row = word / stride;
    // Edges right of placements, and edges below them.
    let upright = |at: usize| right[at] | left[at] >> 1 | left[at + 1] << 63;
    let level = |at: usize| bottom[at] | if at / stride + 1 < rows { top[at + stride] } else { 0 };
    let any = |edge: &dyn Fn(usize) -> u64, last: usize| {
        let reach = EDGE_REACH as usize;
        (row.saturating_sub(reach)..=(row + last).min(rows - 1)).fold([0; 3], |[before, own, behind], row| {
            let at = row * stride + word % stride;
            [
                before | if at > 0 { edge(at - 1) } else { 0 },
                own | edge(at),
                behind | if at + 1 < rows * stride { edge(at + 1) } else { 0 },
            ]
        })
    };
    let spread = |[before, own, behind]: [u64; 3]| {
        (own | own << 1 | own << 2 | own >> 1) | (before >> 63 | before >> 62) | behind << 63
    };
    let uprights = any(&upright, 2);
    let levels = any(&level, 1);
    spread(uprights) | spread(levels) | levels[1] >> 2 | levels[2] << 62
}
