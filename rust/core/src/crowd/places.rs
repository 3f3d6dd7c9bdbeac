//! Handing out places: around a goal to agents that come near it, and in formations.
//!
//! Twice a second, agents near their goal get the free place with the lowest path cost, so the agents that
//! come first go farthest in. Large groups take turns, or one substep of 32 would take several times as long
//! as the others. A place is free when it overlaps no place of another agent and no agent that rests. Two
//! agents that are held up beside each other swap their places when that brings both nearer, so none has to
//! pass through others.
//!
//! Nothing is kept between two rounds, so a crowd that was saved hands out the same places.

use super::agent::Agent;
use super::arrival::Event;
use super::behaviour::Cause;
use super::body::Body;
use super::ground::CrowdGround;
use super::guide::PATH_GUIDE;
use super::millis::Millis;
use super::outline::Gap;
use super::place_candidates::{Places, RINGS_MAX, Room, Taken, fitting};
use super::preferred_velocity::{remaining, to_goal};
use super::room::Rims;
use super::slot::Slot;
use super::state::Crowd;
use super::sweep::Frame;
use super::tuning::TUNING;
use super::vector::{V, dot, minus, towards};

/// In so many substeps of a round it is the turn of some of the groups.
const TURNS: u32 = 8;
/// Groups have a turn together while those before them take less than this, in cells.
const AREA_OF_TURN: u64 = 4096;

/// One that asks for a place.
#[derive(Clone, Copy)]
struct Asker {
    group: u32,
    left: f32,
    id: u32,
    index: usize,
}

/// What one round of handing out keeps.
pub(super) struct Giver<'a> {
    pub taken: Taken,
    places: Vec<Places<'a>>,
    pub rims: Rims,
    rooms: Vec<Room>,
    /// The place in a formation that was asked for last (where, radius, kind, guide), and the ring in which a
    /// free one was found.
    last: Option<(AskedPlace, i32)>,
}

/// A place in a formation and the body that asks for it: where, radius, kind, guide.
type AskedPlace = ([u32; 2], u32, u16, u32);

impl Crowd {
    /// Hands out places to agents that came near their goal, and fits those of formations that were just
    /// ordered.
    pub(super) fn give_places(&mut self, ground: &CrowdGround<'_>, events: &mut Vec<Event>) {
        let turn = TUNING.round_substeps / TURNS;
        let has_turn = self.substeps.is_multiple_of(turn);
        // Formations are fitted in the step after their order, or agents would set out for places inside
        // walls.
        if !has_turn && !self.has_orders {
            return;
        }
        let askers = self.askers(ground);
        self.has_orders = false;
        let judges = has_turn && self.agents.iter().any(|agent| self.is_to_be_judged(agent, ground));
        if askers.is_empty() && !judges {
            return;
        }
        let mut giver = Giver {
            taken: self.taken(ground),
            places: Vec::new(),
            rims: Rims::default(),
            rooms: Vec::new(),
            last: None,
        };
        for asker in askers {
            self.agents[asker.index].slot.is_wanted = false;
            let agent = &self.agents[asker.index];
            // One that has rested already looks for a place where it is.
            if agent.slot.is_in_formation() || agent.progress.has_arrived {
                self.give_in_formation(asker.index, ground, &mut giver);
            } else {
                self.give_around(asker.index, f32::INFINITY, ground, &mut giver);
            }
        }
        if judges {
            self.judge(ground, &mut giver, events);
        }
    }

    /// Returns the agents that ask for a place, in the order in which they get one: formations first, of them
    /// large bodies before small ones, then those nearest to their goal.
    fn askers(&self, ground: &CrowdGround<'_>) -> Vec<Asker> {
        let mut askers = Vec::new();
        for (index, (agent, body)) in self.agents.iter().zip(&self.bodies).enumerate() {
            let is_ordered = self.has_orders && agent.slot.is_in_formation();
            if !(agent.slot.is_wanted && (is_ordered || self.is_turn_of(agent, ground))) {
                continue;
            }
            let frame = Frame::new(self.kinds.footprint(agent.kind), body.radius);
            let (group, left) = if agent.slot.is_in_formation() {
                (0, -body.radius)
            } else {
                let left = remaining(ground, &self.routes, &frame, agent, body.at);
                // Group 0 is that of formations, which choose first.
                (ground.group(agent.guide, &self.routes).saturating_add(1), left)
            };
            askers.push(Asker { group, left, id: agent.id, index });
        }
        askers.sort_by(|a, b| a.group.cmp(&b.group).then(a.left.total_cmp(&b.left)).then(a.id.cmp(&b.id)));
        askers
    }

    /// Returns `true` if it is the turn of the group of an agent: large groups one after the other, by their
    /// numbers.
    pub(super) fn is_turn_of(&self, agent: &Agent, ground: &CrowdGround<'_>) -> bool {
        let turn = TUNING.round_substeps / TURNS;
        let before = self.settle_radii.area_before(ground.group(agent.guide, &self.routes)) / AREA_OF_TURN;
        self.substeps.is_multiple_of(turn)
            && u64::from(self.substeps / turn % TURNS) == before % u64::from(TURNS)
    }

    /// Returns the places that agents have, or rest on.
    fn taken(&self, ground: &CrowdGround<'_>) -> Taken {
        let mut taken = Taken::new(ground, self.bodies.len(), self.most);
        for (agent, body) in self.agents.iter().zip(&self.bodies) {
            let is_moved = agent.control.goes_by_itself();
            if is_moved || agent.control.is_driven && agent.behaviour().is_aside() {
                // It has no place of its own, and may be where it is for long.
                taken.add(body.at, body.outline());
            } else if agent.slot.is_own() || agent.behaviour().rests() && !agent.slot.is_wanted {
                taken.add(agent.rests_at(body.at), body.outline());
            }
        }
        taken
    }

    /// Gives the agent at `index` the free place nearest to its own in the formation; where there is none, it
    /// does without. One that was told as arrived around a goal stays in the room of its group.
    fn give_in_formation<'a>(&mut self, index: usize, ground: &CrowdGround<'a>, giver: &mut Giver<'a>) {
        let (agent, body) = (&mut self.agents[index], &self.bodies[index]);
        let frame = Frame::new(self.kinds.footprint(agent.kind), body.radius);
        let field = ground.field(agent.guide).map(|field| field.field);
        let (w, h) = (ground.region.w as f32, ground.region.h as f32);
        agent.slot.home = [agent.slot.home[0].max(0.0).min(w), agent.slot.home[1].max(0.0).min(h)];
        // Many at one place need not look again where there was no room for the last.
        let same = (agent.slot.home.map(f32::to_bits), body.radius.to_bits(), agent.kind, agent.guide);
        let ring = giver.last.filter(|last| last.0 == same).map_or(0, |last| last.1);
        let layer = ground.layer(agent.kind);
        let found = fitting(layer, &frame, field, agent, body, &giver.taken, ring);
        giver.last = Some((same, found.map_or(RINGS_MAX, |(_, ring)| ring)));
        let (agent, radius) = (&self.agents[index], body.radius);
        let left = |at: V| to_goal(ground, &self.routes, &frame, agent, at);
        let is_out =
            |(home, _): (V, i32)| !self.is_in_room(agent.guide, radius, left(home), ground, &mut giver.rims);
        if agent.slot.is_around()
            && found.is_some_and(is_out)
            && self.give_around(index, left(body.at), ground, giver)
        {
            return;
        }
        let (agent, body) = (&mut self.agents[index], &self.bodies[index]);
        let is_near = |&(home, _): &(V, i32)| towards(body.at, home).1 <= TUNING.ahead_radii * body.radius;
        if agent.slot.asks_for_another() && !found.as_ref().is_some_and(is_near) {
            // None is near: it stays where it is, and those whose place that is take others.
            (agent.slot.home, agent.slot.via) = (body.at, body.at);
            giver.taken.add(body.at, body.outline());
        } else if let Some((home, _)) = found {
            agent.take_place(home, body.radius);
            giver.taken.add(home, body.outline());
        } else {
            agent.slot.is_given = false;
        }
    }

    /// Gives the agent at `index` the best free place around the goals of its field. Returns `false` if there
    /// is none that is `nearer` to them, in cells.
    pub(super) fn give_around<'a>(
        &mut self,
        index: usize,
        nearer: f32,
        ground: &CrowdGround<'a>,
        giver: &mut Giver<'a>,
    ) -> bool {
        let (agent, body) = (&self.agents[index], &self.bodies[index]);
        let Some(field) = ground.field(agent.guide) else { return false };
        let room = giver.rooms.iter().position(|room| room.group == field.group).unwrap_or_else(|| {
            giver.rooms.push(self.room(agent.guide, ground, &giver.taken, &mut giver.rims));
            giver.rooms.len() - 1
        });
        let is_same =
            |p: &Places<'_>| p.guide == agent.guide && p.kind == agent.kind && p.outline == body.outline();
        let number = giver.places.iter().position(is_same).unwrap_or_else(|| {
            let frame = Frame::new(self.kinds.footprint(agent.kind), body.radius);
            let reach = self.settle_radii.of(agent.guide);
            let area = reach * reach * std::f32::consts::PI;
            let layer = ground.layer(agent.kind);
            let around =
                Places::around(field.field, layer, frame, agent.guide, agent.kind, body.outline(), area);
            giver.places.push(around);
            giver.places.len() - 1
        });
        let places = &mut giver.places[number];
        let reached = giver.rims.reached(agent.guide);
        let far = places.take_far(&giver.taken, reached, &giver.rooms[room]);
        let place = far.or_else(|| places.take(&giver.taken, reached, body.at));
        let Some((left, home)) = place.filter(|(left, _)| *left < nearer) else { return false };
        let agent = &mut self.agents[index];
        (agent.slot.home, agent.slot.via, agent.slot.is_far) = (home, home, far.is_some());
        if far.is_some() {
            // It walks away from the goal for a while.
            agent.progress.forget_distances();
        }
        agent.slot.formation = Slot::around(field.group);
        agent.slot.is_given = true;
        giver.taken.add(home, body.outline());
        let (guide, radius) = (agent.guide, body.radius);
        let is_short = !self.is_in_room(guide, radius, left, ground, &mut giver.rims);
        self.agents[index].slot.is_short = is_short;
        true
    }

    /// Returns `true` if another rests in its own place where that of one of a formation is.
    fn has_lost_place(&self, own: usize) -> bool {
        let (agent, body) = (&self.agents[own], self.bodies[own]);
        let place = Body { at: agent.slot.home, ..body };
        let holds = |index: usize| {
            let its = &self.agents[index];
            let other = Body { at: its.slot.home, ..self.bodies[index] };
            let Gap { offset, touch } = place.gap::<true>(&other);
            let limit = touch - TUNING.squeezed * place.radius.min(other.radius);
            its.behaviour().rests() && !its.slot.is_short && dot(offset, offset) < limit * limit
        };
        agent.slot.is_in_formation() && agent.guide & PATH_GUIDE == 0 && self.near[own].iter().any(holds)
    }

    /// Lets agents that are held up on the way to their place swap it with one beside them.
    pub(super) fn swap_places(&mut self, events: &[Event]) {
        for event in events {
            let Event::HeldUp(own) = *event else { continue };
            let (body, agent) = (self.bodies[own], self.agents[own]);
            if agent.behaviour().rests() {
                // It has settled since it was held up.
                continue;
            }
            if self.has_lost_place(own) {
                self.agents[own].ask_for_place_at(body.at);
                continue;
            }
            let mut best = (TUNING.swap_gain, own);
            for index in self.near[own].iter() {
                let (other, its) = (&self.bodies[index], &self.agents[index]);
                let stays = other.stands_firm(&body)
                    || its.slot.is_around() && its.slot.closing_up >= TUNING.closes_up_max;
                if its.behaviour().rests() && stays
                    || its.slot.formation != agent.slot.formation
                    || its.kind != agent.kind
                    || !its.slot.is_own()
                    || other.radius.to_bits() != body.radius.to_bits()
                {
                    continue;
                }
                let between = |a: V, b: V| dot(minus(a, b), minus(a, b));
                let now = between(body.at, agent.slot.home) + between(other.at, its.slot.home);
                let gain = now - between(body.at, its.slot.home) - between(other.at, agent.slot.home);
                if gain > best.0 {
                    best = (gain, index);
                }
            }
            let (_, index) = best;
            if index != own {
                let home = self.agents[index].slot.home;
                self.agents[own].slot.home = home;
                self.agents[index].slot.home = agent.slot.home;
                // Whether a place is in the room of the group, and at its far end, goes with it. One in a
                // formation is short where it rests.
                let is_around = agent.slot.is_around();
                let (is_short, its_short) = (agent.slot.is_short, self.agents[index].slot.is_short);
                self.agents[own].slot.is_short = is_around && its_short;
                self.agents[index].slot.is_short = is_around && is_short;
                let (is_far, its_far) = (agent.slot.is_far, self.agents[index].slot.is_far);
                (self.agents[own].slot.is_far, self.agents[own].slot.via) = (its_far, home);
                (self.agents[index].slot.is_far, self.agents[index].slot.via) = (is_far, agent.slot.home);
                self.agents[own].progress.held_up = Millis::ZERO;
                let its = &mut self.agents[index];
                its.meet(Cause::Swapped);
                // The time that a chain of swaps takes is limited, too.
                self.agents[index].progress.blocked =
                    self.agents[index].progress.blocked.max(agent.progress.blocked);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::{AgentSpec, CrowdField, CrowdSettings};
    use crate::field::{FieldBuilder, FlowField};
    use crate::geometry::Cell;
    use crate::passability::LayerKey;
    use crate::terrain::Terrain;
    use crate::world::{Profile, World};

    /// Six in a corridor, told as arrived on one side of their goal, of which two rest on each other at the
    /// rim of the room: the nearest free place is beyond it, and behind the goal there is room.
    #[test]
    fn one_that_was_told_as_arrived_leaves_for_no_place_beyond_the_room() {
        let mut world =
            World::from_terrain(Terrain::from_text(&".".repeat(40), Cell::default()).expect("a map"));
        let source = world.field_source(&Profile::default());
        let mut field = FlowField::default();
        FieldBuilder::default().build(source.ground(), &[Cell::new(10, 0)], None, &mut field);
        let fields = [Some(CrowdField { field: &field, group: 0 })];
        let (region, layers) = (source.region(), [source.placements()]);
        let ground = CrowdGround { region, revision: 0, layers: &layers, costs: &[], fields: &fields };
        let mut crowd = Crowd::new(CrowdSettings::default());
        let kind = crowd.kind(LayerKey::default());
        let spec = |x: f64| AgentSpec { x, y: 0.5, kind, speed: 4.0, radius: 0.4 };
        let ids = crowd.add(&ground, &[13.5, 13.5, 12.6, 11.7, 10.8, 9.9].map(spec));
        let ids: Vec<u32> = ids.into_iter().flatten().collect();
        crowd.assign_field(&ids, 0);
        crowd.settle_radii.update(&crowd.areas, &ground, &crowd.routes);
        for (agent, body) in crowd.agents.iter_mut().zip(&crowd.bodies) {
            agent.settle(body.at, 0);
            agent.progress.has_arrived = true;
        }
        crowd.agents[0].go_back(Cause::RoomFree);
        (crowd.agents[0].slot.is_given, crowd.agents[0].slot.is_wanted) = (true, true);
        let mut giver = Giver {
            taken: crowd.taken(&ground),
            places: Vec::new(),
            rims: Rims::default(),
            rooms: Vec::new(),
            last: None,
        };
        crowd.give_in_formation(0, &ground, &mut giver);
        let [x, _] = crowd.agents[0].slot.home;
        assert!((6.0..9.5).contains(&x), "a place at {x}");
    }
}
