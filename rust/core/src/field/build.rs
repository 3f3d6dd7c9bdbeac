//! Building fields in steps, under a budget of work units, and updating them.

use super::bucketed_dijkstra::BucketedDijkstra;
use super::canonical_dijkstra::{self, CanonicalDijkstra};
use super::cost_grid::CostGrid;
use super::directions::{DirectionPass, mark_goals, mark_links};
use super::flow::{FlowField, NO_DIRECTION};
use super::ground::FieldGround;
use super::integration::UNREACHED;
use super::repair::{FieldChange, IncrementalRepair};
use super::shadow_casting::ShadowCaster;
use crate::bitgrid::LocalRect;
use crate::cost::Cost;
use crate::geometry::Cell;

/// Cells of a row that are reset for one unit: vector code handles many cells in the time that an expansion
/// takes for one.
const RESET_CELLS_PER_UNIT: i64 = 32;
/// Cells of a row whose directions are computed for one unit, as above: sixteen are computed at once, in
/// about twice the time that an expansion takes for one.
const DIRECTION_CELLS_PER_UNIT: i64 = 8;

/// Cells in a word of a layer.
const WORD: usize = 64;

/// The next stage of a build.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Stage {
    #[default]
    Done,
    /// Forgetting the old costs and lines of sight, and copying what the engine reads of the ground, from a
    /// padded row on.
    Reset { row: u32, canonical: bool },
    /// Expanding costs from the goals, by one of the two engines.
    Expand { canonical: bool },
    /// Computing directions from the costs, from a row of the map on.
    Directions { row: u32 },
    /// Computing lines of sight.
    Sight,
}

/// Builds fields, at once or in steps, and repairs them. Owns the memory that this takes, so that repeated
/// builds on one map allocate nothing.
///
/// A field is built apart from the one in use, and [`FieldBuilder::swap`] exchanges both.
///
/// Work is counted in units of about one expanded cell, some nanoseconds. The number of units that a build
/// takes depends on its ground and its goals only, not on the machine. The result does not depend on how the
/// build was divided into steps.
///
/// ```
/// use pathforge_core::field::{FieldBuilder, FlowField};
/// use pathforge_core::geometry::{Cell, CellRect};
/// use pathforge_core::world::{Profile, World};
///
/// let mut world = World::new(CellRect::new(0, 0, 100, 100))?;
/// let source = world.field_source(&Profile::default());
/// let (mut builder, mut field) = (FieldBuilder::default(), FlowField::default());
/// builder.start(source.ground(), &[Cell::new(50, 50)], None);
/// // A part in each frame, until it is finished.
/// while !builder.step(source.ground(), 1000) {}
/// builder.swap(&mut field);
/// assert_eq!(field.integration().reached(), 100 * 100);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct FieldBuilder {
    next: FlowField,
    stage: Stage,
    /// If `true`, the expansion left out some cell because of the maximum cost.
    was_cut: bool,
    /// If `true`, `next` was a complete field before the build began.
    was_complete: bool,
    canonical: CanonicalDijkstra,
    bucketed: BucketedDijkstra,
    directions: DirectionPass,
    caster: ShadowCaster,
    repair: IncrementalRepair,
}

impl FieldBuilder {
    /// Starts a new field on `ground`, to the valid placements among `goals`. Other goals are ignored;
    /// without any, no cell is reached. Discards an unfinished build.
    ///
    /// `max_cost` bounds the area: cells that cost more are not reached. Without it, the bound is one unit
    /// below [`Cost::MAX`].
    pub fn start(&mut self, ground: FieldGround<'_>, goals: &[Cell], max_cost: Option<Cost>) {
        let layout = ground.layout();
        let next = &mut self.next;
        let integration = &mut next.integration;
        integration.region = ground.region;
        integration.layout = layout;
        integration.mode = ground.mode();
        // Exclusive, so that an expansion compares once; costs stay below `Cost::MAX` and thus below
        // UNREACHED.
        integration.limit = max_cost.map_or(Cost::MAX.units(), |max| max.plus(1).units());
        ground.list_goals(goals, &mut integration.goals);
        integration.reached = 0;
        integration.costs.resize(layout.padded_len(), UNREACHED);
        next.flow.resize(layout.padded_len(), NO_DIRECTION);
        next.sight.resize(layout.padded_len(), 0);
        next.sight_bounds = None;
        self.was_cut = false;
        self.was_complete = self.stage == Stage::Done;
        let canonical = canonical_dijkstra::pays_off(&ground, integration.goals.len());
        if !canonical {
            self.bucketed.start_ground(&ground, &integration.goals, integration.limit);
        }
        self.stage = Stage::Reset { row: 0, canonical };
    }

    /// Continues the build for about `units` of work; returns whether it is finished. `ground` must be the
    /// ground that the build was started on: after an edit, either pass the old layer or start again.
    ///
    /// May take as many units more as eight rows or columns of the map have cells.
    pub fn step(&mut self, ground: FieldGround<'_>, units: u64) -> bool {
        debug_assert_eq!(self.next.integration.layout, ground.layout());
        // Signed, as the last stage may overdraw them.
        let mut units = units.min(i64::MAX as u64) as i64;
        while self.stage != Stage::Done && units > 0 {
            match self.stage {
                Stage::Reset { row, canonical } => self.reset(ground, row, canonical, &mut units),
                Stage::Expand { canonical } => self.expand(ground, canonical, &mut units),
                Stage::Directions { row } => self.write_directions(ground, row, &mut units),
                Stage::Sight => {
                    if self.caster.run(&mut self.next, &ground, &mut units) {
                        self.stage = Stage::Done;
                    }
                }
                Stage::Done => {}
            }
        }
        self.is_done()
    }

    /// Returns whether no build is in progress.
    pub fn is_done(&self) -> bool {
        self.stage == Stage::Done
    }

    /// Exchanges `field` with the field that was built last. The next build reuses its memory.
    pub fn swap(&mut self, field: &mut FlowField) {
        debug_assert!(self.is_done(), "the build is not finished");
        std::mem::swap(&mut self.next, field);
    }

    /// Builds a field at once and replaces `field`; see [`FieldBuilder::start`].
    ///
    /// Takes a few nanoseconds for each reached cell on maps with rooms or caves, about ten where walls are
    /// scattered or steps differ in cost.
    pub fn build(
        &mut self,
        ground: FieldGround<'_>,
        goals: &[Cell],
        max_cost: Option<Cost>,
        field: &mut FlowField,
    ) {
        self.start(ground, goals, max_cost);
        while !self.step(ground, u64::MAX) {}
        self.swap(field);
    }

    /// Repairs `field` after an edit of `ground`: its placements or costs in `changes` differ from when the
    /// field was built or repaired last. Also gives it new `goals`. The result equals that of
    /// [`FieldBuilder::build`] with the field's maximum cost, except for memory.
    ///
    /// Returns `None`, and leaves the field as it was, if the field needs a build: no goal stays, or a repair
    /// would take longer than about an eighth of a build. Takes time in proportion to the cells whose costs
    /// change, typically some ten microseconds, and to the area in sight of a goal if that changes.
    pub fn repair(
        &mut self,
        ground: FieldGround<'_>,
        changes: &[LocalRect],
        goals: &[Cell],
        field: &mut FlowField,
    ) -> Option<FieldChange> {
        self.repair.run(&ground, changes, goals, field)
    }

    fn reset(&mut self, ground: FieldGround<'_>, row: u32, canonical: bool, units: &mut i64) {
        let layout = ground.layout();
        let end = rows_for_units(row, layout.rows() as u32, layout.stride(), RESET_CELLS_PER_UNIT, units);
        let next = &mut self.next;
        for word in row as usize * layout.stride_words()..end as usize * layout.stride_words() {
            let cells = word * WORD..(word + 1) * WORD;
            let is_empty = ground.placements.words()[word] == 0;
            // Much of many a map is rock. A complete field has no direction exactly where it has no cost, so
            // such a word stays as it is.
            if is_empty && self.was_complete && next.flow[cells.clone()] == [NO_DIRECTION; WORD] {
                continue;
            }
            next.integration.costs[cells.clone()].fill(UNREACHED);
            next.sight[cells.clone()].fill(0);
            let flow = &mut next.flow[cells.clone()];
            if is_empty {
                flow.fill(NO_DIRECTION);
            } else if canonical {
                // The flow bytes of placements are not needed before the expansion ends. Until then they hold
                // a contiguous copy of the moves, which it reads faster than pages.
                flow.copy_from_slice(ground.moves.bytes().block(cells));
            }
        }
        if !canonical {
            self.bucketed.fill_ground(&ground, row as usize..end as usize);
        }
        self.stage = Stage::Reset { row: end, canonical };
        if end as usize == layout.rows() {
            self.start_expansion(ground, canonical);
        }
    }

    fn start_expansion(&mut self, ground: FieldGround<'_>, canonical: bool) {
        let integration = &mut self.next.integration;
        // Not before, as the reset of a later row would overwrite them.
        for &goal in &integration.goals {
            integration.costs[goal as usize] = 0;
        }
        if canonical {
            self.canonical.start(&self.next.flow, &integration.goals);
        } else {
            let (minimum, maximum) = ground.extremes();
            self.bucketed.start(&integration.goals, minimum, maximum);
        }
        self.stage = Stage::Expand { canonical };
    }

    fn expand(&mut self, ground: FieldGround<'_>, canonical: bool, units: &mut i64) {
        // The flow bytes hold the moves until directions are written: see `reset`.
        let FlowField { integration, flow: moves, .. } = &mut self.next;
        let mut grid = CostGrid {
            costs: &mut integration.costs,
            stride: integration.layout.stride(),
            limit: integration.limit,
            was_cut: self.was_cut,
        };
        let is_done = if canonical {
            self.canonical.run(&mut grid, moves, units)
        } else {
            self.bucketed.run(&mut grid, &ground, units)
        };
        self.was_cut = grid.was_cut;
        if is_done {
            self.stage = Stage::Directions { row: 0 };
        }
    }

    // A pass of its own, not part of the expansion: so ties do not depend on the order of the queue.
    fn write_directions(&mut self, ground: FieldGround<'_>, row: u32, units: &mut i64) {
        let layout = ground.layout();
        let end = rows_for_units(row, layout.height(), layout.stride(), DIRECTION_CELLS_PER_UNIT, units);
        let reached = self.directions.write_rows(&mut self.next, &ground, row..end, self.was_cut);
        self.next.integration.reached += reached;
        self.stage = Stage::Directions { row: end };
        if end == layout.height() {
            self.next.integration.reached += mark_goals(&mut self.next, &ground);
            self.next.integration.reached += mark_links(&mut self.next, &ground);
            self.next.list_links(&ground);
            self.caster.start(&mut self.next);
            self.stage = Stage::Sight;
        }
    }
}

/// Returns the end of the rows of `stride` cells from `row` on that `units` pay for, at least one row, and
/// takes those units.
fn rows_for_units(row: u32, rows: u32, stride: usize, cells_per_unit: i64, units: &mut i64) -> u32 {
    let units_per_row = (stride as i64 / cells_per_unit).max(1);
    let count = (*units / units_per_row).clamp(1, i64::from(rows - row).max(1)) as u32;
    *units -= i64::from(count) * units_per_row;
    (row + count).min(rows)
}
