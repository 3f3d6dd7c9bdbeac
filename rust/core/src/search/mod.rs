//! One contract, two optimal engines: jump-point search where every step costs the same, A* where it does not.
//!
//! Both take a start, a set of goals and limits, work in *spots* (padded columns and rows, see [`Spot`]), leave the
//! visited nodes in a [`Scratch`] that the caller owns, and answer with a [`SearchResult`].

mod astar;
mod buckets;
mod far_buckets;
mod flood;
mod goals;
mod jps;
mod jump_map;
mod scratch;

pub use astar::search_weighted;
pub(crate) use buckets::Buckets;
pub use flood::stands_within;
pub use goals::Goals;
pub use jps::search_uniform;
pub(crate) use jump_map::JumpLog;
pub use jump_map::JumpMap;
pub use scratch::Scratch;

use crate::bitgrid::{PaddedIndex, Shape};

/// Column and row of a padded grid: one more than those of the map's cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Spot {
    /// Padded column, 1 to the map's width.
    pub x: u16,
    /// Padded row, 1 to the map's height.
    pub y: u16,
}

impl Spot {
    /// The spot of the map's cell at column `x` and row `y`.
    #[inline]
    pub const fn of(x: u32, y: u32) -> Self {
        Self { x: x as u16 + 1, y: y as u16 + 1 }
    }

    /// Column and row of the map.
    #[inline]
    pub const fn xy(self) -> (u32, u32) {
        (self.x as u32 - 1, self.y as u32 - 1)
    }

    /// Where the spot lies in a grid of `shape`.
    #[inline]
    pub const fn index(self, shape: Shape) -> PaddedIndex {
        PaddedIndex::new(self.y as usize * shape.stride() + self.x as usize)
    }

    /// Where the spot lies in the transposed twin of a grid of `shape`.
    #[inline]
    pub const fn index_transposed(self, shape: Shape) -> PaddedIndex {
        PaddedIndex::new(self.x as usize * shape.transposed().stride() + self.y as usize)
    }
}

/// A spot as the frontier of A* keeps it.
#[inline]
const fn pack_spot(x: u32, y: u32) -> u32 {
    y << 16 | x
}

/// The inverse of [`pack_spot`].
#[inline]
const fn unpack_spot(packed: u32) -> (u32, u32) {
    (packed & 0xffff, packed >> 16)
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchEnd {
    /// The cheapest goal was reached.
    Found,
    /// Every stand that can be reached was looked at, and no goal is among them.
    Exhausted,
    /// It stopped at the limit on expansions, or the goal is farther than a cost can count.
    Limit,
}

/// What a search found and what it did for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchResult {
    /// How it ended.
    pub end: SearchEnd,
    /// Cost of the path in units; meaningless unless found.
    pub cost: u32,
    /// Nodes taken from the frontier and expanded.
    pub expanded: u32,
    /// Nodes put into the frontier.
    pub generated: u32,
    /// The turning points of the path, start and goal included; consecutive ones lie on a straight or diagonal line.
    /// A path of one cell is one point. Empty unless found.
    pub waypoints: Vec<Spot>,
}

impl SearchResult {
    fn without_path(end: SearchEnd, expanded: u32, generated: u32) -> Self {
        Self { end, cost: 0, expanded, generated, waypoints: Vec::new() }
    }
}

#[cfg(test)]
mod tests;
