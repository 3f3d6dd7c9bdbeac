//! Paths over the map as turning points: the cells between them, string pulling, and what a body sweeps over.

mod covered_rows;
mod string_pulling;
mod sweep;

pub use covered_rows::covered_rows;
pub(crate) use string_pulling::StringPuller;
pub use sweep::sweeps_over;

use crate::geometry::Cell;

/// A path as its turning points: consecutive ones lie on a straight or diagonal line, or are joined by a link.
/// The first is the start.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Route {
    waypoints: Vec<Cell>,
    /// In the order of the path.
    links: Vec<RouteLink>,
}

/// A link that a path takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RouteLink {
    /// The place among the waypoints of its end. It begins at the waypoint before.
    pub place: usize,
    /// The number of the link.
    pub id: u32,
}

impl Route {
    /// Returns the route along `waypoints`, consecutive ones of which lie on a straight or diagonal line.
    pub fn new(waypoints: Vec<Cell>) -> Self {
        debug_assert!(waypoints.windows(2).all(|pair| {
            let (dx, dy) = (pair[0].x.abs_diff(pair[1].x), pair[0].y.abs_diff(pair[1].y));
            dx == 0 || dy == 0 || dx == dy
        }));
        Self { waypoints, links: Vec::new() }
    }

    /// As [`Route::new`], but that `links`, in the order of the path, join some of the waypoints.
    pub fn with_links(waypoints: Vec<Cell>, links: Vec<RouteLink>) -> Self {
        Self { waypoints, links }
    }

    /// The links that the path takes, in its order.
    pub fn links(&self) -> &[RouteLink] {
        &self.links
    }

    /// Returns the ends of each link that the path takes, and its number.
    pub fn link_ends(&self) -> impl Iterator<Item = ([Cell; 2], u32)> {
        let ends = |link: &RouteLink| ([self.waypoints[link.place - 1], self.waypoints[link.place]], link.id);
        self.links.iter().map(ends)
    }

    /// Returns for each link the place among [`Route::cells`] of the cell where it begins.
    pub fn link_steps(&self) -> Vec<i32> {
        let mut places = self.links.iter().map(|link| link.place).peekable();
        let (mut steps, mut waypoint, mut cells) = (Vec::new(), 0, 0);
        // Each line leads to a waypoint.
        self.for_each_line(|_, _, count| {
            if places.next_if_eq(&waypoint).is_some() {
                steps.push(cells - 1);
            }
            waypoint += 1;
            cells += count as i32;
        });
        steps
    }

    /// The turning points, start and goal included.
    pub fn waypoints(&self) -> &[Cell] {
        &self.waypoints
    }

    /// Returns whether there is no path.
    pub fn is_empty(&self) -> bool {
        self.waypoints.is_empty()
    }

    /// The last cell.
    pub fn goal(&self) -> Option<Cell> {
        self.waypoints.last().copied()
    }

    /// Number of cells of the path, start and goal included.
    pub fn cell_count(&self) -> usize {
        let mut cells = 0;
        self.for_each_line(|_, _, count| cells += count as usize);
        cells
    }

    /// Returns every cell from start to goal; consecutive ones are neighbours, or the ends of a link.
    pub fn cells(&self) -> Vec<Cell> {
        let mut cells = Vec::with_capacity(self.cell_count());
        self.for_each_cell(|cell| cells.push(cell));
        cells
    }

    /// Calls `visit` with every cell from start to goal.
    #[inline]
    pub fn for_each_cell(&self, mut visit: impl FnMut(Cell)) {
        self.for_each_line(|first, (dx, dy), count| {
            for n in 0..count as i32 {
                visit(Cell::new(first.x + n * dx, first.y + n * dy));
            }
        });
    }

    /// Calls `visit` with every line of cells from start to goal: its first cell, the step from one cell to
    /// the next, and the number of cells. Each cell is in one line only; the start is a line of its own, and so
    /// is the end of a link. Their step is (0, 0).
    #[inline]
    pub fn for_each_line(&self, mut visit: impl FnMut(Cell, (i32, i32), u32)) {
        // Each line leaves its first turning point to the line before, so the start needs one of its own.
        let Some(&first) = self.waypoints.first() else { return };
        visit(first, (0, 0), 1);
        let mut links = self.links.iter();
        let mut link = links.next();
        for (n, pair) in self.waypoints.windows(2).enumerate() {
            if link.is_some_and(|link| link.place == n + 1) {
                link = links.next();
                visit(pair[1], (0, 0), 1);
                continue;
            }
            let (dx, dy) = ((pair[1].x - pair[0].x).signum(), (pair[1].y - pair[0].y).signum());
            visit(Cell::new(pair[0].x + dx, pair[0].y + dy), (dx, dy), steps_between(pair[0], pair[1]));
        }
    }
}

// Exact for straight and diagonal lines, whose longer side counts every step.
fn steps_between(a: Cell, b: Cell) -> u32 {
    a.x.abs_diff(b.x).max(a.y.abs_diff(b.y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_lists_its_cells_in_order() {
        let route = Route::new(vec![Cell::new(0, 0), Cell::new(2, 2), Cell::new(2, -1)]);
        let cells = [(0, 0), (1, 1), (2, 2), (2, 1), (2, 0), (2, -1)].map(|(x, y)| Cell::new(x, y));
        assert_eq!(route.cells(), cells);
        assert_eq!(route.cell_count(), 6);
        let mut lines = vec![];
        route.for_each_line(|first, step, count| lines.push((first, step, count)));
        let expected = [((0, 0), (0, 0), 1), ((1, 1), (1, 1), 2), ((2, 1), (0, -1), 3)];
        assert_eq!(lines, expected.map(|((x, y), step, count)| (Cell::new(x, y), step, count)));
        assert_eq!(Route::new(vec![Cell::new(4, 4)]).cells(), [Cell::new(4, 4)]);
        assert_eq!(Route::default().cell_count(), 0);
    }

    #[test]
    fn a_link_is_one_step_of_a_route() {
        let waypoints = [(0, 0), (2, 0), (9, 5), (9, 7)].map(|(x, y)| Cell::new(x, y));
        let route = Route::with_links(waypoints.to_vec(), vec![RouteLink { place: 2, id: 4 }]);
        let cells = [(0, 0), (1, 0), (2, 0), (9, 5), (9, 6), (9, 7)].map(|(x, y)| Cell::new(x, y));
        assert_eq!((route.cells(), route.cell_count()), (cells.to_vec(), 6));
        assert_eq!(route.link_ends().collect::<Vec<_>>(), [([cells[2], cells[3]], 4)]);
        assert_eq!(route.link_steps(), [2]);
    }
}
