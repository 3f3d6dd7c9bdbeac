//! The map as a crowd reads it: the region, the passability layers of its kinds of bodies, what slows them,
//! and the fields.

use crate::crowd::numbers::vector::V;
use crate::crowd::state::outline::{Core, OutlineForm};
use crate::crowd::state::routes::{NO_GROUP, NO_GUIDE, PATH_GUIDE, Routes};
use crate::field::FlowField;
use crate::geometry::{CellRect, Footprint};
use crate::passability::{LayerKey, PlacementCosts, Placements, TerrainCosts};

/// A field that agents may follow.
#[derive(Clone, Copy, Debug)]
pub struct CrowdField<'a> {
    /// The field, for bodies like those that follow it.
    pub field: &'a FlowField,
    /// Fields of one group lead to one goal, for bodies of different kinds.
    pub group: u32,
}

/// The map as a crowd needs it for a step. All layers and fields must belong to `region`.
#[derive(Clone, Copy, Debug)]
pub struct CrowdGround<'a> {
    /// The cells of the map.
    pub region: CellRect,
    /// A number that changes when a layer does, so that bodies which do not fit any more are found.
    pub revision: u64,
    /// The valid placements of each kind of agent.
    pub layers: &'a [&'a Placements],
    /// What the placements of each kind that is slowed cost; none, or no place in the list, for a kind that
    /// is not.
    pub costs: &'a [Option<&'a PlacementCosts>],
    /// Fields by their number.
    pub fields: &'a [Option<CrowdField<'a>>],
}

impl<'a> CrowdGround<'a> {
    #[inline]
    pub(in crate::crowd) fn layer(&self, kind: u16) -> &'a Placements {
        self.layers[usize::from(kind)]
    }

    /// Returns the part of its speed, at most 1, that a body walks with whose top-left cell lies nearest to
    /// `place`.
    #[inline]
    pub(in crate::crowd) fn pace(&self, kind: u16, place: V) -> f32 {
        // Crowds whose kinds nothing slows give no costs.
        match self.costs.get(usize::from(kind)) {
            Some(Some(costs)) => costs.pace(place),
            _ => 1.0,
        }
    }

    #[inline]
    pub(in crate::crowd) fn field(&self, guide: u32) -> Option<&CrowdField<'a>> {
        if guide & PATH_GUIDE != 0 {
            return None;
        }
        self.fields.get(guide as usize)?.as_ref()
    }

    /// Guides that lead to the same goal have the same group.
    #[inline]
    pub(in crate::crowd) fn group(&self, guide: u32, paths: &Routes) -> u32 {
        if guide == NO_GUIDE {
            return NO_GROUP;
        }
        match self.field(guide) {
            Some(field) => field.group,
            None => paths.group(guide),
        }
    }
}

/// A kind of body.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct CrowdKind {
    /// The layer that has its placements.
    pub layer: LayerKey,
    /// Where a step costs more than over weight 1, it walks slower by as much.
    pub is_slowed: bool,
    /// What terrains multiply weights by for a kind that is slowed.
    pub terrain_costs: TerrainCosts,
    /// The form of the outline by which it keeps clear.
    pub outline: OutlineForm,
}

crate::bytes::saved_fields!(CrowdKind {
    layer: LayerKey,
    is_slowed: bool,
    terrain_costs: TerrainCosts,
    outline: OutlineForm,
});

impl CrowdKind {
    /// Returns the kind that is slowed by weights and by what terrains multiply them by.
    pub(crate) const fn slowed(layer: LayerKey, terrain_costs: TerrainCosts) -> Self {
        Self { layer, is_slowed: true, terrain_costs, outline: OutlineForm::Round }
    }
}

impl From<LayerKey> for CrowdKind {
    fn from(layer: LayerKey) -> Self {
        Self { layer, ..Self::default() }
    }
}

/// Kinds by their number.
#[derive(Clone, PartialEq, Debug, Default)]
pub(in crate::crowd) struct Kinds {
    all: Vec<CrowdKind>,
}

impl Kinds {
    /// Returns the number of a kind, which is new when it was not there.
    pub fn number(&mut self, kind: &CrowdKind) -> u16 {
        // A crowd has a few kinds, so all are compared.
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

    /// Returns the core of a body of a kind with a radius.
    pub fn core(&self, kind: u16, radius: f32) -> Core {
        let CrowdKind { layer, outline, .. } = self.all[usize::from(kind)];
        Core::new(layer.footprint, outline, radius)
    }

    pub fn is_slowed(&self, kind: u16) -> bool {
        self.all[usize::from(kind)].is_slowed
    }

    pub fn all(&self) -> &[CrowdKind] {
        &self.all
    }
}
