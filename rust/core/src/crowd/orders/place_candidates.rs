//! Room that bodies take, and the free places nearest to one: of a formation, or at the end of a path.

use std::collections::{HashSet, VecDeque};

use crate::bitgrid::PaddedIndex;
use crate::crowd::ground::map::CrowdGround;
use crate::crowd::ground::neighbours::Most;
use crate::crowd::ground::sight::is_straight;
use crate::crowd::ground::steps::leads;
use crate::crowd::ground::sweep::{Frame, fits, nearest_center};
use crate::crowd::guide::preferred_velocity::cost_at;
use crate::crowd::numbers::tuning::TUNING;
use crate::crowd::numbers::vector::{V, dot, minus, towards};
use crate::crowd::state::agent::Agent;
use crate::crowd::state::body::Body;
use crate::crowd::state::outline::{Gap, Outline, gap};
use crate::field::FlowField;
use crate::passability::Placements;

/// A formation's place is looked for in so many squares around where it should be, half a radius apart.
pub(in crate::crowd) const RINGS_MAX: i32 = 192;

/// Room that is taken, in square bins.
pub(in crate::crowd) struct Taken {
    side: f32,
    columns: usize,
    rows: usize,
    most: Most,
    /// The part of the smaller radius by which two may overlap.
    overlap: f32,
    heads: Vec<u32>,
    all: Vec<TakenPlace>,
}

/// A place that a body takes.
struct TakenPlace {
    at: V,
    outline: Outline,
    /// The layers that the body is on.
    layers: u32,
    /// The number of the next one in its bin, from 1.
    next: u32,
}

impl Taken {
    pub fn new(ground: &CrowdGround<'_>, count: usize, most: Most) -> Self {
        let (w, h) = (ground.region.w as f32, ground.region.h as f32);
        // Larger bins on large maps: there are never many more bins than agents.
        let mut side = 2.0_f32;
        while w * h > side * side * (count * 2 + 4096) as f32 {
            side *= 1.25;
        }
        let (columns, rows) = ((w / side) as usize + 1, (h / side) as usize + 1);
        Self {
            side,
            columns,
            rows,
            most,
            overlap: TUNING.place_overlap,
            heads: vec![0; columns * rows],
            all: Vec::with_capacity(count),
        }
    }

    /// Returns it for places that do not overlap at all.
    pub fn apart(self) -> Self {
        // Two that just touch are apart, whatever conversions between spaces make of their places.
        Self { overlap: 1e-3, ..self }
    }

    fn bin(&self, at: V) -> (usize, usize) {
        let of = |v: f32, count: usize| ((v / self.side).max(0.0) as usize).min(count - 1);
        (of(at[0], self.columns), of(at[1], self.rows))
    }

    /// Adds the place of a body on these layers.
    pub fn add(&mut self, at: V, outline: Outline, layers: u32) {
        let (x, y) = self.bin(at);
        let head = &mut self.heads[y * self.columns + x];
        self.all.push(TakenPlace { at, outline, layers, next: *head });
        *head = self.all.len() as u32;
    }

    /// Returns `true` if a place is free for a body that avoids the layers of `mask`.
    pub fn is_free(&self, at: V, outline: Outline, mask: u32) -> bool {
        let reach = outline.longest() + self.most.longest;
        let (left, top) = self.bin([at[0] - reach, at[1] - reach]);
        let (right, bottom) = self.bin([at[0] + reach, at[1] + reach]);
        (top..=bottom)
            .all(|y| (left..=right).all(|x| self.is_free_in(y * self.columns + x, at, outline, mask)))
    }

    fn is_free_in(&self, bin: usize, at: V, outline: Outline, mask: u32) -> bool {
        let mut next = self.heads[bin];
        while let Some(other) = (next as usize).checked_sub(1).and_then(|n| self.all.get(n)) {
            if other.layers & mask != 0 && self.overlaps(at, outline, other.at, other.outline) {
                return false;
            }
            next = other.next;
        }
        true
    }

    #[inline]
    fn overlaps(&self, at: V, outline: Outline, other: V, its: Outline) -> bool {
        let gap = if self.most.has_cores { gap::<true> } else { gap::<false> };
        let Gap { offset, touch } = gap(outline, its, minus(other, at));
        let limit = touch - self.overlap * outline.radius.min(its.radius);
        dot(offset, offset) < limit * limit
    }
}

/// Returns the column and row of a padded index.
pub(in crate::crowd) fn cell_at(field: &FlowField, index: u32) -> [i32; 2] {
    let (x, y) = field.integration().layout().xy(PaddedIndex::new(index as usize));
    [x as i32, y as i32]
}

/// So many placements are looked at for room around the end of a path.
const ROOM_PLACEMENTS_MAX: usize = 1 << 16;

/// Returns the centre of the placement nearest to `end` that `is_free`, and how many steps along placements
/// it is from there: at least as many as the way is long, in cells.
pub(in crate::crowd) fn nearest_free(
    layer: &Placements,
    frame: &Frame,
    end: V,
    is_free: impl Fn(V) -> bool,
) -> Option<(V, f32)> {
    let center = |[x, y]: [i32; 2]| [x as f32 + frame.half[0], y as f32 + frame.half[1]];
    let start = minus(nearest_center(layer, frame, end)?, frame.half).map(|v| v.round() as i32);
    let mut seen = HashSet::from([start]);
    let mut queue = VecDeque::from([(start, 0)]);
    while let Some((anchor, steps)) = queue.pop_front() {
        let [x, y] = anchor;
        if is_free(center(anchor)) {
            return Some((center(anchor), steps as f32));
        }
        for next in [[x + 1, y], [x - 1, y], [x, y + 1], [x, y - 1]] {
            // It comes there, and from there to the end.
            let is_beside = leads(layer, anchor, next) && leads(layer, next, anchor);
            if is_beside && seen.len() < ROOM_PLACEMENTS_MAX && seen.insert(next) {
                queue.push_back((next, steps + 1));
            }
        }
    }
    None
}

/// Returns the best place instead of the one that `agent` was given: where its body fits, to which its field
/// leads and which is free. It is near to that one, rather on the agent's side of it.
pub(in crate::crowd) fn fitting(
    layer: &Placements,
    frame: &Frame,
    field: Option<&FlowField>,
    agent: &Agent,
    body: &Body,
    taken: &Taken,
    first_ring: i32,
) -> Option<(V, i32)> {
    let cost = |at: V| field.and_then(|field| cost_at(field, minus(at, frame.half)));
    let leads = |at: V| field.is_none() || cost(at).is_some();
    // Where its field ends it must see its place, or it would never get there; so must one of a formation
    // that takes one where it is.
    let is_at_end = field.is_some_and(|field| cost_at(field, minus(body.at, frame.half)) == Some(0));
    let must_see = is_at_end || agent.slot.is_given && towards(body.at, agent.slot.home).1 < TUNING.look;
    let is_good = |at: V| {
        fits(layer, frame, at[0], at[1])
            && taken.is_free(at, body.outline(), agent.avoidance.mask)
            && leads(at)
            && (!must_see || is_straight(layer, frame, body.at, at))
    };
    if is_good(agent.slot.home) {
        return Some((agent.slot.home, 0));
    }
    if field.is_none() {
        // Without a field, as on a march, what is near may lie behind a wall: the way there counts.
        return nearest_free(layer, frame, agent.slot.home, is_good).map(|(at, _)| (at, 0));
    }
    // Squares of growing size around it, until no larger one can hold a better place.
    let step = (body.radius * 0.5).max(0.25);
    let far = towards(agent.slot.home, body.at).1;
    let mut best: Option<(f32, V)> = None;
    let mut found = RINGS_MAX;
    for ring in first_ring.max(1)..RINGS_MAX {
        let near = ring as f32 * step;
        if best.is_some_and(|(price, _)| price <= near + (far - near).abs() * TUNING.on_the_way) {
            break;
        }
        for n in 0..ring * 8 {
            let (side, along) = (n / (ring * 2), n % (ring * 2) - ring);
            let (x, y) = [(along, -ring), (ring, along), (-along, ring), (-ring, -along)][side as usize];
            let at = [agent.slot.home[0] + x as f32 * step, agent.slot.home[1] + y as f32 * step];
            let price = towards(agent.slot.home, at).1 + towards(at, body.at).1 * TUNING.on_the_way;
            if best.is_none_or(|(least, _)| price < least) && is_good(at) {
                best = Some((price, at));
                found = found.min(ring);
            }
        }
    }
    best.map(|(_, at)| (at, found))
}
