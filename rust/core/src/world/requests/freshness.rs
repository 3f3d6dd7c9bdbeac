//! Whether an answer that was searched on an earlier map still holds.
//!
//! A *path* holds while no edit has closed a cell that the body covers on it or a corner that it passes, nor changed what
//! one of its cells costs. (Edits elsewhere may have opened a path of lower cost; that is not looked for.) *No path* holds when the
//! map says so today as well, without a search.

use crate::bitgrid::{GridLayout, LocalRect, local_in};
use crate::geometry::{Cell, CellRect};
use crate::passability::anchors_touching;
use crate::sort::sort_by_number;
use crate::terrain::{Change, JournalEntry, Terrain};
use crate::world::{MapVersion, PathOutcome, PathQuery, Plan, Profile, Status, World};

/// Returns the answer to hand out now for one that was found at `version`; `None` when the question has to be asked again.
pub(super) fn refreshed(
    world: &mut World,
    query: &PathQuery,
    outcome: PathOutcome,
    version: MapVersion,
) -> Option<PathOutcome> {
    let now = world.version();
    if now == version {
        return Some(outcome);
    }
    // All cells were replaced: no journal leads from the old map to the new one.
    if now.epoch != version.epoch {
        return None;
    }
    // `None` if the journal does not reach back so far: then the question is asked again.
    let mut edits: Vec<JournalEntry> = world.terrain.journal().since(version.revision)?.copied().collect();
    // What influences have changed is as if weights had.
    let influenced = world.influences.changed_since(&version.influences, &query.profile.influence_weights)?;
    let revision = version.revision;
    edits.extend(influenced.into_iter().map(|rect| JournalEntry {
        revision,
        rect,
        newest: rect,
        change: Change::WEIGHT,
    }));
    if !is_walkable(&world.terrain, &edits, query, &outcome) {
        return None;
    }
    // Without a path, only cells that open or close can change the answer; after a limit was met, any edit can.
    let matters = |edit: &JournalEntry| edit.change.opens_or_closes() || outcome.status == Status::Limit;
    if matches!(outcome.status, Status::Complete | Status::Prefix) || !edits.iter().any(matters) {
        return Some(outcome);
    }
    match world.plan(query) {
        Plan::Answered(outcome) => Some(outcome),
        Plan::Search(_) => None,
    }
}

/// Returns whether `edits` have left the path of `outcome`, if there is one, as it was.
fn is_walkable(terrain: &Terrain, edits: &[JournalEntry], query: &PathQuery, outcome: &PathOutcome) -> bool {
    let (region, profile) = (terrain.region(), &query.profile);
    let near = NearEdits::new(edits, profile, terrain.layout());
    let mut earlier: Option<Cell> = None;
    let mut holds = true;
    outcome.route.for_each_cell(|cell| {
        let (x, y) = local_in(region, cell);
        // The walk cannot be left early, so its rest does nothing.
        if holds {
            holds = near.around(x, y).all(|(rect, costs)| {
                // A changed cost makes the cost of the path wrong, even if it can still be walked.
                !rect.contains(x, y) || (!costs && steps_on(terrain, query, earlier, cell))
            });
        }
        earlier = Some(cell);
    });
    holds
}

/// Log₂ of the side of the blocks that edits are kept by. A body's path is checked against the edits of its blocks: larger blocks
/// compare more of them with each cell, smaller ones list a wall's edit more often. Not tuned.
const BLOCK_SHIFT: u32 = 5;
/// An edit that reaches more blocks is looked at for every cell: listing it in each block takes longer than comparing it with the
/// some hundred cells of a path.
const BLOCKS_MAX: u32 = 64;

/// The anchors around each edit and whether it changed costs, by blocks of the map: a long path meets few of many edits.
struct NearEdits {
    columns: u32,
    wide: Vec<(LocalRect, bool)>,
    /// With the block that it reaches, in ascending order.
    placed: Vec<(u32, (LocalRect, bool))>,
}

impl NearEdits {
    fn new(edits: &[JournalEntry], profile: &Profile, layout: GridLayout) -> Self {
        let columns = (layout.width() >> BLOCK_SHIFT) + 1;
        let (mut wide, mut placed) = (Vec::new(), Vec::new());
        for edit in edits {
            let near = (near_anchors(edit.rect, profile, layout), edit.change.costs());
            let LocalRect { x0, y0, x1, y1 } = near.0;
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
        sort_by_number(&mut placed, |&(block, _)| block.into());
        Self { columns, wide, placed }
    }

    /// Returns the edits that can have changed the step to (`x`, `y`), and some others.
    fn around(&self, x: u32, y: u32) -> impl Iterator<Item = &(LocalRect, bool)> {
        let block = (y >> BLOCK_SHIFT) * self.columns + (x >> BLOCK_SHIFT);
        let first = self.placed.partition_point(|(own, _)| *own < block);
        let here = self.placed[first..].iter().take_while(move |(own, _)| *own == block);
        self.wide.iter().chain(here.map(|(_, near)| near))
    }
}

/// Returns the anchors whose step an edit of `rect` can have changed: those that touch it, and their neighbours.
fn near_anchors(rect: LocalRect, profile: &Profile, layout: GridLayout) -> LocalRect {
    // One more on each side, as a diagonal step also needs its corners.
    anchors_touching(rect, profile.footprint, layout).grown(1, 1, 1, 1, layout)
}

/// Returns whether the body fits at `cell` and can step there from `earlier`, looked up cell by cell.
fn steps_on(terrain: &Terrain, query: &PathQuery, earlier: Option<Cell>, cell: Cell) -> bool {
    let profile = &query.profile;
    let is_open = |cell: Cell| {
        terrain.is_open_past(cell, profile.capability, &profile.ignored_obstacles)
            && !query.blocked().contains(&cell)
    };
    let fits = |anchor: Cell| {
        let under: CellRect = profile.footprint.at(anchor);
        under.cells().all(is_open)
    };
    let passes = match earlier {
        Some(from) if from.x != cell.x && from.y != cell.y => {
            let [a, b] = [Cell::new(from.x, cell.y), Cell::new(cell.x, from.y)].map(fits);
            profile.diagonal_mode.allows(a, b)
        }
        _ => true,
    };
    passes && fits(cell)
}
