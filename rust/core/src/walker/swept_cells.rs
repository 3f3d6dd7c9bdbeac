//! Which cells a body enters on a straight line of its centre that starts and ends anywhere.
//!
//! The cells under a body change only where one of its four sides crosses a grid line, so the crossings are
//! visited in order, each once: the work is in proportion to the length of the line and the side of the body.
//! Nothing is sampled (after Amanatides & Woo, *A Fast Voxel Traversal Algorithm*, 1987, for a box instead of
//! a ray).
//!
//! The crowd's `sweep` answers another question and cannot stand in for it: it moves a disc that has slack in
//! its footprint, in single precision, half a cell at most, and slides along walls; here a whole line is free
//! or not, to the last bit of a double.

use super::Point;
use crate::geometry::{Cell, CellRect, Footprint, Side};

/// What a body may stick out into a closed cell, in cells: a wall of a physics engine pushes bodies away by
/// as much.
const SLACK: f64 = 0.03;

/// Returns the cells under a body whose centre is at `center`.
pub fn covered(center: Point, footprint: Footprint) -> CellRect {
    // A float cast saturates.
    let reach = |at: f64, side: i32| {
        let half = f64::from(side) / 2.0 - SLACK;
        ((at - half).floor() as i32, (at + half).floor() as i32)
    };
    let ((x0, x1), (y0, y1)) = (reach(center.x, footprint.w()), reach(center.y, footprint.h()));
    CellRect::new(x0, y0, x1.saturating_sub(x0).saturating_add(1), y1.saturating_sub(y0).saturating_add(1))
}

/// Returns `true` if every cell that the body enters between `a` and `b` is open, and it `comes_over` all edges
/// on the way. That is asked with the cells that it covers, and the side of them on which it entered the last.
/// Cells under it at `a` are not asked for: a body that stands where it does not fit may leave.
pub(super) fn enters_only_open(
    (a, b): (Point, Point),
    footprint: Footprint,
    is_open: impl Fn(Cell) -> bool,
    comes_over: impl Fn(CellRect, Side) -> bool,
) -> bool {
    // Beyond there are no cells, and the counters below stay within their type.
    let is_on_map = |at: f64| at.abs() < f64::from(i32::MAX);
    if ![a.x, a.y, b.x, b.y].into_iter().all(is_on_map) {
        return false;
    }
    let is_open = |x: i64, y: i64| {
        i32::try_from(x).ok().zip(i32::try_from(y).ok()).is_some_and(|(x, y)| is_open(Cell::new(x, y)))
    };
    let mut x = Span::new(a.x, b.x, footprint.w());
    let mut y = Span::new(a.y, b.y, footprint.h());
    let sides =
        [if b.x > a.x { Side::Right } else { Side::Left }, if b.y > a.y { Side::Bottom } else { Side::Top }];
    loop {
        let (next_x, next_y) = (x.next(), y.next());
        let is_x = next_x.t < next_y.t || (next_x.t <= next_y.t && !next_x.leads);
        let next = if is_x { next_x } else { next_y };
        if next.t >= 1.0 {
            return true;
        }
        let entered = if is_x { x.cross(next) } else { y.cross(next) };
        let fits = entered.is_none_or(|at| {
            let is_open = if is_x {
                (y.low..=y.high).all(|row| is_open(at, row))
            } else {
                (x.low..=x.high).all(|column| is_open(column, at))
            };
            is_open && comes_over(cells(&x, &y), sides[usize::from(!is_x)])
        });
        if !fits {
            return false;
        }
    }
}

/// Returns the cells of some columns and rows, all of which are open and so lie on the map.
fn cells(x: &Span, y: &Span) -> CellRect {
    let side = |span: &Span| (span.high - span.low + 1) as i32;
    CellRect::new(x.low as i32, y.low as i32, side(x), side(y))
}

/// The body along one axis: its two edges at the start, and the cells from `low` to `high` that it covers
/// now.
struct Span {
    edges: (f64, f64),
    along: f64,
    low: i64,
    high: i64,
}

/// The next crossing of a grid line: when, as a share of the line, and if the body enters cells there.
#[derive(Clone, Copy)]
struct Crossing {
    t: f64,
    leads: bool,
}

impl Span {
    fn new(from: f64, to: f64, side: i32) -> Self {
        let half = f64::from(side) / 2.0 - SLACK;
        let edges = (from - half, from + half);
        // A float cast saturates; so far out every cell is closed.
        Self { edges, along: to - from, low: edges.0.floor() as i64, high: edges.1.floor() as i64 }
    }

    fn next(&self) -> Crossing {
        if self.along == 0.0 {
            return Crossing { t: f64::INFINITY, leads: false };
        }
        // The edge in front and the one behind leave their cells at these lines.
        let step = i64::from(self.along > 0.0);
        let low = ((self.low + step) as f64 - self.edges.0) / self.along;
        let high = ((self.high + step) as f64 - self.edges.1) / self.along;
        let (front, behind) = if step == 1 { (high, low) } else { (low, high) };
        if behind <= front {
            Crossing { t: behind, leads: false }
        } else {
            Crossing { t: front, leads: true }
        }
    }

    /// Moves over a line; returns the row or column that is entered.
    fn cross(&mut self, crossing: Crossing) -> Option<i64> {
        let step = if self.along > 0.0 { 1 } else { -1 };
        let is_high = crossing.leads == (step == 1);
        let edge = if is_high { &mut self.high } else { &mut self.low };
        *edge += step;
        crossing.leads.then_some(*edge)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entered(a: (f64, f64), b: (f64, f64), side: i64) -> Vec<(i32, i32)> {
        let cells = std::cell::RefCell::new(Vec::new());
        let line = (Point::new(a.0, a.1), Point::new(b.0, b.1));
        let enter = |cell: Cell| {
            cells.borrow_mut().push((cell.x, cell.y));
            true
        };
        let all = enters_only_open(line, Footprint::square(side).unwrap(), enter, |_, _| true);
        assert!(all);
        let mut cells = cells.into_inner();
        cells.sort_unstable();
        cells
    }

    #[test]
    fn a_body_enters_what_lies_ahead_and_not_what_it_covers() {
        assert_eq!(entered((0.5, 0.5), (2.5, 0.5), 1), [(1, 0), (2, 0)]);
        assert_eq!(entered((2.5, 0.5), (0.5, 0.5), 1), [(0, 0), (1, 0)]);
        assert_eq!(entered((1.0, 1.0), (1.0, 3.0), 2), [(0, 2), (0, 3), (1, 2), (1, 3)]);
        assert_eq!(entered((0.5, 0.5), (0.5, 0.5), 1), []);
        // Half over its neighbour already.
        assert_eq!(entered((1.0, 0.5), (1.5, 0.5), 1), []);
    }

    #[test]
    fn a_diagonal_enters_the_cells_beside_it() {
        assert_eq!(entered((0.5, 0.5), (1.5, 1.5), 1), [(0, 1), (1, 0), (1, 1)]);
        assert_eq!(entered((1.5, 1.5), (0.5, 0.5), 1), [(0, 0), (0, 1), (1, 0)]);
    }

    #[test]
    fn what_is_no_number_or_far_away_is_closed() {
        let line = |x: f64| (Point::new(x, 0.5), Point::new(0.5, 0.5));
        let near = |cell: Cell| cell.x.abs() < 9;
        let is_open = |x: f64| enters_only_open(line(x), Footprint::ONE, near, |_, _| true);
        assert!(!is_open(f64::NAN) && !is_open(1e12) && !is_open(1e300) && is_open(8.5));
    }

    #[test]
    fn it_enters_what_small_steps_cover() {
        let footprint = Footprint::new(2, 1).unwrap();
        for n in 0..200 {
            let spread = |k: i32| f64::from((n * k) % 97) / 9.0;
            let (a, b) = (Point::new(spread(13), spread(29)), Point::new(spread(41), spread(57)));
            let start = covered(a, footprint);
            let seen = std::cell::RefCell::new(Vec::new());
            let enter = |cell| {
                seen.borrow_mut().push(cell);
                true
            };
            enters_only_open((a, b), footprint, enter, |_, _| true);
            let seen = seen.into_inner();
            for step in 0..=2000 {
                let at = covered(a.lerp(b, f64::from(step) / 2000.0), footprint);
                let all = at.cells().all(|cell| start.contains(cell) || seen.contains(&cell));
                assert!(all, "line {n}, step {step}");
            }
        }
    }
}
