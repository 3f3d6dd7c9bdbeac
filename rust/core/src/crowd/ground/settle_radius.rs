//! Settle radii: how much room all agents take that go to one goal.
//!
//! The rectangles around their outlines are summed up by group and taken as the area of one disc. Sums are
//! integers, so their order does not matter.

use super::map::CrowdGround;
use crate::crowd::state::outline::Outline;
use crate::crowd::state::routes::{NO_GUIDE, PATH_GUIDE, Routes};

/// Areas count in parts of a cell, so that sums do not depend on their order.
const PARTS: f32 = 1024.0;

/// The area of all agents that follow each field, and each path, in parts of a cell.
#[derive(Clone, Debug, Default)]
pub(in crate::crowd) struct Areas {
    fields: Vec<u64>,
    paths: Vec<u64>,
}

/// The rectangles around the outlines of the agents that follow one guide or another of one group would fill
/// a disc with such a radius, in cells; by field, and by path.
#[derive(Clone, Debug, Default)]
pub(in crate::crowd) struct SettleRadii {
    fields: Vec<f32>,
    paths: Vec<f32>,
}

impl Areas {
    pub fn clear(&mut self) {
        self.fields.clear();
        self.paths.clear();
    }

    fn of(&mut self, guide: u32) -> Option<&mut u64> {
        if guide == NO_GUIDE {
            return None;
        }
        let list = if guide & PATH_GUIDE == 0 { &mut self.fields } else { &mut self.paths };
        let index = (guide & !PATH_GUIDE) as usize;
        if index >= FAR {
            return None;
        }
        if index >= list.len() {
            list.resize(index + 1, 0);
        }
        list.get_mut(index)
    }

    /// Returns `true` if agents follow `guide`.
    pub fn has(&self, guide: u32) -> bool {
        let list = if guide & PATH_GUIDE == 0 { &self.fields } else { &self.paths };
        list.get((guide & !PATH_GUIDE) as usize).is_some_and(|area| *area > 0)
    }

    /// One more agent with this outline follows `guide` from now on.
    pub fn join(&mut self, guide: u32, outline: Outline) {
        if let Some(area) = self.of(guide) {
            *area += parts(outline);
        }
    }

    /// One agent with this outline follows `guide` no more.
    pub fn leave(&mut self, guide: u32, outline: Outline) {
        if let Some(area) = self.of(guide) {
            *area -= parts(outline);
        }
    }
}

/// Guides with greater numbers have no reach: bytes that were tampered with must not ask for memory.
const FAR: usize = 1 << 16;

fn parts(outline: Outline) -> u64 {
    // Whole numbers, so that a sum is the same in any order, and zero again when all have left.
    (outline.area() * PARTS) as u64
}

impl SettleRadii {
    /// Sums up what those of one group take.
    pub fn update(&mut self, areas: &Areas, ground: &CrowdGround<'_>, routes: &Routes) {
        let mut groups: Vec<(u32, u64)> = Vec::new();
        let field = |guide: usize| guide as u32;
        let path = |guide: usize| guide as u32 | PATH_GUIDE;
        let each = areas.fields.iter().enumerate().map(|(n, area)| (field(n), area));
        let each = each.chain(areas.paths.iter().enumerate().map(|(n, area)| (path(n), area)));
        groups.extend(
            each.filter(|(_, area)| **area > 0).map(|(guide, area)| (ground.group(guide, routes), *area)),
        );
        // Several fields and paths lead to one goal: bodies of other kinds, and those with paths of their
        // own.
        groups.sort_unstable();
        groups.dedup_by(|next, first| {
            let is_one = next.0 == first.0;
            first.1 += if is_one { next.1 } else { 0 };
            is_one
        });
        let reach = |guide: u32| {
            let index = groups.binary_search_by_key(&ground.group(guide, routes), |group| group.0);
            let area = index.map_or(0, |index| groups[index].1);
            (area as f32 * (1.0 / (PARTS * std::f32::consts::PI))).sqrt()
        };
        self.fields.clear();
        self.fields.extend((0..areas.fields.len()).map(|n| reach(field(n))));
        self.paths.clear();
        self.paths.extend((0..areas.paths.len()).map(|n| reach(path(n))));
    }

    pub fn of(&self, guide: u32) -> f32 {
        let list = if guide & PATH_GUIDE == 0 { &self.fields } else { &self.paths };
        list.get((guide & !PATH_GUIDE) as usize).copied().unwrap_or(f32::INFINITY)
    }
}
