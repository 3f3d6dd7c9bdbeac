//! A passability layer with what is derived from it: transpose, jump maps, moves, components, costs and
//! clusters.

use std::sync::Arc;

use smallvec::SmallVec;

use super::cache::{Cache, Limits, Memory};
use super::influences::{Influences, Revisions};
use super::kept::{Kept, Variants, is_small};
use super::landmarks::Landmarks;
use crate::bitgrid::LocalRect;
use crate::connectivity::Components;
use crate::derived::{Derived, Rects};
use crate::field::{MoveBytes, MoveWay};
use crate::geometry::DiagonalMode;
use crate::hierarchy::Hierarchy;
use crate::passability::{
    InfluenceWeights, LayerKey, PlacementCosts, Placements, Prices, TerrainCosts, Transpose, anchors_touching,
};
use crate::search::JumpMap;
use crate::terrain::Terrain;
use crate::world::query::Profile;

/// Sets of costs kept for one layer: bodies of one size that pay in up to four ways. A set takes five bytes
/// and two bits a cell, and building one is a pass over the map. With half as many, three kinds of body would
/// build theirs over and over; twice as many take 70 MB more a layer on 4096². A chosen bound, not a measured
/// one.
const COST_SETS_MAX: usize = 4;
/// Changes of placements that are noted apart for costs that are not asked for. Beyond, one rectangle holds
/// them all. About as many as are repaired without a look at what a build takes; not tuned.
const CHANGES_MAX: usize = 64;

/// The placements of one kind of body and all that is derived from them. A clone shares everything.
#[derive(Clone, Debug)]
pub(in crate::world) struct Layer {
    /// Everything in here, costs aside, is made from the same revision of the terrain.
    pub(super) placements: Kept<Placements>,
    /// The transpose, made when it is first asked for.
    pub(super) transpose: Variants<(), Transpose>,
    pub(super) jump_maps: Variants<DiagonalMode, JumpMap>,
    pub(super) moves: Variants<(DiagonalMode, MoveWay), MoveBytes>,
    /// By whether steps join cells diagonally.
    pub(super) components: Variants<bool, Components>,
    pub(super) costs: Cache<CostKey, CostSet>,
    /// Clusters where every step costs the same.
    pub(super) clusters: Clusters,
}

/// What placements cost is made from the cells and what lies over them.
pub(super) type Map<'a> = (&'a Terrain, &'a Influences);

/// Clusters by how the body steps.
pub(super) type Clusters = Variants<DiagonalMode, Hierarchy>;

/// What costs are made for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct CostKey {
    factors: TerrainCosts,
    weights: InfluenceWeights,
}

impl CostKey {
    pub(super) const fn of(profile: &Profile) -> Self {
        Self { factors: profile.terrain_costs, weights: profile.influence_weights }
    }
}

/// Costs for one set of prices. They have a revision of their own: a body that does not pay them does not
/// wait for them.
#[derive(Clone, Debug)]
pub(super) struct CostSet {
    pub(super) costs: Kept<PlacementCosts>,
    /// The revisions of the influences that they are made from.
    seen: Revisions,
    /// Where placements have changed since the costs were made or repaired.
    placements_changed: Rects,
    /// Whether edges may have changed there, which costs do not tell.
    edges_changed: bool,
    /// Stop bits where steps cost this.
    pub(super) jump_maps: Variants<DiagonalMode, JumpMap>,
    /// Clusters where steps cost this.
    pub(super) clusters: Clusters,
    /// Landmarks where steps cost this, for profiles that were prepared.
    pub(super) landmarks: Variants<DiagonalMode, Landmarks>,
    /// Where costs have changed since landmarks were made or repaired, if there are any.
    not_seen_by_landmarks: Rects,
}

impl CostSet {
    /// Notes where placements have changed, to be repaired with the costs that are next asked for.
    fn note_placements(&mut self, changed: &[LocalRect], has_edges: bool) {
        self.edges_changed |= has_edges;
        let own = &mut self.placements_changed;
        own.extend_from_slice(changed);
        if own.len() > CHANGES_MAX {
            // Bodies that pay these costs may be gone: what is noted for them does not grow with every edit.
            let all = own.drain(..).reduce(LocalRect::union);
            own.extend(all);
        }
    }
}

impl Memory for CostSet {
    fn memory(&self) -> usize {
        self.costs.memory() + self.jump_maps.memory() + self.clusters.memory() + self.landmarks.memory()
    }
}

impl Memory for Layer {
    fn memory(&self) -> usize {
        self.placements.memory()
            + self.transpose.memory()
            + self.jump_maps.memory()
            + self.moves.memory()
            + self.components.memory()
            + self.costs.memory()
            + self.clusters.memory()
    }
}

impl Layer {
    /// Returns the layer of `key`; `open` are the placements of a body of one cell, for a larger one.
    pub(super) fn build(terrain: &Terrain, key: LayerKey, open: Option<&Placements>) -> Self {
        Self::of(Kept::build(terrain, (terrain, open), key))
    }

    fn of(placements: Kept<Placements>) -> Self {
        Self {
            placements,
            transpose: Variants::default(),
            jump_maps: Variants::default(),
            moves: Variants::default(),
            components: Variants::default(),
            costs: Cache::new(Limits::values(COST_SETS_MAX)),
            clusters: Variants::default(),
        }
    }

    /// Returns the layer of this one's bodies if they walk through the obstacles that `key` names: shares
    /// with this one what those do not touch.
    pub(super) fn with_holes(&self, terrain: &Terrain, key: LayerKey, open: Option<&Placements>) -> Self {
        // Everything is shared at first; the repair copies the pages around the obstacles alone.
        let mut layer = self.clone();
        let ids = key.ignored_obstacles.ids().iter();
        let holes = ids.filter_map(|&id| LocalRect::within(terrain.region(), terrain.obstacle(id)?));
        let anchors: SmallVec<[LocalRect; 4]> =
            holes.map(|hole| anchors_touching(hole, key.footprint, terrain.layout())).collect();
        let changed = layer.placements.repair((terrain, open), key, &anchors);
        layer.follow(&changed, false);
        layer
    }

    /// Brings everything but costs up to date with the terrain, by repairs around what was edited or by
    /// making it anew. Returns whether anything has changed.
    pub(super) fn bring_up_to_date(
        &mut self,
        terrain: &Terrain,
        key: LayerKey,
        open: Option<&Placements>,
    ) -> bool {
        let had_edges = self.has_edges();
        let changed = self.placements.follow(terrain, (terrain, open), key, Some(Vec::new()));
        let is_changed = changed.as_ref().is_none_or(|rects| !rects.is_empty());
        match changed {
            Some(changed) => self.follow(&changed, had_edges),
            None => *self = Self::of(self.placements.clone()),
        }
        is_changed
    }

    /// Brings what is derived from placements that have changed in `changed` up to date, costs aside.
    fn follow(&mut self, changed: &[LocalRect], had_edges: bool) {
        let has_edges = had_edges || self.has_edges();
        // If no placement has changed, nothing else is touched.
        if changed.is_empty() {
            return;
        }
        // Costs are repaired when they are next asked for: see [`Layer::costs`].
        self.costs.values_mut().for_each(|own| own.note_placements(changed, has_edges));
        let placements = &*self.placements.structure;
        self.clusters.repair((placements, None), changed);
        // In the order in which they are made from each other: jump maps read the transpose.
        self.moves.repair(placements, changed);
        self.transpose.repair(placements, changed);
        if let Some(transpose) = self.transpose.get(()) {
            self.jump_maps.repair((placements, transpose, None), changed);
        }
        self.components.repair(placements, changed);
    }

    /// Returns whether the map has edges.
    pub(in crate::world) fn has_edges(&self) -> bool {
        self.placements.structure.edges().is_some()
    }

    /// Returns the components for bodies that move by `mode`, up to date.
    pub(super) fn components(&mut self, mode: DiagonalMode) -> (&Arc<Placements>, &Arc<Components>) {
        let components = self.components.get_or_build(&self.placements.structure, mode.joins_diagonally());
        (&self.placements.structure, components)
    }

    /// Returns the stop bits for bodies that move by `mode`.
    pub(in crate::world) fn jump_map(&mut self, mode: DiagonalMode) -> &Arc<JumpMap> {
        let Self { placements: Kept { structure: placements, .. }, transpose, jump_maps, .. } = self;
        // Modes with the same stop bits share one map.
        let shared = JumpMap::shared_mode(mode);
        // The transpose is made only where the stop bits are: a search that finds them needs none.
        jump_maps.get_or_insert_with(shared, || {
            Derived::build((&**placements, &**transpose.get_or_build(placements, ()), None), shared)
        })
    }

    /// Returns the legal moves of bodies that move by `mode`: those out of placements, and those into them,
    /// which are the same unless edges are blocked one way.
    pub(super) fn moves(&mut self, mode: DiagonalMode) -> [Arc<MoveBytes>; 2] {
        let Self { placements: Kept { structure: placements, .. }, moves, .. } = self;
        let last = if placements.is_one_way() { MoveWay::Arriving } else { MoveWay::Leaving };
        [MoveWay::Leaving, last].map(|way| Arc::clone(moves.get_or_build(placements, (mode, way))))
    }

    /// What the placements cost the body of `profile`, up to date.
    pub(super) fn costs(&mut self, (terrain, influences): Map<'_>, profile: &Profile) -> &mut CostSet {
        // The footprint is the layer's, so it is no part of the key.
        let (key, footprint) = (CostKey::of(profile), profile.footprint);
        let added = influences.added(&key.weights);
        let placements = &*self.placements.structure;
        let source = (terrain, placements, Prices { factors: &key.factors, added: &added });
        let own = self.costs.get_or_insert_with(&key, || CostSet {
            costs: Kept::build(terrain, source, footprint),
            seen: influences.revisions(),
            placements_changed: Rects::new(),
            edges_changed: false,
            jump_maps: Variants::default(),
            clusters: Variants::default(),
            landmarks: Variants::default(),
            not_seen_by_landmarks: Rects::new(),
        });
        let moved = if own.edges_changed { own.placements_changed.clone() } else { Rects::new() };
        let influenced = influences.changed_since(&own.seen, &key.weights).map(|rects| {
            let anchors = rects.into_iter().map(|rect| anchors_touching(rect, footprint, terrain.layout()));
            anchors.chain(own.placements_changed.drain(..)).collect()
        });
        let changed = own.costs.follow(terrain, source, footprint, influenced);
        match changed.map(|rects| rects.into_iter().chain(moved).collect::<Rects>()) {
            None => {
                own.jump_maps.clear();
                // With all costs new, no cluster is known to hold.
                own.clusters.clear();
                own.landmarks.clear();
                own.not_seen_by_landmarks.clear();
            }
            Some(rects) if rects.is_empty() => {}
            Some(rects) => {
                let costs = &*own.costs.structure;
                own.clusters.repair((placements, Some(costs)), &rects);
                if let Some(transpose) = self.transpose.get(()) {
                    own.jump_maps.repair((placements, transpose, Some(costs)), &rects);
                }
                if !own.landmarks.is_empty() {
                    own.not_seen_by_landmarks.extend(rects);
                }
            }
        }
        own.seen = influences.revisions();
        own.placements_changed.clear();
        own.edges_changed = false;
        own
    }

    /// Returns the stop bits for what the placements cost the body of `profile`, up to date.
    pub(in crate::world) fn cost_jump_map(&mut self, map: Map<'_>, profile: &Profile) -> &Arc<JumpMap> {
        let placements = Arc::clone(&self.placements.structure);
        let transpose = Arc::clone(self.transpose.get_or_build(&placements, ()));
        let CostSet { costs: Kept { structure: costs, .. }, jump_maps, .. } = self.costs(map, profile);
        // Modes with the same stop bits share one map.
        let shared = JumpMap::shared_mode(profile.diagonal_mode);
        jump_maps.get_or_build((&placements, &transpose, Some(costs)), shared)
    }

    /// Returns the clusters for the body of `profile`, up to date. The body pays the same everywhere unless
    /// it `pays` what placements cost.
    pub(super) fn clusters(&mut self, map: Map<'_>, profile: &Profile, pays: bool) -> &Arc<Hierarchy> {
        let placements = Arc::clone(&self.placements.structure);
        let clusters = if pays { &mut self.costs(map, profile).clusters } else { &mut self.clusters };
        clusters.get_or_build((&placements, None), profile.diagonal_mode)
    }

    /// Makes landmarks for the body of `profile`, whose costs differ, unless they are there and nothing was
    /// edited since. Not on small maps, where searches are short.
    pub(in crate::world) fn make_landmarks(&mut self, map: Map<'_>, profile: &Profile) {
        let mode = profile.diagonal_mode;
        let are_exact = |own: &Arc<Landmarks>| own.are_exact;
        if is_small(map.0.layout()) || self.landmarks(map, profile).is_some_and(are_exact) {
            return;
        }
        let moves = self.moves(mode);
        let (placements, components) = self.components(mode);
        let (placements, components) = (Arc::clone(placements), Arc::clone(components));
        let own = self.costs(map, profile);
        let moves = moves.each_ref().map(|moves| &**moves);
        let source = (&*placements, moves, &*components, &*own.costs.structure);
        own.landmarks.set(mode, Landmarks::build(source, mode));
    }

    /// Returns the landmarks for the body of `profile`, up to date, if it was prepared.
    pub(super) fn landmarks(&mut self, map: Map<'_>, profile: &Profile) -> Option<&Arc<Landmarks>> {
        self.costs(map, profile);
        let own = self.costs.get_mut(&CostKey::of(profile))?;
        let rects = std::mem::take(&mut own.not_seen_by_landmarks);
        if !rects.is_empty() {
            let placements = &*self.placements.structure;
            for (mode, landmarks) in own.landmarks.iter_mut() {
                // Both were there when landmarks were made, and are repaired with the layer.
                let components = self.components.get(mode.joins_diagonally())?;
                let leaving = self.moves.get((mode, MoveWay::Leaving))?;
                let arriving = self.moves.get((mode, MoveWay::Arriving)).unwrap_or(leaving);
                let source = (placements, [&**leaving, &**arriving], &**components, &*own.costs.structure);
                Arc::make_mut(landmarks).repair(source, mode, &rects);
            }
        }
        own.landmarks.get(profile.diagonal_mode)
    }

    /// Takes the parts of `other`, made from the same revision, that were not asked for here. Returns the
    /// costs that this replaces.
    pub(super) fn take_missing(&mut self, other: Self) -> Vec<CostSet> {
        self.transpose.take_missing(other.transpose);
        self.jump_maps.take_missing(other.jump_maps);
        self.moves.take_missing(other.moves);
        self.components.take_missing(other.components);
        self.clusters.take_missing(other.clusters);
        let mut replaced = Vec::new();
        for (key, other) in other.costs.into_entries() {
            // Costs of a snapshot do not push out costs that the world uses.
            let has_room = self.costs.len() < COST_SETS_MAX;
            match self.costs.get_mut(&key) {
                None if has_room => {
                    self.costs.insert(key, other);
                }
                Some(own) if own.costs.revision < other.costs.revision => {
                    replaced.push(std::mem::replace(own, other));
                }
                Some(own) if own.costs.revision == other.costs.revision && own.seen == other.seen => {
                    own.jump_maps.take_missing(other.jump_maps);
                    own.clusters.take_missing(other.clusters);
                    let are_current =
                        own.not_seen_by_landmarks.is_empty() && other.not_seen_by_landmarks.is_empty();
                    if are_current && !other.landmarks.is_empty() {
                        own.landmarks.retain(|landmarks| landmarks.are_exact);
                        own.landmarks.take_missing(other.landmarks);
                    }
                }
                None | Some(_) => {}
            }
        }
        replaced
    }
}
