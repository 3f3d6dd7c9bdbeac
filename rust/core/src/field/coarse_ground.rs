//! Blocks of cells as the cells of a coarser layer.

use super::ground::{FieldGround, StepCosts};
use super::moves::MoveBytes;
use crate::bitgrid::{BitGrid, GridLayout};
use crate::cost::StepCost;
use crate::derived::Derived;
use crate::geometry::{CellRect, DiagonalMode, Footprint, FootprintError};
use crate::pages::NumberPages;

/// The blocks of a layer: a coarser layer, each cell of which is a square of cells and open if all of them are valid
/// placements.
#[derive(Clone, Debug)]
pub struct CoarseGround {
    side: u32,
    placements: BitGrid,
    moves: MoveBytes,
    /// The cost of stepping onto a block: the maximum of its cells; empty if all steps have the unit cost.
    packed: NumberPages,
    extremes: (StepCost, StepCost),
}

impl CoarseGround {
    /// Divides `ground` into blocks with sides of `side` cells, usually 2 or 4. Cells beyond the last whole block belong to
    /// none.
    ///
    /// Takes a few passes over the words of the layer, and one over the costs if there are any.
    ///
    /// # Errors
    /// If `side` is not in 1 to [`FOOTPRINT_SIDE_MAX`](crate::geometry::FOOTPRINT_SIDE_MAX).
    pub fn build(ground: FieldGround<'_>, side: u32) -> Result<Self, FootprintError> {
        let block = Footprint::square(i64::from(side))?;
        let fine = ground.layout();
        let layout = GridLayout::new(fine.width() / side, fine.height() / side);
        // A block is open exactly if a body of its size fits with its first cell as the anchor.
        let open = ground.placements.eroded(block);
        let mut placements = BitGrid::new(layout);
        for y in 0..layout.height() {
            placements.write_row(y, 0..layout.width(), |x| open.get(fine.index(x * side, y * side)));
        }
        // A diagonal step of blocks passes through both corner blocks, so these must be open in every mode that has any.
        let mode = match ground.mode() {
            DiagonalMode::Never => DiagonalMode::Never,
            _ => DiagonalMode::OnlyIfNoObstacles,
        };
        let moves = MoveBytes::build(&placements, mode);
        let mut blocks =
            Self { side, placements, moves, packed: NumberPages::new(), extremes: ground.extremes() };
        if let Some(packed) = ground.packed() {
            let mut costs = vec![0; layout.padded_len()];
            for (x, y) in blocks.open() {
                let start = |row| fine.index(x * side, y * side + row).get();
                let cells = (0..side).flat_map(|row| start(row)..start(row) + side as usize);
                // Both parts of a packed cost grow with the weight, so the maximum number is the maximum of both.
                costs[layout.index(x, y).get()] = cells.map(|cell| packed[cell]).max().unwrap_or(0);
            }
            blocks.packed = NumberPages::from(&costs[..]);
        }
        Ok(blocks)
    }

    /// Cells along a block's side.
    pub(crate) const fn side(&self) -> u32 {
        self.side
    }

    /// Column and row of every open block, in reading order.
    pub(super) fn open(&self) -> impl Iterator<Item = (u32, u32)> {
        let layout = self.placements.layout();
        layout.all().places().filter(move |&(x, y)| self.placements.get(layout.index(x, y)))
    }

    pub(super) fn ground(&self) -> FieldGround<'_> {
        let layout = self.placements.layout();
        let region = CellRect::new(0, 0, layout.width() as i32, layout.height() as i32);
        let (minimum, maximum) = self.extremes;
        let costs = (!self.packed.is_empty()).then_some(StepCosts {
            packed: &self.packed,
            minimum,
            maximum,
            // Not known for blocks: their field is expanded without pruning.
            uniform: None,
        });
        FieldGround::with_step_costs(region, &self.placements, &self.moves, costs)
    }
}
