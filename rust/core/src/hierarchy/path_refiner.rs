//! Turns a path over the abstract graph into cells, piece by piece from its start on.
//!
//! Each piece is the first half of a path of minimum cost over the cells of the next few clusters, so bends
//! that transitions cause are smoothed before a body walks them. Without a limit met, the pieces end at the
//! goal.

use std::collections::VecDeque;

use super::abstract_search::{self, AbstractEdge};
use super::graph::{Hierarchy, HierarchyScratch};
use super::ground::BodyGround;
use crate::primitives::{GridBounds, GridPoint, SearchEnd};

/// Edges ahead that a piece is searched over: bends at transitions are straightened over so many of them.
/// Measured on the trips of [`PART_MAX`](super::transitions): 12 halve what paths cost above the least (0.2
/// to 0.3 % instead of 0.4 to 0.6), and a first piece takes two to three times as long. With 4 it takes three
/// quarters of the time, and paths cost 0.6 to 0.9 % more.
const EDGES_AHEAD: usize = 6;
/// Edges that are dropped after each piece: half of those ahead, as half of the path is kept.
const EDGES_A_PIECE: usize = 3;
/// Cells around the clusters of the edges that a piece's path may use, too, so that it can pass a wall that
/// lies along a line. It matters little: with 4 or 16, costs change by less than 0.02 % and expansions by 2 %
/// on the same trips.
const MARGIN: u32 = 8;

/// A path that was found over the abstract graph, and how far it is refined.
#[derive(Clone, Debug)]
pub struct PathRefiner {
    /// Edges that are not ahead yet, the next one last.
    edges: Vec<AbstractEdge>,
    /// The next edges inside clusters: where each ends, and the cluster that it leads through.
    ahead: VecDeque<(GridPoint, GridBounds)>,
    /// The point at which the last piece ended.
    at: GridPoint,
    /// Bounds of the part of the last search's path that was not kept.
    rest: GridBounds,
    goal: GridPoint,
    cost: u32,
    finished: bool,
    expanded: u32,
    expansions_max: u32,
}

impl Hierarchy {
    /// Finds a path over the abstract graph from `start` to one of `goals`, of which there is at least one;
    /// all are placements of `ground`. `expansions_max` limits the expansions of this search and of all
    /// pieces together; those of making clusters and blocks do not count.
    ///
    /// # Errors
    /// [`SearchEnd::Exhausted`] without a path, [`SearchEnd::Limit`] when a limit was met; with the
    /// expansions so far.
    pub fn find(
        &self,
        ground: &BodyGround<'_>,
        start: GridPoint,
        goals: &[GridPoint],
        expansions_max: u32,
        scratch: &mut HierarchyScratch,
    ) -> Result<PathRefiner, (SearchEnd, u32)> {
        let mut expanded = 0;
        let limits = (&mut expanded, expansions_max);
        match abstract_search::search(self, ground, (start, goals), limits, scratch) {
            Ok(edges) => Ok(PathRefiner {
                // Edges come last first, and there is always the one to the goal.
                goal: edges[0].to,
                edges,
                ahead: VecDeque::new(),
                at: start,
                rest: GridBounds::of_point(start),
                cost: 0,
                finished: false,
                expanded,
                expansions_max,
            }),
            Err(end) => Err((end, expanded)),
        }
    }
}

impl PathRefiner {
    /// Finds the next piece of the path, and appends its points to `points`, without the first, where the
    /// last piece ended. Returns whether there is more to come.
    ///
    /// `hierarchy` and `ground` must be the ones that the path was found on.
    ///
    /// # Errors
    /// [`SearchEnd::Limit`] when a limit was met.
    pub(crate) fn next_piece(
        &mut self,
        hierarchy: &Hierarchy,
        ground: &BodyGround<'_>,
        scratch: &mut HierarchyScratch,
        points: &mut Vec<GridPoint>,
    ) -> Result<bool, SearchEnd> {
        if self.finished {
            return Ok(false);
        }
        self.look_ahead(hierarchy, ground, scratch);
        let windows = &mut scratch.builder.windows;
        let target = self.ahead.back().map_or(self.goal, |&(to, _)| to);
        // With what the last search found of the path ahead, so that this one finds a path as good as that.
        let window = self.ahead.iter().fold(self.rest, |all, &(_, window)| all.union(window));
        let window = window.grown(MARGIN, ground.layer.layout());
        windows.expanded = 0;
        let cost = windows.find(ground, window, self.at, target);
        self.expanded = self.expanded.saturating_add(windows.expanded);
        debug_assert!(cost.is_some(), "the edges lead there");
        // Without a path, too: the hierarchy does not fit the ground, and the rest of the path is not known.
        if self.expanded > self.expansions_max || cost.is_none() {
            return Err(SearchEnd::Limit);
        }
        let mut path = Vec::new();
        windows.trace(target, &mut path);
        path.reverse();
        self.finished = self.edges.is_empty();
        // Half of it is kept: what lies near the target would bend towards a transition that the next search
        // may avoid.
        let kept = if self.finished { path.len() - 1 } else { path.len() / 2 };
        self.at = path[kept];
        self.cost = self.cost.saturating_add(windows.cost(self.at).unwrap_or(0));
        self.rest = GridBounds::of_points(&path[kept..]).unwrap_or(self.rest);
        // Some may lie ahead of what is kept. The path that was not kept passes them, and the next window
        // holds it: see `rest`.
        for _ in 0..EDGES_A_PIECE.min(self.ahead.len()) {
            self.ahead.pop_front();
        }
        points.extend_from_slice(&path[1..=kept]);
        Ok(!self.finished)
    }

    /// The cost of all pieces so far, in units.
    pub const fn cost(&self) -> u32 {
        self.cost
    }

    /// Transitions and cells expanded so far.
    pub const fn expanded(&self) -> u32 {
        self.expanded
    }

    /// Moves edges to `ahead` until enough are there or none is left.
    fn look_ahead(&mut self, hierarchy: &Hierarchy, ground: &BodyGround<'_>, scratch: &mut HierarchyScratch) {
        let mut from = self.ahead.back().map_or(self.at, |&(to, _)| to);
        while self.ahead.len() < EDGES_AHEAD {
            let Some(edge) = self.edges.pop() else { return };
            // Put back as the edges inside clusters that it stands for, which the next rounds take.
            if edge.is_block {
                let path = unpack(hierarchy, ground, from, edge.to, scratch);
                self.expanded = self.expanded.saturating_add(scratch.builder.block_graph.expanded);
                self.edges.extend(path.into_iter().rev().map(|to| AbstractEdge { to, is_block: false }));
                continue;
            }
            let window = shared_cluster(hierarchy, from, edge.to);
            self.ahead.push_back((edge.to, window));
            from = edge.to;
        }
    }
}

/// Returns the transitions on a path of minimum cost from one point on a block's rim to another, the first
/// left out.
fn unpack(
    hierarchy: &Hierarchy,
    ground: &BodyGround<'_>,
    from: GridPoint,
    to: GridPoint,
    scratch: &mut HierarchyScratch,
) -> Vec<GridPoint> {
    let builder = &mut scratch.builder;
    builder.block_graph.expanded = 0;
    let mut best: Option<(u32, Vec<GridPoint>)> = None;
    // Two points on one line lie in the blocks on both of its sides.
    for block in hierarchy.blocks.squares(from) {
        if !hierarchy.blocks.squares(to).any(|other| other == block) {
            continue;
        }
        let clusters = hierarchy.clusters_of(ground, block, builder);
        builder.block_graph.assemble(&clusters);
        let mut path = Vec::new();
        if let Some(cost) = builder.block_graph.find(from, to, &mut path)
            && best.as_ref().is_none_or(|(least, _)| cost < *least)
        {
            best = Some((cost, path));
        }
    }
    // A block's edge always has a path inside it, so the fallback is for a hierarchy that does not fit.
    best.map_or_else(|| vec![to], |(_, path)| path)
}

/// Returns the cells of the clusters that both points lie in: of two clusters where both points lie on the
/// line between them.
fn shared_cluster(hierarchy: &Hierarchy, a: GridPoint, b: GridPoint) -> GridBounds {
    let clusters = hierarchy.clusters;
    let shared = clusters.squares(a).filter(|&n| clusters.squares(b).any(|other| other == n));
    let windows = shared.map(|n| clusters.window(n));
    windows
        .reduce(GridBounds::union)
        .unwrap_or_else(|| GridBounds::of_point(a).union(GridBounds::of_point(b)))
}
