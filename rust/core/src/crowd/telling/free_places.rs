//! Free places: where a body fits and no other body is, the nearest to a position first, for bodies that a
//! game is about to add.
//!
//! Candidates are the position itself and the centres of all valid placements, in rings around it; of two
//! that are equally far, the first in reading order. Takes time in proportion to the bodies, and to the cells
//! up to the last place that is found: all of the map when there are fewer places than asked for.

use crate::crowd::ground::map::{CrowdGround, CrowdKind};
use crate::crowd::ground::neighbours::Most;
use crate::crowd::ground::steps::stands;
use crate::crowd::ground::sweep::{Frame, fits};
use crate::crowd::kept::Crowd;
use crate::crowd::numbers::vector::{FAR, V};
use crate::crowd::orders::place_candidates::Taken;
use crate::crowd::state::outline::{Core, Outline};
use crate::geometry::CellRect;
use crate::passability::Placements;

/// How wide the first ring is, in cells; each further one is twice as wide.
const FIRST_RING: f64 = 8.0;

/// The bodies on a map, of all its crowds and of no crowd.
#[derive(Clone, Debug, Default)]
pub struct Bodies {
    /// Their centres, in cells, and their layers.
    all: Vec<([f64; 2], Outline, u32)>,
    most: Most,
}

impl Bodies {
    /// Adds a body on these layers with its centre at a place, in cells.
    pub fn add(&mut self, kind: &CrowdKind, radius: f32, at: [f64; 2], layers: u32) {
        self.add_outline(at, kind.outline_of(radius), layers);
    }

    /// Adds the agents of a crowd, without those that are moved from outside: what moves them knows where
    /// they are by now.
    pub fn add_crowd(&mut self, crowd: &Crowd) {
        let corner = [f64::from(crowd.origin.0), f64::from(crowd.origin.1)];
        for (body, agent) in crowd.bodies.iter().zip(&crowd.agents) {
            if !agent.control.is_driven {
                let at = [0, 1].map(|axis| f64::from(body.at[axis]) + corner[axis]);
                self.add_outline(at, body.outline(), agent.avoidance.layers);
            }
        }
    }

    fn add_outline(&mut self, at: [f64; 2], outline: Outline, layers: u32) {
        self.most.longest = self.most.longest.max(outline.longest());
        self.most.has_cores |= !outline.core.is_point();
        self.all.push((at, outline, layers));
    }

    /// Returns the centres of up to `count` free places for bodies of a kind and radius, in cells, the
    /// nearest to `near` first: none of them overlaps another place, or a body on a layer of `mask`. `layer`
    /// has the placements of the kind on `region`.
    pub fn free_places(
        mut self,
        (region, layer): (CellRect, &Placements),
        (kind, radius, mask): (&CrowdKind, f32, u32),
        near: [f64; 2],
        count: usize,
    ) -> Vec<[f64; 2]> {
        let mut places = Vec::new();
        if region.is_empty() || count == 0 || !near.iter().all(|part| part.is_finite()) {
            return places;
        }
        let corner = [f64::from(region.x), f64::from(region.y)];
        let inside = |at: [f64; 2]| [0, 1].map(|axis| (at[axis] - corner[axis]) as f32);
        let outline = kind.outline_of(radius);
        // The places that are found count as bodies, too.
        self.most.longest = self.most.longest.max(outline.longest());
        self.most.has_cores |= !outline.core.is_point();
        let ground = CrowdGround { region, revision: 0, layers: &[], costs: &[], fields: &[] };
        let mut taken = Taken::new(&ground, self.all.len(), self.most).apart();
        self.all.iter().for_each(|&(at, outline, layers)| taken.add(inside(at), outline, layers & mask));
        let frame = Frame::new(kind.layer.footprint, radius);
        let mut offer = |at: V| {
            // The places that are found are taken whatever their bodies avoid.
            if taken.is_free(at, outline, u32::MAX) {
                taken.add(at, outline, u32::MAX);
                places.push([0, 1].map(|axis| f64::from(at[axis]) + corner[axis]));
            }
            places.len() < count
        };
        let own = inside(near);
        if fits(layer, &frame, own[0], own[1]) && !offer(own) {
            return places;
        }
        // Farther off, distances would be too coarse to tell rings apart.
        let near = [0, 1].map(|axis| (near[axis] - corner[axis]).clamp(-f64::from(FAR), f64::from(FAR)));
        for ring in rings(region, near) {
            let centres = centres_within(layer, &frame, near, ring);
            if !centres.into_iter().all(&mut offer) {
                break;
            }
        }
        places
    }
}

/// Returns rings around a place, counted from the region's corner: from one distance to the next, until all
/// of the region is covered.
fn rings(region: CellRect, near: [f64; 2]) -> impl Iterator<Item = [f64; 2]> {
    let sides = [f64::from(region.w), f64::from(region.h)];
    let length = |[x, y]: [f64; 2]| (x * x + y * y).sqrt();
    let least = length([0, 1].map(|axis| (-near[axis]).max(near[axis] - sides[axis]).max(0.0)));
    let most = length([0, 1].map(|axis| near[axis].abs().max((sides[axis] - near[axis]).abs())));
    let first = [least, least + FIRST_RING];
    std::iter::successors(Some(first), |&[from, to]| Some([to, to + 2.0 * (to - from)]))
        .take_while(move |&[from, _]| from <= most)
}

/// Returns the centres of the placements in a ring around a place, the nearest first.
fn centres_within(layer: &Placements, frame: &Frame, near: [f64; 2], [from, to]: [f64; 2]) -> Vec<V> {
    let half = frame.half.map(f64::from);
    let layout = layer.layout();
    // Columns and rows whose centre is less than `reach` from the place.
    let anchors = |axis: usize, reach: f64, side: u32| {
        let first = (near[axis] - half[axis] - reach).ceil().max(0.0) as u32;
        let last = (near[axis] - half[axis] + reach).floor().min(f64::from(side) - 1.0);
        (first..side).take_while(move |&anchor| f64::from(anchor) <= last)
    };
    let mut found = Vec::new();
    for y in anchors(1, to, layout.height()) {
        let down = f64::from(y) + half[1] - near[1];
        let reach = (to * to - down * down).max(0.0).sqrt();
        for x in anchors(0, reach, layout.width()) {
            let across = f64::from(x) + half[0] - near[0];
            let square = across * across + down * down;
            if square >= from * from && square < to * to && stands(layer, x as i32, y as i32) {
                found.push((square, [x, y]));
            }
        }
    }
    found.sort_by(|(a, [ax, ay]), (b, [bx, by])| a.total_cmp(b).then((ay, ax).cmp(&(by, bx))));
    let centre = |(_, [x, y]): (f64, [u32; 2])| [x as f32 + frame.half[0], y as f32 + frame.half[1]];
    found.into_iter().map(centre).collect()
}

impl CrowdKind {
    fn outline_of(&self, radius: f32) -> Outline {
        Outline { radius, core: Core::new(self.layer.footprint, self.outline, radius) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitgrid::{BitGrid, GridLayout};
    use crate::crowd::numbers::vector::{dot, minus};
    use crate::crowd::state::outline::{Gap, gap};
    use crate::geometry::Footprint;
    use crate::passability::LayerKey;

    const REGION: CellRect = CellRect::new(-3, 5, 24, 17);

    /// The placements of a body of 1×1 cells, with holes.
    fn layer() -> Placements {
        let mut layer = BitGrid::new(GridLayout::new(24, 17));
        for (x, y) in (0..17).flat_map(|y| (0..24).map(move |x| (x, y))) {
            let index = layer.layout().index(x, y);
            layer.set(index, (x * 7 + y * 5) % 6 != 0);
        }
        layer.into()
    }

    fn overlap(a: [f64; 2], one: Outline, b: [f64; 2], other: Outline) -> bool {
        let offset = minus(b.map(|part| part as f32), a.map(|part| part as f32));
        let Gap { offset, touch } = gap::<true>(one, other, offset);
        dot(offset, offset) < touch * touch * 0.998
    }

    /// All placements in turn, the nearest first, and of those each that is free.
    fn greedy(
        layer: &Placements,
        bodies: &[([f64; 2], Outline)],
        outline: Outline,
        near: [f64; 2],
    ) -> Vec<[f64; 2]> {
        let cells = (0..17).flat_map(|y| (0..24).map(move |x| (x, y)));
        let cells = cells.filter(|&(x, y)| stands(layer, x, y));
        let mut centres: Vec<[f64; 2]> =
            cells.map(|(x, y)| [f64::from(x) - 2.5, f64::from(y) + 5.5]).collect();
        let square = |at: &[f64; 2]| (at[0] - near[0]).powi(2) + (at[1] - near[1]).powi(2);
        centres.sort_by(|a, b| square(a).total_cmp(&square(b)));
        let mut taken = bodies.to_vec();
        for at in centres {
            if !taken.iter().any(|&(other, its)| overlap(at, outline, other, its)) {
                taken.push((at, outline));
            }
        }
        taken.split_off(bodies.len()).into_iter().map(|(at, _)| at).collect()
    }

    #[test]
    fn places_are_those_of_a_look_at_every_placement() {
        let layer = layer();
        let small: CrowdKind = LayerKey::default().into();
        let large: CrowdKind =
            LayerKey { footprint: Footprint::new(3, 2).unwrap(), ..LayerKey::default() }.into();
        let placed = [([2.5, 9.5], &small, 0.4), ([8.2, 12.1], &large, 0.9), ([100.0, 12.0], &large, 0.9)];
        for radius in [0.4, 0.5, 1.3] {
            for near in [[2.5, 9.5], [8.01, 12.3], [-40.0, 11.0], [9.0, 1e9]] {
                let mut bodies = Bodies::default();
                for (at, kind, radius) in placed {
                    bodies.add(kind, radius, at, 1);
                    bodies.add(kind, radius, [at[0] + 1.0, at[1] + 1.0], 2);
                }
                let outlines = placed.map(|(at, kind, radius)| (at, kind.outline_of(radius)));
                let all = greedy(&layer, &outlines, small.outline_of(radius), near.map(|v: f64| v.min(1e6)));
                let find =
                    |count| bodies.clone().free_places((REGION, &layer), (&small, radius, 1), near, count);
                assert_eq!(find(usize::MAX), all, "radius {radius} at {near:?}");
                assert_eq!(find(5), all[..5], "the first of them");
            }
        }
        let find = |near| Bodies::default().free_places((REGION, &layer), (&small, 0.4, 1), near, 1);
        assert_eq!(find([3.5, 9.5]), [[3.5, 9.5]], "free itself");
        assert_eq!(find([f64::NAN, 9.5]), Vec::<[f64; 2]>::new());
        assert_eq!(find([f64::MAX, 9.5]).len(), 1, "from far away");
    }
}
