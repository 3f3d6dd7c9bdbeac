//! How a search keeps the cells that it reaches: joined to their parents by hash, or a label for each cell of
//! the map.
//!
//! Jump points on uniform cost lie far apart: a list and a hash table of them stay in the nearest caches.
//! Where costs differ, most cells along a path are reached, and a word for each cell takes less time to look
//! up.

use super::cost_policy::{CostPolicy, LINK_ARRIVAL, NO_ARRIVAL, PackedCosts, Step};
use crate::bitgrid::{GridLayout, PaddedIndex};
use crate::geometry::{DiagonalMode, Direction};
use crate::primitives::{Estimate, GridPoint, NO_NODE, NodeTable, SearchNode, VisitedCells};

/// A cell that is expanded.
#[derive(Clone, Copy)]
pub(super) struct Node<O> {
    pub(super) point: GridPoint,
    pub(super) index: PaddedIndex,
    pub(super) g: u32,
    /// Number of the direction that it was reached in; [`NO_ARRIVAL`] for the start, [`LINK_ARRIVAL`] behind a
    /// link.
    pub(super) arrival: u8,
    /// What is told of the node where it leads to another.
    pub(super) origin: O,
}

/// The cells that a search has reached.
pub(super) trait Nodes {
    /// What a cell keeps of the node that it was reached from.
    type Origin: Copy;
    /// The origin of a search's start.
    const NO_ORIGIN: Self::Origin;

    /// Returns `false` if the cell at `index` is known to be reached at no greater cost; may note the
    /// arrival.
    fn improve(&mut self, index: usize, g: u32, arrival: u8) -> bool;

    /// As [`Nodes::improve`], for a cell that is passed on the way to others.
    fn pass(&mut self, index: usize, g: u32, arrival: u8) -> bool;

    /// Returns the frontier's entry for a cell that was improved; `None` if it was reached at no greater
    /// cost.
    fn enter(&mut self, point: GridPoint, g: u32, arrival: u8, origin: Self::Origin) -> Option<u32>;

    /// Returns the node of an entry with key `f`, to be expanded; `None` if the entry is out of date.
    fn take(
        &mut self,
        f: u32,
        entry: u32,
        heuristic: &impl Estimate,
        layout: GridLayout,
    ) -> Option<Node<Self::Origin>>;

    /// Returns the turning points of the path from the start to `goal`, which was taken, and the places of the
    /// ends of links among them.
    fn trace(&self, goal: Node<Self::Origin>, layout: GridLayout) -> (Vec<GridPoint>, Vec<u32>);
}

/// Nodes by hash, each with the number of its parent.
pub(super) struct Parents<'a> {
    pub(super) table: &'a mut NodeTable,
    pub(super) mode: DiagonalMode,
}

impl Nodes for Parents<'_> {
    type Origin = u32;
    const NO_ORIGIN: u32 = NO_NODE;

    #[inline]
    fn improve(&mut self, _: usize, _: u32, _: u8) -> bool {
        // Told by `enter`: a look-up takes longer than to find that the node leads to no better goal.
        true
    }

    #[inline]
    fn pass(&mut self, _: usize, _: u32, _: u8) -> bool {
        true
    }

    #[allow(clippy::inline_always, reason = "`count_queries plain`: a call costs 2 % of the instructions")]
    #[inline(always)]
    fn enter(&mut self, point: GridPoint, g: u32, arrival: u8, parent: u32) -> Option<u32> {
        match self.table.find(point) {
            Ok(number) => {
                let node = self.table.node_mut(number);
                if node.g <= g {
                    return None;
                }
                (node.g, node.parent, node.arrival) = (g, parent, arrival);
                Some(number)
            }
            Err(free) => Some(self.table.insert(free, SearchNode { point, arrival, g, parent })),
        }
    }

    #[inline]
    fn take(
        &mut self,
        f: u32,
        entry: u32,
        heuristic: &impl Estimate,
        layout: GridLayout,
    ) -> Option<Node<u32>> {
        let &SearchNode { point, arrival, g, .. } = self.table.node(entry);
        // Otherwise it was reached at less since, and was taken with that cost.
        let is_current = g + heuristic.estimate(point.x(), point.y()) == f;
        is_current.then_some(Node { point, index: point.index(layout), g, arrival, origin: entry })
    }

    /// Between a node and its parent the path goes diagonally first, or vertically where there are no
    /// diagonal steps.
    fn trace(&self, goal: Node<u32>, _: GridLayout) -> (Vec<GridPoint>, Vec<u32>) {
        // Most short paths have so few turning points: one allocation for them.
        let mut waypoints = Vec::with_capacity(8);
        let mut link_ends = Vec::new();
        waypoints.push(goal.point);
        let mut node = self.table.node(goal.origin);
        while node.parent != NO_NODE {
            let parent = self.table.node(node.parent);
            if node.arrival == LINK_ARRIVAL {
                link_ends.push(waypoints.len() as u32);
            } else {
                let turn = turning_point(self.mode, parent.point, node.point);
                if turn != node.point && turn != parent.point {
                    waypoints.push(turn);
                }
            }
            waypoints.push(parent.point);
            node = parent;
        }
        waypoints.reverse();
        link_ends.reverse();
        // Counted from the goal up to now, and one more than the place.
        for end in &mut link_ends {
            *end = waypoints.len() as u32 - *end;
        }
        (waypoints, link_ends)
    }
}

/// Returns the cell at which the path from a node to one of its successors turns; `from` or `to` if it is
/// straight.
fn turning_point(mode: DiagonalMode, from: GridPoint, to: GridPoint) -> GridPoint {
    if mode == DiagonalMode::Never {
        return GridPoint::new(from.x(), to.y());
    }
    let diagonal = from.x().abs_diff(to.x()).min(from.y().abs_diff(to.y()));
    let along = |from: u32, to: u32| if to >= from { from + diagonal } else { from - diagonal };
    GridPoint::new(along(from.x(), to.x()), along(from.y(), to.y()))
}

/// A label for each cell: its cost, and the direction that it was reached in.
pub(super) struct Labels<'a> {
    pub(super) visited: VisitedCells<'a>,
    pub(super) costs: PackedCosts<'a>,
}

impl Nodes for Labels<'_> {
    type Origin = ();
    const NO_ORIGIN: () = ();

    #[inline]
    fn improve(&mut self, index: usize, g: u32, arrival: u8) -> bool {
        self.visited.improve(index, g, arrival)
    }

    #[inline]
    fn pass(&mut self, index: usize, g: u32, arrival: u8) -> bool {
        self.visited.pass(index, g, arrival)
    }

    #[inline]
    fn enter(&mut self, point: GridPoint, _: u32, _: u8, (): ()) -> Option<u32> {
        Some(point.packed())
    }

    #[inline]
    fn take(&mut self, _: u32, entry: u32, _: &impl Estimate, layout: GridLayout) -> Option<Node<()>> {
        let point = GridPoint::from_packed(entry);
        let index = point.index(layout);
        // A cell's entry of least cost comes first, since the heuristic is consistent; entries of higher cost
        // are left over.
        let (g, arrival) = self.visited.expand(index.get())?;
        Some(Node { point, index, g, arrival, origin: () })
    }

    fn trace(&self, goal: Node<()>, layout: GridLayout) -> (Vec<GridPoint>, Vec<u32>) {
        let Node { mut point, mut g, mut arrival, .. } = goal;
        let mut waypoints = vec![point];
        // Ends at the start, whose arrival is no direction.
        while let Some(&direction) = Direction::ALL.get(usize::from(arrival)) {
            let step = self.costs.step_onto(point.index(layout).get());
            let step = if direction.is_diagonal() { step.diagonal() } else { step.straight() };
            // Cells that a scan passed over have no label, or one of another path. All of them cost what the
            // last one does, so the first whose label has just the cost that is left lies on a path of
            // minimum cost.
            let before = loop {
                point = point.before(direction);
                g -= step;
                let label = self.visited.label(point.index(layout).get());
                if let Some((_, before)) = label.filter(|&(cost, _)| cost == g) {
                    break before;
                }
            };
            if before != arrival {
                waypoints.push(point);
            }
            arrival = before;
        }
        debug_assert_eq!((g, arrival), (0, NO_ARRIVAL), "a path begins at the start");
        waypoints.reverse();
        (waypoints, Vec::new())
    }
}
