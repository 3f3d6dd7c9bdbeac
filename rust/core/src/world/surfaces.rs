//! What supports bodies that jump and fall, by footprint, beside the passability layers that it is made from.

use std::sync::Arc;

use super::World;
use super::cache::{Cache, Kept, Limits};
use super::derived::{Derived, to_repair};
use crate::geometry::{DiagonalMode, Footprint};
use crate::passability::LayerKey;
use crate::platformer::BodyLayers;
use crate::platformer::layers::Surfaces;
use crate::terrain::Capability;

/// Footprints whose surfaces are kept: more than the kinds of bodies of most games.
const SURFACES_MAX: usize = 8;

#[derive(Debug)]
pub(super) struct KeptSurfaces {
    revision: u64,
    surfaces: Arc<Surfaces>,
}

impl Kept for KeptSurfaces {
    fn memory(&self) -> usize {
        self.surfaces.memory()
    }
}

/// The surfaces that are kept.
pub(super) type SurfaceCache = Cache<Footprint, KeptSurfaces>;

/// No surfaces yet.
pub(super) const fn no_surfaces() -> SurfaceCache {
    Cache::new(Limits::values(SURFACES_MAX))
}

impl World {
    /// Returns where a body of `footprint` that jumps and falls fits, stands on ground and touches a ceiling, up to date.
    /// It may enter every terrain; solid cells and obstacles block it.
    ///
    /// Takes time in proportion to the edits since the last call.
    pub fn body_layers(&mut self, footprint: Footprint) -> BodyLayers {
        let terrain = &self.terrain;
        let (revision, layout) = (terrain.revision(), terrain.layout());
        let key = LayerKey::new(footprint, Capability::ALL);
        let open = Arc::clone(self.layers.placements(terrain, key.of_one_cell()));
        // A body moves up, down and sideways only, so diagonal contact connects nothing.
        let (fits, components) = self.layers.components(terrain, key, DiagonalMode::Never);
        let place = self.surfaces.find(footprint).unwrap_or_else(|| {
            let surfaces = Arc::new(Derived::build((terrain, &**fits), footprint));
            self.surfaces.insert(footprint, KeptSurfaces { revision, surfaces })
        });
        self.surfaces.touch(place);
        let own = self.surfaces.at_mut(place);
        if own.revision != revision {
            let rects = terrain.journal().since(own.revision).and_then(|entries| {
                // Terrain ids and weights concern other bodies only.
                let edits = entries.filter(|edit| edit.change.supports());
                to_repair::<Surfaces>(edits.map(|edit| edit.rect).collect(), layout)
            });
            match rects {
                Some(rects) => {
                    let surfaces = Arc::make_mut(&mut own.surfaces);
                    Derived::repair(surfaces, (terrain, &**fits), footprint, &rects);
                }
                None => own.surfaces = Arc::new(Derived::build((terrain, &**fits), footprint)),
            }
            own.revision = revision;
        }
        BodyLayers {
            footprint,
            region: terrain.region(),
            open,
            fits: Arc::clone(fits),
            surfaces: Arc::clone(&own.surfaces),
            components: Arc::clone(components),
        }
    }
}
