//! A passability layer with what is derived from it: transpose, jump maps, moves, components, costs and clusters.

use std::sync::Arc;

use smallvec::SmallVec;

use super::cache::{Cache, Kept, Limits};
use super::derived::{Derived, Rects, Transpose, Variants, is_small, to_repair};
use super::influences::{Influences, Revisions};
use super::query::Profile;
use crate::bitgrid::{BitGrid, LocalRect};
use crate::connectivity::Components;
use crate::field::MoveBytes;
use crate::geometry::DiagonalMode;
use crate::hierarchy::Hierarchy;
use crate::passability::{
    InfluenceWeights, LayerKey, PlacementCosts, Prices, TerrainCosts, anchors_touching,
};
use crate::search::JumpMap;
use crate::terrain::Terrain;

/// Sets of costs kept for one layer: bodies of one size that pay in up to four ways. A set takes five bytes and two bits a cell, and
/// building one is a pass over the map: half of them would make three kinds of body build theirs over and over, twice as many
/// take 70 MB more a layer on 4096². A chosen bound, not a measured one.
const COST_SETS_MAX: usize = 4;
/// The most queries after an edit that search a small map without its components. Later ones bring the components up to
/// date: those answer at once if a goal cannot be reached.
const QUERIES_WITHOUT_COMPONENTS_MAX: u32 = 8;

/// The placements of one kind of body and all that is derived from them. A clone shares everything.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    /// The revision of the terrain that everything in here, costs aside, is made from.
    pub(super) revision: u64,
    pub(super) placements: Arc<BitGrid>,
    /// The transpose, made when it is first asked for.
    pub(super) transpose: Variants<(), Transpose>,
    pub(super) jump_maps: Variants<DiagonalMode, JumpMap>,
    pub(super) moves: Variants<DiagonalMode, MoveBytes>,
    /// By whether steps join cells diagonally.
    pub(super) components: Variants<bool, Components>,
    /// Where placements have changed since the components were made or repaired. Only on small maps, where that repair is
    /// put off.
    pub(super) components_stale: Option<LocalRect>,
    /// Queries since the last edit that were searched without components.
    queries_without_components: u32,
    pub(super) costs: Cache<CostKey, CostSet>,
    /// Clusters where every step costs the same.
    pub(super) clusters: Clusters,
}

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

/// Costs for one set of prices. They have a revision of their own: a body that does not pay them does not wait for them.
#[derive(Clone, Debug)]
pub(super) struct CostSet {
    /// The revision of the terrain, and those of the influences, that they are made from.
    revision: u64,
    seen: Revisions,
    /// The anchors at obstacles that were not ignored when the costs were made, for a layer that shares them.
    holes: SmallVec<[LocalRect; 4]>,
    pub(super) costs: Arc<PlacementCosts>,
    /// Stop bits where steps cost this.
    pub(super) jump_maps: Variants<DiagonalMode, JumpMap>,
    /// Clusters where steps cost this.
    pub(super) clusters: Clusters,
}

impl Kept for CostSet {
    fn memory(&self) -> usize {
        self.costs.memory() + self.jump_maps.memory() + self.clusters.memory()
    }
}

impl Kept for Layer {
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
    pub(super) fn build(terrain: &Terrain, key: LayerKey, open: Option<&BitGrid>) -> Self {
        Self {
            revision: terrain.revision(),
            placements: Arc::new(<BitGrid as Derived>::build((terrain, open), key)),
            transpose: Variants::default(),
            jump_maps: Variants::default(),
            moves: Variants::default(),
            components: Variants::default(),
            components_stale: None,
            queries_without_components: 0,
            costs: Cache::new(Limits::values(COST_SETS_MAX)),
            clusters: Variants::default(),
        }
    }

    /// Returns the layer of this one's bodies if they walk through the obstacles that `key` names: shares with this one
    /// what those do not touch.
    pub(super) fn with_holes(&self, terrain: &Terrain, key: LayerKey, open: Option<&BitGrid>) -> Self {
        // Everything is shared at first; the repair copies the pages around the obstacles alone.
        let mut layer = self.clone();
        let ids = key.ignored_obstacles.ids().iter();
        let holes = ids.filter_map(|&id| LocalRect::within(terrain.region(), terrain.obstacle(id)?));
        let anchors: SmallVec<[LocalRect; 4]> =
            holes.map(|hole| anchors_touching(hole, key.footprint, terrain.layout())).collect();
        layer.repair(terrain, key, open, &anchors);
        // Costs are repaired when they are next asked for, as after an edit: see `CostSet::stale`.
        layer.costs.values_mut().for_each(|own| own.holes.clone_from(&anchors));
        layer
    }

    /// Brings everything but costs up to date with the terrain, by repairs around what was edited or by making it anew.
    pub(super) fn bring_up_to_date(&mut self, terrain: &Terrain, key: LayerKey, open: Option<&BitGrid>) {
        if self.revision == terrain.revision() {
            return;
        }
        let layout = terrain.layout();
        let rects = terrain.journal().since(self.revision).and_then(|entries| {
            // Changes of weights concern costs, which have a revision of their own.
            let edits = entries.filter(|edit| edit.change.opens_or_closes());
            let rects = edits.map(|edit| anchors_touching(edit.rect, key.footprint, layout)).collect();
            to_repair::<BitGrid>(rects, layout)
        });
        match rects {
            Some(rects) => {
                self.repair(terrain, key, open, &rects);
                self.revision = terrain.revision();
            }
            None => *self = Self::build(terrain, key, open),
        }
    }

    /// Brings the placements in `rects` and what is derived from them up to date. If no placement has changed, nothing else
    /// is touched.
    fn repair(&mut self, terrain: &Terrain, key: LayerKey, open: Option<&BitGrid>, rects: &[LocalRect]) {
        let placements = Arc::make_mut(&mut self.placements);
        let changed: Rects = placements.repair((terrain, open), key, rects);
        if changed.is_empty() {
            return;
        }
        let placements = &*placements;
        self.clusters.repair((placements, None), &changed);
        // In the order in which they are made from each other: jump maps read the transpose.
        self.moves.repair(placements, &changed);
        self.transpose.repair(placements, &changed);
        if let Some(transpose) = self.transpose.get(()) {
            self.jump_maps.repair((placements, transpose, None), &changed);
        }
        // On a small map, the first queries after an edit are searched without components again.
        self.queries_without_components = 0;
        if is_small(terrain.layout()) {
            changed.into_iter().for_each(|rect| LocalRect::join(&mut self.components_stale, rect));
        } else {
            self.components.repair(placements, &changed);
        }
    }

    /// Returns the components for bodies that move by `mode`, up to date.
    pub(super) fn components(&mut self, mode: DiagonalMode) -> (&Arc<BitGrid>, &Arc<Components>) {
        // Repaired at once for all edits since the last use: chunks that several touch are made once.
        if let Some(rect) = self.components_stale.take() {
            self.components.repair(&self.placements, &[rect]);
        }
        let components = self.components.get_or_build(&self.placements, mode.joins_diagonally());
        (&self.placements, components)
    }

    /// Returns whether a path on a small map is better searched without the components; counts the query if so.
    pub(super) fn searches_without_components(&mut self, mode: DiagonalMode) -> bool {
        let is_known =
            self.components_stale.is_none() && self.components.get(mode.joins_diagonally()).is_some();
        if is_known || !is_small(self.placements.layout()) {
            return false;
        }
        self.queries_without_components += 1;
        self.queries_without_components <= QUERIES_WITHOUT_COMPONENTS_MAX
    }

    /// Returns the stop bits for bodies that move by `mode`.
    pub(super) fn jump_map(&mut self, mode: DiagonalMode) -> &Arc<JumpMap> {
        let Self { placements, transpose, jump_maps, .. } = self;
        // Modes with the same stop bits share one map.
        let shared = JumpMap::shared_mode(mode);
        // The transpose is made only where the stop bits are: a search that finds them needs none.
        jump_maps.get_or_insert_with(shared, || {
            Derived::build((&**placements, &**transpose.get_or_build(placements, ()), None), shared)
        })
    }

    /// Returns the legal moves of bodies that move by `mode`.
    pub(super) fn moves(&mut self, mode: DiagonalMode) -> &Arc<MoveBytes> {
        self.moves.get_or_build(&self.placements, mode)
    }

    /// What the placements cost the body of `profile`, up to date.
    pub(super) fn costs(
        &mut self,
        terrain: &Terrain,
        influences: &Influences,
        profile: &Profile,
    ) -> &mut CostSet {
        // The footprint is the layer's, so it is no part of the key.
        let (key, footprint) = (CostKey::of(profile), profile.footprint);
        let added = influences.added(&key.weights);
        let source = (terrain, &*self.placements, Prices { factors: &key.factors, added: &added });
        let place = self.costs.find(key).unwrap_or_else(|| {
            let built = CostSet {
                revision: terrain.revision(),
                seen: influences.revisions(),
                holes: SmallVec::new(),
                costs: Arc::new(Derived::build(source, footprint)),
                jump_maps: Variants::default(),
                clusters: Variants::default(),
            };
            self.costs.insert(key, built)
        });
        self.costs.touch(place);
        let own = self.costs.at_mut(place);
        match own.stale(terrain, influences, &key.weights, footprint) {
            None => {
                own.costs = Arc::new(Derived::build(source, footprint));
                own.jump_maps.clear();
                // With all costs new, no cluster is known to hold.
                own.clusters.clear();
            }
            // Without this, making the costs writable would copy them where a job reads them.
            Some(rects) if rects.is_empty() => {}
            Some(rects) => {
                Derived::repair(Arc::make_mut(&mut own.costs), source, footprint, &rects);
                own.clusters.repair((&self.placements, Some(&own.costs)), &rects);
                if let Some(transpose) = self.transpose.get(()) {
                    own.jump_maps.repair((&self.placements, transpose, Some(&own.costs)), &rects);
                }
            }
        }
        (own.revision, own.seen) = (terrain.revision(), influences.revisions());
        own.holes.clear();
        own
    }

    /// What the placements cost the body of `profile`, with stop bits where these costs differ, up to date.
    pub(super) fn cost_jump_map(
        &mut self,
        terrain: &Terrain,
        influences: &Influences,
        profile: &Profile,
    ) -> (&Arc<JumpMap>, &Arc<PlacementCosts>) {
        let placements = Arc::clone(&self.placements);
        let transpose = Arc::clone(self.transpose.get_or_build(&placements, ()));
        let CostSet { costs, jump_maps, .. } = self.costs(terrain, influences, profile);
        // Modes with the same stop bits share one map.
        let shared = JumpMap::shared_mode(profile.diagonal_mode);
        (jump_maps.get_or_build((&placements, &transpose, Some(costs)), shared), costs)
    }

    /// Takes the parts of `other`, made from the same revision, that were not asked for here. Returns the costs that this
    /// replaces.
    pub(super) fn take_missing(&mut self, other: Self) -> Vec<CostSet> {
        self.transpose.take_missing(other.transpose);
        self.jump_maps.take_missing(other.jump_maps);
        self.moves.take_missing(other.moves);
        // Components that are out of date here are replaced by those of the snapshot, if it has any that are
        // not.
        if self.components_stale.take().is_some() {
            self.components.clear();
        }
        if other.components_stale.is_none() {
            self.components.take_missing(other.components);
        }
        self.clusters.take_missing(other.clusters);
        let mut replaced = Vec::new();
        for (key, other) in other.costs.into_entries() {
            // Costs of a snapshot do not push out costs that the world uses.
            let has_room = self.costs.len() < COST_SETS_MAX;
            match self.costs.get_mut(key) {
                None if has_room => {
                    self.costs.insert(key, other);
                }
                Some(own) if own.revision < other.revision => replaced.push(std::mem::replace(own, other)),
                Some(own) if own.revision == other.revision && own.seen == other.seen => {
                    own.jump_maps.take_missing(other.jump_maps);
                    own.clusters.take_missing(other.clusters);
                }
                None | Some(_) => {}
            }
        }
        replaced
    }
}

impl CostSet {
    /// Returns the anchors whose cost may have changed since; `None` when everything is better built anew.
    fn stale(
        &self,
        terrain: &Terrain,
        influences: &Influences,
        weights: &InfluenceWeights,
        footprint: crate::geometry::Footprint,
    ) -> Option<Vec<LocalRect>> {
        let layout = terrain.layout();
        // All edits count, also those that open or close: a placement that is new needs a cost.
        let edits = terrain.journal().since(self.revision)?.map(|edit| edit.rect);
        let influenced = influences.changed_since(&self.seen, weights)?;
        let anchors = edits.chain(influenced).map(|rect| anchors_touching(rect, footprint, layout));
        to_repair::<PlacementCosts>(anchors.chain(self.holes.iter().copied()).collect(), layout)
    }
}
