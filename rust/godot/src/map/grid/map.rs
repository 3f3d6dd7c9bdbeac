//! What a grid's verbs work on, apart from the node.

use pathforge_core::geometry::{CellRect, DiagonalMode};
use pathforge_core::terrain::{RegionError, Terrain};
use pathforge_core::world::{Announcements, PathQuery, World};

use super::influences::InfluenceSlots;
use crate::script::geometry::CellGeometry;

/// The cells of a grid with everything derived from them, where they lie, and what has been edited.
#[derive(Default)]
pub struct Map {
    pub world: World,
    pub geometry: CellGeometry,
    /// How bodies step that do not say themselves.
    pub mode: DiagonalMode,
    pub(super) edits: Announcements,
    /// The query of the verbs of `AStarGrid2D`, which differs from call to call in its ends and modes: making
    /// one takes longer than a short path.
    pub(super) query: PathQuery,
    /// The influence maps that weigh on paths.
    pub(super) influences: InfluenceSlots,
    /// `true` after a weight beyond the limits was told.
    pub(super) is_weight_told: bool,
}

impl Map {
    /// Edits cells; returns what is to be announced now.
    pub(super) fn edit<E>(
        &mut self,
        edit: impl FnOnce(&mut Terrain) -> Result<Option<CellRect>, E>,
    ) -> Result<Option<CellRect>, E> {
        let changed = edit(self.world.terrain_mut())?;
        Ok(changed.and_then(|rect| self.edits.note(rect)))
    }

    /// Changes the region and keeps the cells that both share; returns what is to be announced now.
    pub(super) fn set_region(&mut self, region: CellRect) -> Result<Option<CellRect>, RegionError> {
        let old = self.world.terrain().region();
        if region == old {
            return Ok(None);
        }
        self.world.set_region(region)?;
        Ok(self.edits.note(old.union(region)))
    }

    /// Replaces all cells and the region; returns what is to be announced now.
    pub(super) fn replace(&mut self, terrain: Terrain) -> Option<CellRect> {
        let old = self.world.terrain();
        if old.region() == terrain.region() && old.state_hash() == terrain.state_hash() {
            return None;
        }
        let both = old.region().union(terrain.region());
        self.world.replace_terrain(terrain);
        self.edits.note(both)
    }
}
