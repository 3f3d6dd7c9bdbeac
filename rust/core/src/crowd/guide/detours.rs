//! Detours: the way of a field round bodies that stand.
//!
//! Fields know walls and terrain. Around bodies that stand, a front spreads over the tiles of the map from
//! where the field leads out of them, and from its goals. A step onto a standing body costs so much that a
//! way through it is taken only where none leads round. Where none does, and where the field's own way is
//! free, agents keep to the field. Takes time in proportion to the cells of the tiles.

use std::collections::BTreeSet;

use super::gathering::{near, weights};
use crate::crowd::ground::map::CrowdGround;
use crate::crowd::ground::spread::{Front, UNREACHED, Window};
use crate::crowd::ground::standing::{TILE, Tile};
use crate::crowd::ground::steps::stands;
use crate::crowd::numbers::tuning::TUNING;
use crate::crowd::numbers::vector::{V, dot};
use crate::crowd::state::agent::Agent;
use crate::field::FlowField;
use crate::geometry::Cell;
use crate::passability::Placements;

/// A way round is longer than the field's own by more than this, in cells.
const LONGER: f32 = 0.5;

/// The detours of one field for bodies of one kind that avoid the same layers.
#[derive(Clone, Debug, Default)]
pub(in crate::crowd) struct Detour {
    pub guide: u32,
    pub kind: u16,
    /// The layers that they avoid.
    pub mask: u32,
    pub front: Front,
    /// The placements from which a way leads round, and the field's own way does not.
    pub is_round: Vec<bool>,
}

crate::bytes::saved_fields!(Detour { guide: u32, kind: u16, front: Front, is_round: Vec<bool> } but mask);

/// All detours, by field, kind and mask.
#[derive(Clone, Debug, Default)]
pub(in crate::crowd) struct Detours {
    pub all: Vec<Detour>,
}

crate::bytes::saved_fields!(Detours { all: Vec<Detour> });

/// Tiles by column and row.
pub(in crate::crowd) type Tiles = BTreeSet<Tile>;

impl Detours {
    /// Returns `false` if what was read cannot be looked up.
    pub fn are_whole(&self) -> bool {
        self.all.iter().all(|detour| detour.is_round.len() == detour.front.left.len())
            && self.all.windows(2).all(|two| two[0].key() < two[1].key())
    }

    /// Returns the direction of its field for an agent with its top-left corner at a place, if that is near
    /// standing bodies.
    #[inline]
    pub fn way(&self, layer: &Placements, agent: &Agent, corner: V) -> Option<V> {
        if self.all.is_empty() {
            return None;
        }
        let key = (agent.guide, agent.kind, agent.avoidance.mask);
        let index = self.all.binary_search_by_key(&key, Detour::key).ok()?;
        let Detour { front, is_round, .. } = &self.all[index];
        let place = corner.map(|part| (part + 0.5).floor() as i32);
        front.window.index(place).filter(|&place| is_round[place])?;
        front.sample(layer, corner).filter(|&way| dot(way, way) > 0.0)
    }
}

impl Detour {
    /// Returns whose detours they are.
    const fn key(&self) -> (u32, u16, u32) {
        (self.guide, self.kind, self.mask)
    }

    pub fn find(
        &mut self,
        field: &FlowField,
        ground: &CrowdGround<'_>,
        (window, tiles): (Window, &Tiles),
        blocked: &[u16],
    ) {
        let layer = ground.layer(self.kind);
        let weights = weights(field, window);
        let mut costs = vec![UNREACHED; window.len()];
        let mut seeds = Vec::new();
        for &[tile_x, tile_y] in tiles {
            for [x, y] in cells([tile_x, tile_y]) {
                let Some(index) = window.index([x, y]) else { continue };
                let own = near(field, [x, y]);
                if own >= UNREACHED || !stands(layer, x, y) {
                    continue;
                }
                costs[index] = weights[index] + if blocked[index] > 0 { TUNING.through } else { 0.0 };
                let cell = Cell::new(x + ground.region.x, y + ground.region.y);
                let Some(next) = field.next_cell(cell) else { continue };
                let next_tile =
                    [next.x - ground.region.x, next.y - ground.region.y].map(|part| part.div_euclid(TILE));
                if next == cell || !tiles.contains(&next_tile) {
                    seeds.push((index as u32, own));
                }
            }
        }
        let Self { front, is_round, .. } = self;
        front.spread((window, layer), &seeds, |index| costs[index]);
        is_round.clear();
        is_round.extend(front.left.iter().map(|&left| left < TUNING.through));
        let around = std::mem::take(&mut front.left);
        front.spread((window, layer), &seeds, |index| {
            if blocked[index] > 0 { costs[index] - TUNING.through } else { costs[index] }
        });
        let both = around.iter().zip(&front.left);
        is_round
            .iter_mut()
            .zip(both)
            .for_each(|(is_round, (around, own))| *is_round &= around - own > LONGER);
        front.left = around;
    }
}

/// Returns the cells of a tile.
fn cells([x, y]: [i32; 2]) -> impl Iterator<Item = [i32; 2]> {
    (0..TILE).flat_map(move |dy| (0..TILE).map(move |dx| [x * TILE + dx, y * TILE + dy]))
}
