//! Candidate places: around the goals of a field, by path cost, and around a place of a formation, by
//! distance.
//!
//! Small bodies get a hexagonal lattice around the goal, where it fits between walls; large ones the centres
//! of cells.

use std::collections::{BinaryHeap, HashSet, VecDeque};

use super::agent::Agent;
use super::body::Body;
use super::ground::CrowdGround;
use super::neighbours::Most;
use super::outline::{Gap, Outline, gap};
use super::preferred_velocity::{UNITS_PER_CELL, cost_at};
use super::sweep::{Frame, fits, is_straight, nearest_center, stands};
use super::tuning::TUNING;
use super::vector::{V, dot, minus, towards};
use crate::bitgrid::{BitGrid, PaddedIndex};
use crate::cost::STRAIGHT;
use crate::field::{FlowField, Reached, ReachedCell};
use crate::geometry::CellRect;

/// Bodies whose longer half is below this, in cells, get a lattice of their own; cells are too coarse for
/// them.
const SMALL: f32 = 0.75;
/// The height of a row of a hexagonal lattice.
const ROW: f32 = 0.866_025_4;
/// Cells up to this cost, in units, are looked at first for places; then those up to twice as much, and so
/// on.
const FIRST_LIMIT: u32 = 560;
/// A formation's place is looked for in so many squares around where it should be, half a radius apart.
pub(super) const RINGS_MAX: i32 = 192;

/// The side of the blocks in which ways are noted, in cells: about as wide as a street.
pub(super) const BLOCK: i32 = 8;

/// The room of a group, as far as those need it that have no place yet.
pub(super) struct Room {
    pub group: u32,
    /// It ends at this cost, in units; zero in the open.
    pub limit: u32,
    /// The blocks that ways pass, row by row.
    pub is_way: Vec<bool>,
    pub columns: i32,
}

impl Room {
    /// Returns `true` if the ways of those that are still to come pass near a cell, counted from the region's
    /// corner.
    pub fn is_on_way(&self, cell: [i32; 2]) -> bool {
        self.is_way.get((cell[1] / BLOCK * self.columns + cell[0] / BLOCK) as usize).copied().unwrap_or(true)
    }
}

/// Room that is taken, in square bins.
pub(super) struct Taken {
    side: f32,
    columns: usize,
    rows: usize,
    most: Most,
    /// The part of the smaller radius by which two may overlap.
    overlap: f32,
    heads: Vec<u32>,
    outlines: Vec<(V, Outline, u32)>,
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
            outlines: Vec::with_capacity(count),
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

    pub fn add(&mut self, at: V, outline: Outline) {
        let (x, y) = self.bin(at);
        let head = &mut self.heads[y * self.columns + x];
        self.outlines.push((at, outline, *head));
        *head = self.outlines.len() as u32;
    }

    pub fn is_free(&self, at: V, outline: Outline) -> bool {
        let reach = outline.longest() + self.most.longest;
        let (left, top) = self.bin([at[0] - reach, at[1] - reach]);
        let (right, bottom) = self.bin([at[0] + reach, at[1] + reach]);
        (top..=bottom).all(|y| (left..=right).all(|x| self.is_free_in(y * self.columns + x, at, outline)))
    }

    fn is_free_in(&self, bin: usize, at: V, outline: Outline) -> bool {
        let mut next = self.heads[bin];
        while let Some(&(other, its, after)) =
            (next as usize).checked_sub(1).and_then(|n| self.outlines.get(n))
        {
            if self.overlaps(at, outline, other, its) {
                return false;
            }
            next = after;
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

    /// Returns for all cells of the map, row by row, whether room in their middle is taken: faster for many
    /// of them than asking for each.
    pub fn cells_taken(&self, region: CellRect, outline: Outline) -> Vec<bool> {
        let mut are_taken = vec![false; region.w as usize * region.h as usize];
        for &(at, its, _) in &self.outlines {
            let reach = outline.longest() + its.longest();
            let cells = |axis: usize, side: i32| {
                let [from, to] = [at[axis] - reach, at[axis] + reach].map(|v| v.floor() as i32);
                from.max(0)..to.saturating_add(1).min(side)
            };
            for y in cells(1, region.h) {
                for x in cells(0, region.w) {
                    let is_taken = &mut are_taken[y as usize * region.w as usize + x as usize];
                    *is_taken |= self.overlaps([x as f32 + 0.5, y as f32 + 0.5], outline, at, its);
                }
            }
        }
        are_taken
    }
}

/// Places for bodies of one kind and outline that follow one field, by cost. They are looked for as far out
/// as they are asked for: around a goal that few have reached, those for all that are on their way to it
/// would take longer than the rest of the step.
pub(super) struct Places<'a> {
    pub guide: u32,
    pub kind: u16,
    pub outline: Outline,
    field: &'a FlowField,
    layer: &'a BitGrid,
    frame: Frame,
    /// The first goal's cell: the lattice has a point in its middle.
    origin: [i32; 2],
    /// Cells from which a goal costs at most so much are looked at for places; so many of them have been.
    limit: u32,
    seen: usize,
    /// The limit is raised at least to this one, and beyond it until there are enough cells.
    last_limit: u32,
    enough: usize,
    all: Vec<(u32, V)>,
    /// All before it are taken.
    first: usize,
    /// The cells of the room off the ways, in order, without those that were looked at. Few are, so they are
    /// not sorted.
    far: Option<BinaryHeap<ReachedCell>>,
    /// The places of its last cell.
    of_far_cell: Vec<(u32, V)>,
}

impl<'a> Places<'a> {
    /// Returns the places around a field's goals, enough for bodies that take `area` cells.
    pub fn around(
        field: &'a FlowField,
        layer: &'a BitGrid,
        frame: Frame,
        guide: u32,
        kind: u16,
        outline: Outline,
        area: f32,
    ) -> Self {
        // In the open some five times as many cells as the bodies take, and four cells for a few; between
        // walls at least twice as many.
        let last_limit = ((area * 1.5).sqrt() * UNITS_PER_CELL) as u32 + 4 * STRAIGHT;
        let limit = last_limit.min(FIRST_LIMIT);
        let corner = field.integration().region();
        let first = field.integration().goals().next();
        let origin = first.map_or([0; 2], |cell| [cell.x - corner.x, cell.y - corner.y]);
        let enough = (area * 2.0) as usize + 64;
        let (all, seen, first) = (Vec::new(), 0, 0);
        Self {
            guide,
            kind,
            outline,
            field,
            layer,
            frame,
            origin,
            limit,
            seen,
            last_limit,
            enough,
            all,
            first,
            far: None,
            of_far_cell: Vec::new(),
        }
    }

    /// Takes the free place of the least cost, the nearest to `at` of some; and how far it is from the goal,
    /// in cells.
    pub fn take(&mut self, taken: &Taken, reached: &mut Reached, at: V) -> Option<(f32, V)> {
        let outline = self.outline;
        let is_free = |&(_, place): &(u32, V)| taken.is_free(place, outline);
        let least = loop {
            match self.all.get(self.first) {
                Some(place) if is_free(place) => break place.0,
                // Taken for the rest of the round: places only ever become taken in it.
                Some(_) => self.first += 1,
                None => {
                    let cell = self.next_cell(reached)?;
                    self.add_places_of(cell);
                }
            }
        };
        // Among places of about one cost the agent takes the one that it is nearest to, so that fewer paths
        // cross.
        let limit = least + TUNING.band;
        while let Some(cell) = self.next_cell(reached).filter(|(cost, _)| *cost <= limit) {
            self.add_places_of(cell);
        }
        let distance2 = |place: V| dot(minus(place, at), minus(place, at));
        let left = &self.all[self.first..];
        let near = left.iter().take_while(|place| place.0 <= limit).filter(|place| is_free(place));
        let nearest = near.min_by(|a, b| distance2(a.1).total_cmp(&distance2(b.1)));
        nearest.map(|&(cost, place)| (cost as f32 * (1.0 / UNITS_PER_CELL), place))
    }

    /// Takes the free place of the highest cost in a room, off the ways of those that are still to come; and
    /// how far it is from the goal.
    pub fn take_far(&mut self, taken: &Taken, reached: &mut Reached, room: &Room) -> Option<(f32, V)> {
        if room.limit == 0 {
            return None;
        }
        let field = self.field;
        let far = self.far.get_or_insert_with(|| {
            let half = self.frame.half.map(|v| v as i32);
            let is_off_ways = |cell: &ReachedCell| {
                let [x, y] = cell_at(field, cell.index());
                !room.is_on_way([x + half[0], y + half[1]])
            };
            reached.within(field, room.limit).0.iter().copied().filter(is_off_ways).collect()
        });
        loop {
            while let Some((cost, place)) = self.of_far_cell.pop() {
                if taken.is_free(place, self.outline) {
                    return Some((cost as f32 / UNITS_PER_CELL, place));
                }
            }
            let cell = far.pop()?;
            let cell = (cell.cost(), cell_at(field, cell.index()));
            places_of_cell(self.layer, &self.frame, self.outline, self.origin, cell, &mut self.of_far_cell);
        }
    }

    /// Returns the next cell to be looked at for places. Cells of a higher limit follow those of a lower one,
    /// as they are in the order of costs.
    fn next_cell(&mut self, reached: &mut Reached) -> Option<(u32, [i32; 2])> {
        loop {
            let (cells, is_all) = reached.within(self.field, self.limit);
            if let Some(cell) = cells.get(self.seen) {
                return Some((cell.cost(), cell_at(self.field, cell.index())));
            }
            if is_all || self.limit >= self.last_limit && cells.len() >= self.enough {
                return None;
            }
            let twice = self.limit.saturating_mul(2);
            self.limit = if self.limit < self.last_limit { twice.min(self.last_limit) } else { twice };
        }
    }

    /// Adds the places in the next cell.
    fn add_places_of(&mut self, cell: (u32, [i32; 2])) {
        self.seen += 1;
        places_of_cell(self.layer, &self.frame, self.outline, self.origin, cell, &mut self.all);
    }
}

/// Adds the places in a cell to `all`; the lattice has a point in the middle of `origin`.
fn places_of_cell(
    layer: &BitGrid,
    frame: &Frame,
    outline: Outline,
    origin: [i32; 2],
    (cost, cell): (u32, [i32; 2]),
    all: &mut Vec<(u32, V)>,
) {
    let middle = |cell: [i32; 2]| [cell[0] as f32 + frame.half[0], cell[1] as f32 + frame.half[1]];
    let (origin, before, center) = (middle(origin), all.len(), middle(cell));
    if outline.longest() < SMALL {
        // Rows of boxes lie on each other, rows of discs in each other's gaps.
        let row = if outline.core.is_point() { ROW } else { 1.0 };
        on_lattice(origin, outline.radius * 2.0 * TUNING.spacing, row, center, |at| {
            if fits(layer, frame, at[0], at[1]) {
                all.push((cost, at));
            }
        });
    }
    // Between walls that no point of the lattice fits, and for large bodies.
    if all.len() == before && fits(layer, frame, center[0], center[1]) {
        all.push((cost, center));
    }
}

/// The points of a lattice through `origin` in the square cell around `middle`, row by row.
fn on_lattice(origin: V, pitch: f32, row: f32, middle: V, mut each: impl FnMut(V)) {
    let height = pitch * row;
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

/// Returns the column and row of a padded index.
pub(super) fn cell_at(field: &FlowField, index: u32) -> [i32; 2] {
    let (x, y) = field.integration().layout().xy(PaddedIndex::new(index as usize));
    [x as i32, y as i32]
}

/// So many placements are looked at for room around the end of a path.
const ROOM_PLACEMENTS_MAX: usize = 1 << 16;

/// Returns the centre of the placement nearest to `end` that `is_free`, and how many steps along placements
/// it is from there: at least as many as the way is long, in cells.
pub(super) fn nearest_free(
    layer: &BitGrid,
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
            if stands(layer, next[0], next[1]) && seen.len() < ROOM_PLACEMENTS_MAX && seen.insert(next) {
                queue.push_back((next, steps + 1));
            }
        }
    }
    None
}

/// Returns the best place instead of the one that `agent` was given: where its body fits, to which its field
/// leads and which is free. It is near to that one, rather on the agent's side of it.
pub(super) fn fitting(
    layer: &BitGrid,
    frame: &Frame,
    field: Option<&FlowField>,
    agent: &Agent,
    body: &Body,
    taken: &Taken,
    first_ring: i32,
) -> Option<(V, i32)> {
    let cost = |at: V| field.and_then(|field| cost_at(field, minus(at, frame.half)));
    // One that leaves where it rested stays on its side of a wall: there costs differ by little more than the
    // place is far.
    let own = cost(body.at).filter(|_| agent.slot.is_around());
    let is_near = |units: u32, at: V| {
        own.is_none_or(|own| {
            units.abs_diff(own) as f32 <= UNITS_PER_CELL * (1.5 * towards(body.at, at).1 + 2.0)
        })
    };
    let leads = |at: V| field.is_none() || cost(at).is_some_and(|units| is_near(units, at));
    // Where its field ends it must see its place, or it would never get there; so must one of a formation
    // that takes one where it is.
    let is_at_end = field.is_some_and(|field| cost_at(field, minus(body.at, frame.half)) == Some(0));
    let must_see =
        is_at_end || agent.slot.is_in_formation() && towards(body.at, agent.slot.home).1 < TUNING.look;
    let is_good = |at: V| {
        fits(layer, frame, at[0], at[1])
            && taken.is_free(at, body.outline())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::slot::Slot;
    use crate::crowd::{AgentSpec, CrowdField};
    use crate::field::FieldBuilder;
    use crate::geometry::Cell;
    use crate::terrain::Terrain;
    use crate::world::{Profile, World};

    /// The place for one that rests on another beside a wall behind which all is free, and whose own side is
    /// taken but for its far end.
    #[test]
    fn one_that_leaves_where_it_rested_stays_on_its_side_of_a_wall() {
        let (open, wall) = (".".repeat(40), format!("{}.", "#".repeat(39)));
        let text = [open.as_str(), &open, &open, &wall, &open, &open, &open].join("\n");
        let mut world = World::from_terrain(Terrain::from_text(&text, Cell::default()).expect("a map"));
        let source = world.field_source(&Profile::default());
        let mut field = FlowField::default();
        FieldBuilder::default().build(source.ground(), &[Cell::new(2, 1)], None, &mut field);
        let fields = [Some(CrowdField { field: &field, group: 0 })];
        let layers = [source.placements()];
        let ground = CrowdGround {
            region: source.region(),
            revision: 0,
            layers: &layers,
            costs: &[],
            fields: &fields,
        };
        let at = [2.5, 2.5];
        let mut agent =
            Agent::new(0, &AgentSpec { x: 2.5, y: 2.5, kind: 0, speed: 4.0, radius: 0.4 }, at, false);
        agent.slot = Slot { is_given: true, is_wanted: true, formation: Slot::around(0), ..Slot::at(at) };
        let body = Body { at, radius: 0.4, ..Body::default() };
        let mut most = Most::default();
        most.include(&body, 1.0);
        let mut taken = Taken::new(&ground, 100, most);
        for n in 0..3 * 15 {
            taken.add([(n / 3) as f32 + 0.5, (n % 3) as f32 + 0.5], body.outline());
        }
        let frame = Frame::new(Profile::default().footprint, 0.4);
        let found = fitting(layers[0], &frame, Some(&field), &agent, &body, &taken, 0);
        let ([x, y], _) = found.expect("a place");
        assert!(x > 14.0 && y < 3.0, "{x}, {y}");
    }
}
