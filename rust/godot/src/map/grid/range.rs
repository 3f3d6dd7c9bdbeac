//! Questions about what can be reached, beyond a single path.

use std::time::Instant;

use godot::prelude::*;
use pathforge_core::cost::Cost;
use pathforge_core::world::GoalMode;

use super::PathForgeGrid;
use crate::answers::path::PathForgePath;
use crate::engine::clock;
use crate::engine::errors::reported;
use crate::script::array_of::CellArray;
use crate::script::convert::{self, cell};
use crate::script::given::given;
use crate::script::profile::{Asker, ProfileArg};

#[godot_api(secondary)]
impl PathForgeGrid {
    /// Returns the path to the goal of least cost among `goals`, an array of `Vector2i`; the first in reading
    /// order of several that cost the same. Goals where the body cannot stand or that it cannot reach are
    /// left out. When none is left, the path's [member PathForgePath.reason] says why not the first. Without
    /// goals it is an error, and the path is invalid. `blocked` is as in [method find_path].
    ///
    /// ```gdscript
    /// var path := grid.find_path_to_any(worker.cell, sawmill_cells, worker.profile)
    /// ```
    #[func]
    fn find_path_to_any(
        &mut self,
        start: Vector2i,
        goals: CellArray,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
        #[opt(default = CellArray::none())] blocked: CellArray,
    ) -> Gd<PathForgePath> {
        let asker = Asker::of(&profile, self.grid_diagonal_mode());
        let asked =
            convert::some_cells("goals", &goals).and_then(|goals| Ok((goals, blocked.cells("blocked")?)));
        let Some((goals, blocked)) = reported("PathForgeGrid.find_path_to_any", asked) else {
            return self.refused(&asker);
        };
        let query = asker.query(cell(start), goals[0], GoalMode::Exact).past(&blocked);
        let begun = Instant::now();
        let outcome = self.map.lock().world.find_path_to_any(&query, &goals);
        let usec = clock::spent(begun);
        self.note_path(&outcome, asker.profile.footprint);
        PathForgePath::wrap(outcome, self.frame(&asker), usec)
    }

    /// Returns the movement range of a body at `start`: the cells that it can reach at a cost of at most
    /// `max_cost`, in cell widths, each with its cost. It is empty if the body does not fit at `start`; a
    /// `start` outside the region is an error. `blocked` is as in [method find_path].
    ///
    /// ```gdscript
    /// for cell: Vector2i in grid.get_reachable_cells(knight.cell, 5.0, knight.profile):
    ///     highlight(cell)
    /// ```
    #[func]
    fn get_reachable_cells(
        &mut self,
        start: Vector2i,
        max_cost: f64,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
        #[opt(default = CellArray::none())] blocked: CellArray,
    ) -> Dictionary<Vector2i, f64> {
        let mut costs = Dictionary::new();
        let limit =
            given("max_cost", max_cost).read("a number of at least 0", |&cost| Cost::from_cells(cost));
        let asked = limit.and_then(|limit| {
            convert::inside(self.cell_region(), "start", start)?;
            Ok((limit, blocked.cells("blocked")?))
        });
        let Some((limit, blocked)) = reported("PathForgeGrid.get_reachable_cells", asked) else {
            return costs;
        };
        let asker = Asker::of(&profile, self.grid_diagonal_mode());
        let reached = self.map.lock().world.cells_within(cell(start), limit, &asker.profile, &blocked);
        for (cell, cost) in reached {
            costs.set(convert::vector(cell), cost.cells());
        }
        costs
    }

    /// Returns [code]true[/code] if some of `starts` would lose every path to `goals` with the cells of
    /// `region` solid, for the body of `profile`: the question before a tower is placed. Nothing changes, and
    /// no signal is emitted. [method explain_block] names the starts.
    ///
    /// - Starts that reach no goal now do not count.
    /// - Starts on which the body would no longer fit count.
    /// - Obstacles that cover cells of a body on one of `starts` are left out, as they are the bodies' own.
    /// - No goals, or a start or goal outside the region, are an error, and the answer is [code]false[/code].
    ///
    /// ```gdscript
    /// var creep_cells := grid.local_to_cells(creep_positions, creep)
    /// if not grid.would_block(tower_rect, spawn_cells + creep_cells, [exit_cell], creep):
    ///     grid.fill_solid_region(tower_rect)
    /// ```
    #[func]
    fn would_block(
        &mut self,
        region: Rect2i,
        starts: CellArray,
        goals: CellArray,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
    ) -> bool {
        let found = self.cut_off(region, &starts, &goals, &profile);
        reported("PathForgeGrid.would_block", found).is_some_and(|(_, cut_off)| !cut_off.is_empty())
    }
}
