//! The preferred velocity: where an agent goes when none is in its path.
//!
//! It comes from the agent's place when that is in sight, else from its field or its path. An agent slows
//! down at the end.

use crate::cost::STRAIGHT;
use crate::crowd::ground::map::CrowdGround;
use crate::crowd::ground::sight::Sight;
use crate::crowd::ground::sweep::Frame;
use crate::crowd::numbers::tuning::TUNING;
use crate::crowd::numbers::vector::{V, minus, towards};
use crate::crowd::state::agent::Agent;
use crate::crowd::state::behaviour::Cause;
use crate::crowd::state::routes::{Course, NO_GUIDE, PATH_GUIDE, Routes};
use crate::crowd::state::slot::Slot;
use crate::field::FlowField;
use crate::geometry::{Cell, DiagonalMode};
use crate::passability::{LinkStep, Placements};

/// One that is so near to where it walks straight waits there until it is told where to go on, in cells.
const AT_AIM: f32 = 1e-4;
/// A way from a place to the goal is looked along for so many cells.
const VIA_CELLS_MAX: u32 = 256;
/// One of a formation looks for it from where the way to the goal is at most so long, in cells.
const VIA_FROM: f32 = 8.0;
/// Nearer to itself than this, each of its cells is looked at, in cells.
const NEAR_VIA: f32 = 2.0;

/// Cost units of a cell.
pub(in crate::crowd) const UNITS_PER_CELL: f32 = STRAIGHT as f32;

/// What an agent wants.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::crowd) enum Preference {
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
    /// It stands where a link begins, and waits until it may enter.
    AtLink,
    /// It is on a link.
    OnLink,
    /// It is thrown.
    Thrown,
    /// Its body is moved from outside.
    Driven,
}

/// Returns what `agent` wants `at` a place where it is so fast, others aside; looks up its path and its slot.
/// The time is a substep and its seconds.
pub(in crate::crowd) fn preference(
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
        if let Some(preference) = to_home(ground, layer, frame, agent, (at, speed), substep) {
            return preference;
        }
    }
    if agent.guide == NO_GUIDE {
        return Preference::Arrived;
    }
    match ground.field(agent.guide) {
        Some(field) => by_field(ground.layer(agent.kind), field.field, frame, at, speed),
        None if agent.guide & PATH_GUIDE == 0 => Preference::Waits,
        None => by_route((ground.layer(agent.kind), frame), routes, agent, (at, speed), seconds),
    }
}

/// Returns the step over a link that the guide of `agent` takes from where its body is, if the body can.
pub(in crate::crowd) fn link_ahead<'a>(
    ground: &CrowdGround<'a>,
    routes: &Routes,
    frame: &Frame,
    agent: &Agent,
    at: V,
) -> Option<&'a LinkStep> {
    let layer = ground.layer(agent.kind);
    if let Some(field) = ground.field(agent.guide) {
        let [x, y] = frame.placement(at).map(|part| part as u32);
        let (_, to) = field.field.link_at(x, y)?;
        return link_between(layer, frame, at, frame.middle(to.map(|part| part as i32)));
    }
    let points = &routes.get(agent.guide)?.points;
    let cursor = agent.progress.cursor as usize;
    link_between(layer, frame, *points.get(cursor)?, *points.get(cursor + 1)?)
}

/// Returns the step over a link from the placement nearest to one place to that nearest to another.
fn link_between<'a>(layer: &'a Placements, frame: &Frame, from: V, to: V) -> Option<&'a LinkStep> {
    let links = layer.links()?;
    let index = |at: V| {
        let [x, y] = frame.placement(at);
        let layout = layer.layout();
        let is_inside = x >= 0 && y >= 0 && x < layout.width() as i32 && y < layout.height() as i32;
        is_inside.then(|| layout.index(x as u32, y as u32))
    };
    let (from, to) = (index(from)?, index(to)?);
    let step = links.between(from.number(), to.number())?;
    (layer.get(from) && layer.get(to)).then_some(step)
}

fn to_home(
    ground: &CrowdGround<'_>,
    layer: &Placements,
    frame: &Frame,
    agent: &mut Agent,
    (at, speed): (V, f32),
    substep: u32,
) -> Option<Preference> {
    let (way, length) = towards(at, agent.slot.home);
    if length < TUNING.at_place {
        // One that asks for a place from where it is waits for it.
        let waits = agent.slot.is_given && agent.slot.is_wanted;
        return Some(if waits { Preference::Go([0.0; 2], 0.0) } else { Preference::Arrived });
    }
    // A line of sight costs up to 250 looks into the layer, so agents take turns.
    if substep.wrapping_add(agent.id).is_multiple_of(TUNING.look_substeps) {
        let mut sight = Sight::new(layer, frame, at);
        let mut is_seen = length < TUNING.homing_max && sight.reaches(agent.slot.home);
        if agent.may_go_by_way() {
            let via = if is_seen { None } else { via((ground, layer), &mut sight, frame, agent, at) };
            is_seen |= via.is_some();
            agent.slot.via = via.unwrap_or(agent.slot.home);
        }
        agent.meet(if is_seen { Cause::PlaceSeen } else { Cause::PlaceLost });
    }
    // It brakes for its place, and not for a point on the way there.
    let (way, rest) = if agent.goes_by_way() { (towards(at, agent.slot.via).0, 1.0) } else { (way, length) };
    agent.behaviour().is_homing().then(|| Preference::Go(way, speed.min(rest * TUNING.braking)))
}

/// Returns a point in sight on the path from the agent's place to the goal, the nearest to its place: the
/// field leads to the goal, and from there the agent walks back along that path.
fn via(
    (ground, layer): (&CrowdGround<'_>, &Placements),
    sight: &mut Sight<'_>,
    frame: &Frame,
    agent: &Agent,
    at: V,
) -> Option<V> {
    let field = ground.field(agent.guide)?.field;
    let is_far =
        || cost_at(field, minus(at, frame.half)).is_none_or(|cost| cost as f32 > VIA_FROM * UNITS_PER_CELL);
    // One that others keep from the goal does not wait for them, if it can come to its place without it.
    let looks_anywhere = agent.progress.has_arrived
        || agent.behaviour().is_homing() && agent.goes_by_way()
        || agent.progress.no_nearer >= TUNING.long;
    if !looks_anywhere && is_far() {
        return None;
    }
    let corner = field.integration().region();
    let cell_at = |at: V| {
        let [x, y] = minus(at, frame.half).map(|v| (v + 0.5).floor() as i32);
        Cell::new(corner.x + x, corner.y + y)
    };
    let middle =
        |cell: Cell| [(cell.x - corner.x) as f32 + frame.half[0], (cell.y - corner.y) as f32 + frame.half[1]];
    let local = |cell: Cell| [cell.x - corner.x, cell.y - corner.y];
    let mut cell = cell_at(agent.slot.home);
    for n in 0..VIA_CELLS_MAX {
        let point = middle(cell);
        let length = towards(at, point).1;
        // Every second cell is enough, but of those that it is at, each: the next may be the first of the
        // rest of the path that it sees.
        let is_looked_at = n % 2 == 0 || length < NEAR_VIA;
        if is_looked_at && length < TUNING.homing_max * 0.5 && sight.reaches(point) {
            return Some(point);
        }
        match field.next_cell(cell) {
            Some(next) if next != cell && leads_back(layer, [next, cell].map(local)) => cell = next,
            _ => return None,
        }
    }
    None
}

/// Returns `true` if a body may go from a placement to the one from which a way leads to it: over no ledge
/// upwards.
fn leads_back(layer: &Placements, [from, to]: [[i32; 2]; 2]) -> bool {
    if !layer.is_one_way() {
        return true;
    }
    let index = layer.layout().index(from[0] as u32, from[1] as u32);
    let cells = layer.steps_from(DiagonalMode::Always, index);
    cells >> (4 + (to[1] - from[1]) * 3 + (to[0] - from[0])) & 1 == 1
}

#[inline]
fn by_field(layer: &Placements, field: &FlowField, frame: &Frame, at: V, speed: f32) -> Preference {
    let corner = minus(at, frame.half);
    let [x, y] = field.sample(corner);
    if x != 0.0 || y != 0.0 {
        return Preference::Go([x, y], speed);
    }
    // No direction: cut off from all goals, or on one of them.
    if cost_at(field, corner).is_none() {
        return Preference::Lost;
    }
    // On a goal's cell: to its middle.
    let middle = corner.map(|v| (v + 0.5).floor());
    if layer.links().is_some() && field.link_at(middle[0] as u32, middle[1] as u32).is_some() {
        return Preference::AtLink;
    }
    let (way, length) = towards(corner, middle);
    if length < TUNING.at_place {
        Preference::Arrived
    } else {
        Preference::Go(way, speed.min(length * TUNING.braking))
    }
}

fn by_route(
    (layer, frame): (&Placements, &Frame),
    routes: &Routes,
    agent: &mut Agent,
    (at, speed): (V, f32),
    seconds: f32,
) -> Preference {
    let Some(route) = routes.get(agent.guide) else { return Preference::Lost };
    // A course has no points: it is set before each step, and on the march in each substep.
    if route.points.is_empty() {
        let Course { aim, left, .. } = route.course;
        if agent.progress.has_arrived && !agent.slot.is_given {
            // The walker dropped the path when the agent came to rest, so the course is out of date. The agent
            // would lean on the wall before its place for ever.
            agent.settle(at);
            agent.slot.is_short = true;
            return Preference::Rests;
        }
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
        let next = route.points[agent.progress.cursor as usize + 1];
        if link_between(layer, frame, point, next).is_some() {
            return Preference::AtLink;
        }
        agent.progress.cursor += 1;
    }
}

/// Returns how far `agent` still has to go, in cells; infinite when there is no way, zero when its field is
/// not there yet.
pub(in crate::crowd) fn remaining(
    ground: &CrowdGround<'_>,
    routes: &Routes,
    frame: &Frame,
    agent: &Agent,
    at: V,
) -> f32 {
    if agent.guide & PATH_GUIDE == 0 && ground.field(agent.guide).is_none() {
        return 0.0;
    }
    if agent.goes_by_way() {
        to_far_place(ground, routes, frame, agent, at)
    } else if agent.behaviour().is_homing() {
        towards(at, agent.slot.home).1
    } else {
        to_goal(ground, routes, frame, agent, at)
    }
}

/// Returns how far it is to a place that is out of sight: straight, by way of the point that the agent
/// walks to first, or by way of the goal.
fn to_far_place(ground: &CrowdGround<'_>, routes: &Routes, frame: &Frame, agent: &Agent, at: V) -> f32 {
    let Slot { home, via, .. } = agent.slot;
    let from_goal = |at: V| {
        let cost = ground.field(agent.guide).and_then(|field| cost_at(field.field, minus(at, frame.half)));
        cost.map_or(0.0, |cost| cost as f32 / UNITS_PER_CELL)
    };
    if agent.behaviour().is_homing() {
        towards(at, via).1 + (from_goal(home) - from_goal(via)).max(0.0)
    } else {
        to_goal(ground, routes, frame, agent, at) + from_goal(home)
    }
}

/// Returns the same to its goal, whether it has a place of its own or not.
pub(in crate::crowd) fn to_goal(
    ground: &CrowdGround<'_>,
    routes: &Routes,
    frame: &Frame,
    agent: &Agent,
    at: V,
) -> f32 {
    if let Some(field) = ground.field(agent.guide) {
        let place = minus(at, frame.half);
        let Some(cost) = cost_at(field.field, place) else { return f32::INFINITY };
        // The cost of the placement, and what is left or done of the way to it.
        let [x, y] = field.field.sample(place);
        let beside = [(place[0] + 0.5).floor() - place[0], (place[1] + 0.5).floor() - place[1]];
        return (cost as f32 * (1.0 / UNITS_PER_CELL) + beside[0] * x + beside[1] * y).max(0.0);
    }
    let Some(route) = routes.get(agent.guide) else { return f32::INFINITY };
    if route.points.is_empty() {
        // Where it has arrived, none sets its course any more.
        let Course { left, end, .. } = route.course;
        let left = if agent.progress.has_arrived { towards(at, end).1 } else { left };
        return if left < Course::CUT_OFF { left } else { f32::INFINITY };
    }
    let next = agent.progress.cursor as usize;
    let Some((&point, left)) = route.points.get(next).zip(route.left.get(next)) else { return f32::INFINITY };
    towards(at, point).1 + left
}

/// Returns the direction in which the guide of `agent` leads from a place, of length 1; 0 where it leads
/// nowhere.
pub(in crate::crowd) fn direction(
    ground: &CrowdGround<'_>,
    routes: &Routes,
    frame: &Frame,
    agent: &Agent,
    at: V,
) -> V {
    if let Some(field) = ground.field(agent.guide) {
        let place = minus(at, frame.half);
        return field.field.sample(place);
    }
    next_point(routes, agent).map_or([0.0; 2], |next| towards(at, next).0)
}

/// Returns to where an agent that follows a path or a course walks straight now.
pub(in crate::crowd) fn next_point(routes: &Routes, agent: &Agent) -> Option<V> {
    let route = routes.get(agent.guide)?;
    let next = route.points.get(agent.progress.cursor as usize).or(route.points.last());
    Some(next.copied().unwrap_or(route.course.aim))
}

/// Returns the cost at the placement nearest to a place, in units.
pub(in crate::crowd) fn cost_at(field: &FlowField, place: V) -> Option<u32> {
    let layout = field.integration().layout();
    let (x, y) = ((place[0] + 0.5).floor(), (place[1] + 0.5).floor());
    if !(x >= 0.0 && y >= 0.0 && x < layout.width() as f32 && y < layout.height() as f32) {
        return None;
    }
    field.units_at(x as u32, y as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitgrid::{BitGrid, GridLayout};
    use crate::crowd::AgentSpec;
    use crate::geometry::{CellRect, Footprint};

    #[test]
    fn one_that_leaves_where_it_rested_has_not_arrived_before_it_is_given_a_place() {
        let layers = [Placements::from(BitGrid::new(GridLayout::new(12, 1)))];
        let layers: Vec<&Placements> = layers.iter().collect();
        let region = CellRect::new(0, 0, 12, 1);
        let ground = CrowdGround { region, revision: 0, layers: &layers, costs: &[], fields: &[] };
        let (at, spec) = ([4.5, 0.5], AgentSpec { x: 4.5, y: 0.5, kind: 0, speed: 4.0, radius: 0.4 });
        let mut agent = Agent::new(0, &spec, at, false);
        agent.settle(at);
        agent.meet(Cause::Ordered);
        let frame = Frame::new(Footprint::new(1, 1).expect("a footprint"), 0.4);
        let mut wants = |slot: Slot| {
            agent.slot = slot;
            preference(&ground, &Routes::default(), &frame, &mut agent, (at, 4.0), (0, 1.0 / 60.0))
        };
        let place = Slot { is_given: true, ..Slot::at(at) };
        assert_eq!(wants(Slot { is_wanted: true, ..place }), Preference::Go([0.0; 2], 0.0));
        assert_eq!(wants(place), Preference::Arrived);
    }
}
