//! Leading groups on the march.
//!
//! In each substep the front of a group goes on, the slower the farther its agents are from their slots,
//! unless they are ahead of them, and every agent is told the way to its own ([`Course`]): straight, or back
//! to the path and along it. One that sees neither is a stray, until it is given a path of its own
//! ([`Crowd::lead_back`]). At the end of the path the slots become places of a formation.

use crate::crowd::ground::map::CrowdGround;
use crate::crowd::ground::sight::is_straight;
use crate::crowd::ground::sweep::Frame;
use crate::crowd::guide::march::{Line, March, MarchShape, Member, Slot, swap_slots};
use crate::crowd::kept::Crowd;
use crate::crowd::numbers::millis::Millis;
use crate::crowd::numbers::tuning::TUNING;
use crate::crowd::numbers::vector::{V, minus, towards};
use crate::crowd::state::agent::Agent;
use crate::crowd::state::routes::Course;
use crate::passability::Placements;

impl Crowd {
    /// Sends agents along a path of centres in cells, in a shape that they keep on the way and at its end;
    /// those of one `group` have one goal. Returns how many of them there are. The path is for the widest of
    /// them. Without points, they stop.
    pub fn assign_march(&mut self, ids: &[u32], points: &[[f64; 2]], group: u32, shape: MarchShape) -> usize {
        self.index.update(&self.agents, self.next_id);
        let mut indices: Vec<usize> = ids.iter().filter_map(|&id| self.index.of(id)).collect();
        // An agent that is named twice has one slot.
        indices.sort_unstable();
        indices.dedup();
        if points.is_empty() || indices.is_empty() {
            return self.stop(ids);
        }
        let (left, top) = (f64::from(self.origin.0), f64::from(self.origin.1));
        let path: Vec<V> = points.iter().map(|&[x, y]| [(x - left) as f32, (y - top) as f32]).collect();
        let mut march = March { line: Line::new(path), ..March::default() };
        let half = indices.iter().map(|&index| self.bodies[index].outline().longest()).fold(0.0, f32::max);
        // As far apart as the largest need, so that any two may swap.
        let pitch = 2.0 * half * TUNING.march_spacing;
        self.fill_slots(&mut march, indices, shape, pitch, group);
        let depth = march.members.iter().map(|member| member.behind).fold(0.0, f32::max);
        // The middle of the shape begins where the path does, and ends where it ends; the front may have no
        // room beyond.
        march.front = depth * 0.5;
        march.end = march.line.length() + depth * 0.5;
        march.half_width = march.members.iter().map(|member| member.beside.abs()).fold(0.0, f32::max);
        let count = march.members.len();
        self.marches.push(march);
        count
    }

    /// Gives each agent a slot, those in front one in front and those at the right one at the right, and a
    /// guide.
    fn fill_slots(
        &mut self,
        march: &mut March,
        mut indices: Vec<usize>,
        shape: MarchShape,
        pitch: f32,
        group: u32,
    ) {
        let way = march.line.direction(0.0);
        let ranks =
            shape.arrange(&mut indices, way.map(f64::from), |&index| self.bodies[index].at.map(f64::from));
        let mut rest = &indices[..];
        for (rank, abreast) in ranks.into_iter().enumerate() {
            let (abreast_indices, others) = rest.split_at(abreast);
            for (file, &index) in abreast_indices.iter().enumerate() {
                let id = self.agents[index].id;
                let guide = self.routes.add_course(group);
                self.assign(&[id], guide);
                // `add_course` has counted one user, and `assign` has joined another.
                self.routes.leave(guide);
                let beside = (file as f32 - (abreast - 1) as f32 * 0.5) * pitch;
                let behind = rank as f32 * pitch;
                march.members.push(Member { id, guide, behind, beside, is_stray: false });
            }
            rest = others;
        }
    }

    /// Leads all groups on the march on.
    pub(in crate::crowd) fn lead_marches(&mut self, ground: &CrowdGround<'_>, seconds: f32) {
        if self.marches.is_empty() {
            return;
        }
        self.index.update(&self.agents, self.next_id);
        // Taken out, as leading them changes agents and paths.
        let mut marches = std::mem::take(&mut self.marches);
        marches.retain_mut(|march| self.lead(march, ground, seconds));
        self.marches = marches;
    }

    /// Leads a group on; `false` when it is none any more.
    fn lead(&mut self, march: &mut March, ground: &CrowdGround<'_>, seconds: f32) -> bool {
        // Those that were told something else, and those that are there, are on their own.
        march.members.retain(|member| {
            let agent = self.index.of(member.id).map(|index| &self.agents[index]);
            agent.is_some_and(|agent| {
                let is_there =
                    agent.behaviour().rests() && (agent.progress.has_arrived || !agent.slot.is_short);
                agent.guide == member.guide && !(march.has_ended && is_there)
            })
        });
        if march.members.is_empty() {
            return false;
        }
        let mut slots: Vec<Slot> = Vec::with_capacity(march.members.len());
        let (mut off, mut speed) = (0.0, f32::INFINITY);
        let mut strays = Vec::new();
        let (mut widest, mut radius) = (None, 0.0);
        for member in &march.members {
            let Some(index) = self.index.of(member.id) else { continue };
            let (agent, body) = (&mut self.agents[index], &self.bodies[index]);
            let frame = Frame::new(self.kinds.footprint(agent.kind), body.radius);
            let layer = ground.layer(agent.kind);
            if body.radius > radius {
                (widest, radius) = (Some((layer, frame)), body.radius);
            }
            let (slot, along) = if march.has_ended {
                (agent.slot.home, march.end)
            } else {
                march.slot(layer, &frame, member)
            };
            let (_, distance) = towards(body.at, slot);
            // The slowest on the slowest ground: else it falls behind until all wait for it.
            speed = speed.min(agent.control.speed * ground.pace(agent.kind, minus(body.at, frame.half)));
            // It waits for the others of the march: that is no jam.
            if distance < TUNING.look && !march.has_ended {
                agent.wait_in_slot();
            }
            let aim = march.aim(layer, &frame, (member.id, body.at), (slot, along));
            // One that is lost somewhere counts no more than one that is far behind. None waits for those
            // that are ahead.
            let is_ahead = aim.is_some_and(|(_, is_ahead)| is_ahead);
            off += if is_ahead { 0.0 } else { distance.min(TUNING.march_far) };
            let aim = aim.map(|(aim, _)| aim);
            // At the end of its path it does not see its slot, which walls have moved round a corner.
            let is_at_end =
                aim.is_some_and(|aim| towards(body.at, aim).1 < TUNING.at_place) && distance > TUNING.away;
            let has_detour = march.has_detour(member.id);
            if aim.is_none() || is_at_end && march.has_ended && !has_detour {
                strays.push(member.id);
            }
            let aim = aim.unwrap_or_else(|| march.line.nearest_place(body.at));
            // 0 would mean arrived: see `by_route`. No path leads on from where its own has ended, nor to a
            // slot that there is no room for.
            let is_cut_off = is_at_end && has_detour || march.has_ended && !agent.slot.is_given;
            let left = (march.end - along).max(0.0) + distance.max(0.01);
            let left = if is_cut_off { Course::CUT_OFF } else { left };
            self.routes.set_course(member.guide, Course { aim, end: slot, left });
            slots.push(Slot { id: member.id, at: slot, agent: body.at });
        }
        if self.substeps.is_multiple_of(TUNING.march_swap_substeps) {
            // Another path takes a search, so it is asked for as rarely as slots are swapped.
            for member in &mut march.members {
                member.is_stray = strays.contains(&member.id);
            }
            if !march.has_ended {
                swap_slots(&mut march.members, &mut slots);
            }
        }
        if !march.has_ended {
            // The mean, so that one that is lost does not hold up all, and many that are behind do.
            let mean = off / slots.len().max(1) as f32;
            let pace = ((TUNING.march_lost - mean) / (TUNING.march_lost - TUNING.look))
                .clamp(TUNING.march_creep, 1.0);
            let front = march.front + speed * TUNING.march_pace * pace * seconds;
            // Beyond the end of the path the front goes on as far as there is room: slots that had none would
            // lie on each other there.
            let length = march.line.length();
            let has_room = |(layer, frame): (&Placements, Frame)| {
                is_straight(layer, &frame, march.line.at(length), march.line.at(front))
            };
            if front <= length || widest.is_none_or(has_room) {
                march.front = front;
                march.has_ended = front >= march.end;
            } else {
                march.has_ended = true;
            }
            // From here on they settle as in any formation: the march need not hold them.
            if march.has_ended {
                march.detours.clear();
                self.take_places(&slots);
            }
        }
        true
    }

    /// Returns the members of marches that see nothing of their path, or do not see their slot from its end,
    /// and where each is to go: centres in cells.
    pub fn strays(&self) -> Vec<(u32, [f64; 2])> {
        let (left, top) = (f64::from(self.origin.0), f64::from(self.origin.1));
        let stray = |march: &March, member: &Member| {
            let slot = || self.routes.end(member.guide);
            let [x, y] = if march.has_ended { slot()? } else { march.line.at(march.line.length()) };
            Some((member.id, [f64::from(x) + left, f64::from(y) + top]))
        };
        let strays = |march: &March| -> Vec<_> {
            march
                .members
                .iter()
                .filter_map(|member| stray(march, member).filter(|_| member.is_stray))
                .collect()
        };
        self.marches.iter().flat_map(strays).collect()
    }

    /// Leads a stray along a path of its own, of centres in cells, until it sees its slot.
    pub fn lead_back(&mut self, id: u32, points: &[[f64; 2]]) {
        let (left, top) = (f64::from(self.origin.0), f64::from(self.origin.1));
        let points: Vec<V> = points.iter().map(|&[x, y]| [(x - left) as f32, (y - top) as f32]).collect();
        let is_its =
            |march: &&mut March| march.members.iter().any(|member| member.id == id && member.is_stray);
        let Some(march) = self.marches.iter_mut().find(is_its).filter(|_| !points.is_empty()) else { return };
        march.members.iter_mut().filter(|member| member.id == id).for_each(|member| member.is_stray = false);
        march.detours.retain(|(of, _)| *of != id);
        march.detours.push((id, Line::new(points)));
    }

    /// The slots become places of a formation.
    fn take_places(&mut self, slots: &[Slot]) {
        let (left, top) = (f64::from(self.origin.0), f64::from(self.origin.1));
        let ids: Vec<u32> = slots.iter().map(|slot| slot.id).collect();
        let place = |slot: &Slot| [f64::from(slot.at[0]) + left, f64::from(slot.at[1]) + top];
        let places: Vec<[f64; 2]> = slots.iter().map(place).collect();
        self.assign_places(&ids, &places);
    }
}

impl Agent {
    /// It is where it should be, and waits for the others: that is no jam.
    const fn wait_in_slot(&mut self) {
        (self.progress.stalled, self.progress.no_nearer) = (Millis::ZERO, Millis::ZERO);
    }
}
