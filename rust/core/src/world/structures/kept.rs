//! Derived structures that are kept, and brought up to date when they are next used: one rule for all of
//! them.
//!
//! A structure has the revision of the terrain that it is made from. The journal tells what was edited since;
//! where repairs would take longer than a build, or the journal does not reach back, the structure is built
//! anew.

use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

use super::cache::Memory;
use crate::bitgrid::{GridLayout, LocalRect};
use crate::derived::{Derived, Rects};
use crate::terrain::Terrain;

/// A structure that follows the terrain. A clone shares it.
#[derive(Clone, Debug)]
pub(super) struct Kept<D> {
    /// The revision of the terrain that it is made from.
    pub(super) revision: u64,
    pub(super) structure: Arc<D>,
}

impl<D: Derived + Clone> Kept<D> {
    /// Returns the structure made from `source` as it is now.
    pub(super) fn build(terrain: &Terrain, source: D::Source<'_>, kind: D::Kind) -> Self {
        Self { revision: terrain.revision(), structure: Arc::new(D::build(source, kind)) }
    }

    /// Brings the structure up to date after edits of the terrain, and changes in `others` of what else it is
    /// made from, which is `None` when those are not known. Returns where it has changed, at most; `None`
    /// when it was built anew.
    pub(super) fn follow(
        &mut self,
        terrain: &Terrain,
        source: D::Source<'_>,
        kind: D::Kind,
        others: Option<Vec<LocalRect>>,
    ) -> Option<Rects> {
        let rects = self.to_repair(terrain, kind, others);
        self.revision = terrain.revision();
        if let Some(rects) = rects {
            return Some(self.repair(source, kind, &rects));
        }
        self.structure = Arc::new(D::build(source, kind));
        None
    }

    /// Repairs the structure after `source` changed in `rects`; returns where it has changed, at most.
    pub(super) fn repair(&mut self, source: D::Source<'_>, kind: D::Kind, rects: &[LocalRect]) -> Rects {
        if rects.is_empty() {
            // Making it writable would copy it where a job reads it.
            return Rects::new();
        }
        Arc::make_mut(&mut self.structure).repair(source, kind, rects)
    }

    /// Returns where to repair; `None` if a build takes less time.
    fn to_repair(
        &self,
        terrain: &Terrain,
        kind: D::Kind,
        others: Option<Vec<LocalRect>>,
    ) -> Option<Vec<LocalRect>> {
        let (mut rects, layout) = (others?, terrain.layout());
        let edits = terrain.journal().since(self.revision)?;
        let edits = edits.filter(|edit| D::is_concerned_by(edit.change, kind));
        rects.extend(edits.map(|edit| D::touched_by(edit.rect, kind, layout)));
        to_repair::<D>(rects, layout)
    }
}

impl<D: Derived> Memory for Kept<D> {
    fn memory(&self) -> usize {
        D::memory(&self.structure)
    }
}

/// The most cells of a small map: chosen to hold 64², not tuned.
const SMALL_CELLS_MAX: usize = 72 * 72;
/// Beyond this number of edits, repairs are weighed against a build: a repair takes as long as building
/// [`CELLS_PER_REPAIR`] cells (the bench's table of obstacles that have moved).
const EDITS_FEW: usize = 64;
const CELLS_PER_REPAIR: u64 = 2_000;

/// Returns whether a map is small: it is repaired whatever was edited, and gets no landmarks.
pub(super) const fn is_small(layout: GridLayout) -> bool {
    layout.cells() <= SMALL_CELLS_MAX
}

/// Returns where to repair a `D`, given where its source has changed; `None` if a build takes less time.
fn to_repair<D: Derived>(mut rects: Vec<LocalRect>, layout: GridLayout) -> Option<Vec<LocalRect>> {
    let (edits, cells) = (rects.len() as u64, layout.cells() as u64);
    // Overlaps count twice: they are repaired twice as well.
    let area: u64 = rects.iter().map(|rect| rect.area()).sum();
    if is_small(layout) {
        // A build would ask for new pages, which are larger than the map.
        if edits > 1 && area > cells / 2 {
            rects = vec![layout.all()];
        }
        return Some(rects);
    }
    let is_much =
        area * D::BUILD_SHARE > cells || (rects.len() > EDITS_FEW && edits * CELLS_PER_REPAIR > cells);
    (!is_much).then_some(rects)
}

/// The structures of one type that are made from one source, one for each kind that was asked for. A clone
/// shares them all.
#[derive(Clone, Debug)]
pub(super) struct Variants<K, D>(SmallVec<[(K, Arc<D>); 1]>);

impl<K, D> Default for Variants<K, D> {
    fn default() -> Self {
        Self(smallvec![])
    }
}

impl<K: Copy + PartialEq, D> Variants<K, D> {
    /// Returns the one of `kind`, made by `build` if there is none.
    pub(super) fn get_or_insert_with(&mut self, kind: K, build: impl FnOnce() -> D) -> &Arc<D> {
        // A scan, since there are few kinds of each structure.
        let place = self.0.iter().position(|(own, _)| *own == kind).unwrap_or_else(|| {
            self.0.push((kind, Arc::new(build())));
            self.0.len() - 1
        });
        &self.0[place].1
    }

    pub(super) fn get(&self, kind: K) -> Option<&Arc<D>> {
        self.0.iter().find(|(own, _)| *own == kind).map(|(_, structure)| structure)
    }

    pub(super) fn get_mut(&mut self, kind: K) -> Option<&mut Arc<D>> {
        self.0.iter_mut().find(|(own, _)| *own == kind).map(|(_, structure)| structure)
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (K, &mut Arc<D>)> {
        self.0.iter_mut().map(|(kind, structure)| (*kind, structure))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Drops the data for which `keeps` returns `false`.
    pub(super) fn retain(&mut self, keeps: impl Fn(&D) -> bool) {
        self.0.retain(|(_, structure)| keeps(structure));
    }

    /// Keeps `structure` as the one of `kind`.
    pub(super) fn set(&mut self, kind: K, structure: D) {
        self.0.retain(|(own, _)| *own != kind);
        self.0.push((kind, Arc::new(structure)));
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

impl<D: Derived + Clone> Variants<D::Kind, D> {
    /// Returns the one of `kind`, built from `source` if there is none.
    pub(super) fn get_or_build(&mut self, source: D::Source<'_>, kind: D::Kind) -> &Arc<D> {
        self.get_or_insert_with(kind, || D::build(source, kind))
    }

    /// Takes the kinds and the parts of `others`, made from the same source, that are missing.
    pub(super) fn take_missing(&mut self, others: Self) {
        for (kind, other) in others.0 {
            match self.get(kind) {
                // What a snapshot still shares has nothing to add.
                Some(own) if Arc::ptr_eq(own, &other) => {}
                Some(own) => D::adopt_missing(own, &other),
                None => self.0.push((kind, other)),
            }
        }
    }

    /// Repairs all of them.
    pub(super) fn repair(&mut self, source: D::Source<'_>, rects: &[LocalRect]) {
        for (kind, structure) in &mut self.0 {
            // Copies the structure if a snapshot still reads it; its pages stay shared until they are
            // written.
            Arc::make_mut(structure).repair(source, *kind, rects);
        }
    }

    pub(super) fn memory(&self) -> usize {
        self.0.iter().map(|(_, structure)| D::memory(structure)).sum()
    }
}
