//! What edits have done to an answer that was found before them.
//!
//! - A *path* can be walked while no edit has closed a cell that the body covers on it or a corner that it
//!   passes.
//! - Another path may cost less by now if an edit has changed costs or has opened cells near enough. Near are
//!   cells over which the octile distance from the start to the goal is below the path's cost.
//! - *No path*, and a path that ends short of the goal, hold if the map still says so, without a search.
//!
//! Takes time in proportion to the cells of the path near edits, whatever the size of the map.

use crate::bitgrid::{GridLayout, LocalRect, local, local_in};
use crate::cost::Cost;
use crate::geometry::{Cell, CellRect, Side};
use crate::passability::{Prices, anchors_touching, cost_at};
use crate::path::StringPuller;
use crate::primitives::octile;
use crate::terrain::{Change, Terrain};
use crate::world::{MapVersion, PathOutcome, PathQuery, Profile, Status, World};

/// What edits have done to an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// Nothing: the answer is as good as a new one.
    Holds,
    /// The path can be walked, but another may cost less by now, or the limit may not be met.
    Doubtful,
    /// It is wrong.
    Wrong,
}

/// The edits between two versions of a map that concern one kind of body.
pub(super) struct Edits {
    since: MapVersion,
    until: MapVersion,
    profile: Profile,
    /// The anchors whose step each can have changed, and what it changed. `None` if all cells were replaced:
    /// nothing leads from the old map to the new one.
    all: Option<Vec<(LocalRect, Change)>>,
    near: NearEdits,
}

impl Edits {
    /// Returns the edits of `world` since a version; those in `kept` if they are the same, as many answers
    /// ask for them.
    pub(super) fn since<'a>(
        kept: &'a mut Option<Self>,
        world: &World,
        since: MapVersion,
        profile: &Profile,
    ) -> &'a Self {
        let until = world.version();
        let fits = |own: &Self| own.since == since && own.until == until && own.profile == *profile;
        match kept {
            Some(own) if fits(own) => {}
            _ => *kept = None,
        }
        kept.get_or_insert_with(|| Self::new(world, since, until, profile))
    }

    fn new(world: &World, since: MapVersion, until: MapVersion, profile: &Profile) -> Self {
        let all = (since.epoch == until.epoch).then(|| {
            let layout = world.kept.terrain.layout();
            // Where the journal does not reach back so far, all of the map counts as edited.
            let journal = world.kept.terrain.journal().since(since.revision);
            let edits: Vec<_> = journal.map_or_else(
                || vec![(layout.all(), Change::ALL)],
                |entries| entries.map(|edit| (edit.rect, edit.change)).collect(),
            );
            // What influences have changed is as if weights had.
            let influenced =
                world.kept.influences.changed_since(&since.influences, &profile.influence_weights);
            let influenced = influenced.unwrap_or_else(|| vec![layout.all()]);
            let edits = edits.into_iter().chain(influenced.into_iter().map(|rect| (rect, Change::WEIGHT)));
            let matters = |change: Change| change.opens_or_closes_for(profile.climb) || change.costs();
            edits
                .filter(|&(_, change)| matters(change))
                .map(|(rect, change)| (near_anchors(rect, profile, layout), change))
                .collect()
        });
        let closing = all
            .iter()
            .flatten()
            .filter(|(_, change): &&(_, Change)| change.opens_or_closes_for(profile.climb));
        let near = NearEdits::new(closing.map(|&(near, _)| near), world.kept.terrain.layout());
        Self { since, until, profile: *profile, all, near }
    }

    /// Returns what the edits have done to `outcome`, which answers `query`. If it holds, its reason is
    /// brought up to date.
    pub(super) fn judge(&self, world: &mut World, query: &PathQuery, outcome: &mut PathOutcome) -> Verdict {
        let Some(edits) = &self.all else { return Verdict::Wrong };
        if edits.is_empty() {
            return Verdict::Holds;
        }
        let opened = edits.iter().any(|(_, change)| change.opens_or_closes_for(self.profile.climb));
        if opened
            && !(self.is_walkable(&world.kept.terrain, query, outcome) && is_in_sight(world, query, outcome))
        {
            return Verdict::Wrong;
        }
        match outcome.status {
            Status::Complete => {
                let may_be_passed = |&(near, change)| self.may_be_passed(world, query, outcome, near, change);
                if edits.iter().any(may_be_passed) { Verdict::Doubtful } else { Verdict::Holds }
            }
            Status::Partial => {
                let holds = !opened || world.planner().still_ends_short(query, outcome);
                if holds { Verdict::Doubtful } else { Verdict::Wrong }
            }
            Status::Limit => Verdict::Doubtful,
            _ if opened => world.planner().still_refused(query).map_or(Verdict::Wrong, |refusal| {
                *outcome = refusal;
                Verdict::Holds
            }),
            _ => Verdict::Holds,
        }
    }

    /// Returns whether a path over the anchors of an edit may cost less than the one of `outcome`.
    fn may_be_passed(
        &self,
        world: &World,
        query: &PathQuery,
        outcome: &PathOutcome,
        near: LocalRect,
        change: Change,
    ) -> bool {
        // Where costs differ a step may cost next to nothing, and so may a link, so distance is no bound.
        let has_links = world.kept.terrain.link_table().is_some();
        if change.costs() || has_links || world.kept.may_pay(&self.profile) {
            return true;
        }
        let near = near.to_cells(world.kept.terrain.region());
        let bound = distance(CellRect::cell(query.start), near) + distance(near, query.goal_anchors());
        outcome.cost.is_none_or(|cost| bound < u64::from(cost.units()))
    }

    /// Returns whether the path of `outcome`, if there is one, can be walked.
    fn is_walkable(&self, terrain: &Terrain, query: &PathQuery, outcome: &PathOutcome) -> bool {
        let region = terrain.region();
        let mut earlier: Option<Cell> = None;
        let mut holds = outcome.route.link_ends().all(|(ends, id)| is_link(terrain, query, ends, id));
        outcome.route.for_each_line(|first, (dx, dy), count| {
            for n in 0..count as i32 {
                let cell = Cell::new(first.x + n * dx, first.y + n * dy);
                let (x, y) = local_in(region, cell);
                earlier = earlier.filter(|_| (dx, dy) != (0, 0));
                // The walk cannot be left early, so its rest does nothing.
                holds = holds && (!self.near.holds(x, y) || steps_on(terrain, query, earlier, cell));
                earlier = Some(cell);
            }
        });
        holds
    }
}

/// Returns whether the map has a link that leads the body of `query` from one cell to another.
fn is_link(terrain: &Terrain, query: &PathQuery, [from, to]: [Cell; 2], id: u32) -> bool {
    let Profile { footprint, capability, .. } = query.profile;
    let offset = Cell::new(to.x - from.x, to.y - from.y);
    terrain.link(id.into()).is_ok_and(|link| {
        let leads = |begin: Cell, end: Cell| {
            begin.offset(offset.x, offset.y) == end && footprint.at(from).contains(begin)
        };
        link.takes(footprint, capability)
            && (leads(link.from, link.to) || link.is_two_way && leads(link.to, link.from))
    })
}

/// Returns what the path of `outcome` costs now, looked up cell by cell; `None` if there is none.
pub(super) fn cost_now(world: &World, query: &PathQuery, outcome: &PathOutcome) -> Option<Cost> {
    outcome.cost?;
    let (terrain, profile) = (&world.kept.terrain, &query.profile);
    let added = world.kept.influences.added(&profile.influence_weights);
    let prices = Prices { factors: &profile.terrain_costs, added: &added };
    let links = outcome.route.links().iter();
    let links = links.map(|link| terrain.link(link.id.into()).map_or(0, |link| link.cost.units()));
    let mut sum = links.fold(Cost::ZERO, Cost::plus);
    outcome.route.for_each_line(|first, (dx, dy), count| {
        // The start is not stepped on, and links are counted above.
        for n in 0..if (dx, dy) == (0, 0) { 0 } else { count as i32 } {
            let under = profile.footprint.at(Cell::new(first.x + n * dx, first.y + n * dy));
            let step = LocalRect::within(terrain.region(), under).map(|rect| cost_at(terrain, &prices, rect));
            let units = step.map_or(0, |step| if dx != 0 && dy != 0 { step.diagonal } else { step.straight });
            sum = sum.plus(units.into());
        }
    });
    Some(sum)
}

/// The octile distance between two rectangles that have cells, in units.
fn distance(a: CellRect, b: CellRect) -> u64 {
    // In 64 bits, as a goal may lie anywhere.
    let gap = |a: (i32, i32), b: (i32, i32)| {
        let (a, b) = ((i64::from(a.0), i64::from(a.1)), (i64::from(b.0), i64::from(b.1)));
        (b.0 - a.1).max(a.0 - b.1).max(0)
    };
    let (dx, dy) =
        (gap((a.x, a.right() - 1), (b.x, b.right() - 1)), gap((a.y, a.bottom() - 1), (b.y, b.bottom() - 1)));
    // No path on a map is longer than this, so a larger distance is none that is met.
    let cap = |cells: i64| cells.min(1 << 20) as u32;
    octile(cap(dx), cap(dy)).into()
}

/// Log₂ of the side of the blocks that edits are kept by. A body's path is checked against the edits of its
/// blocks: larger blocks compare more of them with each cell, smaller ones list a wall's edit more often. Not
/// tuned.
const BLOCK_SHIFT: u32 = 5;
/// An edit that reaches more blocks is looked at for every cell: listing it in each block takes longer than
/// comparing it with the some hundred cells of a path.
const BLOCKS_MAX: u32 = 64;

/// The anchors around each edit, by blocks of the map: a long path meets few of many edits.
struct NearEdits {
    columns: u32,
    wide: Vec<LocalRect>,
    /// With the block that it reaches, in ascending order.
    placed: Vec<(u32, LocalRect)>,
}

impl NearEdits {
    fn new(edits: impl Iterator<Item = LocalRect>, layout: GridLayout) -> Self {
        let columns = (layout.width() >> BLOCK_SHIFT) + 1;
        let (mut wide, mut placed) = (Vec::new(), Vec::new());
        for near in edits {
            let LocalRect { x0, y0, x1, y1 } = near;
            let (across, down) =
                (x0 >> BLOCK_SHIFT..=x1 >> BLOCK_SHIFT, y0 >> BLOCK_SHIFT..=y1 >> BLOCK_SHIFT);
            if (across.end() - across.start() + 1) * (down.end() - down.start() + 1) > BLOCKS_MAX {
                wide.push(near);
                continue;
            }
            for row in down {
                placed.extend(across.clone().map(|column| (row * columns + column, near)));
            }
        }
        placed.sort_by_key(|&(block, _)| block);
        Self { columns, wide, placed }
    }

    /// Returns whether an edit can have changed the step to (`x`, `y`).
    fn holds(&self, x: u32, y: u32) -> bool {
        let block = (y >> BLOCK_SHIFT) * self.columns + (x >> BLOCK_SHIFT);
        let first = self.placed.partition_point(|(own, _)| *own < block);
        let here = self.placed[first..].iter().take_while(|(own, _)| *own == block).map(|(_, near)| near);
        self.wide.iter().chain(here).any(|near| near.contains(x, y))
    }
}

/// Returns the anchors whose step an edit of `rect` can have changed: the anchors that touch it, and their
/// neighbours.
fn near_anchors(rect: LocalRect, profile: &Profile, layout: GridLayout) -> LocalRect {
    // One more on each side, as a diagonal step also needs its corners.
    anchors_touching(rect, profile.footprint, layout).grown(1, 1, 1, 1, layout)
}

/// Returns whether the body fits at `cell` and can step there from `earlier`, looked up cell by cell.
fn steps_on(terrain: &Terrain, query: &PathQuery, earlier: Option<Cell>, cell: Cell) -> bool {
    let profile = &query.profile;
    let edges = terrain.edges_for(profile.climb);
    let is_open = |cell: Cell| {
        terrain.is_open_past(cell, profile.capability, &profile.ignored_obstacles)
            && !query.blocked().contains(&cell)
    };
    let fits = |anchor: Cell| {
        let under: CellRect = profile.footprint.at(anchor);
        under.cells().all(is_open) && !edges.has_wall_within(under)
    };
    let is_free = |from: Cell, to: Cell| {
        let side = Side::ALL.into_iter().find(|side| side.beyond(from) == to);
        side.is_none_or(|side| !edges.blocks_step(profile.footprint.at(from), side))
    };
    let passes = match earlier {
        Some(from) if from.x != cell.x && from.y != cell.y => {
            let [a, b] = [Cell::new(cell.x, from.y), Cell::new(from.x, cell.y)];
            let [way_a, way_b] = [a, b].map(|corner| is_free(from, corner) && is_free(corner, cell));
            (way_a || way_b) && profile.diagonal_mode.allows(way_a && fits(a), way_b && fits(b))
        }
        Some(from) => is_free(from, cell),
        None => true,
    };
    passes && fits(cell)
}

/// Returns whether the body can walk the straight lines of `outcome`, if there are any.
fn is_in_sight(world: &mut World, query: &PathQuery, outcome: &PathOutcome) -> bool {
    let Some(ends) = &outcome.smoothed else { return true };
    let region = world.kept.terrain.region();
    let Some(points) = ends.iter().map(|&end| local(region, end)).collect::<Option<Vec<_>>>() else {
        return false;
    };
    // Cells that are blocked for the query alone have not changed, so the lines avoid them still.
    let placements = world.placements(query.profile.layer_key());
    let puller = StringPuller { placements, costs: None };
    let is_link = |pair: &[Cell]| outcome.route.link_ends().any(|(link, _)| link == pair);
    let mut lines = ends.windows(2).zip(points.windows(2));
    lines.all(|(pair, line)| is_link(pair) || puller.is_clear_along(line))
}
