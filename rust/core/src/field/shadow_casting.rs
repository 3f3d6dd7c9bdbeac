//! Lines of sight by shadow casting: the placements from which a body can walk to a goal in a straight line.
//!
//! Around each goal, eight octants are swept column by column: u counts cells along the longer axis, v along
//! the shorter. A line of slope s crosses column u within the rows ⌊s(u − 1)⌋ to ⌈s(u + 1)⌉, because a body
//! between two cells covers both. So a blocked cell (u, r) hides exactly the open interval of slopes from (r
//! − 1)/(u + 1) to (r + 1)/(u − 1) in all later columns. The slopes of 0 to 1 that are still visible are kept
//! as a list of closed intervals, as exact fractions. Takes time in proportion to the cells within view of
//! the goals.

use std::cmp::Ordering;

use super::flow::{FLAG_SIGHT, FlowField};
use super::ground::FieldGround;
use crate::bitgrid::{LocalRect, PaddedIndex};
use crate::cost::StepCost;
use crate::primitives::octile;

/// A slope as a fraction.
#[derive(Clone, Copy, Debug)]
struct Slope {
    rise: i64,
    run: i64,
}

impl Slope {
    fn compare(self, other: Self) -> Ordering {
        // Exact: rises and runs are coordinates of a map, so their products fit in 64 bits.
        (self.rise * other.run).cmp(&(other.rise * self.run))
    }

    /// The row at column `u`, rounded down.
    const fn floor(self, u: i64) -> i64 {
        self.rise * u / self.run
    }

    /// The row at column `u`, rounded up.
    const fn ceil(self, u: i64) -> i64 {
        (self.rise * u + self.run - 1) / self.run
    }
}

/// One of the eight octants around a goal, in padded indices.
#[derive(Clone, Copy, Debug, Default)]
struct Octant {
    goal: isize,
    /// Index steps along the longer axis and along the shorter.
    steps: (isize, isize),
    /// Number of the map's cells beyond the goal along both.
    reach: (i64, i64),
}

/// The state of a sweep, which can stop between two columns and resume.
#[derive(Clone, Debug, Default)]
pub(super) struct ShadowCaster {
    /// The goal that is swept around, as an index into the field's goals.
    goal: usize,
    /// The number of the octant that is swept.
    octant: usize,
    /// The column of the octant that was swept last; 0 before the first.
    column: i64,
    /// The slopes visible in this column, and in the next one: disjoint closed intervals in ascending order.
    visible: Vec<(Slope, Slope)>,
    next_visible: Vec<(Slope, Slope)>,
}

impl FlowField {
    /// The number of goals that lines of sight are computed to.
    // `FlowField::sight` holds one more than a goal's number in a byte, and each goal costs a sweep of what
    // it sees.
    pub(crate) const SIGHT_GOALS_MAX: usize = 64;
}

impl ShadowCaster {
    /// Starts anew on `field`, in which no cell has a line of sight yet.
    pub(super) fn start(&mut self, field: &mut FlowField) {
        (self.goal, self.octant, self.column) = (0, 0, 0);
        field.sight_bounds = None;
        let FlowField { integration, sight_goals, .. } = field;
        sight_goals.clear();
        let position = |&goal: &u32| {
            let (x, y) = integration.layout.xy(PaddedIndex::new(goal as usize));
            [x as f32, y as f32]
        };
        sight_goals.extend(integration.goals.iter().take(FlowField::SIGHT_GOALS_MAX).map(position));
    }

    /// Removes all lines of sight from `field`.
    pub(super) fn clear(field: &mut FlowField) {
        let Some(rect) = field.sight_bounds.take() else { return };
        for y in rect.y0..rect.y1 {
            let start = field.integration.layout.index(rect.x0, y).get();
            let cells = start..start + (rect.x1 - rect.x0) as usize;
            field.sight[cells.clone()].fill(0);
            field.flow[cells].iter_mut().for_each(|flow| *flow &= !FLAG_SIGHT);
        }
    }

    /// Sweeps until all goals are done or `units` are used up, one for each cell read; returns whether all
    /// are done.
    pub(super) fn run(&mut self, field: &mut FlowField, ground: &FieldGround<'_>, units: &mut i64) -> bool {
        let moves = ground.moves.bytes();
        let packed = ground.packed();
        if let Some(edges) = ground.placements.edges() {
            // Lines keep off edges.
            let open = |at: usize| {
                moves[at] != 0
                    && edges.plain().get(PaddedIndex::new(at))
                    && packed.is_none_or(|packed| packed[at] == StepCost::UNIT.pack())
            };
            return self.run_with(field, open, units);
        }
        match packed {
            None => self.run_with(field, |at| moves[at] != 0, units),
            // An isolated placement (no legal moves) counts as blocked, as it does on uniform ground. If it
            // were open here, the first weight set anywhere would open it, and a repair only reads what
            // changed near it.
            Some(packed) => {
                let open = |at: usize| packed[at] == StepCost::UNIT.pack() && moves[at] != 0;
                self.run_with(field, open, units)
            }
        }
    }

    fn run_with(&mut self, field: &mut FlowField, open: impl Fn(usize) -> bool, units: &mut i64) -> bool {
        while self.goal < field.sight_goals.len() {
            if *units <= 0 {
                return false;
            }
            let goal = field.integration.goals[self.goal] as usize;
            let octant = octant(field, goal, self.octant);
            // Column 0 is the goal itself.
            if self.column == 0 {
                extend_bounds(field, goal, goal);
                self.start_octant(goal, octant, &open);
            }
            self.column += 1;
            if self.visible.is_empty() || self.column > octant.reach.0 {
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

    fn start_octant(&mut self, goal: usize, octant: Octant, open: impl Fn(usize) -> bool) {
        self.visible.clear();
        if open(goal) {
            // The shadow of a blocked cell (0, 1) begins at slope (1 − 1)/(0 + 1) and has no upper edge: only
            // slope 0 is left.
            let beside = open((octant.goal + octant.steps.1) as usize);
            let steepest = i64::from(beside);
            self.visible.push((Slope { rise: 0, run: 1 }, Slope { rise: steepest, run: 1 }));
        }
    }

    /// Reads one column, marks its cells in sight and removes the slopes that it hides; returns the number of
    /// cells read.
    fn sweep_column(&mut self, field: &mut FlowField, octant: Octant, open: impl Fn(usize) -> bool) -> i64 {
        let u = self.column;
        let base = octant.goal + octant.steps.0 * u as isize;
        let index = |v: i64| (base + octant.steps.1 * v as isize) as usize;
        let number = self.goal as u8 + 1;
        let mut cells = 0;
        let (mut first, mut last) = (i64::MAX, 0);
        self.next_visible.clear();
        for &(low, high) in &self.visible {
            let rows = low.floor(u - 1)..=high.ceil(u + 1).min(octant.reach.1 + 1);
            // Lines to the cells of this column itself, as opposed to lines that pass through it.
            let in_sight = low.ceil(u)..=high.floor(u);
            (first, last) = (first.min(*rows.start()), last.max(*rows.end()));
            cells += rows.end() - rows.start() + 1;
            // The lower end of the interval that is being scanned; `None` inside a shadow.
            let mut lower_end = Some(low);
            let mut was_open = true;
            for v in rows {
                let at = index(v);
                let is_open = open(at);
                // Just before its end at (u, v), a body that comes from slope 0 or more covers row v − 1 of
                // this column, too. Along the axis (v = 0) it does not.
                if is_open && (was_open || v == 0) && in_sight.contains(&v) {
                    mark(field, at, number, octile(u as u32, v as u32));
                }
                if was_open && !is_open {
                    // What lies below this cell's shadow stays visible.
                    if let Some(low) = lower_end {
                        let edge = Slope { rise: v - 1, run: u + 1 };
                        if low.compare(edge).is_le() {
                            self.next_visible.push((low, edge));
                        }
                    }
                    lower_end = None;
                } else if !was_open && is_open && u > 1 {
                    // In column 1 the shadow's upper edge is vertical (a division by 0), so nothing above
                    // stays visible.
                    lower_end = Some(Slope { rise: v, run: u - 1 });
                }
                was_open = is_open;
            }
            if let Some(low) = lower_end.filter(|low| low.compare(high).is_le()) {
                self.next_visible.push((low, high));
            }
        }
        std::mem::swap(&mut self.visible, &mut self.next_visible);
        extend_bounds(field, index(first), index(last));
        cells
    }
}

/// Marks a cell that sees the goal with this number, which is `cost` away in a straight line, unless the
/// field leads it to a nearer goal or around something.
#[inline]
fn mark(field: &mut FlowField, at: usize, number: u8, cost: u32) {
    if field.integration.costs[at] == cost && field.sight[at] == 0 {
        field.sight[at] = number;
        field.flow[at] |= FLAG_SIGHT;
    }
}

/// Extends `sight_bounds` by the cells from one padded index to another in the same row or column.
fn extend_bounds(field: &mut FlowField, a: usize, b: usize) {
    let layout = field.integration.layout;
    let stride = layout.stride();
    // Sweeps read one cell beyond the map, whose border is blocked.
    let clamp = |at: usize| {
        let (x, y) = ((at % stride).saturating_sub(1) as u32, (at / stride).saturating_sub(1) as u32);
        (x.min(layout.width() - 1), y.min(layout.height() - 1))
    };
    let ((ax, ay), (bx, by)) = (clamp(a), clamp(b));
    let rect = LocalRect { x0: ax.min(bx), y0: ay.min(by), x1: ax.max(bx) + 1, y1: ay.max(by) + 1 };
    LocalRect::join(&mut field.sight_bounds, rect);
}

fn octant(field: &FlowField, goal: usize, octant: usize) -> Octant {
    let layout = field.integration.layout;
    let (x, y) = layout.xy(PaddedIndex::new(goal));
    let along = |negative: bool, at: u32, side: u32, step: isize| {
        if negative { (-step, i64::from(at)) } else { (step, i64::from(side - 1 - at)) }
    };
    let (right, x_reach) = along(octant & 1 != 0, x, layout.width(), 1);
    let (down, y_reach) = along(octant & 2 != 0, y, layout.height(), layout.stride() as isize);
    if octant & 4 == 0 {
        Octant { goal: goal as isize, steps: (right, down), reach: (x_reach, y_reach) }
    } else {
        Octant { goal: goal as isize, steps: (down, right), reach: (y_reach, x_reach) }
    }
}
