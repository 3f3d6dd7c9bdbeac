//! A lower bound on the cost to a goal where links are *short cuts*: steps that cost less than the octile
//! distance between their ends.
//!
//! Other links cost at least the octile distance between their ends, so the octile distance h to the goals
//! stays consistent over them. Short cuts are put into at most [`GROUPS_MAX`] groups by where they begin. Let
//! d(p, i) be the octile distance from p to the bounds of the beginnings of group i, and
//!
//! ```text
//! bound(p) = min(h(p), min over i of d(p, i) + R(i))
//! R(i) = min over the links a → b of group i of cost(a → b) + bound(b)
//! ```
//!
//! The R(i) that solve these equations are the costs of shortest paths over the groups. The bound
//! is *consistent*. A step lowers h and each d(·, i) by at most what it costs, and so does a link that is no
//! short cut, by the triangle inequality. For a short cut a → b of group i, d(a, i) = 0, so bound(a) ≤ R(i) ≤
//! cost + bound(b). At a goal h is 0, so by consistency the bound is nowhere more than the cost to a goal. With
//! few short cuts each is a group of its own, and on open ground the bound is exact.

use crate::bitgrid::{GridLayout, PaddedIndex};
use crate::cost::Cost;
use crate::passability::LinkStep;
use crate::primitives::{Estimate, GridBounds, GridPoint, Heuristic};

/// The most groups: each is one more distance for every node. Not tuned.
const GROUPS_MAX: usize = 16;

/// Where it begins and ends, and its cost.
type ShortCut = (GridPoint, GridPoint, u32);

/// Short cuts that begin near each other.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// The octile distance to where they begin.
    to_begin: Heuristic,
    /// At least what it costs from there to a goal.
    rest: u32,
}

/// The octile distance to the goals where there are short cuts.
#[derive(Clone, Debug)]
pub(super) struct ShortCuts {
    octile: Heuristic,
    /// By what it costs from where they begin, the least first.
    groups: Vec<Group>,
}

impl ShortCuts {
    /// Returns the bound where bodies take the links of `steps`. `to` gives the octile distance to bounds.
    ///
    /// Takes time in proportion to the links, and for n short cuts n log n.
    pub(super) fn new(
        octile: Heuristic,
        to: impl Fn(GridBounds) -> Heuristic,
        steps: &[LinkStep],
        layout: GridLayout,
    ) -> Self {
        let point = |index: u32| GridPoint::of_index(PaddedIndex::new(index as usize), layout);
        // The distance over some columns and rows is that from a corner.
        let over = to(GridBounds::of_point(GridPoint::new(0, 0)));
        let is_short = |step: &&LinkStep| step.cost < over.estimate(step.columns.into(), step.rows.into());
        let short = steps.iter().filter(is_short);
        let mut short: Vec<ShortCut> =
            short.map(|step| (point(step.from), point(step.to), step.cost)).collect();
        let mut parts: Vec<&mut [ShortCut]> = Vec::new();
        split(&mut short, GROUPS_MAX, &mut parts);
        let mut cuts = Self { octile, groups: Vec::with_capacity(parts.len()) };
        for part in &parts {
            let bounds = part.iter().map(|&(from, ..)| GridBounds::of_point(from)).reduce(GridBounds::union);
            let to_begin = bounds.map_or(octile, &to);
            cuts.groups.push(Group { to_begin, rest: Cost::MAX.units() });
        }
        let bound = |groups: &[Group], end: GridPoint| {
            let (x, y) = (end.x(), end.y());
            let over = |group: &Group| group.to_begin.estimate(x, y).saturating_add(group.rest);
            groups.iter().map(over).fold(octile.estimate(x, y), u32::min)
        };
        // Bellman & Ford: each round settles at least one group more.
        let mut is_settled = false;
        while !is_settled {
            is_settled = true;
            for (n, part) in parts.iter().enumerate() {
                let by = part.iter().map(|&(_, end, cost)| cost.saturating_add(bound(&cuts.groups, end)));
                let rest = by.min().unwrap_or(u32::MAX);
                if rest < cuts.groups[n].rest {
                    cuts.groups[n].rest = rest;
                    is_settled = false;
                }
            }
        }
        cuts.groups.sort_unstable_by_key(|group| group.rest);
        cuts
    }
}

impl Estimate for ShortCuts {
    #[inline]
    fn estimate(&self, x: u32, y: u32) -> u32 {
        let mut least = self.octile.estimate(x, y);
        for group in &self.groups {
            // No later one can say less.
            if group.rest >= least {
                break;
            }
            least = least.min(group.to_begin.estimate(x, y).saturating_add(group.rest));
        }
        least
    }
}

/// Splits short cuts into at most `count` parts by where they begin, halving the longer side.
fn split<'a>(short: &'a mut [ShortCut], count: usize, parts: &mut Vec<&'a mut [ShortCut]>) {
    if short.len() <= 1 || count == 1 {
        if !short.is_empty() {
            parts.push(short);
        }
        return;
    }
    let span = |coordinate: fn(GridPoint) -> u32| {
        let (low, high) = short.iter().fold((u32::MAX, 0), |(low, high), &(from, ..)| {
            (low.min(coordinate(from)), high.max(coordinate(from)))
        });
        high - low
    };
    if span(GridPoint::x) > span(GridPoint::y) {
        short.sort_unstable_by_key(|&(from, ..)| (from.x(), from.y()));
    } else {
        short.sort_unstable_by_key(|&(from, ..)| (from.y(), from.x()));
    }
    let (first, second) = short.split_at_mut(short.len() / 2);
    split(first, count / 2, parts);
    split(second, count - count / 2, parts);
}
