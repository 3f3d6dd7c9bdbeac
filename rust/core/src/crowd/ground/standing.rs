//! Bodies that stand, as part of the ground of others.

use std::collections::BTreeMap;

use super::map::Kinds;
use super::spread::Window;
use crate::crowd::numbers::tuning::TUNING;
use crate::crowd::numbers::vector::{V, dot, minus};
use crate::crowd::state::agent::Agent;
use crate::crowd::state::avoidance::Avoidance;
use crate::crowd::state::body::Body;
use crate::crowd::state::outline::{Gap, Outline, gap};

/// The side of a tile, in cells.
pub(in crate::crowd) const TILE: i32 = 16;
/// Half of the width of a body beside that of its footprint, where nothing else was asked for.
const USUAL: f32 = 0.45;

/// A tile's column and row.
pub(in crate::crowd) type Tile = [i32; 2];

/// Returns the tile in which a place is.
pub(in crate::crowd) fn tile_of(at: V) -> Tile {
    at.map(|part| part as i32 / TILE)
}

/// The bodies that stand, by the tiles of the map.
#[derive(Debug, Default)]
pub(in crate::crowd) struct Standing {
    tiles: BTreeMap<Tile, Vec<u32>>,
    /// Half of the longest side of them.
    longest: f32,
}

impl Standing {
    /// Sorts in the bodies that stand for which `is_counted` holds.
    pub fn new(bodies: &[Body], is_counted: impl Fn(usize) -> bool) -> Self {
        let mut standing = Self::default();
        let stand = bodies.iter().enumerate().filter(|(_, body)| body.rests());
        for (index, body) in stand.filter(|(index, _)| is_counted(*index)) {
            standing.tiles.entry(tile_of(body.at)).or_default().push(index as u32);
            standing.longest = standing.longest.max(body.outline().longest());
        }
        standing
    }

    /// Returns `true` if the middle of a body that stands is in a tile.
    pub fn has(&self, tile: Tile) -> bool {
        self.tiles.contains_key(&tile)
    }

    /// Returns how many of the standing bodies that are counted block each placement of a window, for bodies
    /// of a kind. Takes time in proportion to these and to the window.
    pub fn blocked(
        &self,
        window: Window,
        kind: u16,
        kinds: &Kinds,
        bodies: &[Body],
        is_counted: impl Fn(usize) -> bool,
    ) -> Vec<u16> {
        let mut blocked = vec![0; window.len()];
        let placement = Placement::of(kind, kinds);
        let reach = (self.longest + placement.outline.longest()).ceil() as i32 + placement.half[0] as i32 + 1;
        let first = [window.x - reach, window.y - reach].map(|part| part.max(0) / TILE);
        let last = [window.x + window.w + reach, window.y + window.h + reach].map(|part| part / TILE);
        for y in first[1]..=last[1] {
            for indices in (first[0]..=last[0]).filter_map(|x| self.tiles.get(&[x, y])) {
                for &index in indices.iter().filter(|&&index| is_counted(index as usize)) {
                    let body = &bodies[index as usize];
                    placement.each(window, body.at, body.outline(), |index| blocked[index] += 1);
                }
            }
        }
        blocked
    }
}

/// The bodies that stand, for each mask of the agents: those on its layers.
#[derive(Debug)]
pub(in crate::crowd) struct StandingByMask {
    all: Vec<(u32, Standing)>,
}

impl StandingByMask {
    /// Sorts the bodies in once for each mask; `has_layers` if not all avoid each other.
    pub fn new(bodies: &[Body], agents: &[Agent], has_layers: bool) -> Self {
        if !has_layers {
            return Self { all: vec![(Avoidance::default().mask, Standing::new(bodies, |_| true))] };
        }
        let mut masks: Vec<u32> = agents.iter().map(|agent| agent.avoidance.mask).collect();
        masks.sort_unstable();
        masks.dedup();
        let of_mask = |mask| {
            let is_avoided = |index: usize| agents[index].avoidance.layers & mask != 0;
            (mask, Standing::new(bodies, is_avoided))
        };
        Self { all: masks.into_iter().map(of_mask).collect() }
    }

    /// Returns the bodies that an agent with this mask avoids; there must be such an agent.
    pub fn of(&self, mask: u32) -> &Standing {
        let place = self.all.binary_search_by_key(&mask, |(mask, _)| *mask);
        &self.all[place.unwrap_or_default()].1
    }
}

/// A usual body of a kind.
#[derive(Clone, Copy, Debug)]
pub(in crate::crowd) struct Placement {
    /// From its top-left corner to its centre.
    half: V,
    outline: Outline,
}

impl Placement {
    pub fn of(kind: u16, kinds: &Kinds) -> Self {
        let footprint = kinds.footprint(kind);
        let radius = USUAL * footprint.w().min(footprint.h()) as f32;
        let half = [footprint.w() as f32 * 0.5, footprint.h() as f32 * 0.5];
        Self { half, outline: Outline { radius, core: kinds.core(kind, radius) } }
    }

    /// Calls `each` with the placements of a window on which it would overlap another body.
    pub fn each(&self, window: Window, at: V, its: Outline, mut each: impl FnMut(usize)) {
        let (half, own) = (its.half(), self.outline.half());
        let from = |axis: usize| (at[axis] - half[axis] - own[axis] - self.half[axis]).ceil() as i32;
        let to = |axis: usize| (at[axis] + half[axis] + own[axis] - self.half[axis]).floor() as i32;
        for y in from(1).max(window.y)..=to(1).min(window.y + window.h - 1) {
            for x in from(0).max(window.x)..=to(0).min(window.x + window.w - 1) {
                let middle = [x as f32 + self.half[0], y as f32 + self.half[1]];
                let Gap { offset, touch } = gap::<true>(self.outline, its, minus(middle, at));
                // Boxes touch by their roundings only: of those no more than half is let be.
                let limit = touch - TUNING.squeezes_by.min(touch * 0.5);
                if dot(offset, offset) < limit * limit
                    && let Some(index) = window.index([x, y])
                {
                    each(index);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Footprint;
    use crate::passability::LayerKey;

    #[test]
    fn a_placement_is_blocked_by_bodies_that_stand_on_it_and_no_others() {
        let mut kinds = Kinds::default();
        let key = LayerKey { footprint: Footprint::new(2, 2).unwrap(), ..LayerKey::default() };
        let kind = kinds.number(&key.into());
        let body = |x: f32, y: f32, flags: u32| Body { at: [x, y], radius: 0.45, flags, ..Body::default() };
        let bodies = [body(40.5, 20.5, Body::RESTS), body(50.5, 20.5, 0), body(60.5, 20.5, Body::RESTS)];
        let window = Window { x: 30, y: 10, w: 40, h: 20 };
        let standing = Standing::new(&bodies, |_| true);
        let blocked = standing.blocked(window, kind, &kinds, &bodies, |index| index != 2);
        for (index, &count) in blocked.iter().enumerate() {
            let [x, y] = window.place(index).map(|part| part as f32 + 1.0 - 20.5);
            let distance = ((x - 20.0) * (x - 20.0) + y * y).sqrt();
            assert_eq!(
                count,
                u16::from(distance < 0.9 + 0.45 - TUNING.squeezes_by),
                "{:?}",
                window.place(index)
            );
        }
    }
}
