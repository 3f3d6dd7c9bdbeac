//! Brushfire: how many king's steps away the nearest obstacle is, by two sweeps over the cells (Rosenfeld &
//! Pfaltz, *Sequential Operations in Digital Picture Processing*, 1966). What is outside counts as an
//! obstacle.

use super::ClearanceMap;
use crate::bitgrid::{BitGrid, LocalRect, differing};

impl ClearanceMap {
    /// Measures the cells of `rect` from the values around it, which must be right.
    pub(super) fn sweep(&mut self, open: &BitGrid, rect: LocalRect) {
        let stride = self.stride;
        for y in rect.y0..rect.y1 {
            for x in rect.x0..rect.x1 {
                let place = self.place(x, y);
                // The four neighbours that this sweep has passed already; the border is zero, so the outside
                // counts as an obstacle.
                let before = [place - 1, place - stride - 1, place - stride, place - stride + 1];
                self.values[place] = if open.get(self.layout.index(x, y)) { self.beyond(before) } else { 0 };
            }
        }
        for y in (rect.y0..rect.y1).rev() {
            for x in (rect.x0..rect.x1).rev() {
                let place = self.place(x, y);
                // The other four: together the sweeps see every neighbour, and a shortest chain of king's
                // steps needs no third one.
                let behind = [place + 1, place + stride + 1, place + stride, place + stride - 1];
                self.values[place] = self.values[place].min(self.beyond(behind));
            }
        }
    }

    /// Sweeps every cell whose nearest obstacle can lie in `rect`.
    pub(super) fn repair_brushfire(&mut self, open: &BitGrid, rect: LocalRect) -> Option<LocalRect> {
        // An obstacle farther away than this leaves a cell at the maximum whether it is there or not.
        let reach = u32::from(self.max) - 1;
        let window = rect.grown(reach, reach, reach, reach, self.layout);
        let columns = window.columns();
        // The first sweep writes intermediate values, so changes show only in comparison with a copy.
        let old: Vec<u8> =
            (window.y0..window.y1).flat_map(|y| self.row(y)[columns.clone()].iter().copied()).collect();
        // Values around the window cannot have changed, so the sweep may start from them.
        self.sweep(open, window);
        let mut changed: Option<LocalRect> = None;
        for (y, old) in (window.y0..window.y1).zip(old.chunks_exact(columns.len())) {
            let columns = differing(window.x0, old, &self.row(y)[columns.clone()]);
            LocalRect::join_row(&mut changed, y, columns);
        }
        changed
    }

    fn beyond(&self, places: [usize; 4]) -> u8 {
        places.map(|p| self.values[p]).into_iter().fold(u8::MAX, u8::min).saturating_add(1).min(self.max)
    }
}
