//! A\* over placements whose costs differ.
//!
//! Hart, Nilsson & Raphael, *A Formal Basis for the Heuristic Determination of Minimum Cost Paths*, 1968. The
//! heuristic is consistent, so keys never decrease from one expansion to the next.
//!
//! Where a cell and all around it cost the same (*locally uniform*), only the directions are tried that
//! jump-point pruning leaves. The parent reaches every other neighbour at no greater cost without this cell
//! (Carlson, Moghadam, Harabor, Stuckey & Ebendt, *Optimal Pathfinding on Weighted Grid Maps*, AAAI 2023).
//! Among paths of minimum cost, the path that goes diagonally as early as it can takes no pruned step, so the
//! cost stays minimal. Mostly one direction is left, straight on, and is followed at once: a *forced straight
//! jump*.

use super::best_first::{BestFirst, Expand};
use super::cost_policy::{CostPolicy, NO_ARRIVAL, PackedCosts};
use super::estimate::{Bounds, Weights};
use super::goals::Goals;
use super::jump_map::JumpMap;
use super::nodes::{Labels, Node};
use super::result::SearchResult;
use super::scratch::{COST_WINDOW, Scratch};
use crate::geometry::{DiagonalMode, Direction, DirectionSet};
use crate::primitives::{Estimate, GridPoint, Heuristic, PruningTable};

/// The maximum cost of a jump, in diagonal steps of maximum cost. Longer jumps cost more than they save,
/// since they lead where no search would have gone.
const JUMP_STEPS_OF_MAXIMUM: u32 = 2;
/// The maximum cost of a jump, in steps of its own cost.
const JUMP_STEPS: u32 = 24;

/// Finds a path of minimum cost where steps cost what `costs` says of the placement that they arrive at.
///
/// `map` must be made for `mode`, `costs` for its layer, and `start` and all goals must be placements of
/// that. Among goals of equal cost the one with the smaller row, then column, is taken. Stops after
/// `expansions_max` expansions.
pub fn search_weighted<'a>(
    map: &JumpMap,
    weights: impl Into<Weights<'a>>,
    mode: DiagonalMode,
    start: GridPoint,
    goals: &Goals,
    expansions_max: u32,
    scratch: &mut Scratch,
) -> SearchResult {
    debug_assert_eq!(map.mode(), JumpMap::shared_mode(mode));
    debug_assert!(map.edges().is_none(), "searches beside edges jump");
    let layout = map.layout();
    let weights = weights.into();
    let (minimum, maximum) = weights.costs.extremes();
    let heuristic = Bounds::new(Heuristic::new(mode, minimum, goals.bounds()), weights, layout, start, goals);
    let Scratch { visited, frontier, .. } = scratch;
    let jump_cost_max = JUMP_STEPS_OF_MAXIMUM * u32::from(maximum.diagonal);
    frontier.clear(heuristic.estimate(start.x(), start.y()), COST_WINDOW);
    let costs = PackedCosts::of(weights.costs, layout);
    let steps = Steps {
        map,
        costs,
        table: PruningTable::of(mode),
        jumps_along_columns: mode != DiagonalMode::Never,
        jump_cost_max,
        stride: layout.stride() as isize,
        column_stride: layout.transposed().stride(),
    };
    let nodes = Labels { visited: visited.clear(layout), costs };
    BestFirst::new(layout, goals, heuristic, nodes, frontier).run(start, &steps, expansions_max)
}

/// What steps run on.
struct Steps<'a> {
    map: &'a JumpMap,
    costs: PackedCosts<'a>,
    table: &'static PruningTable,
    /// If `true`, pruning leaves one direction after a step along a column, as after one along a row. Without
    /// diagonal steps it leaves three.
    jumps_along_columns: bool,
    jump_cost_max: u32,
    stride: isize,
    column_stride: usize,
}

type Search<'a, 'v> = BestFirst<'a, Labels<'v>, Bounds<'v>>;

/// The cell that is expanded.
#[derive(Clone, Copy)]
struct Place {
    x: u32,
    y: u32,
    index: usize,
    g: u32,
}

impl<'v> Expand<Labels<'v>, Bounds<'v>> for Steps<'_> {
    #[inline]
    fn expand(&self, search: &mut Search<'_, 'v>, node: Node<()>) {
        let Node { point, index, g, arrival, .. } = node;
        let cells = self.map.neighbourhood(index);
        // Pruning compares paths of equal steps, so it holds where all steps around cost the same.
        let directions = if arrival != NO_ARRIVAL && self.costs.is_uniform(index.get()) {
            self.table.after(arrival, cells)
        } else {
            self.table.legal(cells)
        };
        self.step_all(search, Place { x: point.x(), y: point.y(), index: index.get(), g }, directions);
    }
}

impl Steps<'_> {
    /// Tries the steps in `directions`. One call a direction, so that each is compiled with its offsets
    /// (bench `expansions`: a loop over directions takes half as long again). Looking at all eight without a
    /// branch costs more than it saves, too, since 2.5 are left on average.
    #[inline]
    fn step_all(&self, search: &mut Search<'_, '_>, from: Place, directions: DirectionSet) {
        self.step::<{ Direction::N as usize }>(search, from, directions);
        self.step::<{ Direction::NE as usize }>(search, from, directions);
        self.step::<{ Direction::E as usize }>(search, from, directions);
        self.step::<{ Direction::SE as usize }>(search, from, directions);
        self.step::<{ Direction::S as usize }>(search, from, directions);
        self.step::<{ Direction::SW as usize }>(search, from, directions);
        self.step::<{ Direction::W as usize }>(search, from, directions);
        self.step::<{ Direction::NW as usize }>(search, from, directions);
    }

    #[allow(clippy::inline_always, reason = "without it the compiler keeps a loop over run-time offsets")]
    #[inline(always)]
    fn step<const DIRECTION: usize>(
        &self,
        search: &mut Search<'_, '_>,
        from: Place,
        directions: DirectionSet,
    ) {
        let direction = const { Direction::ALL[DIRECTION] };
        let (dx, dy) = const { (Direction::ALL[DIRECTION].dx(), Direction::ALL[DIRECTION].dy()) };
        if !directions.contains(direction) {
            return;
        }
        let index = from.index.wrapping_add_signed(dy as isize * self.stride + dx as isize);
        let (straight, diagonal) = self.costs.step_onto(index);
        let (x, y) = (from.x.wrapping_add_signed(dx), from.y.wrapping_add_signed(dy));
        let at = if direction.is_diagonal() {
            let at = Place { x, y, index, g: from.g + diagonal };
            search.nodes.visited.improve(index, at.g, direction as u8).then_some(at)
        } else {
            let at = Place { x, y, index, g: from.g + straight };
            // Costs are looked at before the cell is improved, since the jump improves its first cell itself.
            if self.costs.is_uniform(index) && (dy == 0 || self.jumps_along_columns) {
                self.jump::<DIRECTION>(search, at, straight)
            } else {
                search.nodes.visited.improve(index, at.g, direction as u8).then_some(at)
            }
        };
        if let Some(at) = at {
            search.push::<false>(GridPoint::new(at.x, at.y), at.g, direction as u8, ());
        }
    }

    /// A forced straight jump. It goes on from a locally uniform cell that is reached by a straight step,
    /// over cells that cost `straight` each, as long as pruning leaves straight on alone. Returns the cell
    /// that it ends at; `None` at a wall, or at a cell that was reached at no greater cost before. Most cells
    /// lie on jumps and need no frontier: maps with patches of weight are searched 1.4 times as fast.
    #[allow(clippy::inline_always, reason = "bench `expansions`: it is compiled for each direction")]
    #[inline(always)]
    fn jump<const DIRECTION: usize>(
        &self,
        search: &mut Search<'_, '_>,
        from: Place,
        straight: u32,
    ) -> Option<Place> {
        let direction = const { Direction::ALL[DIRECTION] };
        let (dx, dy) = const { (Direction::ALL[DIRECTION].dx(), Direction::ALL[DIRECTION].dy()) };
        // A step less than the maximum, since the first cell beyond this ends the jump.
        let g_max = from.g + self.jump_cost_max.min(JUMP_STEPS * straight) - straight;
        let mut at = from;
        // Stop bits of columns lie in the transpose, where a step down is a step to the next bit.
        let (words, mut bit_index) = if dy == 0 {
            (self.map.rows(), at.index)
        } else {
            (self.map.columns(), at.x as usize * self.column_stride + at.y as usize)
        };
        loop {
            let word = words.at(bit_index >> 6);
            let bit = bit_index & 63;
            if word.open >> bit & 1 == 0 || !search.nodes.visited.improve(at.index, at.g, direction as u8) {
                return None;
            }
            // Higher bits lie to the right, in the transpose below.
            let stop = if dx + dy > 0 { word.stop_up } else { word.stop_down };
            // It goes to the frontier: a wall adds a direction, costs begin to differ, the jump is long
            // enough, or it is a goal.
            if stop >> bit & 1 == 1
                || !self.costs.is_uniform(at.index)
                || at.g > g_max
                || search.goals.contain(at.x, at.y, at.index)
            {
                return Some(at);
            }
            // Passed over, which counts as an expansion: its only successor is the next cell of the jump.
            search.nodes.visited.close(at.index);
            search.expanded += 1;
            at.x = at.x.wrapping_add_signed(dx);
            at.y = at.y.wrapping_add_signed(dy);
            at.index = at.index.wrapping_add_signed(dy as isize * self.stride + dx as isize);
            bit_index = bit_index.wrapping_add_signed((dx + dy) as isize);
            at.g += straight;
        }
    }
}
