//! A* over entrances: of blocks where neither start nor goal lie, of clusters in the blocks where they do.

use std::sync::Arc;

use smallvec::SmallVec;

use super::cluster::Cluster;
use super::graph::{Hierarchy, Maker};
use super::ground::{BodyGround, Spot, Window};
use super::local::{Estimate, Flow};
use super::queue::RoughQueue;
use crate::cost::Cost;

const NO_STATE: u32 = u32::MAX;
const UNREACHED: u32 = u32::MAX;

/// An entrance as one of the clusters or blocks beside it knows it.
#[derive(Clone, Copy, Debug)]
struct State {
    g: u32,
    /// The state that it was reached from.
    parent: u32,
    /// The place in the list of opened groups of its own.
    group: u32,
    /// Whether the ways on from the entrance were tried with this cost.
    is_done: bool,
}

/// The memory of a search over entrances.
///
/// The entrances of a cluster or block lie side by side, so that trying the ways through it stays within a few cache
/// lines; an entrance between two of them has a state in each.
#[derive(Clone, Debug, Default)]
pub(super) struct AbstractSearch {
    /// By cluster, then by block: its place among the opened groups, if the group there has that number.
    slots: Vec<u32>,
    states: Vec<State>,
    queue: RoughQueue,
}

/// A cluster or block that a search has come to.
#[derive(Clone, Copy)]
struct Group<'a> {
    /// Clusters are counted first, then blocks.
    number: u32,
    is_block: bool,
    /// The state of its first entrance.
    base: u32,
    cluster: &'a Cluster,
}

/// A leg of a way from entrance to entrance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Leg {
    /// Where it ends.
    pub(super) to: Spot,
    /// Whether it leads through a whole block, so that the entrances on the way are not known yet.
    pub(super) coarse: bool,
}

/// What a search over entrances found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// The legs from start to goal, the last one first.
    Way(Vec<Leg>),
    /// There is no way.
    Nothing,
    /// A limit was met.
    Limit,
}

/// What a search starts with at the goals' end: entrances that lead to a goal.
struct Arrivals {
    /// Ascending by spot: entrance, cost to the goal, goal.
    entrances: Vec<(Spot, u32, Spot)>,
    /// Cells of the clusters that goals lie in.
    windows: SmallVec<[Window; 2]>,
    /// Blocks that are searched by their clusters: those of start and goals.
    open_blocks: SmallVec<[u32; 4]>,
}

impl AbstractSearch {
    pub(super) fn memory(&self) -> usize {
        self.slots.capacity() * 4 + self.states.capacity() * size_of::<State>() + self.queue.memory()
    }

    /// Finds a cheap way over entrances from `start` to one of `goals`, adding what it expands to `expanded`.
    pub(super) fn run(
        &mut self,
        hierarchy: &Hierarchy,
        ground: &BodyGround<'_>,
        (start, goals): (Spot, &[Spot]),
        (expanded, expansions_max): (&mut u32, u32),
        maker: &mut Maker,
    ) -> Found {
        let around = |all: Window, &goal: &Spot| all.union(Window::of_spot(goal));
        let box_of_goals = goals.iter().fold(Window::of_spot(goals[0]), around);
        let (cheapest, dearest) = ground.extremes();
        let estimate = Estimate::new(ground.mode, cheapest, box_of_goals).eagerly(ground.costs.is_some());
        maker.local.expanded = 0;
        let (arrivals, mut best) = look_at_goals(hierarchy, ground, start, goals, maker);
        let once = ground.costs.is_some();
        let groups = Vec::new();
        let mut search =
            Running { hierarchy, ground, estimate, once, memory: self, groups, overflowed: false };
        // Costs of edges are not bounded; those that lie beyond are put into order later.
        let span = u32::from(cheapest.diagonal).max(u32::from(dearest.straight) / 4).min(4096) << 9;
        search.begin(start, span, maker);
        *expanded += maker.local.expanded;

        let mut last = NO_STATE;
        while let Some((floor, entry)) = search.memory.queue.pop() {
            if best.is_some_and(|(cost, _)| cost <= floor) {
                break;
            }
            if entry.g != search.memory.states[entry.node as usize].g {
                continue;
            }
            if *expanded >= expansions_max {
                return Found::Limit;
            }
            *expanded += 1;
            let spot = search.spot(entry.node);
            if let Some((cost, goal)) = arrivals.at(spot)
                && best.is_none_or(|(b, _)| entry.g + cost < b)
            {
                best = Some((entry.g + cost, goal));
                last = entry.node;
            }
            search.expand(entry.node, spot, &arrivals.open_blocks, maker);
        }
        match best {
            Some((cost, goal)) if cost < Cost::MAX.units() => Found::Way(search.legs(last, goal)),
            None if !search.overflowed => Found::Nothing,
            _ => Found::Limit,
        }
    }
}

/// A search under way.
struct Running<'a, 'g> {
    hierarchy: &'a Hierarchy,
    ground: &'a BodyGround<'g>,
    estimate: Estimate,
    /// Whether the ways on from an entrance are tried once only, although it may be reached more cheaply later. Where
    /// costs vary: trying again took islands with dear water ten times as long, for ways hardly cheaper (bench
    /// `hierarchy`).
    once: bool,
    memory: &'a mut AbstractSearch,
    groups: Vec<Group<'a>>,
    /// Whether some entrance lies beyond the largest cost.
    overflowed: bool,
}

impl Running<'_, '_> {
    /// Reaches the entrances of the start's cluster.
    fn begin(&mut self, start: Spot, span: u32, maker: &mut Maker) {
        let fine = self.hierarchy.fine;
        let count = fine.count() + self.hierarchy.coarse.count();
        if self.memory.slots.len() < count {
            self.memory.slots = vec![0; count];
        }
        self.memory.states.clear();
        let key = self.estimate.of(start.x(), start.y());
        self.memory.queue.clear(key, span);
        let number = fine.cluster(start);
        let group = self.group(number, false, maker);
        maker.local.flood(self.ground, fine.window(number), &[start], Flow::Out);
        let Group { base, cluster, .. } = self.groups[group as usize];
        for (n, &spot) in cluster.spots().iter().enumerate() {
            if let Some(g) = maker.local.cost(spot) {
                self.reach(base + n as u32, spot, g, NO_STATE);
            }
        }
    }

    /// The place of a cluster or block among the opened groups; it is opened if it is not.
    #[inline]
    fn group(&mut self, cluster: u32, is_block: bool, maker: &mut Maker) -> u32 {
        let number = if is_block { self.hierarchy.fine.count() as u32 } else { 0 } + cluster;
        let slot = self.memory.slots[number as usize];
        if self.groups.get(slot as usize).is_some_and(|group| group.number == number) {
            return slot;
        }
        let cluster = if is_block {
            self.hierarchy.block(self.ground, cluster, maker)
        } else {
            self.hierarchy.cluster(self.ground, cluster, maker)
        };
        let slot = self.groups.len() as u32;
        self.memory.slots[number as usize] = slot;
        let base = self.memory.states.len() as u32;
        self.groups.push(Group { number, is_block, base, cluster });
        let fresh = State { g: UNREACHED, parent: NO_STATE, group: slot, is_done: false };
        self.memory.states.resize(base as usize + cluster.spots().len(), fresh);
        slot
    }

    fn spot(&self, state: u32) -> Spot {
        let group = &self.groups[self.memory.states[state as usize].group as usize];
        group.cluster.spots()[(state - group.base) as usize]
    }

    /// Tries the ways from an entrance through all clusters or blocks beside it.
    fn expand(&mut self, state: u32, spot: Spot, open_blocks: &[u32], maker: &mut Maker) {
        let (hierarchy, g) = (self.hierarchy, self.memory.states[state as usize].g);
        let own = self.memory.states[state as usize].group;
        // Groups beside the entrance, with its place in each.
        let mut beside: SmallVec<[(u32, u32); 4]> = SmallVec::new();
        let blocks = hierarchy.coarse.clusters(spot).filter(|block| !open_blocks.contains(block));
        let clusters =
            hierarchy.fine.clusters(spot).filter(|&c| open_blocks.contains(&hierarchy.block_of(c)));
        for (number, is_block) in blocks.map(|b| (b, true)).chain(clusters.map(|c| (c, false))) {
            let group = self.group(number, is_block, maker);
            let Group { base, cluster, .. } = self.groups[group as usize];
            if group == own {
                beside.push((group, state - base));
                continue;
            }
            let Some(place) = cluster.place(spot) else { continue };
            let twin = self.memory.states[base as usize + place];
            if twin.g < g || twin.is_done && (twin.g == g || self.once) {
                // It was reached as cheaply from the other side, and is looked at from there; or it was looked at.
                return;
            }
            beside.push((group, place as u32));
        }
        for (group, place) in beside {
            let Group { base, cluster, .. } = self.groups[group as usize];
            let here = &mut self.memory.states[(base + place) as usize];
            (here.g, here.is_done) = (g, true);
            for edge in cluster.edges(place as usize) {
                let to = base + u32::from(edge.to);
                let g = g.saturating_add(edge.cost);
                let known = self.memory.states[to as usize];
                if g < known.g && !(known.is_done && self.once) {
                    self.reach(to, cluster.spots()[usize::from(edge.to)], g, state);
                }
            }
        }
    }

    #[inline]
    fn reach(&mut self, to: u32, spot: Spot, g: u32, parent: u32) {
        if g >= Cost::MAX.units() {
            self.overflowed = true;
            return;
        }
        let state = &mut self.memory.states[to as usize];
        (state.g, state.parent, state.is_done) = (g, parent, false);
        self.memory.queue.push(g + self.estimate.of(spot.x(), spot.y()), g, to);
    }

    /// The legs that end at `goal` with the entrance of `last` before it, backwards.
    fn legs(&self, last: u32, goal: Spot) -> Vec<Leg> {
        let mut legs = vec![Leg { to: goal, coarse: false }];
        let mut at = last;
        while at != NO_STATE {
            let State { parent, group, .. } = self.memory.states[at as usize];
            legs.push(Leg { to: self.spot(at), coarse: self.groups[group as usize].is_block });
            at = parent;
        }
        legs
    }
}

impl Arrivals {
    /// What it costs from an entrance to the nearest goal in its cluster, and that goal.
    #[inline]
    fn at(&self, spot: Spot) -> Option<(u32, Spot)> {
        if !self.windows.iter().any(|window| window.contains(spot)) {
            return None;
        }
        let place = self.entrances.binary_search_by_key(&spot, |&(spot, ..)| spot).ok()?;
        Some((self.entrances[place].1, self.entrances[place].2))
    }
}

/// Floods the clusters that goals lie in; returns too what it costs to get straight from start to goal inside one.
fn look_at_goals(
    hierarchy: &Hierarchy,
    ground: &BodyGround<'_>,
    start: Spot,
    goals: &[Spot],
    maker: &mut Maker,
) -> (Arrivals, Option<(u32, Spot)>) {
    let mut arrivals = Arrivals {
        entrances: Vec::new(),
        windows: SmallVec::new(),
        open_blocks: SmallVec::from_slice(&[hierarchy.block_of(hierarchy.fine.cluster(start))]),
    };
    let mut straight = None;
    let mut numbers: SmallVec<[u32; 4]> = goals.iter().map(|&goal| hierarchy.fine.cluster(goal)).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let mut cells = Vec::new();
    for number in numbers {
        let of_cluster: SmallVec<[Spot; 8]> =
            goals.iter().copied().filter(|&goal| hierarchy.fine.cluster(goal) == number).collect();
        let window = hierarchy.fine.window(number);
        let cluster = Arc::clone(hierarchy.cluster(ground, number, maker));
        maker.local.flood(ground, window, &of_cluster, Flow::In);
        let mut reached = |spot: Spot| {
            let cost = maker.local.cost(spot)?;
            cells.clear();
            maker.local.trace(spot, &mut cells);
            Some((cost, *cells.last()?))
        };
        for &spot in cluster.spots() {
            arrivals.entrances.extend(reached(spot).map(|(cost, goal)| (spot, cost, goal)));
        }
        if window.contains(start) {
            straight = straight.into_iter().chain(reached(start)).min();
        }
        arrivals.windows.push(window);
        arrivals.open_blocks.push(hierarchy.block_of(number));
    }
    arrivals.entrances.sort_unstable();
    arrivals.entrances.dedup_by_key(|&mut (spot, ..)| spot);
    (arrivals, straight)
}
