//! Saved bytes of a crowd, and a hash of its state.
//!
//! Layout: a mark, settings, kinds, counters, the paths in use, the groups on the march, ways round standing
//! bodies, rooms, and every agent in the order of the arrays, which is part of the state. The neighbour list
//! of each agent follows while the lists are in use. The mark is `PFCA`, or `PFCB` where not all agents avoid
//! each other. With `PFCB` there follow the layers and the mask of each agent, the masks of the ways round
//! standing bodies, and for each room the layers and masks of its agents and the masks of its ways. The mark
//! is `PFCC` where agents are on links: then these follow behind all of that. What is read is checked: bytes
//! from anywhere make a crowd that can be stepped, or an error.

use crate::bytes::{BytesError, Hash, Reader, Saved};
use crate::crowd::ground::map::CrowdKind;
use crate::crowd::ground::neighbours::Neighbours;
use crate::crowd::guide::gathering::Room;
use crate::crowd::kept::Crowd;
use crate::crowd::numbers::vector::FAR;
use crate::crowd::state::agent::Agent;
use crate::crowd::state::avoidance::Avoidance;
use crate::crowd::state::body::Body;
use crate::crowd::state::crossing::{Crossing, Passage};
use crate::crowd::state::priority::CLASS_MAX;
use crate::crowd::state::routes::PATH_GUIDE;
use crate::crowd::state::spec::{CROWD_RADIUS_MAX, CROWD_SPEED_MAX, CrowdError};

const MARK: &str = "PFCA";
const MARK_WITH_LAYERS: &str = "PFCB";
const MARK_WITH_LINKS: &str = "PFCC";

impl Crowd {
    /// Returns the crowd as bytes, for saving. Fields are named by their numbers only. Driven agents are left
    /// out: what moves them adds them anew.
    pub fn to_bytes(&self) -> Vec<u8> {
        if self.driven > 0 {
            let mut others = self.clone();
            let driven = self.agents.iter().filter(|agent| agent.control.is_driven).map(|agent| agent.id);
            others.remove(&driven.collect::<Vec<_>>());
            return others.to_bytes();
        }
        let has_links = !self.passages.is_empty();
        let has_layers = has_links || self.has_saved_layers();
        let mark = match (has_links, has_layers) {
            (true, _) => MARK_WITH_LINKS,
            (false, true) => MARK_WITH_LAYERS,
            (false, false) => MARK,
        };
        let mut bytes = mark.as_bytes().to_vec();
        self.settings.write(&mut bytes);
        self.kinds.all().to_vec().write(&mut bytes);
        self.origin.write(&mut bytes);
        (self.next_id, self.substeps, self.near_age).write(&mut bytes);
        (self.formations, self.has_orders).write(&mut bytes);
        self.orders.write(&mut bytes);
        self.routes.all.write(&mut bytes);
        self.marches.write(&mut bytes);
        self.detours.write(&mut bytes);
        self.rooms.write(&mut bytes);
        self.new_guides.write(&mut bytes);
        (self.bodies.len() as u32).write(&mut bytes);
        for (body, agent) in self.bodies.iter().zip(&self.agents) {
            agent.write(&mut bytes);
            body.write(&mut bytes);
        }
        // Neighbours were found some substeps ago. Found anew they would be others, and the next step would
        // differ.
        if self.near_age > 0 {
            self.near.iter().for_each(|near| near.write(&mut bytes));
        }
        if has_layers {
            self.agents.iter().for_each(|agent| agent.avoidance.write(&mut bytes));
            self.detours.all.iter().for_each(|detour| detour.mask.write(&mut bytes));
            for room in &self.rooms {
                room.avoidance.write(&mut bytes);
                room.ways.iter().for_each(|ways| ways.mask.write(&mut bytes));
            }
        }
        if has_links {
            self.passages.write(&mut bytes);
        }
        bytes
    }

    /// Returns `true` if the layers or the mask of an agent, or a mask that was kept for agents, differ from
    /// those of new agents.
    fn has_saved_layers(&self) -> bool {
        let usual = Avoidance::default();
        let is_usual =
            |room: &Room| room.avoidance == [usual] && room.ways.iter().all(|ways| ways.mask == usual.mask);
        !(self.agents.iter().all(|agent| agent.avoidance == usual)
            && self.detours.all.iter().all(|detour| detour.mask == usual.mask)
            && self.rooms.iter().all(is_usual))
    }

    /// Returns the crowd that [`Crowd::to_bytes`] saved.
    ///
    /// # Errors
    /// When the bytes are cut short, too many, or not a saved crowd.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CrowdError> {
        let marks = [MARK_WITH_LAYERS, MARK_WITH_LINKS];
        let mark = marks.into_iter().find(|mark| bytes.starts_with(mark.as_bytes())).unwrap_or(MARK);
        let mut reader = Reader::new(bytes, mark)?;
        let mut crowd = Self::new(reader.read()?);
        for (number, kind) in reader.read::<Vec<CrowdKind>>()?.into_iter().enumerate() {
            // Agents name kinds by number: of two equal ones, the second would have none.
            check(usize::from(crowd.kind(kind)) == number, "a kind is there twice")?;
        }
        crowd.origin = reader.read()?;
        (crowd.next_id, crowd.substeps, crowd.near_age) = reader.read()?;
        (crowd.formations, crowd.has_orders) = reader.read()?;
        crowd.orders = reader.read()?;
        // Numbers above are of agents around goals.
        crowd.routes.all = reader.read()?;
        crowd.marches = reader.read()?;
        crowd.detours = reader.read()?;
        crowd.rooms = reader.read()?;
        crowd.new_guides = reader.read()?;
        let kinds = crowd.kinds.all().len();
        let mut ways = crowd.rooms.iter().flat_map(|room| &room.ways);
        check(ways.all(|ways| usize::from(ways.kind) < kinds), "a room is for bodies of no kind")?;
        let mut points = crowd.routes.all.iter().flat_map(|route| &route.points);
        check(points.all(|&point| is_near(point)), "a place is too far away")?;
        crowd.read_agents(&mut reader)?;
        crowd.read_layers(&mut reader, mark != MARK)?;
        if mark == MARK_WITH_LINKS {
            crowd.read_passages(&mut reader)?;
        }
        // They are looked up by their masks, too.
        check(crowd.detours.are_whole(), "a detour is not one")?;
        reader.end()?;
        crowd.measure();
        // Ids are found in an array, so they may not ask for much more memory than the agents' bytes do.
        check(crowd.next_id as usize <= (1 << 24) + bytes.len(), "there are too many ids")?;
        Ok(crowd)
    }

    fn read_agents(&mut self, reader: &mut Reader<'_>) -> Result<(), BytesError> {
        let agents = reader.read::<Vec<(Agent, Body)>>()?;
        let mut users = vec![0; self.routes.all.len()];
        let mut ids = Vec::with_capacity(agents.len());
        for (agent, body) in agents {
            let is_known = usize::from(agent.kind) < self.kinds.all().len() && agent.id < self.next_id;
            check(is_known, "an agent's kind or id is not one")?;
            let has_speed = agent.control.speed > 0.0 && agent.control.speed <= CROWD_SPEED_MAX;
            let has_radius = body.radius > 0.0 && body.radius <= CROWD_RADIUS_MAX;
            check(has_speed && has_radius, "a speed or a radius is out of range")?;
            let has_core = body.core == self.kinds.core(agent.kind, body.radius);
            check(has_core, "an outline is not that of its kind")?;
            check(u32::from(agent.priority.class) <= CLASS_MAX, "a priority is out of range")?;
            let vectors = [
                agent.slot.home,
                agent.control.throw,
                agent.control.driven_at,
                body.at,
                body.velocity,
                body.preferred,
            ];
            check(vectors.into_iter().all(is_near), "a place is too far away")?;
            if self.routes.get(agent.guide).is_some() {
                users[(agent.guide & !PATH_GUIDE) as usize] += 1;
            }
            self.areas.join(agent.guide, body.outline());
            ids.push(agent.id);
            self.bodies.push(body);
            self.agents.push(agent);
        }
        let routes = self.routes.all.iter().zip(users);
        // A path whose count is too low would be given to others while it is followed; one too high is never
        // free.
        let followers = routes.filter(|(route, users)| route.users != *users).count();
        check(followers == 0, "a path has other followers than it says")?;
        let agents = ids.len();
        ids.sort_unstable();
        check(ids.windows(2).all(|pair| pair[0] != pair[1]), "an id is there twice")?;
        if self.near_age > 0 {
            for _ in 0..agents {
                let near: Neighbours = reader.read()?;
                // Lists are used as indices without a check in each substep.
                check(near.iter().all(|place| place < agents), "a neighbour is not an agent")?;
                self.near.push(near);
            }
        }
        Ok(())
    }

    /// Reads which agents are on links.
    fn read_passages(&mut self, reader: &mut Reader<'_>) -> Result<(), BytesError> {
        self.passages = reader.read()?;
        let ids = self.passages.windows(2).all(|pair| pair[0].id < pair[1].id);
        check(ids && !self.passages.is_empty(), "the agents on links are not in order")?;
        for place in 0..self.passages.len() {
            let Passage { id, from, to, seconds, left, .. } = self.passages[place];
            let is_one = is_near(from) && is_near(to) && seconds >= 0.0 && left <= seconds;
            check(is_one, "the way over a link is not one")?;
            let Some(agent) = self.agents.iter_mut().find(|agent| agent.id == id) else {
                return Err(BytesError::Value("no agent is on a link"));
            };
            agent.control.crossing = Crossing::Under;
        }
        Ok(())
    }

    /// Reads what agents avoid, if they do not all avoid each other.
    fn read_layers(&mut self, reader: &mut Reader<'_>, has_layers: bool) -> Result<(), BytesError> {
        let usual = Avoidance::default();
        for agent in self.agents.iter_mut().filter(|_| has_layers) {
            agent.avoidance = reader.read()?;
        }
        for detour in &mut self.detours.all {
            detour.mask = if has_layers { reader.read()? } else { usual.mask };
        }
        for room in &mut self.rooms {
            room.avoidance = if has_layers { reader.read()? } else { vec![usual] };
            for ways in &mut room.ways {
                ways.mask = if has_layers { reader.read()? } else { usual.mask };
            }
        }
        Ok(())
    }

    /// Returns a number that depends on everything that later steps depend on, the same on every machine and
    /// for any number of threads.
    pub fn state_hash(&self) -> u64 {
        let mut hash = Hash::<29>::default();
        // Of the bytes, so that the hash and what is saved cannot differ in what they leave out.
        for chunk in self.to_bytes().chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            hash.add(u64::from_le_bytes(word));
        }
        hash.0
    }
}

fn check(holds: bool, otherwise: &'static str) -> Result<(), BytesError> {
    if holds { Ok(()) } else { Err(BytesError::Value(otherwise)) }
}

/// Returns `true` if a place or a velocity is one that an agent can have.
fn is_near(vector: [f32; 2]) -> bool {
    vector.iter().all(|part| part.abs() <= FAR)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::CrowdSettings;
    use crate::crowd::guide::gathering::Ways;

    #[test]
    fn a_room_for_bodies_of_no_kind_is_refused() {
        for (kinds, is_read) in [(0, false), (1, true)] {
            let mut crowd = Crowd::new(CrowdSettings::default());
            if kinds > 0 {
                crowd.kind(crate::passability::LayerKey::default());
            }
            let avoidance = vec![Avoidance::default()];
            crowd.rooms.push(Room { avoidance, ways: vec![Ways::default()], ..Room::default() });
            assert_eq!(Crowd::from_bytes(&crowd.to_bytes()).is_ok(), is_read);
        }
    }
}
