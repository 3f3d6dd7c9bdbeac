//! The preferred velocity: where an agent goes when none is in its path.
//!
//! It comes from the agent's place when that is in sight, else from its field or its path. An agent slows down at the end.

use super::agent::Mind;
use super::behaviour::Cause;
use super::ground::CrowdGround;
use super::guide::{NO_GUIDE, PATH_GUIDE};
use super::routes::{Course, Routes};
use super::sweep::{Frame, is_straight};
use super::vector::{V, minus, towards};
use crate::bitgrid::BitGrid;
use crate::field::FieldRef;

/// So near to its place an agent has arrived, in cells.
const AT_PLACE: f32 = 0.05;
/// One that is so near to where it walks straight waits there until it is told where to go on, in cells.
const AT_AIM: f32 = 1e-4;
/// So near to a point of its path it heads for the next.
const AT_POINT: f32 = 0.6;
/// The parts of the rest of its way that an agent walks in a second at its end, so that it does not overshoot.
const BRAKING: f32 = 8.0;
/// From so far an agent walks straight to its own place.
const HOMING_MAX: f32 = 64.0;
/// Ticks between looks whether the way to its own place is straight.
const HOMING_TICKS: u32 = 8;

/// What an agent wants.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Wish {
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

/// What `mind` wants `at` a place where it is so fast, others aside; looks up its path and its slot. The time is a tick and its seconds.
pub(super) fn wish(
    ground: &CrowdGround<'_>,
    routes: &Routes,
    frame: &Frame,
    mind: &mut Mind,
    (at, speed): (V, f32),
    (tick, seconds): (u32, f32),
) -> Wish {
    if mind.has(Mind::HAS_SLOT) || mind.behaviour().is_homing() {
        let layer = ground.layer(mind.kind);
        if let Some(wish) = to_home(layer, frame, mind, (at, speed), tick) {
            return wish;
        }
    }
    if mind.guide == NO_GUIDE {
        return Wish::Arrived;
    }
    match ground.field(mind.guide) {
        Some(field) => by_field(field.field, frame, at, speed),
        None if mind.guide & PATH_GUIDE == 0 => Wish::Waits,
        None => by_route(routes, mind, (at, speed), seconds),
    }
}

fn to_home(
    layer: &BitGrid,
    frame: &Frame,
    mind: &mut Mind,
    (at, speed): (V, f32),
    tick: u32,
) -> Option<Wish> {
    if mind.has_shuffled() {
        // It stays among those around it; contact moves it out of them.
        return Some(Wish::Go([0.0; 2], 0.0));
    }
    let (way, length) = towards(at, mind.home);
    if length < AT_PLACE {
        return Some(Wish::Arrived);
    }
    if tick.wrapping_add(mind.id).is_multiple_of(HOMING_TICKS) {
        let is_seen = length < HOMING_MAX && is_straight(layer, frame, at, mind.home);
        mind.meet(if is_seen { Cause::PlaceSeen } else { Cause::PlaceLost });
    }
    mind.behaviour().is_homing().then(|| Wish::Go(way, speed.min(length * BRAKING)))
}

#[inline]
fn by_field(field: FieldRef<'_>, frame: &Frame, at: V, speed: f32) -> Wish {
    let place = minus(at, frame.half);
    let (x, y) = field.sample(place[0], place[1]);
    if x != 0.0 || y != 0.0 {
        return Wish::Go([x, y], speed);
    }
    if cost_at(field, place).is_none() {
        return Wish::Lost;
    }
    // On a goal's cell: to its middle.
    let middle = place.map(|v| (v + 0.5).floor());
    let (way, length) = towards(place, middle);
    if length < AT_PLACE { Wish::Arrived } else { Wish::Go(way, speed.min(length * BRAKING)) }
}

fn by_route(routes: &Routes, mind: &mut Mind, (at, speed): (V, f32), seconds: f32) -> Wish {
    let Some(route) = routes.get(mind.guide) else { return Wish::Lost };
    if route.points.is_empty() {
        let Course { aim, left } = route.course;
        let (way, length) = towards(at, aim);
        return match () {
            () if left <= 0.0 => Wish::Arrived,
            () if length < AT_AIM => Wish::Waits,
            () => Wish::Go(way, speed.min(length / seconds)),
        };
    }
    let last = route.points.len() - 1;
    loop {
        let Some(&point) = route.points.get(mind.cursor as usize) else { return Wish::Lost };
        let (way, length) = towards(at, point);
        let is_last = mind.cursor as usize == last;
        if is_last {
            return if length < AT_PLACE {
                Wish::Arrived
            } else {
                Wish::Go(way, speed.min(length * BRAKING))
            };
        }
        if length > AT_POINT {
            return Wish::Go(way, speed);
        }
        mind.cursor += 1;
    }
}

/// How far `mind` still has to go, in cells; infinite when there is no way, zero when its field is not there yet.
pub(super) fn remaining(ground: &CrowdGround<'_>, routes: &Routes, frame: &Frame, mind: &Mind, at: V) -> f32 {
    if mind.guide & PATH_GUIDE == 0 && ground.field(mind.guide).is_none() {
        return 0.0;
    }
    if mind.behaviour().is_homing() {
        towards(at, mind.home).1
    } else {
        to_goal(ground, routes, frame, mind, at)
    }
}

/// The same to its goal, whether it has a place of its own or not.
pub(super) fn to_goal(ground: &CrowdGround<'_>, routes: &Routes, frame: &Frame, mind: &Mind, at: V) -> f32 {
    if let Some(field) = ground.field(mind.guide) {
        let place = minus(at, frame.half);
        let Some(cost) = cost_at(field.field, place) else { return f32::INFINITY };
        // The cost of the placement, and what is left or done of the way to it.
        let (x, y) = field.field.sample(place[0], place[1]);
        let beside = [(place[0] + 0.5).floor() - place[0], (place[1] + 0.5).floor() - place[1]];
        return (cost as f32 * (1.0 / 70.0) + beside[0] * x + beside[1] * y).max(0.0);
    }
    let Some(route) = routes.get(mind.guide) else { return f32::INFINITY };
    if route.points.is_empty() {
        return route.course.left;
    }
    let next = mind.cursor as usize;
    let Some((&point, left)) = route.points.get(next).zip(route.left.get(next)) else { return f32::INFINITY };
    towards(at, point).1 + left
}

/// The cost at the placement nearest to a place, in units.
pub(super) fn cost_at(field: FieldRef<'_>, place: V) -> Option<u32> {
    let layout = field.exact_part().integration().layout();
    let (x, y) = ((place[0] + 0.5).floor(), (place[1] + 0.5).floor());
    if !(x >= 0.0 && y >= 0.0 && x < layout.width() as f32 && y < layout.height() as f32) {
        return None;
    }
    field.units_at(x as u32, y as u32)
}
