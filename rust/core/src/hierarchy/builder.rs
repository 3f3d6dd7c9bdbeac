//! Makes clusters from cells, and blocks of clusters from clusters: an exact search from each transition to
//! all others.

use std::sync::Arc;

use super::block_graph::BlockGraph;
use super::cluster::{Cluster, UNREACHED};
use super::cluster_dijkstra::ClusterDijkstra;
use super::ground::BodyGround;
use super::partition::{CLUSTER_SHIFT, Partition};
use super::transitions::transitions;
use super::window_search::WindowSearch;
use crate::primitives::{GridBounds, GridPoint, PruningTable};

/// The slack of clusters: an edge is left out if a path by a third transition costs at most 1/2^5 = 1/32
/// more. That halves the edges of clusters.
const CLUSTER_SLACK: u32 = 5;
/// The slack of blocks: 1/2^4 = 1/16. That leaves less than half of the edges that no slack would, and raises
/// the costs of paths by 1 in 1,000 (bench `hierarchy`, caves).
const BLOCK_SLACK: u32 = 4;

/// The memory that it takes to make clusters and to refine paths.
#[derive(Clone, Debug, Default)]
pub(super) struct ClusterBuilder {
    pub(super) windows: WindowSearch,
    pub(super) dijkstra: ClusterDijkstra,
    pub(super) block_graph: BlockGraph,
}

impl ClusterBuilder {
    /// The cluster of the cells of `window`.
    pub(super) fn cluster(&mut self, ground: &BodyGround<'_>, window: GridBounds) -> Cluster {
        let points = transitions(ground, window, 1 << CLUSTER_SHIFT);
        self.cluster_of(ground, window, points)
    }

    /// The cluster of the cells of `window` with the transitions `points`, ascending.
    pub(super) fn cluster_of(
        &mut self,
        ground: &BodyGround<'_>,
        window: GridBounds,
        points: Vec<GridPoint>,
    ) -> Cluster {
        let mut costs = Vec::with_capacity(points.len() * points.len());
        let table = PruningTable::of(ground.mode);
        // Loaded once for the searches from all transitions: with repairs that reuse blocks, that halves what
        // making the graph takes (bench `hierarchy`).
        self.dijkstra.load(ground, window);
        for &from in &points {
            self.dijkstra.run(from, table);
            costs.extend(points.iter().map(|&to| self.dijkstra.cost(to).unwrap_or(UNREACHED)));
        }
        Cluster::new(points, &costs, CLUSTER_SLACK)
    }

    /// Block number `number` of `blocks`, from a search over its `clusters`.
    pub(super) fn block(&mut self, blocks: Partition, number: u32, clusters: &[Arc<Cluster>]) -> Cluster {
        let graph = &mut self.block_graph;
        graph.assemble(clusters);
        let window = blocks.window(number);
        let on_rim = |point: &&GridPoint| blocks.is_on_rim(**point, window);
        let points: Vec<GridPoint> = graph.transitions().iter().filter(on_rim).copied().collect();
        // Looked up once, for the rows of costs of all searches.
        let places: Vec<usize> =
            points.iter().filter_map(|point| graph.transitions().binary_search(point).ok()).collect();
        let mut costs = Vec::with_capacity(points.len() * points.len());
        // Put back below: expansions of making a block are no part of a query, whose expansions are limited.
        let expanded = graph.expanded;
        for &from in &points {
            graph.search_all(from);
            costs.extend(places.iter().map(|&to| graph.costs()[to]));
        }
        graph.expanded = expanded;
        Cluster::new(points, &costs, BLOCK_SLACK)
    }
}
