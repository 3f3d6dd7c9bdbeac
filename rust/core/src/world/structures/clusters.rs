//! The clusters of a kind of body, as searches and preparations read them.

use std::sync::Arc;

use crate::geometry::DiagonalMode;
use crate::hierarchy::{BodyGround, Hierarchy};
use crate::passability::{PlacementCosts, Placements};

/// The clusters of a kind of body, and what they are made from.
#[derive(Clone, Debug)]
pub(in crate::world) struct Clusters {
    pub(in crate::world) hierarchy: Arc<Hierarchy>,
    placements: Arc<Placements>,
    pub(in crate::world) costs: Option<Arc<PlacementCosts>>,
    mode: DiagonalMode,
}

impl Clusters {
    pub(super) const fn new(
        hierarchy: Arc<Hierarchy>,
        placements: Arc<Placements>,
        costs: Option<Arc<PlacementCosts>>,
        mode: DiagonalMode,
    ) -> Self {
        Self { hierarchy, placements, costs, mode }
    }

    pub(in crate::world) fn ground(&self) -> BodyGround<'_> {
        BodyGround::new(&self.placements, self.costs.as_deref(), self.mode)
    }
}
