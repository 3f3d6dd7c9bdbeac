//! Places that are free of bodies, for what a game is about to add: what grids and spaces ask in one
//! way.
//!
//! Crowds know where their agents are that they move themselves. Where nodes are, each node says: a body may
//! have come, or been put elsewhere, since the last step.

use godot::prelude::*;
use pathforge_core::crowd::Bodies;
use pathforge_core::guidance::free_places;

use crate::engine::errors::report;
use crate::engine::state;
use crate::map::grid::PathForgeGrid;
use crate::movers::agent::AgentNode;
use crate::movers::crowd::{CROWDS, PathForgeCrowd};
use crate::script::given::given;
use crate::script::profile::{Asker, ProfileArg};

/// The centres, in cell space, of up to `count` free places on a grid, the nearest to `near` first; none
/// after an error, which names `method`. Crowds in the scene tree are seen. Nothing may
/// be borrowed.
pub fn find(
    method: &str,
    grid: &Gd<PathForgeGrid>,
    (near, count): ((f64, f64), i64),
    profile: &ProfileArg,
) -> Vec<(f64, f64)> {
    let count = match given("count", count).at_least(0) {
        Ok(count) => usize::try_from(count).unwrap_or(usize::MAX),
        Err(problem) => {
            report(method, problem);
            return Vec::new();
        }
    };
    if !state::is_main_thread() {
        report(method, "it looks at nodes, which only the main thread may do");
        return Vec::new();
    }
    let mut bodies = Bodies::default();
    for mut crowd in CROWDS.all() {
        PathForgeCrowd::show_bodies_to(&mut crowd, grid, &mut bodies);
    }
    for mut agent in AgentNode::all_in_tree() {
        if let Some((kind, radius, at)) = agent.bind_mut().body_on(grid) {
            bodies.add(&kind, radius, [at.x, at.y]);
        }
    }
    let state = state::of(grid);
    let mode = state.lock().mode;
    let profile = Asker::of(profile, mode).profile;
    let places = free_places(&mut state.lock().world, &profile, bodies, [near.0, near.1], count);
    places.into_iter().map(|[x, y]| (x, y)).collect()
}
