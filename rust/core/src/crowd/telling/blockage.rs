//! What keeps an agent from its goal: the agents right before it, and the free room nearer to the goal that
//! it cannot reach.
//!
//! Read from the state between two steps; it changes nothing.

use super::group_arrival::right_before;
use crate::crowd::ground::map::CrowdGround;
use crate::crowd::ground::sweep::{Frame, fits};
use crate::crowd::guide::preferred_velocity::{direction, to_goal};
use crate::crowd::kept::Crowd;
use crate::crowd::numbers::tuning::TUNING;
use crate::crowd::numbers::vector::{V, dot, towards};
use crate::crowd::orders::place_candidates::{Taken, cell_at, nearest_free};
use crate::crowd::state::agent::Agent;
use crate::crowd::state::behaviour::AgentState;
use crate::crowd::state::body::Body;
use crate::crowd::state::outline::Gap;
use crate::crowd::state::routes::PATH_GUIDE;
use crate::field::Reached;
use crate::geometry::Cell;

/// Agents whose outlines are farther away than this keep none, in cells.
const LOOK: f32 = 1.5;
/// The squared cosine of the angle to its direction within which an agent is right before another: 60°, and
/// 80° where none is.
const CONES: [f32; 2] = [0.25, 0.03];
/// Bodies that stand are looked for so far ahead on a path, in cells.
const AHEAD: f32 = 16.0;
/// Cost units of a cell.
const UNITS: f32 = 70.0;

/// What keeps an agent from its goal.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Blockage {
    /// The ids, ascending, of the agents right before it or, where none is, of those at the end of its path.
    pub by: Vec<u32>,
    /// The centre of the free room for its body that is nearest to the goal by path, in cells; `None` if
    /// there is none nearer than the body is by its width.
    pub room: Option<[f64; 2]>,
}

impl Crowd {
    /// Returns what keeps an agent from its goal if it is blocked, waits, is stuck among others, or rests
    /// beside others at the end of its path; `None` for others.
    ///
    /// Takes time in proportion to the number of agents and of the cells nearer to the goal.
    pub fn blockage(&mut self, ground: &CrowdGround<'_>, id: u32) -> Option<Blockage> {
        self.refit(ground);
        let index = self.index_of(id)?;
        let (agent, body) = (&self.agents[index], &self.bodies[index]);
        let frame = Frame::new(self.kinds.footprint(agent.kind), body.radius);
        let left = to_goal(ground, &self.routes, &frame, agent, body.at);
        // One that was at the end of its path keeps that place, and is off it when it was pushed a body away.
        let keeps_place = agent.slot.is_given && !agent.slot.is_short;
        let away = TUNING.away + if keeps_place { 2.0 * body.radius } else { 0.0 };
        if !agent.is_kept_off(left > away) {
            return None;
        }
        let way = if agent.behaviour().is_homing() || agent.slot.is_given {
            towards(body.at, agent.slot.home).0
        } else {
            direction(ground, &self.routes, &frame, agent, body.at)
        };
        // One that has settled beside others keeps to no line any more: the way to the end itself says more
        // than its last step.
        let end = self.routes.end(agent.guide);
        let ways = [Some(way), end.map(|end| towards(body.at, end).0)].into_iter().flatten();
        let before = ways.flat_map(|way| CONES.map(|cone| self.all_before(index, way, cone)));
        let at_end = end.map(|end| self.all_at(index, end));
        // Others that take the place right before it keep it from going on, though they may be farther off,
        // or reach into it from the side.
        let in_place = self.all_at(index, right_before(way, &self.bodies[index]));
        let mut by = before.chain(at_end).chain([in_place]).find(|ids| !ids.is_empty()).unwrap_or_default();
        by.sort_unstable();
        let corner = [f64::from(self.origin.0), f64::from(self.origin.1)];
        let room = self.free_room(ground, index, &frame, left);
        Some(Blockage { by, room: room.map(|[x, y]| [f64::from(x) + corner[0], f64::from(y) + corner[1]]) })
    }

    /// Returns the cells of bodies that the agent avoids and that stand where it may have to pass: bodies
    /// that have arrived or have nowhere to go, are blocked, paused, cut off or have come no nearer for long,
    /// or are moved from outside and rest. Bodies that go by a path to the same goal are left out: beside
    /// them it may rest. Some cells may lie outside the map, or come twice.
    pub fn standing(&mut self, id: u32) -> Vec<Cell> {
        let Some(index) = self.index_of(id) else { return Vec::new() };
        let (group, own) = (self.routes.group(self.agents[index].guide), self.agents[index].avoidance);
        let stands = |(agent, body): &(&Agent, &Body)| {
            let rests = matches!(agent.state(), AgentState::Idle | AgentState::Arrived | AgentState::Blocked);
            let stands = rests
                || agent.control.is_paused
                || agent.progress.is_cut_off()
                || agent.progress.no_nearer >= TUNING.long
                || body.is_driven() && body.rests();
            stands
                && own.avoids(agent.avoidance)
                && (agent.guide & PATH_GUIDE == 0 || self.routes.group(agent.guide) != group)
        };
        let standing = self.agents.iter().zip(&self.bodies).filter(stands);
        standing.flat_map(|(_, body)| self.cells_below(body)).collect()
    }

    /// Returns the cells below bodies that stand, if some are right ahead of an agent on a path of its own;
    /// looked at in each round.
    pub(crate) fn standing_ahead(&mut self, id: u32) -> Option<Vec<Cell>> {
        if !self.substeps.is_multiple_of(TUNING.round_substeps) {
            return None;
        }
        let index = self.index_of(id)?;
        let (agent, body) = (&self.agents[index], &self.bodies[index]);
        let route = self.routes.get(agent.guide).filter(|_| !body.rests())?;
        let (mut at, mut left) = (body.at, AHEAD);
        for &point in route.points.get(agent.progress.cursor as usize..)? {
            let (way, length) = towards(at, point);
            for n in 0..length.min(left).ceil() as u32 {
                let place = [at[0] + way[0] * n as f32, at[1] + way[1] * n as f32];
                if self.indices_at(index, place).any(|other| self.bodies[other].rests()) {
                    return Some(self.standing(id));
                }
            }
            (at, left) = (point, left - length);
            if left <= 0.0 {
                break;
            }
        }
        None
    }

    fn cells_below(&self, body: &Body) -> impl Iterator<Item = Cell> + use<> {
        let half = body.outline().half();
        let [(left, right), (top, bottom)] = [0, 1].map(|axis| {
            let [low, high] = [-half[axis], half[axis]].map(|by| (body.at[axis] + by).floor() as i32);
            let corner = [self.origin.0, self.origin.1][axis];
            (low.saturating_add(corner), high.saturating_add(corner))
        });
        (top..=bottom).flat_map(move |y| (left..=right).map(move |x| Cell::new(x, y)))
    }

    /// Returns the ids of the agents near the one at `index` that it avoids and that lie within a cone around
    /// `way`.
    fn all_before(&self, index: usize, way: V, cone: f32) -> Vec<u32> {
        let body = &self.bodies[index];
        let is_before = |other: &Body| {
            let Gap { offset, touch } = body.gap::<true>(other);
            // On one spot with it, another is before it whatever its direction is.
            if dot(offset, offset) < 0.25 * touch * touch {
                return true;
            }
            let (distance2, ahead) = (dot(offset, offset), dot(way, offset));
            let limit = touch + LOOK;
            ahead > 0.0 && ahead * ahead > cone * distance2 && distance2 < limit * limit
        };
        let all = self.bodies.iter().zip(&self.agents).enumerate();
        let found = all.filter(|(n, (other, _))| self.avoids(index, *n) && is_before(other));
        found.map(|(_, (_, agent))| agent.id).collect()
    }

    /// Returns the ids of the agents that the one at `index` avoids and would touch at a place.
    fn all_at(&self, index: usize, at: V) -> Vec<u32> {
        self.indices_at(index, at).map(|other| self.agents[other].id).collect()
    }

    /// Returns the indices of the agents that the one at `index` avoids and would touch at a place.
    pub(super) fn indices_at(&self, index: usize, at: V) -> impl Iterator<Item = usize> {
        let there = Body { at, ..self.bodies[index] };
        let touches = move |&other: &usize| {
            let Gap { offset, touch } = there.gap::<true>(&self.bodies[other]);
            self.avoids(index, other) && dot(offset, offset) < touch * touch
        };
        let reach = there.outline().longest() + self.most.longest;
        self.indices_within([at[0] - reach, at[1] - reach], [at[0] + reach, at[1] + reach]).filter(touches)
    }

    /// Returns `true` if the agent at `index`, which rests blocked and slips through none, is held by others
    /// that are blocked as well, each by one of them, and has the right of way of all: none else would ever
    /// go on.
    pub(in crate::crowd) fn is_first_of_ring(&self, ground: &CrowdGround<'_>, index: usize) -> bool {
        let mut ring = vec![index];
        let mut next = 0;
        while let Some(&place) = ring.get(next) {
            let (agent, body) = (&self.agents[place], &self.bodies[place]);
            let is_held = agent.state() == AgentState::Blocked
                && agent.behaviour().rests()
                && (agent.guide & PATH_GUIDE != 0 || !self.settings.lets_slip(agent.control.is_driven));
            if !is_held || agent.own_rank() < self.agents[index].own_rank() {
                return false;
            }
            let frame = Frame::new(self.kinds.footprint(agent.kind), body.radius);
            let way = direction(ground, &self.routes, &frame, agent, body.at);
            let others: Vec<usize> = self.indices_at(place, right_before(way, body)).collect();
            // One that none holds goes on by itself.
            if others.is_empty() {
                return false;
            }
            for other in others {
                if !ring.contains(&other) {
                    ring.push(other);
                }
            }
            next += 1;
        }
        true
    }

    /// Returns the centre of the placement nearest to the goal that no other body covers, if it is nearer
    /// than the agent is by a body, which is `left` from the goal.
    fn free_room(&self, ground: &CrowdGround<'_>, index: usize, frame: &Frame, left: f32) -> Option<V> {
        let (agent, body) = (&self.agents[index], &self.bodies[index]);
        let layer = ground.layer(agent.kind);
        let mut taken = Taken::new(ground, self.bodies.len(), self.most);
        let (others, mask) = (self.bodies.iter().zip(&self.agents).enumerate(), agent.avoidance.mask);
        let others = others.filter(|(n, _)| *n != index);
        others.for_each(|(_, (other, its))| taken.add(other.at, other.outline(), its.avoidance.layers));
        let is_free = |at: V| fits(layer, frame, at[0], at[1]) && taken.is_free(at, body.outline(), mask);
        if agent.slot.is_given {
            return Some(agent.slot.home).filter(|&home| is_free(home));
        }
        let nearer = left - 2.0 * body.radius;
        let Some(field) = ground.field(agent.guide) else {
            let end = self.routes.end(agent.guide)?;
            let (at, steps) = nearest_free(layer, frame, end, is_free)?;
            return (steps < nearer).then_some(at);
        };
        let limit = (nearer.max(0.0) * UNITS).min(1e9) as u32;
        let (field, mut reached) = (field.field, Reached::default());
        let cells = reached.within(field, limit).0.iter();
        let mut centers = cells.map(|cell| {
            let [x, y] = cell_at(field, cell.index());
            [x as f32 + frame.half[0], y as f32 + frame.half[1]]
        });
        centers.find(|&at| is_free(at))
    }
}

impl Agent {
    /// Returns `true` if others may keep it from its goal; `is_off` tells whether it is elsewhere.
    fn is_kept_off(&self, is_off: bool) -> bool {
        match self.state() {
            AgentState::Waiting | AgentState::Blocked => true,
            AgentState::Stuck => !self.progress.is_cut_off(),
            // Around the end of a path, those beside the first have arrived, too, and those that were pushed
            // off.
            AgentState::Arrived => self.guide & PATH_GUIDE != 0 && is_off,
            AgentState::Idle | AgentState::Moving => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitgrid::{BitGrid, GridLayout};
    use crate::crowd::{AgentSpec, CrowdSettings};
    use crate::geometry::CellRect;
    use crate::passability::{LayerKey, Placements};

    /// A lane of 30 cells with agents at these places, of which the first is sent to its end, and 6 seconds.
    fn lane(places: &[f64]) -> (Crowd, Placements) {
        let mut layer = BitGrid::new(GridLayout::new(30, 1));
        (0..30).for_each(|x| {
            let index = layer.layout().index(x, 0);
            layer.set(index, true);
        });
        let layer = Placements::from(layer);
        let mut crowd = Crowd::new(CrowdSettings::default());
        let kind = crowd.kind(LayerKey::default());
        let spec = |&x: &f64| AgentSpec { x, y: 0.5, kind, speed: 4.0, radius: 0.4 };
        let specs: Vec<AgentSpec> = places.iter().map(spec).collect();
        on(&layer, |ground| crowd.add(ground, &specs));
        for id in 1..places.len() as u32 {
            crowd.set_paused(id, true);
        }
        crowd.assign_path(&[0], &[[1.5, 0.5], [28.5, 0.5]], 1);
        steps(&mut crowd, &layer, 360);
        (crowd, layer)
    }

    fn on<T>(layer: &Placements, work: impl FnOnce(&CrowdGround<'_>) -> T) -> T {
        let region = CellRect::new(0, 0, 30, 1);
        work(&CrowdGround { region, revision: 0, layers: &[layer], costs: &[], fields: &[] })
    }

    fn steps(crowd: &mut Crowd, layer: &Placements, count: u32) {
        for _ in 0..count {
            on(layer, |ground| crowd.step(1.0 / 60.0, ground)).unwrap();
        }
    }

    #[test]
    fn the_one_before_it_and_the_room_behind_that_are_named() {
        let (mut crowd, layer) = lane(&[1.5, 12.5, 28.5]);
        let blockage = on(&layer, |ground| crowd.blockage(ground, 0)).unwrap();
        assert_eq!(blockage, Blockage { by: vec![1], room: Some([29.5, 0.5]) });
        assert_eq!(on(&layer, |ground| crowd.blockage(ground, 1)), None, "it has no goal");
        assert_eq!(on(&layer, |ground| crowd.blockage(ground, 9)), None, "there is none");
    }

    #[test]
    fn one_on_the_same_spot_is_named() {
        let (mut crowd, layer) = lane(&[1.5, 12.5]);
        for off in [0.0, 0.05, -0.05] {
            let at = crowd.bodies[0].at;
            crowd.bodies[1].at = [at[0] + off, at[1]];
            let blockage = on(&layer, |ground| crowd.blockage(ground, 0)).unwrap();
            assert_eq!(blockage.by, [1], "{off} cells off");
        }
    }

    #[test]
    fn those_beside_the_end_of_a_path_move_up_whenever_it_is_left() {
        let (mut crowd, layer) = lane(&[1.5, 4.5, 7.5]);
        for id in 0..3 {
            crowd.set_paused(id, false);
        }
        crowd.assign_path(&[0, 1, 2], &[[28.5, 0.5]], 1);
        let mut x = |seconds: u32, gone: Option<u32>| {
            gone.map(|id| crowd.remove(&[id]));
            steps(&mut crowd, &layer, 60 * seconds);
            [0, 1].map(|id| crowd.view(id).map_or(0.0, |view| view.x))
        };
        // Their time to close up is long over.
        let [_, before] = x(90, None);
        assert!(before < 28.0, "the first is at the end, and the next at {before}");
        let [_, next] = x(10, Some(2));
        // Within a body of the end it stays.
        assert!((next - 28.5).abs() < 0.8, "at {next}");
        let [last, _] = x(100, Some(1));
        assert!((last - 28.5).abs() < 0.8, "at {last}");
    }

    #[test]
    fn one_that_is_free_again_is_kept_off_no_more() {
        let (mut crowd, layer) = lane(&[1.5, 12.5]);
        assert!(on(&layer, |ground| crowd.blockage(ground, 0)).is_some());
        crowd.remove(&[1]);
        steps(&mut crowd, &layer, 600);
        assert_eq!(on(&layer, |ground| crowd.blockage(ground, 0)), None);
        assert_eq!(crowd.view(0).unwrap().state, AgentState::Arrived);
    }

    #[test]
    fn one_that_has_tried_often_goes_on_all_the_same() {
        let (mut crowd, layer) = lane(&[1.5, 12.5]);
        let index = crowd.index_of(0).unwrap();
        let (agent, at) = (&mut crowd.agents[index], crowd.bodies[index].at);
        agent.settle(at);
        (agent.slot.is_short, agent.progress.blocked_at) = (true, 16.0);
        agent.slot.closing_up = TUNING.closes_up_max;
        assert_eq!(crowd.view(0).unwrap().state, AgentState::Blocked);
        crowd.remove(&[1]);
        steps(&mut crowd, &layer, 900);
        assert_eq!(crowd.view(0).unwrap().state, AgentState::Arrived);
    }
}
