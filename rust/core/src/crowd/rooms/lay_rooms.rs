//! Laying the room of a group, after an order or an edit: how far it reaches, and the order in which its cells
//! are filled.
//!
//! Takes time in proportion to its cells, in up to 400 passes, and to the ways of 256 of its bodies.

use std::collections::HashMap;

use crate::bitgrid::PaddedIndex;
use crate::crowd::ground::map::CrowdGround;
use crate::crowd::ground::spread::{BESIDE, Front, UNREACHED, Window};
use crate::crowd::ground::standing::{Standing, StandingByMask};
use crate::crowd::ground::steps::stands;
use crate::crowd::ground::sweep::Frame;
use crate::crowd::guide::gathering::{Room, near};
use crate::crowd::guide::preferred_velocity::UNITS_PER_CELL;
use crate::crowd::kept::Crowd;
use crate::crowd::numbers::tuning::TUNING;
use crate::crowd::numbers::vector::{V, minus};
use crate::field::{FlowField, Reached};
use crate::geometry::Cell;

/// The potential is relaxed in so many passes at most, each change by so many times itself, until none
/// changes more than the least.
const PASSES: usize = 400;
const RELAX: f32 = 1.9;
const LEAST: f32 = 1e-3;
/// So many of a group are followed to where they come in; those of others lead along their ways.
const WAYS_MAX: usize = 256;
const WAY_CELLS_MAX: usize = 4096;
/// Goals that are looked at for bodies which are taken in.
const GOALS_MAX: usize = 16;
/// So near to a wall, a cell is in a street, in cells.
const BY_WALLS: i32 = 2;
/// The steps to the eight cells around one.
const AROUND: [[i32; 2]; 8] = [[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [1, -1], [-1, 1], [-1, -1]];

/// One of a group that a field leads.
#[derive(Clone, Copy, Debug)]
pub(in crate::crowd) struct Member {
    pub index: usize,
    pub guide: u32,
    pub kind: u16,
}

impl Crowd {
    /// Returns the members of all groups that fields lead to a goal where they gather, by group.
    pub(in crate::crowd) fn gathering(&self, ground: &CrowdGround<'_>) -> Vec<(u32, Member)> {
        let all = self.agents.iter().enumerate().filter(|(_, agent)| agent.gathers());
        let mut members: Vec<(u32, Member)> = all
            .filter_map(|(index, agent)| {
                let group = ground.field(agent.guide)?.group;
                Some((group, Member { index, guide: agent.guide, kind: agent.kind }))
            })
            .collect();
        members.sort_by_key(|(group, _)| *group);
        members
    }

    /// Lays the room of a group.
    pub(in crate::crowd) fn lay(
        &self,
        room: &mut Room,
        members: &[(u32, Member)],
        standing: &StandingByMask,
        ground: &CrowdGround<'_>,
    ) {
        room.is_laid = true;
        room.ways.clear();
        (room.heights, room.window) = (Vec::new(), Window::default());
        let side = |member: &Member| {
            let footprint = self.kinds.footprint(member.kind);
            (footprint.w() * footprint.h(), member.guide, member.kind)
        };
        let Some(base) = members.iter().map(|(_, member)| member).min_by_key(|member| side(member)) else {
            return;
        };
        let Some(field) = ground.field(base.guide).map(|field| field.field) else { return };
        room.base = base.guide;
        let footprint = self.kinds.footprint(base.kind);
        room.half = [footprint.w() as f32 * 0.5, footprint.h() as f32 * 0.5];
        let corner = [ground.region.x, ground.region.y];
        room.goals = field
            .integration()
            .goals()
            .take(GOALS_MAX)
            .map(|goal| {
                [(goal.x - corner[0]) as f32 + room.half[0], (goal.y - corner[1]) as f32 + room.half[1]]
            })
            .collect();
        let (mut area, mut radii, mut count) = (0.0, 0.0, 0.0);
        for (_, member) in members {
            let body = &self.bodies[member.index];
            let at = Frame::new(self.kinds.footprint(member.kind), body.radius).placement(body.at);
            // Bodies without a way to the goal take none of its room.
            if ground.field(member.guide).is_some_and(|field| near(field.field, at) < UNREACHED) {
                let outline = body.outline();
                let part = if outline.core.is_point() { std::f32::consts::FRAC_PI_4 } else { 1.0 };
                let own = outline.area() * part;
                area = if room.is_for_one() { own.max(area) } else { area + own };
                radii += body.radius;
                count += 1.0_f32;
            }
        }
        let needed = (area / TUNING.filled_part) as usize + 1;
        let mut reached = Reached::default();
        let mut limit = UNITS_PER_CELL * ((area / TUNING.filled_part).sqrt() + 2.0);
        let (rim, cells) = loop {
            let (cells, is_all) = reached.within(field, limit as u32);
            if cells.len() > needed || is_all {
                let rim = cells.get(needed).or(cells.last()).map_or(0.0, |cell| cell.cost() as f32);
                break (rim / UNITS_PER_CELL, cells);
            }
            limit *= 1.5;
        };
        // A body beside the rim reaches out of it: one alone has its goal only.
        room.rim = (rim - radii / count.max(1.0)).max(0.0);
        room.over = room.rim * 1.15 + 2.0;
        let layout = field.integration().layout();
        let place = |index: u32| {
            let (x, y) = layout.xy(PaddedIndex::new(index as usize));
            [x as i32, y as i32]
        };
        let cells: Vec<[i32; 2]> = cells
            .iter()
            .take_while(|cell| cell.cost() as f32 <= room.rim * UNITS_PER_CELL)
            .map(|cell| place(cell.index()))
            .collect();
        let layer = ground.layer(base.kind);
        let is_narrow = |&&[x, y]: &&[i32; 2]| {
            BESIDE.iter().any(|[dx, dy]| !stands(layer, x + BY_WALLS * dx, y + BY_WALLS * dy))
        };
        let narrow = cells.iter().filter(is_narrow).count() as f32 / cells.len().max(1) as f32;
        room.least = TUNING.worth + narrow * TUNING.worth_in_streets;
        room.worth = room.least;
        self.plan(room, (base, field), &cells, members, (standing, ground));
    }

    /// Finds the order in which the cells of a room are filled.
    fn plan(
        &self,
        room: &mut Room,
        (base, field): (&Member, &FlowField),
        cells: &[[i32; 2]],
        members: &[(u32, Member)],
        (standing, ground): (&StandingByMask, &CrowdGround<'_>),
    ) {
        if cells.len() < 2 {
            return;
        }
        let size = [ground.region.w, ground.region.h];
        let window = around(cells.iter().copied(), 8, size);
        let layer = ground.layer(base.kind);
        let of_all: Standing;
        let standing = if let [one] = room.avoidance[..] {
            standing.of(one.mask)
        } else {
            of_all = Standing::new(&self.bodies, |index| room.avoids(self.agents[index].avoidance));
            &of_all
        };
        let blocked = standing.blocked(window, base.kind, &self.kinds, &self.bodies, |_| true);
        let free: Vec<u32> = cells
            .iter()
            .filter_map(|&cell| window.index(cell))
            .filter(|&index| blocked[index] == 0)
            .map(|index| index as u32)
            .collect();
        let mut front = Front::default();
        let seeds: Vec<(u32, f32)> = free.iter().map(|&index| (index, 0.0)).collect();
        front.spread((window, layer), &seeds, |index| {
            let [x, y] = window.place(index);
            let step = if blocked[index] > 0 { 1.0 + TUNING.through } else { 1.0 };
            if stands(layer, x, y) { step } else { UNREACHED }
        });
        let mut source = self.entries(members, &front, (room.half, field), ground);
        // Parts that hang together, each with its own balance.
        let mut part = vec![u32::MAX; window.len()];
        let is_free = {
            let mut is_free = vec![false; window.len()];
            for &index in &free {
                is_free[index as usize] = true;
            }
            is_free
        };
        let mut all: Vec<u32> = Vec::new();
        for &first in &free {
            if part[first as usize] != u32::MAX {
                continue;
            }
            let from = all.len();
            part[first as usize] = first;
            all.push(first);
            let (mut next, mut sum) = (from, 0.0);
            while let Some(&index) = all.get(next) {
                next += 1;
                sum += source[index as usize];
                for beside in window.beside_on(layer, index as usize) {
                    if is_free[beside] && part[beside] == u32::MAX {
                        part[beside] = first;
                        all.push(beside as u32);
                    }
                }
            }
            // None comes in here.
            if sum == 0.0 {
                all.truncate(from);
                continue;
            }
            let sink = sum / (all.len() - from) as f32;
            all[from..].iter().for_each(|&index| source[index as usize] -= sink);
        }
        room.window = window;
        room.heights = match layer.edges() {
            None => filled(window, &mut all, &part, &source, |_, _| false),
            Some(edges) => filled(window, &mut all, &part, &source, |one, two| {
                window.closes(edges, one, two) || window.closes(edges, two, one)
            }),
        };
    }

    /// Returns how many bodies come in at each placement to which a front leads, by their areas.
    fn entries(
        &self,
        members: &[(u32, Member)],
        front: &Front,
        (half, base): (V, &FlowField),
        ground: &CrowdGround<'_>,
    ) -> Vec<f32> {
        let mut source = vec![0.0; front.window.len()];
        let out: Vec<&Member> =
            members.iter().map(|(_, member)| member).filter(|m| !self.bodies[m.index].rests()).collect();
        let step = out.len().div_ceil(WAYS_MAX).max(1);
        let mut passed: HashMap<Cell, u32> = HashMap::new();
        let corner = [ground.region.x, ground.region.y];
        for member in out.iter().step_by(step) {
            let body = &self.bodies[member.index];
            let at = minus(body.at, half).map(|part| (part + 0.5).floor() as i32);
            let mut cell = Cell::new(at[0] + corner[0], at[1] + corner[1]);
            let mut way = Vec::new();
            let mut entry = u32::MAX;
            for _ in 0..WAY_CELLS_MAX {
                if let Some(&known) = passed.get(&cell) {
                    entry = known;
                    break;
                }
                let index = front.window.index([cell.x - corner[0], cell.y - corner[1]]);
                if let Some(index) = index.filter(|&index| front.left[index] < UNREACHED) {
                    entry = front.seed[index];
                    break;
                }
                way.push(cell);
                match base.next_cell(cell) {
                    Some(next) if next != cell => cell = next,
                    _ => break,
                }
            }
            passed.extend(way.into_iter().map(|cell| (cell, entry)));
            if let Some(source) = source.get_mut(entry as usize) {
                *source += body.radius * body.radius;
            }
        }
        source
    }
}

/// Returns the window around some placements and so many cells beyond.
pub(in crate::crowd) fn around(places: impl Iterator<Item = [i32; 2]>, by: i32, size: [i32; 2]) -> Window {
    let (mut low, mut high) = ([i32::MAX; 2], [i32::MIN; 2]);
    for place in places {
        for axis in 0..2 {
            (low[axis], high[axis]) = (low[axis].min(place[axis]), high[axis].max(place[axis]));
        }
    }
    if low[0] > high[0] {
        return Window::default();
    }
    Window::between(low.map(|part| part - by), high.map(|part| part + by), size)
}

/// Returns how far down the flow from `source` each of some placements is, in parts that hang together. None
/// flows over edges.
fn filled(
    window: Window,
    all: &mut [u32],
    part: &[u32],
    source: &[f32],
    is_closed: impl Fn(usize, usize) -> bool,
) -> Vec<f32> {
    let potential = relax(window, all, part, source, &is_closed);
    heights(window, all, part, &potential, is_closed)
}

/// Returns the potential of a flow over some placements, in parts that hang together.
fn relax(
    window: Window,
    all: &[u32],
    part: &[u32],
    source: &[f32],
    is_closed: impl Fn(usize, usize) -> bool,
) -> Vec<f32> {
    let mut potential = vec![0.0_f32; window.len()];
    let w = window.w as usize;
    for pass in 0..PASSES {
        let mut most = 0.0_f32;
        for n in 0..all.len() {
            let index = if pass % 2 == 0 { all[n] } else { all[all.len() - 1 - n] } as usize;
            let x = index % w;
            let (mut sum, mut count) = (source[index], 0.0);
            let mut add = |is_inside: bool, beside: usize| {
                if is_inside && part[beside] == part[index] && !is_closed(index, beside) {
                    sum += potential[beside];
                    count += 1.0;
                }
            };
            add(x > 0, index.wrapping_sub(1));
            add(x + 1 < w, index + 1);
            add(index >= w, index.wrapping_sub(w));
            add(index + w < part.len(), index + w);
            if count > 0.0 {
                let change = (sum / count - potential[index]) * RELAX;
                potential[index] += change;
                most = most.max(change.abs());
            }
        }
        if most < LEAST {
            break;
        }
    }
    potential
}

/// Returns how far down the flow each placement is, and not before its time.
fn heights(
    window: Window,
    all: &mut [u32],
    part: &[u32],
    potential: &[f32],
    is_closed: impl Fn(usize, usize) -> bool,
) -> Vec<f32> {
    all.sort_unstable_by(|&a, &b| potential[a as usize].total_cmp(&potential[b as usize]).then(a.cmp(&b)));
    let mut heights = vec![UNREACHED; window.len()];
    let mut down = vec![None; all.len()];
    let mut longest = 0.0_f32;
    for (&index, down) in all.iter().zip(&mut down) {
        let index = index as usize;
        let [x, y] = window.place(index);
        let on = |dx: i32, dy: i32| {
            let beside = window.index([x + dx, y + dy])?;
            let is_closed = dx * dy == 0 && is_closed(index, beside);
            (part[beside] == part[index] && !is_closed).then_some(beside)
        };
        let mut steepest = 1e-4_f32;
        for [dx, dy] in AROUND {
            let Some(beside) = on(dx, dy) else { continue };
            let is_diagonal = dx != 0 && dy != 0;
            if is_diagonal {
                let (Some(across), Some(along)) = (on(dx, 0), on(0, dy)) else { continue };
                if is_closed(across, beside) || is_closed(along, beside) {
                    continue;
                }
            }
            let length = if is_diagonal { std::f32::consts::SQRT_2 } else { 1.0 };
            let slope = (potential[index] - potential[beside]) / length;
            if slope > steepest {
                (steepest, *down) = (slope, Some((beside, length)));
            }
        }
        heights[index] = down.map_or(0.0, |(beside, length)| heights[beside] + length);
        longest = longest.max(heights[index]);
    }
    let count = all.len() as f32;
    for (n, (&index, down)) in all.iter().zip(&down).enumerate() {
        let index = index as usize;
        let own = longest * n as f32 / count;
        let mut height = down.map_or(own, |(beside, length)| own.max(heights[beside] + length));
        for beside in window.beside(index) {
            let is_down = part[beside] == part[index] && potential[beside] < potential[index];
            if is_down && !is_closed(index, beside) {
                height = height.max(heights[beside]);
            }
        }
        heights[index] = height;
    }
    heights
}
