//! Shrinking: where the centre of the agent may be when all of it has to stay inside, in one overlay.
//!
//! The boundary of the blocked side, walked with the blocked side on the left, is carried around the agent's shape:
//! each corner of the boundary is joined by the agent's corner that reaches furthest to the right, which steps forward
//! where the boundary turns left and backward where it turns right (the convolution of two closed curves; Guibas,
//! Ramshaw & Stolfi, *A kinetic framework for computational geometry*, FOCS 1983). Around a place the result winds as
//! often as the number of pieces of blocked space that an agent there meets, less the holes in them, minus one for
//! the endless outside: −1 where it meets none. A piece of free space that lies inside of the agent is such a hole,
//! and would look free; so contours that no agent fits into are left out first. Crossings and backward pieces need
//! no care: the fill rule sorts them out. A backward walk is cut short: between its way and the straight one lie places
//! where the agent would meet the corner, and around these the result winds once more.

use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay::{Overlay, ShapeType};
use i_overlay::core::overlay_rule::OverlayRule;

use super::kernel::Kernel;
use super::merge::{Contours, each};
use super::units::{Point, UnitRect, area_two, cross, dot};

/// Contours carried around a kernel, not yet sorted out.
pub(super) struct Carried(Contours);

/// The boundary of `free` carried around the agent, blocked side on the left.
pub(super) fn carry_around(free: &Contours, kernel: &Kernel) -> Carried {
    let mut carried = Contours::default();
    let mut path = Vec::new();
    for contour in each(free) {
        let bounds = UnitRect::around(contour);
        let fits = bounds.width() >= 2 * kernel.half_x && bounds.height() >= 2 * kernel.half_y;
        if fits || area_two(contour) < 0 {
            carry(contour.iter().rev().copied(), kernel, &mut path);
            carried.add_contour(&path);
        }
    }
    Carried(carried)
}

impl Carried {
    /// Where the agent's centre may be, or the part of it in a rectangle.
    pub fn sorted_out(&self, clip: Option<UnitRect>) -> Contours {
        let mut overlay = Overlay::new(self.0.points.len() + 4);
        let mut result = Contours::default();
        let Some(clip) = clip else {
            each(&self.0).for_each(|path| overlay.add_contour(path, ShapeType::Subject));
            overlay.overlay_into(OverlayRule::Subject, FillRule::Negative, &mut result);
            return result;
        };
        for path in each(&self.0) {
            // A closed path whose bounds stay away from the rectangle winds around none of its points.
            if UnitRect::around(path).touches(clip) {
                overlay.add_contour(path, ShapeType::Subject);
            }
        }
        let corners = clip.corners();
        overlay.add_path_iter(corners.into_iter().rev(), ShapeType::Clip);
        overlay.overlay_into(OverlayRule::Intersect, FillRule::Negative, &mut result);
        result
    }
}

/// Where the agent's centre may be so that all of it lies in `free`.
pub(super) fn eroded(free: &Contours, kernel: &Kernel) -> Contours {
    carry_around(free, kernel).sorted_out(None)
}

/// Everything that an agent covers whose centre lies in the filled contour, which winds positively.
pub(super) fn dilated(contour: &[Point], kernel: &Kernel) -> Contours {
    let mut path = Vec::new();
    carry(contour.iter().copied(), kernel, &mut path);
    let mut overlay = Overlay::new(path.len());
    let mut result = Contours::default();
    overlay.add_contour(&path, ShapeType::Subject);
    overlay.overlay_into(OverlayRule::Subject, FillRule::Positive, &mut result);
    result
}

/// Carries a closed walk around the kernel, whose corners lead on the walk's right-hand side.
fn carry(walk: impl Iterator<Item = Point> + Clone, kernel: &Kernel, path: &mut Vec<Point>) {
    path.clear();
    let count = walk.clone().count();
    let mut corners = walk.cycle();
    let Some((mut before, mut here)) = corners.next().zip(corners.next()) else { return };
    let mut support = kernel.support(direction(before, here));
    for after in corners.take(count) {
        let next_support = kernel.support(direction(here, after));
        let corner = here;
        let mut emit = |support: usize| {
            let reach = kernel.corner(support);
            path.push(Point::new(corner.x + reach.x, corner.y + reach.y));
        };
        emit(support);
        let turn = cross(before, here, after);
        if turn > 0 || turn == 0 && dot(here, before, after) > 0 {
            while support != next_support {
                support = if support + 1 == kernel.len() { 0 } else { support + 1 };
                emit(support);
            }
        } else if support != next_support {
            support = next_support;
            emit(support);
        }
        (before, here) = (here, after);
    }
}

fn direction(a: Point, b: Point) -> Point {
    Point::new(b.x - a.x, b.y - a.y)
}

#[cfg(test)]
mod tests {
    use super::super::settings::{BakeSettings, Corner};
    use super::*;

    fn contours(list: &[&[[i32; 2]]]) -> Contours {
        let mut contours = Contours::default();
        for contour in list {
            let points: Vec<_> = contour.iter().map(|&[x, y]| Point::new(x * 64, y * 64)).collect();
            contours.add_contour(&points);
        }
        contours
    }

    fn area(contours: &Contours) -> f64 {
        super::super::units::area_px(each(contours).map(area_two).sum())
    }

    fn boxed(x: f64, y: f64) -> Kernel {
        Kernel::new(&BakeSettings::new([x, y], Corner::Box).unwrap())
    }

    const SQUARE: &[[i32; 2]] = &[[0, 0], [20, 0], [20, 20], [0, 20]];
    /// Wound as a hole.
    const PILLAR: &[[i32; 2]] = &[[9, 9], [9, 11], [11, 11], [11, 9]];

    #[test]
    fn a_floor_shrinks_and_its_holes_grow() {
        assert!((area(&eroded(&contours(&[SQUARE]), &boxed(2.0, 4.0))) - 16.0 * 12.0).abs() < 1e-9);
        let holed = contours(&[SQUARE, PILLAR]);
        assert!((area(&eroded(&holed, &boxed(2.0, 4.0))) - (16.0 * 12.0 - 6.0 * 10.0)).abs() < 1e-9);
        assert!((area(&eroded(&holed, &boxed(0.0, 0.0))) - 396.0).abs() < 1e-9);
        assert!((area(&eroded(&holed, &boxed(0.0, 3.0))) - (20.0 * 14.0 - 2.0 * 8.0)).abs() < 1e-9);
        assert!(area(&eroded(&holed, &boxed(30.0, 1.0))).abs() < 1e-9);
    }

    #[test]
    fn an_island_that_the_agent_swallows_is_not_free() {
        let islands = contours(&[SQUARE, &[[30, 8], [32, 8], [32, 10], [30, 10]]]);
        assert!((area(&eroded(&islands, &boxed(4.0, 4.0))) - 144.0).abs() < 1e-9);
    }

    #[test]
    fn a_solid_grows_by_the_agent() {
        let corners: Vec<_> = SQUARE.iter().map(|&[x, y]| Point::new(x * 64, y * 64)).collect();
        assert!((area(&dilated(&corners, &boxed(2.0, 4.0))) - 24.0 * 28.0).abs() < 1e-9);
    }
}
