//! The velocity of a body: scripts ask for it in each frame, and the step of its crowd finds those of all
//! bodies at once.
//!
//! [`VelocitySlot`] lies between both: a script leaves the speed for the next step, and takes the velocity
//! that the last one has found for it. Without one, the body walks straight along its path.

use godot::classes::Engine;
use godot::prelude::*;

use super::{Agent, AgentNode};
use crate::engine::errors::report;

/// After its script has asked for a velocity, a body walks with it for this time, by the steps of its crowd:
/// games ask in every second physics frame, or in `_process` on a slow machine. Afterwards the script moves
/// the body, or it stands.
pub const HELD_SECONDS: f64 = 0.25;

/// The speed that a script asks for, and the velocity that the last step has found.
#[derive(Default)]
pub struct VelocitySlot {
    /// The speed that was asked for last, and the seconds that steps have taken since.
    speed_asked: Option<f64>,
    asked_ago: f64,
    found: Option<Found>,
    /// The velocity that was given last.
    given: Vector3,
    /// The physics frame in which a step of the crowd has looked at the walk.
    stepped: Option<u64>,
}

struct Found {
    /// The physics frame of the step, and the seconds for which it was made.
    frame: u64,
    seconds: f64,
    /// The speed that it was found for.
    speed: f64,
    velocity: Vector3,
    /// A signal is to be emitted with it.
    is_told: bool,
}

impl Found {
    /// Returns `true` if the step that found it lasts until this physics frame. A game may step its crowd
    /// after its bodies.
    fn counts(&self) -> bool {
        let now = physics_frame();
        now <= self.frame + 1 || {
            let frame_seconds = 1.0 / f64::from(Engine::singleton().get_physics_ticks_per_second().max(1));
            (now - self.frame) as f64 * frame_seconds < self.seconds.min(HELD_SECONDS) + frame_seconds * 0.5
        }
    }
}

impl VelocitySlot {
    /// Takes note that a body is to walk on with `speed`; returns the velocity for this frame, if there is
    /// one.
    pub fn exchange(&mut self, speed: f64) -> Option<Vector3> {
        let found = self.found.as_ref().filter(|found| found.counts())?;
        // Slower than when it was found, it is as long as the body can walk.
        let slower = if speed < found.speed { speed / found.speed } else { 1.0 };
        let velocity = found.velocity * slower as f32;
        self.ask(speed, velocity);
        Some(velocity)
    }

    /// The same where nothing is to be told or to be refused.
    pub fn exchange_silently(&mut self, speed: f64) -> Option<Vector3> {
        // A signal is emitted, and a speed refused, by the method itself, not by its direct answer.
        self.found.as_ref().filter(|found| !found.is_told && is_speed(speed))?;
        self.exchange(speed)
    }

    /// A script has asked for a velocity, and is given this one.
    fn ask(&mut self, speed: f64, velocity: Vector3) {
        (self.speed_asked, self.asked_ago, self.given) = (Some(speed), 0.0, velocity);
    }

    /// A step of so many seconds begins: returns the speed that was asked for or, once, the velocity that was
    /// given last where its script asks for no other.
    pub fn take_asked(&mut self, seconds: f64) -> Result<f64, Option<Vector3>> {
        // What the last step has found holds until the next one.
        self.found = None;
        let speed = self.speed_asked.ok_or(None)?;
        if self.asked_ago > HELD_SECONDS {
            self.speed_asked = None;
            return Err(Some(self.given));
        }
        self.asked_ago += seconds;
        Ok(speed)
    }

    /// A step in this physics frame has found a velocity for so many seconds.
    pub fn fill(&mut self, (frame, seconds): (u64, f64), speed: f64, velocity: Vector3, is_told: bool) {
        self.found = Some(Found { frame, seconds, speed, velocity, is_told });
    }

    /// A step of the crowd looks at the walk in this physics frame.
    pub(super) fn note_step(&mut self, frame: u64) {
        self.stepped = Some(frame);
    }

    /// Returns `true` if a step of the crowd has looked at the walk since the physics frame before.
    pub(super) fn is_stepped(&self) -> bool {
        self.stepped.is_some_and(|stepped| physics_frame() <= stepped + 1)
    }

    /// What was found counts no more.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

/// The number of this physics frame.
pub fn physics_frame() -> u64 {
    Engine::singleton().get_physics_frames()
}

/// Returns `true` if a body can walk as fast.
fn is_speed(speed: f64) -> bool {
    speed.is_finite() && speed >= 0.0
}

impl Agent {
    /// The velocity for a body that is to walk with `speed`, which the signal tells as well.
    pub(super) fn next_velocity(this: &AgentNode, speed: f64) -> Vector3 {
        if !is_speed(speed) {
            let problem = format_args!("speed {speed} is not a finite number of at least 0");
            report(&format!("{}.get_next_velocity", this.node().get_class()), problem);
            return Vector3::ZERO;
        }
        let found = this.state().lock().velocity.exchange(speed);
        let velocity = found.unwrap_or_else(|| Self::straight_velocity(this, speed));
        if !this.is_instance_valid() {
            return Vector3::ZERO;
        }
        if this.node().has_connections("velocity_computed") {
            this.tell_velocity(velocity);
        }
        velocity
    }

    /// The velocity that leads straight along the route. The crowd is asked for a velocity that keeps clear
    /// from its next step on.
    fn straight_velocity(this: &AgentNode, speed: f64) -> Vector3 {
        let seconds = this.node().get_physics_process_delta_time();
        let next = Self::next_position(this);
        // Handlers of what has been told may have freed it.
        if seconds <= 0.0 || !this.is_instance_valid() {
            return Vector3::ZERO;
        }
        let mut agent = this.clone();
        let mut agent = agent.bind_mut();
        if !agent.avoidance_enabled && !agent.walker.is_led() {
            // Its body is then no obstacle to others either.
            agent.leave_crowd();
        }
        let is_member = (agent.avoidance_enabled || agent.walker.is_led()) && agent.join().is_some();
        let on_link = agent.link_speed(speed);
        let pace = on_link.unwrap_or_else(|| speed * agent.weight_factor());
        let way = agent.way_to(next);
        // No farther than to the next position: it would overshoot.
        let velocity = way.limit_length(Some((pace * seconds) as f32)) / seconds as f32;
        if is_member {
            // On a link it steers clear of nothing, and its crowd does not hear of the velocity.
            let told = if on_link.is_some() { Vector3::ZERO } else { velocity };
            agent.published.lock().velocity.ask(speed, told);
        }
        velocity
    }

    /// Where to walk now, in global space, on the ground. Orders of a crowd are no such way, which is warned
    /// of.
    pub(super) fn next_path_position(this: &AgentNode) -> Vector3 {
        Self::warn_of_order(this);
        let position = Self::next_position(this);
        // A handler of what was told may have freed it.
        if !this.is_instance_valid() {
            return position;
        }
        let mut agent = this.clone();
        let agent = agent.bind_mut();
        agent.link.grounded(position)
    }

    /// Where to walk now, in global space; in 3D it may be above or below the ground. Tells what has
    /// happened.
    pub(super) fn next_position(this: &AgentNode) -> Vector3 {
        let mut agent = this.clone();
        let (position, messages) = {
            let mut agent = agent.bind_mut();
            (agent.walk_on_own_grid(), agent.take_messages(None))
        };
        Self::tell(this, messages);
        position
    }
}
