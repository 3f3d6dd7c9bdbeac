//! The stands nearest to a place, found row by row outwards.

use crate::bitgrid::{BitGrid, LocalRect, PaddedIndex};

/// Where to look for stands, and which of them count.
pub trait StandFilter {
    /// Whether the word of 64 cells with this number can hold a stand that counts.
    fn admits_word(&self, word: usize) -> bool;
    /// Whether the stand at `index` counts.
    fn admits(&self, index: PaddedIndex) -> bool;
}

/// Every stand counts.
pub struct AnyStand;

impl StandFilter for AnyStand {
    fn admits_word(&self, _: usize) -> bool {
        true
    }

    fn admits(&self, _: PaddedIndex) -> bool {
        true
    }
}

/// A rectangle that may lie outside the map: columns `x0..=x1`, rows `y0..=y1`, counted from the map's corner.
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

/// The stands of `layer` that `filter` admits at the least distance from `target`, in reading order, and the square of
/// that distance in cells; none when the least is above `squared_max`.
///
/// Distance is Euclidean, from a stand to the nearest cell of the rectangle. Takes time in proportion to the words
/// within that distance.
pub fn nearest_stands(
    layer: &BitGrid,
    target: FarRect,
    squared_max: u128,
    filter: &impl StandFilter,
) -> Option<(u128, Vec<PaddedIndex>)> {
    let (width, height) = (i64::from(layer.shape().width()), i64::from(layer.shape().height()));
    if width == 0 || height == 0 {
        return None;
    }
    let mut search = NearestSearch { layer, filter, target, best: squared_max, found: Vec::new() };
    // Rows that the target covers, then those above and below at growing distance.
    let inside = target.y0.max(0)..(target.y1 + 1).min(height);
    for y in inside.clone() {
        search.look_at_row(y as u32, 0);
    }
    let nearest_row_distance = if inside.is_empty() { (target.y0 - height + 1).max(-target.y1) } else { 1 };
    for distance in nearest_row_distance.. {
        let (above, below) = (target.y0 - distance, target.y1 + distance);
        let squared = u128::from(distance.unsigned_abs()).pow(2);
        if squared > search.best || above < 0 && below >= height {
            break;
        }
        for y in [above, below] {
            if (0..height).contains(&y) {
                search.look_at_row(y as u32, squared);
            }
        }
    }
    search.found.sort_unstable();
    (!search.found.is_empty()).then_some((search.best, search.found))
}

struct NearestSearch<'a, F> {
    layer: &'a BitGrid,
    filter: &'a F,
    target: FarRect,
    best: u128,
    found: Vec<PaddedIndex>,
}

impl<F: StandFilter> NearestSearch<'_, F> {
    /// Looks for the nearest stands of row `y`, whose distance from the target's rows has the square `row_squared`.
    fn look_at_row(&mut self, y: u32, row_squared: u128) {
        let width = i64::from(self.layer.shape().width());
        let row = self.layer.shape().index(0, y).get();
        let (x0, x1) = (self.target.x0, self.target.x1);
        let inside = x0.max(0)..(x1 + 1).min(width);
        if !inside.is_empty() {
            let (first, last) = (row + inside.start as usize, row + inside.end as usize - 1);
            let mut from = first;
            while let Some(index) = self.next_right(from, last) {
                self.offer(index, row_squared);
                from = index + 1;
            }
        }
        let reach = self.best.saturating_sub(row_squared).isqrt().min(1 << 40) as i64;
        let (left, right) = ((x0 - reach).max(0), (x1 + reach).min(width - 1));
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

    /// The first stand that counts from `from` to `to`, inclusive.
    fn next_right(&self, from: usize, to: usize) -> Option<usize> {
        (from >> 6..=to >> 6).filter(|&word| self.filter.admits_word(word)).find_map(|word| {
            let mut ones = self.layer.words()[word];
            if word == from >> 6 {
                ones &= u64::MAX << (from & 63);
            }
            while ones != 0 {
                let index = word << 6 | ones.trailing_zeros() as usize;
                if index > to {
                    return None;
                }
                if self.filter.admits(PaddedIndex::new(index)) {
                    return Some(index);
                }
                ones &= ones - 1;
            }
            None
        })
    }

    /// The first stand that counts from `from` down to `to`, inclusive.
    fn next_left(&self, from: usize, to: usize) -> Option<usize> {
        (to >> 6..=from >> 6).rev().filter(|&word| self.filter.admits_word(word)).find_map(|word| {
            let mut ones = self.layer.words()[word];
            if word == from >> 6 {
                ones &= u64::MAX >> (63 - (from & 63));
            }
            while ones != 0 {
                let index = word << 6 | (63 - ones.leading_zeros() as usize);
                if index < to {
                    return None;
                }
                if self.filter.admits(PaddedIndex::new(index)) {
                    return Some(index);
                }
                ones &= !(1 << (index & 63));
            }
            None
        })
    }
}

impl LocalRect {
    /// The same cells as a rectangle that may lie outside the map.
    pub fn far(self) -> FarRect {
        FarRect {
            x0: i64::from(self.x0),
            y0: i64::from(self.y0),
            x1: i64::from(self.x1) - 1,
            y1: i64::from(self.y1) - 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitgrid::Shape;

    #[test]
    fn nearest_stands_equal_a_look_at_every_cell() {
        let shape = Shape::new(150, 40);
        let mut random = 3_u32;
        for round in 0..300 {
            let mut layer = BitGrid::new(shape);
            for _ in 0..round % 40 {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                layer.set(shape.index((random >> 8) % 150, (random >> 20) % 40), true);
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
            let stands: Vec<_> = (0..40)
                .flat_map(|y| (0..150).map(move |x| (x, y)))
                .filter(|&(x, y)| layer.get(shape.index(x, y)))
                .collect();
            let least = stands.iter().map(|&(x, y)| squared(x, y)).min();
            let expected = least.map(|least| {
                let all = stands.iter().filter(|&&(x, y)| squared(x, y) == least);
                (least, all.map(|&(x, y)| shape.index(x, y)).collect::<Vec<_>>())
            });
            assert_eq!(nearest_stands(&layer, target, u128::MAX, &AnyStand), expected);
            if let Some(least) = least.filter(|&l| l > 0) {
                assert_eq!(nearest_stands(&layer, target, least - 1, &AnyStand), None);
            }
        }
    }
}
