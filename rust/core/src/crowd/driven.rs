//! Agents whose bodies are moved from outside: nodes that a physics engine moves, or a player.
//!
//! The game tells where such a body is ([`Crowd::tell_position`]) and, unless it follows a field or a path, where it is going
//! ([`Crowd::set_course`]). A step moves it like all agents. The velocity with which it moved is asked for by [`Crowd::steer`]; the body
//! takes it, and the game tells before the next step where it came to. Others steer clear of it as of any agent.

use super::agent::Mind;
use super::behaviour::Cause;
use super::ground::CrowdGround;
use super::routes::Course;
use super::state::Crowd;
use super::sweep::{Frame, fits};
use super::vector::{FAR, dot, minus};

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

    /// The velocity, in cells a second, with which the body of a driven agent keeps clear of all others and of walls, at most `speed`
    /// unless it is pushed round a corner, found by the last step; `None` when there is no such agent or that step took it for one
    /// that goes where it likes, because it was not asked between the two steps before.
    pub fn steer(&mut self, id: u32, speed: f32) -> Option<[f32; 2]> {
        let place = self.driven_place(id)?;
        self.set_speed(id, speed);
        let (mind, body) = (&mut self.minds[place], &self.bodies[place]);
        mind.set(Mind::STEERED, speed > 0.0);
        let scale = self.last_step.max(1e-6).recip();
        (!body.is_driven()).then(|| minus(body.at, mind.told).map(|way| way * scale))
    }

    /// Lets a driven agent rest where it is: it has arrived.
    pub fn finish(&mut self, id: u32) {
        let Some(place) = self.driven_place(id) else { return };
        let (mind, body) = (&mut self.minds[place], &self.bodies[place]);
        mind.set(Mind::ANNOUNCED, true);
        mind.settle(body.at, body.group);
        mind.meet(Cause::Arrived);
    }

    fn driven_place(&mut self, id: u32) -> Option<usize> {
        self.place_of(id).filter(|&place| self.minds[place].has(Mind::DRIVEN))
    }

    /// A step is over: none that is driven has gone farther than it can where it need not, and each is to be asked anew.
    pub(super) fn end_of_step(&mut self, seconds: f32, ground: &CrowdGround<'_>) {
        self.last_step = seconds;
        if self.driven == 0 {
            return;
        }
        for (mind, body) in
            self.minds.iter_mut().zip(&mut self.bodies).filter(|(mind, _)| mind.has(Mind::DRIVEN))
        {
            mind.set(Mind::STEERED, false);
            let by = minus(body.at, mind.told);
            let (length, most) = (dot(by, by).sqrt(), mind.speed * seconds);
            if length > most {
                let frame = Frame::new(self.kinds.footprint(mind.kind), body.radius);
                // It was pushed, or went round a corner: there it needs all of the way.
                let slower = [0, 1].map(|axis| mind.told[axis] + by[axis] * most / length);
                if fits(ground.layer(mind.kind), &frame, slower[0], slower[1]) {
                    body.at = slower;
                }
            }
        }
    }
}
