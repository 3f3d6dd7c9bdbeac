//! A way over entrances becomes a way over cells, piece by piece from its start on.

use std::collections::VecDeque;

use super::graph::{Hierarchy, HierarchyScratch};
use super::ground::{BodyGround, Spot, Window};
use super::search::{Found, Leg};
use crate::bitgrid::PaddedIndex;

/// Legs that a piece is searched over.
const LEGS_AHEAD: usize = 6;
/// Legs that are left behind by each piece.
const LEGS_A_PIECE: usize = 3;
/// Cells around the clusters of the legs that a piece may take, too.
const MARGIN: u32 = 8;

/// A way that was found over entrances, and how far it is known cell by cell.
#[derive(Clone, Debug)]
pub struct Journey {
    /// Legs that were not looked at, the next one last.
    legs: Vec<Leg>,
    /// The next legs, each with the cluster that it leads through.
    ahead: VecDeque<(Spot, Window)>,
    /// Where the last piece ended.
    at: Spot,
    /// Cells that the way found last takes behind the end of the last piece.
    rest: Window,
    goal: Spot,
    cost: u32,
    finished: bool,
    expanded: u32,
    expansions_max: u32,
}

/// Why there is no journey, or no next piece of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JourneyEnd {
    /// There is no way.
    Nothing,
    /// The limit on expansions was met, or the way costs more than can be counted.
    Limit,
}

impl Hierarchy {
    /// Finds a way over entrances from `start` to one of `goals`, of which there is at least one; all are stands of
    /// `ground`. Of `expansions_max`, what this and the pieces expand is taken together; making clusters does not count.
    ///
    /// # Errors
    /// When there is no way, or a limit was met; with the expansions that it took to find out.
    pub fn find(
        &self,
        ground: &BodyGround<'_>,
        start: PaddedIndex,
        goals: &[PaddedIndex],
        expansions_max: u32,
        scratch: &mut HierarchyScratch,
    ) -> Result<Journey, (JourneyEnd, u32)> {
        let shape = ground.stands.shape();
        let start = Spot::of_index(start, shape);
        let goals: Vec<Spot> = goals.iter().map(|&goal| Spot::of_index(goal, shape)).collect();
        let mut expanded = 0;
        let HierarchyScratch { maker, search } = scratch;
        match search.run(self, ground, (start, &goals), (&mut expanded, expansions_max), maker) {
            Found::Way(legs) => Ok(Journey {
                goal: legs[0].to,
                legs,
                ahead: VecDeque::new(),
                at: start,
                rest: Window::of_spot(start),
                cost: 0,
                finished: false,
                expanded,
                expansions_max,
            }),
            Found::Nothing => Err((JourneyEnd::Nothing, expanded)),
            Found::Limit => Err((JourneyEnd::Limit, expanded)),
        }
    }
}

impl Journey {
    /// Finds the next piece of the way over cells, and appends the places of its cells to `cells`, the first left out:
    /// it is where the last piece ended. Returns whether there is more to come.
    ///
    /// `hierarchy` and `ground` must be those that the journey was found on.
    ///
    /// # Errors
    /// When a limit was met.
    pub fn next_piece(
        &mut self,
        hierarchy: &Hierarchy,
        ground: &BodyGround<'_>,
        scratch: &mut HierarchyScratch,
        cells: &mut Vec<(u32, u32)>,
    ) -> Result<bool, JourneyEnd> {
        if self.finished {
            return Ok(false);
        }
        self.look_ahead(hierarchy, ground, scratch);
        let local = &mut scratch.maker.local;
        let target = self.ahead.back().map_or(self.goal, |&(to, _)| to);
        let window = self.ahead.iter().fold(self.rest, |all, &(_, window)| all.union(window));
        let window = window.grown(MARGIN, ground.stands.shape());
        local.expanded = 0;
        let cost = local.find(ground, window, self.at, target);
        self.expanded = self.expanded.saturating_add(local.expanded);
        debug_assert!(cost.is_some(), "the legs lead there");
        if self.expanded > self.expansions_max || cost.is_none() {
            return Err(JourneyEnd::Limit);
        }
        let mut way = Vec::new();
        local.trace(target, &mut way);
        way.reverse();
        self.finished = self.legs.is_empty();
        let kept = if self.finished { way.len() - 1 } else { way.len() / 2 };
        self.at = way[kept];
        self.cost = self.cost.saturating_add(local.cost(self.at).unwrap_or(0));
        self.rest =
            way[kept..].iter().fold(Window::of_spot(self.at), |all, &s| all.union(Window::of_spot(s)));
        for _ in 0..LEGS_A_PIECE.min(self.ahead.len()) {
            self.ahead.pop_front();
        }
        cells.extend(way[1..=kept].iter().map(|spot| (spot.x() - 1, spot.y() - 1)));
        Ok(!self.finished)
    }

    /// The cost of all pieces so far, in units.
    pub const fn cost(&self) -> u32 {
        self.cost
    }

    /// Entrances and cells expanded so far.
    pub const fn expanded(&self) -> u32 {
        self.expanded
    }

    /// Takes legs until enough are ahead or none is left.
    fn look_ahead(&mut self, hierarchy: &Hierarchy, ground: &BodyGround<'_>, scratch: &mut HierarchyScratch) {
        let mut from = self.ahead.back().map_or(self.at, |&(to, _)| to);
        while self.ahead.len() < LEGS_AHEAD {
            let Some(leg) = self.legs.pop() else { return };
            if leg.coarse {
                let mut way = Vec::new();
                unpack(hierarchy, ground, from, leg.to, scratch, &mut way);
                self.expanded = self.expanded.saturating_add(scratch.maker.interior.expanded);
                self.legs.extend(way.into_iter().rev().map(|to| Leg { to, coarse: false }));
                continue;
            }
            let window = shared_cluster(hierarchy, from, leg.to);
            self.ahead.push_back((leg.to, window));
            from = leg.to;
        }
    }
}

/// Appends the entrances on a cheapest way through the block that both spots lie on the rim of.
fn unpack(
    hierarchy: &Hierarchy,
    ground: &BodyGround<'_>,
    from: Spot,
    to: Spot,
    scratch: &mut HierarchyScratch,
    way: &mut Vec<Spot>,
) {
    let maker = &mut scratch.maker;
    maker.interior.expanded = 0;
    let mut best: Option<(u32, Vec<Spot>)> = None;
    for block in hierarchy.coarse.clusters(from) {
        if !hierarchy.coarse.clusters(to).any(|other| other == block) {
            continue;
        }
        hierarchy.assemble(ground, block, maker);
        let mut through = Vec::new();
        if maker.interior.find(from, to, &mut through) {
            let cost = maker.interior.cost(to).unwrap_or(u32::MAX);
            if best.as_ref().is_none_or(|(b, _)| cost < *b) {
                best = Some((cost, through));
            }
        }
    }
    way.extend(best.map_or_else(|| vec![to], |(_, through)| through));
}

/// The cells of the clusters that both spots lie in.
fn shared_cluster(hierarchy: &Hierarchy, a: Spot, b: Spot) -> Window {
    let shared = hierarchy.fine.clusters(a).filter(|&n| hierarchy.fine.clusters(b).any(|other| other == n));
    let windows = shared.map(|n| hierarchy.fine.window(n));
    windows.reduce(Window::union).unwrap_or_else(|| Window::of_spot(a).union(Window::of_spot(b)))
}
