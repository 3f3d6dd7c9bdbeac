//! Tidying contours: no slivers, no corners on top of each other, no corner on a straight line.
//!
//! Rounded crossings leave all three, within a unit or two of where they belong.

use super::merge::{Contours, each};
use super::units::{Point, area_two, cross, distance_squared, dot};

/// Corners as close as this, in units, become one.
const MERGE_DISTANCE: i64 = 2;
/// Twice the area, in square units, that a contour has at least: a sixteenth of a pixel.
const AREA_TWO_MIN: i64 = 2 * 256;
/// Mean width, in units, that a contour has at least.
const WIDTH_MIN: f64 = 2.0;

/// The contours that are worth keeping, with the corners that they need. Corners for which `keep` says so stay.
pub(super) fn tidied(contours: &Contours, keep: impl Fn(Point) -> bool) -> Contours {
    let mut tidy = Contours::default();
    let mut points = Vec::new();
    for contour in each(contours) {
        without_near_corners(contour, &keep, &mut points);
        let straightened = straightened(&points, &keep);
        if !is_sliver(&straightened) {
            tidy.add_contour(&straightened);
        }
    }
    tidy
}

/// Whether nothing of use fits into the contour.
fn is_sliver(contour: &[Point]) -> bool {
    let area_two = area_two(contour).abs();
    if contour.len() < 3 || area_two < AREA_TWO_MIN {
        return true;
    }
    let closed = contour.iter().zip(contour.iter().cycle().skip(1));
    let length: f64 = closed.map(|(&a, &b)| (distance_squared(a, b) as f64).sqrt()).sum();
    (area_two as f64) < WIDTH_MIN * length
}

/// Of corners close to each other one is left, one to keep if there is any.
fn without_near_corners(contour: &[Point], keep: &impl Fn(Point) -> bool, points: &mut Vec<Point>) {
    let near = |a: Point, b: Point| distance_squared(a, b) <= MERGE_DISTANCE * MERGE_DISTANCE;
    points.clear();
    for &point in contour {
        match points.last().copied() {
            Some(last) if last == point => {}
            Some(last) if near(last, point) && !(keep(last) && keep(point)) => {
                if !keep(last) && keep(point) {
                    points.pop();
                    points.push(point);
                }
            }
            _ => points.push(point),
        }
    }
    while points.len() > 2 {
        let (first, last) = (points[0], points[points.len() - 1]);
        if first != last && (!near(first, last) || keep(first) && keep(last)) {
            break;
        }
        if keep(last) && !keep(first) {
            points[0] = last;
        }
        points.pop();
    }
}

/// The contour without corners that lie within a unit's rounding of a straight line.
fn straightened(contour: &[Point], keep: &impl Fn(Point) -> bool) -> Vec<Point> {
    let n = contour.len();
    // The corner furthest to the left is a true one, so the walk begins there.
    let Some(start) = (0..n).min_by_key(|&i| (contour[i].x, contour[i].y)) else { return Vec::new() };
    let at = |i: usize| contour[(start + i) % n];
    let mut kept = vec![at(0)];
    let mut first_skipped = 1;
    for i in 1..n {
        let (anchor, here, next) = (kept[kept.len() - 1], at(i), at(i + 1));
        let straight = !keep(here) && (first_skipped..=i).all(|k| lies_between(at(k), anchor, next));
        if !straight {
            kept.push(here);
            first_skipped = i + 1;
        }
    }
    kept
}

/// Whether the point lies on the segment from `a` to `b`, but for the rounding of a corner.
fn lies_between(point: Point, a: Point, b: Point) -> bool {
    let off = cross(a, b, point) as f64;
    let length_squared = distance_squared(a, b);
    let along = dot(a, b, point);
    2.0 * off * off <= length_squared as f64 && along >= 0 && along <= length_squared
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tidy(corners: &[[i32; 2]]) -> Vec<Point> {
        let mut contours = Contours::default();
        let points: Vec<_> = corners.iter().map(|&[x, y]| Point::new(x, y)).collect();
        contours.add_contour(&points);
        tidied(&contours, |p| p.x == 900).points
    }

    #[test]
    fn only_true_corners_are_left() {
        let square = [[0, 0], [900, 0], [900, 900], [0, 900]].map(|[x, y]| Point::new(x, y));
        assert_eq!(
            tidy(&[[0, 0], [1, 1], [300, 0], [600, 0], [900, 0], [900, 900], [450, 900], [0, 900]]),
            square
        );
        assert_eq!(tidy(&[[0, 1], [0, 0], [900, 0], [900, 400], [900, 900], [0, 900]]).len(), 5);
        assert_eq!(tidy(&[[0, 0], [900, 0], [900, 1], [0, 1]]), []);
        assert_eq!(tidy(&[[0, 0], [15, 0], [15, 15], [0, 15]]), []);
    }
}
