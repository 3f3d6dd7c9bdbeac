//! Where detours are found: in each round, on the tiles around standing bodies that are near to agents on their
//! way along a field.
//!
//! Takes time in proportion to the agents, and to the cells of those tiles.

use crate::crowd::ground::map::{CrowdField, CrowdGround};
use crate::crowd::ground::spread::Window;
use crate::crowd::ground::standing::{Standing, StandingByMask, TILE, Tile, tile_of};
use crate::crowd::guide::detours::{Detour, Tiles};
use crate::crowd::kept::Crowd;
use crate::crowd::numbers::tuning::TUNING;
use crate::crowd::state::routes::PATH_GUIDE;

/// Standing bodies are looked at so many tiles around an agent, and so many farther where they hang together.
const LOOK: i32 = 1;
const FURTHER: usize = 4;

impl Crowd {
    /// Finds the detours of all fields that agents follow, in each round.
    pub(in crate::crowd) fn find_detours(&mut self, ground: &CrowdGround<'_>) {
        if !self.substeps.is_multiple_of(TUNING.round_substeps) {
            return;
        }
        let standing = StandingByMask::new(&self.bodies, &self.agents, self.most.has_layers);
        let mut walking: Vec<((u32, u16, u32), Tile)> = Vec::new();
        for (agent, body) in self.agents.iter().zip(&self.bodies) {
            let travels = !body.rests() && agent.guide & PATH_GUIDE == 0 && !agent.slot.is_given;
            let its = ((agent.guide, agent.kind, agent.avoidance.mask), tile_of(body.at));
            // Agents lie in memory by where they are, so most are in the tile of the one before.
            if travels && walking.last() != Some(&its) {
                walking.push(its);
            }
        }
        walking.sort_unstable();
        walking.dedup();
        let mut unused = std::mem::take(&mut self.detours.all);
        for its in walking.chunk_by(|a, b| a.0 == b.0) {
            let (guide, kind, mask) = its[0].0;
            let standing = standing.of(mask);
            let Some(&CrowdField { field, .. }) = ground.field(guide) else { continue };
            let tiles = around(standing, its.iter().map(|walking| walking.1));
            if tiles.is_empty() {
                continue;
            }
            let mut detour = Detour { guide, kind, mask, ..unused.pop().unwrap_or_default() };
            let window = window_of(&tiles, ground);
            let blocked = standing.blocked(window, kind, &self.kinds, &self.bodies, |_| true);
            detour.find(field, ground, (window, &tiles), &blocked);
            self.detours.all.push(detour);
        }
    }
}

/// Returns the tiles around those with standing bodies that are near to some.
fn around(standing: &Standing, near: impl Iterator<Item = [i32; 2]>) -> Tiles {
    let near_to =
        |[x, y]: [i32; 2], by: i32| (-by..=by).flat_map(move |dy| (-by..=by).map(move |dx| [x + dx, y + dy]));
    let mut found: Tiles = near.flat_map(|at| near_to(at, LOOK)).filter(|at| standing.has(*at)).collect();
    let mut last: Vec<[i32; 2]> = found.iter().copied().collect();
    for _ in 0..FURTHER {
        let next = last.iter().flat_map(|&at| near_to(at, 1)).filter(|at| standing.has(*at));
        last = next.filter(|&at| found.insert(at)).collect();
    }
    found.iter().flat_map(|&at| near_to(at, 1)).collect()
}

/// Returns the cells of the map that some tiles and those between them have.
fn window_of(tiles: &Tiles, ground: &CrowdGround<'_>) -> Window {
    let side = |axis: usize| tiles.iter().map(move |at| at[axis]);
    let corner = |axis: usize| side(axis).min().unwrap_or_default() * TILE;
    let end = |axis: usize| (side(axis).max().unwrap_or_default() + 1) * TILE - 1;
    Window::between([corner(0), corner(1)], [end(0), end(1)], [ground.region.w, ground.region.h])
}
