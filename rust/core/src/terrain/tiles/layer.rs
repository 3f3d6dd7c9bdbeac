//! Which kind of tile each place of a layer holds.

use crate::geometry::{Cell, CellRect};

/// The tiles of a layer; `K` is what a kind of tile means to the reader. Places are tiles' coordinates.
#[derive(Clone, Debug)]
pub struct Tiles<K> {
    used: CellRect,
    /// Number of the kind, which counts from 1; 0 without a tile. Row by row over `used`.
    numbers: Vec<u32>,
    kinds: Vec<K>,
}

impl<K> Tiles<K> {
    /// Returns a layer that has room for tiles in `used`, and none yet.
    pub fn new(used: CellRect) -> Self {
        Self { used, numbers: vec![0; used.area() as usize], kinds: Vec::new() }
    }

    /// Returns the rectangle that has room for tiles.
    pub const fn used(&self) -> CellRect {
        self.used
    }

    /// Returns how many places hold something.
    pub fn count(&self) -> usize {
        self.numbers.iter().filter(|&&number| number != 0).count()
    }

    /// Returns what the kinds mean, by their numbers from 1 on.
    pub fn kinds(&self) -> &[K] {
        &self.kinds
    }

    /// Adds a kind and returns its number.
    pub fn add_kind(&mut self, kind: K) -> u32 {
        self.kinds.push(kind);
        self.kinds.len() as u32
    }

    /// Sets the numbers of all places, row by row, each that of a kind or 0.
    pub fn set_numbers(&mut self, numbers: Vec<u32>) {
        debug_assert_eq!(numbers.len() as u64, self.used.area());
        self.numbers = numbers;
    }

    /// Returns the number at a place; `None` where there is no room for tiles.
    pub fn number(&self, place: Cell) -> Option<u32> {
        self.index(place).map(|index| self.numbers[index])
    }

    /// Sets the number at a place where there is room.
    pub fn set_number(&mut self, place: Cell, number: u32) {
        if let Some(index) = self.index(place) {
            self.numbers[index] = number;
        }
    }

    /// Returns the places whose tile differs from that of `other`, which has the same room. `ours` has the
    /// numbers here of the other's numbers.
    pub fn differences(&self, other: &Self, ours: &[u32]) -> Vec<Cell> {
        let pairs = self.used.cells().zip(self.numbers.iter().zip(&other.numbers));
        pairs.filter(|(_, (old, new))| **old != ours[**new as usize]).map(|(place, _)| place).collect()
    }

    /// Calls `each` with every tile within `rect`, row by row.
    pub fn for_each_in(&self, rect: CellRect, mut each: impl FnMut(i32, i32, &K)) {
        let rect = rect.intersection(self.used);
        if rect.is_empty() {
            return;
        }
        for y in rect.y..rect.bottom() {
            let start = self.used.place_of(Cell::new(rect.x, y));
            for (x, &number) in (rect.x..).zip(&self.numbers[start..start + rect.w as usize]) {
                if number != 0 {
                    each(x, y, &self.kinds[number as usize - 1]);
                }
            }
        }
    }

    fn index(&self, place: Cell) -> Option<usize> {
        self.used.contains(place).then(|| self.used.place_of(place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_found_where_they_were_set() {
        let mut tiles = Tiles::new(CellRect::new(-1, 2, 3, 2));
        let (grass, rock) = (tiles.add_kind("grass"), tiles.add_kind("rock"));
        tiles.set_numbers(vec![0, grass, 0, rock, 0, 0]);
        tiles.set_number(Cell::new(1, 3), grass);
        assert_eq!((tiles.number(Cell::new(-1, 3)), tiles.number(Cell::new(-1, 4))), (Some(rock), None));
        let mut seen = Vec::new();
        tiles.for_each_in(CellRect::new(0, 0, 9, 9), |x, y, kind| seen.push((x, y, *kind)));
        assert_eq!(seen, [(0, 2, "grass"), (1, 3, "grass")]);
        assert_eq!((tiles.count(), tiles.kinds()), (3, &["grass", "rock"][..]));
    }

    #[test]
    fn kinds_may_have_other_numbers() {
        let mut old = Tiles::new(CellRect::new(0, 0, 2, 1));
        let a = old.add_kind('a');
        old.set_numbers(vec![a, 0]);
        let mut new = Tiles::new(CellRect::new(0, 0, 2, 1));
        new.add_kind('b');
        let a = new.add_kind('a');
        new.set_numbers(vec![a, a]);
        assert_eq!(old.differences(&new, &[0, u32::MAX, 1]), [Cell::new(1, 0)]);
    }
}
