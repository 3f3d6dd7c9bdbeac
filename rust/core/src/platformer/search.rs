//! A* over cells and jump values, on an integer bucket frontier.
//!
//! Everything here works with the character's top-left cell in padded columns and rows, which is what layers are
//! anchored at.

use super::BodyLayers;
use super::arc::{JumpTable, NONE};
use super::nodes::{NO_NODE, PlatformerScratch, State};
use super::profile::JumpProfile;
use crate::bitgrid::{BitGrid, PaddedIndex};
use crate::cost::{Cost, STRAIGHT};
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
    if profile.max_air_run == 0 && profile.max_fall == 0 {
        run::<false>(layers, profile, table, (start, goal), expansions_max, scratch)
    } else {
        run::<true>(layers, profile, table, (start, goal), expansions_max, scratch)
    }
}

/// A lower bound on the cost from a state to the goal that never falls by more than a step costs: the way there step
/// by step, and the take-offs that are needed to rise to it.
#[derive(Clone, Copy)]
struct Estimate {
    goal: Spot,
    rise: u32,
    fall: u32,
    take_off: u32,
    /// Cells that a take-off rises; at least 1.
    height: u32,
}

impl Estimate {
    #[inline]
    fn of(&self, x: u16, y: u16, rise_left: u8) -> u32 {
        let across = u32::from(x.abs_diff(self.goal.x)) * STRAIGHT;
        if y > self.goal.y {
            let rows = u32::from(y - self.goal.y);
            let take_offs = rows.saturating_sub(u32::from(rise_left)).div_ceil(self.height);
            across + rows * self.rise + take_offs * self.take_off
        } else {
            across + u32::from(self.goal.y - y) * self.fall
        }
    }
}

struct Search<'a> {
    fits: &'a BitGrid,
    ground: &'a BitGrid,
    ceiling: &'a BitGrid,
    table: &'a JumpTable,
    estimate: Estimate,
    stride: usize,
    /// Limits; `u32::MAX` when there are none.
    run_max: u32,
    fall_max: u32,
    air_cost: u32,
    scratch: &'a mut PlatformerScratch,
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
    let rise = STRAIGHT + profile.air_cost;
    let fall = rise + profile.fall_cost;
    let estimate =
        Estimate { goal, rise, fall, take_off: profile.jump_cost, height: profile.max_jump_height.max(1) };
    let start_state = if layers.ground().get(start.index(shape)) {
        State::GROUND
    } else {
        let value = profile.air_start_value.map_or(table.spent(), |v| v.min(u32::from(table.spent())) as u8);
        State::new(value, 0, 0)
    };
    scratch.clear(shape);
    let key = estimate.of(start.x, start.y, table.moves(start_state.value()).rise_left);
    // A step costs at most a fall and a take-off, and leads away from the goal by at most a fall and two take-offs.
    scratch.frontier.clear(key, 2 * fall + 3 * profile.jump_cost);
    let mut search = Search {
        fits: layers.fits(),
        ground: layers.ground(),
        ceiling: layers.ceiling(),
        table,
        estimate,
        stride: shape.stride(),
        run_max: limit(profile.max_air_run),
        fall_max: limit(profile.max_fall),
        air_cost: rise,
        scratch,
        overflowed: false,
    };
    let at = (start.x, start.y, start.index(shape).get());
    if let Some(first) = search.scratch.insert::<LIMITED>(table, at, start_state, 0, NO_NODE) {
        search.scratch.frontier.push(key, first);
    }
    let (mut expanded, mut generated) = (0, 1);
    let nothing =
        |end, expanded, generated| JumpSearchResult { end, cost: 0, expanded, generated, spots: Vec::new() };
    while let Some((_, number)) = search.scratch.frontier.pop() {
        let node = *search.scratch.node(number);
        if node.is_replaced() {
            continue;
        }
        if (node.x, node.y) == (goal.x, goal.y) {
            let spots = trace(search.scratch, number);
            return JumpSearchResult { end: SearchEnd::Found, cost: node.g, expanded, generated, spots };
        }
        if expanded >= expansions_max {
            return nothing(SearchEnd::Limit, expanded, generated);
        }
        expanded += 1;
        let index = node.y as usize * search.stride + node.x as usize;
        let place = Place { x: node.x, y: node.y, index, state: node.state, g: node.g, number };
        generated += search.expand::<LIMITED>(place, fall, profile.jump_cost);
    }
    nothing(if search.overflowed { SearchEnd::Limit } else { SearchEnd::Exhausted }, expanded, generated)
}

impl Search<'_> {
    /// Takes every step from a state; returns how many new states that made. Steps sideways come last, so that they are
    /// the first to be taken from a bucket.
    #[inline]
    fn expand<const LIMITED: bool>(&mut self, from: Place, fall_cost: u32, jump_cost: u32) -> u32 {
        let moves = *self.table.moves(from.state.value());
        let mut generated = 0;
        if !LIMITED || from.state.fallen() < self.fall_max {
            let to = (from.x, from.y + 1, from.index + self.stride);
            let next = [moves.down; 2];
            generated += self.step::<LIMITED>(from, to, next, fall_cost, (1, 0));
        }
        if moves.up[0] != NONE {
            let to = (from.x, from.y - 1, from.index - self.stride);
            let cost = self.air_cost + if moves.takes_off { jump_cost } else { 0 };
            generated += self.step::<LIMITED>(from, to, moves.up, cost, (0, 0));
        }
        if moves.side[0] != NONE {
            generated +=
                self.step_sideways::<LIMITED>(from, (from.x - 1, from.y, from.index - 1), moves.side);
            generated +=
                self.step_sideways::<LIMITED>(from, (from.x + 1, from.y, from.index + 1), moves.side);
        }
        generated
    }

    #[inline]
    fn step_sideways<const LIMITED: bool>(
        &mut self,
        from: Place,
        to: (u16, u16, usize),
        next: [u8; 2],
    ) -> u32 {
        // From ground to ground it walks.
        let starts_on_ground = self.ground.get(PaddedIndex::new(from.index));
        if starts_on_ground && self.ground.get(PaddedIndex::new(to.2)) {
            return self.reach::<LIMITED>(from, to, State::GROUND, STRAIGHT);
        }
        if LIMITED && from.state.run() >= self.run_max {
            return 0;
        }
        self.step::<LIMITED>(from, to, next, self.air_cost, (0, 1))
    }

    /// A step with an end in the air, that adds so much to the cells fallen and to the run.
    #[inline]
    fn step<const LIMITED: bool>(
        &mut self,
        from: Place,
        to: (u16, u16, usize),
        next: [u8; 2],
        cost: u32,
        (fallen, run): (u32, u32),
    ) -> u32 {
        let index = PaddedIndex::new(to.2);
        if !self.fits.get(index) {
            return 0;
        }
        let state = if self.ground.get(index) {
            State::GROUND
        } else {
            let value = next[usize::from(self.ceiling.get(index))];
            if LIMITED {
                // Without a limit nothing is counted, so that states do not differ for nothing.
                let counted = |max: u32, sum: u32| if max == u32::MAX { 0 } else { sum };
                State::new(
                    value,
                    counted(self.fall_max, from.state.fallen() + fallen),
                    counted(self.run_max, from.state.run() + run),
                )
            } else {
                State::new(value, 0, 0)
            }
        };
        self.reach::<LIMITED>(from, to, state, cost)
    }

    /// Notes that a state is reached; returns 1 if it is new and undominated.
    #[inline]
    fn reach<const LIMITED: bool>(
        &mut self,
        from: Place,
        to: (u16, u16, usize),
        state: State,
        cost: u32,
    ) -> u32 {
        let g = from.g + cost;
        let Some(number) = self.scratch.insert::<LIMITED>(self.table, to, state, g, from.number) else {
            return 0;
        };
        let f = g + self.estimate.of(to.0, to.1, self.table.moves(state.value()).rise_left);
        if f >= Cost::MAX.units() {
            self.overflowed = true;
            return 0;
        }
        self.scratch.frontier.push(f, number);
        1
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
