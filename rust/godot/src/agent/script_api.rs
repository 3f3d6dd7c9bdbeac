//! The methods of an agent that scripts call, and the direct answers to those that games call for each unit and frame.

use godot::prelude::*;

use super::PathForgeAgent2D;
use super::signals::Published;
use super::velocity::is_speed;
use crate::blockage::PathForgeBlockage;
use crate::direct::{Declared, Functions};
use crate::path::PathForgePath;
use crate::state::{self, State};

#[godot_api(secondary)]
impl PathForgeAgent2D {
    /// Forgets the target: the body stays where it is.
    #[func]
    fn stop(&mut self) {
        self.forget_target();
    }

    /// Returns where to walk now, in global space. Call it once in every physics frame while [method is_navigation_finished] is
    /// `false`: it takes note of how far the body has come, and emits the signals. Orders of a [PathForgeCrowd] lead by
    /// [method get_next_velocity] only.
    #[func(gd_self)]
    fn get_next_path_position(this: Gd<Self>) -> Vector2 {
        Self::warn_of_order(&this);
        Self::next_position(&this)
    }

    /// Returns the velocity with which a body that walks `speed` pixels a second comes to [method get_next_path_position] and
    /// keeps clear of walls and of all agents of its [member crowd], for `_physics_process`. Call it instead of that method, once
    /// in every physics frame, also at rest: the body then makes way for others that want through, and comes back. The velocities of
    /// all bodies are found together in the crowd's step, for the speeds of the frame before. In the first frame, and without [member
    /// avoidance_enabled] unless the crowd has sent the body somewhere, the velocity leads straight along the route. With a speed of 0
    /// the body stands. A negative speed is an error.
    #[func(gd_self)]
    fn get_next_velocity(this: Gd<Self>, speed: f64) -> Vector2 {
        Self::next_velocity(&this, speed)
    }

    /// Returns the id of the body in its [member crowd], or −1 without a grid or outside the tree. With it, methods such as [method
    /// PathForgeCrowd.assign_goal] send a squad of nodes, and each gets a place of its own. The id changes when the agent leaves
    /// the tree or gets another crowd: ask for it when you give an order.
    ///
    /// ```gdscript
    /// var ids := PackedInt32Array()
    /// for agent: PathForgeAgent2D in squad:
    ///     ids.append(agent.get_agent_id())
    /// crowd.assign_goal(ids, Vector2i(40, 8))
    /// ```
    #[func]
    fn get_agent_id(&mut self) -> i64 {
        self.agent_id().map_or(-1, i64::from)
    }

    /// Returns [code]true[/code] while others keep the body from its target: it is stuck among them, rests behind others and goes on
    /// when they are gone, or has settled beside others that are at its target. [method get_blockage] says which.
    #[func]
    fn is_blocked_by_others(&self) -> bool {
        self.is_blocked()
    }

    /// Returns what keeps the body from its target while [method is_blocked_by_others]: which others are right before it, and the
    /// free room nearer to the target.
    ///
    /// ```gdscript
    /// for other: PathForgeAgent2D in agent.get_blockage().nodes:
    ///     other.get_parent().modulate = Color.RED
    /// ```
    #[func]
    fn get_blockage(&self) -> Gd<PathForgeBlockage> {
        self.blockage()
    }

    /// Returns [code]true[/code] if there is nothing to walk to: no target, or the route is at its end, or there is
    /// none.
    #[func(gd_self)]
    fn is_navigation_finished(this: Gd<Self>) -> bool {
        !state::of(&this).lock().is_navigating
    }

    /// Returns [code]true[/code] if the body has arrived at the target.
    #[func(gd_self)]
    fn is_target_reached(this: Gd<Self>) -> bool {
        state::of(&this).lock().is_reached
    }

    /// Returns [code]true[/code] if the body can get to the target: what the path says or, while it is on its way, the
    /// grid, without a search.
    #[func]
    fn is_target_reachable(&mut self) -> bool {
        self.can_reach_target()
    }

    /// Returns how far the target is from the body, as the crow flies, in pixels.
    #[func(gd_self)]
    fn distance_to_target(this: Gd<Self>) -> f64 {
        let target = state::of(&this).lock().target;
        target.map_or(0.0, |target| f64::from(this.get_global_position().distance_to(target)))
    }

    /// Returns where the route ends, in global space; the body's own position when there is none.
    #[func]
    fn get_final_position(&self) -> Vector2 {
        let last = self.positions().last().copied();
        last.unwrap_or_else(|| self.base().get_global_position())
    }

    /// Returns the length of the whole route, in pixels.
    #[func]
    fn get_path_length(&self) -> f64 {
        // An empty sum is a negative zero, which scripts print as "-0.0".
        let lengths = self.positions();
        let lengths = lengths.windows(2).map(|pair| f64::from(pair[0].distance_to(pair[1])));
        lengths.fold(0.0, |sum, part| sum + part)
    }

    /// Returns the positions of the route, in global space, from where the body was when it came.
    #[func]
    fn get_current_navigation_path(&self) -> PackedVector2Array {
        self.positions().into_iter().collect()
    }

    /// Returns the place in [method get_current_navigation_path] of the position that the body walks to.
    #[func]
    fn get_current_navigation_path_index(&self) -> i64 {
        self.walker.next_index() as i64
    }

    /// Returns the path that the route was made from, or `null`.
    #[func]
    fn get_current_path(&self) -> Option<Gd<PathForgePath>> {
        self.path.clone()
    }

    // A request calls it back by this name, with first steps and with the whole path; scripts have no business with it, as the underscore says.
    #[func(gd_self, rename = _on_path_answered)]
    fn on_path_answered(mut this: Gd<Self>, path: Option<Gd<PathForgePath>>) {
        let Some(path) = path else { return };
        let messages = this.bind_mut().take_path(path);
        Self::tell(&this, messages);
    }
}

impl PathForgeAgent2D {
    /// The direct answer of a method, if it has one.
    pub fn direct(method: &str, declared: Declared) -> Option<Functions> {
        Some(match method {
            "get_target_position" => declared.after(|_: &Gd<Self>, published: &State<Published>, (): ()| {
                Some(published.try_lock()?.target.unwrap_or_default())
            }),
            "get_next_velocity" => {
                declared.after(|_: &Gd<Self>, published: &State<Published>, (speed,): (f64,)| {
                    is_speed(speed).then(|| published.try_lock()?.velocity.exchange_silently(speed)).flatten()
                })
            }
            "is_navigation_finished" => {
                declared.after(|_: &Gd<Self>, published: &State<Published>, (): ()| {
                    Some(!published.try_lock()?.is_navigating)
                })
            }
            "is_target_reached" => declared.after(|_: &Gd<Self>, published: &State<Published>, (): ()| {
                Some(published.try_lock()?.is_reached)
            }),
            _ => return None,
        })
    }
}
