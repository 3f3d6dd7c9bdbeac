//! Blocks of cells as the cells of a coarser map.

use super::moves::MoveBytes;
use super::{FieldGround, StepCosts};
use crate::bitgrid::{BitGrid, Shape};
use crate::cost::StepCost;
use crate::error::FootprintError;
use crate::geometry::{CellRect, DiagonalMode, Footprint};
use crate::pages::NumberPages;

/// The blocks of a layer: a map whose cells are squares of the layer's, open where the body can stand on all of them.
#[derive(Clone, Debug)]
pub struct CoarseGround {
    side: u32,
    stands: BitGrid,
    moves: MoveBytes,
    /// What stepping onto a block costs, the dearest of its cells; empty where all cost what weight 1 does.
    packed: NumberPages,
    extremes: (StepCost, StepCost),
}

impl CoarseGround {
    /// The blocks of `ground` with sides of `side` cells, usually 2 or 4. Cells beyond the last whole block are in none.
    ///
    /// Takes a few passes over the words of the layer, and over the costs when there are any.
    ///
    /// # Errors
    /// When `side` is not in 1 to [`FOOTPRINT_SIDE_MAX`](crate::FOOTPRINT_SIDE_MAX).
    pub fn build(ground: FieldGround<'_>, side: u32) -> Result<Self, FootprintError> {
        let block = Footprint::square(i64::from(side))?;
        let fine = ground.shape();
        let shape = Shape::new(fine.width() / side, fine.height() / side);
        let open = ground.stands.eroded(block);
        let mut stands = BitGrid::new(shape);
        for y in 0..shape.height() {
            stands.write_row(y, 0..shape.width(), |x| open.get(fine.index(x * side, y * side)));
        }
        // A diagonal step of blocks passes through both corner blocks, so these must be open in every mode that has any.
        let mode = match ground.mode() {
            DiagonalMode::Never => DiagonalMode::Never,
            _ => DiagonalMode::OnlyIfNoObstacles,
        };
        let moves = MoveBytes::build(&stands, mode);
        let mut blocks =
            Self { side, stands, moves, packed: NumberPages::new(), extremes: ground.extremes() };
        if let Some(packed) = ground.packed() {
            let mut costs = vec![0; shape.padded_len()];
            for (x, y) in blocks.open() {
                let start = |row| fine.index(x * side, y * side + row).get();
                let cells = (0..side).flat_map(|row| start(row)..start(row) + side as usize);
                // Packed costs are ordered as weights are.
                costs[shape.index(x, y).get()] = cells.map(|cell| packed[cell]).max().unwrap_or(0);
            }
            blocks.packed = NumberPages::from(&costs[..]);
        }
        Ok(blocks)
    }

    /// Cells along a block's side.
    pub const fn side(&self) -> u32 {
        self.side
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.stands.memory() + self.moves.memory() + self.packed.memory()
    }

    /// Column and row of every open block, in reading order.
    pub(super) fn open(&self) -> impl Iterator<Item = (u32, u32)> {
        let shape = self.stands.shape();
        let all = (0..shape.height()).flat_map(move |y| (0..shape.width()).map(move |x| (x, y)));
        all.filter(move |&(x, y)| self.stands.get(shape.index(x, y)))
    }

    pub(super) fn ground(&self) -> FieldGround<'_> {
        let shape = self.stands.shape();
        let region = CellRect::new(0, 0, shape.width() as i32, shape.height() as i32);
        let (cheapest, dearest) = self.extremes;
        let costs = (!self.packed.is_empty()).then_some(StepCosts {
            packed: &self.packed,
            cheapest,
            dearest,
            plain: None,
        });
        FieldGround::with_step_costs(region, &self.stands, &self.moves, costs)
    }
}
