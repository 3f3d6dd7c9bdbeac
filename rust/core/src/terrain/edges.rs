//! Edges between cells: thin walls, fences, ledges and the doors in them.
//!
//! An edge is two bits, one for the step over it from either side, each kept with the cell that the step
//! leaves. Blocked both ways, it is a thin wall; blocked one way, a ledge. Bodies of every kind heed it.

use std::ops::Range;
use std::sync::Arc;

use super::{Change, EditError, Terrain};
use crate::bitgrid::{BitGrid, GridLayout, LocalRect, local, span_mask};
use crate::geometry::{Cell, CellRect, Side};

/// The edges of a map: for each side, one bit a cell that says whether the step out of it over that side is
/// blocked.
#[derive(Clone, Debug)]
pub(crate) struct Edges {
    blocked: [BitGrid; 4],
    /// Steps that are blocked.
    count: u64,
    /// Edges that are blocked one way alone.
    one_way: u64,
}

impl Edges {
    fn new(layout: GridLayout) -> Self {
        Self { blocked: Side::ALL.map(|_| BitGrid::new(layout)), count: 0, one_way: 0 }
    }

    /// Returns where the step over `side` is blocked, one bit a cell.
    #[inline]
    pub(crate) const fn blocked(&self, side: Side) -> &BitGrid {
        &self.blocked[side as usize]
    }

    const fn blocked_mut(&mut self, side: Side) -> &mut BitGrid {
        &mut self.blocked[side as usize]
    }

    /// Returns whether some edge is blocked one way alone.
    pub(crate) const fn is_one_way(&self) -> bool {
        self.one_way > 0
    }

    /// Returns the bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        self.blocked.iter().map(BitGrid::memory).sum()
    }

    /// Returns one bit for each side, by its number, over which the step out of a cell is blocked.
    fn sides(&self, x: u32, y: u32) -> u8 {
        Side::ALL
            .into_iter()
            .fold(0, |sides, side| sides | u8::from(self.blocked(side).at(x, y)) << side as u8)
    }
}

/// Counts the steps out of cells of some rows that are blocked, and the edges right of and below these cells
/// that are blocked one way alone.
fn counts_in(blocked: &[BitGrid; 4], rows: Range<u32>) -> (u64, u64) {
    let layout = blocked[0].layout();
    let stride = layout.stride_words();
    let [left, top, right, bottom] = Side::ALL.map(|side| blocked[side as usize].words());
    let (mut count, mut one_way) = (0, 0);
    for y in rows {
        let first = layout.index(0, y).get();
        // No cell lies right of the last column, or below the last row.
        let last = first + layout.width() as usize - 1;
        for word in first >> 6..=last >> 6 {
            count += [left, top, right, bottom].iter().map(|words| words[word].count_ones()).sum::<u32>();
            let inner = if word << 6 < last { span_mask(word, first, last) } else { 0 };
            let upright = (right[word] ^ (left[word] >> 1 | left[word + 1] << 63)) & inner;
            let level = if y + 1 < layout.height() { bottom[word] ^ top[word + stride] } else { 0 };
            one_way += upright.count_ones() + level.count_ones();
        }
    }
    (u64::from(count), u64::from(one_way))
}

/// Returns the cells beyond `side` of those in `rect`, as far as the map reaches.
fn beyond(rect: LocalRect, side: Side, layout: GridLayout) -> Option<LocalRect> {
    let moved = match side {
        Side::Left => LocalRect { x0: rect.x0.saturating_sub(1), x1: rect.x1 - 1, ..rect },
        Side::Top => LocalRect { y0: rect.y0.saturating_sub(1), y1: rect.y1 - 1, ..rect },
        Side::Right => LocalRect { x0: rect.x0 + 1, x1: (rect.x1 + 1).min(layout.width()), ..rect },
        Side::Bottom => LocalRect { y0: rect.y0 + 1, y1: (rect.y1 + 1).min(layout.height()), ..rect },
    };
    (moved.x0 < moved.x1 && moved.y0 < moved.y1).then_some(moved)
}

/// Returns the cells of `rect` at one of its sides.
pub(super) const fn rim(rect: CellRect, side: Side) -> CellRect {
    match side {
        Side::Left => CellRect { w: 1, ..rect },
        Side::Top => CellRect { h: 1, ..rect },
        Side::Right => CellRect { x: rect.x.saturating_add(rect.w - 1), w: 1, ..rect },
        Side::Bottom => CellRect { y: rect.y.saturating_add(rect.h - 1), h: 1, ..rect },
    }
}

impl Terrain {
    /// Returns the edges; `None` while none is blocked.
    pub(crate) fn edges(&self) -> Option<&Edges> {
        self.edges.as_deref().filter(|edges| edges.count > 0)
    }

    /// Returns whether some edge is blocked.
    pub fn has_edges(&self) -> bool {
        self.edges().is_some()
    }

    /// Returns whether the step out of `cell` over `side` is blocked by an edge; `false` outside the region.
    pub fn is_edge_blocked(&self, cell: Cell, side: Side) -> bool {
        self.edges().zip(local(self.region, cell)).is_some_and(|(edges, (x, y))| edges.blocked(side).at(x, y))
    }

    /// Returns one bit for each side, by its number, over which the step out of `cell` is blocked.
    pub(super) fn sides_blocked(&self, cell: Cell) -> u8 {
        self.edges().zip(local(self.region, cell)).map_or(0, |(edges, (x, y))| edges.sides(x, y))
    }

    /// Blocks or opens the edges at one side of each cell of `rect`; where `one_way`, only for steps out of
    /// these cells. Returns the smallest rectangle of cells that a step out of changed, if any did. Cells outside
    /// the region are left out.
    pub fn fill_edges(
        &mut self,
        rect: CellRect,
        side: Side,
        blocked: bool,
        one_way: bool,
    ) -> Option<CellRect> {
        let own = LocalRect::within(self.region, rect)?;
        if self.edges.is_none() && !blocked {
            return None;
        }
        let changed = self.edit_edges(|edges, layout| {
            let changed = edges.blocked_mut(side).fill(own, blocked);
            let other = beyond(own, side, layout).filter(|_| !one_way);
            let other = other.and_then(|other| edges.blocked_mut(side.opposite()).fill(other, blocked));
            [changed, other].into_iter().flatten().reduce(LocalRect::union)
        });
        changed.map(|changed| self.changed(changed, Change::EDGE))
    }

    /// Blocks or opens all edges between `rect` and the cells around it; where `one_way`, only for steps out of
    /// `rect`. Returns the smallest rectangle of cells that a step out of changed, if any did.
    pub fn fill_edge_outline(&mut self, rect: CellRect, blocked: bool, one_way: bool) -> Option<CellRect> {
        if rect.is_empty() {
            return None;
        }
        let changed =
            Side::ALL.into_iter().filter_map(|side| self.fill_edges(rim(rect, side), side, blocked, one_way));
        changed.reduce(CellRect::union)
    }

    /// Opens the edges for all steps out of cells of `rect`, as far as it lies in the map.
    pub(crate) fn open_steps_out_of(&mut self, rect: CellRect) {
        for side in Side::ALL {
            self.fill_edges(rect, side, false, true);
        }
    }

    /// Returns one byte a cell, row by row. Bit n, counted from the lowest, is for the side with number n: 1
    /// where the step out of the cell over that side is blocked.
    pub fn edge_data(&self) -> Vec<u8> {
        let places = self.layout.all().places();
        self.edges().map_or_else(
            || vec![0; self.layout.cells()],
            |edges| places.map(|(x, y)| edges.sides(x, y)).collect(),
        )
    }

    /// Replaces all edges by those of `data`, in the form of [`Terrain::edge_data`]; returns the smallest
    /// rectangle of cells that changed.
    ///
    /// # Errors
    /// When the length is not the number of cells, or a byte has other bits than those of the four sides.
    pub fn set_edge_data(&mut self, data: &[u8]) -> Result<Option<CellRect>, EditError> {
        self.check_length(data.len())?;
        if let Some(&sides) = data.iter().find(|&&sides| sides >> 4 != 0) {
            return Err(EditError::BadEdges { sides });
        }
        Ok(self.replace_edges(data))
    }

    /// As [`Terrain::set_edge_data`], with `data` known to be right.
    pub(super) fn replace_edges(&mut self, data: &[u8]) -> Option<CellRect> {
        if self.edges.is_none() && data.iter().all(|&sides| sides == 0) {
            return None;
        }
        let changed = self.edit_edges(|edges, layout| {
            let width = layout.width() as usize;
            let changed = Side::ALL.into_iter().filter_map(|side| {
                let is_blocked =
                    |x: u32, y: u32| data[y as usize * width + x as usize] >> side as u8 & 1 == 1;
                edges.blocked_mut(side).rewrite(layout.all(), is_blocked)
            });
            changed.reduce(LocalRect::union)
        });
        changed.map(|changed| self.changed(changed, Change::EDGE))
    }

    /// Opens all edges of the map; returns the smallest rectangle of cells that a step out of changed.
    pub(super) fn open_edges(&mut self) -> Option<LocalRect> {
        self.edges.as_ref()?;
        self.edit_edges(|edges, layout| {
            let opened = edges.blocked.iter_mut().filter_map(|blocked| blocked.fill(layout.all(), false));
            opened.reduce(LocalRect::union)
        })
    }

    /// Copies the edges at the cells of `from` in `part` to those of `to`, which is as large; returns the
    /// smallest rectangle of cells that a step out of changed. An edge at the rim of `to` is for both ways
    /// what `part` has for the way out.
    pub(super) fn paste_edges(&mut self, part: &Self, from: LocalRect, to: LocalRect) -> Option<LocalRect> {
        if self.edges.is_none() && part.edges().is_none() {
            return None;
        }
        let source = part.edges.as_ref();
        let (dx, dy) = (from.x0.wrapping_sub(to.x0), from.y0.wrapping_sub(to.y0));
        self.edit_edges(|edges, layout| {
            let mut changed = None;
            for side in Side::ALL {
                let blocked = |x: u32, y: u32| {
                    let at =
                        |source: &Arc<Edges>| source.blocked(side).at(x.wrapping_add(dx), y.wrapping_add(dy));
                    source.is_some_and(at)
                };
                let own = edges.blocked_mut(side).rewrite(to, blocked);
                let rim = match side {
                    Side::Left => LocalRect { x1: to.x0 + 1, ..to },
                    Side::Top => LocalRect { y1: to.y0 + 1, ..to },
                    Side::Right => LocalRect { x0: to.x1 - 1, ..to },
                    Side::Bottom => LocalRect { y0: to.y1 - 1, ..to },
                };
                let outside = beyond(rim, side, layout).and_then(|outside| {
                    let (dx, dy) = (side.direction().dx(), side.direction().dy());
                    let inner =
                        |x: u32, y: u32| blocked(x.wrapping_add_signed(-dx), y.wrapping_add_signed(-dy));
                    edges.blocked_mut(side.opposite()).rewrite(outside, inner)
                });
                [own, outside].into_iter().flatten().for_each(|rect| LocalRect::join(&mut changed, rect));
            }
            changed
        })
    }

    /// Changes edges, and what is counted of them; `edit` returns where they have changed.
    fn edit_edges(
        &mut self,
        edit: impl FnOnce(&mut Edges, GridLayout) -> Option<LocalRect>,
    ) -> Option<LocalRect> {
        let layout = self.layout;
        let edges = Arc::make_mut(self.edges.get_or_insert_with(|| Arc::new(Edges::new(layout))));
        let before = edges.blocked.clone();
        let changed = edit(edges, layout)?;
        // An edge lies between two rows.
        let rows = || changed.y0.saturating_sub(1)..changed.y1;
        let (was, is) = (counts_in(&before, rows()), counts_in(&edges.blocked, rows()));
        (edges.count, edges.one_way) = (edges.count + is.0 - was.0, edges.one_way + is.1 - was.1);
        Some(changed)
    }
}
