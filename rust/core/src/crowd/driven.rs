//! Agents whose bodies are moved from outside: nodes that a physics engine moves, or a player.
//!
//! The game tells where such a body is ([`Crowd::tell_position`]) and, unless it follows a field or a path, where it is going
//! ([`Crowd::set_course`]). A step that is asked for it ([`Crowd::steer`]) moves it like all agents. The velocity with which it moved is
//! [`Crowd::safe_velocity`]; the body takes it, and the game tells before the next step where it came to. Others steer clear of it as of
//! any agent.

use super::agent::Mind;
use super::behaviour::Cause;
use super::ground::CrowdGround;
use super::right_of_way::JAMMED_MAX;
use super::routes::Course;
use super::state::Crowd;
use super::sweep::{Frame, fits, nearest_center};
use super::vector::{FAR, V, dot, minus};

/// A body that goes less than this part of where it was sent is held by something.
const DEFIES: f32 = 0.3;
/// A body that is no farther from where it was sent than this, in cells, went there.
const OBEYED: f32 = 0.02;
/// Farther than this many times its way at full speed, and than this many cells, a body was not walked but put.
const PUT_TIMES: f32 = 3.0;
const PUT_CELLS: f32 = 1.0;

impl Crowd {
    /// Tells where the centre of a driven agent's body is by now, in cells, `seconds` after it was told last: so its velocity is
    /// known. `false` when there is no such agent.
    pub fn tell_position(&mut self, id: u32, x: f64, y: f64, seconds: f64) -> bool {
        let Some(place) = self.driven_place(id).filter(|_| x.is_finite() && y.is_finite()) else {
            return false;
        };
        let (left, top) = (f64::from(self.origin.0), f64::from(self.origin.1));
        let (mind, body) = (&mut self.minds[place], &mut self.bodies[place]);
        let at = [(x - left) as f32, (y - top) as f32].map(|v| v.clamp(-FAR, FAR));
        let seconds = (seconds as f32).max(1e-4);
        let [dx, dy] = minus(at, mind.told);
        let is_put = dx.hypot(dy) > (PUT_TIMES * mind.speed * seconds).max(PUT_CELLS);
        let [off_x, off_y] = minus(at, body.at);
        mind.note_obedience([dx, dy], minus(body.at, mind.told), seconds);
        if is_put {
            body.velocity = [0.0; 2];
            self.is_sorted = false;
            self.near_age = 0;
        } else if off_x.hypot(off_y) > OBEYED {
            body.velocity = [dx / seconds, dy / seconds];
        }
        (body.at, mind.told) = (at, at);
        true
    }

    /// Where a driven agent's body was told to be, in cells; [`Crowd::view`] says where it is to be next.
    pub fn told_position(&mut self, id: u32) -> Option<[f64; 2]> {
        let place = self.driven_place(id)?;
        let told = self.minds[place].told;
        Some([f64::from(told[0]) + f64::from(self.origin.0), f64::from(told[1]) + f64::from(self.origin.1)])
    }

    /// Gives a driven agent a course of its own instead of a field or a path; agents with courses of one `group` want to one goal.
    /// `false` when there is no such agent.
    pub fn assign_course(&mut self, id: u32, group: u32) -> bool {
        if self.driven_place(id).is_none() {
            return false;
        }
        let guide = self.routes.add_course(group);
        self.assign(&[id], guide);
        self.routes.leave(guide);
        true
    }

    /// Tells a driven agent to where it walks straight now and how far it still is to its goal, in cells.
    pub fn set_course(&mut self, id: u32, aim: [f64; 2], left: f32) {
        let Some(place) = self.driven_place(id) else { return };
        let (x, y) = (aim[0] - f64::from(self.origin.0), aim[1] - f64::from(self.origin.1));
        let aim = [x as f32, y as f32].map(|v| v.clamp(-FAR, FAR));
        if aim.iter().all(|v| v.is_finite()) && left >= 0.0 {
            self.routes.set_course(self.minds[place].guide, Course { aim, left });
        }
    }

    /// Asks the next step for the velocity of a driven agent that walks at most so fast, in cells a second. Not asked, it goes
    /// where it likes in that step, and others steer clear of it; so does one that is asked for a speed of 0.
    pub fn steer(&mut self, id: u32, speed: f32) {
        let Some(place) = self.driven_place(id) else { return };
        self.set_speed(id, speed);
        self.minds[place].set(Mind::STEERED, speed > 0.0);
    }

    /// The velocity that the last step has found for the body of a driven agent, in cells a second: it keeps clear of all others and
    /// of walls, and is at most the agent's speed unless the body is pushed round a corner. `None` when there is no such agent or
    /// the step was not asked: see [`Crowd::steer`].
    pub fn safe_velocity(&mut self, id: u32) -> Option<[f32; 2]> {
        let place = self.driven_place(id)?;
        let (mind, body) = (&self.minds[place], &self.bodies[place]);
        let scale = self.last_step.max(1e-6).recip();
        (!body.is_driven()).then(|| minus(body.at, mind.told).map(|way| way * scale))
    }

    /// Lets a driven agent rest where it is: it has arrived, and the next step tells so. This is its place, to which it comes back
    /// when it is pushed.
    pub fn finish(&mut self, id: u32) {
        let Some(place) = self.driven_place(id) else { return };
        self.formations = (self.formations + 1) % Mind::FORMATIONS;
        let (mind, body) = (&mut self.minds[place], &self.bodies[place]);
        mind.set(Mind::ANNOUNCED | Mind::HAS_SLOT, true);
        (mind.home, mind.formation) = (body.at, self.formations);
        mind.settle(body.at, body.group);
        mind.meet(Cause::Arrived);
        self.finished.push((id, mind.guide));
    }

    fn driven_place(&mut self, id: u32) -> Option<usize> {
        self.place_of(id).filter(|&place| self.minds[place].has(Mind::DRIVEN))
    }

    /// A step is over: none that is driven has gone farther than it can where it need not, and each is to be asked anew. One that
    /// does not fit where it is, as after an edit or outside the map, walks straight to where it does.
    pub(super) fn end_of_step(&mut self, seconds: f32, ground: &CrowdGround<'_>) {
        self.last_step = seconds;
        if self.driven == 0 {
            return;
        }
        for (mind, body) in
            self.minds.iter_mut().zip(&mut self.bodies).filter(|(mind, _)| mind.has(Mind::DRIVEN))
        {
            let is_steered = mind.has(Mind::STEERED);
            mind.set(Mind::STEERED, false);
            let (frame, layer) =
                (Frame::new(self.kinds.footprint(mind.kind), body.radius), ground.layer(mind.kind));
            let most = mind.speed * seconds;
            let [x, y] = mind.told;
            if is_steered && !fits(layer, &frame, x, y) {
                let center = nearest_center(layer, &frame, mind.told).unwrap_or(mind.told);
                body.at = along(mind.told, center, most);
                continue;
            }
            let by = minus(body.at, mind.told);
            if dot(by, by) > most * most {
                // It was pushed, or went round a corner: there it needs all of the way.
                let slower = along(mind.told, body.at, most);
                if fits(layer, &frame, slower[0], slower[1]) {
                    body.at = slower;
                }
            }
        }
    }
}

/// The place `most` from `from` on the straight way to `to`, or `to` when that is nearer.
fn along(from: V, to: V, most: f32) -> V {
    let by = minus(to, from);
    let part = most / dot(by, by).sqrt();
    if part < 1.0 { [0, 1].map(|axis| from[axis] + by[axis] * part) } else { to }
}

impl Mind {
    /// Takes note of whether the body went where it was sent.
    fn note_obedience(&mut self, went: V, sent: V, seconds: f32) {
        let millis = (seconds * 1000.0) as u16;
        let wanted2 = dot(sent, sent);
        let is_sent = wanted2.sqrt() > 0.25 * self.speed * seconds;
        self.jammed = if is_sent && dot(went, sent) < DEFIES * wanted2 {
            self.jammed.saturating_add(millis).min(JAMMED_MAX)
        } else {
            self.jammed.saturating_sub(millis.saturating_mul(2))
        };
    }
}
