//! The oracle: it puts the agent at a place and looks whether an edge runs through its body.
//!
//! The body is on the floor and in no collider when its centre is, and no edge of the floor as a whole or of
//! a collider runs through its inside. A polygon holds the points that its outline winds around a number of
//! times other than zero; so beside each of its edges at least one side is inside.

use pathforge_navmesh::Corner;

use crate::level::{Level, Polygon};
use crate::mesh::sides;

type Place = [f64; 2];
type Segment = (Place, Place);

/// Gaps in the floor and spikes of colliders narrower than this, in pixels, are none to a forgiving oracle:
/// they are below the baker's units.
const GAP: f64 = 1.0 / 32.0;
/// What is shorter than this, in pixels, is a rounding error.
const NOTHING: f64 = 1e-4;

pub struct Oracle<'a> {
    level: &'a Level,
    corner: Corner,
    edges: Vec<Segment>,
    wide_edges: Vec<Segment>,
}

impl<'a> Oracle<'a> {
    pub fn new(level: &'a Level, corner: Corner) -> Self {
        let [edges, wide_edges] = [NOTHING, GAP].map(|gap| {
            let mut edges = edges_with(&level.floor, gap, |left, right| !(left && right));
            edges.extend(edges_with(&level.colliders, gap, |left, right| left || right));
            edges
        });
        Self { level, corner, edges, wide_edges }
    }

    /// Returns `true` if an agent of these half-extents with its centre at `place` is on the floor and in no
    /// collider.
    pub fn is_clear(&self, place: Place, half: [f64; 2]) -> bool {
        self.is_clear_of(&self.edges, place, half)
    }

    /// The same, but for gaps and spikes that are too narrow to count.
    pub fn may_be_clear(&self, place: Place, half: [f64; 2]) -> bool {
        self.is_clear_of(&self.wide_edges, place, half)
    }

    fn is_clear_of(&self, edges: &[Segment], place: Place, half: [f64; 2]) -> bool {
        let half = half.map(|h| h.clamp(1e-4, 1e6));
        let relative = |p: Place| [(p[0] - place[0]) / half[0], (p[1] - place[1]) / half[1]];
        holds(&self.level.floor, place)
            && !holds(&self.level.colliders, place)
            && !edges.iter().any(|&(a, b)| match self.corner {
                Corner::Box => runs_through_square(relative(a), relative(b)),
                Corner::Round => runs_through_circle(relative(a), relative(b)),
            })
    }
}

/// The pieces of edges for which `keep` says so about their two sides, `gap` away: whether a polygon is
/// there.
fn edges_with(polygons: &[Polygon], gap: f64, keep: fn(bool, bool) -> bool) -> Vec<Segment> {
    let has_length = |&(a, b): &Segment| (b[0] - a[0]).hypot(b[1] - a[1]) > NOTHING;
    let edges: Vec<Segment> = polygons.iter().flat_map(|p| sides(p)).filter(has_length).collect();
    let mut kept = Vec::new();
    for &(a, b) in &edges {
        let mut cuts = vec![0.0, 1.0];
        cuts.extend(edges.iter().flat_map(|&(c, d)| cuts_of((a, b), (c, d))));
        cuts.sort_by(f64::total_cmp);
        let at = |t: f64| [0, 1].map(|i| (b[i] - a[i]).mul_add(t, a[i]));
        let length = (b[0] - a[0]).hypot(b[1] - a[1]);
        let across = [(a[1] - b[1]) / length * gap, (b[0] - a[0]) / length * gap];
        for pair in cuts.windows(2).filter(|pair| (pair[1] - pair[0]) * length > NOTHING) {
            let middle = at(f64::midpoint(pair[0], pair[1]));
            let beside = |sign: f64| [0, 1].map(|i| across[i].mul_add(sign, middle[i]));
            if keep(holds(polygons, beside(1.0)), holds(polygons, beside(-1.0))) {
                kept.push((at(pair[0]), at(pair[1])));
            }
        }
    }
    kept
}

/// Where along `ab` the edge `cd` meets it, as parts of its length.
fn cuts_of((a, b): Segment, (c, d): Segment) -> Vec<f64> {
    let apart = |i: usize| a[i].max(b[i]) < c[i].min(d[i]) || c[i].max(d[i]) < a[i].min(b[i]);
    if apart(0) || apart(1) {
        return Vec::new();
    }
    let (u, v) = ([b[0] - a[0], b[1] - a[1]], [d[0] - c[0], d[1] - c[1]]);
    let along = |p: Place| ((p[0] - a[0]) * u[0] + (p[1] - a[1]) * u[1]) / (u[0] * u[0] + u[1] * u[1]);
    let cross = u[0] * v[1] - u[1] * v[0];
    let cuts = if cross.abs() < 1e-9 {
        vec![along(c), along(d)]
    } else {
        vec![((c[0] - a[0]) * v[1] - (c[1] - a[1]) * v[0]) / cross]
    };
    cuts.into_iter().filter(|t| (0.0..=1.0).contains(t)).collect()
}

fn holds(polygons: &[Polygon], place: Place) -> bool {
    polygons.iter().any(|polygon| winding(polygon, place) != 0)
}

fn winding(polygon: &[Place], place: Place) -> i32 {
    let mut winding = 0;
    for (a, b) in sides(polygon) {
        if (a[1] <= place[1]) != (b[1] <= place[1]) {
            let x = (b[0] - a[0]).mul_add((place[1] - a[1]) / (b[1] - a[1]), a[0]);
            if x > place[0] {
                winding += if a[1] <= place[1] { 1 } else { -1 };
            }
        }
    }
    winding
}

/// Returns `true` if a segment has a piece inside of the square from −1 to 1.
fn runs_through_square(a: Place, b: Place) -> bool {
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    for i in 0..2 {
        let step = b[i] - a[i];
        if step.abs() < 1e-12 {
            if a[i].abs() >= 1.0 - 1e-9 {
                return false;
            }
        } else {
            let (t0, t1) = ((-1.0 - a[i]) / step, (1.0 - a[i]) / step);
            low = low.max(t0.min(t1));
            high = high.min(t0.max(t1));
        }
    }
    high - low > 1e-9
}

/// Returns `true` if a segment comes nearer than 1 to the origin.
fn runs_through_circle(a: Place, b: Place) -> bool {
    let step = [b[0] - a[0], b[1] - a[1]];
    let length_squared = step[0] * step[0] + step[1] * step[1];
    let along = -(a[0] * step[0] + a[1] * step[1]) / length_squared.max(1e-18);
    let t = along.clamp(0.0, 1.0);
    step[0].mul_add(t, a[0]).hypot(step[1].mul_add(t, a[1])) < 1.0 - 1e-9
}
