//! Which stands of a layer can reach each other, chunk by chunk.
//!
//! A *chunk* is a block of 64×64 padded cells, so that a row of a chunk is one word. Within a chunk, the runs of each
//! row are joined into *components*; between chunks, components that touch are listed as *links*. A *region* is what a
//! union–find over all links makes of the components. An edit rebuilds the components of its chunks, the links of those
//! and their neighbours, and the union–find, whose size is that of the small graph, not of the map.
//!
//! Where diagonal steps need an open corner, the regions of a layer are exactly its 4-connected parts, since such a step
//! can be walked around its open corner. Only [`DiagonalMode::Always`] joins cells diagonally.

mod chunk;
mod nearest;
mod union_find;

pub use nearest::{AnyStand, FarRect, StandFilter, nearest_stands};

use crate::bitgrid::{BitGrid, LocalRect, PaddedIndex};
use crate::geometry::DiagonalMode;
use chunk::{CHUNK_SIDE, Chunk};
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

/// The connected regions of one layer.
#[derive(Clone, Debug)]
pub struct Regions {
    /// Whether cells that touch at a corner are connected.
    diagonal: bool,
    columns: usize,
    rows: usize,
    chunks: Vec<Chunk>,
    /// For each chunk, pairs of a component of it and one of the neighbour at each of [`LINK_SIDES`].
    links: Vec<[Vec<(u16, u16)>; 4]>,
    /// The number of the first component of each chunk, and behind the last chunk the number of all.
    first_component: Vec<u32>,
    /// The region of each component.
    region: Vec<RegionId>,
    region_count: u32,
}

impl Regions {
    /// Finds the regions of `layer` for bodies that move by `mode`.
    ///
    /// Takes a pass over the words and one over the runs of ones in them.
    pub fn build(layer: &BitGrid, mode: DiagonalMode) -> Self {
        let shape = layer.shape();
        let (columns, rows) = (shape.stride_words(), shape.rows().div_ceil(CHUNK_SIDE));
        let mut regions = Self {
            diagonal: mode.joins_diagonally(),
            columns,
            rows,
            chunks: vec![Chunk::default(); columns * rows],
            links: vec![Default::default(); columns * rows],
            first_component: Vec::new(),
            region: Vec::new(),
            region_count: 0,
        };
        regions.renew(layer, &(0..columns * rows).collect::<Vec<_>>());
        regions
    }

    /// Brings the regions up to date after the bits of `layer` in `rect` changed. The result equals [`Regions::build`].
    ///
    /// Takes time in proportion to the chunks that `rect` touches, and to the number of all components and links.
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
        let row = index.word() / self.columns;
        let chunk = row / CHUNK_SIDE * self.columns + index.word() % self.columns;
        let component = self.chunks[chunk].component(word, row % CHUNK_SIDE, index.bit());
        Some(self.region[self.first_component[chunk] as usize + usize::from(component)])
    }

    /// Number of regions.
    pub const fn count(&self) -> u32 {
        self.region_count
    }

    /// A filter that admits the stands of `region`, for [`nearest_stands`]. Takes time in proportion to the number of
    /// components.
    pub fn members<'a>(&'a self, layer: &'a BitGrid, region: RegionId) -> impl StandFilter + 'a {
        let chunk_has_some = (0..self.chunks.len()).map(|c| self.components(c).contains(&region)).collect();
        Members { regions: self, layer, region, chunk_has_some }
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let links = self.links.iter().flatten().map(|l| l.capacity() * 4 + size_of_val(l)).sum::<usize>();
        self.chunks.iter().map(Chunk::memory).sum::<usize>() + links + self.region.len() * 8
    }

    /// Whether everything is what a build of `layer` would make of it.
    pub fn check_invariants(&self, layer: &BitGrid) -> bool {
        let mode = if self.diagonal { DiagonalMode::Always } else { DiagonalMode::Never };
        let fresh = Self::build(layer, mode);
        (&self.chunks, &self.links, &self.region) == (&fresh.chunks, &fresh.links, &fresh.region)
    }

    fn components(&self, chunk: usize) -> &[RegionId] {
        &self.region[self.first_component[chunk] as usize..self.first_component[chunk + 1] as usize]
    }

    /// Makes the chunks of `stale`, which ascend, and what hangs on them anew.
    fn renew(&mut self, layer: &BitGrid, stale: &[usize]) {
        // Links lead right and down, so those of the chunks to the left and above change too.
        let mut unlinked = Vec::with_capacity(stale.len() * 6);
        for &chunk in stale {
            let (column, row) = (chunk % self.columns, chunk / self.columns);
            self.chunks[chunk] = Chunk::build(layer, column, row, self.diagonal);
            for row in row.saturating_sub(1)..=row {
                let columns = column.saturating_sub(1)..(column + 2).min(self.columns);
                unlinked.extend(columns.map(|column| row * self.columns + column));
            }
        }
        unlinked.sort_unstable();
        unlinked.dedup();
        for chunk in unlinked {
            self.renew_links(layer, chunk % self.columns, chunk / self.columns);
        }
        self.renew_regions();
    }

    fn renew_links(&mut self, layer: &BitGrid, column: usize, row: usize) {
        let here = row * self.columns + column;
        let sides = if self.diagonal { 4 } else { 2 };
        for (side, (dx, dy)) in LINK_SIDES.into_iter().enumerate().take(sides) {
            let (Some(to_column), to_row) = (column.checked_add_signed(dx), row + dy.unsigned_abs()) else {
                continue;
            };
            if to_column >= self.columns || to_row >= self.rows {
                continue;
            }
            let there = to_row * self.columns + to_column;
            let mut links = std::mem::take(&mut self.links[here][side]);
            links.clear();
            let (a, b) = (&self.chunks[here], &self.chunks[there]);
            chunk::link(layer, a, (column, row), b, (dx, dy), self.diagonal, &mut links);
            links.sort_unstable();
            links.dedup();
            self.links[here][side] = links;
        }
    }

    fn renew_regions(&mut self) {
        self.first_component.clear();
        let mut total = 0;
        for chunk in &self.chunks {
            self.first_component.push(total);
            total += u32::from(chunk.component_count());
        }
        self.first_component.push(total);
        let mut sets = UnionFind::new(total);
        for (here, links) in self.links.iter().enumerate() {
            for (links, (dx, dy)) in links.iter().zip(LINK_SIDES) {
                if links.is_empty() {
                    continue;
                }
                let there = here.wrapping_add_signed(dy * self.columns as isize + dx);
                let (first_here, first_there) = (self.first_component[here], self.first_component[there]);
                for &(a, b) in links {
                    sets.join(first_here + u32::from(a), first_there + u32::from(b));
                }
            }
        }
        self.region_count = sets.name_sets(&mut self.region, RegionId);
    }
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
