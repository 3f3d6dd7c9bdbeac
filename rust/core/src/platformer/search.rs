//! A* over cells and jump values, on an integer bucket frontier.
//!
//! Everything here works with the character's top-left cell in padded columns and rows, which is what layers are
//! anchored at.

use super::BodyLayers;
use super::arc::{JumpTable, NONE};
use super::nodes::{NO_NODE, PlatformerScratch, Slot, State};
use super::profile::JumpProfile;
use crate::bitgrid::{BitGrid, PaddedIndex};
use crate::cost::{Cost, STRAIGHT};
use crate::pages::WordPages;
use crate::search::{SearchEnd, Spot};

/// What a search found and what it did for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct JumpSearchResult {
    pub(super) end: SearchEnd,
    /// Cost of the way in units; meaningless unless found.
    pub(super) cost: u32,
    pub(super) expanded: u32,
    pub(super) generated: u32,
    /// Every place of the way, start and goal included. Empty unless found.
    pub(super) spots: Vec<Spot>,
}

/// Finds a cheapest way from `start` to `goal`, which must be places where the character fits. `profile` must be valid,
/// and `table` its own. Stops after `expansions_max` expansions.
pub(super) fn search(
    layers: &BodyLayers,
    profile: &JumpProfile,
    table: &JumpTable,
    (start, goal): (Spot, Spot),
    expansions_max: u32,
    scratch: &mut PlatformerScratch,
) -> JumpSearchResult {
    if profile.max_air_run == 0 && profile.max_fall == 0 && table.has_a_bit_each() {
        run::<false>(layers, profile, table, (start, goal), expansions_max, scratch)
    } else {
        run::<true>(layers, profile, table, (start, goal), expansions_max, scratch)
    }
}

/// A lower bound on the cost from a state to the goal that never falls by more than a step costs: the way there step
/// by step, and the take-offs that are needed to rise to it.
struct Estimate {
    goal: Spot,
    rise: u32,
    fall: u32,
    /// What the take-offs cost that it takes to rise so many rows.
    take_off_costs: Vec<u32>,
}

impl Estimate {
    /// The bound for ways to `goal`, in memory that is used again.
    fn new(profile: &JumpProfile, goal: Spot, rows: usize, mut take_off_costs: Vec<u32>) -> Self {
        let rise = STRAIGHT + profile.air_cost;
        let height = profile.max_jump_height.max(1);
        take_off_costs.clear();
        take_off_costs.extend((0..rows as u32).map(|row| row.div_ceil(height) * profile.jump_cost));
        Self { goal, rise, fall: rise + profile.fall_cost, take_off_costs }
    }

    #[inline]
    fn of(&self, x: u16, y: u16, rise_left: u8) -> u32 {
        let across = u32::from(x.abs_diff(self.goal.x)) * STRAIGHT;
        if y > self.goal.y {
            let rows = u32::from(y - self.goal.y);
            across
                + rows * self.rise
                + self.take_off_costs[rows.saturating_sub(u32::from(rise_left)) as usize]
        } else {
            across + u32::from(self.goal.y - y) * self.fall
        }
    }
}

struct Search<'a> {
    /// One bit for each cell that may be stepped to.
    open: &'a WordPages,
    ground: &'a BitGrid,
    ceiling: &'a BitGrid,
    table: &'a JumpTable,
    estimate: Estimate,
    stride: usize,
    /// Limits; `u32::MAX` when there are none.
    run_max: u32,
    fall_max: u32,
    jump_cost: u32,
    scratch: &'a mut PlatformerScratch,
    result: JumpSearchResult,
    /// Whether some state lies beyond the largest cost.
    overflowed: bool,
}

/// The state that is expanded.
#[derive(Clone, Copy)]
struct Place {
    x: u16,
    y: u16,
    index: usize,
    state: State,
    g: u32,
    number: u32,
}

/// Column, row and place of a cell that is stepped to, and what is known of it.
type Target = (u16, u16, usize, Slot);

fn run<const LIMITED: bool>(
    layers: &BodyLayers,
    profile: &JumpProfile,
    table: &JumpTable,
    (start, goal): (Spot, Spot),
    expansions_max: u32,
    scratch: &mut PlatformerScratch,
) -> JumpSearchResult {
    let shape = layers.fits().shape();
    let limit = |max: u32| if max == 0 { u32::MAX } else { max };
    let estimate = Estimate::new(profile, goal, shape.rows(), std::mem::take(&mut scratch.take_off_costs));
    let start_state = if layers.ground().get(start.index(shape)) {
        State::GROUND
    } else {
        let value = profile.air_start_value.map_or(table.spent(), |v| v.min(u32::from(table.spent())) as u8);
        State::new(value, 0, 0)
    };
    scratch.clear(shape);
    let key = estimate.of(start.x, start.y, table.moves(start_state.value()).rise_left);
    // A step costs at most a fall and a take-off, and leads away from the goal by at most a fall and two take-offs.
    scratch.frontier.clear(key, 2 * estimate.fall + 3 * profile.jump_cost);
    let mut backward = std::mem::take(&mut scratch.backward);
    let mut search = Search {
        open: layers.fits().words(),
        ground: layers.ground(),
        ceiling: layers.ceiling(),
        table,
        estimate,
        stride: shape.stride(),
        run_max: limit(profile.max_air_run),
        fall_max: limit(profile.max_fall),
        jump_cost: profile.jump_cost,
        scratch: &mut *scratch,
        result: JumpSearchResult {
            end: SearchEnd::Exhausted,
            cost: 0,
            expanded: 0,
            generated: 1,
            spots: Vec::new(),
        },
        overflowed: false,
    };
    let index = start.index(shape).get();
    let at = (start.x, start.y, index, search.scratch.slot(index));
    if let Some(first) = search.scratch.insert::<LIMITED>(table, at, start_state, 0, NO_NODE) {
        search.scratch.frontier.push(key, first);
    }
    let before_look = shape.words() as u32;
    let mut end = search.advance::<LIMITED>(goal, expansions_max.min(before_look));
    if end == SearchEnd::Limit && search.result.expanded == before_look {
        // It takes long: a look back from the goal, which takes no longer than the search did so far, may tell that there
        // is no way, and else where there is none.
        if let Some(leading) = backward.look(layers, (start, goal), profile.max_jump_height) {
            search.open = leading;
        }
        end = search.advance::<LIMITED>(goal, expansions_max);
    }
    search.result.end = if end == SearchEnd::Exhausted && search.overflowed { SearchEnd::Limit } else { end };
    let Search { estimate, result, .. } = search;
    scratch.take_off_costs = estimate.take_off_costs;
    scratch.backward = backward;
    result
}

impl Search<'_> {
    /// Expands states until the goal is reached, nothing is left, or `expansions_max` states were expanded.
    fn advance<const LIMITED: bool>(&mut self, goal: Spot, expansions_max: u32) -> SearchEnd {
        while let Some((key, number)) = self.scratch.frontier.pop() {
            let node = *self.scratch.node(number);
            let index = node.y as usize * self.stride + node.x as usize;
            if node.is_replaced() || !self.is_open(PaddedIndex::new(index)) {
                continue;
            }
            if (node.x, node.y) == (goal.x, goal.y) {
                self.result.cost = node.g;
                self.result.spots = trace(self.scratch, number);
                return SearchEnd::Found;
            }
            if self.result.expanded >= expansions_max {
                self.scratch.frontier.push(key, number);
                return SearchEnd::Limit;
            }
            self.result.expanded += 1;
            self.expand::<LIMITED>(Place {
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

    /// Takes every step from a state. Steps sideways come last, so that they are
    /// the first to be taken from a bucket.
    #[inline]
    fn expand<const LIMITED: bool>(&mut self, from: Place) {
        let moves = *self.table.moves(from.state.value());
        let Place { x, y, index, .. } = from;
        let [below, above, left, right] = [index + self.stride, index - self.stride, index - 1, index + 1]
            .map(|i| (i, self.scratch.slot(i)));
        if !LIMITED || from.state.fallen() < self.fall_max {
            let next = [moves.down; 2];
            self.step::<LIMITED>(from, (x, y + 1, below.0, below.1), next, self.estimate.fall, (1, 0));
        }
        if moves.up[0] != NONE {
            let cost = self.estimate.rise + if moves.takes_off { self.jump_cost } else { 0 };
            self.step::<LIMITED>(from, (x, y - 1, above.0, above.1), moves.up, cost, (0, 0));
        }
        if moves.side[0] != NONE {
            self.step_sideways::<LIMITED>(from, (x - 1, y, left.0, left.1), moves.side);
            self.step_sideways::<LIMITED>(from, (x + 1, y, right.0, right.1), moves.side);
        }
    }

    #[inline]
    fn step_sideways<const LIMITED: bool>(&mut self, from: Place, to: Target, next: [u8; 2]) {
        // From ground to ground it walks.
        let starts_on_ground = self.ground.get(PaddedIndex::new(from.index));
        if starts_on_ground && self.ground.get(PaddedIndex::new(to.2)) {
            self.reach::<LIMITED>(from, to, State::GROUND, STRAIGHT);
            return;
        }
        if LIMITED && from.state.run() >= self.run_max {
            return;
        }
        self.step::<LIMITED>(from, to, next, self.estimate.rise, (0, 1));
    }

    /// A step with an end in the air, that adds so much to the cells fallen and to the run.
    #[inline]
    fn step<const LIMITED: bool>(
        &mut self,
        from: Place,
        to: Target,
        next: [u8; 2],
        cost: u32,
        (fallen, run): (u32, u32),
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
            // Without a limit nothing is counted, so that states do not differ for nothing.
            let counted = |max: u32, sum: u32| if max == u32::MAX { 0 } else { sum };
            State::new(
                value,
                counted(self.fall_max, from.state.fallen() + fallen),
                counted(self.run_max, from.state.run() + run),
            )
        } else {
            State::new(value, 0, 0)
        };
        self.reach::<LIMITED>(from, to, state, cost);
    }

    /// Notes that a state is reached, if none that is there dominates it.
    #[inline]
    fn reach<const LIMITED: bool>(&mut self, from: Place, to: Target, state: State, cost: u32) {
        let g = from.g + cost;
        let Some(number) = self.scratch.insert::<LIMITED>(self.table, to, state, g, from.number) else {
            return;
        };
        let f = g + self.estimate.of(to.0, to.1, self.table.moves(state.value()).rise_left);
        if f >= Cost::MAX.units() {
            self.overflowed = true;
            return;
        }
        self.scratch.frontier.push(f, number);
        self.result.generated += 1;
    }
}

/// The places from the start to node `number`.
fn trace(scratch: &PlatformerScratch, mut number: u32) -> Vec<Spot> {
    let mut spots = Vec::new();
    while number != NO_NODE {
        let node = scratch.node(number);
        spots.push(Spot { x: node.x, y: node.y });
        number = node.parent;
    }
    spots.reverse();
    spots
}
