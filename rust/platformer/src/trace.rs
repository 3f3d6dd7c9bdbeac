//! From the nodes of a finished search to cells: flights have one node, at their end, and many cells.

use super::flights::FlightTable;
use super::nodes::{NO_NODE, PlatformerScratch};
use super::state::State;
use super::steps::Steps;
use pathforge_core::primitives::GridPoint;

/// A finished search, and what it took its steps from.
pub(super) struct Trace<'a> {
    pub(super) scratch: &'a PlatformerScratch,
    pub(super) flights: &'a FlightTable,
    pub(super) steps: &'a Steps<'a>,
}

impl Trace<'_> {
    /// The anchors and jump values from the start to node `number`.
    pub(super) fn path(&self, mut number: u32) -> Vec<(GridPoint, u8)> {
        let mut numbers = Vec::new();
        while number != NO_NODE {
            numbers.push(number);
            number = self.scratch.node(number).parent;
        }
        let mut found = Vec::new();
        numbers.iter().rev().for_each(|&number| self.arrive(number, &mut found));
        found
    }

    /// The anchors of all nodes and of the flights between them.
    pub(super) fn reached(&self) -> Vec<GridPoint> {
        let mut found = Vec::new();
        self.scratch.reached().for_each(|number| self.arrive(number, &mut found));
        found.into_iter().map(|(anchor, _)| anchor).collect()
    }

    /// Adds the anchors and jump values after the parent of node `number`.
    fn arrive(&self, number: u32, found: &mut Vec<(GridPoint, u8)>) {
        let Self { scratch, flights, steps } = self;
        let node = scratch.node(number);
        let mut arrive = |index, value| found.push((steps.anchor(index), value));
        if node.parent != NO_NODE {
            let before = scratch.node(node.parent);
            // No flight ends beside its start: what is there is a step away.
            if before.x.abs_diff(node.x) + before.y.abs_diff(node.y) > 1 {
                let (mut at, mut value) = (steps.index(before.x, before.y), State::GROUND.value());
                for to in flights.cells(steps, at, (node.x, node.y)) {
                    value = steps.value_after(value, at, to);
                    at = to;
                    arrive(at, value);
                }
                return;
            }
        }
        arrive(steps.index(node.x, node.y), node.state.value());
    }
}
