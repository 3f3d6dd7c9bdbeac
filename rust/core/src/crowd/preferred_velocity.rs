//! The preferred velocity: where an agent goes when none is in its path.
//!
//! It comes from the agent's place when that is in sight, else from its field or its path. An agent slows down at the end.

use super::agent::Agent;
use super::behaviour::Cause;
use super::ground::CrowdGround;
use super::guide::{Course, NO_GUIDE, PATH_GUIDE, Routes};
use super::sweep::{Frame, is_straight};
use super::tuning::TUNING;
use super::vector::{V, minus, towards};
use crate::bitgrid::BitGrid;
use crate::cost::STRAIGHT;
use crate::field::FieldRef;

/// One that is so near to where it walks straight waits there until it is told where to go on, in cells.
const AT_AIM: f32 = 1e-4;

/// Cost units of a cell.
pub(super) const UNITS_PER_CELL: f32 = STRAIGHT as f32;

/// What an agent wants.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Preference {
    /// To walk that way, so fast.
    Go(V, f32),
    /// It is where it wanted to be.
    Arrived,
    /// There is no way.
    Lost,
    /// Its field is not there yet.
    Waits,
    /// It stays where it is.
    Rests,
    /// It makes way for others.
    Aside,
    /// It stays where it is, and makes way for none.
    Held,
    /// It is thrown.
    Thrown,
    /// Its body is moved from outside.
    Driven,
}

/// Returns what `agent` wants `at` a place where it is so fast, others aside; looks up its path and its slot. The time is a substep and
/// its seconds.
pub(super) fn preference(
    ground: &CrowdGround<'_>,
    routes: &Routes,
    frame: &Frame,
    agent: &mut Agent,
    (at, speed): (V, f32),
    (substep, seconds): (u32, f32),
) -> Preference {
    // The place first: the field leads to the goal, which another may have by now.
    if agent.slot.is_given || agent.behaviour().is_homing() {
        let layer = ground.layer(agent.kind);
        if let Some(preference) = to_home(layer, frame, agent, (at, speed), substep) {
            return preference;
        }
    }
    if agent.guide == NO_GUIDE {
        return Preference::Arrived;
    }
    match ground.field(agent.guide) {
        Some(field) => by_field(field.field, frame, at, speed),
        None if agent.guide & PATH_GUIDE == 0 => Preference::Waits,
        None => by_route(routes, agent, (at, speed), seconds),
    }
}

fn to_home(
    layer: &BitGrid,
    frame: &Frame,
    agent: &mut Agent,
    (at, speed): (V, f32),
    substep: u32,
) -> Option<Preference> {
    if agent.has_closed_up() {
        // It stays among those around it; contact moves it out of them.
        return Some(Preference::Go([0.0; 2], 0.0));
    }
    let (way, length) = towards(at, agent.slot.home);
    if length < TUNING.at_place {
        return Some(Preference::Arrived);
    }
    // A line of sight costs up to 250 looks into the layer, so agents take turns.
    if substep.wrapping_add(agent.id).is_multiple_of(TUNING.look_substeps) {
        let is_seen = length < TUNING.homing_max && is_straight(layer, frame, at, agent.slot.home);
        agent.meet(if is_seen { Cause::PlaceSeen } else { Cause::PlaceLost });
    }
    agent.behaviour().is_homing().then(|| Preference::Go(way, speed.min(length * TUNING.braking)))
}

#[inline]
fn by_field(field: FieldRef<'_>, frame: &Frame, at: V, speed: f32) -> Preference {
    let corner = minus(at, frame.half);
    let (x, y) = field.sample(corner[0], corner[1]);
    if x != 0.0 || y != 0.0 {
        return Preference::Go([x, y], speed);
    }
    // No direction: cut off from all goals, or on one of them.
    if cost_at(field, corner).is_none() {
        return Preference::Lost;
    }
    // On a goal's cell: to its middle.
    let middle = corner.map(|v| (v + 0.5).floor());
    let (way, length) = towards(corner, middle);
    if length < TUNING.at_place {
        Preference::Arrived
    } else {
        Preference::Go(way, speed.min(length * TUNING.braking))
    }
}

fn by_route(routes: &Routes, agent: &mut Agent, (at, speed): (V, f32), seconds: f32) -> Preference {
    let Some(route) = routes.get(agent.guide) else { return Preference::Lost };
    // A course has no points: it is set before each step, and on the march in each substep.
    if route.points.is_empty() {
        let Course { aim, left, .. } = route.course;
        let (way, length) = towards(at, aim);
        return match () {
            () if left <= 0.0 => Preference::Arrived,
            () if length < AT_AIM => Preference::Waits,
            () => Preference::Go(way, speed.min(length / seconds)),
        };
    }
    let last = route.points.len() - 1;
    loop {
        let Some(&point) = route.points.get(agent.progress.cursor as usize) else { return Preference::Lost };
        let (way, length) = towards(at, point);
        let is_last = agent.progress.cursor as usize == last;
        if is_last {
            return if length < TUNING.at_place {
                Preference::Arrived
            } else {
                Preference::Go(way, speed.min(length * TUNING.braking))
            };
        }
        if length > TUNING.at_point {
            return Preference::Go(way, speed);
        }
        agent.progress.cursor += 1;
    }
}

/// Returns how far `agent` still has to go, in cells; infinite when there is no way, zero when its field is not there yet.
pub(super) fn remaining(
    ground: &CrowdGround<'_>,
    routes: &Routes,
    frame: &Frame,
    agent: &Agent,
    at: V,
) -> f32 {
    if agent.guide & PATH_GUIDE == 0 && ground.field(agent.guide).is_none() {
        return 0.0;
    }
    if agent.behaviour().is_homing() {
        towards(at, agent.slot.home).1
    } else {
        to_goal(ground, routes, frame, agent, at)
    }
}

/// Returns the same to its goal, whether it has a place of its own or not.
pub(super) fn to_goal(ground: &CrowdGround<'_>, routes: &Routes, frame: &Frame, agent: &Agent, at: V) -> f32 {
    if let Some(field) = ground.field(agent.guide) {
        let place = minus(at, frame.half);
        let Some(cost) = cost_at(field.field, place) else { return f32::INFINITY };
        // The cost of the placement, and what is left or done of the way to it.
        let (x, y) = field.field.sample(place[0], place[1]);
        let beside = [(place[0] + 0.5).floor() - place[0], (place[1] + 0.5).floor() - place[1]];
        return (cost as f32 * (1.0 / UNITS_PER_CELL) + beside[0] * x + beside[1] * y).max(0.0);
    }
    let Some(route) = routes.get(agent.guide) else { return f32::INFINITY };
    if route.points.is_empty() {
        let left = route.course.left;
        return if left < Course::CUT_OFF { left } else { f32::INFINITY };
    }
    let next = agent.progress.cursor as usize;
    let Some((&point, left)) = route.points.get(next).zip(route.left.get(next)) else { return f32::INFINITY };
    towards(at, point).1 + left
}

/// Returns the direction in which the guide of `agent` leads from a place, of length 1; 0 where it leads nowhere.
pub(super) fn direction(ground: &CrowdGround<'_>, routes: &Routes, frame: &Frame, agent: &Agent, at: V) -> V {
    if let Some(field) = ground.field(agent.guide) {
        let place = minus(at, frame.half);
        return field.field.sample(place[0], place[1]).into();
    }
    let Some(route) = routes.get(agent.guide) else { return [0.0; 2] };
    let next = route.points.get(agent.progress.cursor as usize).or(route.points.last());
    towards(at, next.copied().unwrap_or(route.course.aim)).0
}

/// Returns the cost at the placement nearest to a place, in units.
pub(super) fn cost_at(field: FieldRef<'_>, place: V) -> Option<u32> {
    let layout = field.exact_part().integration().layout();
    let (x, y) = ((place[0] + 0.5).floor(), (place[1] + 0.5).floor());
    if !(x >= 0.0 && y >= 0.0 && x < layout.width() as f32 && y < layout.height() as f32) {
        return None;
    }
    field.units_at(x as u32, y as u32)
}
