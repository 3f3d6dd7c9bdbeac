//! Which stands of a layer can reach each other, chunk by chunk.
//!
//! A *chunk* is a block of 64×64 padded cells, so that a row of a chunk is one word. Within a chunk, the runs of each
//! row are joined into *components*; between chunks, components that touch are listed as *links*. A *region* is what a
//! union–find over all links makes of the components that touch a side of their chunk, or one of the others by itself. An
//! edit rebuilds the components of its chunks and their links to neighbours. Where those are what they were, as most
//! edits leave them, that is all; otherwise the union–find is made anew, whose size is that of the small graph, not of the
//! map.
//!
//! Where diagonal steps need an open corner, the regions of a layer are exactly its 4-connected parts, since such a step
//! can be walked around its open corner. Only [`DiagonalMode::Always`] joins cells diagonally.

mod chunk;
mod nearest;
mod union_find;

pub use nearest::{AnyStand, FarRect, StandFilter, nearest_stands};

use std::sync::Arc;

use crate::bitgrid::{BitGrid, LocalRect, PaddedIndex};
use crate::geometry::DiagonalMode;
use chunk::{CHUNK_SIDE, Chunk, INNER};
use union_find::UnionFind;

/// The name of a set of stands that can reach each other; comparable within one state of one [`Regions`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RegionId(u32);

impl RegionId {
    /// Its number, below [`Regions::count`].
    pub const fn number(self) -> u32 {
        self.0
    }
}

/// A chunk's neighbours that it keeps its links to: to the right, and the three below.
const LINK_SIDES: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

/// Pairs of components, by the side that the second one lies at.
type Links = [Vec<(u16, u16)>; 4];

/// The connected regions of one layer.
#[derive(Clone, Debug)]
pub struct Regions {
    /// Whether cells that touch at a corner are connected.
    diagonal: bool,
    columns: usize,
    rows: usize,
    /// By rows, so that a clone shares those that neither has changed since.
    chunks: Vec<Arc<[Chunk]>>,
    /// For each chunk, pairs of a component of it and one of the neighbour at each of [`LINK_SIDES`]; by rows, too.
    links: Vec<Arc<[Links]>>,
    /// The number of the first outer component of each chunk, and behind the last chunk the number of all.
    first_outer: Vec<u32>,
    /// The number of each outer component's region.
    region: Arc<Vec<u32>>,
    /// Number of regions that have outer components. Those of inner components are counted behind them.
    outer_count: u32,
    /// The number of the first inner component of each chunk, and behind the last chunk the number of all.
    first_inner: Vec<u32>,
    /// Memory for links that are looked for.
    fresh_links: Vec<(u16, u16)>,
}

impl Regions {
    /// Finds the regions of `layer` for bodies that move by `mode`.
    ///
    /// Takes a pass over the words and one over the runs of ones in them.
    pub fn build(layer: &BitGrid, mode: DiagonalMode) -> Self {
        let shape = layer.shape();
        let (columns, rows) = (shape.stride_words(), shape.rows().div_ceil(CHUNK_SIDE));
        let places = || (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        let diagonal = mode.joins_diagonally();
        let chunks_of = |row: usize| -> Arc<[Chunk]> {
            (0..columns).map(|column| Chunk::build(layer, column, row, diagonal)).collect()
        };
        let chunks: Vec<_> = (0..rows).map(chunks_of).collect();
        let mut regions = Self {
            diagonal,
            columns,
            rows,
            first_inner: running_sum(flat(&chunks).map(Chunk::inner_count)),
            links: (0..rows).map(|_| (0..columns).map(|_| Links::default()).collect()).collect(),
            chunks,
            first_outer: Vec::new(),
            region: Arc::default(),
            outer_count: 0,
            fresh_links: Vec::new(),
        };
        for place in places() {
            for side in 0..LINK_SIDES.len() {
                regions.renew_links(layer, place, side);
            }
        }
        regions.renew_regions();
        regions
    }

    /// Brings the regions up to date after the bits of `layer` in `rect` changed. The result equals [`Regions::build`].
    ///
    /// Takes time in proportion to the chunks that `rect` touches, and where the links between chunks are others then, to
    /// the number of all links and components that touch a side of their chunk.
    pub fn repair(&mut self, layer: &BitGrid, rect: LocalRect) {
        self.repair_all(layer, &[rect]);
    }

    /// As [`Regions::repair`] for all of `rects`, at the price of one for what they share.
    pub fn repair_all(&mut self, layer: &BitGrid, rects: &[LocalRect]) {
        let mut stale = Vec::new();
        for rect in rects {
            let columns = (rect.x0 as usize + 1) / CHUNK_SIDE..=rect.x1 as usize / CHUNK_SIDE;
            for row in (rect.y0 as usize + 1) / CHUNK_SIDE..=rect.y1 as usize / CHUNK_SIDE {
                stale.extend(columns.clone().map(|column| row * self.columns + column));
            }
        }
        stale.sort_unstable();
        stale.dedup();
        self.renew(layer, &stale);
    }

    /// The region that the stand at `index` lies in; `None` where the body cannot stand. Takes constant time.
    #[inline]
    pub fn region(&self, layer: &BitGrid, index: PaddedIndex) -> Option<RegionId> {
        let word = layer.words()[index.word()];
        if word >> index.bit() & 1 == 0 {
            return None;
        }
        let (row, column) = (index.word() / self.columns, index.word() % self.columns);
        let chunk = row / CHUNK_SIDE * self.columns + column;
        let component = self.chunks[row / CHUNK_SIDE][column].component(word, row % CHUNK_SIDE, index.bit());
        Some(RegionId(if component & INNER == 0 {
            self.region[self.first_outer[chunk] as usize + usize::from(component)]
        } else {
            self.outer_count + self.first_inner[chunk] + u32::from(component & !INNER)
        }))
    }

    /// Number of regions.
    pub fn count(&self) -> u32 {
        self.outer_count + self.first_inner[self.columns * self.rows]
    }

    /// A filter that admits the stands of `region`, for [`nearest_stands`]. Takes time in proportion to the number of
    /// components.
    pub fn members<'a>(&'a self, layer: &'a BitGrid, region: RegionId) -> impl StandFilter + 'a {
        let chunk_has_some =
            (0..self.columns * self.rows).map(|chunk| self.has_some(chunk, region)).collect();
        Members { regions: self, layer, region, chunk_has_some }
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let links = flat(&self.links).flatten().map(|l| l.capacity() * 4 + size_of_val(l)).sum::<usize>();
        let numbers = self.first_outer.len() + self.region.len() + self.first_inner.len();
        flat(&self.chunks).map(Chunk::memory).sum::<usize>() + links + numbers * size_of::<u32>()
    }

    /// Whether everything is what a build of `layer` would make of it.
    pub fn check_invariants(&self, layer: &BitGrid) -> bool {
        let mode = if self.diagonal { DiagonalMode::Always } else { DiagonalMode::Never };
        let fresh = Self::build(layer, mode);
        (&self.chunks, &self.links, &self.region, &self.first_outer, &self.first_inner, self.outer_count)
            == (
                &fresh.chunks,
                &fresh.links,
                &fresh.region,
                &fresh.first_outer,
                &fresh.first_inner,
                fresh.outer_count,
            )
    }

    /// Whether some component of a chunk belongs to `region`.
    fn has_some(&self, chunk: usize, RegionId(region): RegionId) -> bool {
        if let Some(inner) = region.checked_sub(self.outer_count) {
            return (self.first_inner[chunk]..self.first_inner[chunk + 1]).contains(&inner);
        }
        self.region[self.first_outer[chunk] as usize..self.first_outer[chunk + 1] as usize].contains(&region)
    }

    /// Makes the chunks of `stale`, which ascend, and what hangs on them anew.
    fn renew(&mut self, layer: &BitGrid, stale: &[usize]) {
        let mut changed = false;
        let mut unlinked = Vec::with_capacity(stale.len() * 2 * LINK_SIDES.len());
        for &chunk in stale {
            let (column, row) = (chunk % self.columns, chunk / self.columns);
            let fresh = Chunk::build(layer, column, row, self.diagonal);
            let place = &mut Arc::make_mut(&mut self.chunks[row])[column];
            let old = std::mem::replace(place, fresh);
            let fresh = &*place;
            changed |= fresh.outer_count() != old.outer_count();
            let more = u32::from(fresh.inner_count()).wrapping_sub(u32::from(old.inner_count()));
            if more != 0 {
                self.first_inner[chunk + 1..].iter_mut().for_each(|first| *first = first.wrapping_add(more));
            }
            // Links lead right and down, so those of chunks to the left and above that lead here change too.
            for (side, (dx, dy)) in LINK_SIDES.into_iter().enumerate() {
                unlinked.push((chunk, side));
                let (from_column, from_row) = (column.checked_add_signed(-dx), row.checked_add_signed(-dy));
                if let (Some(column), Some(row)) = (from_column.filter(|&c| c < self.columns), from_row) {
                    unlinked.push((row * self.columns + column, side));
                }
            }
        }
        unlinked.sort_unstable();
        unlinked.dedup();
        for (chunk, side) in unlinked {
            changed |= self.renew_links(layer, (chunk % self.columns, chunk / self.columns), side);
        }
        if changed {
            self.renew_regions();
        }
    }

    /// Finds the links of the chunk at `place` to its neighbour at `side` again; returns whether they are others than before.
    fn renew_links(&mut self, layer: &BitGrid, place: (usize, usize), side: usize) -> bool {
        let (dx, dy) = LINK_SIDES[side];
        let (column, row) = place;
        let (to_column, to_row) = (column.checked_add_signed(dx), row + dy.unsigned_abs());
        let is_corner = dx != 0 && dy != 0;
        let Some(to_column) = to_column.filter(|&c| c < self.columns && to_row < self.rows) else {
            return false;
        };
        if is_corner && !self.diagonal {
            return false;
        }
        let (a, b) = (&self.chunks[row][column], &self.chunks[to_row][to_column]);
        self.fresh_links.clear();
        chunk::link(layer, a, place, b, (dx, dy), self.diagonal, &mut self.fresh_links);
        self.fresh_links.sort_unstable();
        self.fresh_links.dedup();
        let changed = self.links[row][column][side] != self.fresh_links;
        if changed {
            Arc::make_mut(&mut self.links[row])[column][side].clone_from(&self.fresh_links);
        }
        changed
    }

    fn renew_regions(&mut self) {
        self.first_outer = running_sum(flat(&self.chunks).map(Chunk::outer_count));
        // Where a clone has the old numbers too, they stay as they are.
        let mut region = Arc::try_unwrap(std::mem::take(&mut self.region)).unwrap_or_default();
        region.clear();
        region.extend(0..self.first_outer[self.columns * self.rows]);
        let mut sets = UnionFind { parent: &mut region };
        for (here, links) in flat(&self.links).enumerate() {
            for (links, (dx, dy)) in links.iter().zip(LINK_SIDES) {
                if links.is_empty() {
                    continue;
                }
                let there = here.wrapping_add_signed(dy * self.columns as isize + dx);
                let (first_here, first_there) = (self.first_outer[here], self.first_outer[there]);
                for &(a, b) in links {
                    sets.join(first_here + u32::from(a), first_there + u32::from(b));
                }
            }
        }
        self.outer_count = sets.name_sets();
        self.region = Arc::new(region);
    }
}

/// All elements of all rows.
fn flat<T>(rows: &[Arc<[T]>]) -> impl Iterator<Item = &T> {
    rows.iter().flat_map(|row| row.iter())
}

/// The sum of all that come before each count, and behind them that of all.
fn running_sum(counts: impl Iterator<Item = u16>) -> Vec<u32> {
    let mut sums = vec![0];
    for count in counts {
        sums.push(sums[sums.len() - 1] + u32::from(count));
    }
    sums
}

struct Members<'a> {
    regions: &'a Regions,
    layer: &'a BitGrid,
    region: RegionId,
    chunk_has_some: Vec<bool>,
}

impl StandFilter for Members<'_> {
    fn admits_word(&self, word: usize) -> bool {
        let columns = self.regions.columns;
        self.chunk_has_some[word / columns / CHUNK_SIDE * columns + word % columns]
    }

    fn admits(&self, index: PaddedIndex) -> bool {
        self.regions.region(self.layer, index) == Some(self.region)
    }
}

#[cfg(test)]
mod tests;
