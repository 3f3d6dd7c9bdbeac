//! Places around a goal, handed out to those who come, and places of formations, fitted to the ground.
//!
//! Whoever comes near its goal gets the free place of the least path cost there, so inner ones go to those who come first.
//! Small bodies stand on a hexagonal lattice around the goal, where it fits between walls, large ones on the middles of cells. A
//! place is free when no place of another and nobody at rest overlaps it. Nobody has to pass through others for its
//! place: two that are held up beside each other swap theirs when that brings both nearer (`swap`).
//!
//! Nothing is kept between two rounds, so a crowd that was saved hands out the same places.

use super::Crowd;
use super::agent::{Body, Mind};
use super::behaviour::Cause;
use super::ground::CrowdGround;
use super::part::{Event, SHUFFLES};
use super::solver::{V, dot, minus};
use super::sweep::{Frame, fits, is_straight};
use super::wish::remaining;
use crate::bitgrid::BitGrid;
use crate::field::{FlowField, UNREACHED};
use crate::geometry::Direction;

/// Parts between two rounds of handing out.
const ROUND: u32 = 32;
/// Room between two places, in parts of their distance.
const SPACING: f32 = 1.015;
/// Bodies below this radius, in cells, stand on a lattice of their own; cells are too coarse for them.
const SMALL: f32 = 0.75;
/// The height of a row of a hexagonal lattice.
const ROW: f32 = 0.866_025_4;
/// Of the free places whose cost is at most so much above the least, in units, the nearest is taken.
const BAND: u32 = 34;
/// Discs of places may overlap by this part of the smaller radius.
const OVERLAP: f32 = 0.02;
/// A formation's place is looked for in so many squares around where it should be, half a radius apart.
const RINGS_MAX: i32 = 192;
/// Two swap places when the sum of their squared ways shrinks by more than this.
const GAIN: f32 = 0.02;

/// Discs that are taken, in square bins.
struct Taken {
    side: f32,
    columns: usize,
    rows: usize,
    radius_max: f32,
    heads: Vec<u32>,
    discs: Vec<(V, f32, u32)>,
}

impl Taken {
    fn new(ground: &CrowdGround<'_>, count: usize, radius_max: f32) -> Self {
        let (w, h) = (ground.region.w as f32, ground.region.h as f32);
        let mut side = 2.0_f32;
        while w * h > side * side * (count * 2 + 4096) as f32 {
            side *= 1.25;
        }
        let (columns, rows) = ((w / side) as usize + 1, (h / side) as usize + 1);
        Self {
            side,
            columns,
            rows,
            radius_max,
            heads: vec![0; columns * rows],
            discs: Vec::with_capacity(count),
        }
    }

    fn bin(&self, at: V) -> (usize, usize) {
        let of = |v: f32, count: usize| ((v / self.side).max(0.0) as usize).min(count - 1);
        (of(at[0], self.columns), of(at[1], self.rows))
    }

    fn add(&mut self, at: V, radius: f32) {
        let (x, y) = self.bin(at);
        let head = &mut self.heads[y * self.columns + x];
        self.discs.push((at, radius, *head));
        *head = self.discs.len() as u32;
    }

    fn is_free(&self, at: V, radius: f32) -> bool {
        let reach = radius + self.radius_max;
        let (left, top) = self.bin([at[0] - reach, at[1] - reach]);
        let (right, bottom) = self.bin([at[0] + reach, at[1] + reach]);
        (top..=bottom).all(|y| (left..=right).all(|x| self.is_free_in(y * self.columns + x, at, radius)))
    }

    fn is_free_in(&self, bin: usize, at: V, radius: f32) -> bool {
        let mut next = self.heads[bin];
        while let Some(&(other, its_radius, after)) =
            (next as usize).checked_sub(1).and_then(|n| self.discs.get(n))
        {
            let offset = minus(other, at);
            let limit = radius + its_radius - OVERLAP * radius.min(its_radius);
            if dot(offset, offset) < limit * limit {
                return false;
            }
            next = after;
        }
        true
    }
}

/// Places for bodies of one kind and radius that follow one field, by cost.
struct Places {
    guide: u32,
    kind: u16,
    radius: f32,
    all: Vec<(u32, V)>,
    /// All before it are taken.
    first: usize,
}

impl Places {
    /// The places around a field's goals, enough for bodies that take `area` cells.
    fn around(
        field: &FlowField,
        layer: &BitGrid,
        frame: &Frame,
        guide: u32,
        kind: u16,
        radius: f32,
        area: f32,
    ) -> Self {
        let enough = (area * 2.0) as usize + 64;
        let mut limit = ((area * 1.5).sqrt() * 70.0) as u32 + 280;
        let cells = loop {
            let (cells, is_all) = cells_within(field, limit);
            if is_all || cells.len() >= enough {
                break cells;
            }
            limit = limit.saturating_mul(2);
        };
        let middle = |cell: [i32; 2]| [cell[0] as f32 + frame.half[0], cell[1] as f32 + frame.half[1]];
        let origin = cells.first().map_or([0.0; 2], |(_, cell)| middle(*cell));
        let mut all = Vec::with_capacity(cells.len());
        for (cost, cell) in cells {
            let before = all.len();
            let middle = middle(cell);
            if radius < SMALL {
                on_lattice(origin, radius * 2.0 * SPACING, middle, |at| {
                    if fits(layer, frame, at[0], at[1]) {
                        all.push((cost, at));
                    }
                });
            }
            if all.len() == before && fits(layer, frame, middle[0], middle[1]) {
                all.push((cost, middle));
            }
        }
        Self { guide, kind, radius, all, first: 0 }
    }

    /// Takes the free place of the least cost, the nearest to `at` of some.
    fn take(&mut self, taken: &Taken, at: V) -> Option<V> {
        let is_free = |&(_, place): &(u32, V)| taken.is_free(place, self.radius);
        self.first += self.all[self.first..].iter().position(is_free)?;
        let left = &self.all[self.first..];
        let limit = left[0].0 + BAND;
        let distance2 = |place: V| dot(minus(place, at), minus(place, at));
        let near = left.iter().take_while(|place| place.0 <= limit).filter(|place| is_free(place));
        near.map(|&(_, place)| place).min_by(|a, b| distance2(*a).total_cmp(&distance2(*b)))
    }
}

/// The points of a hexagonal lattice through `origin` in the square cell around `middle`, row by row.
fn on_lattice(origin: V, pitch: f32, middle: V, mut each: impl FnMut(V)) {
    let height = pitch * ROW;
    let first_row = ((middle[1] - 0.5 - origin[1]) / height).ceil();
    for row in 0..64 {
        let row = first_row + row as f32;
        let y = origin[1] + row * height;
        if y >= middle[1] + 0.5 {
            return;
        }
        let shift = if row as i32 & 1 == 0 { origin[0] } else { origin[0] + pitch * 0.5 };
        let first = ((middle[0] - 0.5 - shift) / pitch).ceil();
        for column in 0..64 {
            let x = shift + (first + column as f32) * pitch;
            if x >= middle[0] + 0.5 {
                break;
            }
            each([x, y]);
        }
    }
}

/// The cells from which a goal costs at most `limit`, by cost, counted from the region's corner; and whether there are no
/// others. Each is reached from its successor only, so nothing needs to be marked.
fn cells_within(field: &FlowField, limit: u32) -> (Vec<(u32, [i32; 2])>, bool) {
    let integration = field.integration();
    let (corner, layout) = (integration.region(), integration.layout());
    let mut cells: Vec<(u32, crate::geometry::Cell)> = integration.goals().map(|goal| (0, goal)).collect();
    let (mut next, mut is_all) = (0, true);
    while let Some(&(_, cell)) = cells.get(next) {
        next += 1;
        for direction in Direction::ALL {
            let before = cell.offset(-direction.dx(), -direction.dy());
            if field.direction(before) != Some(direction) {
                continue;
            }
            let local = [before.x.wrapping_sub(corner.x) as u32, before.y.wrapping_sub(corner.y) as u32];
            let cost = integration.costs()[layout.index(local[0], local[1]).get()];
            if cost <= limit && cost != UNREACHED {
                cells.push((cost, before));
            } else {
                is_all = false;
            }
        }
    }
    cells.sort_unstable_by_key(|&(cost, cell)| (cost, cell.y, cell.x));
    (cells.into_iter().map(|(cost, cell)| (cost, [cell.x - corner.x, cell.y - corner.y])).collect(), is_all)
}

/// One that asks for a place.
struct Asker {
    group: u32,
    left: f32,
    id: u32,
    place: usize,
}

/// What one round of handing out keeps.
struct Giver {
    taken: Taken,
    places: Vec<Places>,
    /// The place in a formation that was asked for last (where, radius, kind, guide), and the ring in which a free one was found.
    last: Option<(Slot, i32)>,
}

/// A place in a formation and the body that asks for it: where, radius, kind, guide.
type Slot = ([u32; 2], u32, u16, u32);

impl Crowd {
    /// Hands out places to those who came near their goal, and fits those of formations that were just ordered.
    pub(super) fn give_places(&mut self, ground: &CrowdGround<'_>) {
        let is_round = self.ticks.is_multiple_of(ROUND);
        if !is_round && !self.has_orders {
            return;
        }
        self.has_orders = false;
        let askers = self.askers(ground, is_round);
        if askers.is_empty() {
            return;
        }
        let mut giver = Giver { taken: self.taken(ground), places: Vec::new(), last: None };
        for asker in askers {
            self.minds[asker.place].set(Mind::ASKS, false);
            if self.minds[asker.place].is_in_formation() {
                self.give_in_formation(asker.place, ground, &mut giver);
            } else {
                self.give_around(asker.place, ground, &mut giver);
            }
        }
    }

    /// The agents that ask for a place, in the order in which they get one: formations first, of them large bodies before small ones,
    /// then those nearest to their goal.
    fn askers(&self, ground: &CrowdGround<'_>, is_round: bool) -> Vec<Asker> {
        let mut askers = Vec::new();
        for (place, (mind, body)) in self.minds.iter().zip(&self.bodies).enumerate() {
            if !mind.has(Mind::ASKS) || !(is_round || mind.is_in_formation()) {
                continue;
            }
            let frame = Frame::new(self.kinds.footprint(mind.kind), body.radius);
            let (group, left) = if mind.is_in_formation() {
                (0, -body.radius)
            } else {
                let left = remaining(ground, &self.routes, &frame, mind, body.at);
                (ground.group(mind.guide, &self.routes).saturating_add(1), left)
            };
            askers.push(Asker { group, left, id: mind.id, place });
        }
        askers.sort_unstable_by(|a, b| {
            a.group.cmp(&b.group).then(a.left.total_cmp(&b.left)).then(a.id.cmp(&b.id))
        });
        askers
    }

    /// The places that agents have, or rest on.
    fn taken(&self, ground: &CrowdGround<'_>) -> Taken {
        let mut taken = Taken::new(ground, self.bodies.len(), self.most.radius);
        for (mind, body) in self.minds.iter().zip(&self.bodies) {
            if mind.has_place() || mind.behaviour().rests() && !mind.has(Mind::ASKS) {
                taken.add(mind.home, body.radius);
            }
        }
        taken
    }

    /// Gives the agent at `place` in the arrays the free place nearest to its own in the formation; where there is none, it does
    /// without.
    fn give_in_formation(&mut self, place: usize, ground: &CrowdGround<'_>, giver: &mut Giver) {
        let (mind, body) = (&mut self.minds[place], &self.bodies[place]);
        let frame = Frame::new(self.kinds.footprint(mind.kind), body.radius);
        let field = ground.field(mind.guide).map(|field| field.field);
        let (w, h) = (ground.region.w as f32, ground.region.h as f32);
        mind.home = [mind.home[0].max(0.0).min(w), mind.home[1].max(0.0).min(h)];
        // Many at one place need not look again where there was no room for the last.
        let same = (mind.home.map(f32::to_bits), body.radius.to_bits(), mind.kind, mind.guide);
        let ring = giver.last.filter(|last| last.0 == same).map_or(0, |last| last.1);
        let layer = ground.layer(mind.kind);
        if let Some((home, ring)) = fitting(layer, &frame, field, mind, body, &giver.taken, ring) {
            mind.home = home;
            giver.taken.add(home, body.radius);
            giver.last = Some((same, ring));
        } else {
            mind.set(Mind::HAS_SLOT, false);
            giver.last = Some((same, RINGS_MAX));
        }
    }

    /// Gives the agent at `place` in the arrays the best free place around the goals of its field, if there is one.
    fn give_around(&mut self, place: usize, ground: &CrowdGround<'_>, giver: &mut Giver) {
        let (mind, body) = (&mut self.minds[place], &self.bodies[place]);
        let Some(field) = ground.field(mind.guide) else { return };
        let is_same = |p: &Places| {
            p.guide == mind.guide && p.kind == mind.kind && p.radius.to_bits() == body.radius.to_bits()
        };
        let number = giver.places.iter().position(is_same).unwrap_or_else(|| {
            let frame = Frame::new(self.kinds.footprint(mind.kind), body.radius);
            let reach = self.reaches.of(mind.guide);
            let area = reach * reach * std::f32::consts::PI;
            let layer = ground.layer(mind.kind);
            let around = Places::around(field.field, layer, &frame, mind.guide, mind.kind, body.radius, area);
            giver.places.push(around);
            giver.places.len() - 1
        });
        if let Some(home) = giver.places[number].take(&giver.taken, body.at) {
            mind.home = home;
            mind.formation = Mind::around(field.group);
            mind.set(Mind::HAS_SLOT, true);
            giver.taken.add(home, body.radius);
        }
    }

    /// Lets those who are held up on the way to their place swap it with one beside them.
    pub(super) fn swap_places(&mut self, events: &[Event]) {
        for event in events {
            let Event::HeldUp(own) = *event else { continue };
            let (body, mind) = (self.bodies[own], self.minds[own]);
            let mut best = (GAIN, own);
            for place in self.near[own].iter() {
                let (other, its) = (&self.bodies[place], &self.minds[place]);
                if its.behaviour().rests() && its.is_around() && its.shuffled >= SHUFFLES
                    || its.formation != mind.formation
                    || its.kind != mind.kind
                    || !its.has_place()
                    || other.radius.to_bits() != body.radius.to_bits()
                {
                    continue;
                }
                let between = |a: V, b: V| dot(minus(a, b), minus(a, b));
                let now = between(body.at, mind.home) + between(other.at, its.home);
                let gain = now - between(body.at, its.home) - between(other.at, mind.home);
                if gain > best.0 {
                    best = (gain, place);
                }
            }
            let (_, place) = best;
            if place != own {
                let home = self.minds[place].home;
                self.minds[own].home = home;
                self.minds[place].home = mind.home;
                self.minds[own].slow = 0;
                let its = &mut self.minds[place];
                its.meet(Cause::Swapped);
                // The time that a chain of swaps takes is limited, too.
                self.minds[place].beside = self.minds[place].beside.max(mind.beside);
            }
        }
    }
}

/// The place nearest to the one that `mind` was given where its body can stand, which its field leads to and which is free.
fn fitting(
    layer: &BitGrid,
    frame: &Frame,
    field: Option<&FlowField>,
    mind: &Mind,
    body: &Body,
    taken: &Taken,
    first_ring: i32,
) -> Option<(V, i32)> {
    let leads = |at: V| {
        let Some(field) = field else { return true };
        super::wish::cost_at(field, minus(at, frame.half)).is_some()
    };
    // Where its field ends it must see its place, or it would never get there.
    let is_at_end =
        field.is_some_and(|field| super::wish::cost_at(field, minus(body.at, frame.half)) == Some(0));
    let is_good = |at: V| {
        fits(layer, frame, at[0], at[1])
            && taken.is_free(at, body.radius)
            && leads(at)
            && (!is_at_end || is_straight(layer, frame, body.at, at))
    };
    if is_good(mind.home) {
        return Some((mind.home, 0));
    }
    // Squares of growing size around it, until no larger one can hold a nearer place.
    let step = (body.radius * 0.5).max(0.25);
    let mut best: Option<(f32, V)> = None;
    let mut found = RINGS_MAX;
    for ring in first_ring.max(1)..RINGS_MAX {
        let near = ring as f32 * step;
        if best.is_some_and(|(distance2, _)| distance2 <= near * near) {
            break;
        }
        for n in 0..ring * 8 {
            let (side, along) = (n / (ring * 2), n % (ring * 2) - ring);
            let (x, y) = [(along, -ring), (ring, along), (-along, ring), (-ring, -along)][side as usize];
            let at = [mind.home[0] + x as f32 * step, mind.home[1] + y as f32 * step];
            let distance2 = (x * x + y * y) as f32 * step * step;
            if best.is_none_or(|(least, _)| distance2 < least) && is_good(at) {
                best = Some((distance2, at));
                found = found.min(ring);
            }
        }
    }
    best.map(|(_, at)| (at, found))
}

impl Mind {
    /// What [`Mind::formation`] is for those who stand around the goals of a group; formations are numbered below it.
    pub const fn around(group: u32) -> u16 {
        (group ^ group >> 16) as u16 | Self::FORMATIONS
    }

    /// Formations have smaller numbers.
    pub const FORMATIONS: u16 = 1 << 15;

    /// Whether it has a place of its own that nobody else may have.
    pub const fn has_place(&self) -> bool {
        self.has(Self::HAS_SLOT) && !self.has(Self::ASKS)
    }

    /// Whether it counts as arrived and is still on the way to its place around the goal.
    pub const fn closes_up(&self) -> bool {
        self.is_around() && self.has(Self::ANNOUNCED)
    }

    /// Whether its time to close up is over.
    pub const fn has_shuffled(&self) -> bool {
        self.closes_up() && self.shuffled >= SHUFFLES
    }

    /// Whether its place is one of a formation.
    pub const fn is_in_formation(&self) -> bool {
        self.has(Self::HAS_SLOT) && self.formation < Self::FORMATIONS
    }

    /// Whether its place is one around its goal, not one of a formation.
    pub const fn is_around(&self) -> bool {
        self.has(Self::HAS_SLOT) && self.formation >= Self::FORMATIONS
    }
}
