//! Stamps: put down, moved, taken away.

use std::collections::BTreeMap;

use super::shape::Print;
use super::{InfluenceMap, StampShape, VALUE_MAX};
use crate::bitgrid::{BitGrid, LocalRect};
use crate::geometry::{Cell, CellRect};

/// Stamps of which less is left are forgotten.
const LEFT_MIN: f64 = 1.0 / 65_536.0;

/// The number of a stamp; none is given twice.
pub type StampId = u32;

/// A stamp that can still be taken away.
#[derive(Clone, Debug)]
pub(super) struct Stamp {
    cell: Cell,
    shape: StampShape,
    /// It does not fade.
    pub(super) is_steady: bool,
    /// The part of it that has neither faded nor flown away.
    pub(super) left: f64,
    pub(super) print: Option<Print>,
}

/// Stamps by number.
#[derive(Clone, Debug, Default)]
pub(super) struct Stamps {
    by_id: BTreeMap<StampId, Stamp>,
    next: StampId,
}

impl Stamps {
    pub(super) fn clear(&mut self) {
        self.by_id.clear();
    }

    pub(super) fn memory(&self) -> usize {
        let print = |stamp: &Stamp| stamp.print.as_ref().map_or(0, |print| print.units.capacity() * 4);
        self.by_id.values().map(|stamp| print(stamp) + size_of::<Stamp>()).sum()
    }

    /// Lets every stamp lose what a beat takes: `kept` is the part that stays.
    pub(super) fn fade(&mut self, kept: f64) {
        for stamp in self.by_id.values_mut().filter(|stamp| !stamp.is_steady) {
            stamp.left *= kept;
        }
        self.by_id.retain(|_, stamp| stamp.left >= LEFT_MIN);
    }

    /// Where steady stamps fall: a rectangle, what all stamps make of each of its cells, and what the steady ones do.
    pub(super) fn steady_sums(&self) -> Option<(LocalRect, Vec<i64>, Vec<i64>)> {
        let mut rect = None;
        let prints =
            self.by_id.values().filter(|stamp| stamp.is_steady).filter_map(|stamp| stamp.print.as_ref());
        prints.for_each(|print| LocalRect::join(&mut rect, print.rect));
        let rect = rect?;
        let mut sums = (vec![0; rect.area() as usize], vec![0; rect.area() as usize]);
        let width = (rect.x1 - rect.x0) as usize;
        for stamp in self.by_id.values() {
            let Some(print) = &stamp.print else { continue };
            let (from, own) = (print.rect, (print.rect.x1 - print.rect.x0) as usize);
            for y in from.y0.max(rect.y0)..from.y1.min(rect.y1) {
                for x in from.x0.max(rect.x0)..from.x1.min(rect.x1) {
                    let units = print.units[(y - from.y0) as usize * own + (x - from.x0) as usize];
                    let place = (y - rect.y0) as usize * width + (x - rect.x0) as usize;
                    sums.0[place] += share(units, stamp.left);
                    sums.1[place] += if stamp.is_steady { i64::from(units) } else { 0 };
                }
            }
        }
        Some((rect, sums.0, sums.1))
    }
}

impl InfluenceMap {
    /// Puts a stamp on `cell`, which may lie outside the region. A steady one does not fade.
    pub fn add_stamp(
        &mut self,
        cell: Cell,
        shape: StampShape,
        is_steady: bool,
        solid: Option<&BitGrid>,
    ) -> StampId {
        let print = shape.print(cell, self.region, self.shape, solid);
        self.lay(print.as_ref(), 1.0, 1);
        let id = self.stamps.next;
        self.stamps.next += 1;
        self.stamps.by_id.insert(id, Stamp { cell, shape, is_steady, left: 1.0, print });
        id
    }

    /// Puts stamps down that cannot be moved or taken away: they fade, spread and are gone.
    pub fn splash(&mut self, cell: Cell, shape: StampShape, solid: Option<&BitGrid>) {
        let print = shape.print(cell, self.region, self.shape, solid);
        self.lay(print.as_ref(), 1.0, 1);
    }

    /// Moves a stamp, which is as strong again as when it was put down; `false` when it is gone.
    pub fn move_stamp(&mut self, id: StampId, cell: Cell, solid: Option<&BitGrid>) -> bool {
        let Some(mut stamp) = self.stamps.by_id.remove(&id) else { return false };
        self.lay(stamp.print.as_ref(), stamp.left, -1);
        (stamp.cell, stamp.left) = (cell, 1.0);
        stamp.print = stamp.shape.print(cell, self.region, self.shape, solid);
        self.lay(stamp.print.as_ref(), 1.0, 1);
        self.stamps.by_id.insert(id, stamp);
        true
    }

    /// Takes away what is left of a stamp; what has spread from it stays. `false` when it is gone.
    pub fn remove_stamp(&mut self, id: StampId) -> bool {
        let Some(stamp) = self.stamps.by_id.remove(&id) else { return false };
        self.lay(stamp.print.as_ref(), stamp.left, -1);
        true
    }

    /// Lets a steady stamp fade from now on.
    pub fn release_stamp(&mut self, id: StampId) {
        if let Some(stamp) = self.stamps.by_id.get_mut(&id) {
            stamp.is_steady = false;
        }
    }

    /// Where a stamp is.
    pub fn stamp_cell(&self, id: StampId) -> Option<Cell> {
        self.stamps.by_id.get(&id).map(|stamp| stamp.cell)
    }

    /// Number of stamps that can still be moved or taken away.
    pub fn stamp_count(&self) -> usize {
        self.stamps.by_id.len()
    }

    /// Follows an edit: stamps that reach cells of `rect` go around other obstacles now.
    pub fn follow_edit(&mut self, rect: CellRect, solid: Option<&BitGrid>) {
        let Some(rect) = LocalRect::within(self.region, rect) else { return };
        let meets = |print: &Print| {
            let own = print.rect;
            rect.x0 < own.x1 && own.x0 < rect.x1 && rect.y0 < own.y1 && own.y0 < rect.y1
        };
        let mut stamps = std::mem::take(&mut self.stamps);
        for stamp in stamps.by_id.values_mut().filter(|stamp| stamp.print.as_ref().is_some_and(meets)) {
            self.lay(stamp.print.as_ref(), stamp.left, -1);
            stamp.print = stamp.shape.print(stamp.cell, self.region, self.shape, solid);
            self.lay(stamp.print.as_ref(), stamp.left, 1);
        }
        self.stamps = stamps;
    }

    /// Takes what is left of all stamps off the map, and keeps them.
    pub(super) fn lift_stamps(&mut self) {
        let stamps = std::mem::take(&mut self.stamps);
        for stamp in stamps.by_id.values() {
            self.lay(stamp.print.as_ref(), stamp.left, -1);
        }
        self.stamps = stamps;
    }

    /// Puts what is left of all stamps on the map.
    pub(super) fn put_stamps(&mut self, solid: Option<&BitGrid>) {
        let mut stamps = std::mem::take(&mut self.stamps);
        for stamp in stamps.by_id.values_mut() {
            stamp.print = stamp.shape.print(stamp.cell, self.region, self.shape, solid);
            self.lay(stamp.print.as_ref(), stamp.left, 1);
        }
        self.stamps = stamps;
    }

    /// Adds so much of a print, or with a `sign` of −1 takes it away.
    pub(super) fn lay(&mut self, print: Option<&Print>, part: f64, sign: i64) {
        let Some(Print { rect, units }) = print else { return };
        let columns = (rect.x1 - rect.x0) as usize;
        for (y, units) in (rect.y0..rect.y1).zip(units.chunks_exact(columns)) {
            let values = &mut self.values.row_mut(y)[rect.x0 as usize..rect.x1 as usize];
            for (value, &units) in values.iter_mut().zip(units) {
                *value = (*value + sign * share(units, part)).clamp(-VALUE_MAX, VALUE_MAX);
            }
        }
        self.touch(*rect);
    }
}

/// A part of so many units, to a whole one.
#[inline]
pub(super) fn share(units: i32, part: f64) -> i64 {
    (f64::from(units) * part).round() as i64
}
