//! Queries past some obstacles, or with cells that are solid for one query alone, without an edit of the map.
//!
//! Before such a query its layer is changed at those obstacles and cells: placements, their transpose, the
//! stop bits around them, and what they cost. Each word of bits that is overwritten is logged, and restored
//! after the query. That takes time in proportion to those cells, whatever the size of the map. A layer for
//! each combination of obstacles would have to be built, kept and repaired after every edit. Where possible
//! the search runs without components; otherwise a copy of them is repaired.

use std::sync::Arc;

use smallvec::SmallVec;

use super::kept::Kept;
use super::layer::{CostKey, Layer, Map};
use crate::bitgrid::{BitGrid, GridLayout, LocalRect, cell_at};
use crate::connectivity::Components;
use crate::derived::Derived;
use crate::geometry::{Cell, CellRect, DiagonalMode, Footprint};
use crate::pages::Log;
use crate::passability::{LayerKey, Placements, Prices, anchors_touching};
use crate::search::{JumpLog, JumpMap};
use crate::terrain::{IgnoredObstacles, Terrain};
use crate::world::query::Profile;

/// The change of a layer for one query, with what is needed to undo it.
#[derive(Clone, Debug)]
pub(super) struct Overlay {
    /// The key that the query's body asks for, and the key of the layer that is changed for it.
    asked: LayerKey,
    base: LayerKey,
    mode: DiagonalMode,
    /// Where placements may differ from those of the unchanged layer.
    changed: SmallVec<[LocalRect; 8]>,
    /// Whether costs were changed at `changed`.
    pays: bool,
    /// The components of the changed layer, once they were asked for.
    components: Option<Arc<Components>>,
    logs: Logs,
}

/// The words that the overlay has overwritten; reused from query to query, so that none is allocated.
#[derive(Clone, Debug, Default)]
pub(super) struct Logs {
    placements: Log<u64>,
    transpose: Log<u64>,
    jumps: JumpLog,
}

impl Logs {
    pub(super) const fn memory(&self) -> usize {
        let words = self.placements.capacity() + self.transpose.capacity();
        words * size_of::<(u32, u64)>() + self.jumps.memory()
    }
}

/// Cells of the map, counted from the region's corner, that are open or closed for a query alone.
struct Changes {
    closed: SmallVec<[LocalRect; 8]>,
    opened: SmallVec<[LocalRect; 8]>,
}

impl Changes {
    fn of(terrain: &Terrain, ignored: &IgnoredObstacles, blocked: &[Cell]) -> Self {
        let within = |rect| LocalRect::within(terrain.region(), rect);
        Self {
            closed: blocked.iter().filter_map(|&cell| within(CellRect::cell(cell))).collect(),
            // An obstacle that is not on the map opens nothing.
            opened: ignored.ids().iter().filter_map(|&id| within(terrain.obstacle(id)?)).collect(),
        }
    }

    /// Writes the changes to the grid of cells that a body may enter.
    fn write(&self, open: &mut BitGrid, terrain: &Terrain, asked: LayerKey, log: &mut Log<u64>) {
        let (layout, region) = (terrain.layout(), terrain.region());
        for rect in &self.opened {
            for (x, y) in rect.places() {
                let cell = cell_at(region, (x, y));
                let is_open = terrain.is_open_past(cell, asked.capability, &asked.ignored_obstacles);
                open.set_noted(layout.index(x, y), is_open, log);
            }
        }
        // After the opened cells: a cell that is blocked for the query is closed, even under an ignored
        // obstacle.
        for rect in &self.closed {
            open.set_noted(layout.index(rect.x0, rect.y0), false, log);
        }
    }

    fn anchors(&self, footprint: Footprint, layout: GridLayout) -> impl Iterator<Item = LocalRect> {
        self.opened.iter().chain(&self.closed).map(move |&rect| anchors_touching(rect, footprint, layout))
    }
}

impl Overlay {
    /// Changes `layer` such that the obstacles that `profile` names do not block it, and `blocked` do. `open`
    /// are the cells that it was eroded from, if it was; `pays` says whether placements may cost the body
    /// different amounts.
    pub(super) fn lay(
        layer: &mut Layer,
        open: Option<Arc<Placements>>,
        map @ (terrain, _): Map<'_>,
        profile: &Profile,
        blocked: &[Cell],
        pays: bool,
        mut logs: Logs,
    ) -> Self {
        let (asked, base) = (profile.layer_key(), profile.layer_key().without_ids());
        let mode = profile.diagonal_mode;
        let changes = Changes::of(terrain, &asked.ignored_obstacles, blocked);
        let changed: SmallVec<[LocalRect; 8]> = changes.anchors(base.footprint, terrain.layout()).collect();
        let placements = Arc::make_mut(&mut layer.placements.structure);
        match open {
            None => changes.write(placements.bits_mut(), terrain, asked, &mut logs.placements),
            Some(mut open) => {
                // A copy of the open cells, which is dropped: their layer stays unchanged and needs no log.
                changes.write(Arc::make_mut(&mut open).bits_mut(), terrain, asked, &mut Log::default());
                for &rect in &changed {
                    placements.repair_noted(&open, base.footprint, rect, &mut logs.placements);
                }
            }
        }
        layer.follow_placements(mode, &changed, &mut logs);
        if pays {
            layer.follow_costs(map, profile, &changed);
        }
        Self { asked, base, mode, changed, pays, components: None, logs }
    }

    /// Restores `layer`. Returns the memory of what was overwritten.
    pub(super) fn lift(mut self, layer: &mut Layer, map: Map<'_>, profile: &Profile) -> Logs {
        // Bits first: the costs are computed again from the placements as they were.
        layer.take_back(self.mode, &mut self.logs);
        if self.pays {
            layer.follow_costs(map, profile, &self.changed);
        }
        self.logs
    }

    /// Returns the key of the changed layer if the query asks for `key`.
    pub(super) fn base_of(&self, key: &LayerKey) -> Option<LayerKey> {
        (*key == self.asked).then_some(self.base)
    }

    /// Returns whether cells may be open that are closed without the overlay.
    pub(super) fn opens(&self) -> bool {
        self.asked != self.base
    }

    /// Returns the components of the changed `layer`.
    pub(super) fn components_of(&mut self, layer: &Layer) -> &Arc<Components> {
        let (mode, changed) = (self.mode, &self.changed);
        self.components.get_or_insert_with(|| {
            // Made before the overlay was laid. A copy is repaired, as the layer's own components must hold
            // again after the query.
            let joins = mode.joins_diagonally();
            let before = layer.components.get(joins).map(|own| Components::clone(own));
            let mut components =
                before.unwrap_or_else(|| Components::build(&layer.placements.structure, joins));
            components.repair(&layer.placements.structure, joins, changed);
            Arc::new(components)
        })
    }
}

impl Layer {
    /// Brings the transpose and the stop bits for `mode` up to date with placements that have changed in
    /// `rects`.
    fn follow_placements(&mut self, mode: DiagonalMode, rects: &[LocalRect], logs: &mut Logs) {
        let Self { placements: Kept { structure: placements, .. }, transpose, jump_maps, .. } = self;
        let map = jump_maps.get_mut(JumpMap::shared_mode(mode));
        let (Some(transpose), Some(map)) = (transpose.get_mut(()), map) else { return };
        let transpose = &mut Arc::make_mut(transpose).0;
        for (x, y) in rects.iter().copied().flat_map(LocalRect::places) {
            // Bit by bit, as each word that changes must be noted.
            let index = transpose.layout().index(y, x);
            let is_one = placements.at(x, y);
            transpose.set_noted(index, is_one, &mut logs.transpose);
        }
        Arc::make_mut(map).repair_logged(placements, transpose, rects, &mut logs.jumps);
    }

    /// Brings what the body of `profile` pays, and the stop bits where that differs, up to date at placements
    /// that are open or closed for a query alone.
    fn follow_costs(&mut self, (terrain, influences): Map<'_>, profile: &Profile, rects: &[LocalRect]) {
        let added = influences.added(&profile.influence_weights);
        let prices = Prices { factors: &profile.terrain_costs, added: &added };
        let Self { placements: Kept { structure: placements, .. }, transpose, costs, .. } = self;
        let Some(own) = costs.get_mut(&CostKey::of(profile)) else { return };
        own.costs.repair((terrain, placements, prices), profile.footprint, rects);
        if let Some(transpose) = transpose.get(()) {
            own.jump_maps.repair((placements, transpose, Some(&own.costs.structure)), rects);
        }
    }

    /// Writes back what was written over.
    fn take_back(&mut self, mode: DiagonalMode, logs: &mut Logs) {
        Arc::make_mut(&mut self.placements.structure).bits_mut().take_back(&mut logs.placements);
        if let Some(transpose) = self.transpose.get_mut(()) {
            Arc::make_mut(transpose).0.take_back(&mut logs.transpose);
        }
        if let Some(map) = self.jump_maps.get_mut(JumpMap::shared_mode(mode)) {
            Arc::make_mut(map).take_back(&mut logs.jumps);
        }
    }
}
