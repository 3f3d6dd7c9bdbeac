//! Who sees a goal: the stands from which a body walks to it in a straight line.
//!
//! Around each goal, eight octants are swept column by column, u cells out along the longer axis, v along the shorter. A
//! line of slope s crosses column u within the rows from ⌊s(u − 1)⌋ to ⌈s(u + 1)⌉, because a body between two cells
//! covers both; so a blocked cell (u, r) hides exactly the slopes between (r − 1)/(u + 1) and (r + 1)/(u − 1), the ends not
//! included, from everything beyond. What is left of the slopes 0 to 1 is kept as a list of closed intervals.

use std::cmp::Ordering;

use super::direct::FLAG_SIGHT;
use super::{FieldGround, FlowField};
use crate::bitgrid::{LocalRect, PaddedIndex};
use crate::cost::{StepCost, octile};

/// A slope as a fraction.
#[derive(Clone, Copy, Debug)]
struct Slope {
    rise: i64,
    run: i64,
}

impl Slope {
    fn compare(self, other: Self) -> Ordering {
        (self.rise * other.run).cmp(&(other.rise * self.run))
    }

    /// The height at `u`, rounded down.
    const fn floor(self, u: i64) -> i64 {
        self.rise * u / self.run
    }

    /// The height at `u`, rounded up.
    const fn ceil(self, u: i64) -> i64 {
        (self.rise * u + self.run - 1) / self.run
    }
}

/// One of the eight octants around a goal, in padded places.
#[derive(Clone, Copy, Debug, Default)]
struct Octant {
    goal: isize,
    /// From a cell to the next one along the longer axis, and along the shorter.
    steps: (isize, isize),
    /// Cells of the map beyond the goal along both.
    reach: (i64, i64),
}

/// Where a sweep was when its units ran out, and the slopes that are still free.
#[derive(Clone, Debug, Default)]
pub(super) struct SightCaster {
    goal: usize,
    octant: usize,
    column: i64,
    slopes: Vec<(Slope, Slope)>,
    beyond: Vec<(Slope, Slope)>,
}

impl FlowField {
    /// Goals that lines of sight are looked for to.
    pub const SIGHT_GOALS_MAX: usize = 64;
}

impl SightCaster {
    /// Begins anew on `field`, in which nothing is seen yet.
    pub(super) fn start(&mut self, field: &mut FlowField) {
        (self.goal, self.octant, self.column) = (0, 0, 0);
        field.looked_at = None;
        let FlowField { integration, seen_goals, .. } = field;
        seen_goals.clear();
        let place = |&goal: &u32| {
            let (x, y) = integration.shape.xy(PaddedIndex::new(goal as usize));
            [x as f32, y as f32]
        };
        seen_goals.extend(integration.goals.iter().take(FlowField::SIGHT_GOALS_MAX).map(place));
    }

    /// Forgets what `field` has seen.
    pub(super) fn forget(field: &mut FlowField) {
        let Some(rect) = field.looked_at.take() else { return };
        for y in rect.y0..rect.y1 {
            let start = field.integration.shape.index(rect.x0, y).get();
            let places = start..start + (rect.x1 - rect.x0) as usize;
            field.sight[places.clone()].fill(0);
            field.ways[places].iter_mut().for_each(|way| *way &= !FLAG_SIGHT);
        }
    }

    /// Sweeps until everything is done, which it tells, or until `units` are used up: one for each cell looked at.
    pub(super) fn run(&mut self, field: &mut FlowField, ground: FieldGround<'_>, units: &mut i64) -> bool {
        let moves = ground.moves.bytes();
        match ground.packed() {
            None => self.run_with(field, |at| moves[at] != 0, units),
            // A stand that is shut in is closed here, too, or the first weight of a map, far away, would open it: a repair looks
            // at what has changed nearby.
            Some(packed) => {
                let open = |at: usize| packed[at] == StepCost::UNIT.pack() && moves[at] != 0;
                self.run_with(field, open, units)
            }
        }
    }

    fn run_with(&mut self, field: &mut FlowField, open: impl Fn(usize) -> bool, units: &mut i64) -> bool {
        while self.goal < field.seen_goals.len() {
            if *units <= 0 {
                return false;
            }
            let goal = field.integration.goals[self.goal] as usize;
            let octant = octant(field, goal, self.octant);
            if self.column == 0 {
                note(field, goal, goal);
                self.begin_octant(goal, octant, &open);
            }
            self.column += 1;
            if self.slopes.is_empty() || self.column > octant.reach.0 {
                self.column = 0;
                self.octant += 1;
                if self.octant == 8 {
                    (self.octant, self.goal) = (0, self.goal + 1);
                }
                *units -= 1;
                continue;
            }
            *units -= self.sweep_column(field, octant, &open);
        }
        true
    }

    fn begin_octant(&mut self, goal: usize, octant: Octant, open: impl Fn(usize) -> bool) {
        self.slopes.clear();
        if open(goal) {
            // A blocked cell beside the goal leaves only the line away from it.
            let beside = open((octant.goal + octant.steps.1) as usize);
            let steepest = i64::from(beside);
            self.slopes.push((Slope { rise: 0, run: 1 }, Slope { rise: steepest, run: 1 }));
        }
    }

    /// Looks at one column, marks what is seen in it and takes away the slopes that it hides; returns the number of cells
    /// that were looked at.
    fn sweep_column(&mut self, field: &mut FlowField, octant: Octant, open: impl Fn(usize) -> bool) -> i64 {
        let u = self.column;
        let base = octant.goal + octant.steps.0 * u as isize;
        let place = |v: i64| (base + octant.steps.1 * v as isize) as usize;
        let number = self.goal as u8 + 1;
        let mut cells = 0;
        let (mut first, mut last) = (i64::MAX, 0);
        self.beyond.clear();
        for &(low, high) in &self.slopes {
            let rows = low.floor(u - 1)..=high.ceil(u + 1).min(octant.reach.1 + 1);
            let seen = low.ceil(u)..=high.floor(u);
            (first, last) = (first.min(*rows.start()), last.max(*rows.end()));
            cells += rows.end() - rows.start() + 1;
            // The lowest slope that is left, `None` when there is none.
            let mut left = Some(low);
            let mut was_open = true;
            for v in rows {
                let at = place(v);
                let is_open = open(at);
                if is_open && (was_open || v == 0) && seen.contains(&v) {
                    mark(field, at, number, octile(u as u32, v as u32));
                }
                if was_open && !is_open {
                    // Everything below this cell's shadow stays.
                    if let Some(low) = left {
                        let edge = Slope { rise: v - 1, run: u + 1 };
                        if low.compare(edge).is_le() {
                            self.beyond.push((low, edge));
                        }
                    }
                    left = None;
                } else if !was_open && is_open && u > 1 {
                    left = Some(Slope { rise: v, run: u - 1 });
                }
                was_open = is_open;
            }
            if let Some(low) = left.filter(|low| low.compare(high).is_le()) {
                self.beyond.push((low, high));
            }
        }
        std::mem::swap(&mut self.slopes, &mut self.beyond);
        note(field, place(first), place(last));
        cells
    }

    /// Bytes on the heap.
    pub(super) fn memory(&self) -> usize {
        (self.slopes.capacity() + self.beyond.capacity()) * size_of::<(Slope, Slope)>()
    }
}

/// Marks a cell from which the goal with this number is seen, unless its field leads to a nearer one.
#[inline]
fn mark(field: &mut FlowField, at: usize, number: u8, cost: u32) {
    if field.integration.costs[at] == cost && field.sight[at] == 0 {
        field.sight[at] = number;
        field.ways[at] |= FLAG_SIGHT;
    }
}

/// Makes `looked_at` hold the cells from one padded place to another in the same row or column.
fn note(field: &mut FlowField, a: usize, b: usize) {
    let shape = field.integration.shape;
    let stride = shape.stride();
    // Places may lie on the border.
    let clamp = |at: usize| {
        let (x, y) = ((at % stride).saturating_sub(1) as u32, (at / stride).saturating_sub(1) as u32);
        (x.min(shape.width() - 1), y.min(shape.height() - 1))
    };
    let ((ax, ay), (bx, by)) = (clamp(a), clamp(b));
    let rect = LocalRect { x0: ax.min(bx), y0: ay.min(by), x1: ax.max(bx) + 1, y1: ay.max(by) + 1 };
    LocalRect::join(&mut field.looked_at, rect);
}

fn octant(field: &FlowField, goal: usize, octant: usize) -> Octant {
    let shape = field.integration.shape;
    let (x, y) = shape.xy(PaddedIndex::new(goal));
    let along = |negative: bool, at: u32, side: u32, step: isize| {
        if negative { (-step, i64::from(at)) } else { (step, i64::from(side - 1 - at)) }
    };
    let (right, x_reach) = along(octant & 1 != 0, x, shape.width(), 1);
    let (down, y_reach) = along(octant & 2 != 0, y, shape.height(), shape.stride() as isize);
    if octant & 4 == 0 {
        Octant { goal: goal as isize, steps: (right, down), reach: (x_reach, y_reach) }
    } else {
        Octant { goal: goal as isize, steps: (down, right), reach: (y_reach, x_reach) }
    }
}
