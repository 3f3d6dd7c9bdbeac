//! A\* over (cell, jump value) with dominance, on an integer bucket queue.
//!
//! Exact: finds a path of the least cost in the model of [`super::jump_table`]. Takes time in proportion to the states
//! expanded; once those are as many as the layer has words, [`super::reachability`] removes cells that cannot lead to
//! the goal. Everything here works on anchors in padded columns and rows.

use super::BodyLayers;
use super::jump_table::{JumpTable, NONE};
use super::nodes::{CellSummary, NO_NODE, PlatformerScratch, State};
use super::profile::JumpProfile;
use crate::bitgrid::{BitGrid, PaddedIndex};
use crate::cost::{Cost, STRAIGHT};
use crate::pages::WordPages;
use crate::primitives::{GridPoint, SearchEnd};

/// The outcome of a search and its statistics.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct JumpSearchResult {
    pub(super) end: SearchEnd,
    /// Cost of the path in units; meaningless unless found.
    pub(super) cost: u32,
    pub(super) expanded: u32,
    pub(super) generated: u32,
    /// The anchor and the jump value of every step, start and goal included. Empty unless found.
    pub(super) steps: Vec<(GridPoint, u8)>,
}

/// Finds a path of the least cost from `start` to `goal`, at both of which the body must fit. `profile` must be valid,
/// and `table` its own. Stops after `expansions_max` expansions.
pub(super) fn search(
    layers: &BodyLayers,
    profile: &JumpProfile,
    table: &JumpTable,
    (start, goal): (GridPoint, GridPoint),
    expansions_max: u32,
    scratch: &mut PlatformerScratch,
) -> JumpSearchResult {
    // Most profiles have no limits and few values. For them dominance is decided by bits, and the counts are compiled
    // away.
    if profile.max_air_run == 0 && profile.max_fall == 0 && table.has_unique_bits() {
        run::<false>(layers, profile, table, (start, goal), expansions_max, scratch)
    } else {
        run::<true>(layers, profile, table, (start, goal), expansions_max, scratch)
    }
}

/// A consistent lower bound on the cost from a state to the goal: the steps across, up and down, and the take-offs that
/// the rise needs.
///
/// Exact distances backwards from the goal, jump values aside, were measured as a bound: expansions fall by 5 to 60 %,
/// but settling 6,000 to 27,000 cells for that costs more than it saves.
struct Heuristic {
    goal: GridPoint,
    rise: u32,
    fall: u32,
    /// The cost of the take-offs that a rise of so many rows needs.
    take_off_costs: Vec<u32>,
}

impl Heuristic {
    /// The bound for paths to `goal`; reuses the memory of `take_off_costs`.
    fn new(profile: &JumpProfile, goal: GridPoint, rows: usize, mut take_off_costs: Vec<u32>) -> Self {
        // Every step up or down pays for the air; a step sideways may be a walk.
        let rise = STRAIGHT + profile.air_cost;
        // 1 keeps the division defined for bodies that cannot jump, which never rise.
        let height = profile.max_jump_height.max(1);
        take_off_costs.clear();
        // A table, since the division would run for every state that is generated.
        take_off_costs.extend((0..rows as u32).map(|row| row.div_ceil(height) * profile.jump_cost));
        Self { goal, rise, fall: rise + profile.fall_cost, take_off_costs }
    }

    #[inline]
    fn at(&self, x: u16, y: u16, rise_left: u8) -> u32 {
        let (x, y) = (u32::from(x), u32::from(y));
        let across = x.abs_diff(self.goal.x()) * STRAIGHT;
        if y > self.goal.y() {
            // Rows that the jump under way still covers need no take-off.
            let rows = y - self.goal.y();
            across
                + rows * self.rise
                + self.take_off_costs[rows.saturating_sub(u32::from(rise_left)) as usize]
        } else {
            across + (self.goal.y() - y) * self.fall
        }
    }
}

struct Search<'a> {
    /// One bit for each cell that may be stepped to.
    open: &'a WordPages,
    ground: &'a BitGrid,
    ceiling: &'a BitGrid,
    table: &'a JumpTable,
    heuristic: Heuristic,
    stride: usize,
    /// The profile's limits; `u32::MAX` for none.
    air_run_max: u32,
    fall_max: u32,
    jump_cost: u32,
    scratch: &'a mut PlatformerScratch,
    result: JumpSearchResult,
    /// `true` if a state lies beyond the largest cost.
    overflowed: bool,
}

/// The state that is expanded.
#[derive(Clone, Copy)]
struct Source {
    x: u16,
    y: u16,
    index: usize,
    state: State,
    g: u32,
    number: u32,
}

/// Column, row, index and summary of a cell that is stepped to.
type Target = (u16, u16, usize, CellSummary);

/// Returns the state of a body at `start`. In the air its jump is spent, unless the profile has another value.
fn start_state(layers: &BodyLayers, profile: &JumpProfile, table: &JumpTable, start: GridPoint) -> State {
    if layers.ground().get(start.index(layers.fits().layout())) {
        return State::GROUND;
    }
    let spent = table.spent();
    State::new(profile.air_start_value.map_or(spent, |value| value.min(u32::from(spent)) as u8), 0, 0)
}

fn run<const LIMITED: bool>(
    layers: &BodyLayers,
    profile: &JumpProfile,
    table: &JumpTable,
    (start, goal): (GridPoint, GridPoint),
    expansions_max: u32,
    scratch: &mut PlatformerScratch,
) -> JumpSearchResult {
    let layout = layers.fits().layout();
    let limit = |max: u32| if max == 0 { u32::MAX } else { max };
    let heuristic = Heuristic::new(profile, goal, layout.rows(), std::mem::take(&mut scratch.take_off_costs));
    let start_state = start_state(layers, profile, table, start);
    scratch.clear(layout);
    let (start_x, start_y) = (start.x() as u16, start.y() as u16);
    let key = heuristic.at(start_x, start_y, table.moves(start_state.value()).rise_left);
    // The queue's window: a step costs at most a fall and a take-off, and raises the bound by at most a fall and two
    // take-offs.
    scratch.frontier.clear(key, 2 * heuristic.fall + 3 * profile.jump_cost);
    // Taken out of the scratch memory, since the search borrows the rest of it.
    let mut reachability = std::mem::take(&mut scratch.reachability);
    let mut search = Search {
        open: layers.fits().words(),
        ground: layers.ground(),
        ceiling: layers.ceiling(),
        table,
        heuristic,
        stride: layout.stride(),
        air_run_max: limit(profile.max_air_run),
        fall_max: limit(profile.max_fall),
        jump_cost: profile.jump_cost,
        scratch: &mut *scratch,
        result: JumpSearchResult {
            end: SearchEnd::Exhausted,
            cost: 0,
            expanded: 0,
            generated: 1,
            steps: Vec::new(),
        },
        overflowed: false,
    };
    let index = start.index(layout).get();
    let at = (start_x, start_y, index, search.scratch.summary(index));
    if let Some(first) = search.scratch.insert::<LIMITED>(table, at, start_state, 0, NO_NODE) {
        search.scratch.frontier.push(key, first);
    }
    // Reachability takes about as long as this many expansions, so it doubles the time of a search at worst. Short
    // searches never pay for it; long ones may end at once, or lose the cells that cannot lead to the goal.
    let expansions_before = layout.words() as u32;
    let mut end = search.advance::<LIMITED>(goal, expansions_max.min(expansions_before));
    if end == SearchEnd::Limit && search.result.expanded == expansions_before {
        if let Some(viable) = reachability.compute(layers, (start, goal), profile.max_jump_height) {
            search.open = viable;
        }
        end = search.advance::<LIMITED>(goal, expansions_max);
    }
    // If states were dropped for their cost, a path may exist that costs more than can be counted.
    search.result.end = if end == SearchEnd::Exhausted && search.overflowed { SearchEnd::Limit } else { end };
    let Search { heuristic, result, .. } = search;
    scratch.take_off_costs = heuristic.take_off_costs;
    scratch.reachability = reachability;
    result
}

impl Search<'_> {
    /// Expands states until the goal is reached, none is left, or `expansions_max` states were expanded.
    fn advance<const LIMITED: bool>(&mut self, goal: GridPoint, expansions_max: u32) -> SearchEnd {
        while let Some((key, number)) = self.scratch.frontier.pop() {
            let node = *self.scratch.node(number);
            let index = node.y as usize * self.stride + node.x as usize;
            // Cells can have stopped being open since the node was pushed: see `run`.
            if node.is_replaced() || !self.is_open(PaddedIndex::new(index)) {
                continue;
            }
            if GridPoint::new(u32::from(node.x), u32::from(node.y)) == goal {
                self.result.cost = node.g;
                self.result.steps = trace(self.scratch, number);
                return SearchEnd::Found;
            }
            if self.result.expanded >= expansions_max {
                // Back into the queue, since the search may go on.
                self.scratch.frontier.push(key, number);
                return SearchEnd::Limit;
            }
            self.result.expanded += 1;
            self.expand::<LIMITED>(Source {
                x: node.x,
                y: node.y,
                index,
                state: node.state,
                g: node.g,
                number,
            });
        }
        SearchEnd::Exhausted
    }

    #[inline]
    fn is_open(&self, index: PaddedIndex) -> bool {
        self.open[index.word()] >> index.bit() & 1 == 1
    }

    /// Takes every step from a state.
    #[inline]
    fn expand<const LIMITED: bool>(&mut self, from: Source) {
        let moves = *self.table.moves(from.state.value());
        let Source { x, y, index, .. } = from;
        // All four summaries are read before any step, so that their cache misses overlap: 1.1 to 1.3 times as fast,
        // together with the mask of values in them.
        let [below, above, left, right] = [index + self.stride, index - self.stride, index - 1, index + 1]
            .map(|i| (i, self.scratch.summary(i)));
        // The queue is last in, first out within a bucket, so steps sideways, which come last, are expanded first.
        if !LIMITED || from.state.fallen() < self.fall_max {
            let next = [moves.down; 2];
            self.step::<LIMITED>(from, (x, y + 1, below.0, below.1), next, self.heuristic.fall, (1, 0));
        }
        if moves.up[0] != NONE {
            let cost = self.heuristic.rise + if moves.takes_off { self.jump_cost } else { 0 };
            self.step::<LIMITED>(from, (x, y - 1, above.0, above.1), moves.up, cost, (0, 0));
        }
        if moves.side[0] != NONE {
            self.step_sideways::<LIMITED>(from, (x - 1, y, left.0, left.1), moves.side);
            self.step_sideways::<LIMITED>(from, (x + 1, y, right.0, right.1), moves.side);
        }
    }

    #[inline]
    fn step_sideways<const LIMITED: bool>(&mut self, from: Source, to: Target, next: [u8; 2]) {
        // From ground to ground is a walk: it costs no air, and no ceiling stops it.
        let starts_on_ground = self.ground.get(PaddedIndex::new(from.index));
        if starts_on_ground && self.ground.get(PaddedIndex::new(to.2)) {
            self.reach::<LIMITED>(from, to, State::GROUND, STRAIGHT);
            return;
        }
        if LIMITED && from.state.air_run() >= self.air_run_max {
            return;
        }
        self.step::<LIMITED>(from, to, next, self.heuristic.rise, (0, 1));
    }

    /// Takes a step with an end in the air, which adds so many cells fallen and steps sideways.
    #[inline]
    fn step<const LIMITED: bool>(
        &mut self,
        from: Source,
        to: Target,
        next: [u8; 2],
        cost: u32,
        (fallen, air_run): (u32, u32),
    ) {
        let index = PaddedIndex::new(to.2);
        if !self.is_open(index) {
            return;
        }
        let value = next[usize::from(self.ceiling.get(index))];
        if value == NONE {
            return;
        }
        let state = if self.ground.get(index) {
            State::GROUND
        } else if LIMITED {
            // A count without a limit stays 0: it would keep states from dominating each other for nothing.
            let counted = |max: u32, sum: u32| if max == u32::MAX { 0 } else { sum };
            State::new(
                value,
                counted(self.fall_max, from.state.fallen() + fallen),
                counted(self.air_run_max, from.state.air_run() + air_run),
            )
        } else {
            State::new(value, 0, 0)
        };
        self.reach::<LIMITED>(from, to, state, cost);
    }

    /// Adds a state to the queue unless one in its cell dominates it.
    #[inline]
    fn reach<const LIMITED: bool>(&mut self, from: Source, to: Target, state: State, cost: u32) {
        let g = from.g + cost;
        let Some(number) = self.scratch.insert::<LIMITED>(self.table, to, state, g, from.number) else {
            return;
        };
        let f = g + self.heuristic.at(to.0, to.1, self.table.moves(state.value()).rise_left);
        if f >= Cost::MAX.units() {
            self.overflowed = true;
            return;
        }
        self.scratch.frontier.push(f, number);
        self.result.generated += 1;
    }
}

/// The anchors and jump values from the start to node `number`.
fn trace(scratch: &PlatformerScratch, mut number: u32) -> Vec<(GridPoint, u8)> {
    let mut steps = Vec::new();
    while number != NO_NODE {
        let node = scratch.node(number);
        steps.push((GridPoint::new(u32::from(node.x), u32::from(node.y)), node.state.value()));
        number = node.parent;
    }
    steps.reverse();
    steps
}
