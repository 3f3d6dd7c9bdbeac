//! String pulling: turning points that a body can leave out because it fits along the straight line between others.

use std::cmp::Ordering;

use crate::bitgrid::BitGrid;
use crate::passability::StandCosts;

/// Where a body can walk in straight lines: the stands of a layer and, where steps differ in cost, what they cost.
pub struct WalkingGround<'a> {
    /// One bit a cell: the body can stand.
    pub stands: &'a BitGrid,
    /// What stands cost; `None` where all cost the same.
    pub costs: Option<&'a StandCosts>,
}

/// A cell, counted from the map's corner.
type Place = (u32, u32);

impl WalkingGround<'_> {
    /// The turning points of a path that a body can walk in straight lines, from the turning points `places` of a path of
    /// steps: from each, the farthest place on the path that it sees, found greedily.
    ///
    /// No line leads over a stand that is dearer than the dearest that the path itself takes on that part.
    pub fn pulled(&self, places: &[Place]) -> Vec<Place> {
        let Some((&first, mut rest)) = places.split_first() else { return Vec::new() };
        let mut pulled = vec![first];
        let mut at = first;
        while let Some(&next) = rest.first() {
            // The next turning point is seen, because the path leads there in a straight line.
            let mut dearest = self.dearest_on_leg(at, next);
            let mut seen = 0;
            while let Some(&farther) = rest.get(seen + 1) {
                let limit = dearest.max(self.dearest_on_leg(rest[seen], farther));
                if !self.line_is_clear(at, farther, limit) {
                    break;
                }
                dearest = limit;
                seen += 1;
            }
            let corner = rest[seen];
            rest = &rest[seen + 1..];
            // Some way along the leg behind it may be seen too.
            at = rest.first().map_or(corner, |&hidden| self.farthest_on_leg(at, corner, hidden, dearest));
            pulled.push(at);
        }
        pulled
    }

    /// The farthest place that is seen from `from` on the leg from `seen` to `hidden`, by bisection.
    fn farthest_on_leg(&self, from: Place, seen: Place, hidden: Place, dearest: u32) -> Place {
        let (mut low, mut high) = (0, steps_between(seen, hidden));
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            let place = along(seen, hidden, middle);
            let limit = dearest.max(self.dearest_on_leg(seen, place));
            if self.line_is_clear(from, place, limit) {
                low = middle;
            } else {
                high = middle;
            }
        }
        along(seen, hidden, low)
    }

    /// The dearest stand on a straight or diagonal leg, its first left out; 0 where all cost the same.
    fn dearest_on_leg(&self, from: Place, to: Place) -> u32 {
        let Some(costs) = self.costs else { return 0 };
        let place = |n| along(from, to, n);
        let cost = |(x, y)| costs.packed()[self.stands.shape().index(x, y).get()];
        (1..=steps_between(from, to)).map(|n| cost(place(n))).max().unwrap_or(0)
    }

    /// Whether the body fits everywhere on the straight line between two stands.
    ///
    /// A body between cells covers the cells of up to four stands. So in each column that the line passes, the rows from
    /// the one at or above its highest to the one at or below its lowest point must all be stands; when the line is
    /// steep, the same with columns and rows changed over.
    fn line_is_clear(&self, from: Place, to: Place, dearest: u32) -> bool {
        let steep = from.0.abs_diff(to.0) < from.1.abs_diff(to.1);
        let turn =
            |(x, y): Place| if steep { (i64::from(y), i64::from(x)) } else { (i64::from(x), i64::from(y)) };
        let (mut a, mut b) = (turn(from), turn(to));
        if a.0 > b.0 {
            (a, b) = (b, a);
        }
        let (run, rise) = (b.0 - a.0, b.1 - a.1);
        // Heights are counted in parts of 1/run.
        let height = |column: i64| a.1 * run + rise * (column.clamp(a.0, b.0) - a.0);
        let shape = self.stands.shape();
        (a.0..=b.0).all(|column| {
            let (left, right) = (height(column - 1), height(column + 1));
            let (low, high) = (left.min(right), left.max(right));
            let run = run.max(1);
            (low.div_euclid(run)..=-(-high).div_euclid(run)).all(|row| {
                let (x, y) = if steep { (row, column) } else { (column, row) };
                let index = shape.index(x as u32, y as u32);
                self.stands.get(index)
                    && self.costs.is_none_or(|costs| costs.packed()[index.get()] <= dearest)
            })
        })
    }
}

fn steps_between(a: Place, b: Place) -> u32 {
    a.0.abs_diff(b.0).max(a.1.abs_diff(b.1))
}

/// The place `n` steps from `a` on the straight or diagonal leg to `b`.
fn along(a: Place, b: Place, n: u32) -> Place {
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
    use crate::geometry::{Cell, Footprint};
    use crate::passability::{TerrainCosts, open_grid};
    use crate::terrain::{Capability, Terrain};

    fn layer(text: &str) -> (Terrain, BitGrid) {
        let terrain = Terrain::from_text(text, Cell::default()).unwrap();
        let layer = open_grid(&terrain, Capability::ALL);
        (terrain, layer)
    }

    #[test]
    fn open_ground_is_crossed_in_one_line() {
        let (_, stands) = layer("......\n......\n......");
        let ground = WalkingGround { stands: &stands, costs: None };
        assert_eq!(ground.pulled(&[(0, 0), (2, 2), (5, 2)]), [(0, 0), (5, 2)]);
        assert_eq!(ground.pulled(&[(3, 1)]), [(3, 1)]);
        assert_eq!(ground.pulled(&[]), []);
    }

    #[test]
    fn a_line_keeps_the_body_off_corners() {
        let (_, stands) = layer("......\n..#...\n......");
        let ground = WalkingGround { stands: &stands, costs: None };
        // The line from (0, 1) to (5, 0) would touch the wall with the body's lower edge.
        assert!(!ground.line_is_clear((0, 1), (5, 0), 0));
        assert!(ground.line_is_clear((0, 0), (5, 0), 0));
        assert!(!ground.line_is_clear((1, 1), (2, 0), 0));
        assert!(!ground.line_is_clear((2, 0), (1, 1), 0));
    }

    #[test]
    fn lines_do_not_take_dearer_ground_than_the_path_did() {
        let (terrain, stands) = layer("......\n.~~~~.\n......");
        let factors = TerrainCosts::new(&[1.0, 5.0]).unwrap();
        let costs = StandCosts::build(&terrain, &stands, Footprint::ONE, &factors);
        let ground = WalkingGround { stands: &stands, costs: Some(&costs) };
        let around = [(0, 1), (0, 0), (5, 0), (5, 1)];
        assert_eq!(ground.pulled(&around).first(), Some(&(0, 1)));
        assert!(ground.pulled(&around).len() > 2);
        let through = [(0, 1), (5, 1)];
        assert_eq!(ground.pulled(&through), through);
    }
}
