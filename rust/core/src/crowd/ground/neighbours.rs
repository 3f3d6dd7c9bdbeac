//! Neighbour lists: the few agents whose outlines are nearest to each agent's own, found by a uniform grid of
//! square bins.
//!
//! The grid is made by a counting sort in time in proportion to agents and bins, row by row, with what the
//! search reads side by side. Agents of one bin keep their order, so equal crowds have equal grids. Distances
//! are from edge to edge. Large bodies have more neighbours, because more fit around them.

use std::ops::Range;

use wide::{f32x4, u32x4};

use crate::bytes::{BytesError, Reader, Saved};
use crate::crowd::numbers::tuning::TUNING;
use crate::crowd::numbers::vector::LANES;
use crate::crowd::state::agent::Agent;
use crate::crowd::state::body::Body;
use crate::crowd::state::outline::Outline;

/// Neighbours that an agent steers clear of; bigger ones have more around them.
pub(in crate::crowd) const NEIGHBOURS_MAX: usize = 10;
const NEIGHBOURS: usize = 6;
/// Agents that are gathered before the nearest of them are taken: a power of two.
const HITS: usize = 64;
/// The bits of a key that hold the number of a hit.
const NUMBER: u32 = HITS as u32 - 1;

/// The most that there is among the agents.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::crowd) struct Most {
    /// Half of a side of an outline.
    pub longest: f32,
    pub speed: f32,
    /// Not all bodies are discs.
    pub has_cores: bool,
    /// Not all agents avoid all others.
    pub has_layers: bool,
}

impl Most {
    pub fn include(&mut self, body: &Body, speed: f32) {
        self.longest = self.longest.max(body.outline().longest());
        self.speed = self.speed.max(speed);
        self.has_cores |= !body.core.is_point();
    }
}

/// The nearest neighbours of an agent, the nearest first.
#[derive(Clone, Copy, Default, Debug)]
pub(in crate::crowd) struct Neighbours {
    count: u32,
    indices: [u32; NEIGHBOURS_MAX.next_multiple_of(LANES)],
}

impl Neighbours {
    /// Returns where they are in the arrays.
    #[inline]
    pub fn indices(&self) -> &[u32] {
        &self.indices[..(self.count as usize).min(NEIGHBOURS_MAX)]
    }

    /// Returns where they are, four at once, and how many of each four there are.
    #[inline]
    pub fn fours(&self) -> impl Iterator<Item = (&[u32; LANES], usize)> {
        let (fours, _) = self.indices.as_chunks();
        let count = (self.count as usize).min(NEIGHBOURS_MAX);
        fours
            .iter()
            .enumerate()
            .take(count.div_ceil(LANES))
            .map(move |(n, four)| (four, (count - n * LANES).min(LANES)))
    }

    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.indices().iter().map(|&index| index as usize)
    }
}

impl Saved for Neighbours {
    const BYTES_MIN: usize = 1;

    fn write(&self, bytes: &mut Vec<u8>) {
        (self.indices().len() as u8).write(bytes);
        self.indices().iter().for_each(|index| index.write(bytes));
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, BytesError> {
        let mut near = Self { count: reader.read::<u8>()?.into(), ..Self::default() };
        let indices =
            (near.count as usize <= NEIGHBOURS_MAX).then(|| &mut near.indices[..near.count as usize]);
        for index in indices.ok_or(BytesError::Value("an agent has too many neighbours"))? {
            *index = reader.read()?;
        }
        Ok(near)
    }
}

/// The agent that looks, and how far.
struct Search {
    at: [f32; 2],
    outline: Outline,
    own: u32,
    look: f32,
    longest: f32,
    /// The layers whose agents it avoids.
    mask: u32,
}

/// Agents that are close, and how close: memory of a search. No two keys are equal in the end.
pub(in crate::crowd) struct Hits {
    keys: [f32; HITS],
    indices: [u32; HITS],
}

impl Default for Hits {
    fn default() -> Self {
        Self { keys: [0.0; HITS], indices: [0; HITS] }
    }
}

impl Hits {
    /// Returns the neighbours of `body`, which is at `own` in the arrays: agents on a layer of `mask` whose
    /// outlines are at most `look` away. Half of the longest side of all is `longest`.
    pub fn nearest(
        &mut self,
        bins: &Bins,
        (own, body): (usize, &Body),
        mask: u32,
        look: f32,
        longest: f32,
    ) -> Neighbours {
        let by = Search { at: body.at, outline: body.outline(), own: own as u32, look, longest, mask };
        if bins.has_layers() {
            self.nearest_on_layers(bins, &by)
        } else if bins.has_cores() {
            self.nearest_outlines(bins, &by)
        } else if body.radius < TUNING.big {
            self.nearest_of::<NEIGHBOURS, false, false>(bins, &by)
        } else {
            self.nearest_of::<NEIGHBOURS_MAX, false, false>(bins, &by)
        }
    }

    /// Apart, as `nearest_outlines`.
    #[inline(never)]
    fn nearest_on_layers(&mut self, bins: &Bins, by: &Search) -> Neighbours {
        if by.outline.longest() < TUNING.big {
            self.nearest_of::<NEIGHBOURS, true, true>(bins, by)
        } else {
            self.nearest_of::<NEIGHBOURS_MAX, true, true>(bins, by)
        }
    }

    /// Apart, so that what crowds of discs do fits into one function.
    #[inline(never)]
    fn nearest_outlines(&mut self, bins: &Bins, by: &Search) -> Neighbours {
        if by.outline.longest() < TUNING.big {
            self.nearest_of::<NEIGHBOURS, true, false>(bins, by)
        } else {
            self.nearest_of::<NEIGHBOURS_MAX, true, false>(bins, by)
        }
    }

    /// Without `CORES`, all are discs: most crowds need not look at more than their radii. Without `LAYERS`,
    /// all avoid each other.
    #[inline]
    fn nearest_of<const K: usize, const CORES: bool, const LAYERS: bool>(
        &mut self,
        bins: &Bins,
        by: &Search,
    ) -> Neighbours {
        let Outline { radius, core } = by.outline;
        let (rounding, longest) =
            if CORES { (by.outline.rounding(), by.outline.longest()) } else { (radius, radius) };
        let reach = rounding + by.look;
        let square = longest + by.look + by.longest;
        let low = [by.at[0] - square, by.at[1] - square];
        let high = [by.at[0] + square, by.at[1] + square];
        let (own_x, own_y) = (f32x4::splat(by.at[0]), f32x4::splat(by.at[1]));
        let (own_rounding, reach) = (f32x4::splat(rounding), f32x4::splat(reach));
        let own_core = core.half().map(f32x4::splat);
        let own = u32x4::splat(by.own);
        let mut count = 0;
        for range in bins.ranges(low, high) {
            for n in range {
                let block = &bins.blocks[n];
                let (mut dx, mut dy) = (f32x4::new(block.x) - own_x, f32x4::new(block.y) - own_y);
                if CORES {
                    let [x, y] = bins.cores[n];
                    (dx, dy) = (beyond(dx, own_core[0] + x), beyond(dy, own_core[1] + y));
                }
                let rounding = f32x4::new(block.rounding);
                let distance2 = dx * dx + dy * dy;
                let (limit, touch) = (reach + rounding, own_rounding + rounding);
                let is_close = distance2.simd_lt(limit * limit).to_bitmask();
                let is_own = u32x4::new(block.index).simd_eq(own).to_bitmask();
                let mut is_near = is_close & !is_own;
                if LAYERS {
                    is_near &= !(bins.layers[n] & u32x4::splat(by.mask)).simd_eq(u32x4::ZERO).to_bitmask();
                }
                let keys = (distance2 - touch * touch).to_array();
                // In a crush there may be more than there is memory for: the nearest so far are enough.
                if count > HITS - LANES {
                    count = self.keep::<K>(count);
                }
                // Written always and counted only when near: no branch that would be guessed wrong half of
                // the time.
                for (lane, (&key, &index)) in keys.iter().zip(&block.index).enumerate() {
                    let n = count & (HITS - 1);
                    (self.keys[n], self.indices[n]) = (key, index);
                    count += (is_near >> lane & 1) as usize;
                }
            }
        }
        count = self.keep::<K>(count);
        let mut near = Neighbours { count: count as u32, ..Neighbours::default() };
        near.indices[..K].copy_from_slice(&self.indices[..K]);
        near
    }

    /// Leaves the `K` nearest of so many, sorted; returns how many are left. Each key is carried past all
    /// that are kept, and the smaller of two stays: no branch that would be guessed wrong half of the time.
    #[inline]
    fn keep<const K: usize>(&mut self, count: usize) -> usize {
        let mut kept = [f32::INFINITY; K];
        for (n, &key) in self.keys[..count].iter().enumerate() {
            // The number is in the last bits, which changes a key by less than one part in a hundred
            // thousand.
            let mut key = f32::from_bits(key.to_bits() & !NUMBER | n as u32);
            for slot in &mut kept {
                let (less, more) = if key < *slot { (key, *slot) } else { (*slot, key) };
                (*slot, key) = (less, more);
            }
        }
        let mut indices = [0; K];
        for (index, key) in indices.iter_mut().zip(&kept) {
            *index = self.indices[(key.to_bits() & NUMBER) as usize];
        }
        self.keys[..K].copy_from_slice(&kept);
        self.indices[..K].copy_from_slice(&indices);
        count.min(K)
    }
}

/// Returns the part of an offset that lies beyond both cores: see [`crate::crowd::state::outline::gap`].
#[inline]
pub(in crate::crowd) fn beyond(offset: f32x4, half: f32x4) -> f32x4 {
    offset - offset.fast_max(-half).fast_min(half)
}

/// No agent, in a block that is not full.
pub(in crate::crowd) const NO_AGENT: u32 = u32::MAX;
/// A coordinate at which no agent is.
const NOWHERE: f32 = 1e9;

/// What the search for neighbours reads of agents, each number of some of them side by side: one line of a
/// cache.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(in crate::crowd) struct Block {
    pub x: [f32; LANES],
    pub y: [f32; LANES],
    pub rounding: [f32; LANES],
    /// Where they are in the arrays, or [`NO_AGENT`].
    pub index: [u32; LANES],
}

const EMPTY: Block =
    Block { x: [NOWHERE; LANES], y: [NOWHERE; LANES], rounding: [0.0; LANES], index: [NO_AGENT; LANES] };

/// Bins of equal squares over the map, row by row, so that bins side by side are one range. Each row begins a
/// block.
#[derive(Clone, Debug, Default)]
pub(in crate::crowd) struct Bins {
    columns: u32,
    rows: u32,
    /// Bins a cell width.
    scale: f32,
    /// Where each bin begins, in agents, and one more.
    starts: Vec<u32>,
    /// The bin of each agent.
    bin_of: Vec<u32>,
    blocks: Vec<Block>,
    /// Half of the cores of the agents of each block; none where all are discs.
    cores: Vec<[f32x4; 2]>,
    /// The layers that the agents of each block are on; none where all avoid each other.
    layers: Vec<u32x4>,
}

impl Bins {
    /// Lays bins of at least `side` cells over a map and sorts the agents into them. Agents of one bin keep
    /// their order.
    pub fn sort(
        &mut self,
        (width, height): (f32, f32),
        side: f32,
        bodies: &[Body],
        agents: &[Agent],
        most: Most,
    ) {
        // With layers the cores of all are looked at.
        let has_cores = most.has_cores || most.has_layers;
        let bins_max = bodies.len() * 2 + 4096;
        let mut side = side;
        loop {
            (self.columns, self.rows) = ((width / side) as u32 + 1, (height / side) as u32 + 1);
            if u64::from(self.columns) * u64::from(self.rows) <= bins_max as u64 {
                break;
            }
            side *= 1.25;
        }
        self.scale = 1.0 / side;
        self.starts.clear();
        self.starts.resize(self.columns as usize * self.rows as usize + 1, 0);
        self.bin_of.clear();
        for body in bodies {
            let bin = self.row(body.at[1]) * self.columns + self.column(body.at[0]);
            self.bin_of.push(bin);
            self.starts[bin as usize] += 1;
        }
        let mut sum = 0_u32;
        for row in self.starts.chunks_mut(self.columns as usize) {
            sum = sum.next_multiple_of(LANES as u32);
            for start in row {
                sum += *start;
                *start = sum - *start;
            }
        }
        self.blocks.clear();
        self.blocks.resize((sum as usize).div_ceil(LANES), EMPTY);
        self.cores.clear();
        self.cores.resize(if has_cores { self.blocks.len() } else { 0 }, [f32x4::ZERO; 2]);
        self.layers.clear();
        self.layers.resize(if most.has_layers { self.blocks.len() } else { 0 }, u32x4::ZERO);
        for (index, (body, &bin)) in bodies.iter().zip(&self.bin_of).enumerate() {
            let start = &mut self.starts[bin as usize];
            let (block, lane) = (&mut self.blocks[*start as usize / LANES], *start as usize % LANES);
            (block.x[lane], block.y[lane]) = (body.at[0], body.at[1]);
            (block.rounding[lane], block.index[lane]) = (body.radius, index as u32);
            if has_cores {
                block.rounding[lane] = body.outline().rounding();
                let cores = &mut self.cores[*start as usize / LANES];
                for (core, half) in cores.iter_mut().zip(body.core.half()) {
                    core.as_mut_array()[lane] = half;
                }
            }
            if most.has_layers {
                self.layers[*start as usize / LANES].as_mut_array()[lane] = agents[index].avoidance.layers;
            }
            *start += 1;
        }
        // Each start is now its bin's end.
    }

    /// Returns the indices of all agents in the order of the bins.
    pub fn indices_mut(&mut self) -> impl Iterator<Item = &mut u32> {
        self.blocks.iter_mut().flat_map(|block| &mut block.index).filter(|index| **index != NO_AGENT)
    }

    const fn has_cores(&self) -> bool {
        !self.cores.is_empty()
    }

    const fn has_layers(&self) -> bool {
        !self.layers.is_empty()
    }

    /// Returns the blocks that hold all agents in bins which the rectangle between two corners touches, and
    /// perhaps some beside them, row by row: none twice.
    pub fn within(&self, low: [f32; 2], high: [f32; 2]) -> impl Iterator<Item = &[Block]> {
        self.ranges(low, high).map(|range| &self.blocks[range])
    }

    /// Returns where those blocks are.
    #[inline]
    fn ranges(&self, low: [f32; 2], high: [f32; 2]) -> impl Iterator<Item = Range<usize>> {
        let (left, right) = (self.column(low[0]) as usize, self.column(high[0]) as usize);
        (self.row(low[1]) as usize..=self.row(high[1]) as usize).map(move |row| {
            let first = row * self.columns as usize;
            // The end of the bin before is where a bin begins, but for the first of a row.
            let end = (self.starts[first + right] as usize).div_ceil(LANES);
            let start = if left > 0 {
                self.starts[first + left - 1] as usize / LANES
            } else if row > 0 {
                (self.starts[first - 1] as usize).div_ceil(LANES)
            } else {
                0
            };
            start..end
        })
    }

    #[inline]
    fn column(&self, x: f32) -> u32 {
        ((x * self.scale) as u32).min(self.columns - 1)
    }

    #[inline]
    fn row(&self, y: f32) -> u32 {
        ((y * self.scale) as u32).min(self.rows - 1)
    }

    pub fn memory(&self) -> usize {
        (self.starts.capacity() + self.bin_of.capacity()) * 4
            + self.blocks.capacity() * size_of::<Block>()
            + self.cores.capacity() * size_of::<[f32x4; 2]>()
            + self.layers.capacity() * size_of::<u32x4>()
    }
}
