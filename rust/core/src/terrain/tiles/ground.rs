//! What polygons fill of a cell: nothing, all of it, what lies below a straight line, or another part.
//!
//! A cell is looked at in [`COLUMNS`] columns, and in each along its middle. Features that are narrower than
//! a column are not seen. Takes O(columns · corners) a cell.

use crate::geometry::{CellRect, bounds_of};
use crate::terrain::Floor;

/// Columns of a cell that are looked at, and the parts of a cell in which shapes are told apart.
const COLUMNS: u32 = 64;
/// Lengths within this are as good as equal, in cells.
const TOLERANCE: f64 = 1.0 / COLUMNS as f64;
/// Cells farther from a tile than this get no floors of it.
const REACH_MAX: f64 = 1024.0;
/// Columns on each side of a cell in which polygons may fill anything.
const SOLID_SLACK: u32 = 1;
/// The same below a one-way floor: planks are often drawn a little narrower than their tile.
const PLANK_SLACK: u32 = COLUMNS / 8;

/// What polygons fill of a cell.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Filled {
    /// Nothing, or the whole cell.
    Alike,
    /// What lies below a straight line from the left to the right edge.
    Below(Floor),
    /// Another part.
    Part,
}

/// A cell, where `scale` cells lie along each of the cells that polygons are measured in.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) scale: f64,
}

/// Returns the cells that polygons reach.
pub(super) fn reached_by(polygons: &[Vec<[f64; 2]>], scale: f64) -> impl Iterator<Item = Place> + use<> {
    let corners = polygons.iter().flatten().map(|corner| corner.map(|value| value * scale));
    let [low, high] = bounds_of(corners).map(|ends| ends.map(|end| end.clamp(-REACH_MAX, REACH_MAX)));
    let [x, y] = low.map(|end| end.floor() as i32);
    let [right, bottom] = high.map(|end| end.ceil() as i32);
    CellRect::new(x, y, right - x, bottom - y).cells().map(move |cell| Place { x: cell.x, y: cell.y, scale })
}

/// Returns what the union of polygons fills of a cell.
pub(super) fn filled_by(polygons: &[Vec<[f64; 2]>], place: Place) -> Filled {
    let column = |column: u32| {
        let runs = runs_at(polygons, place, column);
        let mut ground = 1.0;
        // Polygons that lie on each other are joined from below.
        while let Some(&[top, _]) =
            runs.iter().find(|[top, bottom]| *bottom >= ground - TOLERANCE && *top < ground)
        {
            ground = top;
        }
        let is_clear = runs.iter().all(|[top, _]| *top >= ground - TOLERANCE);
        is_clear.then_some(1.0 - ground)
    };
    match line(SOLID_SLACK, &column) {
        None => Filled::Part,
        Some([left, right]) if left.max(right) <= TOLERANCE => Filled::Alike,
        Some([left, right]) if left.min(right) >= 1.0 - TOLERANCE => Filled::Alike,
        Some(heights) => Filled::Below(floor_of(heights)),
    }
}

/// Returns the floor that the upper edge of polygons is in a cell. It is the height of the whole cell if that
/// edge is not straight, narrower than the cell, or that of the cell.
pub(super) fn upper_edge(polygons: &[Vec<[f64; 2]>], place: Place) -> Floor {
    let column = |column: u32| {
        let tops = runs_at(polygons, place, column).into_iter().map(|[top, _]| 1.0 - top);
        tops.reduce(f64::max)
    };
    match line(PLANK_SLACK, &column) {
        Some([left, right]) if left.min(right) < 1.0 - TOLERANCE => floor_of([left, right]),
        _ => Floor::WHOLE,
    }
}

fn floor_of(heights: [f64; 2]) -> Floor {
    let [left, right] = heights.map(|height| height.clamp(0.0, 1.0) as f32);
    Floor { left, right }
}

/// Returns the heights at the left and right edge of the line that the heights of all columns follow, apart
/// from `slack` columns on each side.
fn line(slack: u32, height: &dyn Fn(u32) -> Option<f64>) -> Option<[f64; 2]> {
    let last = COLUMNS - 1 - slack;
    let (first_height, last_height) = (height(slack)?, height(last)?);
    let slope = (last_height - first_height) / f64::from(last - slack);
    let at = |column: f64| first_height + slope * (column - f64::from(slack));
    let fits = (slack..=last)
        .all(|column| height(column).is_some_and(|h| (h - at(f64::from(column))).abs() <= TOLERANCE));
    // The edges are half a column beyond the middles of the outer ones.
    fits.then(|| [at(-0.5), at(f64::from(COLUMNS) - 0.5)])
}

/// Returns what each polygon fills of a column, from top to bottom: 0 at the cell's upper edge, 1 at the lower.
fn runs_at(polygons: &[Vec<[f64; 2]>], place: Place, column: u32) -> Vec<[f64; 2]> {
    let x = (f64::from(place.x) + (f64::from(column) + 0.5) / f64::from(COLUMNS)) / place.scale;
    let mut runs = Vec::new();
    for polygon in polygons {
        let mut crossings: Vec<f64> = Vec::new();
        let next = polygon.iter().cycle().skip(1);
        for (&[ax, ay], &[bx, by]) in polygon.iter().zip(next) {
            if (ax <= x) != (bx <= x) {
                let y = ay + (x - ax) / (bx - ax) * (by - ay);
                let y = (y * place.scale - f64::from(place.y)).clamp(0.0, 1.0);
                crossings.insert(crossings.partition_point(|&known| known < y), y);
            }
        }
        let (pairs, _) = crossings.as_chunks();
        runs.extend(pairs.iter().filter(|[top, bottom]| bottom > top));
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    const CELL: Place = Place { x: 0, y: 0, scale: 1.0 };

    fn rect(x0: f64, y0: f64, x1: f64, y1: f64) -> Vec<[f64; 2]> {
        vec![[x0, y0], [x1, y0], [x1, y1], [x0, y1]]
    }

    fn below(left: f32, right: f32) -> Filled {
        Filled::Below(Floor { left, right })
    }

    #[test]
    fn what_lies_below_a_straight_line_is_a_floor() {
        let slope = vec![[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]];
        assert_eq!(filled_by(std::slice::from_ref(&slope), CELL), below(0.0, 1.0));
        let backwards = slope.iter().rev().copied().collect();
        assert_eq!(filled_by(&[backwards], CELL), below(0.0, 1.0));
        let gentle = vec![[0.0, 1.0], [2.0, 0.0], [2.0, 1.0]];
        assert_eq!(filled_by(std::slice::from_ref(&gentle), CELL), below(0.0, 0.5));
        assert_eq!(filled_by(&[gentle], Place { x: 1, ..CELL }), below(0.5, 1.0));
        assert_eq!(filled_by(&[rect(0.0, 0.84375, 1.0, 1.0)], CELL), below(0.15625, 0.15625));
        assert_eq!(filled_by(&[rect(-3.0, 0.25, 4.0, 9.0)], CELL), below(0.75, 0.75));
        assert_eq!(filled_by(&[rect(0.01, 0.25, 0.99, 0.99)], CELL), below(0.75, 0.75), "nearly");
    }

    #[test]
    fn several_polygons_count_together() {
        let slab = rect(0.0, 0.5, 1.0, 1.0);
        assert_eq!(filled_by(&[slab.clone(), slab.clone()], CELL), below(0.5, 0.5), "twice the same");
        assert_eq!(filled_by(&[slab.clone(), rect(0.0, 0.25, 1.0, 0.6)], CELL), below(0.75, 0.75));
        assert_eq!(filled_by(&[rect(0.0, 0.5, 0.5, 1.0), rect(0.5, 0.5, 1.0, 1.0)], CELL), below(0.5, 0.5));
        assert_eq!(filled_by(&[slab, rect(0.0, 0.0, 1.0, 0.25)], CELL), Filled::Part, "a ceiling");
    }

    #[test]
    fn other_parts_are_no_floors() {
        for part in [
            rect(0.0, 0.0, 1.0, 0.5),
            rect(0.0, 0.0, 0.5, 1.0),
            rect(0.25, 0.5, 0.75, 1.0),
            rect(0.0, 0.4, 1.0, 0.6),
            vec![[0.0, 1.0], [0.5, 0.0], [1.0, 1.0]],
            vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]],
            vec![[0.5, 1.0], [1.0, 0.5], [1.0, 1.0]],
        ] {
            assert_eq!(filled_by(std::slice::from_ref(&part), CELL), Filled::Part, "{part:?}");
        }
        for alike in [rect(0.0, 0.0, 1.0, 1.0), rect(-9.0, -9.0, 9.0, 9.0), rect(0.0, 1.0, 1.0, 2.0)] {
            assert_eq!(filled_by(&[alike], CELL), Filled::Alike);
        }
        assert_eq!(filled_by(&[], CELL), Filled::Alike);
    }

    #[test]
    fn smaller_cells_are_filled_alike() {
        let left_half = [rect(0.0, 0.0, 0.5, 1.0)];
        let places = || reached_by(&left_half, 2.0);
        assert_eq!(places().map(|place| (place.x, place.y)).collect::<Vec<_>>(), [(0, 0), (0, 1)]);
        assert!(places().all(|place| filled_by(&left_half, place) == Filled::Alike));
        let odd = [vec![[f64::NAN, 0.0], [f64::INFINITY, 1e30], [0.0, 1.0]]];
        assert!(reached_by(&odd, 1.0).count() <= 2048 * 2048);
        assert_eq!(reached_by(&[], 1.0).count(), 0);
    }

    #[test]
    fn the_upper_edge_of_a_plank_is_its_floor() {
        let edge = |polygon: Vec<[f64; 2]>| upper_edge(&[polygon], CELL);
        let level = |height| Floor { left: height, right: height };
        assert_eq!(edge(rect(0.0, 0.5, 1.0, 0.6)), level(0.5));
        assert_eq!(edge(rect(0.1, 0.5, 0.9, 0.6)), level(0.5), "a little narrower");
        assert_eq!(edge(rect(0.3, 0.5, 1.0, 0.6)), Floor::WHOLE, "much narrower");
        assert_eq!(edge(rect(0.0, 0.0, 1.0, 0.1)), Floor::WHOLE, "at the top of the cell");
        let slanted = vec![[0.0, 1.0], [1.0, 0.0], [1.0, 0.1], [0.1, 1.0]];
        assert_eq!(edge(slanted), Floor { left: 0.0, right: 1.0 });
        assert_eq!(edge(vec![[0.0, 1.0], [0.5, 0.5], [1.0, 1.0]]), Floor::WHOLE, "a hump");
    }
}
