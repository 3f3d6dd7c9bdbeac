use crate::primitives::{Frontier, GridPoint};

use super::cluster::{Cluster, UNREACHED};

/// No state: the parent of states that the start reaches.
pub(super) const NO_STATE: u32 = u32::MAX;

/// The label of a transition in one of the clusters or blocks that share it.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub(super) g: u32,
    /// The state that it was reached from.
    pub(super) parent: u32,
    /// The index of its cluster or block among the opened ones.
    pub(super) group: u32,
    /// If `true`, the edges from the transition have been tried with this cost.
    pub(super) is_done: bool,
}

/// A cluster or block that a search has opened.
#[derive(Clone, Copy)]
pub(super) struct Group<'a> {
    /// Clusters are counted first, then blocks.
    pub(super) number: u32,
    pub(super) is_block: bool,
    /// The state of its first transition.
    pub(super) base: u32,
    pub(super) cluster: &'a Cluster,
}

impl Group<'_> {
    /// The transition of one of its states.
    pub(super) fn point(&self, state: u32) -> GridPoint {
        self.cluster.transitions()[(state - self.base) as usize]
    }
}

/// The memory of a search over transitions, to be used again by the next one.
///
/// The states of a cluster or block lie side by side, so that trying the edges through it stays within a few
/// cache lines. A transition that several of them share has a state in each. The first of these that leaves
/// the queue at the minimum cost expands the transition through all of them.
#[derive(Clone, Debug, Default)]
pub(super) struct AbstractStates {
    /// By cluster, then by block: its place among the opened groups. Valid only if the group at that place
    /// has this number, so slots that an earlier search wrote need no reset (a sparse set).
    pub(super) slots: Vec<u32>,
    pub(super) states: Vec<State>,
    pub(super) frontier: Frontier,
}

impl AbstractStates {
    /// Forgets all states, and makes room for `groups` clusters and blocks.
    pub(super) fn clear(&mut self, groups: usize) {
        // Any number will do in a new slot, since the group that it names decides.
        if self.slots.len() < groups {
            self.slots = vec![0; groups];
        }
        self.states.clear();
    }

    /// Adds a state for each of the `transitions` of the group at place `group`; returns the number of the
    /// first state.
    pub(super) fn add(&mut self, group: u32, transitions: usize) -> u32 {
        // Appended, never removed during a search, so numbers of states stay valid as parents.
        let base = self.states.len();
        let fresh = State { g: UNREACHED, parent: NO_STATE, group, is_done: false };
        self.states.resize(base + transitions, fresh);
        base as u32
    }
}
