//! Repair after edits: only cells whose cost changes, and those around them, are touched.
//!
//! In two phases, as dynamic shortest paths are kept (Ramalingam & Reps, *An Incremental Algorithm for a Generalization of
//! the Shortest-Path Problem*, 1996). First, cells that lost their support are raised, in the order of their old costs: a
//! cell is supported by a neighbour that it can step to and whose cost and step are no more than its own. What was raised
//! may have supported others, which are looked at in turn; steps cost at least one unit, so whoever could support a cell
//! has been decided before it. Then cells that were raised, and those around the edit, take the best that valid
//! neighbours offer, and Dijkstra's algorithm settles what follows from that.
//!
//! Every write is logged. A repair that becomes dearer than it is worth takes all of them back.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::build::{FieldBuilder, list_goals};
use super::direct::{FLAG_SIGHT, NO_WAY, STATE, step_units, way_of};
use super::integration::UNREACHED;
use super::moves::offsets;
use super::sight::SightCaster;
use super::{FieldGround, FlowField};
use crate::bitgrid::{LocalRect, PaddedIndex, Shape};
use crate::geometry::{Cell, CellRect};

/// What the parts of a repair and of a build cost, in tenths of a nanosecond on one machine: only their ratio matters.
mod price {
    /// A cell that is taken from the queue of a repair, whatever becomes of it. Bench: 20 to 50 ns.
    pub(super) const POP: u64 = 500;
    /// A reached cell of a build by jump points, and as much more for each turn.
    pub(super) const JUMP: u64 = 30;
    pub(super) const TURN: u64 = 350;
    /// A reached cell of a build by buckets.
    pub(super) const BUCKET: u64 = 200;
}

/// A repair is given up when it has cost one part in so many of a build.
const BUILD_SHARE: u64 = 8;
/// Cells that may be taken from the queue in any case.
const POPS_MIN: u64 = 32;

/// How many cells a repair may take from its queue on a field that reaches so many.
fn pops_max(ground: FieldGround<'_>, goals: usize, reached: u64) -> u64 {
    let moves = ground.moves;
    let build = if FieldBuilder::uses_jump_points(ground, goals) {
        reached * price::JUMP + reached * price::TURN * moves.turns() / moves.stands().max(1)
    } else {
        reached * price::BUCKET
    };
    (build / BUILD_SHARE / price::POP).max(POPS_MIN)
}

/// What a repair changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FieldChange {
    /// A rectangle that holds every cell whose cost or direction changed; empty when none did.
    pub cells: CellRect,
    /// Number of cells whose cost was written.
    pub written: u64,
}

/// How a field was brought up to date.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldUpdate {
    /// It was repaired.
    Repaired(FieldChange),
    /// It was built anew.
    Rebuilt,
}

/// The memory of a repair.
#[derive(Clone, Debug, Default)]
pub(super) struct Mender {
    /// Cost and cell, the least cost first, then the smaller index.
    queue: BinaryHeap<Reverse<u64>>,
    /// Cells that were written, with their costs before that.
    log: Vec<(u32, u32)>,
    goals: Vec<u32>,
    /// Cells whose way may have changed, a bit for each, and the words that are not zero.
    marks: Vec<u64>,
    marked: Vec<u32>,
    caster: SightCaster,
}

impl FieldBuilder {
    /// Brings `field` up to date with `ground`, of which the stands or the costs in `changes` differ from when it was made
    /// or repaired last, and with new `goals`. The result equals that of [`FieldBuilder::build`] with the field's largest
    /// cost, except for memory.
    ///
    /// `None` when a repair would take longer than about an eighth of a build, or when no goal stays: the field is then what
    /// it was, and wants a build. Takes time in proportion to the cells whose costs change, typically some ten
    /// microseconds, and to the area from which a goal is seen when that changes.
    pub fn repair(
        &mut self,
        ground: FieldGround<'_>,
        changes: &[LocalRect],
        goals: &[Cell],
        field: &mut FlowField,
    ) -> Option<FieldChange> {
        let integration = &field.integration;
        if integration.region != ground.region || integration.mode != ground.mode() {
            return None;
        }
        self.mender().run(ground, changes, goals, field)
    }

    /// Brings `field` up to date as [`FieldBuilder::repair`] does, or else by a build at once, which gives up one that is
    /// under way. Takes at most a fifth longer than a build.
    pub fn update(
        &mut self,
        ground: FieldGround<'_>,
        changes: &[LocalRect],
        goals: &[Cell],
        field: &mut FlowField,
    ) -> FieldUpdate {
        if let Some(change) = self.repair(ground, changes, goals, field) {
            return FieldUpdate::Repaired(change);
        }
        let max_cost = (field.integration.limit > 0).then(|| field.integration.max_cost());
        self.build(ground, goals, max_cost, field);
        FieldUpdate::Rebuilt
    }
}

/// A field under repair.
struct Patient<'a> {
    ground: FieldGround<'a>,
    costs: &'a mut [u32],
    offsets: [usize; 8],
    limit: u32,
    pops_left: u64,
}

impl Mender {
    fn run(
        &mut self,
        ground: FieldGround<'_>,
        changes: &[LocalRect],
        goals: &[Cell],
        field: &mut FlowField,
    ) -> Option<FieldChange> {
        list_goals(ground, goals, &mut self.goals);
        let old_goals = &field.integration.goals;
        let goals_changed = *old_goals != self.goals;
        let none_stays = !old_goals.iter().any(|goal| self.goals.binary_search(goal).is_ok());
        if goals_changed && none_stays && !(old_goals.is_empty() && self.goals.is_empty()) {
            return None;
        }
        self.queue.clear();
        self.log.clear();
        let shape = ground.shape();
        let pops_max = pops_max(ground, self.goals.len(), field.integration.reached);
        let mut patient = Patient {
            ground,
            costs: &mut field.integration.costs,
            offsets: offsets(shape.stride()),
            limit: field.integration.limit,
            pops_left: pops_max,
        };
        let seeds = || changes.iter().flat_map(move |&rect| cells_around(rect, shape));
        // Each of them may be taken from the queue.
        let seeds_max = pops_max as usize;
        if seeds().take(seeds_max).count() == seeds_max {
            return None;
        }
        for &goal in &field.integration.goals {
            if self.goals.binary_search(&goal).is_err() {
                self.push(0, goal as usize);
            }
        }
        let is_done = self.raise(&mut patient, &field.ways, seeds()) && self.settle(&mut patient, seeds());
        if !is_done {
            while let Some((at, cost)) = self.log.pop() {
                patient.costs[at as usize] = cost;
            }
            return None;
        }
        Some(self.finish(ground, field, changes, goals_changed))
    }

    /// Raises every cell that nothing supports any more.
    fn raise(&mut self, patient: &mut Patient<'_>, ways: &[u8], seeds: impl Iterator<Item = usize>) -> bool {
        for at in seeds {
            if patient.costs[at] != UNREACHED {
                self.push(patient.costs[at], at);
            }
        }
        while let Some((cost, at)) = self.pop() {
            if !patient.spend() {
                return false;
            }
            if patient.costs[at] != cost || patient.is_supported(at, cost, ways[at] & STATE, &self.goals) {
                continue;
            }
            self.write(patient, at, UNREACHED);
            let step = patient.ground.step(at);
            patient.for_each_neighbour(at, |costs, to, direction| {
                let leaned =
                    costs[to] != UNREACHED && costs[to] == cost.saturating_add(step_units(step, direction));
                if leaned {
                    self.push(costs[to], to);
                }
            });
        }
        true
    }

    /// Gives every cell that was raised, or lies around an edit, the best that is on offer, and passes it on.
    fn settle(&mut self, patient: &mut Patient<'_>, seeds: impl Iterator<Item = usize>) -> bool {
        for place in 0..self.log.len() {
            self.take_best(patient, self.log[place].0 as usize);
        }
        for at in seeds {
            self.take_best(patient, at);
        }
        for place in 0..self.goals.len() {
            let goal = self.goals[place] as usize;
            if patient.costs[goal] != 0 {
                self.write(patient, goal, 0);
                self.push(0, goal);
            }
        }
        while let Some((cost, at)) = self.pop() {
            if !patient.spend() {
                return false;
            }
            if patient.costs[at] != cost {
                continue;
            }
            let step = patient.ground.step(at);
            let mut moves = patient.ground.moves.bytes()[at];
            while moves != 0 {
                let direction = moves.trailing_zeros() as u8;
                moves &= moves - 1;
                let to = at.wrapping_add(patient.offsets[usize::from(direction)]);
                let offer = cost + step_units(step, direction);
                if offer < patient.costs[to].min(patient.limit) {
                    self.write(patient, to, offer);
                    self.push(offer, to);
                }
            }
        }
        true
    }

    fn take_best(&mut self, patient: &mut Patient<'_>, at: usize) {
        let mut best = UNREACHED;
        let ground = patient.ground;
        patient.for_each_neighbour(at, |costs, to, direction| {
            if costs[to] != UNREACHED {
                best = best.min(costs[to] + step_units(ground.step(to), direction));
            }
        });
        if best < patient.costs[at].min(patient.limit) {
            self.write(patient, at, best);
            self.push(best, at);
        }
    }

    #[inline]
    fn write(&mut self, patient: &mut Patient<'_>, at: usize, cost: u32) {
        self.log.push((at as u32, patient.costs[at]));
        patient.costs[at] = cost;
    }

    #[inline]
    fn push(&mut self, cost: u32, at: usize) {
        self.queue.push(Reverse(u64::from(cost) << 32 | at as u64));
    }

    #[inline]
    fn pop(&mut self) -> Option<(u32, usize)> {
        self.queue.pop().map(|Reverse(entry)| ((entry >> 32) as u32, entry as u32 as usize))
    }

    /// Brings directions and lines of sight up to date with costs that are.
    fn finish(
        &mut self,
        ground: FieldGround<'_>,
        field: &mut FlowField,
        changes: &[LocalRect],
        goals_changed: bool,
    ) -> FieldChange {
        let shape = ground.shape();
        let mut changed: Option<LocalRect> = None;
        let join = |changed: &mut Option<LocalRect>, at: usize| {
            let (x, y) = shape.xy(PaddedIndex::new(at));
            LocalRect::join(changed, LocalRect { x0: x, y0: y, x1: x + 1, y1: y + 1 });
        };
        for &(at, _) in &self.log {
            join(&mut changed, at as usize);
        }
        let looked_at = field.looked_at;
        let meets = |rect: LocalRect| {
            looked_at.is_none_or(|seen| {
                rect.x0 < seen.x1 && seen.x0 < rect.x1 && rect.y0 < seen.y1 && seen.y0 < rect.y1
            })
        };
        // A cell's moves change with its neighbours.
        let edits = changes.iter().map(|rect| rect.grown(1, 1, 1, 1, shape));
        let sight_changed = goals_changed || edits.chain(changed).any(meets);
        if sight_changed {
            SightCaster::forget(field);
        }
        self.mark_all(shape, changes);
        let FlowField { integration, ways, sight, .. } = field;
        for word in self.marked.drain(..) {
            let mut bits = std::mem::take(&mut self.marks[word as usize]);
            while bits != 0 {
                let at = (word as usize) << 6 | bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let seen = if sight[at] == 0 { 0 } else { FLAG_SIGHT };
                let way = way_of(&integration.costs, ground, at) | seen;
                let old = std::mem::replace(&mut ways[at], way);
                if (old ^ way) & STATE != 0 {
                    join(&mut changed, at);
                    integration.reached += u64::from(old & STATE == NO_WAY);
                    integration.reached -= u64::from(way & STATE == NO_WAY);
                }
            }
        }
        std::mem::swap(&mut integration.goals, &mut self.goals);
        if sight_changed {
            self.caster.start(field);
            while !self.caster.run(field, ground, &mut { i64::MAX }) {}
        }
        FieldChange {
            cells: changed.map_or_else(CellRect::default, |rect| rect.to_cells(ground.region)),
            written: self.log.len() as u64,
        }
    }

    /// Marks the cells that were written and those around them, and those around the edits.
    fn mark_all(&mut self, shape: Shape, changes: &[LocalRect]) {
        self.marks.resize(shape.words() + 1, 0);
        let Self { marks, marked, log, .. } = self;
        let mut mark = |first: usize, count: usize| {
            // Bits `first..first + count` of a row; the last place of a row is border, so spans stay in it.
            let mut at = first;
            while at < first + count {
                let (word, bit) = (at >> 6, at & 63);
                let span = (first + count - at).min(64 - bit);
                if marks[word] == 0 {
                    marked.push(word as u32);
                }
                marks[word] |= u64::MAX >> (64 - span) << bit;
                at += span;
            }
        };
        let stride = shape.stride();
        for &(at, _) in &*log {
            let at = at as usize - 1;
            mark(at - stride, 3);
            mark(at, 3);
            mark(at + stride, 3);
        }
        for rect in changes {
            let rect = rect.grown(1, 1, 1, 1, shape);
            for y in rect.y0..rect.y1 {
                mark(shape.index(rect.x0, y).get(), (rect.x1 - rect.x0) as usize);
            }
        }
    }

    /// Bytes on the heap.
    pub(super) fn memory(&self) -> usize {
        (self.queue.capacity() + self.log.capacity() + self.marks.capacity()) * 8
            + (self.goals.capacity() + self.marked.capacity()) * 4
            + self.caster.memory()
    }
}

impl Patient<'_> {
    /// Counts a cell that was taken from the queue; `false` when it was one too many.
    fn spend(&mut self) -> bool {
        self.pops_left = self.pops_left.saturating_sub(1);
        self.pops_left > 0
    }

    /// Whether the cell is a goal, or some step from it leads on at its cost or at less. `way` is tried first.
    fn is_supported(&self, at: usize, cost: u32, way: u8, goals: &[u32]) -> bool {
        if cost == 0 {
            return goals.binary_search(&(at as u32)).is_ok();
        }
        let moves = self.ground.moves.bytes()[at];
        let supports = |direction: u8| {
            let to = at.wrapping_add(self.offsets[usize::from(direction)]);
            self.costs[to] < cost && self.costs[to] + step_units(self.ground.step(to), direction) <= cost
        };
        let leads_on = |direction: u8| moves >> direction & 1 == 1 && supports(direction);
        way < 8 && leads_on(way) || (0..8).any(leads_on)
    }

    /// Calls `visit` with the costs, a neighbour that a legal step leads to, and the step's direction.
    #[inline]
    fn for_each_neighbour(&self, at: usize, mut visit: impl FnMut(&[u32], usize, u8)) {
        let mut moves = self.ground.moves.bytes()[at];
        while moves != 0 {
            let direction = moves.trailing_zeros() as u8;
            moves &= moves - 1;
            visit(self.costs, at.wrapping_add(self.offsets[usize::from(direction)]), direction);
        }
    }
}

/// The padded indices of the cells of a rectangle and around it.
fn cells_around(rect: LocalRect, shape: Shape) -> impl Iterator<Item = usize> {
    let rect = rect.grown(1, 1, 1, 1, shape);
    (rect.y0..rect.y1).flat_map(move |y| (rect.x0..rect.x1).map(move |x| shape.index(x, y).get()))
}
