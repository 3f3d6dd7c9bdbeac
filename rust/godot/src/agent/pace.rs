//! The velocity of a body: scripts ask for it in each frame, and the step of its crowd finds those of all bodies at once.

use godot::classes::Engine;
use godot::prelude::*;

/// What a script asks for, and what the last step has found.
#[derive(Default)]
pub struct Pace {
    /// The speed that was asked for since the last step.
    asked: Option<f64>,
    found: Option<Found>,
    /// The physics frame in which a step of the crowd has looked at the walk.
    seen: Option<u64>,
}

struct Found {
    /// The physics frame of the step.
    frame: u64,
    /// The speed that it was found for.
    speed: f64,
    velocity: Vector2,
    /// A signal is to be emitted with it.
    is_told: bool,
}

impl Pace {
    /// Takes note that a body is to walk on with `speed`; returns the velocity for this frame, if there is one.
    pub fn ask(&mut self, speed: f64) -> Option<Vector2> {
        // A crowd that is not stepped in every physics frame knows nothing of this one. A game may step it after its bodies.
        let found = self.found.as_ref().filter(|found| frame() <= found.frame + 1)?;
        self.asked = Some(speed);
        // Slower than when it was found, it is as long as the body can walk.
        let slower = if speed < found.speed { speed / found.speed } else { 1.0 };
        Some(found.velocity * slower as f32)
    }

    /// The same where nothing is to be told.
    pub fn ask_silently(&mut self, speed: f64) -> Option<Vector2> {
        self.found.as_ref().filter(|found| !found.is_told)?;
        self.ask(speed)
    }

    /// A body is to walk with `speed` from the next step on.
    pub fn begin(&mut self, speed: f64) {
        self.asked = Some(speed);
    }

    /// A step begins: returns the speed that was asked for since the last one.
    pub fn take_asked(&mut self) -> Option<f64> {
        self.found = None;
        self.asked.take()
    }

    /// A step in this physics frame has found a velocity.
    pub fn find(&mut self, frame: u64, speed: f64, velocity: Vector2, is_told: bool) {
        self.found = Some(Found { frame, speed, velocity, is_told });
    }

    /// A step of the crowd has looked at the walk.
    pub fn see(&mut self, frame: u64) {
        self.seen = Some(frame);
    }

    /// Returns `true` if a step of the crowd has looked at the walk since the physics frame before.
    pub fn is_seen(&self) -> bool {
        self.seen.is_some_and(|seen| frame() <= seen + 1)
    }

    /// What was found counts no more.
    pub fn forget(&mut self) {
        *self = Self::default();
    }
}

/// The number of this physics frame.
pub fn frame() -> u64 {
    Engine::singleton().get_physics_frames()
}
