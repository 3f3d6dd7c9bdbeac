//! What supports bodies that jump and fall, by footprint, beside the passability layers that it is made from.

use std::sync::Arc;

use super::Structures;
use super::cache::{Cache, Limits};
use super::kept::Kept;
use crate::geometry::{DiagonalMode, Footprint};
use crate::passability::LayerKey;
use crate::surfaces::BodyLayers;
use crate::surfaces::Surfaces;
use crate::terrain::Capability;

/// Footprints whose surfaces are kept: more than the kinds of bodies of most games.
const SURFACES_MAX: usize = 8;

/// The surfaces that are kept.
pub(super) type SurfaceCache = Cache<Footprint, Kept<Surfaces>>;

/// No surfaces yet.
pub(super) const fn no_surfaces() -> SurfaceCache {
    Cache::new(Limits::values(SURFACES_MAX))
}

/// See [`World::body_layers`](crate::world::World::body_layers).
pub(in crate::world) fn body_layers(kept: &mut Structures, footprint: Footprint) -> BodyLayers {
    let terrain = &kept.terrain;
    let key = LayerKey::new(footprint, Capability::ALL);
    let open = Arc::clone(kept.layers.placements(terrain, &key.of_one_cell()));
    // A body moves up, down and sideways only, so diagonal contact connects nothing.
    let (fits, components) = kept.layers.components(terrain, &key, DiagonalMode::Never);
    let source = (terrain, &**fits);
    let own = kept.surfaces.get_or_insert_with(&footprint, || Kept::build(terrain, source, footprint));
    own.follow(terrain, source, footprint, Some(Vec::new()));
    BodyLayers {
        footprint,
        region: terrain.region(),
        open,
        fits: Arc::clone(fits),
        surfaces: Arc::clone(&own.structure),
        components: Arc::clone(components),
    }
}
