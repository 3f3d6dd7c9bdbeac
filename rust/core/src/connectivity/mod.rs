//! Which placements of a layer can reach each other, chunk by chunk.
//!
//! A *chunk* is a block of 64×64 padded cells, so a row of a chunk is one word. Within a chunk, the runs of
//! each row are joined into *local components*; between chunks, local components that touch are listed as
//! *links*. A *component* is what a union–find over all links makes of the local components that touch a side
//! of their chunk, or one of the others by itself. An edit rebuilds the local components of its chunks and
//! their links. Only where links differ from before, the union–find is made anew, in time in proportion to
//! the links, not to the map.
//!
//! Near an edge that is blocked, cells are not joined. A step that is legal there leads over an *arc*, one way,
//! and so does a step over a link of the map. Components that arcs lead round in a circle are one; the others
//! are kept with the arcs between them.
//!
//! Where diagonal steps need an open corner, the components of a layer are exactly its 4-connected parts,
//! since such a step can be walked around its open corner. Only
//! [`DiagonalMode::Always`] joins cells diagonally.

mod chunk;
mod closest;
mod nearest;
mod one_way;

pub(crate) use closest::{Segment, closest_position};
pub(crate) use nearest::{AnyPlacement, FarRect, PlacementFilter, nearest_placements};

use std::sync::Arc;

use crate::bitgrid::{GridLayout, LocalRect, PaddedIndex, ones};
use crate::derived::{Derived, Rects};
use crate::geometry::{DiagonalMode, Direction};
use crate::passability::{PlacementEdges, Placements};
use crate::raster::Raster;
use crate::union_find::UnionFind;
use chunk::{CHUNK_SIDE, Chunk, INNER, Link, Row};
use one_way::Arcs;

/// The id of a component; comparable within one state of one [`Components`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ComponentId(u32);

impl ComponentId {
    /// Returns the number of the component, below [`Components::count`].
    pub const fn number(self) -> u32 {
        self.0
    }
}

/// A chunk's neighbours that it keeps its links to: to the right, and the three below.
// Half of the eight neighbours: so each pair of chunks keeps its links once.
const LINK_SIDES: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

/// Pairs of local components, by the side that the second one lies at.
type Links = [Vec<Link>; 4];

/// The connected components of one layer.
///
/// ```
/// use pathforge_core::geometry::Cell;
/// use pathforge_core::terrain::Terrain;
/// use pathforge_core::world::{Profile, World};
///
/// let mut world = World::from_terrain(Terrain::from_text("..#.\n..#.\n", Cell::new(0, 0))?);
/// let (placements, components) = world.components(&Profile::default());
/// let of = |x, y| components.component_at(&placements, x, y);
/// assert_eq!(components.count(), 2);
/// assert!(of(0, 0) == of(1, 1) && of(0, 0) != of(3, 0) && of(2, 0).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Components {
    /// Whether cells that touch at a corner are connected.
    diagonal: bool,
    columns: usize,
    rows: usize,
    chunks: Raster<Chunk>,
    /// For each chunk, pairs of a local component of it and one of the neighbour at each of [`LINK_SIDES`].
    links: Raster<Links>,
    /// For each chunk, the ends of its arcs by padded index.
    steps: Raster<Vec<(u32, u32)>>,
    /// The number of each part's component: a part is what links alone join. Empty without arcs, where each is
    /// one.
    joint: Vec<u32>,
    /// Number of parts.
    parts: u32,
    /// The arcs between components.
    arcs: Arcs,
    /// The number of the first outer local component of each chunk, and behind the last chunk the number of
    /// all.
    first_outer: Vec<u32>,
    /// The number of each outer local component's component.
    component: Arc<Vec<u32>>,
    /// Number of components that have outer local components. Those of inner local components are counted
    /// behind them.
    outer_count: u32,
    /// The number of the first inner local component of each chunk, and behind the last chunk the number of
    /// all.
    first_inner: Vec<u32>,
}

/// Its kind is whether steps join cells diagonally.
impl Derived for Components {
    type Source<'a> = &'a Placements;
    type Kind = bool;

    /// Takes a pass over the words and one over the runs of ones in them.
    fn build(layer: &Placements, diagonal: bool) -> Self {
        let layout = layer.layout();
        let (columns, rows) = (layout.stride_words(), layout.rows().div_ceil(CHUNK_SIDE));
        let grid = GridLayout::new(columns as u32, rows as u32);
        let chunks =
            Raster::by_rows(grid, |column, row| Chunk::build(layer, column as usize, row as usize, diagonal));
        let mut components = Self {
            diagonal,
            columns,
            rows,
            first_inner: running_sum(chunks.iter().map(Chunk::inner_count)),
            chunks,
            links: Raster::by_rows(grid, |_, _| Links::default()),
            steps: Raster::by_rows(grid, |_, _| Vec::new()),
            joint: Vec::new(),
            parts: 0,
            arcs: Arcs::default(),
            first_outer: Vec::new(),
            component: Arc::default(),
            outer_count: 0,
        };
        let mut fresh = Vec::new();
        for chunk in 0..columns * rows {
            for side in 0..LINK_SIDES.len() {
                components.renew_links(layer, chunk, side, &mut fresh);
            }
            components.renew_steps(layer, chunk);
        }
        components.renew_components(layer);
        components
    }

    fn repair_in(&mut self, layer: &Placements, diagonal: bool, rect: LocalRect) -> Option<LocalRect> {
        self.repair(layer, diagonal, &[rect]).pop()
    }

    /// At once, as chunks that several changes touch are made once. Takes time in proportion to the chunks
    /// that `rects` touch. If the links between chunks change, it also takes time in proportion to all links
    /// and local components that touch a side of their chunk.
    fn repair(&mut self, layer: &Placements, _: bool, rects: &[LocalRect]) -> Rects {
        let mut stale = Vec::new();
        for rect in rects {
            // Chunks are blocks of padded cells, one column and one row further than cells of the map.
            let columns = (rect.x0 as usize + 1) / CHUNK_SIDE..=rect.x1 as usize / CHUNK_SIDE;
            for row in (rect.y0 as usize + 1) / CHUNK_SIDE..=rect.y1 as usize / CHUNK_SIDE {
                stale.extend(columns.clone().map(|column| row * self.columns + column));
            }
        }
        stale.sort_unstable();
        stale.dedup();
        self.repair_chunks(layer, &stale);
        rects.into()
    }

    fn memory(&self) -> usize {
        let links = self.links.iter().flatten().map(|links| links.capacity() * size_of::<Link>());
        let numbers = self.first_outer.capacity() + self.component.capacity() + self.first_inner.capacity();
        let in_chunks = self.chunks.iter().map(Chunk::memory).sum::<usize>() + links.sum::<usize>();
        let steps = self.steps.iter().map(|steps| steps.capacity() * size_of::<(u32, u32)>());
        let joint = self.joint.capacity() * size_of::<u32>();
        let arcs = self.steps.memory() + steps.sum::<usize>() + joint + self.arcs.memory();
        self.chunks.memory() + self.links.memory() + in_chunks + arcs + numbers * size_of::<u32>()
    }
}

impl Components {
    /// Returns the component that the placement at column `x` and row `y` lies in; `None` where the body does
    /// not fit. Takes constant time.
    pub fn component_at(&self, layer: &Placements, x: u32, y: u32) -> Option<ComponentId> {
        self.component(layer, layer.layout().index(x, y))
    }

    /// As [`Components::component_at`], by the index of the placement.
    #[inline]
    pub(crate) fn component(&self, layer: &Placements, index: PaddedIndex) -> Option<ComponentId> {
        let line = Row::of(layer, index.word());
        if !line.is_one(index.bit()) {
            return None;
        }
        // A word is one row of a chunk, so the index of the word gives the chunk and the row in it.
        let (row, column) = (index.word() / self.columns, index.word() % self.columns);
        let chunk = row / CHUNK_SIDE * self.columns + column;
        let here = &self.chunks.row((row / CHUNK_SIDE) as u32)[column];
        let local = here.component(line, row % CHUNK_SIDE, index.bit());
        // Inner components are numbered behind all others, by their chunk: they need no entry in the graph
        // between chunks.
        Some(ComponentId(if local & INNER == 0 {
            self.joint_of(self.component[self.first_outer[chunk] as usize + usize::from(local)])
        } else {
            self.outer_count + self.first_inner[chunk] + u32::from(local & !INNER)
        }))
    }

    /// Returns the number of a part's component.
    #[inline]
    fn joint_of(&self, part: u32) -> u32 {
        if self.joint.is_empty() { part } else { self.joint[part as usize] }
    }

    /// Returns the number of components.
    pub fn count(&self) -> u32 {
        self.outer_count + self.first_inner[self.columns * self.rows]
    }

    /// Returns whether paths lead from one component to another. Takes constant time without arcs, else time in
    /// proportion to the components that the first one reaches.
    #[inline]
    pub fn reaches(&self, from: ComponentId, to: ComponentId) -> bool {
        from == to || !self.arcs.is_empty() && self.arcs.reached_from(from.0).binary_search(&to.0).is_ok()
    }

    /// Returns a filter that admits the placements that paths from `component` lead to, for
    /// [`nearest_placements`]. Takes time in proportion to the number of local components.
    pub(crate) fn reached_from<'a>(
        &'a self,
        layer: &'a Placements,
        component: ComponentId,
    ) -> impl PlacementFilter + 'a {
        let reached = self.arcs.reached_from(component.0);
        let chunk_has_some =
            (0..self.columns * self.rows).map(|chunk| self.has_some(chunk, &reached)).collect();
        Reached { components: self, layer, numbers: reached, chunk_has_some }
    }

    /// Returns whether some local component of a chunk belongs to one of `components`, which ascend.
    fn has_some(&self, chunk: usize, components: &[u32]) -> bool {
        let is_one = |&part: &u32| components.binary_search(&self.joint_of(part)).is_ok();
        let inner =
            self.outer_count + self.first_inner[chunk]..self.outer_count + self.first_inner[chunk + 1];
        components.iter().any(|component| inner.contains(component))
            || self.component[self.first_outer[chunk] as usize..self.first_outer[chunk + 1] as usize]
                .iter()
                .any(is_one)
    }

    /// Rebuilds the chunks of `stale`, which ascend, with their links, and all components if links have
    /// changed.
    fn repair_chunks(&mut self, layer: &Placements, stale: &[usize]) {
        let (mut changed, mut arcs_changed) = (false, false);
        // Edits often lie in one chunk, and chunks share sides: links are listed first and found once each.
        let mut unlinked = Vec::with_capacity(stale.len() * 2 * LINK_SIDES.len());
        for &chunk in stale {
            let (column, row) = (chunk % self.columns, chunk / self.columns);
            let fresh = Chunk::build(layer, column, row, self.diagonal);
            // Arcs lead from cell to cell, so they join components anew where their cells may have other numbers.
            let has_arcs =
                layer.has_edges() && (self.has_arcs_near(chunk) || !self.linked_to(layer, chunk).is_empty());
            let place = &mut self.chunks.row_mut(row as u32)[column];
            let old = std::mem::replace(place, fresh);
            let fresh = &*place;
            // The count shifts the numbers of all later outer components, even where every link stays the
            // same.
            changed |= fresh.outer_count() != old.outer_count();
            arcs_changed |= has_arcs && *fresh != old;
            // Numbers of later chunks shift by the difference, which may be negative: additions wrap.
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
        unlinked.sort_unstable_by_key(|&(chunk, side)| (chunk, side as u8));
        unlinked.dedup();
        let mut fresh = Vec::new();
        for (chunk, side) in unlinked {
            changed |= self.renew_links(layer, chunk, side, &mut fresh);
        }
        // A step over a link of the map counts where both its ends are valid placements.
        let linked = stale.iter().flat_map(|&chunk| self.linked_to(layer, chunk));
        let mut renewed: Vec<usize> = linked.chain(self.with_chunks_around(stale)).collect();
        renewed.sort_unstable();
        renewed.dedup();
        for chunk in renewed {
            arcs_changed |= self.renew_steps(layer, chunk);
        }
        if changed {
            self.renew_components(layer);
        } else if arcs_changed {
            self.renew_arcs(layer);
        }
    }

    /// Returns whether an arc begins or ends in a chunk.
    fn has_arcs_near(&self, chunk: usize) -> bool {
        let around = self.with_chunks_around(&[chunk]);
        around
            .into_iter()
            .any(|chunk| !self.steps.row((chunk / self.columns) as u32)[chunk % self.columns].is_empty())
    }

    /// Returns chunks and the chunks around them, ascending.
    fn with_chunks_around(&self, chunks: &[usize]) -> Vec<usize> {
        let mut all = Vec::with_capacity(9 * chunks.len());
        for &chunk in chunks {
            let (column, row) = (chunk % self.columns, chunk / self.columns);
            for row in row.saturating_sub(1)..(row + 2).min(self.rows) {
                let columns = column.saturating_sub(1)..(column + 2).min(self.columns);
                all.extend(columns.map(|column| row * self.columns + column));
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Finds the steps of a chunk that are arcs again; returns whether they have changed.
    fn renew_steps(&mut self, layer: &Placements, chunk: usize) -> bool {
        let (column, row) = (chunk % self.columns, chunk / self.columns);
        // Without diagonal joins, straight steps alone can be legal one way, and only there.
        let is_one_way = |edges: &&Arc<PlacementEdges>| self.diagonal || edges.is_one_way();
        let one_way = layer.edges().filter(is_one_way);
        let links = layer.links();
        let mut steps = Vec::new();
        let lines = row * CHUNK_SIDE..((row + 1) * CHUNK_SIDE).min(layer.layout().rows());
        let all = if one_way.is_none() && links.is_none() { 0..0 } else { lines };
        for line in all {
            let word = line * self.columns + column;
            let plain = layer.edges().map_or(u64::MAX, |edges| edges.plain().words()[word]);
            for bit in ones(layer.words()[word] & !plain) {
                let from = PaddedIndex::new(word << 6 | bit);
                if let Some(edges) = one_way {
                    self.add_one_way_steps(layer, edges, from, &mut steps);
                }
                steps.extend(layer.links_from(from.get()).map(|step| (step.from, step.to)));
            }
        }
        let changed = self.steps.row(row as u32)[column] != steps;
        if changed {
            self.steps.row_mut(row as u32)[column] = steps;
        }
        changed
    }

    /// Adds the steps from a placement that an edge may close the way back of.
    fn add_one_way_steps(
        &self,
        layer: &Placements,
        edges: &PlacementEdges,
        from: PaddedIndex,
        steps: &mut Vec<(u32, u32)>,
    ) {
        let mode = if self.diagonal { DiagonalMode::Always } else { DiagonalMode::Never };
        let cells = layer.steps_from(mode, from);
        for direction in Direction::ALL {
            let (dx, dy) = (direction.dx(), direction.dy());
            let is_legal = cells >> (4 + dy * 3 + dx) & 1 == 1;
            let is_counted = is_legal && (self.diagonal || !direction.is_diagonal());
            if is_counted && !edges.is_clear(from, direction) {
                let offset = dy as isize * layer.layout().stride() as isize + dx as isize;
                steps.push((from.number(), from.get().wrapping_add_signed(offset) as u32));
            }
        }
    }

    /// Returns the chunks in which links of the map begin that end in `chunk`; some more than once.
    fn linked_to(&self, layer: &Placements, chunk: usize) -> Vec<usize> {
        let Some(links) = layer.links() else { return Vec::new() };
        let (column, row) = (chunk % self.columns, chunk / self.columns);
        let words =
            (row * CHUNK_SIDE..(row + 1) * CHUNK_SIDE).map(|line| (line * self.columns + column) as u32);
        let steps = words.flat_map(|word| links.into(word << 6..(word + 1) << 6));
        let chunk_of = |word: usize| word / self.columns / CHUNK_SIDE * self.columns + word % self.columns;
        steps.map(|step| chunk_of(step.from as usize >> 6)).collect()
    }

    /// Finds the links of a chunk to its neighbour at `side` again; returns whether they have changed.
    /// `fresh` is scratch memory.
    fn renew_links(&mut self, layer: &Placements, chunk: usize, side: usize, fresh: &mut Vec<Link>) -> bool {
        let (dx, dy) = LINK_SIDES[side];
        let (column, row) = (chunk % self.columns, chunk / self.columns);
        let (to_column, to_row) = (column.checked_add_signed(dx), row + dy.unsigned_abs());
        let is_corner = dx != 0 && dy != 0;
        let Some(to_column) = to_column.filter(|&c| c < self.columns && to_row < self.rows) else {
            return false;
        };
        // Chunks at a corner share no side, so only diagonal joins can link them.
        if is_corner && !self.diagonal {
            return false;
        }
        let (a, b) = (&self.chunks.row(row as u32)[column], &self.chunks.row(to_row as u32)[to_column]);
        fresh.clear();
        chunk::link(layer, a, (column, row), b, (dx, dy), self.diagonal, fresh);
        // In one order, so that equal links are found to be equal.
        fresh.sort_unstable();
        fresh.dedup();
        let changed = self.links.row(row as u32)[column][side] != *fresh;
        // Links that are as they were stay shared with clones.
        if changed {
            self.links.row_mut(row as u32)[column][side].clone_from(fresh);
        }
        changed
    }

    fn renew_components(&mut self, layer: &Placements) {
        self.first_outer = running_sum(self.chunks.iter().map(Chunk::outer_count));
        // Where a clone has the old numbers too, they stay as they are.
        let mut component = Arc::try_unwrap(std::mem::take(&mut self.component)).unwrap_or_default();
        component.clear();
        component.extend(0..self.first_outer[self.columns * self.rows]);
        let mut sets = UnionFind { parent: &mut component };
        for (here, links) in self.links.iter().enumerate() {
            for (links, (dx, dy)) in links.iter().zip(LINK_SIDES) {
                if links.is_empty() {
                    continue;
                }
                // Links are empty where there is no neighbour, so the place is valid.
                let there = here.wrapping_add_signed(dy * self.columns as isize + dx);
                let (first_here, first_there) = (self.first_outer[here], self.first_outer[there]);
                for &link in links {
                    sets.join(first_here + (link >> 16), first_there + (link & 0xffff));
                }
            }
        }
        self.parts = sets.name_sets();
        self.component = Arc::new(component);
        self.renew_arcs(layer);
    }

    /// Joins parts that arcs lead round in a circle.
    fn renew_arcs(&mut self, layer: &Placements) {
        self.joint.clear();
        self.outer_count = self.parts;
        self.arcs = Arcs::default();
        if self.steps.iter().all(Vec::is_empty) {
            return;
        }
        // Both ends lie near an edge or are those of a link, so their components are none of the inner ones.
        let number =
            |index: u32| self.component(layer, PaddedIndex::new(index as usize)).map(|component| component.0);
        let ends = self.steps.iter().flatten().filter_map(|&(from, to)| number(from).zip(number(to)));
        (self.joint, self.outer_count, self.arcs) = Arcs::joined(self.parts, ends.collect());
    }
}

/// Returns the prefix sums of `counts`: 0 first, the sum of all last.
fn running_sum(counts: impl Iterator<Item = u16>) -> Vec<u32> {
    let mut sums = vec![0];
    for count in counts {
        sums.push(sums[sums.len() - 1] + u32::from(count));
    }
    sums
}

struct Reached<'a> {
    components: &'a Components,
    layer: &'a Placements,
    /// Numbers of components, ascending.
    numbers: Vec<u32>,
    chunk_has_some: Vec<bool>,
}

impl PlacementFilter for Reached<'_> {
    fn admits_word(&self, word: usize) -> bool {
        let columns = self.components.columns;
        // `word / columns` is the row of padded cells, 64 of which make a row of chunks.
        self.chunk_has_some[word / columns / CHUNK_SIDE * columns + word % columns]
    }

    fn admits(&self, index: PaddedIndex) -> bool {
        let component = self.components.component(self.layer, index);
        component.is_some_and(|ComponentId(number)| self.numbers.binary_search(&number).is_ok())
    }
}

#[cfg(test)]
mod tests;
