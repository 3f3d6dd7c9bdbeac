use super::arc::JumpTable;
use super::backward::Backward;
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
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

/// What is known of a cell's list, kept with the cell so that most steps to a cell look at nothing else.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slot {
    /// The search that the rest belongs to.
    search: u32,
    /// The first node.
    node: u32,
    /// The bits of the values in the list, see [`JumpTable::bit`].
    values: u32,
    /// No node of the list costs more.
    g_max: u32,
}

/// The memory of a search, to be used again by the next one: after a few searches none allocates.
///
/// Each cell has a list of its nodes of which none dominates another at no greater cost.
#[derive(Clone, Debug, Default)]
pub struct PlatformerScratch {
    /// The number of this search; slots of others are empty.
    search: u32,
    slots: Vec<Slot>,
    nodes: Vec<JumpNode>,
    pub(super) frontier: Buckets,
    pub(super) backward: Backward,
    /// What the take-offs cost that it takes to rise so many rows.
    pub(super) take_off_costs: Vec<u32>,
}

impl PlatformerScratch {
    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>()
            + self.nodes.capacity() * size_of::<JumpNode>()
            + self.frontier.memory()
            + self.backward.memory()
    }

    /// Forgets all nodes and makes room for levels of `shape`.
    pub(super) fn clear(&mut self, shape: Shape) {
        self.nodes.clear();
        if self.slots.len() < shape.padded_len() || self.search == u32::MAX {
            // Zeros come from the system untouched, so only pages that a search visits take memory.
            self.slots = vec![Slot::default(); shape.padded_len()];
            self.search = 0;
        }
        self.search += 1;
    }

    #[inline]
    pub(super) fn node(&self, number: u32) -> &JumpNode {
        &self.nodes[number as usize]
    }

    /// Every cell and state that the last search reached and that none better replaced, with its cost in units.
    pub(super) fn reached(&self) -> impl Iterator<Item = &JumpNode> {
        self.nodes.iter().filter(|node| !node.is_replaced())
    }

    /// What is known of the cell at `index` so far. Whoever looks at all cells around a place before it steps to any waits
    /// for memory once.
    #[inline]
    pub(super) fn slot(&self, index: usize) -> Slot {
        self.slots[index]
    }

    /// Adds a node for `state` at padded column `x` and row `y`, whose place is `index` and of which `slot` is known, unless
    /// one that is there dominates it at no greater cost; takes those out that it dominates at no greater cost. Returns
    /// its number.
    #[inline]
    pub(super) fn insert<const LIMITED: bool>(
        &mut self,
        table: &JumpTable,
        (x, y, index, slot): (u16, u16, usize, Slot),
        state: State,
        g: u32,
        parent: u32,
    ) -> Option<u32> {
        let kin = table.kin(state.value());
        let mut next = END;
        let (mut values, mut g_max) = (JumpTable::bit(state.value()), g);
        if slot.search == self.search {
            let may_be_dominated = slot.values & kin.dominating != 0;
            if !LIMITED && may_be_dominated && slot.g_max <= g {
                return None;
            }
            next = slot.node;
            if may_be_dominated || slot.values & kin.dominated != 0 && g <= slot.g_max {
                next = self.without_dominated::<LIMITED>(table, next, state, g)?;
            }
            (values, g_max) = (values | slot.values, g_max.max(slot.g_max));
        }
        let node = self.nodes.len() as u32;
        self.nodes.push(JumpNode { x, y, state, g, parent, next });
        self.slots[index] = Slot { search: self.search, node, values, g_max };
        Some(node)
    }

    /// Takes the nodes out of the list from `first` on that `state` dominates at no greater cost than `g`; returns the
    /// new first one, or `None` when one of them dominates `state` at no greater cost.
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
