//! The agent's shape around its centre: a box, a segment, a point, or an ellipse as a polygon of at most 64
//! corners.

use std::f64::consts::{FRAC_PI_2, PI};

use super::error::COORDINATE_MAX_PX;
use super::settings::{BakeSettings, Corner};
use super::units::{Point, UNITS_PER_PX, cross};

/// How far outside of its ellipse a polygon may lie, in pixels. Less makes more corners.
const ROUND_TOLERANCE_PX: f64 = 0.125;
/// The most corners of an ellipse.
const CORNERS_MAX: f64 = 64.0;

/// A convex polygon, symmetric about the origin, wound positively. Its first side has the least angle from
/// the x axis.
#[derive(Clone, Debug)]
pub(super) struct AgentShape {
    corners: Vec<Point>,
    /// The direction from each corner to the next.
    sides: Vec<Point>,
    pub half_x: i32,
    pub half_y: i32,
}

impl AgentShape {
    pub fn new(settings: &BakeSettings) -> Self {
        // Rounded up, so that the agent is never smaller than asked for; 1e-6 undoes the product's own
        // rounding.
        let [half_x, half_y] = settings
            .half_extents_px()
            .map(|h| (h.min(COORDINATE_MAX_PX) * UNITS_PER_PX - 1e-6).ceil().max(0.0) as i32);
        let corners = match settings.corner() {
            Corner::Round if half_x > 0 && half_y > 0 => {
                ellipse(half_x, half_y, ROUND_TOLERANCE_PX * UNITS_PER_PX)
            }
            // A round agent without width or height is a segment, too.
            _ => vec![
                Point::new(-half_x, -half_y),
                Point::new(half_x, -half_y),
                Point::new(half_x, half_y),
                Point::new(-half_x, half_y),
            ],
        };
        Self::from_corners(corners, half_x, half_y)
    }

    /// The convex polygon of corners in positive winding order.
    fn from_corners(mut corners: Vec<Point>, half_x: i32, half_y: i32) -> Self {
        // A segment and a point are boxes with corners in one place.
        corners.dedup();
        while corners.len() > 1 && corners.first() == corners.last() {
            corners.pop();
        }
        // Rounding to units can leave corners that are straight or dented; a step back looks at the corner
        // before again.
        let mut i = 0;
        while corners.len() > 2 && i < corners.len() {
            let n = corners.len();
            if cross(corners[(i + n - 1) % n], corners[i], corners[(i + 1) % n]) <= 0 {
                corners.remove(i);
                i = i.saturating_sub(1);
            } else {
                i += 1;
            }
        }
        let n = corners.len();
        let side = |i: usize| corners[(i + 1) % n] - corners[i];
        let mut sides: Vec<_> = (0..n).map(|i| Point::new(side(i).x as i32, side(i).y as i32)).collect();
        if let Some(first) = (0..n).reduce(|a, b| if turns_before(sides[b], sides[a]) { b } else { a }) {
            // `support` searches the sides by angle, so they begin with the least.
            corners.rotate_left(first);
            sides.rotate_left(first);
        }
        Self { corners, sides, half_x, half_y }
    }

    /// The support corner: it reaches furthest to the right of `direction`.
    ///
    /// Corner j supports the directions after side j − 1, up to and including side j. O(log corners).
    pub(crate) fn support(&self, direction: Point) -> usize {
        let index = self.sides.partition_point(|&side| turns_before(side, direction));
        // After the last side it is the first corner again.
        if index == self.sides.len() { 0 } else { index }
    }

    pub fn corner(&self, index: usize) -> Point {
        self.corners[index]
    }

    pub fn len(&self) -> usize {
        self.corners.len()
    }
}

/// Returns `true` if the angle of `a`, counted from the x axis towards the y axis, is less than that of `b`.
fn turns_before(a: Point, b: Point) -> bool {
    let lower = |p: Point| p.y < 0 || p.y == 0 && p.x < 0;
    match (lower(a), lower(b)) {
        (false, true) => true,
        (true, false) => false,
        _ => cross(Point::new(0, 0), a, b) > 0,
    }
}

/// A polygon around the ellipse that is nowhere further from it than `tolerance`, with sides along both axes,
/// so that straight walls keep their exact distance. The agent is never smaller than its ellipse.
fn ellipse(half_x: i32, half_y: i32, tolerance: f64) -> Vec<Point> {
    let radius = f64::from(half_x.max(half_y));
    // A regular polygon around a circle exceeds it by r / cos(π / n) − r at its corners.
    let wanted = PI / (radius / (radius + tolerance)).acos();
    // A multiple of four, so that quarters are mirror images.
    let quarter = (wanted.clamp(8.0, CORNERS_MAX) / 4.0).ceil() as i32;
    let step = FRAC_PI_2 / f64::from(quarter);
    let stretch = 1.0 / (step / 2.0).cos();
    let first_quarter: Vec<_> = (0..quarter)
        .map(|i| {
            let angle = (f64::from(i) + 0.5) * step;
            let (x, y) = (f64::from(half_x) * angle.cos(), f64::from(half_y) * angle.sin());
            // The outermost corners lie on the sides along the axes.
            let (x, y) = ((x * stretch).ceil() as i32, (y * stretch).ceil() as i32);
            Point::new(x.min(half_x), y.min(half_y))
        })
        .collect();
    let mirrored =
        |x: i32, y: i32| first_quarter.iter().map(move |p| Point::new(p.x * x, p.y * y)).collect::<Vec<_>>();
    let mut corners = mirrored(1, 1);
    corners.extend(mirrored(-1, 1).into_iter().rev());
    corners.extend(mirrored(-1, -1));
    corners.extend(mirrored(1, -1).into_iter().rev());
    corners
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(half: [f64; 2], corner: Corner) -> AgentShape {
        AgentShape::new(&BakeSettings::new(half, corner).unwrap())
    }

    #[test]
    fn half_extents_of_zero_make_a_segment_or_a_point() {
        assert_eq!(shape([2.0, 4.0], Corner::Box).len(), 4);
        assert_eq!(shape([2.0, 0.0], Corner::Box).len(), 2);
        assert_eq!(shape([0.0, 3.0], Corner::Round).len(), 2);
        assert_eq!(shape([0.0, 0.0], Corner::Round).len(), 1);
        let boxed = shape([2.0, 4.0], Corner::Box);
        // Walking right, the box reaches furthest to the side of negative y.
        assert_eq!(boxed.corner(boxed.support(Point::new(5, 0))).y, -256);
        assert_eq!(boxed.corner(boxed.support(Point::new(5, 1))), Point::new(128, -256));
        assert_eq!(boxed.corner(boxed.support(Point::new(-1, -5))), Point::new(-128, 256));
    }

    #[test]
    fn an_ellipse_is_never_too_small_and_hardly_too_large() {
        for half in [[0.1, 0.1], [1.0, 7.0], [8.0, 8.0], [40.0, 25.0]] {
            let agent = shape(half, Corner::Round);
            let n = agent.len();
            for i in 0..n {
                let (a, b) = (agent.corner(i), agent.corner((i + 1) % n));
                assert!(cross(Point::new(0, 0), a, b) > 0);
                let outside = |x: f64, y: f64| {
                    let (rx, ry) = (f64::from(agent.half_x), f64::from(agent.half_y));
                    (x / rx).hypot(y / ry)
                };
                let middle = outside(f64::from(a.x + b.x) / 2.0, f64::from(a.y + b.y) / 2.0);
                let shorter = f64::from(agent.half_x.min(agent.half_y));
                assert!(middle > 1.0 - 2.0 / shorter, "{half:?}");
                assert!(outside(f64::from(a.x), f64::from(a.y)) < 1.0 + 9.0 / shorter.max(9.0), "{half:?}");
            }
        }
    }
}
