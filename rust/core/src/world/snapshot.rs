//! A world as it is now, for work elsewhere: it shares everything with the original until one of both is
//! edited.

use std::sync::Arc;

use super::layers::Layers;
use super::{MapVersion, Workers, World};
impl World {
    /// Returns the world as it is now, in constant time and next to no memory. Whichever of the two is edited
    /// first copies what it changes.
    #[must_use]
    pub fn snapshot(&self) -> Self {
        Self {
            layers: self.layers.clone(),
            influences: self.influences.clone(),
            scratch: Arc::clone(&self.scratch),
            epoch: self.epoch,
            first_revision: self.first_revision,
            // Work elsewhere reads no clearances or surfaces, and its answers are counted in the original
            // when they are handed out.
            ..Self::from_terrain(self.terrain.clone())
        }
    }

    /// Gives up the layers, for the world that this is a snapshot of.
    pub(super) fn into_layers(self) -> (MapVersion, Layers) {
        (self.version(), self.layers)
    }

    /// Takes the layers that a snapshot has made meanwhile, unless all cells were replaced since. `workers`
    /// give back what that replaces.
    pub(super) fn adopt(&mut self, version: MapVersion, layers: Layers, workers: &dyn Workers) {
        // Layers of a map that was replaced describe other cells, under revisions that may be the same.
        if version.epoch == self.epoch {
            let replaced = self.layers.adopt(layers);
            if !replaced.is_empty() {
                // Large layers take milliseconds to free, which a frame of the game cannot spare.
                workers.spawn(Box::new(move || drop(replaced)));
            }
        }
    }
}
