//! The placements nearest to a place, found row by row outwards.

use crate::bitgrid::{BitGrid, PaddedIndex, ones};

/// Which placements [`nearest_placements`] considers.
pub(crate) trait PlacementFilter {
    /// Returns whether the word of 64 cells with this number can hold a placement that counts.
    fn admits_word(&self, word: usize) -> bool;
    /// Returns whether the placement at `index` counts.
    fn admits(&self, index: PaddedIndex) -> bool;
}

/// Every placement counts.
pub(crate) struct AnyPlacement;

impl PlacementFilter for AnyPlacement {
    fn admits_word(&self, _: usize) -> bool {
        true
    }

    fn admits(&self, _: PaddedIndex) -> bool {
        true
    }
}

/// A rectangle that may lie outside the map: columns `x0..=x1`, rows `y0..=y1`, counted from the map's
/// corner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FarRect {
    /// First column.
    pub x0: i64,
    /// First row.
    pub y0: i64,
    /// Last column.
    pub x1: i64,
    /// Last row.
    pub y1: i64,
}

/// Returns the placements of `layer` that `filter` admits at the least distance from `target`, in reading
/// order, and the square of that distance in cells. Returns none if the square is above `squared_max`.
///
/// Distance is Euclidean, from a placement to the nearest cell of the rectangle. Takes time in proportion to
/// the words within that distance.
pub(crate) fn nearest_placements(
    layer: &BitGrid,
    target: FarRect,
    squared_max: u128,
    filter: &impl PlacementFilter,
) -> Option<(u128, Vec<PaddedIndex>)> {
    let (width, height) = (i64::from(layer.layout().width()), i64::from(layer.layout().height()));
    if width == 0 || height == 0 {
        return None;
    }
    // `best` starts at the limit, so candidates beyond it are refused like any that is too far.
    let mut search = NearestSearch { layer, filter, target, best: squared_max, found: Vec::new() };
    // Rows that the target covers, then those above and below at growing distance.
    let inside = target.y0.max(0)..(target.y1 + 1).min(height);
    for y in inside.clone() {
        search.look_at_row(y as u32, 0);
    }
    // Beside a target outside the map, the first rows to look at are those at the edge of the map.
    let nearest_row_distance = if inside.is_empty() { (target.y0 - height + 1).max(-target.y1) } else { 1 };
    for distance in nearest_row_distance.. {
        let (above, below) = (target.y0 - distance, target.y1 + distance);
        let squared = u128::from(distance.unsigned_abs()).pow(2);
        // Rows at a distance equal to the best are looked at, too: ties are all returned.
        if squared > search.best || above < 0 && below >= height {
            break;
        }
        for y in [above, below] {
            if (0..height).contains(&y) {
                search.look_at_row(y as u32, squared);
            }
        }
    }
    // Rows were visited outwards from the target; padded indices ascend in reading order.
    search.found.sort_unstable_by_key(|index| index.number());
    (!search.found.is_empty()).then_some((search.best, search.found))
}

struct NearestSearch<'a, F> {
    layer: &'a BitGrid,
    filter: &'a F,
    target: FarRect,
    best: u128,
    found: Vec<PaddedIndex>,
}

impl<F: PlacementFilter> NearestSearch<'_, F> {
    /// Looks for the nearest placements of row `y`, whose distance from the target's rows has the square
    /// `row_squared`.
    fn look_at_row(&mut self, y: u32, row_squared: u128) {
        let width = i64::from(self.layer.layout().width());
        let row = self.layer.layout().index(0, y).get();
        let (x0, x1) = (self.target.x0, self.target.x1);
        let inside = x0.max(0)..(x1 + 1).min(width);
        if !inside.is_empty() {
            let (first, last) = (row + inside.start as usize, row + inside.end as usize - 1);
            let mut from = first;
            // All placements in the target's columns are equally far, so each one counts.
            while let Some(index) = self.next_right(from, last) {
                self.offer(index, row_squared);
                from = index + 1;
            }
        }
        // Columns beyond this are farther than the best so far. The bound is beyond any map and keeps the
        // sums in range.
        let reach = self.best.saturating_sub(row_squared).isqrt().min(1 << 40) as i64;
        let (left, right) = ((x0 - reach).max(0), (x1 + reach).min(width - 1));
        // On each side only the first placement can be nearest: those behind it are farther.
        let start_left = (x0 - 1).min(width - 1);
        if left <= start_left
            && let Some(index) = self.next_left(row + start_left as usize, row + left as usize)
        {
            let columns = x0 - (index - row) as i64;
            self.offer(index, row_squared + u128::from(columns.unsigned_abs()).pow(2));
        }
        let start_right = (x1 + 1).max(0);
        if start_right <= right
            && let Some(index) = self.next_right(row + start_right as usize, row + right as usize)
        {
            let columns = (index - row) as i64 - x1;
            self.offer(index, row_squared + u128::from(columns.unsigned_abs()).pow(2));
        }
    }

    fn offer(&mut self, index: usize, squared: u128) {
        if squared > self.best {
            return;
        }
        if squared < self.best {
            self.found.clear();
            self.best = squared;
        }
        self.found.push(PaddedIndex::new(index));
    }

    /// Returns the first placement that counts from `from` to `to`, inclusive.
    fn next_right(&self, from: usize, to: usize) -> Option<usize> {
        next_right((from, to), |word| self.bits(word), |index| self.filter.admits(PaddedIndex::new(index)))
    }

    /// Returns the first placement that counts from `from` down to `to`, inclusive.
    fn next_left(&self, from: usize, to: usize) -> Option<usize> {
        next_left((from, to), |word| self.bits(word), |index| self.filter.admits(PaddedIndex::new(index)))
    }

    fn bits(&self, word: usize) -> u64 {
        if self.filter.admits_word(word) { self.layer.words()[word] } else { 0 }
    }
}

/// Returns the first bit from `from` to `to`, inclusive, that is set and admitted; `bits` gives the words.
pub(super) fn next_right(
    (from, to): (usize, usize),
    bits: impl Fn(usize) -> u64,
    admits: impl Fn(usize) -> bool,
) -> Option<usize> {
    (from >> 6..=to >> 6).find_map(|word| {
        let mask = if word == from >> 6 { u64::MAX << (from & 63) } else { u64::MAX };
        let mut places = ones(bits(word) & mask).map(|bit| word << 6 | bit).take_while(|&index| index <= to);
        places.find(|&index| admits(index))
    })
}

/// Returns the first bit from `from` down to `to`, inclusive, that is set and admitted; `bits` gives the
/// words.
pub(super) fn next_left(
    (from, to): (usize, usize),
    bits: impl Fn(usize) -> u64,
    admits: impl Fn(usize) -> bool,
) -> Option<usize> {
    (to >> 6..=from >> 6).rev().find_map(|word| {
        let mask = if word == from >> 6 { u64::MAX >> (63 - (from & 63)) } else { u64::MAX };
        // Reversed, since the highest comes first.
        let places = ones((bits(word) & mask).reverse_bits()).map(|bit| word << 6 | (63 - bit));
        let mut places = places.take_while(|&index| index >= to);
        places.find(|&index| admits(index))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitgrid::GridLayout;

    #[test]
    fn nearest_stands_equal_a_look_at_every_cell() {
        let layout = GridLayout::new(150, 40);
        let mut random = 3_u32;
        for round in 0..300 {
            let mut layer = BitGrid::new(layout);
            for _ in 0..round % 40 {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                layer.set(layout.index((random >> 8) % 150, (random >> 20) % 40), true);
            }
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (x0, y0) = (i64::from(random >> 8 & 255) - 50, i64::from(random >> 20 & 127) - 40);
            let target =
                FarRect { x0, y0, x1: x0 + i64::from(random & 3), y1: y0 + i64::from(random >> 2 & 3) };
            let outside = |v: i64, low: i64, high: i64| i128::from((low - v).max(0) + (v - high).max(0));
            let squared = |x: u32, y: u32| {
                let (dx, dy) =
                    (outside(x.into(), target.x0, target.x1), outside(y.into(), target.y0, target.y1));
                (dx * dx + dy * dy) as u128
            };
            let placements: Vec<_> = (0..40)
                .flat_map(|y| (0..150).map(move |x| (x, y)))
                .filter(|&(x, y)| layer.get(layout.index(x, y)))
                .collect();
            let least = placements.iter().map(|&(x, y)| squared(x, y)).min();
            let expected = least.map(|least| {
                let all = placements.iter().filter(|&&(x, y)| squared(x, y) == least);
                (least, all.map(|&(x, y)| layout.index(x, y)).collect::<Vec<_>>())
            });
            assert_eq!(nearest_placements(&layer, target, u128::MAX, &AnyPlacement), expected);
            if let Some(least) = least.filter(|&l| l > 0) {
                assert_eq!(nearest_placements(&layer, target, least - 1, &AnyPlacement), None);
            }
        }
    }
}
