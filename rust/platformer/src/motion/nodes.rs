//! The memory of a search over stand cells: one node a cell, and the queue.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    /// The search that wrote the node.
    pub(super) search: u32,
    pub(super) cost: u32,
    pub(super) parent: u32,
    pub(super) via: u32,
    pub(super) is_closed: bool,
}

/// The memory of a search.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    pub(super) cells: Vec<Node>,
    pub(super) search: u32,
    heap: BinaryHeap<Reverse<(u32, Reverse<u32>, u32)>>,
}

impl Nodes {
    pub(super) fn begin(&mut self, cells: usize) {
        if self.cells.len() != cells || self.search == u32::MAX {
            self.cells.clear();
            self.cells.resize(cells, Node::default());
            self.search = 0;
        }
        self.search += 1;
        self.heap.clear();
    }

    pub(super) fn relax(&mut self, at: u32, cost: u32, estimate: u32, (parent, via): (u32, u32)) {
        let node = &mut self.cells[at as usize];
        if node.search == self.search && node.cost <= cost {
            return;
        }
        *node = Node { search: self.search, cost, parent, via, is_closed: false };
        self.heap.push(Reverse((cost + estimate, Reverse(cost), at)));
    }

    /// The cheapest cell that is open, and its cost.
    pub(super) fn pop(&mut self) -> Option<(u32, u32)> {
        while let Some(Reverse((_, Reverse(cost), at))) = self.heap.pop() {
            let node = &mut self.cells[at as usize];
            if !node.is_closed && node.cost == cost {
                node.is_closed = true;
                return Some((at, cost));
            }
        }
        None
    }
}
