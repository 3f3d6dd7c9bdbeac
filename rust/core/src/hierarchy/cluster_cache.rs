//! Clusters by their numbers, each made when it is first asked for.
//!
//! Bands of slots: a copy of all takes next to nothing, and an edit copies the pointers of those bands only
//! from which it takes clusters. A cluster that a search makes in a band that two copies share is there for
//! both. That is why this is no [`Raster`](crate::raster::Raster), which only its owner writes to.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use super::cluster::Cluster;

/// Log₂ of the clusters in a band: a row of clusters on 4096², whose 128 pointers are copied when an edit
/// takes one of them. Half copies less and makes the list of bands, which every copy of the cache copies,
/// twice as long.
const BAND_SHIFT: u32 = 7;

/// Clusters that are made, and empty slots for the others.
#[derive(Clone, Debug)]
pub(super) struct ClusterCache {
    count: usize,
    bands: Vec<Arc<Band>>,
}

#[derive(Debug)]
struct Band {
    slots: Vec<OnceLock<Arc<Cluster>>>,
    /// Bytes on the heap of the clusters that are made.
    bytes: AtomicUsize,
}

impl Clone for Band {
    fn clone(&self) -> Self {
        let slots: Vec<OnceLock<Arc<Cluster>>> = self.slots.clone();
        // Counted anew: a search may add a cluster between the copy of its slot and that of the counter.
        let bytes = slots.iter().filter_map(OnceLock::get).map(bytes_of).sum();
        Self { slots, bytes: AtomicUsize::new(bytes) }
    }
}

impl ClusterCache {
    /// Slots for `count` clusters.
    pub(super) fn new(count: usize) -> Self {
        let bands = (0..count).step_by(1 << BAND_SHIFT).map(|first| {
            let slots = vec![OnceLock::new(); (count - first).min(1 << BAND_SHIFT)];
            Arc::new(Band { slots, bytes: AtomicUsize::default() })
        });
        Self { count, bands: bands.collect() }
    }

    /// A cluster, if it is made.
    #[inline]
    pub(super) fn get(&self, number: u32) -> Option<&Arc<Cluster>> {
        let (band, slot) = place(number);
        self.bands[band].slots[slot].get()
    }

    /// A cluster, which is made by `make` if it is not yet. Other threads that ask for it meanwhile wait for
    /// the thread that makes it.
    #[inline]
    pub(super) fn get_or_make(&self, number: u32, make: impl FnOnce() -> Arc<Cluster>) -> &Arc<Cluster> {
        let (band, slot) = place(number);
        let band = &*self.bands[band];
        band.slots[slot].get_or_init(|| {
            let made = make();
            // Counted while the slot is locked, so each cluster counts once. Relaxed: no other memory is read
            // by this number.
            band.bytes.fetch_add(bytes_of(&made), Ordering::Relaxed);
            made
        })
    }

    /// Takes a cluster out, if it is made.
    pub(super) fn take(&mut self, number: u32) -> Option<Arc<Cluster>> {
        // Asked first, so that a shared band with nothing to take is not copied.
        self.get(number)?;
        let (band, slot) = place(number);
        let band = Arc::make_mut(&mut self.bands[band]);
        let cluster = band.slots[slot].take()?;
        *band.bytes.get_mut() -= bytes_of(&cluster);
        Some(cluster)
    }

    /// Adopts the clusters of `other` that are not made here; both were made from the same ground.
    pub(super) fn adopt_missing(&self, other: &Self) {
        for (own, other) in self.bands.iter().zip(&other.bands) {
            if Arc::ptr_eq(own, other) {
                continue; // A shared band: what one cache has, the other has, too.
            }
            for (slot, other) in own.slots.iter().zip(&other.slots) {
                let Some(cluster) = other.get().filter(|_| slot.get().is_none()) else { continue };
                // A search may have made it meanwhile. Both are equal, and the first stays.
                if slot.set(Arc::clone(cluster)).is_ok() {
                    own.bytes.fetch_add(bytes_of(cluster), Ordering::Relaxed);
                }
            }
        }
    }

    /// The clusters that are made.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Arc<Cluster>> {
        self.bands.iter().flat_map(|band| &band.slots).filter_map(OnceLock::get)
    }

    /// Bytes on the heap.
    pub(super) fn memory(&self) -> usize {
        self.count * size_of::<OnceLock<Arc<Cluster>>>()
            + self.bands.iter().map(|band| band.bytes.load(Ordering::Relaxed)).sum::<usize>()
    }
}

/// The band of a cluster and its place in there.
const fn place(number: u32) -> (usize, usize) {
    ((number >> BAND_SHIFT) as usize, (number & ((1 << BAND_SHIFT) - 1)) as usize)
}

/// The bytes that a cluster takes on the heap, with the two counters of its `Arc`.
fn bytes_of(cluster: &Arc<Cluster>) -> usize {
    cluster.memory() + 2 * size_of::<usize>()
}
