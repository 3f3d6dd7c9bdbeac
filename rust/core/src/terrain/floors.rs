//! Floors inside cells: straight ground between two heights, for slopes and for slabs.
//!
//! Two heights a cell, apart from the flags: only bodies that jump by physics ask for them. No search over
//! cells, component, field or clearance depends on a floor. A floor takes one `f32`, whose bits are its
//! heights in steps: the code that keeps, copies and saves weights does so for floors.

use std::sync::Arc;

use super::sparse::Sparse;
use super::{Change, Terrain};
use crate::bitgrid::{LocalRect, local};
use crate::geometry::{Cell, CellRect};

/// Heights are kept in steps of this part of a cell.
const STEPS: u32 = 1 << 14;
/// Bits of a height: one more than the steps take, for the whole cell.
const HEIGHT_BITS: u32 = 15;
/// Set in the bits of every floor, so that these are those of a normal number, which no machine flushes to
/// zero.
const IS_FLOOR: u32 = 1 << 30;
/// What a cell without a floor keeps.
pub(super) const NO_FLOOR: f32 = 0.0;

/// The floor of a cell: straight from the left to the right edge. Heights are measured from the cell's lower
/// edge in parts of its height: 0 none, 1 the whole cell. Both heights are 0 where there is no floor.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Floor {
    /// Height at the left edge.
    pub left: f32,
    /// Height at the right edge.
    pub right: f32,
}

impl Floor {
    /// The height of the whole cell at both edges.
    pub const WHOLE: Self = Self { left: 1.0, right: 1.0 };

    /// Returns `true` if both heights are 0.
    pub fn is_none(self) -> bool {
        self == Self::default()
    }

    /// Returns the higher of both floors; `None` where they cross.
    pub(super) fn joined(self, other: Self) -> Option<Self> {
        let higher = Self { left: self.left.max(other.left), right: self.right.max(other.right) };
        (higher == self || higher == other).then_some(higher)
    }

    /// Returns the floor as a cell keeps it: heights beyond 0 and 1 become the nearest that there are.
    pub(super) fn packed(self) -> f32 {
        let steps = |height: f32| (height.clamp(0.0, 1.0) * STEPS as f32).round() as u32;
        let bits = steps(self.left) << HEIGHT_BITS | steps(self.right);
        if bits == 0 { NO_FLOOR } else { f32::from_bits(IS_FLOOR | bits) }
    }

    /// Returns the floor that a cell keeps.
    fn unpacked(packed: f32) -> Option<Self> {
        let bits = packed.to_bits() & !IS_FLOOR;
        let height = |steps: u32| steps as f32 / STEPS as f32;
        let floor =
            Self { left: height(bits >> HEIGHT_BITS), right: height(bits & ((1 << HEIGHT_BITS) - 1)) };
        (!floor.is_none()).then_some(floor)
    }

    /// Returns `true` if [`Floor::packed`] makes this of some floor or of none.
    pub(super) fn is_packed(packed: f32) -> bool {
        Self::unpacked(packed).unwrap_or_default().packed().to_bits() == packed.to_bits()
    }
}

/// The floors of the cells of a map.
#[derive(Clone, Debug)]
pub struct Floors {
    packed: Sparse<f32>,
}

impl Floors {
    /// Returns the floor of the cell in column `x` and row `y`, counted from the region's corner.
    ///
    /// # Panics
    /// When the cell lies outside.
    pub fn get(&self, x: u32, y: u32) -> Option<Floor> {
        Floor::unpacked(self.packed.get(x, y))
    }

    /// Returns the bytes on the heap.
    pub(super) fn memory(&self) -> usize {
        self.packed.memory()
    }
}

impl Terrain {
    /// Returns the floors; `None` while no cell was given one. They are never changed while the answer is
    /// kept: a later answer is the same pointer if no edit has changed a floor meanwhile.
    pub fn floors(&self) -> Option<Arc<Floors>> {
        self.floors.clone()
    }

    /// Returns the floor of `cell`; `None` outside the region, too. It is one-way if the cell is.
    pub fn floor(&self, cell: Cell) -> Option<Floor> {
        let (floors, (x, y)) = self.floors.as_ref().zip(local(self.region, cell))?;
        floors.get(x, y)
    }

    /// Gives the cells of `rect` a floor, or none; returns the smallest rectangle of cells that changed, if
    /// any did. Cells outside the region are left out. Heights are kept in steps of 1/16384, and those beyond
    /// 0 and 1 become the nearest that there are.
    pub fn set_floor(&mut self, rect: CellRect, floor: Option<Floor>) -> Option<CellRect> {
        let rect = LocalRect::within(self.region, rect)?;
        let changed = self.fill_floors(rect, floor.unwrap_or_default().packed())?;
        Some(self.changed(changed, Change::FLOOR))
    }

    /// Fills a part of the floors; returns the smallest rectangle that changed.
    pub(super) fn fill_floors(&mut self, rect: LocalRect, packed: f32) -> Option<LocalRect> {
        // An edit that changes nothing must not copy what a reader keeps.
        let keeps = |x, y| self.packed_floor(x, y).to_bits() == packed.to_bits();
        if (rect.y0..rect.y1).all(|y| (rect.x0..rect.x1).all(|x| keeps(x, y))) {
            return None;
        }
        self.edit_floors(|floors| floors.fill(rect, packed))
    }

    /// Gives every cell what it keeps of its floor; returns the smallest rectangle of cells that changed.
    pub(super) fn replace_floors(&mut self, packed: &[f32]) -> Option<CellRect> {
        let kept = self.floors.as_ref().and_then(|floors| floors.packed.array());
        // Few maps have floors, and an edit that changes nothing must not copy what a reader keeps.
        let same = match kept {
            Some(kept) => kept.iter().zip(packed).all(|(a, b)| a.to_bits() == b.to_bits()),
            None => packed.iter().all(|packed| packed.to_bits() == 0),
        };
        let changed = if same { None } else { self.edit_floors(|floors| floors.replace(packed)) }?;
        Some(self.changed(changed, Change::FLOOR))
    }

    /// Copies the floors that another map has in `from` to `to`; returns the smallest rectangle that changed.
    pub(super) fn paste_floors(&mut self, part: &Self, from: LocalRect, to: LocalRect) -> Option<LocalRect> {
        match &part.floors {
            Some(floors) => self.edit_floors(|ours| ours.paste(to, &floors.packed, from)),
            None => self.fill_floors(to, NO_FLOOR),
        }
    }

    /// Returns what every cell keeps of its floor, row by row; `None` where no cell has one.
    pub(super) fn telling_floors(&self) -> Option<Vec<f32>> {
        let packed = self.floors.as_ref()?.packed.to_vec();
        packed.iter().any(|packed| packed.to_bits() != 0).then_some(packed)
    }

    fn packed_floor(&self, x: u32, y: u32) -> f32 {
        self.floors.as_ref().map_or(NO_FLOOR, |floors| floors.packed.get(x, y))
    }

    fn edit_floors(&mut self, edit: impl FnOnce(&mut Sparse<f32>) -> Option<LocalRect>) -> Option<LocalRect> {
        let layout = self.layout;
        let none = || Arc::new(Floors { packed: Sparse::new(layout, NO_FLOOR) });
        let floors = Arc::make_mut(self.floors.get_or_insert_with(none));
        let changed = edit(&mut floors.packed);
        if floors.packed.array().is_none() {
            self.floors = None;
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REGION: CellRect = CellRect::new(-3, -2, 8, 6);
    const SLOPE: Floor = Floor { left: 0.0, right: 1.0 };

    #[test]
    fn heights_come_back_as_precisely_as_they_are_kept() {
        let mut map = Terrain::new(REGION).unwrap();
        let cell = Cell::new(1, 1);
        for (left, right) in [(0.0, 1.0), (1.0, 1.0), (0.15625, 0.15625), (0.3, 0.7), (1.0, 0.0), (0.0, 1e-4)]
        {
            map.set_floor(CellRect::cell(cell), Some(Floor { left, right }));
            let kept = map.floor(cell).unwrap();
            let step = 0.5 / STEPS as f32;
            assert!((kept.left - left).abs() <= step && (kept.right - right).abs() <= step, "{kept:?}");
            assert!(Floor::is_packed(kept.packed()) && kept.packed().is_normal());
        }
        map.set_floor(CellRect::cell(cell), Some(Floor { left: -3.0, right: 7.0 }));
        assert_eq!(map.floor(cell), Some(SLOPE));
        assert_eq!(map.floor(Cell::new(2, 1)), None);
        assert_eq!(map.floor(Cell::new(99, 1)), None);
    }

    #[test]
    fn edits_report_what_changed_and_leave_kept_floors_alone() {
        let mut map = Terrain::new(REGION).unwrap();
        let all = CellRect::new(-10, -10, 30, 30);
        assert_eq!(map.set_floor(all, None), None);
        assert!(map.floors().is_none());
        assert_eq!(map.set_floor(CellRect::new(4, 3, 9, 9), Some(SLOPE)), Some(CellRect::new(4, 3, 1, 1)));
        let kept = map.floors().unwrap();
        assert_eq!(map.set_floor(CellRect::new(4, 3, 1, 1), Some(SLOPE)), None);
        assert_eq!(map.set_floor(CellRect::new(0, 0, 2, 2), None), None);
        let revision = map.revision();
        map.fill_solid(REGION, true);
        assert!(Arc::ptr_eq(&kept, &map.floors().unwrap()), "other edits change no floor");
        assert_eq!(map.set_floor(REGION, Some(SLOPE)), Some(REGION));
        assert_eq!((kept.get(7, 5), kept.get(0, 0)), (Some(SLOPE), None));
        assert_eq!(map.floors().unwrap().get(0, 0), Some(SLOPE));
        let changes: Vec<_> = map.journal().since(revision).unwrap().map(|entry| entry.change).collect();
        assert_eq!(changes, [Change::PASSABILITY, Change::FLOOR]);
        assert!(!Change::FLOOR.opens_or_closes() && !Change::FLOOR.costs() && !Change::FLOOR.supports());
        assert_eq!(map.set_floor(all, None), Some(REGION));
        assert!(map.floors().is_none());
    }

    #[test]
    fn floors_are_saved_copied_and_cleared() {
        let mut map = Terrain::new(REGION).unwrap();
        let plain = map.to_bytes();
        let open_hash = map.state_hash();
        map.set_floor(CellRect::new(-3, 0, 3, 1), Some(SLOPE));
        map.set_floor(CellRect::new(2, 2, 1, 1), Some(Floor { left: 0.25, right: 0.25 }));
        let bytes = map.to_bytes();
        let back = Terrain::from_bytes(&bytes).unwrap();
        assert_eq!((back.to_bytes(), back.state_hash()), (bytes.clone(), map.state_hash()));
        for cell in REGION.cells() {
            assert_eq!(back.floor(cell), map.floor(cell));
        }
        for cut in 0..bytes.len() {
            assert!(Terrain::from_bytes(&bytes[..cut]).is_err(), "cut at {cut}");
        }
        let part = map.part(CellRect::new(-3, -2, 6, 6)).unwrap();
        let larger = map.resized(CellRect::new(-9, -9, 30, 30)).unwrap();
        assert_eq!(larger.floor(Cell::new(2, 2)), map.floor(Cell::new(2, 2)));
        let mut edited = map.clone();
        edited.set_floor(CellRect::new(-3, -2, 6, 6), Some(Floor::WHOLE));
        assert_eq!(edited.paste(&part), Some(CellRect::new(-3, -2, 6, 6)));
        assert_eq!(edited.state_hash(), map.state_hash());
        assert_eq!(edited.paste(&part), None, "nothing is left to change");
        assert_ne!(map.state_hash(), open_hash);
        assert_eq!(map.clear(), Some(CellRect::new(-3, 0, 6, 3)));
        assert_eq!((map.to_bytes(), map.state_hash()), (plain, open_hash));
    }

    #[test]
    fn damaged_heights_are_refused() {
        let mut map = Terrain::new(CellRect::new(0, 0, 1, 1)).unwrap();
        map.set_floor(map.region(), Some(Floor::WHOLE));
        let mut bytes = map.to_bytes();
        let at = bytes.len() - 4;
        assert_eq!(bytes[at..], (IS_FLOOR | STEPS << HEIGHT_BITS | STEPS).to_le_bytes());
        for bad in [STEPS, IS_FLOOR, IS_FLOOR | (STEPS + 1), 1 << 31, IS_FLOOR << 1 | 5, f32::NAN.to_bits()] {
            bytes[at..].copy_from_slice(&bad.to_le_bytes());
            assert!(Terrain::from_bytes(&bytes).is_err(), "{bad:#x}");
        }
    }
}
