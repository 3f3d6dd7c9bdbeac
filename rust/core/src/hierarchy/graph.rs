//! The abstract graph of one layer, its costs and one diagonal mode: clusters and blocks, each made when a
//! search first needs it, invalidated by edits and made again.
//!
//! Invariant: whatever is in a cache is what [`ClusterBuilder`] would make of the ground now
//! ([`Hierarchy::check_invariants`]). Edits must be announced by [`Hierarchy::invalidate`] before the next
//! search.

use std::sync::Arc;

use super::abstract_states::AbstractStates;
use super::builder::ClusterBuilder;
use super::cluster::Cluster;
use super::cluster_cache::ClusterCache;
use super::ground::BodyGround;
use super::partition::{BLOCK_SHIFT, CLUSTER_SHIFT, Partition};
use super::stale_blocks::StaleBlocks;
use crate::bitgrid::LocalRect;
use crate::derived::Derived;
use crate::geometry::DiagonalMode;
use crate::parallel;
use crate::passability::{PlacementCosts, Placements};
use crate::primitives::{GridPoint, ScratchPool};

/// Log₂ of the clusters along the side of a block.
const CLUSTERS_SHIFT: u32 = BLOCK_SHIFT - CLUSTER_SHIFT;

/// The clusters of one layer, its costs and one diagonal mode.
#[derive(Clone, Debug)]
pub struct Hierarchy {
    pub(super) clusters: Partition,
    pub(super) blocks: Partition,
    made_clusters: ClusterCache,
    made_blocks: ClusterCache,
    stale_blocks: StaleBlocks,
    // Shared with all clones, so that the searches of a snapshot reuse it, too.
    pool: Arc<ScratchPool<HierarchyScratch>>,
}

/// The memory of a search over a hierarchy, to be used again by the next one.
#[derive(Clone, Debug, Default)]
pub struct HierarchyScratch {
    pub(super) builder: ClusterBuilder,
    pub(super) states: AbstractStates,
}

/// Made part by part, when a search first needs it: a build makes nothing, and a repair marks the clusters
/// that are stale.
impl Derived for Hierarchy {
    type Source<'a> = (&'a Placements, Option<&'a PlacementCosts>);
    type Kind = DiagonalMode;

    fn build((placements, _): Self::Source<'_>, _: DiagonalMode) -> Self {
        let layout = placements.layout();
        let (clusters, blocks) = (Partition::new(layout, CLUSTER_SHIFT), Partition::new(layout, BLOCK_SHIFT));
        Self {
            clusters,
            blocks,
            made_clusters: ClusterCache::new(clusters.count()),
            made_blocks: ClusterCache::new(blocks.count()),
            stale_blocks: StaleBlocks::default(),
            pool: Arc::default(),
        }
    }

    /// Takes time in proportion to the clusters that `rect` touches; searches make them anew when they need
    /// them.
    fn repair_in(&mut self, _: Self::Source<'_>, _: DiagonalMode, rect: LocalRect) -> Option<LocalRect> {
        // Blocks first: a stale block keeps those of its clusters that follow.
        for number in self.blocks.squares_touched(rect) {
            if let Some(block) = self.made_blocks.take(number) {
                self.stale_blocks.add_block(number, block);
            }
        }
        for number in self.clusters.squares_touched(rect) {
            if let Some(cluster) = self.made_clusters.take(number) {
                self.stale_blocks.add_cluster(self.block_of(number), number, cluster);
            }
        }
        Some(rect)
    }

    /// Bytes on the heap, without the scratch memory of searches.
    fn memory(&self) -> usize {
        self.made_clusters.memory() + self.made_blocks.memory() + self.stale_blocks.memory()
    }

    fn adopt_missing(&self, other: &Self) {
        self.made_clusters.adopt_missing(&other.made_clusters);
        self.made_blocks.adopt_missing(&other.made_blocks);
    }
}

impl Hierarchy {
    /// Returns whether two placements lie in one cluster or in two that touch.
    pub(crate) const fn are_neighbours(a: GridPoint, b: GridPoint) -> bool {
        (a.x() >> CLUSTER_SHIFT).abs_diff(b.x() >> CLUSTER_SHIFT) <= 1
            && (a.y() >> CLUSTER_SHIFT).abs_diff(b.y() >> CLUSTER_SHIFT) <= 1
    }

    /// Makes every cluster and block that is not made yet, on all threads.
    pub fn complete(&self, ground: &BodyGround<'_>) {
        self.complete_some(ground, 0, usize::MAX);
    }

    /// Makes at most `blocks_max` blocks of clusters that are not made yet, from block number `first` on, on
    /// all threads of rayon's current pool. Returns the number to go on with; `None` when no block is left.
    pub(crate) fn complete_some(
        &self,
        ground: &BodyGround<'_>,
        first: u32,
        blocks_max: usize,
    ) -> Option<u32> {
        let missing = |&block: &u32| self.made_blocks.get(block).is_none();
        let mut rest = (first..self.blocks.count() as u32).filter(missing);
        let blocks: Vec<u32> = rest.by_ref().take(blocks_max).collect();
        let next = rest.next();
        // Each cluster belongs to one block, so none of these threads waits for a cluster of another.
        parallel::for_each(blocks, |block| {
            self.with_scratch(|scratch| {
                self.block(ground, block, &mut scratch.builder);
            });
        });
        next
    }

    /// Makes every cluster and block that is not made yet and has a cell of `rect`.
    pub fn complete_around(&self, ground: &BodyGround<'_>, rect: LocalRect) {
        self.with_scratch(|scratch| {
            for block in self.blocks.squares_touched(rect) {
                self.block(ground, block, &mut scratch.builder);
            }
        });
    }

    /// Numbers of clusters that are made, of their transitions and their edges, and the same of blocks.
    pub fn counts(&self) -> [[usize; 3]; 2] {
        [&self.made_clusters, &self.made_blocks].map(|all| {
            all.iter().fold([0; 3], |[made, transitions, edges], cluster| {
                [made + 1, transitions + cluster.transitions().len(), edges + cluster.edge_count()]
            })
        })
    }

    /// Returns whether every cluster and block that is made equals one made anew from `ground`. Makes the
    /// whole graph: for tests.
    pub fn check_invariants(&self, ground: &BodyGround<'_>) -> bool {
        // Made from cells alone: `fresh` has no stale blocks that it could take over.
        let fresh = Self::build((ground.layer, None), ground.mode);
        let mut builder = ClusterBuilder::default();
        let same = |old: Option<&Arc<Cluster>>, new: &Arc<Cluster>| old.is_none_or(|old| old == new);
        (0..self.clusters.count() as u32)
            .all(|n| same(self.made_clusters.get(n), fresh.cluster(ground, n, &mut builder)))
            && (0..self.blocks.count() as u32)
                .all(|n| same(self.made_blocks.get(n), fresh.block(ground, n, &mut builder)))
    }

    /// Returns a cluster; makes it first if it is not made yet.
    pub(super) fn cluster(
        &self,
        ground: &BodyGround<'_>,
        number: u32,
        builder: &mut ClusterBuilder,
    ) -> &Arc<Cluster> {
        self.made_clusters
            .get_or_make(number, || Arc::new(builder.cluster(ground, self.clusters.window(number))))
    }

    /// Returns a block of clusters; makes it first if it is not made yet, or takes it back if an edit changed
    /// none of its clusters.
    pub(super) fn block(
        &self,
        ground: &BodyGround<'_>,
        number: u32,
        builder: &mut ClusterBuilder,
    ) -> &Arc<Cluster> {
        self.made_blocks.get_or_make(number, || {
            // Clusters first: whether a stale block is still valid depends on what they are now.
            let clusters = self.clusters_of(ground, number, builder);
            let now = |cluster: u32| self.made_clusters.get(cluster).cloned();
            self.stale_blocks
                .take(number, now)
                .unwrap_or_else(|| Arc::new(builder.block(self.blocks, number, &clusters)))
        })
    }

    /// Returns the clusters of a block; makes missing ones.
    pub(super) fn clusters_of(
        &self,
        ground: &BodyGround<'_>,
        block: u32,
        builder: &mut ClusterBuilder,
    ) -> Vec<Arc<Cluster>> {
        let (x, y) = (
            (block % self.blocks.columns()) << CLUSTERS_SHIFT,
            (block / self.blocks.columns()) << CLUSTERS_SHIFT,
        );
        // The last block of a row or column may have fewer clusters.
        let columns = x..(x + (1 << CLUSTERS_SHIFT)).min(self.clusters.columns());
        let rows = y..(y + (1 << CLUSTERS_SHIFT)).min(self.clusters.rows());
        let mut clusters = Vec::with_capacity(1 << (2 * CLUSTERS_SHIFT));
        for row in rows {
            for column in columns.clone() {
                let number = row * self.clusters.columns() + column;
                clusters.push(Arc::clone(self.cluster(ground, number, builder)));
            }
        }
        clusters
    }

    /// The block that a cluster lies in.
    #[inline]
    pub(super) const fn block_of(&self, cluster: u32) -> u32 {
        let (x, y) = (cluster % self.clusters.columns(), cluster / self.clusters.columns());
        (y >> CLUSTERS_SHIFT) * self.blocks.columns() + (x >> CLUSTERS_SHIFT)
    }

    /// Does `work` with scratch memory that nothing else uses meanwhile.
    pub(crate) fn with_scratch<T>(&self, work: impl FnOnce(&mut HierarchyScratch) -> T) -> T {
        self.pool.lend(work)
    }
}
