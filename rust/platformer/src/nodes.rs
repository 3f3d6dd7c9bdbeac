//! The reached states of a search: one list a cell, in which no state dominates another at no greater cost.
//!
//! A state's insertion takes O(list) at worst; most steps are decided by the cell's summary, one word of
//! values and one cost, without a look at the list. Memory is reused by the next search.

use super::flight_search::FlightSearch;
use super::jump_table::JumpTable;
use super::reachability::BackwardReachability;
use super::state::State;
use pathforge_core::bitgrid::GridLayout;
use pathforge_core::primitives::BucketQueue;

/// The parent of the first node.
pub(super) const NO_NODE: u32 = u32::MAX;
/// The end of a cell's list.
const END: u32 = u32::MAX;
/// In place of the next node: a dominating node has replaced this one.
const REPLACED: u32 = u32::MAX - 1;

/// A cell and a state that a search has reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct JumpNode {
    /// Padded column and row.
    pub(super) x: u16,
    pub(super) y: u16,
    pub(super) state: State,
    /// Cost so far, in units.
    pub(super) g: u32,
    pub(super) parent: u32,
    next: u32,
}

impl JumpNode {
    /// Returns `true` if a node that dominates it at no greater cost has taken its place.
    #[inline]
    pub(super) const fn is_replaced(&self) -> bool {
        self.next == REPLACED
    }
}

/// A summary of a cell's list, kept with the cell so that most steps to it read nothing else.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CellSummary {
    /// The search that the rest belongs to.
    search: u32,
    /// The first node.
    first: u32,
    /// The bits of the values in the list, see [`JumpTable::bit`]. Bits of replaced nodes stay set: what such
    /// a node dominates, its replacement dominates, too.
    values: u32,
    /// No node of the list costs more.
    g_max: u32,
}

/// The memory of a search, reused by the next one: after a few searches none allocates.
#[derive(Clone, Debug, Default)]
pub struct PlatformerScratch {
    /// The number of this search. Summaries with another number count as empty, so clearing takes O(1).
    search: u32,
    cells: Vec<CellSummary>,
    nodes: Vec<JumpNode>,
    pub(super) frontier: BucketQueue,
    pub(super) reachability: BackwardReachability,
    pub(super) flight_search: FlightSearch,
    /// The cost of the take-offs that a rise of so many rows needs.
    pub(super) take_off_costs: Vec<u32>,
}

impl PlatformerScratch {
    /// Removes all nodes and makes room for levels of `layout`.
    pub(super) fn clear(&mut self, layout: GridLayout) {
        self.nodes.clear();
        if self.cells.len() < layout.padded_len() || self.search == u32::MAX {
            // Zeroed pages come from the system untouched, so only pages that a search visits take memory.
            self.cells = vec![CellSummary::default(); layout.padded_len()];
            self.search = 0;
        }
        self.search += 1;
    }

    #[inline]
    pub(super) fn node(&self, number: u32) -> &JumpNode {
        &self.nodes[number as usize]
    }

    /// The numbers of the nodes that the last search reached, without replaced ones.
    pub(super) fn reached(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.nodes).filter(|(_, node)| !node.is_replaced()).map(|(number, _)| number)
    }

    /// The summary of the cell at `index`.
    #[inline]
    pub(super) fn summary(&self, index: usize) -> CellSummary {
        self.cells[index]
    }

    /// Adds a node for `state` at padded column `x` and row `y`, whose index and summary are given, and
    /// returns its number. Adds none if a node there dominates it at no greater cost. Replaces nodes that it
    /// dominates at no greater cost.
    #[inline]
    pub(super) fn insert<const LIMITED: bool>(
        &mut self,
        table: &JumpTable,
        (x, y, index, summary): (u16, u16, usize, CellSummary),
        state: State,
        g: u32,
        parent: u32,
    ) -> Option<u32> {
        // The summary decides most insertions; the list is read only where a mask says that it matters.
        let mask = table.mask(state.value());
        let mut next = END;
        let (mut values, mut g_max) = (JumpTable::bit(state.value()), g);
        if summary.search == self.search {
            let may_be_dominated = summary.values & mask.dominating != 0;
            // With unique bits and without limits the bit is proof, and no node of the list costs more than
            // g.
            if !LIMITED && may_be_dominated && summary.g_max <= g {
                return None;
            }
            next = summary.first;
            if may_be_dominated || summary.values & mask.dominated != 0 && g <= summary.g_max {
                next = self.without_dominated::<LIMITED>(table, next, state, g)?;
            }
            // After a replacement the largest cost can be lower than this; the bound costs a look at most.
            (values, g_max) = (values | summary.values, g_max.max(summary.g_max));
        }
        let node = self.nodes.len() as u32;
        // At the front of its list, which has no order.
        self.nodes.push(JumpNode { x, y, state, g, parent, next });
        self.cells[index] = CellSummary { search: self.search, first: node, values, g_max };
        Some(node)
    }

    /// Removes from the list that begins with `first` the nodes that `state` dominates at no greater cost
    /// than `g`. Returns the new first one, or `None` if a node dominates `state` at no greater cost.
    fn without_dominated<const LIMITED: bool>(
        &mut self,
        table: &JumpTable,
        mut first: u32,
        state: State,
        g: u32,
    ) -> Option<u32> {
        let (mut number, mut before) = (first, END);
        while number != END {
            let node = self.nodes[number as usize];
            // No node is removed before this returns: a node that `state` dominated would be dominated by
            // this one, too.
            if node.g <= g && node.state.dominates::<LIMITED>(state, table) {
                return None;
            }
            if g <= node.g && state.dominates::<LIMITED>(node.state, table) {
                self.nodes[number as usize].next = REPLACED;
                if before == END {
                    first = node.next;
                } else {
                    self.nodes[before as usize].next = node.next;
                }
            } else {
                before = number;
            }
            number = node.next;
        }
        Some(first)
    }
}
