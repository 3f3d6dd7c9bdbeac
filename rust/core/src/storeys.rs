//! Storeys of a house: parts of one map, each laid out in space on a ground of its own.
//!
//! Such a map is an atlas: a storey is a rectangle of cells, its *sheet*, and no two sheets share a cell.
//! Links lead from sheet to sheet, so searches need to know nothing of storeys. A cell names its storey; a
//! position in space names the storey by whose ground it is ([`Storeys::under`]).
//!
//! Each question looks at all storeys, which are few.

use std::sync::Arc;

use crate::geometry::{Cell, CellRect};
use crate::height_field::{Affine, HeightField, Ray};

/// Ground that is at most so far above a position still carries it, in sides of a cell. A body on a slope may
/// be a little below the ground between the centres of cells.
const SUNK_CELLS: f64 = 0.5;
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

    /// Returns how far a position is above the ground, in the unit of space, and whether the ground carries
    /// it.
    fn above(&self, position: [f32; 3]) -> (f64, bool) {
        let plane = self.to_plane.point(position);
        let (x, y) = self.ground.cell_space_of(plane);
        let above = f64::from(plane[1]) - f64::from(self.ground.height_at(x, y));
        let [width, depth] = self.ground.cell_size;
        let length = |[x, y, z]: [f32; 3]| f64::from(x * x + y * y + z * z).sqrt();
        (above * length(self.to_space.axes[1]), above >= -SUNK_CELLS * f64::from(width.min(depth)))
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

    /// Returns the storey that carries a position. Of the storeys whose sheet lies below or above it, this is
    /// the one whose ground is nearest at or below the position; without such a ground, the nearest above.
    /// `None` where no sheet is.
    pub fn under(&self, position: [f32; 3]) -> Option<usize> {
        let over = self.0.iter().enumerate().filter(|(_, storey)| storey.holds(storey.point(position)));
        let ranked = over.map(|(n, storey)| {
            let (above, is_carried) = storey.above(position);
            (n, !is_carried, above.abs())
        });
        let first = ranked.min_by(|a, b| a.1.cmp(&b.1).then(a.2.total_cmp(&b.2)));
        first.map(|(n, ..)| n)
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

    /// Returns the storey whose ground a ray of space meets first, how far along the ray, and where.
    pub fn hit(&self, ray: Ray) -> Option<(usize, f64, [f32; 3])> {
        let hits = self.0.iter().enumerate().filter_map(|(n, storey)| {
            let (along, place) = storey.hit(ray)?;
            Some((n, along, place))
        });
        hits.min_by(|a, b| a.1.total_cmp(&b.1))
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
    fn the_ground_at_or_below_a_position_counts_then_the_nearest() {
        for (position, expected) in [
            ([1.0, 0.0, 1.0], Some(0)),
            ([1.0, 2.4, 1.0], Some(0)),
            ([1.0, 2.6, 1.0], Some(1)),
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
        let (n, along, place) = house.hit(down(1.5, 1.5)).unwrap();
        assert_eq!((n, along, place), (1, 8.5, [1.5, 3.0, 1.5]));
        assert_eq!(house.hit(down(3.5, 3.5)).unwrap().0, 2);
        assert_eq!(house.all()[0].hit(down(3.5, 3.5)).unwrap().1, [3.5, 0.0, 3.5]);
        assert!(house.hit(down(-1.0, 0.0)).is_none());
    }
}
