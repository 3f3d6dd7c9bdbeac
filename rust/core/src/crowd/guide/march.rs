//! Groups that keep a shape on the march.
//!
//! A march is a path, how far the front of the group has come on it, and for each agent how far it walks
//! behind the front and beside the path: its slot. Where walls leave less room beside the path than the shape
//! is wide, slots move together, and those that were outer fall back behind those that were inner: so a block
//! becomes a column in front of a gate and a block again behind it.

use crate::crowd::ground::sight::is_straight;
use crate::crowd::ground::sweep::{Frame, fits};
use crate::crowd::numbers::tuning::TUNING;
use crate::crowd::numbers::vector::{FAR, V, dot, minus, towards};
use crate::passability::Placements;

/// Out of sight of its slot an agent walks to the farthest of these places on the path ahead that it sees, in
/// cells.
const AHEAD: [f32; 3] = [6.0, 3.0, 1.5];
/// A point of the path this near ahead is passed, in cells.
const PASSED: f32 = 0.05;

/// The shape that a group keeps on the march; the numbers are those that scripts see.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum MarchShape {
    /// About as wide as deep.
    #[default]
    Block = 0,
    /// Two abreast.
    Column = 1,
    /// One in front, and one more in each rank behind.
    Wedge = 2,
}

impl MarchShape {
    /// Returns how many walk side by side in each rank, front first, for so many agents.
    pub(crate) fn ranks(self, mut count: usize) -> Vec<usize> {
        let mut ranks = Vec::new();
        let side = (count as f32).sqrt().ceil() as usize;
        while count > 0 {
            let abreast = match self {
                Self::Block => side,
                Self::Column => 2,
                Self::Wedge => ranks.len() + 1,
            };
            ranks.push(abreast.min(count));
            count -= abreast.min(count);
        }
        ranks
    }

    /// Sorts agents or places into ranks, those ahead along `way` first, each rank from left to right;
    /// returns how many each rank has.
    pub(crate) fn arrange<T: Copy>(
        self,
        all: &mut [T],
        way: [f64; 2],
        at: impl Fn(&T) -> [f64; 2],
    ) -> Vec<usize> {
        let [x, y] = way;
        let behind = |one: &T| -at(one)[0] * x - at(one)[1] * y;
        let aside = |one: &T| at(one)[1] * x - at(one)[0] * y;
        all.sort_by(|a, b| behind(a).total_cmp(&behind(b)));
        let ranks = self.ranks(all.len());
        let mut rest = all;
        for &abreast in &ranks {
            let (rank, others) = rest.split_at_mut(abreast);
            rank.sort_by(|a, b| aside(a).total_cmp(&aside(b)));
            rest = others;
        }
        ranks
    }
}

/// A path of centres.
#[derive(Clone, PartialEq, Debug, Default)]
pub(in crate::crowd) struct Line {
    path: Vec<V>,
    /// How far each point is along the path, in cells.
    along: Vec<f32>,
}

/// A group on the march.
#[derive(Clone, PartialEq, Debug, Default)]
pub(in crate::crowd) struct March {
    pub line: Line,
    /// How far the front has come, and where it ends.
    pub front: f32,
    pub end: f32,
    /// The farthest slot beside the path.
    pub half_width: f32,
    /// The slots are places of a formation by now.
    pub has_ended: bool,
    pub members: Vec<Member>,
    /// The paths of members that saw nothing of the group's, by id.
    pub detours: Vec<(u32, Line)>,
}

/// One of them.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(in crate::crowd) struct Member {
    pub id: u32,
    /// The guide that it follows while it is one.
    pub guide: u32,
    /// Its slot, in cells: behind the front, and beside the path, to the right when above zero.
    pub behind: f32,
    pub beside: f32,
    /// It sees nothing of its path, or not its slot from the end of that: it needs another one.
    pub is_stray: bool,
}

crate::bytes::saved_fields!(Member { id: u32, guide: u32, behind: f32, beside: f32, is_stray: bool });
crate::bytes::saved_as!(Line as Vec<V>, |line| line.path.clone(), |path| {
    if path.is_empty() || !path.iter().flatten().all(|v| v.abs() <= FAR) {
        return Err("the path of a march is not one");
    }
    Ok(Self::new(path))
});
crate::bytes::saved_as!(
    March as (Line, [f32; 3], bool, (Vec<Member>, Vec<(u32, Line)>)),
    |march| (
        march.line.clone(),
        [march.front, march.end, march.half_width],
        march.has_ended,
        (march.members.clone(), march.detours.clone())
    ),
    |(line, [front, end, half_width], has_ended, (members, detours))| {
        let near = |v: f32| v.abs() <= FAR;
        let is_near = [front, end, half_width].into_iter().all(near);
        if !is_near || members.iter().any(|m| !near(m.behind) || !near(m.beside)) {
            return Err("a march is not one");
        }
        Ok(Self { line, front, end, half_width, has_ended, members, detours })
    }
);

impl Line {
    pub fn new(path: Vec<V>) -> Self {
        let steps = path.windows(2).map(|pair| towards(pair[0], pair[1]).1);
        let sum = |sum: &mut f32, step: f32| {
            *sum += step;
            Some(*sum)
        };
        let along = path.iter().take(1).map(|_| 0.0).chain(steps.scan(0.0, sum)).collect();
        Self { path, along }
    }

    pub fn length(&self) -> f32 {
        self.along.last().copied().unwrap_or_default()
    }

    fn shift(&mut self, by: V) {
        for point in &mut self.path {
            *point = [point[0] + by[0], point[1] + by[1]];
        }
    }

    /// Returns the place so far along the path, which goes on straight at both ends.
    pub fn at(&self, along: f32) -> V {
        let last = self.path.len() - 1;
        let next = self.along.partition_point(|&passed| passed <= along).clamp(1, last.max(1)).min(last);
        let before = next.saturating_sub(1);
        let (way, _) = towards(self.path[before], self.path[next]);
        let on = along - self.along[before];
        [self.path[before][0] + way[0] * on, self.path[before][1] + way[1] * on]
    }

    /// Returns the direction of the path so far along it.
    pub fn direction(&self, along: f32) -> V {
        // Over some length, so that the shape turns gradually at a bend.
        towards(self.at(along - TUNING.bend), self.at(along + TUNING.bend)).0
    }

    /// Returns the place on the path that is nearest to `at`, be there walls between or not.
    pub fn nearest_place(&self, at: V) -> V {
        self.nearest(at, |_| true).map_or(at, |along| self.at(along))
    }

    /// Returns how far the place on the path that is nearest to `at` is along it, of those for which
    /// `is_seen`.
    fn nearest(&self, at: V, is_seen: impl Fn(V) -> bool) -> Option<f32> {
        let mut best: Option<(f32, f32)> = None;
        let pairs = self.path.windows(2).map(|pair| [pair[0], pair[1]]);
        // A path of one point is a place, too.
        let single = self.path.first().filter(|_| self.path.len() == 1).map(|&point| [point; 2]);
        for (n, [from, to]) in pairs.chain(single).enumerate() {
            let (way, length) = towards(from, to);
            let on = dot(minus(at, from), way).max(0.0).min(length);
            let place = [from[0] + way[0] * on, from[1] + way[1] * on];
            let distance = towards(at, place).1;
            if best.is_none_or(|(least, _)| distance < least) && is_seen(place) {
                best = Some((distance, self.along[n] + on));
            }
        }
        best.map(|(_, along)| along)
    }

    /// Returns to where a body at a place walks straight now that is to go along the path, at most so far
    /// along, and whether it is beyond that; `None` if it sees nothing of the path.
    fn aim(&self, layer: &Placements, frame: &Frame, at: V, most: f32) -> Option<(V, bool)> {
        // A place that is nearer behind a wall is of no use.
        let is_seen = |place: V| is_straight(layer, frame, at, place);
        let here = self.nearest(at, is_seen)?;
        let place = |along: f32| self.at(along.min(most.max(here)));
        // At a corner it sees the next point, and nothing beyond.
        let next = self.along.iter().copied().find(|&along| along > here + PASSED).unwrap_or(here);
        let ahead = AHEAD.map(|ahead| here + ahead).into_iter().chain([next, here]);
        ahead.map(place).find(|&place| is_seen(place)).map(|place| (place, here > most))
    }
}

impl March {
    /// The region's corner has moved.
    pub fn shift(&mut self, by: V) {
        self.line.shift(by);
        self.detours.iter_mut().for_each(|(_, line)| line.shift(by));
    }

    /// Returns where a slot is, and how far along the path: moved together with the others where there is no
    /// room for the shape.
    pub fn slot(&self, layer: &Placements, frame: &Frame, member: &Member) -> (V, f32) {
        let along = self.front - member.behind;
        let (base, _) = self.base(layer, frame, along);
        let side = self.beside(along, member.beside);
        let room = self.room(layer, frame, base, side);
        // With room for the whole shape, no slot is moved.
        if room >= self.half_width {
            return (offset(base, side, member.beside.abs()), along);
        }
        // All slots of a rank move together in the same measure, so that their order stays.
        let inwards = member.beside.abs() * room / self.half_width;
        let along = along - (member.beside.abs() - inwards) * TUNING.fall_back;
        let (base, along) = self.base(layer, frame, along);
        let side = self.beside(along, member.beside);
        let room = self.room(layer, frame, base, side).min(inwards);
        (offset(base, side, room), along)
    }

    /// Returns the place on the path, or beyond its ends as far as there is room.
    fn base(&self, layer: &Placements, frame: &Frame, along: f32) -> (V, f32) {
        let on = along.max(0.0).min(self.line.length());
        let (from, to) = (self.line.at(on), self.line.at(along));
        // Before the beginning and behind the end the path goes on straight, as far as there is no wall.
        if on.to_bits() == along.to_bits() || is_straight(layer, frame, from, to) {
            return (to, along);
        }
        (from, on)
    }

    /// Returns the direction to the side of the path on which a slot is.
    fn beside(&self, along: f32, beside: f32) -> V {
        let [x, y] = self.line.direction(along);
        if beside < 0.0 { [y, -x] } else { [-y, x] }
    }

    /// Returns how much room there is beside the path, at most half the width of the shape.
    fn room(&self, layer: &Placements, frame: &Frame, base: V, side: V) -> f32 {
        // In steps: exact room would cost more than the half cell that it gains.
        let mut room = 0.0;
        while room < self.half_width {
            let next = (room + TUNING.march_probe).min(self.half_width);
            let [x, y] = offset(base, side, next);
            // Beyond a thin wall is no room.
            let is_seen =
                || layer.edges().is_none() || is_straight(layer, frame, offset(base, side, room), [x, y]);
            if !(fits(layer, frame, x, y) && is_seen()) {
                return room;
            }
            room = next;
        }
        room
    }
}

fn offset(base: V, way: V, length: f32) -> V {
    [base[0] + way[0] * length, base[1] + way[1] * length]
}

/// Where the slot of an agent is now, and the agent.
#[derive(Clone, Copy)]
pub(in crate::crowd) struct Slot {
    pub id: u32,
    pub at: V,
    pub agent: V,
}

/// Lets those that are off their slots swap with another where that brings both nearer, on the whole: in a
/// close shape none gets past the others. All slots are as far apart as the largest bodies need.
pub(in crate::crowd) fn swap_slots(members: &mut [Member], slots: &mut [Slot]) {
    let between = |a: V, b: V| dot(minus(a, b), minus(a, b));
    for own in 0..members.len().min(slots.len()) {
        let Slot { at, agent, .. } = slots[own];
        if between(at, agent) < TUNING.away * TUNING.away {
            continue;
        }
        let gain = |other: &Slot| {
            between(at, agent) + between(other.at, other.agent)
                - between(other.at, agent)
                - between(at, other.agent)
        };
        let best = (0..slots.len()).max_by(|&a, &b| gain(&slots[a]).total_cmp(&gain(&slots[b])));
        let Some(other) = best.filter(|&other| gain(&slots[other]) > TUNING.slot_swap_gain) else { continue };
        (slots[own].at, slots[other].at) = (slots[other].at, slots[own].at);
        let Member { behind, beside, .. } = members[own];
        (members[own].behind, members[own].beside) = (members[other].behind, members[other].beside);
        (members[other].behind, members[other].beside) = (behind, beside);
    }
}

impl March {
    /// Returns `true` if a member was given a path of its own.
    pub fn has_detour(&self, id: u32) -> bool {
        self.detours.iter().any(|(of, _)| *of == id)
    }

    /// Returns to where a member walks straight now on the way to its slot, and whether it waits for that,
    /// ahead on the path; `None` if it sees neither that nor anything of its path.
    pub fn aim(
        &self,
        layer: &Placements,
        frame: &Frame,
        (id, at): (u32, V),
        (slot, along): (V, f32),
    ) -> Option<(V, bool)> {
        if towards(at, slot).1 < TUNING.straight_max && is_straight(layer, frame, at, slot) {
            return Some((slot, false));
        }
        // Out of sight of its slot it keeps to the path, as far ahead as it can see, so that it gets round
        // corners.
        match self.detours.iter().find(|(of, _)| *of == id) {
            Some((_, line)) => line.aim(layer, frame, at, line.length()),
            None => self.line.aim(layer, frame, at, along),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_hold_all() {
        assert_eq!(MarchShape::Block.ranks(10), [4, 4, 2]);
        assert_eq!(MarchShape::Column.ranks(5), [2, 2, 1]);
        assert_eq!(MarchShape::Wedge.ranks(7), [1, 2, 3, 1]);
        assert!(MarchShape::Wedge.ranks(0).is_empty());
    }

    #[test]
    fn a_path_goes_on_straight_at_both_ends() {
        let path = vec![[1.0, 1.0], [4.0, 1.0], [4.0, 5.0]];
        let line = Line::new(path);
        assert!(line.along.iter().zip([0.0, 3.0, 7.0]).all(|(a, b)| (a - b).abs() < 1e-6));
        let is_at = |line: &Line, along: f32, place: V| towards(line.at(along), place).1 < 1e-5;
        for (along, place) in
            [(-1.0, [0.0, 1.0]), (0.0, [1.0, 1.0]), (2.0, [3.0, 1.0]), (5.0, [4.0, 3.0]), (9.0, [4.0, 7.0])]
        {
            assert!(is_at(&line, along, place), "{along}: {:?}", line.at(along));
        }
        let nearest = |line: &Line, at: V| line.nearest(at, |_| true).unwrap();
        assert!((nearest(&line, [6.0, 3.5]) - 5.5).abs() < 1e-6);
        assert_eq!(line.nearest([6.0, 3.5], |_| false), None);
        let single = Line::new(vec![[2.0, 3.0]]);
        assert!(is_at(&single, 5.0, [2.0, 3.0]) && nearest(&single, [9.0, 9.0]).abs() < 1e-6);
    }
}
