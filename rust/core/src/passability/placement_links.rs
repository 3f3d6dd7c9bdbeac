//! The links that bodies of one kind take, as steps between placements.
//!
//! A body takes a link where one of its cells covers the link's beginning: the step brings the same cell onto
//! the link's end. So a body of w×h cells has w·h steps for each way of a link, of which those count whose
//! both ends are valid placements. That is looked at when a step is used, so what stands on the map changes
//! nothing here.

use std::ops::Range;

use super::LayerKey;
use crate::bitgrid::local;
use crate::geometry::CellRect;
use crate::terrain::{Link, Links, Terrain};

/// A step over a link.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct LinkStep {
    /// The placement where it begins, by padded index.
    pub(crate) from: u32,
    /// The placement where it ends.
    pub(crate) to: u32,
    /// What it costs, in units.
    pub(crate) cost: u32,
    /// How many columns and rows its ends are apart.
    pub(crate) columns: u16,
    pub(crate) rows: u16,
    /// The number of the link.
    pub(crate) link: u32,
    /// How many bodies can be on it at a time; 0 for any number.
    pub(crate) bodies_max: u32,
    /// How long a body takes, in milliseconds; `None` for the time that the straight line takes at its speed.
    pub(crate) millis: Option<u32>,
}

/// The steps over links, by both ends. Of links between two placements the one of least cost counts; of these,
/// the one with the lowest number.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct PlacementLinks {
    /// Sorted by where they begin, then where they end.
    leaving: Vec<LinkStep>,
    /// Sorted by where they end, then where they begin.
    arriving: Vec<LinkStep>,
    /// The placements where some begin or end, ascending.
    ends: Vec<u32>,
    /// Changes of the map's links that it is made from.
    changes: u64,
}

impl PlacementLinks {
    /// Returns the steps of bodies of `key`. Takes time in proportion to the links and the cells of the body.
    pub(super) fn build(terrain: &Terrain, key: LayerKey) -> Self {
        let links = terrain.link_table();
        let mut leaving = Vec::new();
        let takes = |link: &&Link| link.takes(key.footprint, key.capability);
        for (id, link) in links.into_iter().flat_map(Links::iter).filter(|(_, link)| takes(link)) {
            for anchor in key.footprint.anchors_touching(CellRect::cell(link.from)).cells() {
                let arrived = link.to.offset(anchor.x - link.from.x, anchor.y - link.from.y);
                let index = |anchor| {
                    local(terrain.region(), anchor).map(|(x, y)| terrain.layout().index(x, y).number())
                };
                if let (Some(from), Some(to)) = (index(anchor), index(arrived)) {
                    let step = LinkStep {
                        from,
                        to,
                        cost: link.cost.units(),
                        columns: link.from.x.abs_diff(link.to.x) as u16,
                        rows: link.from.y.abs_diff(link.to.y) as u16,
                        link: id,
                        bodies_max: link.bodies_max,
                        millis: link.seconds.map(|seconds| (seconds * 1000.0) as u32),
                    };
                    leaving.push(step);
                    leaving.extend(link.is_two_way.then_some(LinkStep { from: to, to: from, ..step }));
                }
            }
        }
        leaving.sort_unstable();
        leaving.dedup_by_key(|step| (step.from, step.to));
        let mut arriving = leaving.clone();
        arriving.sort_unstable_by_key(|step| (step.to, step.from));
        let mut ends: Vec<u32> = leaving.iter().flat_map(|step| [step.from, step.to]).collect();
        ends.sort_unstable();
        ends.dedup();
        Self { leaving, arriving, ends, changes: links.map_or(0, Links::changes) }
    }

    /// Returns whether it is made from the links that the map has now.
    pub(super) fn is_of(&self, terrain: &Terrain) -> bool {
        self.changes == terrain.link_table().map_or(0, Links::changes)
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.leaving.is_empty()
    }

    /// Returns all steps.
    pub(crate) fn steps(&self) -> &[LinkStep] {
        &self.leaving
    }

    /// Returns the steps that begin at a placement.
    pub(crate) fn from(&self, index: u32) -> &[LinkStep] {
        run(&self.leaving, |step| step.from, index..index + 1)
    }

    /// Returns the steps that end at a placement.
    pub(crate) fn to(&self, index: u32) -> &[LinkStep] {
        run(&self.arriving, |step| step.to, index..index + 1)
    }

    /// Returns the steps that end at one of the padded cells `cells`.
    pub(crate) fn into(&self, cells: Range<u32>) -> &[LinkStep] {
        run(&self.arriving, |step| step.to, cells)
    }

    /// Returns the step from one placement to another.
    pub(crate) fn between(&self, from: u32, to: u32) -> Option<&LinkStep> {
        self.from(from).iter().find(|step| step.to == to)
    }

    /// Returns where steps begin or end among the placements of a word.
    pub(super) fn ends_in(&self, word: usize) -> u64 {
        let first = (word << 6) as u32;
        let ends = self.ends[self.ends.partition_point(|&end| end < first)..].iter();
        ends.take_while(|&&end| end < first + 64).fold(0, |bits, &end| bits | 1 << (end & 63))
    }

    /// Returns the bytes on the heap.
    pub(super) fn memory(&self) -> usize {
        (self.leaving.capacity() + self.arriving.capacity()) * size_of::<LinkStep>()
            + self.ends.capacity() * size_of::<u32>()
    }
}

/// Returns the steps whose key lies in a range; `steps` ascend by it.
fn run(steps: &[LinkStep], key: impl Fn(&LinkStep) -> u32, keys: Range<u32>) -> &[LinkStep] {
    let first = steps.partition_point(|step| key(step) < keys.start);
    let rest = &steps[first..];
    &rest[..rest.partition_point(|step| key(step) < keys.end)]
}
