//! Agents whose bodies are moved from outside: nodes that a physics engine moves, or a player.
//!
//! The game tells where such a body is ([`Crowd::set_driven_position`]) and, unless it follows a field or a
//! path, where it is going ([`Crowd::set_course`]). A step that is asked for it ([`Crowd::steer`]) moves it
//! like all agents. The velocity with which it moved is [`Crowd::safe_velocity`]; the body takes it, and the
//! game tells before the next step where it came to. Others steer clear of it as of any agent.

use crate::crowd::ground::map::CrowdGround;
use crate::crowd::ground::sight::is_straight;
use crate::crowd::ground::sweep::{Frame, fits, nearest_center};
use crate::crowd::kept::Crowd;
use crate::crowd::numbers::millis::Millis;
use crate::crowd::numbers::tuning::TUNING;
use crate::crowd::numbers::vector::{FAR, V, dot, length, minus};
use crate::crowd::outcome::arrival::settle_short;
use crate::crowd::state::agent::Agent;
use crate::crowd::state::behaviour::{Behaviour, Cause};
use crate::crowd::state::routes::Course;

/// What is left of a course at its end, in cells: 0 would mean that it has arrived just now.
const AT_END: f32 = 0.01;

impl Crowd {
    /// Tells where the centre of a driven agent's body is by now, in cells, `seconds` after it was told last:
    /// so its velocity is known. `false` when there is no such agent.
    pub fn set_driven_position(&mut self, id: u32, x: f64, y: f64, seconds: f64) -> bool {
        let Some(index) = self.driven_place(id).filter(|_| x.is_finite() && y.is_finite()) else {
            return false;
        };
        let (left, top) = (f64::from(self.origin.0), f64::from(self.origin.1));
        let (agent, body) = (&mut self.agents[index], &mut self.bodies[index]);
        let at = [(x - left) as f32, (y - top) as f32].map(|v| v.clamp(-FAR, FAR));
        // Divided by below.
        let seconds = (seconds as f32).max(1e-4);
        let [dx, dy] = minus(at, agent.control.driven_at);
        // Put elsewhere by the game, it did not walk there: taken for a velocity, that would throw all around
        // it aside.
        let is_put =
            length([dx, dy]) > (TUNING.put_times * agent.control.speed * seconds).max(TUNING.put_cells);
        let off = minus([dx, dy], body.velocity.map(|part| part * seconds));
        agent.note_obedience([dx, dy], minus(body.at, agent.control.driven_at), seconds);
        if is_put {
            body.velocity = [0.0; 2];
            self.is_sorted = false;
            self.near_age = 0;
        // Where it went as the step had it, the velocity of that step is exact; a difference of places is
        // not. What contact took back of it was no movement: others would make room for one that does not
        // come.
        } else if length(off) > TUNING.obeyed {
            body.velocity = [dx / seconds, dy / seconds];
        }
        (body.at, agent.control.driven_at) = (at, at);
        // One with nothing to do is at home where its game puts it, and comes back to there when it has made
        // way.
        if agent.behaviour() == Behaviour::Idle {
            agent.slot.home = at;
        }
        true
    }

    /// Returns where a driven agent's body was told to be, in cells; [`Crowd::view`] says where it is to be
    /// next.
    pub fn driven_position(&mut self, id: u32) -> Option<[f64; 2]> {
        let index = self.driven_place(id)?;
        let told = self.agents[index].control.driven_at;
        Some([f64::from(told[0]) + f64::from(self.origin.0), f64::from(told[1]) + f64::from(self.origin.1)])
    }

    /// Gives a driven agent a course of its own instead of a field or a path; agents with courses of one
    /// `group` want to one goal. `false` when there is no such agent.
    pub fn assign_course(&mut self, id: u32, group: u32) -> bool {
        if self.driven_place(id).is_none() {
            return false;
        }
        // The course has one user from the beginning, so that its number is not given away; then the agent
        // alone.
        let guide = self.routes.add_course(group);
        self.assign(&[id], guide);
        self.routes.leave(guide);
        true
    }

    /// Tells a driven agent to where it walks straight now, where its course ends, and how far that still is,
    /// in cells.
    pub fn set_course(&mut self, id: u32, aim: [f64; 2], end: [f64; 2], left: f32) {
        let Some(index) = self.driven_place(id) else { return };
        let corner = [f64::from(self.origin.0), f64::from(self.origin.1)];
        let inside = |[x, y]: [f64; 2]| [x - corner[0], y - corner[1]].map(|v| (v as f32).clamp(-FAR, FAR));
        let (aim, end) = (inside(aim), inside(end));
        if aim.iter().chain(&end).all(|v| v.is_finite()) && left >= 0.0 {
            self.routes.set_course(self.agents[index].guide, Course { aim, end, left });
        }
    }

    /// Asks the next step for the velocity of a driven agent that walks at most so fast, in cells a second.
    /// Not asked, it goes where it likes in that step, and others steer clear of it; so does one that is
    /// asked for a speed of 0.
    pub fn steer(&mut self, id: u32, speed: f32) {
        let Some(index) = self.driven_place(id) else { return };
        self.set_speed(id, speed);
        self.agents[index].control.is_steered = speed > 0.0;
    }

    /// Returns the velocity that the last step has found for the body of a driven agent, in cells a second:
    /// it keeps clear of all others and of walls, and is at most the agent's speed unless the body is pushed
    /// round a corner. `None` when there is no such agent or the step was not asked: see [`Crowd::steer`].
    pub fn safe_velocity(&mut self, id: u32) -> Option<[f32; 2]> {
        let index = self.driven_place(id)?;
        let (agent, body) = (&self.agents[index], &self.bodies[index]);
        let scale = self.last_step.max(1e-6).recip();
        // A difference of places, not the velocity: contact has moved it, too.
        (!body.is_driven()).then(|| minus(body.at, agent.control.driven_at).map(|way| way * scale))
    }

    /// Lets a driven agent rest where it is: it has arrived, and the next step tells so. This is its place,
    /// to which it comes back when it is pushed.
    pub fn finish(&mut self, id: u32) {
        let Some(index) = self.driven_place(id) else { return };
        // A formation of one: no other may swap with it.
        self.formations = self.formations.wrapping_add(1);
        let (agent, body) = (&mut self.agents[index], &self.bodies[index]);
        let is_news = !std::mem::replace(&mut agent.progress.has_arrived, true);
        agent.slot.is_given = true;
        self.routes.set_course(agent.guide, Course { aim: body.at, end: body.at, left: AT_END });
        (agent.slot.home, agent.slot.formation) = (body.at, self.formations);
        agent.settle(body.at);
        // Without a goal it would have become idle.
        agent.meet(Cause::Arrived);
        if is_news {
            self.finished.push((id, agent.guide));
        }
    }

    /// Lets a driven agent rest where it is, blocked: others keep it off its place. It goes on when they
    /// leave.
    pub fn keep_off(&mut self, id: u32) {
        let Some(index) = self.driven_place(id) else { return };
        let (agent, body) = (&mut self.agents[index], &mut self.bodies[index]);
        // Until it is there.
        (agent.progress.has_arrived, agent.progress.blocked_at) = (false, 0.0);
        agent.slot.is_given = false;
        settle_short(agent, body);
    }

    fn driven_place(&mut self, id: u32) -> Option<usize> {
        self.index_of(id).filter(|&index| self.agents[index].control.is_driven)
    }

    /// A step is over: none that is driven has gone farther than it can where it need not, and each is to be
    /// asked anew. One that does not fit where it is, as after an edit or outside the map, walks to where it
    /// does.
    pub(in crate::crowd) fn end_of_step(&mut self, seconds: f32, ground: &CrowdGround<'_>) {
        self.last_step = seconds;
        if self.driven == 0 {
            return;
        }
        for (agent, body) in
            self.agents.iter_mut().zip(&mut self.bodies).filter(|(agent, _)| agent.control.is_driven)
        {
            let is_steered = agent.control.is_steered;
            // A script that asks no more moves the body itself.
            agent.control.is_steered = false;
            let (frame, layer) =
                (Frame::new(self.kinds.footprint(agent.kind), body.radius), ground.layer(agent.kind));
            let most = agent.control.speed * seconds;
            let [x, y] = agent.control.driven_at;
            if is_steered && !fits(layer, &frame, x, y) {
                let center =
                    nearest_center(layer, &frame, agent.control.driven_at).unwrap_or(agent.control.driven_at);
                body.at = along(agent.control.driven_at, lesser_first(agent.control.driven_at, center), most);
                continue;
            }
            let by = minus(body.at, agent.control.driven_at);
            if dot(by, by) > most * most {
                // It was pushed, or went round a corner: there it needs all of the way.
                let slower = along(agent.control.driven_at, body.at, most);
                // Straight, the way round the end of a thin wall would lead through it.
                let is_seen = || layer.edges().is_none() || is_straight(layer, &frame, [x, y], slower);
                if fits(layer, &frame, slower[0], slower[1]) && is_seen() {
                    body.at = slower;
                }
            }
        }
    }
}

/// Returns to where to go first on the way to `to`: along the axis on which that is nearer. Straight into a
/// gap as wide as itself, a body would cut the gap's corner.
fn lesser_first(from: V, to: V) -> V {
    let [x, y] = minus(to, from).map(f32::abs);
    match () {
        () if x.min(y) < 1e-3 => to,
        () if x < y => [to[0], from[1]],
        () => [from[0], to[1]],
    }
}

/// Returns the place `most` from `from` on the straight way to `to`, or `to` when that is nearer.
fn along(from: V, to: V, most: f32) -> V {
    let by = minus(to, from);
    let part = most / dot(by, by).sqrt();
    if part < 1.0 { [0, 1].map(|axis| from[axis] + by[axis] * part) } else { to }
}

impl Agent {
    /// Takes note of whether the body went where it was sent.
    fn note_obedience(&mut self, went: V, sent: V, seconds: f32) {
        let time = Millis((seconds * 1000.0) as u16);
        let wanted2 = dot(sent, sent);
        // One that was sent hardly anywhere defies nothing.
        let is_sent = wanted2.sqrt() > 0.25 * self.control.speed * seconds;
        self.priority.jammed.run(is_sent && dot(went, sent) < TUNING.defies * wanted2, time, 2);
        self.priority.jammed = self.priority.jammed.min(TUNING.turns_after);
    }
}
