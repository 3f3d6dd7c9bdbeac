//! The room of a group between walls: which of its cells those that are still to come will not pass.
//!
//! In the open, places are handed out from the goal outwards. Between walls the first ones would close the
//! way to the room behind the goal and in side streets, which is as near to the goal as where they stand. So
//! as long as there is room off the ways of those that are still to come, it is filled first, from its far
//! end.

use std::collections::HashMap;

use super::agent::Agent;
use super::ground::CrowdGround;
use super::guide::{NO_GUIDE, PATH_GUIDE};
use super::outline::Outline;
use super::place_candidates::{BLOCK, Room, Taken, cell_at, nearest_free};
use super::preferred_velocity::UNITS_PER_CELL;
use super::settle_radius::{PARTS, parts};
use super::state::Crowd;
use super::sweep::Frame;
use super::tuning::TUNING;
use super::vector::minus;
use crate::cost::STRAIGHT;
use crate::field::Reached;
use crate::geometry::Cell;

/// The ways of so many agents of a group are looked at; those of others lead along them.
const WAYS_MAX: usize = 256;
/// No way is followed for more cells.
const LENGTH_MAX: usize = 4096;
/// The radius of a small body.
const SMALL: f32 = 0.45;

/// The rims of the rooms that groups fill, as far as they were asked for in this round.
#[derive(Default)]
pub(super) struct Rims {
    /// By group, with the guide by which it is so near.
    rooms: Vec<(u32, (f32, u32))>,
    /// How far from the end of a path the nearest free room is, by what that is for.
    ends: Vec<(RoomFor, f32)>,
    /// By field, the cells around its goals.
    reached: Vec<(u32, Reached)>,
}

impl Rims {
    /// Returns what was found of the cells around the goals of a field.
    pub(super) fn reached(&mut self, guide: u32) -> &mut Reached {
        let known = self.reached.iter().position(|(of, _)| *of == guide);
        let index = known.unwrap_or_else(|| {
            self.reached.push((guide, Reached::default()));
            self.reached.len() - 1
        });
        &mut self.reached[index].1
    }
}

/// A body of a kind and radius that wants to the end of a path.
type RoomFor = (u16, u32, [u32; 2]);

impl Crowd {
    /// Returns `true` if a body at a place from which it is so far to the goal of `guide`, in cells, is in
    /// the room that its group fills.
    pub(super) fn is_in_room(
        &self,
        guide: u32,
        radius: f32,
        left: f32,
        ground: &CrowdGround<'_>,
        rims: &mut Rims,
    ) -> bool {
        // Most are answered without the rim. No room has a nearer rim than a disc on open ground, and a few
        // fill none.
        if left
            <= (TUNING.roomy * TUNING.open_rim * self.settle_radii.of(guide))
                .max(TUNING.beside_radii * radius)
        {
            return true;
        }
        if guide & PATH_GUIDE != 0 {
            return false;
        }
        let group = ground.group(guide, &self.routes);
        left <= TUNING.roomy * self.rim_of(group, ground, rims).0
    }

    /// Returns the rim of the room of a group, in cells, and the guide by which it is so near.
    pub(super) fn rim_of(&self, group: u32, ground: &CrowdGround<'_>, rims: &mut Rims) -> (f32, u32) {
        let known = rims.rooms.iter().find(|(of, _)| *of == group).map(|(_, rim)| *rim);
        known.unwrap_or_else(|| {
            let rim = self.rim(group, ground, rims);
            rims.rooms.push((group, rim));
            rim
        })
    }

    /// Returns `true` if no room for an agent is free nearer to the end of its path than it is itself, by a
    /// body.
    pub(super) fn has_no_room_nearer(
        &self,
        index: usize,
        frame: &Frame,
        left: f32,
        ground: &CrowdGround<'_>,
        taken: &Taken,
        rims: &mut Rims,
    ) -> bool {
        let (agent, body) = (&self.agents[index], &self.bodies[index]);
        let Some(end) = self.routes.end(agent.guide) else { return false };
        let room_for = (agent.kind, body.radius.to_bits(), end.map(f32::to_bits));
        let known = rims.ends.iter().find(|(of, _)| *of == room_for).map(|(_, steps)| *steps);
        let steps = known.unwrap_or_else(|| {
            let layer = ground.layer(agent.kind);
            let free = nearest_free(layer, frame, end, |at| taken.is_free(at, body.outline()));
            let steps = free.map_or(f32::INFINITY, |(_, steps)| steps);
            rims.ends.push((room_for, steps));
            steps
        });
        steps >= left - 2.0 * body.radius
    }

    /// Returns the path cost within which the cells around a group's goal hold its bodies, in cells: by the
    /// kind that has the most room.
    fn rim(&self, group: u32, ground: &CrowdGround<'_>, rims: &mut Rims) -> (f32, u32) {
        let is_its = |guide: &u32| self.areas.has(*guide) && ground.group(*guide, &self.routes) == group;
        let guides = (0..ground.fields.len() as u32).filter(is_its);
        // Those that no way leads to the goal take none of its room.
        let is_cut_off =
            |agent: &Agent| agent.progress.is_cut_off() && ground.group(agent.guide, &self.routes) == group;
        let all = self.agents.iter().zip(&self.bodies);
        let cut_off =
            all.filter(|(agent, _)| is_cut_off(agent)).map(|(_, body)| parts(body.outline())).sum::<u64>();
        let cut_off = cut_off as f32 / PARTS;
        let mut best = (f32::INFINITY, NO_GUIDE);
        for guide in guides {
            let Some(field) = ground.field(guide).map(|field| field.field) else { continue };
            let reach = self.settle_radii.of(guide);
            let area = reach * reach * std::f32::consts::PI - cut_off;
            let needed = (area / TUNING.density) as usize;
            // The rim of a disc in the open, and farther each time that walls leave less room; no farther
            // than the nearest rim so far.
            let most = (best.0 * UNITS_PER_CELL) as u32;
            let mut limit = ((reach * UNITS_PER_CELL * 1.5) as u32 + STRAIGHT).min(most);
            loop {
                let (cells, is_all) = rims.reached(guide).within(field, limit);
                if let Some(cell) = cells.get(needed) {
                    let rim = cell.cost() as f32 / UNITS_PER_CELL;
                    if rim < best.0 {
                        best = (rim, guide);
                    }
                    break;
                }
                if is_all || limit == most {
                    break;
                }
                limit = limit.saturating_add(limit / 2).min(most);
            }
        }
        best
    }

    /// Returns the room of the group that goes by `guide`.
    pub(super) fn room(&self, guide: u32, ground: &CrowdGround<'_>, taken: &Taken, rims: &mut Rims) -> Room {
        let group = ground.group(guide, &self.routes);
        let columns = (ground.region.w - 1) / BLOCK + 1;
        let rows = (ground.region.h - 1) / BLOCK + 1;
        let mut room = Room { group, limit: 0, is_way: Vec::new(), columns };
        let reach = self.settle_radii.of(guide);
        if reach < TUNING.walled_reach {
            return room;
        }
        let (rim, guide) = self.rim_of(group, ground, rims);
        let Some(field) = ground.field(guide).map(|field| field.field) else { return room };
        if rim < TUNING.walled_rim * reach {
            return room;
        }
        let comes = |agent: &Agent| {
            !agent.slot.is_own()
                && !agent.behaviour().rests()
                && !agent.progress.has_arrived
                && ground.field(agent.guide).is_some_and(|field| field.group == group)
        };
        let coming: Vec<usize> = (0..self.agents.len()).filter(|&index| comes(&self.agents[index])).collect();
        room.is_way = vec![false; (columns * rows) as usize];
        let mut passed = HashMap::new();
        for n in 0..coming.len().min(WAYS_MAX) {
            let index = coming[n * coming.len() / coming.len().min(WAYS_MAX)];
            self.mark_way(index, ground, &mut room, &mut passed);
        }
        let needed: f32 = coming.iter().map(|&index| self.bodies[index].outline().area()).sum();
        let small = Outline { radius: SMALL, ..Outline::default() };
        let are_taken = taken.cells_taken(ground.region, small);
        let mut free = 0.0;
        for cell in rims.reached(guide).within(field, (rim * UNITS_PER_CELL) as u32).0 {
            let [x, y] = cell_at(field, cell.index());
            if !are_taken[y as usize * ground.region.w as usize + x as usize] {
                free += TUNING.packing;
                if free >= needed {
                    break;
                }
            }
            room.limit = cell.cost();
        }
        room
    }

    /// Notes the way of an agent, as far as no other has `passed` it already, and after how many cells.
    fn mark_way(
        &self,
        index: usize,
        ground: &CrowdGround<'_>,
        room: &mut Room,
        passed: &mut HashMap<(u32, u16, Cell), usize>,
    ) {
        let (agent, body) = (&self.agents[index], &self.bodies[index]);
        let Some(field) = ground.field(agent.guide) else { return };
        let frame = Frame::new(self.kinds.footprint(agent.kind), body.radius);
        let exact = field.field;
        let corner = exact.integration().region();
        let [x, y] = minus(body.at, frame.half).map(|v| (v + 0.5).floor() as i32);
        let mut cell = Cell::new(corner.x + x, corner.y + y);
        for length in 0..LENGTH_MAX {
            // From there both go one way, and the other one goes farther.
            let known = passed.entry((agent.guide, agent.kind, cell)).or_insert(usize::MAX);
            if *known <= length {
                return;
            }
            *known = length;
            let middle =
                [(cell.x - corner.x) + frame.half[0] as i32, (cell.y - corner.y) + frame.half[1] as i32];
            let block = (middle[1] / BLOCK * room.columns + middle[0] / BLOCK) as usize;
            if let Some(is_way) = room.is_way.get_mut(block) {
                *is_way = true;
            }
            match exact.next_cell(cell) {
                Some(next) if next != cell => cell = next,
                _ => return,
            }
        }
    }
}
