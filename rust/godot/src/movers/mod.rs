//! What moves: node agents and crowds. They know each other, so they share a room.

pub mod agent;
pub mod crowd;

use godot::prelude::*;
use pathforge_core::crowd::Bodies;

use crate::map::grid::PathForgeGrid;
use agent::AgentNode;
use crowd::{CROWDS, NodeBody, PathForgeCrowd};

/// Adds the bodies on `grid` of all crowds and agents in the scene tree.
///
/// Crowds know where the agents are that they move themselves. Where nodes are, each node says: a body may
/// have come, or been put elsewhere, since the last step.
pub fn show_bodies(grid: &Gd<PathForgeGrid>, bodies: &mut Bodies) {
    for mut crowd in CROWDS.all() {
        PathForgeCrowd::show_bodies_to(&mut crowd, grid, bodies);
    }
    for mut agent in AgentNode::all_in_tree() {
        let body = agent.bind_mut().body_on(grid);
        if let Some((NodeBody { kind, radius, layers, .. }, at)) = body {
            bodies.add(&kind, radius, [at.x, at.y], layers);
        }
    }
}
