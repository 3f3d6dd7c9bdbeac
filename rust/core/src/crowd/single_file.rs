//! Single file: where two of a group do not fit side by side, the one behind keeps behind the other.
//!
//! Bodies that fill more than half of a street press into two staggered rows, which fit into each other but
//! round no corner: the one in front has to step aside, into the way of the one beside it, and both are held
//! like stones of an arch. So one that is held up beside one that is nearer to where both want to go falls
//! back by half-planes until it is a whole body behind. So do those behind it, and the column moves on one
//! after the other. Takes nine looks into the layer for each of the nearest neighbours that are right before
//! it.

use super::agent::Agent;
use super::body::Body;
use super::neighbours::Neighbours;
use super::outline::Gap;
use super::solver::HalfPlane;
use super::substep::Substep;
use super::sweep::Frame;
use super::tuning::TUNING;
use super::vector::{V, cross, dot, minus};
use super::yielding::has_room_beside;

impl Substep<'_> {
    /// Returns the velocities with which a body keeps behind those of its group that it cannot pass, or falls
    /// back behind them; `None` where there are none, or nothing holds it up.
    pub fn keep_behind(
        &self,
        agent: &Agent,
        frame: &Frame,
        body: &Body,
        way: V,
        near: &Neighbours,
        bodies: &[Body],
    ) -> Option<HalfPlane> {
        // One that backs off looks the other way, and one with a place of its own finds it among others.
        if agent.progress.held_up < TUNING.patience
            || agent.backs_off(self.number)
            || agent.slot.is_given
            || agent.behaviour().is_homing()
        {
            return None;
        }
        let layer = self.ground.layer(agent.kind);
        let speed_behind = |other: &Body| {
            if !is_in_file(body, way, other) {
                return None;
            }
            let Gap { offset, touch } = body.gap::<true>(other);
            let along = dot(way, offset);
            let limit = touch + TUNING.beside;
            let is_beside = dot(offset, offset) < limit * limit && cross(way, offset).abs() < touch;
            if !(is_beside && along > 0.0 && along < touch)
                || has_room_beside(layer, frame, other.at, way, other.outline().longest())
            {
                return None;
            }
            // As fast as the other, and what it is too near in the time in which none is to be touched.
            Some(dot(way, other.velocity) - (touch - along) / TUNING.horizon)
        };
        let speeds = near.iter().filter_map(|index| speed_behind(&bodies[index]));
        speeds.min_by(f32::total_cmp).map(|speed| HalfPlane::at_most(way, speed))
    }
}

/// Returns `true` if a body that walks on `way` is behind another one, if that is ahead: one of its group
/// that walks the same way or across it, and is not smaller. Smaller ones slip past while a large one falls
/// back behind them. Of two of which each has the other ahead, the first by rank goes on.
fn is_in_file(body: &Body, way: V, other: &Body) -> bool {
    let has_it_ahead = dot(other.preferred, minus(body.at, other.at)) > 0.0;
    other.group == body.group
        && !(other.gives() || other.ghosts())
        && other.radius >= body.radius
        && dot(way, other.preferred) >= -0.5
        && !(has_it_ahead && body.rank < other.rank)
}
