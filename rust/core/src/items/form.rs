//! Where an item is filled: convex parts and surfaces of triangles, cut by upright lines.

use crate::geometry::{CellRect, bounds_of};

/// Hits of one line nearer to each other than this are one: two triangles meet at an edge.
const SAME: f64 = 1e-6;
/// What reaches into a cell by less than this, in cells, only touches it.
const TOUCH: f64 = 1e-4;

/// A form in space: x and z in cells, y in the unit of heights, from an item's first cell.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Form {
    /// The corners of convex parts.
    convex: Vec<Vec<[f64; 3]>>,
    /// Triangles that are seen from outside where their corners turn clockwise.
    faces: Vec<[[f64; 3]; 3]>,
}

impl Form {
    /// Adds the convex hull of some corners.
    pub fn add_hull(&mut self, corners: Vec<[f64; 3]>) {
        self.convex.push(corners);
    }

    /// Adds a triangle of a surface, seen from outside where its corners turn clockwise.
    pub fn add_face(&mut self, face: [[f64; 3]; 3]) {
        self.faces.push(face);
    }

    /// Returns `true` if nothing was added.
    pub const fn is_empty(&self) -> bool {
        self.convex.is_empty() && self.faces.is_empty()
    }

    /// Returns its least and its greatest corner; `None` if it is empty or has a corner that is not finite.
    pub fn bounds(&self) -> Option<[[f64; 3]; 2]> {
        let corners = || self.convex.iter().flatten().chain(self.faces.iter().flatten());
        let is_finite = corners().flatten().all(|part| part.is_finite());
        (is_finite && corners().next().is_some()).then(|| bounds_of(corners().copied()))
    }

    /// Returns the cells that it covers any part of, from the first cell.
    pub fn cells(&self) -> CellRect {
        let Some([low, high]) = self.bounds() else { return CellRect::default() };
        // Far beyond any map, so that sums stay in range.
        let limit = |value: f64| value.clamp(-1e8, 1e8) as i32;
        let [x, z] = [0, 2].map(|n| limit((low[n] + TOUCH).floor()));
        let [right, bottom] = [0, 2].map(|n| limit((high[n] - TOUCH).ceil()));
        CellRect::new(x, z, (right - x).max(1), (bottom - z).max(1))
    }

    /// Returns the stretches of the upright line through (x, z) on which it is filled, upwards. A surface
    /// that nothing lies below is a stretch of length zero.
    pub(crate) fn along(&self, x: f64, z: f64) -> Vec<[f64; 2]> {
        let mut stretches: Vec<[f64; 2]> =
            self.convex.iter().filter_map(|corners| hull_along(corners, x, z)).collect();
        stretches.extend(surface_along(&self.faces, x, z));
        sort(&mut stretches);
        let mut merged: Vec<[f64; 2]> = Vec::with_capacity(stretches.len());
        for [low, high] in stretches {
            match merged.last_mut() {
                Some(last) if low <= last[1] + SAME => last[1] = last[1].max(high),
                _ => merged.push([low, high]),
            }
        }
        merged
    }
}

/// Sorts pairs by their first number, then by their second.
fn sort(pairs: &mut [[f64; 2]]) {
    pairs.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
}

/// The stretch of an upright line within the convex hull of some corners.
///
/// A plane cuts the hull in the hull of the points in which it cuts the lines between any two corners. The
/// plane of all points of this x comes first, which leaves a flat polygon, then the line of this z in it.
// A corner on the plane is no end of a line that crosses it.
#[allow(clippy::float_cmp)]
fn hull_along(corners: &[[f64; 3]], x: f64, z: f64) -> Option<[f64; 2]> {
    let mut flat: Vec<[f64; 2]> = Vec::new();
    for (index, a) in corners.iter().enumerate() {
        if a[0] == x {
            flat.push([a[2], a[1]]);
        }
        for b in &corners[index + 1..] {
            if (a[0] < x && x < b[0]) || (b[0] < x && x < a[0]) {
                let part = (x - a[0]) / (b[0] - a[0]);
                flat.push([a[2] + (b[2] - a[2]) * part, a[1] + (b[1] - a[1]) * part]);
            }
        }
    }
    sort(&mut flat);
    let low = chain_at(&flat, z, 1.0)?;
    Some([low, chain_at(&flat, z, -1.0)?])
}

/// The height at z of the lower edge of the hull of points, which are sorted by z; with `side` −1 that of its
/// upper edge.
// The points of one cut have this z exactly.
#[allow(clippy::float_cmp)]
fn chain_at(points: &[[f64; 2]], z: f64, side: f64) -> Option<f64> {
    let mut chain: Vec<[f64; 2]> = Vec::new();
    for &next in points {
        while let [.., a, b] = chain[..] {
            let turn = (b[0] - a[0]) * (next[1] - a[1]) - (b[1] - a[1]) * (next[0] - a[0]);
            if turn * side > 0.0 {
                break;
            }
            chain.pop();
        }
        chain.push(next);
    }
    let at = |pair: &[[f64; 2]]| {
        let [a, b] = [pair[0], pair[1]];
        let part = (z - a[0]) / (b[0] - a[0]);
        let is_within = a[0] < b[0] && a[0] <= z && z <= b[0];
        is_within.then(|| a[1] + (b[1] - a[1]) * part)
    };
    // A hull that is flat across this line is the points of one z.
    let upright = || chain.iter().filter(|point| point[0] == z).map(|point| point[1] * side).reduce(f64::min);
    chain.windows(2).find_map(at).or_else(|| upright().map(|height| height * side))
}

/// The stretches of an upright line that lie behind surfaces: from a surface that is seen from below up to a
/// surface that is seen from above.
fn surface_along(faces: &[[[f64; 3]; 3]], x: f64, z: f64) -> Vec<[f64; 2]> {
    let mut hits: Vec<[f64; 2]> = faces.iter().filter_map(|face| face_at(face, x, z)).collect();
    // At one height, what is seen from below comes first, so that two bodies that touch are one.
    sort(&mut hits);
    // A line through an edge or a corner meets several triangles there.
    hits.dedup_by(|a, b| (a[1] > 0.0) == (b[1] > 0.0) && (a[0] - b[0]).abs() <= SAME);
    let (mut stretches, mut depth, mut begun) = (Vec::new(), 0, 0.0);
    for &[height, facing] in &hits {
        match (facing > 0.0, depth) {
            (false, _) => {
                begun = if depth == 0 { height } else { begun };
                depth += 1;
            }
            (true, 0) => stretches.push([height, height]),
            (true, _) => {
                depth -= 1;
                if depth == 0 {
                    stretches.push([begun, height]);
                }
            }
        }
    }
    if let (1.., Some(last)) = (depth, hits.last()) {
        stretches.push([begun, last[0]]);
    }
    stretches
}

/// The height at which an upright line meets a triangle, and 1 if that is seen from above, else −1.
fn face_at([a, b, c]: &[[f64; 3]; 3], x: f64, z: f64) -> Option<[f64; 2]> {
    let cross =
        |p: &[f64; 3], q: &[f64; 3], x: f64, z: f64| (q[0] - p[0]) * (z - p[2]) - (q[2] - p[2]) * (x - p[0]);
    let area = cross(a, b, c[0], c[2]);
    if area == 0.0 {
        return None;
    }
    let parts = [cross(b, c, x, z), cross(c, a, x, z), cross(a, b, x, z)].map(|part| part / area);
    let is_inside = parts.iter().all(|&part| part >= -1e-9);
    let height = parts[0] * a[1] + parts[1] * b[1] + parts[2] * c[1];
    // x to the right and z towards the eye's feet: clockwise from above is a positive area.
    is_inside.then_some([height, area.signum()])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corners(low: [f64; 3], high: [f64; 3]) -> Vec<[f64; 3]> {
        let pick = |n: usize, bit: usize| if n >> bit & 1 == 0 { low[bit] } else { high[bit] };
        (0..8).map(|n| [pick(n, 0), pick(n, 1), pick(n, 2)]).collect()
    }

    /// The twelve triangles of a box, seen from outside.
    fn shell(low: [f64; 3], high: [f64; 3]) -> Form {
        let of = corners(low, high);
        let mut form = Form::default();
        for [a, b, c, d] in
            [[2, 3, 7, 6], [0, 4, 5, 1], [0, 1, 3, 2], [4, 6, 7, 5], [0, 2, 6, 4], [1, 5, 7, 3]]
        {
            form.add_face([of[a], of[b], of[c]]);
            form.add_face([of[a], of[c], of[d]]);
        }
        form
    }

    fn is_near(got: &[[f64; 2]], want: &[[f64; 2]]) {
        let near = got.len() == want.len()
            && got.iter().flatten().zip(want.iter().flatten()).all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(near, "{got:?}, not {want:?}");
    }

    #[test]
    fn a_box_is_filled_from_its_bottom_to_its_top_as_hull_and_as_shell() {
        let mut hull = Form::default();
        hull.add_hull(corners([0.0, -1.0, 0.0], [2.0, 3.0, 1.0]));
        for form in [hull, shell([0.0, -1.0, 0.0], [2.0, 3.0, 1.0])] {
            for (x, z) in [(0.25, 0.5), (1.0, 0.5), (2.0, 1.0), (1.9, 0.01)] {
                is_near(&form.along(x, z), &[[-1.0, 3.0]]);
            }
            is_near(&form.along(2.1, 0.5), &[]);
            is_near(&form.along(1.0, -0.1), &[]);
            assert_eq!(form.cells(), CellRect::new(0, 0, 2, 1));
        }
    }

    #[test]
    fn a_ramp_is_as_high_as_it_is_there() {
        let mut ramp = Form::default();
        let low = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [4.0, 0.0, 0.0], [4.0, 0.0, 1.0]];
        ramp.add_hull([&low[..], &[[4.0, 2.0, 0.0], [4.0, 2.0, 1.0]]].concat());
        for x in [0.5, 1.5, 3.25] {
            is_near(&ramp.along(x, 0.5), &[[0.0, x / 2.0]]);
        }
    }

    #[test]
    fn a_hull_is_what_halfspaces_leave() {
        // An octahedron: |x| + |y| + |z| ≤ 1.
        let mut form = Form::default();
        let tip = |n: usize, sign: f64| [0, 1, 2].map(|axis| if axis == n { sign } else { 0.0 });
        form.add_hull((0..6).map(|n| tip(n / 2, if n % 2 == 0 { 1.0 } else { -1.0 })).collect());
        for n in 0..400_i32 {
            let spread = |by: i32| f64::from(n * by % 41) / 20.0 - 1.0;
            let (x, z) = (spread(7), spread(11));
            let left = 1.0 - x.abs() - z.abs();
            let wanted = if left >= 0.0 { vec![[-left, left]] } else { vec![] };
            is_near(&form.along(x, z), &wanted);
        }
    }

    #[test]
    fn a_gate_is_open_between_its_feet_and_its_lintel() {
        let mut gate = shell([0.0, 0.0, 0.0], [3.0, 0.1, 1.0]);
        gate.faces.extend(shell([0.0, 2.0, 0.0], [3.0, 3.0, 1.0]).faces);
        is_near(&gate.along(1.5, 0.5), &[[0.0, 0.1], [2.0, 3.0]]);
        let mut touching = shell([0.0, 0.0, 0.0], [1.0, 1.0, 1.0]);
        touching.faces.extend(shell([0.0, 1.0, 0.0], [1.0, 2.0, 1.0]).faces);
        is_near(&touching.along(0.5, 0.5), &[[0.0, 2.0]]);
    }

    #[test]
    fn an_open_surface_is_a_stretch_of_length_zero() {
        let mut plane = Form::default();
        plane.add_face([[0.0, 1.0, 0.0], [4.0, 1.0, 0.0], [4.0, 1.0, 4.0]]);
        is_near(&plane.along(2.0, 1.0), &[[1.0, 1.0]]);
        is_near(&plane.along(1.0, 2.0), &[]);
        let mut ceiling = Form::default();
        ceiling.add_face([[0.0, 1.0, 0.0], [4.0, 1.0, 4.0], [4.0, 1.0, 0.0]]);
        is_near(&ceiling.along(2.0, 1.0), &[[1.0, 1.0]]);
    }

    #[test]
    fn corners_that_are_no_numbers_have_no_bounds() {
        let mut broken = Form::default();
        assert_eq!(broken.bounds(), None);
        broken.add_hull(vec![[0.0; 3], [f64::NAN, 0.0, 0.0]]);
        assert_eq!((broken.bounds(), broken.cells()), (None, CellRect::default()));
        assert_eq!(broken.along(0.5, 0.5), Vec::<[f64; 2]>::new());
    }
}
