//! Simplifies contours: no slivers, no corners on top of each other, no corner on a straight line.
//!
//! Rounded crossings leave all three, within a unit or two of their exact places. Takes O(corners) but for
//! long straight rows of corners, which are tested again at each corner.

use super::merge::{Contours, contours_of};
use super::units::{Point, area_two, cross, distance_squared, dot, sides};

/// Corners within this distance, in units, become one.
const MERGE_DISTANCE: i64 = 2;
/// Twice the least area of a contour, in square units: a sixteenth of a square pixel.
const AREA_TWO_MIN: i64 = 2 * 256;
/// The least mean width of a contour, in units.
const WIDTH_MIN: f64 = 2.0;

/// The contours without slivers, with the corners that they need and the corners that `keep` returns `true`
/// for.
pub(super) fn simplified(contours: &Contours, keep: impl Fn(Point) -> bool) -> Contours {
    let mut kept = Contours::default();
    let mut points = Vec::new();
    for contour in contours_of(contours) {
        without_near_corners(contour, &keep, &mut points);
        let straightened = straightened(&points, &keep);
        // After straightening: a sliver can consist of corners on one line.
        if !is_sliver(&straightened) {
            kept.add_contour(&straightened);
        }
    }
    kept
}

/// Returns `true` if the contour is smaller or narrower than any use.
fn is_sliver(contour: &[Point]) -> bool {
    let area_two = area_two(contour).abs();
    if contour.len() < 3 || area_two < AREA_TWO_MIN {
        return true;
    }
    let length: f64 = sides(contour).map(|(a, b)| (distance_squared(a, b) as f64).sqrt()).sum();
    // The area of a thin band is its width times half of its outline.
    (area_two as f64) < WIDTH_MIN * length
}

/// Replaces corners close to each other by one of them, by one to keep if there is any.
fn without_near_corners(contour: &[Point], keep: &impl Fn(Point) -> bool, points: &mut Vec<Point>) {
    let near = |a: Point, b: Point| distance_squared(a, b) <= MERGE_DISTANCE * MERGE_DISTANCE;
    points.clear();
    for &point in contour {
        match points.last().copied() {
            Some(last) if last == point => {}
            Some(last) if near(last, point) && !(keep(last) && keep(point)) => {
                if !keep(last) && keep(point) {
                    // Corners to keep lie on borders, where the neighbour tile has the same.
                    points.pop();
                    points.push(point);
                }
            }
            _ => points.push(point),
        }
    }
    // The contour is closed, so its last corner can be close to its first.
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

/// The contour without corners that lie on a straight line but for rounding.
fn straightened(contour: &[Point], keep: &impl Fn(Point) -> bool) -> Vec<Point> {
    let n = contour.len();
    // The walk begins at the leftmost corner, since that cannot lie between others.
    let Some(start) = (0..n).min_by_key(|&i| (contour[i].x, contour[i].y)) else { return Vec::new() };
    let at = |i: usize| contour[(start + i) % n];
    let mut kept = vec![at(0)];
    let mut first_skipped = 1;
    for i in 1..n {
        let (anchor, here, next) = (kept[kept.len() - 1], at(i), at(i + 1));
        // All corners skipped since the anchor are tested again: each alone may be near the line while
        // together they curve.
        let straight = !keep(here) && (first_skipped..=i).all(|k| lies_between(at(k), anchor, next));
        if !straight {
            kept.push(here);
            first_skipped = i + 1;
        }
    }
    kept
}

/// Returns `true` if the point lies on the segment from `a` to `b` but for the rounding of a corner.
fn lies_between(point: Point, a: Point, b: Point) -> bool {
    let off = cross(a, b, point) as f64;
    let length_squared = distance_squared(a, b);
    let along = dot(a, b, point);
    // Squared distance from the line, off² / length², of at most half a square unit: the rounding of both
    // coordinates.
    2.0 * off * off <= length_squared as f64 && along >= 0 && along <= length_squared
}

#[cfg(test)]
mod tests {
    use super::*;

    fn simplify(corners: &[[i32; 2]]) -> Vec<Point> {
        let mut contours = Contours::default();
        let points: Vec<_> = corners.iter().map(|&[x, y]| Point::new(x, y)).collect();
        contours.add_contour(&points);
        simplified(&contours, |p| p.x == 900).points
    }

    #[test]
    fn only_needed_corners_are_left() {
        let square = [[0, 0], [900, 0], [900, 900], [0, 900]].map(|[x, y]| Point::new(x, y));
        assert_eq!(
            simplify(&[[0, 0], [1, 1], [300, 0], [600, 0], [900, 0], [900, 900], [450, 900], [0, 900]]),
            square
        );
        assert_eq!(simplify(&[[0, 1], [0, 0], [900, 0], [900, 400], [900, 900], [0, 900]]).len(), 5);
        assert_eq!(simplify(&[[0, 0], [900, 0], [900, 1], [0, 1]]), []);
        assert_eq!(simplify(&[[0, 0], [15, 0], [15, 15], [0, 15]]), []);
    }
}
