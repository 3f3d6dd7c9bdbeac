//! Fronts: how far it is from each placement to the nearest of some seeds, round what is in the way. No step
//! towards the seeds crosses a closed edge.
//!
//! Fast marching over the placements of a window, with a coarse queue: Sethian, *A Fast Marching Level Set
//! Method for Monotonically Advancing Fronts*, 1996. A placement whose distance shrinks is looked at again.
//! Takes time in proportion to the placements that are reached.

use super::steps::is_closed;
use crate::crowd::numbers::vector::{FAR, V, towards};
use crate::passability::{PlacementEdges, Placements};
use crate::primitives::BucketQueue;

/// A distance that is not reached.
pub(in crate::crowd) const UNREACHED: f32 = 1e30;
/// Keys of the queue a cell.
const KEYS: f32 = 16.0;
/// A distance has shrunk if it did by more than this.
const SHRUNK: f32 = 1e-3;
/// The four placements beside one.
pub(in crate::crowd) const BESIDE: [[i32; 2]; 4] = [[1, 0], [-1, 0], [0, 1], [0, -1]];

/// A rectangle of placements, in columns and rows of the map.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::crowd) struct Window {
    pub x: i32,
    pub y: i32,
    pub w: i32,
    pub h: i32,
}

crate::bytes::saved_as!(Window as [i32; 4], |window| [window.x, window.y, window.w, window.h], |sides| {
    let [x, y, w, h] = sides;
    // Sums of its sides are taken without a check.
    let is_near = sides.iter().all(|side| (0..=FAR as i32).contains(side));
    if is_near { Ok(Self { x, y, w, h }) } else { Err("a window is not one") }
});

impl Window {
    /// Returns the window between two corners, both within, as far as the map has it.
    pub fn between([left, top]: [i32; 2], [right, bottom]: [i32; 2], [w, h]: [i32; 2]) -> Self {
        let (x, y) = (left.max(0), top.max(0));
        Self { x, y, w: (right.min(w - 1) - x + 1).max(0), h: (bottom.min(h - 1) - y + 1).max(0) }
    }

    pub const fn len(self) -> usize {
        self.w as usize * self.h as usize
    }

    /// Returns where a placement is in lists of the window.
    #[inline]
    pub const fn index(self, [x, y]: [i32; 2]) -> Option<usize> {
        let (x, y) = (x.wrapping_sub(self.x), y.wrapping_sub(self.y));
        if (x as u32) < self.w as u32 && (y as u32) < self.h as u32 {
            Some(y as usize * self.w as usize + x as usize)
        } else {
            None
        }
    }

    #[inline]
    pub const fn place(self, index: usize) -> [i32; 2] {
        let w = self.w as usize;
        [(index % w) as i32 + self.x, (index / w) as i32 + self.y]
    }

    /// Returns the indices beside one.
    #[inline]
    pub fn beside(self, index: usize) -> impl Iterator<Item = usize> {
        let [x, y] = self.place(index);
        BESIDE.into_iter().filter_map(move |[dx, dy]| self.index([x + dx, y + dy]))
    }

    /// Returns the indices beside one to which no edge closes the step.
    #[inline]
    pub fn beside_on(self, layer: &Placements, index: usize) -> impl Iterator<Item = usize> {
        let edges = layer.edges();
        self.beside(index).filter(move |&beside| edges.is_none_or(|edges| !self.closes(edges, index, beside)))
    }

    /// Returns `true` if an edge closes the step from an index to one beside it.
    #[inline]
    pub fn closes(self, edges: &PlacementEdges, from: usize, to: usize) -> bool {
        is_closed(edges, self.place(from), self.place(to))
    }
}

/// What a front found of each placement of a window.
#[derive(Clone, Debug, Default)]
pub(in crate::crowd) struct Front {
    pub window: Window,
    /// How far it is, in cells and what is in the way costs; [`UNREACHED`] where nothing leads.
    pub left: Vec<f32>,
    /// The seed that is nearest.
    pub seed: Vec<u32>,
    /// How far each was when it was last spread from.
    spread: Vec<f32>,
    queue: BucketQueue,
}

// What led to the distances is not needed any more.
crate::bytes::saved_as!(
    Front as (Window, Vec<f32>, Vec<u32>),
    |front| (front.window, front.left.clone(), front.seed.clone()),
    |(window, left, seed)| {
        let count = left.len();
        let is_window = count == window.len() && seed.len() == count;
        let mut leads = left.iter().zip(&seed).filter(|(left, _)| **left < UNREACHED);
        if !(is_window && leads.all(|(_, seed)| (*seed as usize) < count)) {
            return Err("a front is not one");
        }
        Ok(Self { window, left, seed, ..Self::default() })
    }
);

impl Front {
    /// Spreads over a window of a layer from seeds, each with how far it is from there. A step onto the
    /// placement at an index costs `cost`; nothing leads over a cost of [`UNREACHED`].
    pub fn spread(
        &mut self,
        (window, layer): (Window, &Placements),
        seeds: &[(u32, f32)],
        cost: impl Fn(usize) -> f32,
    ) {
        match layer.edges() {
            None => self.spread_over(window, seeds, cost, |_, _| false),
            Some(edges) => self.spread_over(window, seeds, cost, |from, to| window.closes(edges, from, to)),
        }
    }

    fn spread_over(
        &mut self,
        window: Window,
        seeds: &[(u32, f32)],
        cost: impl Fn(usize) -> f32,
        is_closed: impl Fn(usize, usize) -> bool,
    ) {
        let Self { left, seed, spread, queue, .. } = self;
        self.window = window;
        left.clear();
        left.resize(window.len(), UNREACHED);
        seed.clear();
        seed.resize(window.len(), u32::MAX);
        spread.clear();
        spread.resize(window.len(), UNREACHED);
        let least = seeds.iter().map(|seed| seed.1).fold(UNREACHED, f32::min);
        let key = |distance: f32| ((distance - least).max(0.0) * KEYS) as u32;
        queue.clear_coarse(0, 1 << 12);
        for &(index, distance) in seeds {
            if distance < left[index as usize] {
                (left[index as usize], seed[index as usize]) = (distance, index);
                queue.push(key(distance), index);
            }
        }
        let w = window.w as usize;
        while let Some((_, index)) = queue.pop() {
            let own = left[index as usize];
            if spread[index as usize] <= own {
                continue;
            }
            spread[index as usize] = own;
            for next in window.beside(index as usize) {
                if left[next] <= own || is_closed(next, index as usize) {
                    continue;
                }
                let step = cost(next);
                if step >= UNREACHED {
                    continue;
                }
                let [x, y] = [next % w, next / w];
                let at = |is_inside: bool, index: usize| {
                    if is_inside && !is_closed(next, index) { left[index] } else { UNREACHED }
                };
                let (west, east) = (at(x > 0, next.wrapping_sub(1)), at(x + 1 < w, next + 1));
                let (north, south) = (at(y > 0, next.wrapping_sub(w)), at(next + w < left.len(), next + w));
                let (across, down) = (west.min(east), north.min(south));
                let apart = across - down;
                let distance = if apart.abs() >= step {
                    across.min(down) + step
                } else {
                    (across + down + (2.0 * step * step - apart * apart).sqrt()) * 0.5
                };
                if distance + SHRUNK < left[next] {
                    left[next] = distance;
                    seed[next] = seed[index as usize];
                    queue.push(key(distance), next as u32);
                }
            }
        }
    }

    /// Returns the direction to the seeds from a placement: a unit vector, or zero at a seed and where
    /// nothing leads.
    #[inline]
    pub fn way(&self, layer: &Placements, place: [i32; 2]) -> V {
        match layer.edges() {
            None => self.way_over(place, |_| false),
            Some(edges) => self.way_over(place, |to| is_closed(edges, place, to)),
        }
    }

    #[inline]
    fn way_over(&self, place: [i32; 2], is_closed: impl Fn([i32; 2]) -> bool) -> V {
        let Some(own) = self.left_at(place).filter(|&left| left < UNREACHED) else { return [0.0; 2] };
        let [x, y] = place;
        let down = |before: [i32; 2], after: [i32; 2]| {
            let left = |at| if is_closed(at) { UNREACHED } else { self.left_at(at).unwrap_or(UNREACHED) };
            let (before, after) = (left(before), left(after));
            match before < after {
                true if before < own => before - own,
                false if after < own => own - after,
                _ => 0.0,
            }
        };
        let (dx, dy) = (down([x - 1, y], [x + 1, y]), down([x, y - 1], [x, y + 1]));
        let length = (dx * dx + dy * dy).sqrt();
        if length > 1e-6 { [dx / length, dy / length] } else { [0.0; 2] }
    }

    #[inline]
    pub fn left_at(&self, place: [i32; 2]) -> Option<f32> {
        self.window.index(place).map(|index| self.left[index])
    }

    /// Returns the direction to the seeds from a body whose top-left corner is at `corner`, blended from the
    /// placements around; `None` where nothing leads.
    #[inline]
    pub fn sample(&self, layer: &Placements, corner: V) -> Option<V> {
        if let Some(edges) = layer.edges() {
            let place = corner.map(|part| (part + 0.5).floor() as i32);
            if !is_plain(edges, place) {
                return self.to_next(edges, place, corner);
            }
        }
        let base = corner.map(f32::floor);
        let part = [corner[0] - base[0], corner[1] - base[1]];
        let (mut way, mut best, mut nearest) = ([0.0_f32; 2], -1.0, None);
        for [dx, dy] in [[0, 0], [1, 0], [0, 1], [1, 1]] {
            let place = [base[0] as i32 + dx, base[1] as i32 + dy];
            if self.left_at(place).is_none_or(|left| left >= UNREACHED) {
                continue;
            }
            let of = |axis: usize, is_next: i32| if is_next == 1 { part[axis] } else { 1.0 - part[axis] };
            let weight = of(0, dx) * of(1, dy);
            let [x, y] = self.way_over(place, |_| false);
            way = [way[0] + x * weight, way[1] + y * weight];
            if weight > best {
                (best, nearest) = (weight, Some(place));
            }
        }
        let nearest = nearest?;
        let length = (way[0] * way[0] + way[1] * way[1]).sqrt();
        if length > 0.2 {
            return Some([way[0] / length, way[1] / length]);
        }
        // Between two ways it takes that of the nearest placement.
        Some(self.way_over(nearest, |_| false))
    }

    /// Returns the direction to the middle of the placement that a body near an edge goes to next: a blend
    /// may lead across the edge.
    fn to_next(&self, edges: &PlacementEdges, place: [i32; 2], corner: V) -> Option<V> {
        let own = self.left_at(place).filter(|&left| left < UNREACHED)?;
        let beside = BESIDE.map(|[dx, dy]| [place[0] + dx, place[1] + dy]);
        let open = beside.into_iter().filter(|&to| !is_closed(edges, place, to));
        let next = open
            .filter_map(|to| Some((self.left_at(to)?, to)))
            .filter(|&(left, _)| left < own)
            .min_by(|(a, _), (b, _)| a.total_cmp(b));
        Some(next.map_or([0.0; 2], |(_, to)| towards(corner, to.map(|part| part as f32)).0))
    }
}

/// Returns whether no edge is near a placement of the map; those outside have none.
fn is_plain(edges: &PlacementEdges, [x, y]: [i32; 2]) -> bool {
    let layout = edges.plain().layout();
    let is_inside = (x as u32) < layout.width() && (y as u32) < layout.height();
    !is_inside || edges.plain().at(x as u32, y as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: Window = Window { x: 3, y: 5, w: 20, h: 12 };

    fn sign(part: f32) -> i32 {
        if part == 0.0 { 0 } else { part.signum() as i32 }
    }

    fn noise(n: usize) -> usize {
        n.wrapping_mul(2_654_435_761) >> 7 & 0xff
    }

    #[test]
    fn a_front_lies_between_the_straight_way_and_one_along_cells() {
        for seed in 0..20 {
            let is_wall = |index: usize| noise(index + 1000 * seed) < 60;
            let start = (0..WINDOW.len()).find(|&index| !is_wall(index)).unwrap();
            let mut front = Front::default();
            front.spread((WINDOW, &Placements::default()), &[(start as u32, 0.0)], |index| {
                if is_wall(index) { UNREACHED } else { 1.0 }
            });
            // Along the four directions, by Bellman and Ford.
            let mut along = vec![UNREACHED; WINDOW.len()];
            along[start] = 0.0;
            for _ in 0..WINDOW.len() {
                for index in (0..WINDOW.len()).filter(|&index| !is_wall(index)) {
                    let least =
                        WINDOW.beside(index).map(|next| along[next] + 1.0).fold(along[index], f32::min);
                    along[index] = least.min(UNREACHED);
                }
            }
            let [x, y] = WINDOW.place(start);
            for (index, (&left, &along)) in front.left.iter().zip(&along).enumerate() {
                assert_eq!(left < UNREACHED, along < UNREACHED, "seed {seed}");
                if left < UNREACHED {
                    let [dx, dy] = [WINDOW.place(index)[0] - x, WINDOW.place(index)[1] - y];
                    let straight = ((dx * dx + dy * dy) as f32).sqrt();
                    assert!(left >= straight - 1e-3 && left <= along + 1e-3, "{straight} {left} {along}");
                    assert_eq!(front.seed[index], start as u32);
                }
            }
        }
    }

    #[test]
    fn a_way_leads_to_a_place_that_is_nearer() {
        let mut front = Front::default();
        let layer = Placements::default();
        front.spread(
            (WINDOW, &layer),
            &[(45, 2.0), (130, 0.0)],
            |index| if index % 7 == 3 { 9.0 } else { 1.0 },
        );
        for index in (0..WINDOW.len()).filter(|&index| index != 45 && index != 130) {
            let [x, y] = front.way(&layer, WINDOW.place(index));
            assert!((x * x + y * y - 1.0).abs() < 1e-3);
            let at = WINDOW.place(index);
            let beside = [[at[0] + sign(x), at[1]], [at[0], at[1] + sign(y)]];
            for next in beside.into_iter().filter(|&next| next != at) {
                assert!(front.left_at(next).is_some_and(|left| left < front.left[index]), "{at:?} {next:?}");
            }
        }
        assert_eq!(front.way(&layer, WINDOW.place(130)).map(f32::to_bits), [0; 2]);
        assert_eq!(front.sample(&layer, [0.0, 0.0]), None);
    }
}
