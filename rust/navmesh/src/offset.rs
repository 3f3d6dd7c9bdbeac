//! Offsetting: erodes free space by the agent's shape in one overlay, in O(n log n).
//!
//! The boundary of the blocked side, walked with the blocked side on the left, is convolved with the agent's
//! shape. Each corner of the boundary is joined by the agent's support corner, which steps forward where the
//! boundary turns left and backward where it turns right. This is the convolution of two closed curves
//! (Guibas, Ramshaw & Stolfi, *A kinetic framework for computational geometry*, FOCS 1983).
//!
//! Invariant: the result winds around a point as often as an agent there meets pieces of blocked space, less
//! the holes in them, minus one for the endless outside. So it winds −1 times where the agent meets none. The
//! overlay's fill rule resolves crossings and backward pieces. For that each curve is reversed: other
//! overlays, too, ask for the area with positive winding, and each further fill rule takes 9 KB of the
//! library.

use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay::{Overlay, ShapeType};
use i_overlay::core::overlay_rule::OverlayRule;

use super::agent_shape::AgentShape;
use super::merge::{Contours, contours_of, overlaid};
use super::units::{Point, UnitRect, area_two, cross, dot};

/// Closed curves that cross themselves and each other; only the winding around points has a meaning.
pub(super) struct Convolution(Contours);

/// Convolves the boundary of `free`, blocked side on the left, with the agent's shape.
pub(super) fn convolve(free: &Contours, agent: &AgentShape) -> Convolution {
    let mut convolved = Contours::default();
    let mut path = Vec::new();
    for contour in contours_of(free) {
        let bounds = UnitRect::around(contour);
        // A piece of free space inside of the agent would be a hole in what the agent meets, and look free.
        let fits = bounds.width() >= 2 * agent.half_x && bounds.height() >= 2 * agent.half_y;
        // Holes are blocked space and stay, whatever their size.
        if fits || area_two(contour) < 0 {
            // Contours have free space on their left; reversed, the blocked side.
            convolve_contour(contour.iter().rev().copied(), agent, &mut path);
            path.reverse();
            convolved.add_contour(&path);
        }
    }
    Convolution(convolved)
}

impl Convolution {
    /// The area in which the agent's centre may be, or the part of it in a rectangle.
    pub fn resolve(&self, clip: Option<UnitRect>) -> Contours {
        let mut overlay = Overlay::new(self.0.points.len() + 4);
        // A closed curve whose bounds stay away from the rectangle winds around none of its points.
        let matters = |path: &&[Point]| clip.is_none_or(|clip| UnitRect::around(path).touches(clip));
        let paths = contours_of(&self.0).filter(matters);
        paths.for_each(|path| overlay.add_contour(path, ShapeType::Subject));
        let Some(clip) = clip else { return overlaid(overlay, OverlayRule::Subject, FillRule::Positive) };
        overlay.add_path_iter(clip.corners().into_iter(), ShapeType::Clip);
        overlaid(overlay, OverlayRule::Intersect, FillRule::Positive)
    }
}

/// The area in which the agent's centre may be so that all of the agent lies in `free`.
pub(super) fn eroded(free: &Contours, agent: &AgentShape) -> Contours {
    convolve(free, agent).resolve(None)
}

/// Convolves a closed contour with the agent's shape, whose support corners lie on its right-hand side.
fn convolve_contour(contour: impl Iterator<Item = Point> + Clone, agent: &AgentShape, path: &mut Vec<Point>) {
    path.clear();
    let count = contour.clone().count();
    let mut corners = contour.cycle();
    let Some((mut before, mut here)) = corners.next().zip(corners.next()) else { return };
    let mut support = agent.support(direction(before, here));
    for after in corners.take(count) {
        // The corner that touches first when the agent slides along the next side.
        let next_support = agent.support(direction(here, after));
        let corner = here;
        let mut emit = |support: usize| {
            let reach = agent.corner(support);
            path.push(Point::new(corner.x + reach.x, corner.y + reach.y));
        };
        emit(support);
        let turn = cross(before, here, after);
        // A left turn, or a turn by half: the support corner steps forward through all corners between.
        if turn > 0 || turn == 0 && dot(here, before, after) > 0 {
            while support != next_support {
                support = if support + 1 == agent.len() { 0 } else { support + 1 };
                emit(support);
            }
        } else if support != next_support {
            // A right turn would step back through all corners between. The shortcut is allowed: between it
            // and the steps lie points where the agent meets the corner, and around those the result winds
            // once more.
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
        super::super::units::area_px(contours_of(contours).map(area_two).sum())
    }

    fn boxed(x: f64, y: f64) -> AgentShape {
        AgentShape::new(&BakeSettings::new([x, y], Corner::Box).unwrap())
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
    fn an_island_smaller_than_the_agent_is_not_free() {
        let islands = contours(&[SQUARE, &[[30, 8], [32, 8], [32, 10], [30, 10]]]);
        assert!((area(&eroded(&islands, &boxed(4.0, 4.0))) - 144.0).abs() < 1e-9);
    }
}
