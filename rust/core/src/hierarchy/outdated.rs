//! What edits made out of date: blocks, with those of their clusters that may differ by now.
//!
//! Most edits change no way between entrances. A block whose clusters came out as they were before is what it was, so it
//! need not be searched again.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use smallvec::SmallVec;

use super::cluster::Cluster;

/// Blocks that were forgotten and not made again since, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Outdated(Mutex<BTreeMap<u32, Former>>);

/// A block as it was.
#[derive(Clone, Debug)]
struct Former {
    block: Arc<Cluster>,
    /// Those of its clusters that were forgotten since, as they were when it was made, with their numbers.
    clusters: SmallVec<[(u32, Arc<Cluster>); 2]>,
}

impl Clone for Outdated {
    fn clone(&self) -> Self {
        Self(Mutex::new(self.0.lock().map(|all| all.clone()).unwrap_or_default()))
    }
}

impl Outdated {
    /// Keeps a block that was made until now. Its clusters follow, each by [`Outdated::add_cluster`].
    pub(super) fn add_block(&mut self, number: u32, block: Arc<Cluster>) {
        if let Ok(all) = self.0.get_mut() {
            all.insert(number, Former { block, clusters: SmallVec::new() });
        }
    }

    /// Keeps a cluster of `block` that was made until now, unless it was forgotten before: what counts is what it was when
    /// the block was made.
    pub(super) fn add_cluster(&mut self, block: u32, number: u32, cluster: Arc<Cluster>) {
        let Ok(all) = self.0.get_mut() else { return };
        if let Some(former) = all.get_mut(&block)
            && former.clusters.iter().all(|&(own, _)| own != number)
        {
            former.clusters.push((number, cluster));
        }
    }

    /// Takes out a block; returns it if it still holds, its clusters being what `now` says.
    pub(super) fn take(&self, block: u32, now: impl Fn(u32) -> Option<Arc<Cluster>>) -> Option<Arc<Cluster>> {
        let former = self.0.lock().ok()?.remove(&block)?;
        let holds = former.clusters.iter().all(|(number, was)| now(*number).is_some_and(|now| now == *was));
        holds.then_some(former.block)
    }

    /// Bytes on the heap.
    pub(super) fn memory(&self) -> usize {
        self.0.lock().map_or(0, |all| {
            let clusters = all.values().flat_map(|former| former.clusters.iter().map(|(_, own)| own));
            let blocks = all.values().map(|former| &former.block);
            blocks.chain(clusters).map(|own| own.memory()).sum::<usize>() + all.len() * size_of::<Former>()
        })
    }
}
