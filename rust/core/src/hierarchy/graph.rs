use std::sync::{Arc, Mutex};

use rayon::prelude::*;

use super::cluster::Cluster;
use super::entrance::representatives;
use super::flood::ClusterFlood;
use super::ground::{BodyGround, COARSE_SHIFT, Division, FINE_SHIFT, Spot};
use super::interior::Interior;
use super::local::LocalSearch;
use super::outdated::Outdated;
use super::search::AbstractSearch;
use super::shelf::Shelf;
use crate::bitgrid::{LocalRect, PaddedIndex, Shape};

/// Scratch memory kept for searches that come one after the other or at the same time.
const POOL_MAX: usize = 8;

/// Clusters of one layer, its costs and one way of stepping; each is made when a search first comes by.
#[derive(Clone, Debug)]
pub struct Hierarchy {
    shape: Shape,
    pub(super) fine: Division,
    pub(super) coarse: Division,
    clusters: Shelf,
    blocks: Shelf,
    outdated: Outdated,
    pool: Arc<Mutex<Vec<HierarchyScratch>>>,
}

/// The memory of a search over a hierarchy, to be used again by the next one.
#[derive(Clone, Debug, Default)]
pub struct HierarchyScratch {
    pub(super) maker: Maker,
    pub(super) search: AbstractSearch,
}

/// What it takes to make clusters.
#[derive(Clone, Debug, Default)]
pub(super) struct Maker {
    pub(super) local: LocalSearch,
    pub(super) flood: ClusterFlood,
    pub(super) interior: Interior,
}

impl Hierarchy {
    /// The hierarchy of a map of `shape`, of which nothing is made yet.
    pub fn new(shape: Shape) -> Self {
        let (fine, coarse) = (Division::new(shape, FINE_SHIFT), Division::new(shape, COARSE_SHIFT));
        Self {
            shape,
            fine,
            coarse,
            clusters: Shelf::new(fine.count()),
            blocks: Shelf::new(coarse.count()),
            outdated: Outdated::default(),
            pool: Arc::default(),
        }
    }

    /// Whether two stands lie in one cluster or in two that touch.
    pub fn are_neighbours(&self, a: PaddedIndex, b: PaddedIndex) -> bool {
        let place = |index| {
            let spot = Spot::of_index(index, self.shape);
            (spot.x() >> FINE_SHIFT, spot.y() >> FINE_SHIFT)
        };
        let (a, b) = (place(a), place(b));
        a.0.abs_diff(b.0) <= 1 && a.1.abs_diff(b.1) <= 1
    }

    /// Makes every cluster that is not made yet, on all threads of rayon's current pool.
    pub fn complete(&self, ground: &BodyGround<'_>) {
        (0..self.coarse.count() as u32).into_par_iter().for_each(|block| {
            self.with_scratch(|scratch| {
                self.block(ground, block, &mut scratch.maker);
            });
        });
    }

    /// Makes at most `blocks_max` blocks of clusters that are not made yet, from block number `first` on, on all threads of
    /// rayon's current pool. Returns the number to go on with; `None` when no block is left.
    pub fn complete_some(&self, ground: &BodyGround<'_>, first: u32, blocks_max: usize) -> Option<u32> {
        let missing = |&block: &u32| self.blocks.get(block).is_none();
        let mut rest = (first..self.coarse.count() as u32).filter(missing);
        let blocks: Vec<u32> = rest.by_ref().take(blocks_max).collect();
        let next = rest.next();
        blocks.into_par_iter().for_each(|block| {
            self.with_scratch(|scratch| {
                self.block(ground, block, &mut scratch.maker);
            });
        });
        next
    }

    /// Takes the clusters of `other`, made from the same ground, that are not made here.
    pub(crate) fn take_missing(&self, other: &Self) {
        self.clusters.take_missing(&other.clusters);
        self.blocks.take_missing(&other.blocks);
    }

    /// Makes every cluster that is not made yet and that the stands of `rect` have a part in.
    pub fn complete_around(&self, ground: &BodyGround<'_>, rect: LocalRect) {
        self.with_scratch(|scratch| {
            for_each_touched(self.coarse, rect, |block| {
                self.block(ground, block, &mut scratch.maker);
            });
        });
    }

    /// Forgets what the stands of `rect`, whose bits or costs changed, have a part in.
    ///
    /// Takes time in proportion to the clusters that `rect` touches; searches make them anew when they come by.
    pub fn forget(&mut self, rect: LocalRect) {
        let (fine, coarse) = (self.fine, self.coarse);
        for_each_touched(coarse, rect, |number| {
            if let Some(block) = self.blocks.take(number) {
                self.outdated.add_block(number, block);
            }
        });
        for_each_touched(fine, rect, |number| {
            if let Some(cluster) = self.clusters.take(number) {
                self.outdated.add_cluster(self.block_of(number), number, cluster);
            }
        });
    }

    /// Numbers of clusters that are made, of their entrances and their edges, and the same of blocks.
    pub fn counts(&self) -> [[usize; 3]; 2] {
        [&self.clusters, &self.blocks].map(|all| {
            all.iter().fold([0; 3], |[made, entrances, edges], cluster| {
                [made + 1, entrances + cluster.spots().len(), edges + cluster.edge_count()]
            })
        })
    }

    /// Bytes on the heap, without the scratch memory of searches.
    pub fn memory(&self) -> usize {
        self.clusters.memory() + self.blocks.memory() + self.outdated.memory()
    }

    /// Whether every cluster that is made is what one made anew from `ground` would be.
    pub fn check_invariants(&self, ground: &BodyGround<'_>) -> bool {
        let fresh = Self::new(ground.stands.shape());
        let mut maker = Maker::default();
        let same = |old: Option<&Arc<Cluster>>, new: &Arc<Cluster>| old.is_none_or(|old| old == new);
        let clusters = (0..self.fine.count() as u32)
            .all(|n| same(self.clusters.get(n), fresh.cluster(ground, n, &mut maker)));
        clusters
            && (0..self.coarse.count() as u32)
                .all(|n| same(self.blocks.get(n), fresh.block(ground, n, &mut maker)))
    }

    /// A cluster, made if it is not.
    pub(super) fn cluster(&self, ground: &BodyGround<'_>, number: u32, maker: &mut Maker) -> &Arc<Cluster> {
        self.clusters.get_or_make(number, || {
            let window = self.fine.window(number);
            let spots = representatives(ground, window, 1 << FINE_SHIFT);
            Arc::new(Cluster::of_cells(ground, window, spots, &mut maker.flood))
        })
    }

    /// A block of clusters, made if it is not.
    pub(super) fn block(&self, ground: &BodyGround<'_>, number: u32, maker: &mut Maker) -> &Arc<Cluster> {
        self.blocks.get_or_make(number, || {
            let clusters = self.clusters_of(ground, number, maker);
            let now = |cluster: u32| self.clusters.get(cluster).cloned();
            self.outdated.take(number, now).unwrap_or_else(|| {
                maker.interior.assemble(&clusters);
                Arc::new(self.searched(number, &mut maker.interior))
            })
        })
    }

    /// A block from a search over its clusters, which are put together in `interior`.
    fn searched(&self, number: u32, interior: &mut Interior) -> Cluster {
        let window = self.coarse.window(number);
        let on_line = |v: u32| v & ((1 << COARSE_SHIFT) - 1) == 0;
        let on_rim = |spot: &&Spot| {
            let (x, y) = (spot.x(), spot.y());
            (on_line(x) && (x == window.x0 || x == window.x1))
                || (on_line(y) && (y == window.y0 || y == window.y1))
        };
        let spots = interior.spots().iter().filter(on_rim).copied().collect();
        // What making takes is no part of any search.
        let expanded = interior.expanded;
        let made = Cluster::of_clusters(interior, spots);
        interior.expanded = expanded;
        made
    }

    /// Puts the clusters of a block together in `maker.interior`.
    pub(super) fn assemble(&self, ground: &BodyGround<'_>, block: u32, maker: &mut Maker) {
        let clusters = self.clusters_of(ground, block, maker);
        maker.interior.assemble(&clusters);
    }

    /// The clusters of a block; those are made that are not.
    fn clusters_of(&self, ground: &BodyGround<'_>, block: u32, maker: &mut Maker) -> Vec<Arc<Cluster>> {
        let shift = COARSE_SHIFT - FINE_SHIFT;
        let (x, y) = ((block % self.coarse.columns()) << shift, (block / self.coarse.columns()) << shift);
        let columns = x..(x + (1 << shift)).min(self.fine.columns());
        let rows = y..(y + (1 << shift)).min(self.fine.rows());
        let mut clusters = Vec::with_capacity(1 << (2 * shift));
        for row in rows {
            for column in columns.clone() {
                let number = row * self.fine.columns() + column;
                clusters.push(Arc::clone(self.cluster(ground, number, maker)));
            }
        }
        clusters
    }

    /// The block that a cluster lies in.
    #[inline]
    pub(super) const fn block_of(&self, cluster: u32) -> u32 {
        let shift = COARSE_SHIFT - FINE_SHIFT;
        let (x, y) = (cluster % self.fine.columns(), cluster / self.fine.columns());
        (y >> shift) * self.coarse.columns() + (x >> shift)
    }

    /// Does `work` with scratch memory that nobody else uses meanwhile.
    pub fn with_scratch<T>(&self, work: impl FnOnce(&mut HierarchyScratch) -> T) -> T {
        let mut scratch = self.pool.lock().ok().and_then(|mut pool| pool.pop()).unwrap_or_default();
        let result = work(&mut scratch);
        if let Ok(mut pool) = self.pool.lock()
            && pool.len() < POOL_MAX
        {
            pool.push(scratch);
        }
        result
    }
}

/// Calls `visit` with the clusters that have a cell of `rect`.
fn for_each_touched(division: Division, rect: LocalRect, mut visit: impl FnMut(u32)) {
    // Padded places are one more than the map's, and a line belongs to the clusters on both sides.
    let first = division.cluster(Spot::new(rect.x0, rect.y0));
    let last = division.cluster(Spot::new(rect.x1, rect.y1));
    let columns = division.columns();
    for row in first / columns..=last / columns {
        for column in first % columns..=last % columns {
            visit(row * columns + column);
        }
    }
}

impl HierarchyScratch {
    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.maker.local.memory()
            + ClusterFlood::memory()
            + self.maker.interior.memory()
            + self.search.memory()
    }
}
