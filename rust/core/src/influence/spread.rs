//! Values that flow to the cells beside them, but not through obstacles.

use crate::bitgrid::{BitGrid, LocalRect, Shape};
use crate::raster::Raster;

/// Parts that a share is counted in.
const PARTS: f64 = 65_536.0;

/// The memory of a spread: the values as they were.
#[derive(Clone, Debug, Default)]
pub(super) struct Spreader {
    before: Vec<i64>,
}

impl Spreader {
    /// Lets the part `flown` of each value in `rect` flow to its four neighbours, a quarter to each. What would flow into
    /// an obstacle, out of one or off the map stays; values outside `rect` are zero. The sum of all values stays the same.
    pub(super) fn spread(
        &mut self,
        values: &mut Raster<i64>,
        rect: LocalRect,
        flown: f64,
        shape: Shape,
        solid: Option<&BitGrid>,
    ) {
        let quarter = (flown * PARTS / 4.0).round() as i64;
        let columns = (rect.x1 - rect.x0) as usize;
        let portion = |value: i64| (value * quarter) >> 16;
        self.before.clear();
        for y in rect.y0..rect.y1 {
            let row = &values.row(y)[rect.x0 as usize..rect.x1 as usize];
            self.before.extend(row.iter().map(|&value| portion(value)));
        }
        let is_open = |x: u32, y: u32| solid.is_none_or(|solid| !solid.get(shape.index(x, y)));
        for (line, y) in (rect.y0..rect.y1).enumerate() {
            let start = line * columns;
            let row = &mut values.row_mut(y)[rect.x0 as usize..rect.x1 as usize];
            for (column, value) in row.iter_mut().enumerate() {
                let at = start + column;
                let (x, own) = (rect.x0 + column as u32, self.before[at]);
                if !is_open(x, y) {
                    continue;
                }
                let mut exchange = |is_there: bool, other: usize, x: u32, y: u32| {
                    if is_there && is_open(x, y) {
                        *value += self.before[other] - own;
                    }
                };
                exchange(line > 0, at.wrapping_sub(columns), x, y.wrapping_sub(1));
                exchange(column > 0, at.wrapping_sub(1), x.wrapping_sub(1), y);
                exchange(column + 1 < columns, at + 1, x + 1, y);
                exchange(y + 1 < rect.y1, at + columns, x, y + 1);
            }
        }
    }

    /// Bytes on the heap.
    pub(super) fn memory(&self) -> usize {
        self.before.capacity() * size_of::<i64>()
    }
}
