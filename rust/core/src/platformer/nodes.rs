use super::arc::JumpTable;
use crate::bitgrid::Shape;
use crate::search::Buckets;

/// The parent of the first node.
pub(super) const NO_NODE: u32 = u32::MAX;
/// The end of a cell's list.
const END: u32 = u32::MAX;
/// In place of the next node: this one was replaced by a better one.
const REPLACED: u32 = u32::MAX - 1;

/// What a character has used up: its jump value, and where the profile has limits, the cells that it has fallen
/// and the steps that it has made sideways in the air.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct State(u32);

impl State {
    /// On ground.
    pub(super) const GROUND: Self = Self(0);

    /// `fallen` and `run` are at most 4095.
    #[inline]
    pub(super) const fn new(value: u8, fallen: u32, run: u32) -> Self {
        Self(value as u32 | fallen << 8 | run << 20)
    }

    #[inline]
    pub(super) const fn value(self) -> u8 {
        self.0 as u8
    }

    #[inline]
    pub(super) const fn fallen(self) -> u32 {
        self.0 >> 8 & 0xfff
    }

    #[inline]
    pub(super) const fn run(self) -> u32 {
        self.0 >> 20
    }

    #[inline]
    fn dominates<const LIMITED: bool>(self, other: Self, table: &JumpTable) -> bool {
        table.dominates(self.value(), other.value())
            && (!LIMITED || self.fallen() <= other.fallen() && self.run() <= other.run())
    }
}

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
    /// Whether a node that dominates it at no greater cost has taken its place.
    #[inline]
    pub(super) const fn is_replaced(&self) -> bool {
        self.next == REPLACED
    }
}

/// The memory of a search, to be used again by the next one: after a few searches none allocates.
///
/// Each cell has a list of its nodes of which none dominates another at no greater cost. The lists begin in a sparse
/// set: an entry of `heads` means something only when the node that it names is at that cell, so nothing has to be
/// reset (Briggs & Torczon, *An Efficient Representation for Sparse Sets*, 1993).
#[derive(Clone, Debug, Default)]
pub struct PlatformerScratch {
    heads: Vec<u32>,
    nodes: Vec<JumpNode>,
    pub(super) frontier: Buckets,
}

impl PlatformerScratch {
    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.heads.capacity() * size_of::<u32>()
            + self.nodes.capacity() * size_of::<JumpNode>()
            + self.frontier.memory()
    }

    /// Forgets all nodes and makes room for levels of `shape`.
    pub(super) fn clear(&mut self, shape: Shape) {
        self.nodes.clear();
        if self.heads.len() < shape.padded_len() {
            // Zeros come from the system untouched, so only pages that a search visits take memory.
            self.heads = vec![0; shape.padded_len()];
        }
    }

    #[inline]
    pub(super) fn node(&self, number: u32) -> &JumpNode {
        &self.nodes[number as usize]
    }

    /// Every cell and state that the last search reached and that none better replaced, with its cost in units.
    pub(super) fn reached(&self) -> impl Iterator<Item = &JumpNode> {
        self.nodes.iter().filter(|node| !node.is_replaced())
    }

    /// Adds a node for `state` at padded column `x` and row `y`, whose place is `index`, unless one that is there
    /// dominates it at no greater cost; takes those out that it dominates at no greater cost. Returns its number.
    #[inline]
    pub(super) fn insert<const LIMITED: bool>(
        &mut self,
        table: &JumpTable,
        (x, y, index): (u16, u16, usize),
        state: State,
        g: u32,
        parent: u32,
    ) -> Option<u32> {
        let head = self.heads[index];
        let mut first = END;
        if self.nodes.get(head as usize).is_some_and(|node| node.x == x && node.y == y) {
            first = head;
            let (mut number, mut before) = (head, END);
            while number != END {
                let node = self.nodes[number as usize];
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
        }
        let number = self.nodes.len() as u32;
        self.nodes.push(JumpNode { x, y, state, g, parent, next: first });
        self.heads[index] = number;
        Some(number)
    }
}
