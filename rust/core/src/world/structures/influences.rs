//! The influences that weigh on the paths of a world, by slot.

use std::sync::Arc;

use crate::bitgrid::{GridLayout, LocalRect};
use crate::passability::{INFLUENCES_MAX, InfluenceWeights};
use crate::raster::Raster;
use crate::terrain::{Change, Journal};

/// Slots of influence, each with a journal of its own.
#[derive(Clone, Debug, Default)]
pub(in crate::world) struct Influences([Slot; INFLUENCES_MAX]);

#[derive(Clone, Debug, Default)]
struct Slot {
    values: Option<Arc<Raster<f32>>>,
    // A journal for each slot: a body without a weight for it never waits for its changes.
    journal: Journal,
}

/// The state of all slots.
pub(super) type Revisions = [u64; INFLUENCES_MAX];

impl Influences {
    pub(super) fn revisions(&self) -> Revisions {
        std::array::from_fn(|slot| self.0[slot].journal.revision())
    }

    /// Returns whether anything in a slot weighs.
    pub(super) fn weigh(&self, weights: &InfluenceWeights) -> bool {
        weights.slots().any(|(slot, _)| self.0[slot].values.is_some())
    }

    /// Returns the values in the slots that weigh.
    pub(in crate::world) fn added(&self, weights: &InfluenceWeights) -> Vec<(f32, &Raster<f32>)> {
        let values = |(slot, weight): (usize, f32)| Some((weight, &**self.0[slot].values.as_ref()?));
        weights.slots().filter_map(values).collect()
    }

    /// Where values that weigh have changed since; `None` when that is too long ago to know.
    pub(in crate::world) fn changed_since(
        &self,
        revisions: &Revisions,
        weights: &InfluenceWeights,
    ) -> Option<Vec<LocalRect>> {
        let mut rects = Vec::new();
        for (slot, _) in weights.slots() {
            rects.extend(self.0[slot].journal.since(revisions[slot])?.map(|entry| entry.rect));
        }
        Some(rects)
    }

    pub(super) fn memory(&self) -> usize {
        let values = |slot: &Slot| slot.values.as_ref().map_or(0, |values| values.memory());
        self.0.iter().map(|slot| values(slot) + slot.journal.memory()).sum()
    }

    /// Copies `rect` of `values` to a slot of a map of `layout`; the whole raster if the slot was empty. Returns
    /// `false`, without a change, if there is no such slot or `values` is not as large as the map.
    pub(in crate::world) fn put(
        &mut self,
        slot: usize,
        values: &Raster<f32>,
        rect: LocalRect,
        layout: GridLayout,
    ) -> bool {
        let Some(slot) = self.0.get_mut(slot).filter(|_| values.layout() == layout) else {
            return false;
        };
        // An empty map has no rectangle to note.
        if layout.cells() == 0 {
            return true;
        }
        match &mut slot.values {
            None => {
                slot.values = Some(Arc::new(values.clone()));
                slot.journal.record(layout.all(), Change::WEIGHT);
            }
            Some(own) => {
                let own = Arc::make_mut(own);
                for y in rect.y0..rect.y1 {
                    let columns = rect.x0 as usize..rect.x1 as usize;
                    own.row_mut(y)[columns.clone()].copy_from_slice(&values.row(y)[columns]);
                }
                // As a change of weights: influence changes what entering costs, never which cells are open.
                slot.journal.record(rect, Change::WEIGHT);
            }
        }
        true
    }

    /// Empties a slot of a map of `layout`.
    pub(in crate::world) fn take(&mut self, slot: usize, layout: GridLayout) {
        if let Some(slot) = self.0.get_mut(slot)
            // An empty slot is left as it is: an entry in the journal would make all costs stale.
            && slot.values.take().is_some()
        {
            slot.journal.record(layout.all(), Change::WEIGHT);
        }
    }

    /// Returns the influence in a slot at a place, counted from the region's corner; 0 for an empty slot.
    pub(in crate::world) fn at(&self, slot: usize, x: u32, y: u32) -> f32 {
        let values = self.0.get(slot).and_then(|slot| slot.values.as_ref());
        values.map_or(0.0, |values| values.get(x, y))
    }
}
