//! A uniform grid: agents sorted into square bins, row by row, with what the search for neighbours reads side by side.
//!
//! Made by a counting sort in time in proportion to agents and bins. Agents of one bin keep their order, so equal crowds have equal
//! grids.

use super::body::Body;

/// Agents that are looked at together.
pub(super) const LANES: usize = 4;
/// No agent, in a block that is not full.
pub(super) const NO_AGENT: u32 = u32::MAX;
/// A coordinate at which no agent is.
const NOWHERE: f32 = 1e9;

/// What the search for neighbours reads of agents, each number of some of them side by side: one line of a cache.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Block {
    pub x: [f32; LANES],
    pub y: [f32; LANES],
    pub radius: [f32; LANES],
    /// Where they are in the arrays, or [`NO_AGENT`].
    pub place: [u32; LANES],
}

const EMPTY: Block =
    Block { x: [NOWHERE; LANES], y: [NOWHERE; LANES], radius: [0.0; LANES], place: [NO_AGENT; LANES] };

/// Bins of equal squares over the map, row by row, so that bins side by side are one range. Each row begins a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Lattice {
    columns: u32,
    rows: u32,
    /// Bins a cell width.
    scale: f32,
    /// Where each bin begins, in agents, and one more.
    starts: Vec<u32>,
    /// The bin of each agent.
    bins: Vec<u32>,
    blocks: Vec<Block>,
}

impl Lattice {
    /// Lays bins of at least `side` cells over a map and sorts the agents into them. Agents of one bin keep their order.
    pub fn sort(&mut self, width: f32, height: f32, side: f32, bodies: &[Body]) {
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
        self.bins.clear();
        for body in bodies {
            let bin = self.row(body.at[1]) * self.columns + self.column(body.at[0]);
            self.bins.push(bin);
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
        for (place, (body, &bin)) in bodies.iter().zip(&self.bins).enumerate() {
            let start = &mut self.starts[bin as usize];
            let (block, lane) = (&mut self.blocks[*start as usize / LANES], *start as usize % LANES);
            (block.x[lane], block.y[lane]) = (body.at[0], body.at[1]);
            (block.radius[lane], block.place[lane]) = (body.radius, place as u32);
            *start += 1;
        }
        // Each start is now its bin's end.
    }

    /// The places of all agents in the order of the bins.
    pub fn places_mut(&mut self) -> impl Iterator<Item = &mut u32> {
        self.blocks.iter_mut().flat_map(|block| &mut block.place).filter(|place| **place != NO_AGENT)
    }

    /// The blocks that hold all agents in bins which the rectangle between two corners touches, and perhaps some beside them,
    /// row by row: none twice.
    #[inline]
    pub fn within(&self, low: [f32; 2], high: [f32; 2]) -> impl Iterator<Item = &[Block]> {
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
            &self.blocks[start..end]
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
        (self.starts.capacity() + self.bins.capacity()) * 4 + self.blocks.capacity() * size_of::<Block>()
    }
}
