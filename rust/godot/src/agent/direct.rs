//! The agent's direct answers, to what games ask for each unit and frame.

use godot::prelude::*;

use super::PathForgeAgent2D;
use super::walk::Progress;
use crate::direct::{Declared, Functions};
use crate::state::State;

impl PathForgeAgent2D {
    /// The direct answer of a method, if it has one.
    pub fn direct(method: &str, declared: Declared) -> Option<Functions> {
        Some(match method {
            "get_target_position" => declared.after(|_: &Gd<Self>, progress: &State<Progress>, (): ()| {
                Some(progress.try_lock()?.target.unwrap_or_default())
            }),
            "get_next_velocity" => {
                declared.after(|_: &Gd<Self>, progress: &State<Progress>, (speed,): (f64,)| {
                    let is_speed = speed.is_finite() && speed >= 0.0;
                    is_speed.then(|| progress.try_lock()?.pace.ask_silently(speed)).flatten()
                })
            }
            "is_navigation_finished" => declared.after(|_: &Gd<Self>, progress: &State<Progress>, (): ()| {
                Some(progress.try_lock()?.is_finished)
            }),
            "is_target_reached" => declared.after(|_: &Gd<Self>, progress: &State<Progress>, (): ()| {
                Some(progress.try_lock()?.is_reached)
            }),
            _ => return None,
        })
    }
}
