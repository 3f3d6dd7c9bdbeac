//! A world as it is now, for work elsewhere: it shares everything with the original until one of both is edited.

use std::sync::{Arc, Mutex};

use super::layers::Layers;
use super::{MapVersion, Workers, World};
use crate::search::Scratch;

/// Scratch memory that no search uses at the moment, for a world and its snapshots.
#[derive(Debug, Default)]
pub(super) struct ScratchPool(Mutex<Vec<Scratch>>);

impl ScratchPool {
    /// Does `work` with scratch memory that nobody else uses meanwhile.
    pub(super) fn lend<T>(&self, work: impl FnOnce(&mut Scratch) -> T) -> T {
        let mut scratch = self.0.lock().ok().and_then(|mut pool| pool.pop()).unwrap_or_default();
        let result = work(&mut scratch);
        if let Ok(mut pool) = self.0.lock() {
            pool.push(scratch);
        }
        result
    }
}

impl World {
    /// The world as it is now, in constant time and next to no memory: whoever is edited first copies what it changes.
    #[must_use]
    pub fn snapshot(&self) -> Self {
        Self {
            terrain: self.terrain.clone(),
            layers: self.layers.clone(),
            influences: self.influences.clone(),
            clearances: super::Clearances::default(),
            scratch: Arc::clone(&self.scratch),
            epoch: self.epoch,
            tally: super::Tally::default(),
            first_revision: self.first_revision,
        }
    }

    /// Gives up the layers, for the world that this is a snapshot of.
    pub(super) fn into_layers(self) -> (MapVersion, Layers) {
        (self.version(), self.layers)
    }

    /// Takes the layers that a snapshot has made meanwhile, unless all cells were replaced since. `workers` give back what
    /// that replaces.
    pub(super) fn adopt(&mut self, version: MapVersion, layers: Layers, workers: &dyn Workers) {
        if version.epoch == self.epoch {
            let replaced = self.layers.adopt(layers);
            if !replaced.is_empty() {
                workers.spawn(Box::new(move || drop(replaced)));
            }
        }
    }
}
