//! The kinds of bodies in a crowd: the passability layer that each moves on, by number.

use crate::geometry::Footprint;
use crate::passability::LayerKey;

/// Passability layers by the number of their kind.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Kinds {
    keys: Vec<LayerKey>,
}

impl Kinds {
    /// The number of a kind, which is new when it was not there.
    pub fn number(&mut self, key: LayerKey) -> u16 {
        let place = self.keys.iter().position(|&k| k == key).unwrap_or_else(|| {
            self.keys.push(key);
            self.keys.len() - 1
        });
        place as u16
    }

    #[inline]
    pub fn footprint(&self, kind: u16) -> Footprint {
        self.keys[usize::from(kind)].footprint
    }

    pub fn keys(&self) -> &[LayerKey] {
        &self.keys
    }
}
