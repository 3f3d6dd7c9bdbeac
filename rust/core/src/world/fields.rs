//! What fields are asked for, what they are made from, and what has changed since.

use std::sync::Arc;

use super::World;
use super::influences::Revisions;
use super::plan::covering_anchors;
use super::query::{GoalMode, Profile};
use crate::bitgrid::{BitGrid, LocalRect, cell_at};
use crate::connectivity::{AnyPlacement, nearest_placements};
use crate::cost::Cost;
use crate::field::{FieldGround, MoveBytes};
use crate::geometry::{Cell, CellRect};
use crate::passability::{PlacementCosts, anchors_touching};

/// What field is wanted: when two orders differ, so do their fields.
#[derive(Clone, PartialEq, Debug)]
pub struct FieldOrder {
    /// What a repair cannot change.
    pub kind: FieldKind,
    /// The cells to lead to.
    pub goals: Vec<Cell>,
    /// What counts as being at a goal.
    pub goal_mode: GoalMode,
}

/// What a field is built for: map, body and extent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FieldKind {
    /// Tells the worlds apart that a field may be asked for.
    pub map: u64,
    /// The body.
    pub profile: Profile,
    /// The largest cost of the field; `None` for the whole map.
    pub max_cost: Option<Cost>,
}

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

/// What the fields of one kind of body are made from. It stays what it is while the world goes on, so a field
/// can be built on it in steps, on any thread.
#[derive(Clone, Debug)]
pub struct FieldSource {
    region: CellRect,
    placements: Arc<BitGrid>,
    moves: Arc<MoveBytes>,
    costs: Option<Arc<PlacementCosts>>,
    version: MapVersion,
}

impl FieldSource {
    /// Returns the ground to build on.
    pub fn ground(&self) -> FieldGround<'_> {
        FieldGround::new(self.region, &self.placements, &self.moves, self.costs.as_deref())
    }

    /// Returns the cells of the map.
    pub const fn region(&self) -> CellRect {
        self.region
    }

    /// Returns the placements of the body, one bit a cell.
    pub fn placements(&self) -> &BitGrid {
        &self.placements
    }

    /// Returns the state that it was taken from.
    pub const fn version(&self) -> MapVersion {
        self.version
    }
}

impl World {
    /// What fields for the body of `profile` are made from now.
    pub fn field_source(&mut self, profile: &Profile) -> FieldSource {
        let costs = self.varying_costs(profile);
        let layer = self.layers.layer(&self.terrain, &profile.layer_key());
        let moves = Arc::clone(layer.moves(profile.diagonal_mode));
        let placements = Arc::clone(&layer.placements.structure);
        FieldSource { region: self.terrain.region(), placements, moves, costs, version: self.version() }
    }

    /// Returns the state that the world is in.
    pub(crate) fn version(&self) -> MapVersion {
        MapVersion {
            epoch: self.epoch,
            revision: self.terrain.journal().revision(),
            influences: self.influences.revisions(),
        }
    }

    /// Returns rectangles that hold every anchor whose bit, or whose cost, may have changed for the body of
    /// `profile` since `version`. `None` if all may have changed, or if `version` is too old to know.
    pub fn anchors_changed_since(&self, version: MapVersion, profile: &Profile) -> Option<Vec<LocalRect>> {
        // Revisions count anew on a map that replaced another.
        if version.epoch != self.epoch {
            return None;
        }
        let layout = self.terrain.layout();
        let edits = self.terrain.journal().since(version.revision)?;
        let edits = edits.map(|edit| edit.rect_since(version.revision));
        let influenced = self.influences.changed_since(&version.influences, &profile.influence_weights)?;
        Some(edits.chain(influenced).map(|rect| anchors_touching(rect, profile.footprint, layout)).collect())
    }

    /// Returns the anchors that a field for the body of `profile` leads to, by the mode:
    ///
    /// - [`GoalMode::Exact`]: `goals` themselves.
    /// - [`GoalMode::Cover`]: the anchors from which the body covers a goal.
    /// - [`GoalMode::Nearest`]: for each goal the placements where the body is nearest to it, reachable or
    ///   not.
    ///
    /// Not all of them are placements.
    pub fn field_goals(&mut self, goals: &[Cell], goal_mode: GoalMode, profile: &Profile) -> Vec<Cell> {
        let region = self.terrain.region();
        match goal_mode {
            GoalMode::Exact => goals.to_vec(),
            GoalMode::Cover => {
                let anchors = |&goal: &Cell| profile.footprint.anchors_touching(CellRect::cell(goal));
                // Goals outside the region cannot be covered by a body on it.
                let inside = goals.iter().filter(|&&goal| region.contains(goal));
                inside.flat_map(|goal| anchors(goal).intersection(region).cells()).collect()
            }
            GoalMode::Nearest => {
                let layer = self.placements(profile.layer_key());
                let inside = goals.iter().filter(|&&goal| region.contains(goal));
                // A field has no start, so it cannot choose among the placements by whether they can be
                // reached.
                let nearest = inside.filter_map(|&goal| {
                    let target = covering_anchors(region, goal, profile.footprint);
                    nearest_placements(layer, target, u128::MAX, &AnyPlacement)
                });
                let placements = nearest.flat_map(|(_, placements)| placements);
                placements.map(|index| cell_at(region, layer.layout().xy(index))).collect()
            }
        }
    }
}
