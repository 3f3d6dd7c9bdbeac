//! What fields are made from, and what has changed since.

use std::sync::Arc;

use super::World;
use super::influences::Revisions;
use super::plan::covering_anchors;
use super::query::{GoalMode, Profile};
use crate::bitgrid::{BitGrid, LocalRect};
use crate::connectivity::{AnyStand, nearest_stands};
use crate::field::{FieldGround, MoveBytes};
use crate::geometry::{Cell, CellRect};
use crate::passability::{LayerKey, StandCosts, anchors_touching};

/// A state of a world, to ask later what has changed since.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MapVersion {
    /// Counts how often all cells were replaced.
    pub(super) epoch: u64,
    /// Counts the edits since.
    pub(super) revision: u64,
    /// Counts the changes of influences.
    pub(super) influences: Revisions,
}

/// What the fields of one kind of body are made from. It stays what it is while the world goes on, so a field can be built
/// on it in steps, on any thread.
#[derive(Clone, Debug)]
pub struct FieldSource {
    region: CellRect,
    stands: Arc<BitGrid>,
    moves: Arc<MoveBytes>,
    costs: Option<Arc<StandCosts>>,
    version: MapVersion,
}

impl FieldSource {
    /// The ground to build on.
    pub fn ground(&self) -> FieldGround<'_> {
        FieldGround::new(self.region, &self.stands, &self.moves, self.costs.as_deref())
    }

    /// The cells of the map.
    pub const fn region(&self) -> CellRect {
        self.region
    }

    /// The stands of the body, one bit a cell.
    pub fn stands(&self) -> &BitGrid {
        &self.stands
    }

    /// The state that it was taken from.
    pub const fn version(&self) -> MapVersion {
        self.version
    }
}

impl World {
    /// What fields for the body of `profile` are made from now.
    pub fn field_source(&mut self, profile: &Profile) -> FieldSource {
        let key = profile.layer_key();
        let costs = self.weighing(profile);
        let moves = Arc::clone(self.layers.moves(&self.terrain, key, profile.diagonal_mode));
        let stands = Arc::clone(self.layers.stands(&self.terrain, key));
        FieldSource { region: self.terrain.region(), stands, moves, costs, version: self.version() }
    }

    /// The stands of a layer, up to date. Whoever holds them keeps them as they are; a repair then works on a copy.
    pub fn stands(&mut self, key: LayerKey) -> Arc<BitGrid> {
        Arc::clone(self.layers.stands(&self.terrain, key))
    }

    /// The state that the world is in.
    pub fn version(&self) -> MapVersion {
        MapVersion {
            epoch: self.epoch,
            revision: self.terrain.journal().revision(),
            influences: self.influences.revisions(),
        }
    }

    /// Rectangles that hold every anchor whose stand, or whose cost, may have changed for the body of `profile` since
    /// `version`; `None` when everything may have, and when that is too long ago to know.
    pub fn anchors_changed_since(&self, version: MapVersion, profile: &Profile) -> Option<Vec<LocalRect>> {
        if version.epoch != self.epoch {
            return None;
        }
        let shape = self.terrain.shape();
        let edits = self.terrain.journal().since(version.revision)?.map(|edit| edit.rect);
        let news = self.influences.changed_since(&version.influences, &profile.influence_weights)?;
        Some(edits.chain(news).map(|rect| anchors_touching(rect, profile.footprint, shape)).collect())
    }

    /// The anchors that a field for the body of `profile` leads to: with [`GoalMode::Exact`] `goals` themselves, with
    /// [`GoalMode::Cover`] those from which the body covers a goal, with [`GoalMode::Nearest`] for each goal the stands
    /// where the body is nearest to it, whoever can reach them. Not all need be stands.
    pub fn field_goals(&mut self, goals: &[Cell], goal_mode: GoalMode, profile: &Profile) -> Vec<Cell> {
        let region = self.terrain.region();
        match goal_mode {
            GoalMode::Exact => goals.to_vec(),
            GoalMode::Cover => {
                let anchors = |&goal: &Cell| profile.footprint.anchors_touching(CellRect::cell(goal));
                let inside = goals.iter().filter(|&&goal| region.contains(goal));
                inside.flat_map(|goal| anchors(goal).intersection(region).cells()).collect()
            }
            GoalMode::Nearest => {
                let layer = self.layer(profile.layer_key());
                let inside = goals.iter().filter(|&&goal| region.contains(goal));
                let nearest = inside.filter_map(|&goal| {
                    let target = covering_anchors(region, goal, profile.footprint);
                    nearest_stands(layer, target, u128::MAX, &AnyStand)
                });
                let cell = |index| {
                    let (x, y) = layer.shape().xy(index);
                    Cell::new(region.x + x as i32, region.y + y as i32)
                };
                nearest.flat_map(|(_, stands)| stands).map(cell).collect()
            }
        }
    }
}
