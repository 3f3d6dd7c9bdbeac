//! Storeys of a house: parts of one map, each laid out in space on a ground of its own.
//!
//! Such a map is an atlas: a storey is a rectangle of cells, its *sheet*, and no two sheets share a cell.
//! Links lead from sheet to sheet, so searches need to know nothing of storeys. A cell names its storey; a
//! position in space names the storey by whose ground it is ([`Storeys::under`]).
//!
//! Each question looks at all storeys, which are few.

use std::sync::Arc;

use crate::geometry::{Cell, CellRect, Footprint};
use crate::height_field::{Affine, HeightField, Ray};

/// Ground above a position counts as so many times as far. Bodies jump, and are only a little below the ground,
/// as where a map lies above the floor that physics knows.
const ABOVE: f64 = 3.0;
/// The ground of the storey on which a body was counts as so many times nearer.
const KEPT: f64 = 4.0;
/// How far inside its sheet a point beside it is moved, in cells, so that it is in a cell.
const INSIDE: f64 = 1e-3;

/// A part of a map, and where it lies.
#[derive(Clone, PartialEq, Debug)]
pub struct Storey {
    /// The cells that it lays out.
    pub sheet: CellRect,
    /// How high its ground is.
    pub ground: Arc<HeightField>,
    /// From plane space to the space of the house.
    pub to_space: Affine,
    /// From the space of the house to plane space.
    pub to_plane: Affine,
}

impl Storey {
    /// Returns the point of cell space below or above a position.
    pub fn point(&self, position: [f32; 3]) -> (f64, f64) {
        self.ground.cell_space_of(self.to_plane.point(position))
    }

    /// Returns the position on the ground at a point of cell space.
    pub fn place(&self, (x, y): (f64, f64)) -> [f32; 3] {
        self.to_space.point(self.ground.point(x, y))
    }

    /// Returns the position on the ground below or above another, which keeps what it is along the other axes.
    pub fn grounded(&self, position: [f32; 3]) -> [f32; 3] {
        let plane = self.to_plane.point(position);
        let (x, y) = self.ground.cell_space_of(plane);
        let [dx, dy, dz] = self.to_space.direction([0.0, self.ground.height_at(x, y) - plane[1], 0.0]);
        [position[0] + dx, position[1] + dy, position[2] + dz]
    }

    /// Returns whether a point of cell space is on the sheet.
    pub fn holds(&self, (x, y): (f64, f64)) -> bool {
        let CellRect { x: left, y: top, w, h } = self.sheet;
        let within = |at: f64, start: i32, side: i32| {
            f64::from(start) <= at && at < f64::from(start) + f64::from(side)
        };
        within(x, left, w) && within(y, top, h)
    }

    /// Returns the point on the sheet that is nearest to a point of cell space.
    pub fn nearest(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let CellRect { x: left, y: top, w, h } = self.sheet;
        let within = |at: f64, start: i32, side: i32| {
            let (low, high) = (f64::from(start) + INSIDE, f64::from(start) + f64::from(side) - INSIDE);
            at.clamp(low, high.max(low))
        };
        (within(x, left, w), within(y, top, h))
    }

    /// Returns how far a position is from the ground in height, in the unit of space; three times as far if
    /// the ground is above it.
    fn away(&self, position: [f32; 3]) -> f64 {
        let plane = self.to_plane.point(position);
        let (x, y) = self.ground.cell_space_of(plane);
        let above = f64::from(plane[1]) - f64::from(self.ground.height_at(x, y));
        let up = self.to_space.axes[1].map(f64::from);
        let length = (up[0] * up[0] + up[1] * up[1] + up[2] * up[2]).sqrt();
        (above * length).max(-above * length * ABOVE)
    }
}

impl Storey {
    /// Returns the position that is so many cells beside the centre of a cell, as high as the ground there.
    fn level_with(&self, cell: Cell, (dx, dy): (i32, i32)) -> [f32; 3] {
        let [x, height, y] = self.ground.point(f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5);
        let [width, depth] = self.ground.cell_size;
        self.to_space.point([x + dx as f32 * width, height, y + dy as f32 * depth])
    }

    /// Returns the cell at a position, if its ground is at most `step` higher or lower.
    fn cell_at(&self, position: [f32; 3], step: f64) -> Option<Cell> {
        let point = self.point(position);
        let (ground, on) = (self.grounded(position), self.holds(point));
        let square = |n: usize| f64::from(ground[n] - position[n]).powi(2);
        let off = (0..3).map(square).sum::<f64>().sqrt();
        (on && off <= step).then(|| Cell::new(point.0.floor() as i32, point.1.floor() as i32))
    }
}

/// The storeys of a house.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Storeys(Vec<Storey>);

impl Storeys {
    /// Returns a house of storeys whose sheets share no cell.
    pub const fn new(storeys: Vec<Storey>) -> Self {
        Self(storeys)
    }

    /// Returns the storeys.
    pub fn all(&self) -> &[Storey] {
        &self.0
    }

    /// Returns the storey, by its place in the list, whose sheet has the cell of a point of cell space.
    pub fn of_point(&self, point: (f64, f64)) -> Option<usize> {
        self.0.iter().position(|storey| storey.holds(point))
    }

    /// Returns the storey whose sheet has a cell.
    pub fn of_cell(&self, cell: Cell) -> Option<usize> {
        self.0.iter().position(|storey| storey.sheet.contains(cell))
    }

    /// Returns the storey that carries a position: of the storeys whose sheet lies below or above it, the one
    /// whose ground is nearest in height. Ground above the position counts as three times as far. `None` where
    /// no sheet is.
    pub fn under(&self, position: [f32; 3]) -> Option<usize> {
        self.under_from(position, None)
    }

    /// The same for a body that was on a storey, whose ground counts as nearer.
    fn under_from(&self, position: [f32; 3], last: Option<usize>) -> Option<usize> {
        let over = self.0.iter().enumerate().filter(|(_, storey)| storey.holds(storey.point(position)));
        let away =
            |n: usize, storey: &Storey| storey.away(position) / if last == Some(n) { KEPT } else { 1.0 };
        let ranked = over.map(|(n, storey)| (n, away(n, storey)));
        ranked.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(n, _)| n)
    }

    /// Returns where a body is that was at the point `last` of cell space, as [`Storeys::locate`] does. It is
    /// still on the storey of that point, unless the ground of an open cell of another storey is much nearer.
    /// Beyond the end of a ramp, a storey has closed cells as high as the ramp.
    pub fn locate_from(
        &self,
        position: [f32; 3],
        last: (f64, f64),
        is_open: impl Fn(Cell) -> bool,
    ) -> Option<(usize, (f64, f64))> {
        let on = |n: usize| (n, self.0[n].nearest(self.0[n].point(position)));
        let last = self.of_point(last).filter(|&n| self.0[n].holds(self.0[n].point(position)));
        let (n, (x, y)) = self.under_from(position, last).map(on)?;
        match last {
            Some(last) if n != last && !is_open(Cell::new(x.floor() as i32, y.floor() as i32)) => {
                Some(on(last))
            }
            _ => Some((n, (x, y))),
        }
    }

    /// Returns the storey that carries a position or, beside all sheets, the one whose ground is nearest, and
    /// the point of its sheet that is nearest to the position. `None` without storeys, and where the position
    /// is no number.
    pub fn locate(&self, position: [f32; 3]) -> Option<(usize, (f64, f64))> {
        if let Some(n) = self.under(position) {
            return Some((n, self.0[n].nearest(self.0[n].point(position))));
        }
        if !position.into_iter().all(f32::is_finite) {
            return None;
        }
        let beside = self.0.iter().enumerate().map(|(n, storey)| {
            let point = storey.nearest(storey.point(position));
            let place = storey.place(point);
            let square =
                |n: usize| (f64::from(place[n]) - f64::from(position[n])) * f64::from(place[n] - position[n]);
            (n, point, (0..3).map(square).sum::<f64>())
        });
        beside.min_by(|a, b| a.2.total_cmp(&b.2)).map(|(n, point, _)| (n, point))
    }

    /// Returns where ground goes on from one storey to another, as on a ramp: cells of two storeys.
    ///
    /// A body with `footprint` stands before the seam at the first cell, and behind it at the second. In space,
    /// the second cell lies beside the first, as many cells away as the body is long on that axis. Right beside
    /// the first cell, the other storey's ground is at most `step` higher or lower.
    ///
    /// Takes time in proportion to the cells of all storeys times the number of these.
    pub fn seams(&self, step: f64, footprint: Footprint, is_open: impl Fn(Cell) -> bool) -> Vec<[Cell; 2]> {
        let mut seams = Vec::new();
        for (n, from) in self.0.iter().enumerate() {
            for cell in from.sheet.cells().filter(|&cell| is_open(cell)) {
                for (dx, dy, side) in [
                    (1, 0, footprint.w()),
                    (-1, 0, footprint.w()),
                    (0, 1, footprint.h()),
                    (0, -1, footprint.h()),
                ] {
                    let at = |cells: i32| from.level_with(cell, (dx * cells, dy * cells));
                    let goes_on = |other: &Storey| {
                        let is_beside = other.cell_at(at(1), step).is_some_and(&is_open);
                        let end = if is_beside { other.cell_at(at(side), f64::INFINITY) } else { None };
                        end.filter(|&end| is_open(end))
                    };
                    let others = self.0.iter().enumerate().filter(|(m, _)| *m != n);
                    seams.extend(others.filter_map(|(_, other)| goes_on(other)).map(|end| [cell, end]));
                }
            }
        }
        seams
    }

    /// Returns the storeys whose ground a ray of space meets, the first first: how far along the ray, and
    /// where.
    pub fn hits(&self, ray: Ray) -> Vec<(usize, f64, [f32; 3])> {
        let hit = |(n, storey): (usize, &Storey)| storey.hit(ray).map(|(along, place)| (n, along, place));
        let mut hits: Vec<_> = self.0.iter().enumerate().filter_map(hit).collect();
        hits.sort_by(|a, b| a.1.total_cmp(&b.1));
        hits
    }
}

impl Storey {
    /// Returns a ray of space in plane space.
    pub fn ray(&self, ray: Ray) -> Ray {
        Ray { origin: self.to_plane.point(ray.origin), direction: self.to_plane.direction(ray.direction) }
    }

    /// Returns how far along a ray of space it meets the ground on the sheet from above, and where.
    pub fn hit(&self, ray: Ray) -> Option<(f64, [f32; 3])> {
        let ray = self.ray(ray);
        let point = self.ground.hit(self.sheet, ray)?;
        Some((ray.along(point), self.to_space.point(point)))
    }
}

#[cfg(test)]
// Halves and whole numbers come out exactly.
#[allow(clippy::float_cmp)]
mod tests {
    use super::*;

    /// A storey of 8×6 cells of a metre whose corner is at a position.
    fn storey(sheet: CellRect, corner: [f32; 3]) -> Storey {
        let at = [corner[0] - sheet.x as f32, corner[1], corner[2] - sheet.y as f32];
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let to = |origin| Affine { axes, origin };
        Storey {
            sheet,
            ground: Arc::new(HeightField::default()),
            to_space: to(at),
            to_plane: to(at.map(|part| -part)),
        }
    }

    fn house() -> Storeys {
        let sheets = [CellRect::new(0, 0, 8, 6), CellRect::new(9, 0, 8, 6), CellRect::new(0, 7, 4, 4)];
        let corners = [[0.0; 3], [0.0, 3.0, 0.0], [2.0, 6.0, 2.0]];
        Storeys::new(sheets.into_iter().zip(corners).map(|(sheet, corner)| storey(sheet, corner)).collect())
    }

    #[test]
    fn the_nearest_ground_counts_and_ground_above_as_three_times_as_far() {
        for (position, expected) in [
            ([1.0, 0.0, 1.0], Some(0)),
            ([1.0, 2.2, 1.0], Some(0)),
            ([1.0, 2.3, 1.0], Some(1)),
            ([1.0, 90.0, 1.0], Some(1)),
            ([3.0, 90.0, 3.0], Some(2)),
            ([3.0, 5.0, 3.0], Some(1)),
            ([1.0, -9.0, 1.0], Some(0)),
            ([-1.0, 0.0, 1.0], None),
            ([f32::NAN, 0.0, 1.0], None),
        ] {
            assert_eq!(house().under(position), expected, "{position:?}");
        }
    }

    #[test]
    fn a_body_stays_on_its_storey_until_another_ground_is_much_nearer() {
        let house = house();
        let of = |height: f32, last: (f64, f64)| {
            let is_open = |cell: Cell| cell != Cell::new(2, 1);
            let of = |x: f32| house.locate_from([x, height, 1.5], last, is_open).map(|(n, _)| n);
            if last == (10.5, 1.5) {
                assert_eq!(of(2.5), Some(1), "{height}: what is closed below takes nothing from above");
            }
            of(1.5)
        };
        let (lower, upper) = ((1.5, 1.5), (10.5, 1.5));
        for (height, from_lower, from_upper) in
            [(0.0, 0, 0), (1.0, 0, 0), (1.5, 0, 1), (2.3, 0, 1), (2.7, 0, 1), (2.8, 1, 1), (3.0, 1, 1)]
        {
            assert_eq!(of(height, lower), Some(from_lower), "{height} from below");
            assert_eq!(of(height, upper), Some(from_upper), "{height} from above");
        }
        assert_eq!(of(1.0, (8.5, 1.5)), Some(0), "of no storey");
    }

    #[test]
    fn ground_goes_on_where_a_cell_of_another_storey_lies_beside() {
        // Beside the first at its right, 0.3 higher.
        let storeys =
            [storey(CellRect::new(0, 0, 4, 3), [0.0; 3]), storey(CellRect::new(5, 0, 6, 3), [4.0, 0.3, 1.0])];
        let house = Storeys::new(storeys.to_vec());
        let seams = |step: f64, side: i64| {
            let footprint = Footprint::new(side, side).unwrap();
            house.seams(step, footprint, |cell| cell != Cell::new(3, 1))
        };
        let cell = Cell::new;
        assert!(seams(0.2, 1).is_empty());
        assert_eq!(seams(0.31, 1), [[cell(3, 2), cell(5, 1)], [cell(5, 1), cell(3, 2)]]);
        assert_eq!(seams(0.31, 2), [[cell(3, 2), cell(6, 1)], [cell(5, 1), cell(2, 2)]]);
        assert_eq!(seams(0.31, 5), [[cell(3, 2), cell(9, 1)]], "and back it leads beyond the cells");
    }

    #[test]
    fn a_cell_and_its_place_name_one_storey() {
        let house = house();
        for cell in [Cell::new(0, 0), Cell::new(7, 5), Cell::new(9, 0), Cell::new(16, 5), Cell::new(3, 10)] {
            let n = house.of_cell(cell).unwrap();
            let point = (f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5);
            let place = house.all()[n].place(point);
            assert_eq!(house.of_point(point), Some(n));
            assert_eq!(house.locate(place), Some((n, point)), "{cell:?}");
        }
        assert_eq!(house.of_cell(Cell::new(8, 2)), None);
        assert_eq!(house.all()[1].place((9.5, 0.5)), [0.5, 3.0, 0.5]);
    }

    #[test]
    fn beside_all_sheets_the_nearest_ground_counts() {
        let house = house();
        let (n, point) = house.locate([-2.0, 3.2, 1.5]).unwrap();
        assert_eq!((n, point.1), (1, 1.5));
        assert!((point.0 - 9.0).abs() < 0.01, "{point:?}");
        assert_eq!(house.locate([f32::INFINITY, 0.0, 0.0]), None);
        assert_eq!(Storeys::default().locate([0.0; 3]), None);
    }

    #[test]
    fn a_ray_meets_the_upper_storey_first() {
        let house = house();
        let down = |x: f32, z: f32| Ray { origin: [x, 20.0, z], direction: [0.0, -2.0, 0.0] };
        assert_eq!(house.hits(down(1.5, 1.5)), [(1, 8.5, [1.5, 3.0, 1.5]), (0, 10.0, [1.5, 0.0, 1.5])]);
        assert_eq!(house.hits(down(3.5, 3.5)).iter().map(|hit| hit.0).collect::<Vec<_>>(), [2, 1, 0]);
        assert_eq!(house.all()[0].hit(down(3.5, 3.5)).unwrap().1, [3.5, 0.0, 3.5]);
        assert!(house.hits(down(-1.0, 0.0)).is_empty());
    }
}
