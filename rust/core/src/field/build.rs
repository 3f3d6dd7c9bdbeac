//! Building in steps, under a budget of work units.

use super::direct::{Rows, mark_goals};
use super::integration::UNREACHED;
use super::jump_fill::{JumpFill, Sheet};
use super::repair::Mender;
use super::sight::SightCaster;
use super::wave_fill::WaveFill;
use super::{FieldGround, FlowField};
use crate::cost::Cost;
use crate::geometry::{Cell, DiagonalMode};

/// Jump points are used while there are at least so many stands for each of them, on ground where they can be.
///
/// Bench: with 20 % of single blocked cells, 1 in 2.4, a wave takes four fifths of the time; on caves, a fifth more.
const STANDS_PER_TURN_MIN: u64 = 3;
/// And at most so many goals, because each floods as far as it can before the next one begins.
const JUMP_GOALS_MAX: usize = 64;
/// Cells that are reset for a unit.
const RESET_CELLS: i64 = 32;
/// Cells that are given a direction for a unit.
const DIRECT_CELLS: i64 = 8;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Stage {
    #[default]
    Done,
    Reset {
        row: u32,
    },
    Flood {
        jump: bool,
    },
    Direct {
        row: u32,
    },
    Sight,
}

/// Builds fields, at once or in steps, and repairs them; owns the memory that this takes, so that nothing is allocated
/// once it has done its work on a map.
///
/// A field is built apart from the one in use, and [`FieldBuilder::swap`] exchanges them in one go.
///
/// Work is counted in units of about one cell of a flood, some nanoseconds. The number of units that a build takes depends
/// on its ground and its goals only, not on the machine, and the result not on how it was cut into steps.
#[derive(Clone, Debug, Default)]
pub struct FieldBuilder {
    next: FlowField,
    stage: Stage,
    was_cut: bool,
    jump: JumpFill,
    wave: WaveFill,
    rows: Rows,
    caster: SightCaster,
    mender: Mender,
}

impl FieldBuilder {
    /// Begins a new field on `ground`, with the stands among `goals`; other cells are left out, without any goal every
    /// cell stays unreached. A build that was under way is given up.
    ///
    /// `max_cost` bounds the area: cells that cost more are not reached. Without it, and at most, that is one unit below
    /// [`Cost::MAX`].
    pub fn start(&mut self, ground: FieldGround<'_>, goals: &[Cell], max_cost: Option<Cost>) {
        let shape = ground.shape();
        let next = &mut self.next;
        let integration = &mut next.integration;
        integration.region = ground.region;
        integration.shape = shape;
        integration.mode = ground.mode();
        integration.limit = max_cost.map_or(Cost::MAX.units(), |max| max.plus(1).units());
        list_goals(ground, goals, &mut integration.goals);
        integration.reached = 0;
        integration.costs.resize(shape.padded_len(), UNREACHED);
        next.ways.resize(shape.padded_len(), super::direct::NO_WAY);
        next.sight.resize(shape.padded_len(), 0);
        next.looked_at = None;
        self.was_cut = false;
        self.stage = Stage::Reset { row: 0 };
    }

    /// Goes on with the build for about `units` and tells whether it is finished. `ground` must be what it was begun on:
    /// an edit in between needs a copy of the layer for the build, or a new start.
    ///
    /// May take as many units more as eight rows or columns of the map have cells.
    pub fn step(&mut self, ground: FieldGround<'_>, units: u64) -> bool {
        debug_assert_eq!(self.next.integration.shape, ground.shape());
        let mut units = units.min(i64::MAX as u64) as i64;
        while self.stage != Stage::Done && units > 0 {
            match self.stage {
                Stage::Reset { row } => self.reset(ground, row, &mut units),
                Stage::Flood { jump } => self.flood(ground, jump, &mut units),
                Stage::Direct { row } => self.direct(ground, row, &mut units),
                Stage::Sight => {
                    if self.caster.run(&mut self.next, ground, &mut units) {
                        self.stage = Stage::Done;
                    }
                }
                Stage::Done => {}
            }
        }
        self.is_done()
    }

    /// Whether no build is under way.
    pub fn is_done(&self) -> bool {
        self.stage == Stage::Done
    }

    /// Exchanges `field` with the one that was built last, whose memory serves the next build.
    pub fn swap(&mut self, field: &mut FlowField) {
        debug_assert!(self.is_done(), "the build is not finished");
        std::mem::swap(&mut self.next, field);
    }

    /// Builds a field at once, in place of `field`; see [`FieldBuilder::start`].
    ///
    /// Takes some nanoseconds a reached cell: a few on maps with rooms or caves, about ten where walls are scattered or
    /// ground differs in cost.
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

    /// Which flood a build takes.
    pub(super) fn uses_jump_points(ground: FieldGround<'_>, goals: usize) -> bool {
        let moves = ground.moves;
        ground.mode() == DiagonalMode::OnlyIfNoObstacles
            && ground.costs.is_none()
            && moves.turns() * STANDS_PER_TURN_MIN <= moves.stands()
            && goals <= JUMP_GOALS_MAX
    }

    pub(super) fn mender(&mut self) -> &mut Mender {
        &mut self.mender
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.next.memory()
            + self.jump.memory()
            + self.wave.memory()
            + self.rows.memory()
            + self.caster.memory()
            + self.mender.memory()
    }

    fn reset(&mut self, ground: FieldGround<'_>, row: u32, units: &mut i64) {
        let shape = ground.shape();
        let last = block_of_rows(row, shape.rows() as u32, shape.stride(), RESET_CELLS, units);
        let places = row as usize * shape.stride()..last as usize * shape.stride();
        let next = &mut self.next;
        next.integration.costs[places.clone()].fill(UNREACHED);
        next.sight[places.clone()].fill(0);
        // Until they are written, their bytes hold the moves, side by side.
        ground.moves.bytes().copy_to(&mut next.ways[places.clone()], places.start);
        self.stage = Stage::Reset { row: last };
        if last as usize == shape.rows() {
            self.begin_flood(ground);
        }
    }

    fn begin_flood(&mut self, ground: FieldGround<'_>) {
        let integration = &mut self.next.integration;
        for &goal in &integration.goals {
            integration.costs[goal as usize] = 0;
        }
        let jump = Self::uses_jump_points(ground, integration.goals.len());
        if jump {
            self.jump.start(&self.next.ways, &integration.goals);
        } else {
            let (cheapest, dearest) = ground.extremes();
            self.wave.start(&integration.goals, cheapest, dearest);
        }
        self.stage = Stage::Flood { jump };
    }

    fn flood(&mut self, ground: FieldGround<'_>, jump: bool, units: &mut i64) {
        let FlowField { integration, ways, .. } = &mut self.next;
        let mut sheet = Sheet {
            costs: &mut integration.costs,
            stride: integration.shape.stride(),
            limit: integration.limit,
            was_cut: self.was_cut,
        };
        let is_flooded = if jump {
            self.jump.run(&mut sheet, ways, units)
        } else {
            let prunes = ground.mode() == DiagonalMode::OnlyIfNoObstacles;
            self.wave.run(&mut sheet, ways, ground.packed(), ground.plain(), prunes, units)
        };
        self.was_cut = sheet.was_cut;
        if is_flooded {
            self.stage = Stage::Direct { row: 0 };
        }
    }

    fn direct(&mut self, ground: FieldGround<'_>, row: u32, units: &mut i64) {
        let shape = ground.shape();
        let last = block_of_rows(row, shape.height(), shape.stride(), DIRECT_CELLS, units);
        let reached = self.rows.direct(&mut self.next, ground, row..last, self.was_cut);
        self.next.integration.reached += reached;
        self.stage = Stage::Direct { row: last };
        if last == shape.height() {
            for border in [0, shape.rows() - 1] {
                self.next.ways[border * shape.stride()..][..shape.stride()].fill(super::direct::NO_WAY);
            }
            self.next.integration.reached += mark_goals(&mut self.next, ground);
            self.caster.start(&mut self.next);
            self.stage = Stage::Sight;
        }
    }
}

/// Takes units for as many rows of `stride` cells as they are enough for, at least one; returns the row after them.
fn block_of_rows(row: u32, rows: u32, stride: usize, cells_per_unit: i64, units: &mut i64) -> u32 {
    let units_per_row = (stride as i64 / cells_per_unit).max(1);
    let count = (*units / units_per_row).clamp(1, i64::from(rows - row).max(1)) as u32;
    *units -= i64::from(count) * units_per_row;
    (row + count).min(rows)
}

/// Writes the padded indices of the stands among `goals`, in reading order, each once.
pub(super) fn list_goals(ground: FieldGround<'_>, goals: &[Cell], list: &mut Vec<u32>) {
    list.clear();
    list.extend(goals.iter().filter_map(|&goal| ground.stand(goal)));
    list.sort_unstable();
    list.dedup();
}
