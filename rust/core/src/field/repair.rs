//! Incremental repair: after an edit, only cells whose cost changes, and their neighbours, are visited.
//!
//! Two phases (Ramalingam & Reps, *An Incremental Algorithm for a Generalization of the Shortest-Path
//! Problem*, 1996). Phase 1 resets every cell that has lost its support. A neighbour supports a cell if the
//! cell can step to it, by a link, too, and its cost plus step is at most the cell's. Phase 2 gives the reset
//! cells, and the cells around the edit, the best cost that their neighbours offer. Dijkstra's algorithm
//! settles the rest.
//!
//! Every write is logged, so a repair that becomes more expensive than it is worth takes all of them back.

use super::canonical_dijkstra;
use super::directions::flow_of;
use super::flow::{FLAG_SIGHT, FlowField, NO_DIRECTION, STATE};
use super::ground::{FieldGround, step_units};
use super::integration::UNREACHED;
use super::shadow_casting::ShadowCaster;
use crate::bitgrid::{GridLayout, LocalRect, PaddedIndex, ones};
use crate::geometry::{Cell, CellRect};
use crate::passability::LinkStep;
use crate::primitives::{BucketQueue, WINDOW};

/// The time that parts of a repair and of a build take, in tenths of a nanosecond on one machine. Only the
/// ratios matter.
mod price {
    /// A cell taken from the queue of a repair, whether it changes or not. Field bench: 20 to 50 ns.
    pub(super) const POP: u64 = 500;
    /// A reached cell of a build by canonical Dijkstra.
    pub(super) const CANONICAL: u64 = 30;
    /// A turning point of such a build, in addition to its cell.
    pub(super) const TURN: u64 = 350;
    /// A reached cell of a build by bucketed Dijkstra.
    pub(super) const BUCKETED: u64 = 200;
}

/// The part of a build that a repair may take, as a divisor: after that it is given up. With the work around
/// its two phases, a repair in vain and the build after it together take at most a fifth longer than a build
/// alone.
const BUILD_SHARE: u64 = 8;
/// Cells that a repair may take from its queue in any case: on small fields the fixed work of a build alone
/// takes longer.
const POPS_MIN: u64 = 32;

/// Returns the number of cells that a repair may take from its queue in a field that reaches `reached` cells.
fn pops_max(ground: &FieldGround<'_>, goals: usize, reached: u64) -> u64 {
    let moves = ground.moves;
    let build = if canonical_dijkstra::pays_off(ground, goals) {
        reached * price::CANONICAL + reached * price::TURN * moves.turns() / moves.placements().max(1)
    } else {
        reached * price::BUCKETED
    };
    (build / BUILD_SHARE / price::POP).max(POPS_MIN)
}

/// What a repair changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FieldChange {
    /// A rectangle that contains every cell whose cost or direction changed; empty if none did.
    pub cells: CellRect,
    /// Number of cost writes.
    pub written: u64,
}

/// The memory of an incremental repair.
#[derive(Clone, Debug, Default)]
pub(super) struct IncrementalRepair {
    /// Cells by cost.
    queue: BucketQueue,
    /// Cells that were written, with their costs before, in the order of writing.
    log: Vec<(u32, u32)>,
    goals: Vec<u32>,
    /// Cells whose direction may have changed: a bit for each padded cell.
    dirty: Vec<u64>,
    /// The words of `dirty` that are not zero.
    dirty_words: Vec<u32>,
    caster: ShadowCaster,
}

/// A field under repair: its costs, and the budget of the repair.
struct RepairContext<'a> {
    ground: &'a FieldGround<'a>,
    costs: &'a mut [u32],
    limit: u32,
    pops_left: u64,
}

impl IncrementalRepair {
    /// Repairs `field`, in whose ground the rectangles `changes` differ, and gives it new `goals`. Returns
    /// `None`, and leaves the field as it was, if a build is likely to be faster.
    pub(super) fn run(
        &mut self,
        ground: &FieldGround<'_>,
        changes: &[LocalRect],
        goals: &[Cell],
        field: &mut FlowField,
    ) -> Option<FieldChange> {
        let integration = &field.integration;
        if integration.region != ground.region || integration.mode != ground.mode() {
            return None;
        }
        ground.list_goals(goals, &mut self.goals);
        // The old goals are still in the field: `finish` exchanges them once nothing can fail any more.
        let old_goals = &integration.goals;
        let goals_changed = *old_goals != self.goals;
        // With all goals replaced, nearly every cost changes.
        let none_stays = !old_goals.iter().any(|goal| self.goals.binary_search(goal).is_ok());
        if goals_changed && none_stays && !(old_goals.is_empty() && self.goals.is_empty()) {
            return None;
        }
        self.queue.clear(0, WINDOW);
        self.log.clear();
        let layout = ground.layout();
        let pops_max = pops_max(ground, self.goals.len(), integration.reached);
        let seeds = || changes.iter().flat_map(move |&rect| cells_around(rect, layout));
        // Each seed is pushed once, so with this many the budget is spent before anything follows from them.
        let seeds_max = pops_max as usize;
        if seeds().take(seeds_max).count() == seeds_max {
            return None;
        }
        for &goal in old_goals {
            if self.goals.binary_search(&goal).is_err() {
                self.queue.push(0, goal);
            }
        }
        let limit = integration.limit;
        let costs = &mut field.integration.costs;
        let mut context = RepairContext { ground, costs, limit, pops_left: pops_max };
        let is_done =
            self.reset_unsupported(&mut context, &field.flow, seeds()) && self.settle(&mut context, seeds());
        if !is_done {
            // Backwards, so that a cell that was written twice gets its first cost.
            while let Some((at, cost)) = self.log.pop() {
                context.costs[at as usize] = cost;
            }
            return None;
        }
        Some(self.finish(ground, field, changes, goals_changed))
    }

    /// Phase 1: resets every cell that has lost its support, directly or by another reset. Returns `false` if
    /// the budget is spent.
    fn reset_unsupported(
        &mut self,
        context: &mut RepairContext<'_>,
        flow: &[u8],
        seeds: impl Iterator<Item = usize>,
    ) -> bool {
        for at in seeds {
            if context.costs[at] != UNREACHED {
                self.queue.push(context.costs[at], at as u32);
            }
        }
        // In ascending order of cost: a step costs at least one unit, so whatever could support a cell is
        // decided before it.
        while let Some((cost, at)) = self.queue.pop() {
            let at = at as usize;
            if !context.spend() {
                return false;
            }
            if context.costs[at] != cost || context.is_supported(at, cost, flow[at] & STATE, &self.goals) {
                continue;
            }
            self.write(context, at, UNREACHED);
            let step = context.ground.step(at);
            for (direction, to) in context.ground.steps_to(at) {
                let own = context.costs[to];
                // The cell may have supported neighbours that cost exactly one step more. Neighbours whose move
                // or step cost the edit changed are among the seeds.
                if own != UNREACHED && own == cost.saturating_add(step_units(step, direction)) {
                    self.queue.push(own, to as u32);
                }
            }
            for link in context.ground.placements.links_to(at) {
                let own = context.costs[link.from as usize];
                if own != UNREACHED && own == cost.saturating_add(link.cost) {
                    self.queue.push(own, link.from);
                }
            }
        }
        true
    }

    /// Phase 2: gives every cell that was reset, or lies around an edit, the best cost on offer, and expands
    /// from there. Returns `false` if the budget is spent.
    fn settle(&mut self, context: &mut RepairContext<'_>, seeds: impl Iterator<Item = usize>) -> bool {
        self.queue.clear(0, WINDOW);
        // By index, as the log grows meanwhile; what is appended has a best cost already.
        for place in 0..self.log.len() {
            self.take_best_offer(context, self.log[place].0 as usize);
        }
        for at in seeds {
            self.take_best_offer(context, at);
        }
        for place in 0..self.goals.len() {
            let goal = self.goals[place] as usize;
            if context.costs[goal] != 0 {
                self.lower(context, goal, 0);
            }
        }
        while let Some((cost, at)) = self.queue.pop() {
            let at = at as usize;
            if !context.spend() {
                return false;
            }
            if context.costs[at] != cost {
                continue;
            }
            let step = context.ground.step(at);
            for (direction, to) in context.ground.steps_to(at) {
                let offer = cost + step_units(step, direction);
                if offer < context.costs[to].min(context.limit) {
                    self.lower(context, to, offer);
                }
            }
            for link in context.ground.placements.links_to(at) {
                let (to, offer) = (link.from as usize, cost.saturating_add(link.cost));
                if offer < context.costs[to].min(context.limit) {
                    self.lower(context, to, offer);
                }
            }
        }
        true
    }

    /// Lowers a cell to the minimum of its neighbours' costs plus the steps to them.
    fn take_best_offer(&mut self, context: &mut RepairContext<'_>, at: usize) {
        let ground = context.ground;
        let offers = ground.steps_from(at).filter(|&(_, to)| context.costs[to] != UNREACHED);
        let steps = offers.map(|(direction, to)| context.costs[to] + ground.step_units(to, direction));
        let links = ground.placements.links_from(at);
        let links = links.map(|link| context.costs[link.to as usize].saturating_add(link.cost));
        let best = steps.chain(links).min();
        if let Some(best) = best.filter(|&best| best < context.costs[at].min(context.limit)) {
            self.lower(context, at, best);
        }
    }

    #[inline]
    fn write(&mut self, context: &mut RepairContext<'_>, at: usize, cost: u32) {
        self.log.push((at as u32, context.costs[at]));
        context.costs[at] = cost;
    }

    #[inline]
    fn lower(&mut self, context: &mut RepairContext<'_>, at: usize, cost: u32) {
        self.write(context, at, cost);
        self.queue.push(cost, at as u32);
    }

    /// Updates goals, directions and lines of sight after the costs.
    fn finish(
        &mut self,
        ground: &FieldGround<'_>,
        field: &mut FlowField,
        changes: &[LocalRect],
        goals_changed: bool,
    ) -> FieldChange {
        let layout = ground.layout();
        let mut changed: Option<LocalRect> = None;
        self.log.iter().for_each(|&(at, _)| join_cell(&mut changed, at as usize, layout));
        let bounds = field.sight_bounds;
        let meets_sight = |rect: LocalRect| bounds.is_none_or(|bounds| bounds.overlaps(rect));
        // An edit also changes the moves of the cells around it, which decide whether a cell blocks sight.
        let edits = changes.iter().map(|rect| rect.grown(1, 1, 1, 1, layout));
        let sight_changed = goals_changed || edits.chain(changed).any(meets_sight);
        // Before directions are rewritten, which keep the flags of sight that are left.
        if sight_changed {
            ShadowCaster::clear(field);
        }
        self.mark_dirty(ground, changes);
        self.rewrite_dirty(ground, field, &mut changed);
        field.list_links(ground);
        std::mem::swap(&mut field.integration.goals, &mut self.goals);
        if sight_changed {
            self.caster.start(field);
            while !self.caster.run(field, ground, &mut { i64::MAX }) {}
        }
        FieldChange {
            cells: changed.map_or_else(CellRect::default, |rect| rect.to_cells(ground.region)),
            written: self.log.len() as u64,
        }
    }

    /// Marks the cells whose direction may have changed: written cells, edited cells, and the neighbours of
    /// both, and where links to written cells begin.
    fn mark_dirty(&mut self, ground: &FieldGround<'_>, changes: &[LocalRect]) {
        let layout = ground.layout();
        self.dirty.resize(layout.words() + 1, 0);
        let Self { dirty, dirty_words, log, .. } = self;
        // Marks a span of a row, word by word. A span stays in its row, as each row ends with border.
        let mut mark = |first: usize, count: usize| {
            let mut at = first;
            while at < first + count {
                let (word, bit) = (at >> 6, at & 63);
                let span = (first + count - at).min(64 - bit);
                if dirty[word] == 0 {
                    dirty_words.push(word as u32);
                }
                dirty[word] |= u64::MAX >> (64 - span) << bit;
                at += span;
            }
        };
        for &(at, _) in &*log {
            let left = at as usize - 1;
            for row in [left - layout.stride(), left, left + layout.stride()] {
                mark(row, 3);
            }
            ground.placements.links_to(at as usize).for_each(|link| mark(link.from as usize, 1));
        }
        for rect in changes {
            let rect = rect.grown(1, 1, 1, 1, layout);
            for y in rect.y0..rect.y1 {
                mark(layout.index(rect.x0, y).get(), (rect.x1 - rect.x0) as usize);
            }
        }
    }

    /// Computes the flow bytes of the marked cells anew and clears the marks; `changed` is extended by the
    /// cells that change.
    fn rewrite_dirty(
        &mut self,
        ground: &FieldGround<'_>,
        field: &mut FlowField,
        changed: &mut Option<LocalRect>,
    ) {
        let FlowField { integration, flow, sight, .. } = field;
        for word in self.dirty_words.drain(..) {
            for bit in ones(std::mem::take(&mut self.dirty[word as usize])) {
                let at = (word as usize) << 6 | bit;
                let in_sight = if sight[at] == 0 { 0 } else { FLAG_SIGHT };
                let new = flow_of(&integration.costs, ground, at) | in_sight;
                let old = std::mem::replace(&mut flow[at], new);
                if (old ^ new) & STATE != 0 {
                    join_cell(changed, at, ground.layout());
                    // A cell is reached exactly if its state is not NO_DIRECTION.
                    integration.reached += u64::from(old & STATE == NO_DIRECTION);
                    integration.reached -= u64::from(new & STATE == NO_DIRECTION);
                }
            }
        }
    }
}

impl RepairContext<'_> {
    /// Counts a cell that was taken from the queue; returns `false` if the budget is spent.
    fn spend(&mut self) -> bool {
        self.pops_left = self.pops_left.saturating_sub(1);
        self.pops_left > 0
    }

    /// Returns whether the cell is a goal, or a step from it leads to a cell that costs less by at least that
    /// step.
    fn is_supported(&self, at: usize, cost: u32, flow: u8, goals: &[u32]) -> bool {
        if cost == 0 {
            return goals.binary_search(&(at as u32)).is_ok();
        }
        let ground = self.ground;
        let supports = |(direction, to): (u8, usize)| {
            self.costs[to] < cost && self.costs[to] + ground.step_units(to, direction) <= cost
        };
        // The stored direction first: it still supports most cells, at one load instead of eight.
        let is_legal = flow < 8 && ground.moves.bytes()[at] >> flow & 1 == 1;
        let links = |link: &LinkStep| {
            let beyond = self.costs[link.to as usize];
            beyond < cost && beyond + link.cost <= cost
        };
        is_legal && supports((flow, at.wrapping_add(ground.offsets[usize::from(flow)])))
            || ground.steps_from(at).any(supports)
            || ground.placements.links_from(at).any(links)
    }
}

fn join_cell(bounds: &mut Option<LocalRect>, at: usize, layout: GridLayout) {
    let (x, y) = layout.xy(PaddedIndex::new(at));
    LocalRect::join(bounds, LocalRect { x0: x, y0: y, x1: x + 1, y1: y + 1 });
}

/// The padded indices of the cells of a rectangle and of those around it.
fn cells_around(rect: LocalRect, layout: GridLayout) -> impl Iterator<Item = usize> {
    rect.grown(1, 1, 1, 1, layout).places().map(move |(x, y)| layout.index(x, y).get())
}
