//! The kinds of bodies in a crowd: the passability layer that each moves on and what slows it, by number.

use crate::geometry::Footprint;
use crate::passability::{LayerKey, TerrainCosts};

/// A kind of body.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct CrowdKind {
    /// The layer that has its placements.
    pub layer: LayerKey,
    /// Where a step costs more than over weight 1, it walks slower by as much.
    pub is_slowed: bool,
    /// What terrains multiply weights by for a kind that is slowed.
    pub terrain_costs: TerrainCosts,
}

crate::bytes::saved_fields!(CrowdKind { layer: LayerKey, is_slowed: bool, terrain_costs: TerrainCosts });

impl CrowdKind {
    /// The kind that is slowed by weights and by what terrains multiply them by.
    pub const fn slowed(layer: LayerKey, terrain_costs: TerrainCosts) -> Self {
        Self { layer, is_slowed: true, terrain_costs }
    }
}

impl From<LayerKey> for CrowdKind {
    fn from(layer: LayerKey) -> Self {
        Self { layer, ..Self::default() }
    }
}

/// Kinds by their number.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Kinds {
    all: Vec<CrowdKind>,
}

impl Kinds {
    /// The number of a kind, which is new when it was not there.
    pub fn number(&mut self, kind: &CrowdKind) -> u16 {
        let place = self.all.iter().position(|known| known == kind).unwrap_or_else(|| {
            self.all.push(*kind);
            self.all.len() - 1
        });
        place as u16
    }

    #[inline]
    pub fn footprint(&self, kind: u16) -> Footprint {
        self.all[usize::from(kind)].layer.footprint
    }

    pub fn is_slowed(&self, kind: u16) -> bool {
        self.all[usize::from(kind)].is_slowed
    }

    pub fn all(&self) -> &[CrowdKind] {
        &self.all
    }
}
