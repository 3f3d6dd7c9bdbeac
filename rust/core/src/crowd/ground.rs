//! The map as a crowd reads it: the region, the passability layers of its kinds, and the fields.

use super::guide::{NO_GUIDE, PATH_GUIDE};
use super::routes::Routes;
use crate::bitgrid::BitGrid;
use crate::field::FlowField;
use crate::geometry::CellRect;

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
    pub layers: &'a [&'a BitGrid],
    /// Fields by their number.
    pub fields: &'a [Option<CrowdField<'a>>],
}

impl<'a> CrowdGround<'a> {
    #[inline]
    pub(super) fn layer(&self, kind: u16) -> &'a BitGrid {
        self.layers[usize::from(kind)]
    }

    #[inline]
    pub(super) fn field(&self, guide: u32) -> Option<&CrowdField<'a>> {
        if guide & PATH_GUIDE != 0 {
            return None;
        }
        self.fields.get(guide as usize)?.as_ref()
    }

    /// Guides that lead to the same goal have the same group.
    #[inline]
    pub(super) fn group(&self, guide: u32, paths: &Routes) -> u32 {
        if guide == NO_GUIDE {
            return u32::MAX;
        }
        match self.field(guide) {
            Some(field) => field.group,
            None => paths.group(guide),
        }
    }
}
