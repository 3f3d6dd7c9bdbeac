//! String pulling: leaves out turning points of a path that the body can walk past in a straight line.

use std::cmp::Ordering;

use crate::bitgrid::PaddedIndex;
use crate::geometry::Side;
use crate::passability::{PlacementCosts, Placements};

/// Pulls paths straight over a passability layer.
pub(crate) struct StringPuller<'a> {
    /// The layer: one bit for each cell that is a valid placement.
    pub placements: &'a Placements,
    /// What stepping onto placements costs; `None` if all cost the same.
    pub costs: Option<&'a PlacementCosts>,
}

/// Column and row of a cell, counted from the map's corner.
type Point = (u32, u32);

impl StringPuller<'_> {
    /// Returns the turning points of a path of straight lines of any slope, from those of a path of steps.
    /// Each is the farthest point on the path that is in sight of the one before, found greedily.
    ///
    /// No line passes a placement that costs more than the maximum on the part of the path that it replaces.
    pub(crate) fn pull(&self, points: &[Point]) -> Vec<Point> {
        let Some((&first, mut rest)) = points.split_first() else { return Vec::new() };
        let mut pulled = vec![first];
        let mut at = first;
        while let Some(&next) = rest.first() {
            // The next turning point is always in sight, as the path leads there in a straight line.
            let mut cost_max = self.max_on_leg(at, next);
            let mut seen = 0;
            while let Some(&farther) = rest.get(seen + 1) {
                let limit = cost_max.max(self.max_on_leg(rest[seen], farther));
                if !self.is_clear(at, farther, limit) {
                    break;
                }
                cost_max = limit;
                seen += 1;
            }
            let corner = rest[seen];
            rest = &rest[seen + 1..];
            // A part of the leg after that point may be in sight, too.
            at = rest.first().map_or(corner, |&hidden| self.farthest_on_leg(at, corner, hidden, cost_max));
            pulled.push(at);
        }
        pulled
    }

    /// Returns whether the body can walk the straight lines between `points`, whatever that costs.
    pub(crate) fn is_clear_along(&self, points: &[Point]) -> bool {
        points.windows(2).all(|pair| self.is_clear(pair[0], pair[1], u32::MAX))
    }

    /// The farthest point in sight of `from` on the leg from `seen` to `hidden`, by bisection.
    fn farthest_on_leg(&self, from: Point, seen: Point, hidden: Point, cost_max: u32) -> Point {
        // Visibility need not be monotone along the leg; bisection finds some last visible point, and checks
        // each it returns.
        let (mut low, mut high) = (0, steps_between(seen, hidden));
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            let point = along(seen, hidden, middle);
            let limit = cost_max.max(self.max_on_leg(seen, point));
            if self.is_clear(from, point, limit) {
                low = middle;
            } else {
                high = middle;
            }
        }
        along(seen, hidden, low)
    }

    /// The maximum packed cost on a straight or diagonal leg, its first placement left out, as it was paid
    /// before; 0 if all cost the same.
    fn max_on_leg(&self, from: Point, to: Point) -> u32 {
        let Some(costs) = self.costs else { return 0 };
        let cost = |(x, y)| costs.packed()[self.placements.layout().index(x, y).get()];
        (1..=steps_between(from, to)).map(|n| cost(along(from, to, n))).max().unwrap_or(0)
    }

    /// Returns whether the body fits everywhere on the straight line between two placements, without stepping
    /// onto a placement that costs more than `cost_max`.
    ///
    /// A body between cells covers the cells of up to four placements. So in each column that the line
    /// passes, all rows must be valid from the line's lowest coordinate, rounded down, to its highest,
    /// rounded up. On steep lines columns and rows change places, so that each column or row is looked at
    /// once.
    fn is_clear(&self, from: Point, to: Point, cost_max: u32) -> bool {
        let is_steep = from.0.abs_diff(to.0) < from.1.abs_diff(to.1);
        let turn = |(x, y): Point| {
            let (x, y) = (i64::from(x), i64::from(y));
            if is_steep { (y, x) } else { (x, y) }
        };
        let (mut a, mut b) = (turn(from), turn(to));
        if a.0 > b.0 {
            (a, b) = (b, a);
        }
        let (run, rise) = (b.0 - a.0, b.1 - a.1);
        // Heights are in parts of 1/run, so they are exact.
        let height = |column: i64| a.1 * run + rise * (column.clamp(a.0, b.0) - a.0);
        let is_open = |index: PaddedIndex| {
            self.placements.get(index)
                && self.costs.is_none_or(|costs| costs.packed()[index.get()] <= cost_max)
        };
        let rows = |column: i64| {
            // A body touches a column from one column before to one after it.
            let (left, right) = (height(column - 1), height(column + 1));
            let (low, high) = (left.min(right), left.max(right));
            // A line from a cell to itself has a run of 0.
            let run = run.max(1);
            low.div_euclid(run)..=-(-high).div_euclid(run)
        };
        let is_passed = |column: i64, row: i64| (a.0..=b.0).contains(&column) && rows(column).contains(&row);
        (a.0..=b.0).all(|column| {
            rows(column).all(|row| {
                let (x, y) = if is_steep { (row, column) } else { (column, row) };
                let index = self.placements.layout().index(x as u32, y as u32);
                let is_passed = |x, y| if is_steep { is_passed(y, x) } else { is_passed(x, y) };
                is_open(index)
                    && self.placements.edges().is_none_or(|edges| {
                        sides_ahead(from, to).all(|side| {
                            let direction = side.direction();
                            let leads_on =
                                is_passed(x + i64::from(direction.dx()), y + i64::from(direction.dy()));
                            !(leads_on && edges.closed(side).get(index))
                        })
                    })
            })
        })
    }
}

/// Returns the sides over which a straight line leads out of the placements that it passes.
fn sides_ahead(from: Point, to: Point) -> impl Iterator<Item = Side> {
    let across = match to.0.cmp(&from.0) {
        Ordering::Less => Some(Side::Left),
        Ordering::Equal => None,
        Ordering::Greater => Some(Side::Right),
    };
    let along = match to.1.cmp(&from.1) {
        Ordering::Less => Some(Side::Top),
        Ordering::Equal => None,
        Ordering::Greater => Some(Side::Bottom),
    };
    across.into_iter().chain(along)
}

fn steps_between(a: Point, b: Point) -> u32 {
    a.0.abs_diff(b.0).max(a.1.abs_diff(b.1))
}

/// The point `n` steps from `a` on the straight or diagonal leg to `b`.
fn along(a: Point, b: Point, n: u32) -> Point {
    let step = |from: u32, to: u32| match from.cmp(&to) {
        Ordering::Less => from + n,
        Ordering::Equal => from,
        Ordering::Greater => from - n,
    };
    (step(a.0, b.0), step(a.1, b.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derived::Derived;
    use crate::geometry::{Cell, Footprint};
    use crate::passability::{TerrainCosts, open_grid};
    use crate::terrain::{Capability, Terrain};

    fn layer(text: &str) -> (Terrain, Placements) {
        let terrain = Terrain::from_text(text, Cell::default()).unwrap();
        let layer = open_grid(&terrain, Capability::ALL);
        (terrain, layer.into())
    }

    #[test]
    fn a_path_over_open_ground_becomes_one_line() {
        let (_, placements) = layer("......\n......\n......");
        let puller = StringPuller { placements: &placements, costs: None };
        assert_eq!(puller.pull(&[(0, 0), (2, 2), (5, 2)]), [(0, 0), (5, 2)]);
        assert_eq!(puller.pull(&[(3, 1)]), [(3, 1)]);
        assert_eq!(puller.pull(&[]), []);
    }

    #[test]
    fn a_line_beside_a_corner_is_not_clear() {
        let (_, placements) = layer("......\n..#...\n......");
        let puller = StringPuller { placements: &placements, costs: None };
        // The line from (0, 1) to (5, 0) would touch the wall with the body's lower edge.
        assert!(!puller.is_clear((0, 1), (5, 0), 0));
        assert!(puller.is_clear((0, 0), (5, 0), 0));
        assert!(!puller.is_clear((1, 1), (2, 0), 0));
        assert!(!puller.is_clear((2, 0), (1, 1), 0));
    }

    #[test]
    fn lines_pass_no_placement_of_higher_cost_than_the_path() {
        let (terrain, placements) = layer("......\n.~~~~.\n......");
        let factors = TerrainCosts::new(&[1.0, 5.0]).unwrap();
        let costs = PlacementCosts::build((&terrain, &placements, (&factors).into()), Footprint::ONE);
        let puller = StringPuller { placements: &placements, costs: Some(&costs) };
        let around = [(0, 1), (0, 0), (5, 0), (5, 1)];
        assert_eq!(puller.pull(&around).first(), Some(&(0, 1)));
        assert!(puller.pull(&around).len() > 2);
        let through = [(0, 1), (5, 1)];
        assert_eq!(puller.pull(&through), through);
    }
}
