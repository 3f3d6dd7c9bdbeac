//! The room of a group: the cells of least path cost around its goal that hold its bodies, and the order in
//! which they are filled.
//!
//! A room is laid after an order or an edit, and kept. It is filled in the order of a flow: of the potential
//! with sources where bodies come in and an even sink over what is free, the lowest first. So none closes the
//! way to what is filled later. Room beyond the rim is taken after all of the room, the nearer first. Where a
//! goal takes bodies in, they leave, and others go on to it.

use super::preferred_velocity::UNITS_PER_CELL;
use crate::crowd::ground::map::CrowdGround;
use crate::crowd::ground::spread::{Front, UNREACHED, Window};
use crate::crowd::ground::steps::stands;
use crate::crowd::numbers::tuning::TUNING;
use crate::crowd::numbers::vector::{V, minus};
use crate::crowd::state::agent::Agent;
use crate::crowd::state::avoidance::Avoidance;
use crate::field::FlowField;

/// Room beyond the rim comes after all of the room, and strictly the nearer first.
const OUTSIDE: f32 = 300.0;
const STEEP: f32 = 2.0;
/// One has arrived within so many times the rim, and so many cells beyond.
const TOLD_WITHIN: f32 = 1.35;
const TOLD_BEYOND: f32 = 3.0;
/// The room of the agents of a group that avoid each other: see [`Room::avoidance`].
#[derive(Clone, Debug, Default)]
pub(in crate::crowd) struct Room {
    pub group: u32,
    /// The layers and masks of its agents, ascending. Agents of a group that do not avoid each other have
    /// rooms of their own.
    pub avoidance: Vec<Avoidance>,
    /// It was laid on the map as it is, for the orders that were given.
    pub is_laid: bool,
    /// The path cost up to which its cells hold its bodies, in cells, and up to which they may rest.
    pub rim: f32,
    pub over: f32,
    /// How far down the flow each of its cells is; cells are anchors of the smallest kind.
    pub window: Window,
    pub heights: Vec<f32>,
    pub half: V,
    /// The guide of that kind.
    pub base: u32,
    /// A cell of rank is worth a way of so many, more while some find their way closed, and at least so many.
    pub worth: f32,
    pub least: f32,
    pub ways: Vec<Ways>,
    /// What was filled since the ways were found, in placements of one cell.
    pub filled: f32,
    /// How many of those that were under way when it was looked at still are: 0 when the last has come to
    /// rest.
    pub walking: u32,
    /// Bodies that stood firm may make way since it was looked at.
    pub is_released: bool,
    /// How many had arrived when those that were kept off tried again last.
    pub arrived: u32,
    /// The middles of its goals, and until which substep they draw others on.
    pub goals: Vec<V>,
    pub draws_until: u32,
}

/// The ways of bodies of one kind that avoid the same layers to what is free of a room.
#[derive(Clone, Debug, Default)]
pub(in crate::crowd) struct Ways {
    pub guide: u32,
    pub kind: u16,
    /// The layers that they avoid.
    pub mask: u32,
    pub front: Front,
    /// How many bodies block each placement.
    pub blocked: Vec<u16>,
    /// The part of what is free to which each placement belongs, and the value of each free placement of the
    /// room by part, the best first.
    pub part: Vec<u32>,
    pub free: Vec<(u32, f32)>,
}

crate::bytes::saved_fields!(Ways {
    guide: u32,
    kind: u16,
    front: Front,
    blocked: Vec<u16>,
    part: Vec<u32>,
    free: Vec<(u32, f32)>,
} but mask);
crate::bytes::saved_as!(
    Room as ((u32, u32, [bool; 2], [f32; 5]), (Window, Vec<f32>, V), (Vec<Ways>, Vec<V>, [u32; 3])),
    |room| (
        (
            room.group,
            room.base,
            [room.is_laid, room.is_released],
            [room.rim, room.over, room.worth, room.filled, room.least]
        ),
        (room.window, room.heights.clone(), room.half),
        (room.ways.clone(), room.goals.clone(), [room.draws_until, room.arrived, room.walking])
    ),
    |(
        (group, base, [is_laid, is_released], [rim, over, worth, filled, least]),
        (window, heights, half),
        rest,
    )| {
        let (ways, goals, [draws_until, arrived, walking]) = rest;
        let are_whole = |ways: &Ways| {
            let count = ways.front.left.len();
            ways.blocked.len() == count && ways.part.len() == count
        };
        if heights.len() != window.len() || !ways.iter().all(are_whole) {
            return Err("a room is not one");
        }
        Ok(Self {
            group,
            avoidance: Vec::new(),
            is_laid,
            rim,
            over,
            window,
            heights,
            half,
            base,
            worth,
            least,
            ways,
            filled,
            walking,
            is_released,
            arrived,
            goals,
            draws_until,
        })
    }
);

/// Returns how far it is from a placement to the goal of a field, in cells.
#[inline]
pub(in crate::crowd) fn near(field: &FlowField, [x, y]: [i32; 2]) -> f32 {
    let layout = field.integration().layout();
    if x < 0 || y < 0 || x as u32 >= layout.width() || y as u32 >= layout.height() {
        return UNREACHED;
    }
    field.units_at(x as u32, y as u32).map_or(UNREACHED, |units| units as f32 * (1.0 / UNITS_PER_CELL))
}

/// Returns what a step onto each placement of a window costs a field, in cells: its weight. Where no way of the
/// field leads over one, it is that of the next.
pub(in crate::crowd) fn weights(field: &FlowField, window: Window) -> Vec<f32> {
    let mut weights = vec![0.0; window.len()];
    let mut on = vec![1.0; window.len()];
    for (index, on) in on.iter_mut().enumerate() {
        let [x, y] = window.place(index);
        let Some(([next_x, next_y], weight)) = field.next_step(x as u32, y as u32) else { continue };
        *on = weight;
        if let Some(next) = window.index([next_x as i32, next_y as i32]) {
            weights[next] = weight;
        }
    }
    weights.iter_mut().zip(on).filter(|(weight, _)| **weight <= 0.0).for_each(|(weight, on)| *weight = on);
    weights
}

impl Room {
    /// Returns the place of a placement in the order in which the room is filled, the lowest first. A body
    /// there has its centre at `middle`, `own` cells from the goal. [`UNREACHED`] where none is to rest.
    #[inline]
    pub fn rank(&self, ground: &CrowdGround<'_>, own: f32, middle: V, substep: u32) -> f32 {
        let cell = minus(middle, self.half).map(|part| (part + 0.5).floor() as i32);
        // Where the smallest kind cannot be, others go by their own.
        let of_base = ground.field(self.base).map_or(UNREACHED, |field| near(field.field, cell));
        let near = if of_base < UNREACHED && own < UNREACHED { of_base } else { own };
        if near > self.over {
            return UNREACHED;
        }
        if self.draws(substep) {
            return near;
        }
        if near > self.rim {
            return OUTSIDE + STEEP * (near - self.rim);
        }
        let height = self.window.index(cell).map_or(UNREACHED, |index| self.heights[index]);
        if height >= UNREACHED { near } else { TUNING.depth * height }
    }

    /// Returns `true` if one so far from the goal has not arrived, though it may rest there.
    #[inline]
    pub fn is_beyond(&self, near: f32) -> bool {
        near > TOLD_WITHIN * self.rim + TOLD_BEYOND
    }

    /// Returns `true` if a body with its centre there is on one of its cells.
    pub fn has(&self, middle: V) -> bool {
        let cell = minus(middle, self.half).map(|part| (part + 0.5).floor() as i32);
        self.window.index(cell).is_some_and(|index| self.heights[index] < UNREACHED)
    }

    /// Returns `true` while bodies leave at its goal.
    pub fn draws(&self, substep: u32) -> bool {
        substep < self.draws_until
    }

    /// Returns the ways of bodies such as that of an agent.
    #[inline]
    pub fn ways(&self, agent: &Agent) -> Option<&Ways> {
        let key = (agent.guide, agent.kind, agent.avoidance.mask);
        self.ways.iter().find(|ways| (ways.guide, ways.kind, ways.mask) == key)
    }

    /// Returns `true` if an agent of the room avoids an agent with these layers.
    pub fn avoids(&self, other: Avoidance) -> bool {
        self.avoidance.iter().any(|own| own.avoids(other))
    }

    /// Returns `true` if no agent of the room avoids another: all rest in one place.
    pub fn is_for_one(&self) -> bool {
        !self.avoidance.iter().any(|own| self.avoids(*own))
    }
}

/// Returns where the room of an agent of a group is among all.
#[inline]
pub(in crate::crowd) fn room_of(rooms: &[Room], group: u32, agent: &Agent) -> Option<usize> {
    let found = rooms.binary_search_by_key(&group, |room| room.group).ok()?;
    if rooms[found].avoidance.contains(&agent.avoidance) {
        return Some(found);
    }
    let first = rooms.partition_point(|room| room.group < group);
    let of_group = rooms[first..].iter().take_while(|room| room.group == group);
    let place = of_group.into_iter().position(|room| room.avoidance.contains(&agent.avoidance))?;
    Some(first + place)
}

/// What one of a group is on its way to.
#[derive(Clone, Copy, Debug)]
pub(in crate::crowd) struct Lead {
    /// What a placement costs there: way, and rank by its worth.
    pub left: f32,
    /// The placement to which it leads, and what that costs alone.
    pub seed: Option<usize>,
    pub value: f32,
    /// It leads through bodies that stand.
    pub is_through: bool,
}

impl Ways {
    /// Returns what one at a placement is on its way to.
    #[inline]
    pub fn lead(&self, place: [i32; 2]) -> Option<Lead> {
        let index = self.front.window.index(place)?;
        let left = self.front.left[index];
        if left >= UNREACHED {
            return Some(Lead { left, seed: None, value: UNREACHED, is_through: false });
        }
        let seed = self.front.seed[index] as usize;
        let value = self.front.left[seed];
        Some(Lead { left, seed: Some(seed), value, is_through: left - value >= TUNING.through })
    }

    /// Returns `true` if none stands on a placement where its body fits.
    #[inline]
    pub fn is_free(&self, ground: &CrowdGround<'_>, place: [i32; 2]) -> bool {
        stands(ground.layer(self.kind), place[0], place[1])
            && self.front.window.index(place).is_none_or(|index| self.blocked[index] == 0)
    }
}
