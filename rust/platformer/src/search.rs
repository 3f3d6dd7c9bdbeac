//! A\* over (cell, jump value) with dominance, on an integer bucket queue.
//!
//! Exact: finds a path of the least cost in the model of [`super::jump_table`]. From ground it steps along
//! the ground and to where flights land, see [`super::flights`]. It goes through the air state by state only
//! from a start there, to a goal there, and where flights are not kept. Takes time in proportion to the
//! states expanded; once those are as many as the layer has words, [`super::reachability`] removes cells that
//! cannot lead to the goal. Everything here works on anchors in padded columns and rows.

use super::flights::{FlightTable, KnownFlights};
use super::jump_table::JumpTable;
use super::nodes::{CellSummary, NO_NODE, PlatformerScratch};
use super::profile::JumpProfile;
use super::state::State;
use super::steps::{Source, Stepper, Steps, Target};
use super::trace::Trace;
use pathforge_core::bitgrid::PaddedIndex;
use pathforge_core::bitgrid::WordPages;
use pathforge_core::cost::{Cost, STRAIGHT};
use pathforge_core::primitives::{GridPoint, SearchEnd, WINDOW};
use pathforge_core::surfaces::BodyLayers;

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

/// A consistent lower bound on the cost from a state to the goal: the steps across, up and down, and the
/// take-offs that the rise needs.
///
/// Exact distances backwards from the goal, without jump values, were measured as a bound. Expansions fall by
/// 5 to 60 %, but settling 6,000 to 27,000 cells for that costs more than it saves.
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
    steps: Steps<'a>,
    heuristic: Heuristic,
    flights: &'a mut FlightTable,
    /// The goal if it is in the air, where no flight ends.
    goal_in_air: Option<(u16, u16)>,
    /// The cells that may lead to the goal; `None` if all may.
    open: Option<WordPages>,
    scratch: &'a mut PlatformerScratch,
    result: JumpSearchResult,
    /// `true` if a state lies beyond the largest cost.
    overflowed: bool,
}

/// Returns the state of a body at `start`. In the air its jump is spent, unless the profile has another
/// value.
fn start_state(layers: &BodyLayers, profile: &JumpProfile, table: &JumpTable, start: GridPoint) -> State {
    if layers.ground().get(start.index(layers.fits().layout())) {
        return State::GROUND;
    }
    let spent = table.spent();
    State::new(profile.air_start_value.map_or(spent, |value| value.min(u32::from(spent)) as u8), 0, 0)
}

/// Finds a path of the least cost from `start` to `goal`, at both of which the body must fit. `profile` must
/// be valid, and `table` its own. Stops after `expansions_max` expansions.
pub(super) fn search(
    layers: &BodyLayers,
    profile: &JumpProfile,
    table: &JumpTable,
    (start, goal): (GridPoint, GridPoint),
    expansions_max: u32,
    flights: &mut KnownFlights,
    scratch: &mut PlatformerScratch,
) -> JumpSearchResult {
    let layout = layers.fits().layout();
    let heuristic = Heuristic::new(profile, goal, layout.rows(), std::mem::take(&mut scratch.take_off_costs));
    let start_state = start_state(layers, profile, table, start);
    scratch.clear(layout);
    let (start_x, start_y) = (start.x() as u16, start.y() as u16);
    let key = heuristic.at(start_x, start_y, table.moves(start_state.value()).rise_left);
    scratch.frontier.clear(key, WINDOW);
    let goal_in_air =
        (!layers.ground().get(goal.index(layout))).then_some((goal.x() as u16, goal.y() as u16));
    let (_, kinds, flights) = flights.parts();
    let mut search = Search {
        steps: Steps::new(layout, kinds, profile, table),
        heuristic,
        flights,
        goal_in_air,
        open: None,
        scratch,
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
    if let Some(first) = search.scratch.insert::<false>(table, at, start_state, 0, NO_NODE) {
        search.scratch.frontier.push(key, first);
    }
    // Most profiles have no limits and few values. For them dominance is decided by bits, and the counts are
    // compiled away.
    let is_limited = profile.max_air_run > 0 || profile.max_fall > 0 || !table.has_unique_bits();
    let advance = if is_limited { Search::advance::<true> } else { Search::advance::<false> };
    // Reachability takes about as long as this many expansions, so it doubles the time of a search at worst.
    // Short searches never pay for it; long ones may end at once, or lose the cells that cannot lead to the
    // goal.
    let expansions_before = layout.words() as u32;
    let mut end = advance(&mut search, goal, expansions_max.min(expansions_before));
    if end == SearchEnd::Limit && search.result.expanded == expansions_before {
        search.open = search.scratch.reachability.compute(layers, (start, goal), profile.max_jump_height);
        end = advance(&mut search, goal, expansions_max);
    }
    // If states were dropped for their cost, a path may exist that costs more than can be counted.
    search.result.end = if end == SearchEnd::Exhausted && search.overflowed { SearchEnd::Limit } else { end };
    let Search { heuristic, scratch, result, .. } = search;
    scratch.take_off_costs = heuristic.take_off_costs;
    result
}

impl Search<'_> {
    /// Expands states until the goal is reached, none is left, or `expansions_max` states were expanded.
    fn advance<const LIMITED: bool>(&mut self, goal: GridPoint, expansions_max: u32) -> SearchEnd {
        while let Some((key, number)) = self.scratch.frontier.pop() {
            let node = *self.scratch.node(number);
            let index = node.y as usize * self.steps.stride + node.x as usize;
            // Cells can have stopped being open since the node was pushed: see `search`.
            if node.is_replaced() || !self.is_open(PaddedIndex::new(index)) {
                continue;
            }
            if self.steps.anchor(index) == goal {
                self.result.cost = node.g;
                let trace = Trace { scratch: self.scratch, flights: self.flights, steps: &self.steps };
                self.result.steps = trace.path(number);
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
        self.open.as_ref().is_none_or(|open| open[index.word()] >> index.bit() & 1 == 1)
    }

    /// Takes every step from a state, and flights from ground whole.
    #[inline]
    fn expand<const LIMITED: bool>(&mut self, from: Source) {
        let steps = self.steps;
        let Source { x, y, index, .. } = from;
        // A start in the air can have the value of ground.
        if from.state != State::GROUND || !steps.is_ground(index) {
            return steps.take::<_, LIMITED, false>(self, from, [true; 2]);
        }
        let flights = match self.flights.at(index) {
            Some(flights) => flights,
            None => self.flights.find::<LIMITED>(&steps, (x, y), &mut self.scratch.flight_search),
        };
        if !flights.are_kept || self.goal_in_air.is_some_and(|goal| flights.bounds.contains(goal)) {
            return steps.take::<_, LIMITED, false>(self, from, [true; 2]);
        }
        for at in 0..self.flights.landings(flights).len() {
            let landing = self.flights.landings(flights)[at];
            let to = steps.index(landing.x, landing.y);
            let to = (landing.x, landing.y, to, self.scratch.summary(to));
            self.reach::<LIMITED>(&steps, from, to, State::GROUND, landing.cost);
        }
        // Walks come last, so that among states of equal cost they are expanded first.
        for (x, to) in [(x - 1, index - 1), (x + 1, index + 1)] {
            if steps.is_ground(to) {
                let to = (x, y, to, self.scratch.summary(to));
                self.reach::<LIMITED>(&steps, from, to, State::GROUND, STRAIGHT);
            }
        }
    }
}

impl Stepper for Search<'_> {
    type Known = CellSummary;

    #[inline]
    fn known(&self, index: usize) -> CellSummary {
        self.scratch.summary(index)
    }

    /// Adds a state to the queue unless one in its cell dominates it.
    #[inline]
    fn reach<const LIMITED: bool>(
        &mut self,
        _steps: &Steps,
        from: Source,
        to: Target<CellSummary>,
        state: State,
        cost: u32,
    ) {
        if !self.is_open(PaddedIndex::new(to.2)) {
            return;
        }
        let g = from.g + cost;
        let Some(number) = self.scratch.insert::<LIMITED>(self.steps.table, to, state, g, from.number) else {
            return;
        };
        let f = g + self.heuristic.at(to.0, to.1, self.steps.table.moves(state.value()).rise_left);
        if f >= Cost::MAX.units() {
            self.overflowed = true;
            return;
        }
        self.scratch.frontier.push(f, number);
        self.result.generated += 1;
    }
}
