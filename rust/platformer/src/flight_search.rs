//! The search within the flights from one cell: Dijkstra's algorithm over (cell, jump value), ended at every
//! landing.
//!
//! Straight above and below the start, a step sideways is left out where the body could have walked a cell
//! first and risen or fallen there:
//!
//! ```text
//! . > x     what goes up and then to x costs no less and can do no more than
//! ^   .     what walks and then goes up to x: a step sideways costs no less in the
//! S   # #   air, and adds to the jump value
//! # # #
//! ```
//!
//! That holds as far as the column beside fits the body, and on the way up as long as it does not land there.

use super::jump_table::JumpTable;
use super::state::State;
use super::steps::{Direction, Source, Stepper, Steps, Target};

/// Flights with more states are not kept: falls from great heights, which share most of their states with
/// those from the cells around.
const STATES_MAX: usize = 2048;
/// A node's number is its place in its list times this, plus the list's: a power of two above their number.
const LISTS_MAX: usize = 4;
/// The parent of the first node.
const NO_NODE: u32 = u32::MAX;

/// Padded columns and rows, both ends included.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bounds {
    pub(super) x: [u16; 2],
    pub(super) y: [u16; 2],
}

impl Bounds {
    const fn new(x: u16, y: u16) -> Self {
        Self { x: [x; 2], y: [y; 2] }
    }

    #[inline]
    pub(super) const fn contains(self, (x, y): (u16, u16)) -> bool {
        self.x[0] <= x && x <= self.x[1] && self.y[0] <= y && y <= self.y[1]
    }

    #[inline]
    fn add(&mut self, x: u16, y: u16) {
        self.x = [self.x[0].min(x), self.x[1].max(x)];
        self.y = [self.y[0].min(y), self.y[1].max(y)];
    }
}

/// A state that was reached.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FlightNode {
    pub(super) x: u16,
    pub(super) y: u16,
    state: State,
    pub(super) g: u32,
    parent: u32,
    /// The number of the state that was settled in this cell before, plus 1, where bits do not tell enough.
    next: u32,
}

/// Nodes in the order of their costs.
#[derive(Clone, Debug, Default)]
struct NodeList {
    /// As long as it can get, so that pushes need not ask.
    nodes: Vec<FlightNode>,
    count: usize,
    /// How many of them were taken.
    taken: usize,
}

/// What a search knows of a cell. Values are bits, see [`JumpTable::bit`].
#[derive(Clone, Copy, Debug, Default)]
struct FlightCell {
    /// The values that were reached at no greater cost than whatever is pushed from now on.
    reached: u32,
    /// The settled states; where bits do not tell enough, the number of the state that was settled last, plus
    /// 1.
    settled: u32,
}

/// The memory of a search.
///
/// A step costs one of three sums, so a list for each of them is in the order of costs by itself, and no
/// other queue is needed.
#[derive(Clone, Debug, Default)]
pub(super) struct FlightSearch {
    /// One for each padded cell.
    cells: Vec<FlightCell>,
    /// The nodes reached by a step up or sideways, by one down if that costs more, and by a take-off.
    lists: [NodeList; 3],
    landings: Vec<FlightNode>,
    bounds: Bounds,
}

impl FlightSearch {
    /// Finds the landings of all flights from the ground at `x`, `y`; `false` if there are too many states.
    pub(super) fn run<const LIMITED: bool>(&mut self, steps: &Steps, start: (u16, u16)) -> bool {
        if self.cells.len() < steps.cells() {
            // A state adds four at most before they are counted.
            let list = NodeList { nodes: vec![FlightNode::default(); STATES_MAX + 4], count: 0, taken: 0 };
            self.lists = [list.clone(), list.clone(), list];
            self.cells = vec![FlightCell::default(); steps.cells()];
        }
        self.landings.clear();
        let is_whole = self.settle_all::<LIMITED>(steps, start);
        self.landings.sort_unstable_by_key(|node| (node.y, node.x));
        for list in &mut self.lists {
            for node in &list.nodes[..list.count] {
                self.cells[steps.index(node.x, node.y)] = FlightCell::default();
            }
            (list.count, list.taken) = (0, 0);
        }
        is_whole
    }

    fn settle_all<const LIMITED: bool>(&mut self, steps: &Steps, (x, y): (u16, u16)) -> bool {
        self.bounds = Bounds::new(x, y);
        let index = steps.index(x, y);
        let first = FlightNode { x, y, parent: NO_NODE, ..FlightNode::default() };
        self.lists[0].nodes[0] = first;
        (self.lists[0].count, self.lists[0].taken) = (1, 1);
        self.settle::<LIMITED>(0, index, State::GROUND);
        let start = Source { x, y, index, state: State::GROUND, g: 0, number: 0 };
        // Beside it on ground is a walk, not a flight.
        let walks = [index - 1, index + 1].map(|index| steps.is_ground(index));
        steps.take::<_, LIMITED, true>(self, start, walks.map(|walks| !walks));
        // The last rows of the columns beside that a body could have risen and fallen to after a walk.
        let mut risen = walks.map(|walks| if walks { y } else { 0 });
        let mut fallen = walks.map(|walks| if walks { y } else { u16::MAX });
        while let Some(number) = self.pop() {
            let node = *self.node(number);
            let index = steps.index(node.x, node.y);
            // What is in the first list was looked at when it was pushed.
            let is_sure = !LIMITED && number.is_multiple_of(LISTS_MAX as u32);
            if !is_sure && self.is_settled::<LIMITED>(steps.table, index, node.state) {
                continue;
            }
            self.settle::<LIMITED>(number, index, node.state);
            self.bounds.add(node.x, node.y);
            if node.state == State::GROUND {
                self.landings.push(node);
                continue;
            }
            let mut sides = [true; 2];
            let beside = [index - 1, index + 1];
            if node.x != x {
                // Not straight above or below.
            } else if node.y < y && node.g == steps.jump_cost + u32::from(y - node.y) * steps.rise {
                for side in 0..2 {
                    // Rows come one after the other. To land right there is a flight of the cell beside as
                    // well.
                    let lands_before = risen[side] < y && steps.is_ground(beside[side] + steps.stride);
                    if risen[side] == node.y + 1 && steps.is_open(beside[side]) && !lands_before {
                        risen[side] = node.y;
                        sides[side] = false;
                    }
                }
            } else if node.y > y && node.g == u32::from(node.y - y) * steps.fall {
                for side in 0..2 {
                    if fallen[side] == node.y - 1 && steps.is_open(beside[side]) {
                        fallen[side] = node.y;
                        sides[side] = false;
                    }
                }
            }
            let from = Source { x: node.x, y: node.y, index, state: node.state, g: node.g, number };
            steps.take::<_, LIMITED, true>(self, from, sides);
            if self.lists.iter().any(|list| list.count > STATES_MAX) {
                return false;
            }
        }
        true
    }

    /// The ends of the flights, by row and column.
    pub(super) fn landings(&self) -> &[FlightNode] {
        &self.landings
    }

    /// All cells that the flights touch.
    pub(super) const fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// The directions of the steps to a landing, from the last to the first.
    pub(super) fn directions(&self, landing: &FlightNode) -> impl Iterator<Item = Direction> {
        let mut here = *landing;
        std::iter::from_fn(move || {
            if here.parent == NO_NODE {
                return None;
            }
            let before = *self.node(here.parent);
            let direction = Direction::between((before.x, before.y), (here.x, here.y));
            here = before;
            Some(direction)
        })
    }

    /// Takes a node of the least cost.
    #[inline]
    fn pop(&mut self) -> Option<u32> {
        let mut least = (u32::MAX, 0);
        for (number, list) in self.lists.iter().enumerate() {
            if list.taken < list.count {
                least = least.min((list.nodes[list.taken].g, number));
            }
        }
        let (g, number) = least;
        (g < u32::MAX).then(|| {
            let list = &mut self.lists[number];
            list.taken += 1;
            ((list.taken - 1) * LISTS_MAX + number) as u32
        })
    }

    #[inline]
    fn node(&self, number: u32) -> &FlightNode {
        &self.lists[number as usize % LISTS_MAX].nodes[number as usize / LISTS_MAX]
    }

    /// Returns `true` if a state that was settled in the cell dominates `state`.
    #[inline]
    fn is_settled<const LIMITED: bool>(&self, table: &JumpTable, index: usize, state: State) -> bool {
        let cell = self.cells[index];
        let dominating = table.mask(state.value()).dominating;
        if !LIMITED {
            return cell.settled & dominating != 0;
        }
        let mut number = cell.settled;
        while cell.reached & dominating != 0 && number != 0 {
            let node = self.node(number - 1);
            if node.state.dominates::<true>(state, table) {
                return true;
            }
            number = node.next;
        }
        false
    }

    #[inline]
    fn settle<const LIMITED: bool>(&mut self, number: u32, index: usize, state: State) {
        let cell = &mut self.cells[index];
        let bit = JumpTable::bit(state.value());
        cell.reached |= bit;
        if LIMITED {
            let next = std::mem::replace(&mut cell.settled, number + 1);
            self.lists[number as usize % LISTS_MAX].nodes[number as usize / LISTS_MAX].next = next;
        } else {
            cell.settled |= bit;
        }
    }
}

impl Stepper for FlightSearch {
    type Known = ();

    #[inline]
    fn known(&self, _index: usize) {}

    #[inline]
    fn reach<const LIMITED: bool>(
        &mut self,
        steps: &Steps,
        from: Source,
        to: Target<()>,
        state: State,
        cost: u32,
    ) {
        let list = if cost == steps.rise { 0 } else { 1 + usize::from(cost != steps.fall) };
        let cell = &mut self.cells[to.2];
        let mut is_new = cell.reached & steps.table.mask(state.value()).dominating == 0;
        if LIMITED {
            is_new = is_new || !self.is_settled::<true>(steps.table, to.2, state);
        } else if list == 0 && is_new {
            // Costs in this list never fall, and no other step costs less.
            cell.reached |= JumpTable::bit(state.value());
        }
        let list = &mut self.lists[list];
        // Written in any case, since whether it stays is hard to foretell.
        list.nodes[list.count] =
            FlightNode { x: to.0, y: to.1, state, g: from.g + cost, parent: from.number, next: 0 };
        list.count += usize::from(is_new);
    }
}
