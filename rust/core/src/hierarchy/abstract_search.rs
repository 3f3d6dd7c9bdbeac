//! A\* over the abstract graph: over blocks where neither start nor goal lie, over clusters in the blocks
//! where they do.
//!
//! Start and goals are inserted by searches over the cells of their clusters. The result is a list of
//! abstract edges, which the path refiner turns into cells. It is near-optimal: transitions are only some of
//! the cells on a line, edges are left out up to a slack, and where costs vary the heuristic is weighted.

use std::sync::Arc;

use smallvec::SmallVec;

use super::abstract_states::{AbstractStates, Group, NO_STATE, State};
use super::builder::ClusterBuilder;
use super::cluster::Cluster;
use super::graph::{Hierarchy, HierarchyScratch};
use super::ground::BodyGround;
use super::window_search::CostsRun;
use crate::cost::Cost;
use crate::primitives::{
    Estimate, Frontier, GridBounds, GridPoint, Heuristic, Label, Labels, SearchEnd, search_label_correcting,
};

/// The part that the heuristic is raised by where costs vary, in 32nds: there, the minimum cost of a step
/// says little of most steps. On 4096² a first piece comes in half of the time that it takes without, for at
/// most 1.3 % of cost in the mean. 4 would save a tenth to a fifth of that time, and bring costs on islands
/// near to the 2 % that are promised.
const EXCESS: u32 = 3;

/// An edge of an abstract path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct AbstractEdge {
    /// The transition or goal at its end. It begins where the edge before it ends.
    pub(super) to: GridPoint,
    /// If `true`, it leads through a whole block, and the transitions in between are not known yet.
    pub(super) is_block: bool,
}

/// The ends of a path over the graph: for each transition in a goal's cluster, the cost from there to the
/// nearest goal.
struct Arrivals {
    /// Ascending by point: transition, cost to the nearest goal in its cluster, that goal.
    transitions: Vec<(GridPoint, u32, GridPoint)>,
    /// Cells of the clusters that goals lie in.
    windows: SmallVec<[GridBounds; 2]>,
    /// Blocks that are searched by their clusters: those of start and goals, as the edges of a block join
    /// only transitions on its rim.
    open_blocks: SmallVec<[u32; 4]>,
}

/// Finds a path over transitions from `start` to one of `goals`, as edges with the last one first. Adds what
/// it expands to `expanded`, of which at most `expansions_max` are allowed.
///
/// # Errors
/// [`SearchEnd::Exhausted`] without a path, [`SearchEnd::Limit`] when a limit was met.
pub(super) fn search(
    hierarchy: &Hierarchy,
    ground: &BodyGround<'_>,
    (start, goals): (GridPoint, &[GridPoint]),
    (expanded, expansions_max): (&mut u32, u32),
    scratch: &mut HierarchyScratch,
) -> Result<Vec<AbstractEdge>, SearchEnd> {
    let Some(bounds) = GridBounds::of_points(goals) else { return Err(SearchEnd::Exhausted) };
    let HierarchyScratch { builder, states } = scratch;
    let (minimum, maximum) = ground.extremes();
    let mut heuristic = Heuristic::new(ground.mode, minimum, bounds);
    if ground.costs.is_some() {
        heuristic = heuristic.weighted(EXCESS);
    }
    builder.windows.expanded = 0;
    let (arrivals, direct) = search_ends(hierarchy, ground, start, goals, builder);
    let mut frontier = std::mem::take(&mut states.frontier);
    let mut labels = AbstractLabels {
        hierarchy,
        ground,
        builder,
        heuristic,
        expands_once: ground.costs.is_some(),
        memory: states,
        groups: Vec::new(),
        arrivals: &arrivals,
        best: direct.map(|(cost, goal)| (cost, goal, NO_STATE)),
        overflowed: false,
    };
    // 512 steps, so that a bucket is half a step to a step wide. An edge may cost more than all buckets span;
    // the queue keeps such keys in a list until they are due.
    let span = u32::from(minimum.diagonal).max(u32::from(maximum.straight) / 4).min(4096) << 9;
    frontier.clear_coarse(heuristic.estimate(start.x(), start.y()), span);
    labels.insert_start(start, &mut frontier);
    *expanded += labels.builder.windows.expanded;
    let found = search_label_correcting(&mut frontier, &mut labels, expansions_max.saturating_sub(*expanded));
    let (Ok(more) | Err(more)) = found;
    *expanded += more;
    // The limit comes before a goal that is known: a better one may be among what was not expanded.
    let result = match labels.best {
        _ if found.is_err() => Err(SearchEnd::Limit),
        Some((cost, goal, last)) if cost < Cost::MAX.units() => Ok(labels.edges(last, goal)),
        None if !labels.overflowed => Err(SearchEnd::Exhausted),
        _ => Err(SearchEnd::Limit),
    };
    states.frontier = frontier;
    result
}

/// The labels of a search: a state for each transition in each cluster or block that it has opened.
struct AbstractLabels<'a, 'g> {
    hierarchy: &'a Hierarchy,
    ground: &'a BodyGround<'g>,
    builder: &'a mut ClusterBuilder,
    heuristic: Heuristic,
    /// If `true`, a transition's edges are tried once only, although it may be reached at less later. Set
    /// where costs vary: there, trying again took ten times as long on islands with water of high cost, for
    /// paths that hardly cost less (bench `hierarchy`).
    expands_once: bool,
    memory: &'a mut AbstractStates,
    groups: Vec<Group<'a>>,
    arrivals: &'a Arrivals,
    /// The best goal so far: cost, goal, and the state before it.
    best: Option<(u32, GridPoint, u32)>,
    /// If `true`, some transition was left out because it costs [`Cost::MAX`] or more.
    overflowed: bool,
}

impl Labels for AbstractLabels<'_, '_> {
    #[inline]
    fn cost(&self, node: u32) -> u32 {
        self.memory.states[node as usize].g
    }

    #[inline]
    fn bound(&self) -> u32 {
        self.best.map_or(u32::MAX, |(cost, ..)| cost)
    }

    /// Notes what the transition costs as the last one before a goal, and tries the edges from it through all
    /// clusters or blocks beside it.
    fn expand(&mut self, state: u32, g: u32, frontier: &mut Frontier) {
        let own = self.memory.states[state as usize].group;
        let point = self.groups[own as usize].point(state);
        // Goals have no states: a path to one ends with its last transition and the cost from there.
        if let Some((cost, goal)) = self.arrivals.at(point)
            && g + cost < self.bound()
        {
            self.best = Some((g + cost, goal, state));
        }
        let Some(beside) = self.groups_beside(state, point, g) else { return };
        for (group, place) in beside {
            let Group { base, cluster, .. } = self.groups[group as usize];
            // All states of the transition take this cost, so entries that are queued for the others are
            // skipped.
            let here = &mut self.memory.states[(base + place) as usize];
            (here.g, here.is_done) = (g, true);
            for edge in cluster.edges(place as usize) {
                let to = base + u32::from(edge.to);
                let g = g.saturating_add(edge.cost);
                let known = self.memory.states[to as usize];
                if g < known.g && !(known.is_done && self.expands_once) {
                    self.reach(to, cluster.transitions()[usize::from(edge.to)], g, state, frontier);
                }
            }
        }
    }
}

impl<'a> AbstractLabels<'a, '_> {
    /// Reaches the transitions of the start's cluster.
    fn insert_start(&mut self, start: GridPoint, frontier: &mut Frontier) {
        let clusters = self.hierarchy.clusters;
        self.memory.clear(clusters.count() + self.hierarchy.blocks.count());
        // One cluster is enough, also for a start on a line: its entrance has a transition, which the other
        // clusters share.
        let number = clusters.square(start);
        let group = self.open(number, false);
        let window = clusters.window(number);
        self.builder.windows.search_all(self.ground, window, &[start], CostsRun::FromSources);
        let Group { base, cluster, .. } = self.groups[group as usize];
        for (n, &point) in cluster.transitions().iter().enumerate() {
            if let Some(g) = self.builder.windows.cost(point) {
                self.reach(base + n as u32, point, g, NO_STATE, frontier);
            }
        }
    }

    /// Returns the place of a cluster or block among the opened groups; opens it if it is not.
    #[inline]
    fn open(&mut self, square: u32, is_block: bool) -> u32 {
        let number = if is_block { self.hierarchy.clusters.count() as u32 } else { 0 } + square;
        let slot = self.memory.slots[number as usize];
        if self.groups.get(slot as usize).is_some_and(|group| group.number == number) {
            return slot;
        }
        let cluster: &'a Cluster = if is_block {
            self.hierarchy.block(self.ground, square, self.builder)
        } else {
            self.hierarchy.cluster(self.ground, square, self.builder)
        };
        let slot = self.groups.len() as u32;
        self.memory.slots[number as usize] = slot;
        let base = self.memory.add(slot, cluster.transitions().len());
        self.groups.push(Group { number, is_block, base, cluster });
        slot
    }

    /// Returns the groups that share a transition, with its place in each; `None` if it was or will be
    /// expanded by its state in another one of them.
    #[inline]
    fn groups_beside(&mut self, state: u32, point: GridPoint, g: u32) -> Option<SmallVec<[(u32, u32); 4]>> {
        let (hierarchy, own) = (self.hierarchy, self.memory.states[state as usize].group);
        let open = &self.arrivals.open_blocks;
        let mut beside: SmallVec<[(u32, u32); 4]> = SmallVec::new();
        // Each part of the map once: by its block, or by clusters where the block is open.
        let blocks = hierarchy.blocks.squares(point).filter(|block| !open.contains(block));
        let clusters = hierarchy.clusters.squares(point).filter(|&c| open.contains(&hierarchy.block_of(c)));
        for (number, is_block) in blocks.map(|b| (b, true)).chain(clusters.map(|c| (c, false))) {
            let group = self.open(number, is_block);
            let Group { base, cluster, .. } = self.groups[group as usize];
            if group == own {
                beside.push((group, state - base));
                continue;
            }
            // Where lines cross, a point may be a transition of some of the four squares only: runs end at
            // the crossing.
            let Some(place) = cluster.place(point) else { continue };
            let other = self.memory.states[base as usize + place];
            // Its other state has a lower cost, or has been expanded: that one stands for both.
            if other.g < g || other.is_done && (other.g == g || self.expands_once) {
                return None;
            }
            beside.push((group, place as u32));
        }
        Some(beside)
    }

    #[inline]
    fn reach(&mut self, to: u32, point: GridPoint, g: u32, parent: u32, frontier: &mut Frontier) {
        if g >= Cost::MAX.units() {
            self.overflowed = true;
            return;
        }
        let state = &mut self.memory.states[to as usize];
        *state = State { g, parent, is_done: false, ..*state };
        frontier.push(g + self.heuristic.estimate(point.x(), point.y()), Label { g, node: to });
    }

    /// The edges to `goal` with the transition of state `last` before it, backwards.
    fn edges(&self, last: u32, goal: GridPoint) -> Vec<AbstractEdge> {
        let mut edges = vec![AbstractEdge { to: goal, is_block: false }];
        let mut at = last;
        while at != NO_STATE {
            let State { parent, group, .. } = self.memory.states[at as usize];
            let group = &self.groups[group as usize];
            edges.push(AbstractEdge { to: group.point(at), is_block: group.is_block });
            at = parent;
        }
        edges
    }
}

impl Arrivals {
    /// Returns the cost from a transition to the nearest goal in its cluster, and that goal.
    #[inline]
    fn at(&self, point: GridPoint) -> Option<(u32, GridPoint)> {
        // Most transitions lie in no goal's cluster.
        if !self.windows.iter().any(|window| window.contains(point)) {
            return None;
        }
        let place = self.transitions.binary_search_by_key(&point, |&(point, ..)| point).ok()?;
        Some((self.transitions[place].1, self.transitions[place].2))
    }
}

/// Searches the cells of the clusters that goals lie in. Returns what the search over the graph needs of
/// them. If `start` lies in such a cluster, also returns its nearest goal within the cluster, and the cost to
/// it.
fn search_ends(
    hierarchy: &Hierarchy,
    ground: &BodyGround<'_>,
    start: GridPoint,
    goals: &[GridPoint],
    builder: &mut ClusterBuilder,
) -> (Arrivals, Option<(u32, GridPoint)>) {
    let clusters = hierarchy.clusters;
    let mut arrivals = Arrivals {
        transitions: Vec::new(),
        windows: SmallVec::new(),
        open_blocks: SmallVec::from_slice(&[hierarchy.block_of(clusters.square(start))]),
    };
    let mut direct = None;
    // A goal on a line counts for one of its clusters, as the start does.
    let mut numbers: SmallVec<[u32; 4]> = goals.iter().map(|&goal| clusters.square(goal)).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let mut path = Vec::new();
    for number in numbers {
        let in_cluster: SmallVec<[GridPoint; 8]> =
            goals.iter().copied().filter(|&goal| clusters.square(goal) == number).collect();
        let window = clusters.window(number);
        let cluster = Arc::clone(hierarchy.cluster(ground, number, builder));
        builder.windows.search_all(ground, window, &in_cluster, CostsRun::ToSources);
        // The search runs from the goals, so a point's trace ends at the goal nearest to it.
        let mut reached = |point: GridPoint| {
            let cost = builder.windows.cost(point)?;
            path.clear();
            builder.windows.trace(point, &mut path);
            Some((cost, *path.last()?))
        };
        for &point in cluster.transitions() {
            arrivals.transitions.extend(reached(point).map(|(cost, goal)| (point, cost, goal)));
        }
        if window.contains(start) {
            direct = direct.into_iter().chain(reached(start)).min();
        }
        arrivals.windows.push(window);
        arrivals.open_blocks.push(hierarchy.block_of(number));
    }
    // Of a transition that two goals' clusters share, the lesser cost is kept, which sorts first.
    arrivals.transitions.sort_unstable_by_key(|&(point, cost, goal)| (point.packed(), cost, goal.packed()));
    arrivals.transitions.dedup_by_key(|&mut (point, ..)| point);
    (arrivals, direct)
}
