//! Ground from facets: flat convex polygons with heights, of which one counts at each cell.
//!
//! Corners are `[x, y, height]` in cell space, so slopes are heights a cell. A cell is open if a facet
//! overlaps it, as [`for_each_cell_in`] has it. Facets whose heights differ by no more than a step, and than
//! their slopes explain, are one *floor* there. The highest floor counts, with its facet that is nearest to
//! the cell's centre.
//!
//! Between neighbouring cells of two floors the lower one is closed, so that bodies do not walk off the side
//! of a bridge.

use std::collections::VecDeque;

use super::islands::{CLOSED, Islands};
use super::polygon::{ROUNDING_CELLS, area_of, bounds_of, clipped, for_each_cell_in, sides};
use super::{Cell, CellRect};

/// Heights that differ by less are one: positions have passed through several transforms of single precision.
const SAME_HEIGHT: f64 = 1e-3;

/// A flat convex polygon with heights.
#[derive(Clone, PartialEq, Debug)]
pub struct Facet {
    corners: Vec<[f64; 2]>,
    /// The heights of its lowest and of its highest corner.
    heights: [f64; 2],
    /// What its plane gains a cell, along x and along y.
    gain: [f64; 2],
    /// The height of its plane at its first corner.
    base: f64,
    /// The highest step that its agent takes.
    step: f64,
}

/// Where a facet is nearest to the centre of a cell.
#[derive(Clone, Copy)]
struct Spot {
    at: [f64; 2],
    height: f64,
    /// The square of the distance from the centre.
    off: f64,
}

/// What facets make of the cells of a region.
#[derive(Clone, PartialEq, Debug)]
pub struct Ground {
    /// The facet that counts at each cell, row by row; `None` where the cell is solid.
    pub facets: Vec<Option<usize>>,
    /// How high each cell is; a solid one as an open cell that is the fewest steps away. Empty where no cell
    /// is open.
    pub heights: Vec<f32>,
    /// The cells at which a floor lies below the floor that counts.
    pub covered: Vec<Cell>,
    /// The cells at which facets that are apart become one.
    pub joined: Vec<Cell>,
}

impl Facet {
    /// The part of a flat convex polygon between two heights, for an agent that takes steps up to `step`;
    /// `None` if it has no area.
    pub fn new(corners: &[[f64; 3]], [lowest, highest]: [f64; 2], step: f64) -> Option<Self> {
        let above = clipped(corners, |[.., height]| height - lowest);
        let within = clipped(&above, |[.., height]| highest - height);
        let corners: Vec<[f64; 2]> = within.iter().map(|&[x, y, _]| [x, y]).collect();
        let area = area_of(&corners);
        if area.abs() <= ROUNDING_CELLS {
            return None;
        }
        // The normal of a polygon in space (Newell): its parts are the areas of the polygon's shadows.
        let [ahead, aside] = [0, 1]
            .map(|axis| sides(&within).map(|(a, b)| (a[axis] - b[axis]) * (a[2] + b[2])).sum::<f64>() / area);
        let [[low], [high]] = bounds_of(within.iter().map(|&[.., height]| [height]));
        Some(Self { corners, heights: [low, high], gain: [-aside, ahead], base: within[0][2], step })
    }

    /// Returns its corners in cell space.
    pub fn corners(&self) -> &[[f64; 2]] {
        &self.corners
    }

    fn height_at(&self, [x, y]: [f64; 2]) -> f64 {
        let [from_x, from_y] = self.corners[0];
        let height = self.base + self.gain[0] * (x - from_x) + self.gain[1] * (y - from_y);
        height.clamp(self.heights[0], self.heights[1])
    }

    fn steepness(&self) -> f64 {
        self.gain[0].hypot(self.gain[1])
    }

    fn spot(&self, cell: Cell) -> Spot {
        let center = [f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5];
        let off = |[x, y]: [f64; 2]| (x - center[0]).powi(2) + (y - center[1]).powi(2);
        let winding = area_of(&self.corners).signum();
        let is_inside = sides(&self.corners).all(|([ax, ay], [bx, by])| {
            winding * ((bx - ax) * (center[1] - ay) - (by - ay) * (center[0] - ax)) >= 0.0
        });
        let on_side = |([ax, ay], [bx, by]): ([f64; 2], [f64; 2])| {
            let (dx, dy) = (bx - ax, by - ay);
            let length = dx * dx + dy * dy;
            let along = (center[0] - ax) * dx + (center[1] - ay) * dy;
            let share = if length > 0.0 { (along / length).clamp(0.0, 1.0) } else { 0.0 };
            [ax + share * dx, ay + share * dy]
        };
        let nearest =
            || sides(&self.corners).map(on_side).min_by(|&a, &b| off(a).total_cmp(&off(b))).unwrap_or(center);
        let at = if is_inside { center } else { nearest() };
        Spot { at, height: self.height_at(at), off: off(at) }
    }
}

/// Returns what facets make of the cells of `region`; later ones count where several are as high and as near.
///
/// Takes the time of [`joined_islands`](super::joined_islands).
pub fn ground_of(facets: &[Facet], region: CellRect) -> Ground {
    let mut floors = Floors::new(facets, region);
    let corners: Vec<&[[f64; 2]]> = facets.iter().map(Facet::corners).collect();
    let mut islands = Islands::new(&corners, region, |a, b, common| are_level(facets, a, b, common));
    let mut covered = vec![false; floors.counting.len()];
    let mut meetings = Vec::new();
    let highest = floors.counting.clone();
    for (number, facet) in (0..).zip(facets) {
        for_each_cell_in(&facet.corners, region, |place| {
            let (spot, top) = (floors.spot(number, place), floors.spot(highest[place], place));
            if !floors.are_one((place, number, spot), (place, highest[place], top)) {
                covered[place] = true;
                return;
            }
            let best = floors.spot(floors.counting[place], place);
            let is_as_near = spot.off <= best.off && spot.height >= best.height - SAME_HEIGHT;
            if spot.off < best.off || is_as_near {
                floors.counting[place] = number;
            }
            if !islands.hold(number, highest[place]) {
                meetings.push((place, number, highest[place]));
            }
        });
    }
    floors.close_steps();
    for (place, a, b) in meetings {
        if floors.counting[place] != CLOSED {
            islands.meet(place, a, b);
        }
    }
    islands.meet_beside(&floors.counting);
    Ground {
        facets: floors.counting.iter().map(|&facet| (facet != CLOSED).then_some(facet as usize)).collect(),
        heights: floors.heights(),
        covered: region.cells().zip(covered).filter_map(|(cell, is)| is.then_some(cell)).collect(),
        joined: islands.joined,
    }
}

/// Whether two facets are at one height somewhere in what they have in common, up to a step.
fn are_level(facets: &[Facet], a: u32, b: u32, common: &[[f64; 2]]) -> bool {
    let (a, b) = (&facets[a as usize], &facets[b as usize]);
    let rise = |&corner: &[f64; 2]| [a.height_at(corner) - b.height_at(corner)];
    let [[least], [most]] = bounds_of(common.iter().map(rise));
    // What two planes differ by is linear, so the corners have the extremes.
    least.max(-most) <= a.step.max(b.step) + SAME_HEIGHT
}

/// The facet that counts at each cell of a region.
struct Floors<'a> {
    facets: &'a [Facet],
    region: CellRect,
    counting: Vec<u32>,
    /// How steep the steepest facet of each cell is.
    steepness: Vec<f32>,
}

impl<'a> Floors<'a> {
    /// The highest facet counts at each cell.
    fn new(facets: &'a [Facet], region: CellRect) -> Self {
        let cells = region.area() as usize;
        let mut floors = Self { facets, region, counting: vec![CLOSED; cells], steepness: vec![0.0; cells] };
        for (number, facet) in (0..).zip(facets) {
            for_each_cell_in(&facet.corners, region, |place| {
                let highest = floors.counting[place];
                if highest == CLOSED || floors.spot(number, place).height > floors.spot(highest, place).height
                {
                    floors.counting[place] = number;
                }
                floors.steepness[place] = floors.steepness[place].max(facet.steepness() as f32);
            });
        }
        floors
    }

    fn spot(&self, facet: u32, place: usize) -> Spot {
        let (row, column) = (place as i32 / self.region.w, place as i32 % self.region.w);
        self.facets[facet as usize].spot(Cell::new(self.region.x + column, self.region.y + row))
    }

    /// Whether two spots differ in height by no more than a step and what the steepest facet rises between
    /// them.
    fn are_one(&self, (at, a, from): (usize, u32, Spot), (beside, b, to): (usize, u32, Spot)) -> bool {
        let step = self.facets[a as usize].step.max(self.facets[b as usize].step);
        let steepness = f64::from(self.steepness[at].max(self.steepness[beside]));
        let distance = (to.at[0] - from.at[0]).hypot(to.at[1] - from.at[1]);
        (to.height - from.height).abs() <= step + steepness * distance + SAME_HEIGHT
    }

    /// Closes the lower of two cells beside each other that are not of one floor.
    fn close_steps(&mut self) {
        let width = self.region.w as usize;
        let mut low = Vec::new();
        for at in 0..self.counting.len() {
            let has_right = (at + 1) % width > 0;
            for beside in [has_right.then_some(at + 1), Some(at + width)].into_iter().flatten() {
                let (a, b) = (self.counting[at], self.counting.get(beside).copied().unwrap_or(CLOSED));
                if a == CLOSED || b == CLOSED {
                    continue;
                }
                let (from, to) = (self.spot(a, at), self.spot(b, beside));
                if !self.are_one((at, a, from), (beside, b, to)) {
                    low.push(if from.height < to.height { at } else { beside });
                }
            }
        }
        for place in low {
            self.counting[place] = CLOSED;
        }
    }

    fn heights(&self) -> Vec<f32> {
        let mut heights = vec![f32::NAN; self.counting.len()];
        let mut reached: VecDeque<usize> = VecDeque::new();
        for (place, &facet) in self.counting.iter().enumerate() {
            if facet != CLOSED {
                heights[place] = self.spot(facet, place).height as f32;
                reached.push_back(place);
            }
        }
        if reached.is_empty() {
            return Vec::new();
        }
        let width = self.region.w as usize;
        while let Some(place) = reached.pop_front() {
            let (has_left, has_right) = (place % width > 0, (place + 1) % width > 0);
            let beside = [
                has_left.then(|| place - 1),
                has_right.then_some(place + 1),
                place.checked_sub(width),
                Some(place + width).filter(|&below| below < heights.len()),
            ];
            for next in beside.into_iter().flatten() {
                if heights[next].is_nan() {
                    heights[next] = heights[place];
                    reached.push_back(next);
                }
            }
        }
        heights
    }
}

#[cfg(test)]
// Halves and whole numbers come out exactly.
#[allow(clippy::float_cmp)]
mod tests {
    use super::*;

    const STEP: f64 = 0.25;

    /// Flat facets over rectangles: x, y, width, depth, height at the left side and at the right one.
    fn facets(rects: &[[f64; 6]]) -> Vec<Facet> {
        let facet = |&[x, y, w, h, left, right]: &[f64; 6]| {
            let corners = [[x, y, left], [x + w, y, right], [x + w, y + h, right], [x, y + h, left]];
            Facet::new(&corners, [f64::NEG_INFINITY, f64::INFINITY], STEP).unwrap()
        };
        rects.iter().map(facet).collect()
    }

    fn drawn(ground: &Ground, width: usize) -> Vec<String> {
        let letter = |facet: &Option<usize>| facet.map_or('#', |facet| (b'a' + facet as u8) as char);
        ground.facets.chunks(width).map(|row| row.iter().map(letter).collect()).collect()
    }

    #[test]
    fn a_plane_is_that_of_its_corners() {
        let corners = [[1.0, 2.0, 5.0], [3.0, 2.0, 9.0], [1.0, 5.0, 2.0]];
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            let facet = Facet::new(&order.map(|n| corners[n]), [-1.0, 10.0], STEP).unwrap();
            for [x, y, height] in corners {
                assert!((facet.height_at([x, y]) - height).abs() < 1e-12, "{facet:?}");
            }
            assert!((facet.steepness() - 5.0_f64.sqrt()).abs() < 1e-12);
        }
        let upright = [[1.0, 2.0, 5.0], [3.0, 2.0, 9.0], [3.0, 2.0, 0.0]];
        assert_eq!(Facet::new(&upright, [-1.0, 10.0], STEP), None, "a wall");
        assert_eq!(Facet::new(&corners, [9.5, 10.0], STEP), None, "too low");
        let part = Facet::new(&corners, [5.0, 7.0], STEP).unwrap();
        assert_eq!(part.heights, [5.0, 7.0], "what lies between");
    }

    #[test]
    fn the_highest_floor_counts_and_the_foot_of_its_sides_is_closed() {
        // A road along y below a bridge along x, with ramps to it.
        let all = facets(&[
            [0.0, 0.0, 9.0, 5.0, 0.0, 0.0],
            [0.0, 2.0, 3.0, 1.0, 0.0, 3.0],
            [3.0, 2.0, 3.0, 1.0, 3.0, 3.0],
            [6.0, 2.0, 3.0, 1.0, 3.0, 0.0],
        ]);
        let ground = ground_of(&all, CellRect::new(0, 0, 9, 5));
        assert_eq!(drawn(&ground, 9), ["aaaaaaaaa", "a#######a", "bbbcccddd", "a#######a", "aaaaaaaaa"]);
        assert_eq!(ground.heights[18..27], [0.5, 1.5, 2.5, 3.0, 3.0, 3.0, 2.5, 1.5, 0.5]);
        assert_eq!(ground.covered, CellRect::new(0, 2, 9, 1).cells().collect::<Vec<_>>());
        assert_eq!(ground.joined, [], "all hang together by the feet of the ramps");
    }

    #[test]
    fn floors_that_are_apart_are_not_joined_above_each_other_but_side_by_side() {
        let region = CellRect::new(0, 0, 6, 2);
        let above = facets(&[[0.0, 0.0, 6.0, 2.0, 0.0, 0.0], [2.0, 0.0, 2.0, 2.0, 3.0, 3.0]]);
        let ground = ground_of(&above, region);
        assert_eq!((drawn(&ground, 6), ground.joined), (vec!["a#bb#a".into(), "a#bb#a".into()], vec![]));
        let gap = facets(&[[0.0, 0.0, 2.4, 2.0, 0.0, 0.0], [2.6, 0.0, 3.0, 2.0, 0.1, 0.1]]);
        assert_eq!(ground_of(&gap, region).joined, [Cell::new(2, 0)]);
        let step = facets(&[[0.0, 0.0, 2.0, 2.0, 0.0, 0.0], [2.0, 0.0, 3.0, 2.0, 0.5, 0.5]]);
        let ground = ground_of(&step, region);
        assert_eq!((drawn(&ground, 6)[0].as_str(), ground.joined), ("a#bbb#", vec![]), "a cliff");
        assert_eq!(ground_of(&step, CellRect::new(9, 9, 2, 2)).heights, [], "beside them");
    }

    #[test]
    fn solid_cells_are_as_high_as_the_nearest_open_one() {
        let ends = facets(&[[0.0, 0.0, 1.0, 1.0, 1.0, 1.0], [5.0, 0.0, 1.0, 1.0, 4.0, 4.0]]);
        let ground = ground_of(&ends, CellRect::new(0, 0, 6, 1));
        assert_eq!(ground.heights, [1.0, 1.0, 1.0, 4.0, 4.0, 4.0]);
    }
}
