//! Why a route is what it is.

use godot::builtin::AnyArray;
use godot::prelude::*;
use pathforge_core::diagnose::{CostSplit, Detour, Diagnosis, Words, diagnose};
use pathforge_core::geometry::Cell;
use pathforge_core::world::{GoalMode, PathQuery};

use super::PathForgeGrid;
use crate::convert::{self, NO_CELL, cell, vector, vector_or_none};
use crate::errors::reported;
use crate::path::reason_number;
use crate::profile::{Asker, ProfileArg};

/// Goals that each get an explanation of their own.
const GOALS_MAX: usize = 16;

#[godot_api(secondary)]
impl PathForgeGrid {
    /// Why there is no route for a body from `start` to `goal`, or what the route costs and why it goes where it goes.
    /// Made for people, tools and tutorials: it takes searches and looks at the whole map. With [member debug_path] on,
    /// the overlay shows the answer.
    ///
    /// The answer is a dictionary with these keys:
    ///
    /// - `status`, `reason`: as in a [PathForgePath].
    /// - `text`: the answer in words.
    /// - `cells`: the cells that show it on the map: what closes an end, what lies between two components, or the path.
    /// - `cell`, `clearance`, `needed`: the end that refuses, the clearance there, and the body's footprint. `cell` is
    ///   `Vector2i.MIN` when no end does. Where the body only has to cover the goal, `clearance` is the side of the
    ///   largest square that can, and `cells` are the closed ones around the goal.
    /// - `start_region`, `goal_region`, `gap`, `gap_start`, `gap_goal`: the components of both ends, in how many steps
    ///   they come near each other, and where. −1 and `Vector2i.MIN` unless the ends are disconnected.
    /// - `largest_side`, `bottleneck`: the widest square body that could make the trip, and the cell that stops a wider
    ///   one.
    /// - `barring_terrains`: the terrain ids that bar it; a body that may enter them could go.
    /// - `barring_obstacles`: the cells under obstacles that bar the way between two ends where the body fits; without
    ///   these obstacles it could go. `cells` are the same then.
    /// - `closed_by`: the cells of the latest edit without which there would be a path, as far as the grid remembers;
    ///   an empty region otherwise. What sets every cell ([method set_from_text], [method set_solid_data] and their
    ///   like) makes the map and is no edit of it.
    /// - `cost`, `cost_distance`, `cost_weight`, `cost_terrain`, `cost_influence`: what the path costs, and for what.
    /// - `detour`: for a path that is longer than the shortest path, a dictionary of what the shorter path is avoided
    ///   for: `longer` and `saved`, in cell widths, the `cost_…` of the shorter path, and `avoided`, its cells that
    ///   cost more. Otherwise empty.
    /// - `nearest`, `distance`: where a path with [constant GOAL_NEAREST] ends that does not cover the goal, and how
    ///   far its nearest cell is from there, in cells; the cost is that path's. Otherwise `Vector2i.MIN` and 0.
    ///
    /// `goal_mode` is one of the `GOAL_*` constants, and everything is told of that: with another one than [constant
    /// GOAL_EXACT] the body is at its goal where it covers it, and the text says in what way it cannot.
    ///
    /// ```gdscript
    /// var why := grid.explain(hauler.cell, dock, hauler.profile)
    /// if why.reason != PathForgePath.REASON_NONE:
    ///     advisor.say(why.text)
    ///     highlight(why.cells)
    /// ```
    #[func]
    fn explain(
        &mut self,
        start: Vector2i,
        goal: Vector2i,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
        #[opt(default = 0)] goal_mode: i64,
    ) -> VarDictionary {
        let goal_mode = reported("PathForgeGrid.explain", convert::goal_mode(goal_mode));
        let Some(goal_mode) = goal_mode else { return VarDictionary::new() };
        let asker = Asker::of(&profile, self.grid_diagonal_mode());
        self.explained(&asker.query(cell(start), cell(goal), goal_mode))
    }

    /// The same for the path to the goal of least cost among `goals`, an array of `Vector2i`, as [method
    /// find_path_to_any] finds it. The answer has two more keys:
    ///
    /// - `goal`: the goal that the path leads to, or `Vector2i.MIN` when there is no path.
    /// - `goals`: what [method explain] answers for each goal when there is no path, in their order, of the first 16;
    ///   otherwise empty. `text` has all of their texts, and every other key says what it says of the first.
    ///
    /// ```gdscript
    /// var why := grid.explain_to_any(worker.cell, sawmill_cells, worker.profile)
    /// advisor.say(why.text)
    /// ```
    ///
    /// Without goals it is an error, and the answer is empty.
    #[func]
    fn explain_to_any(
        &mut self,
        start: Vector2i,
        goals: AnyArray,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
    ) -> VarDictionary {
        let method = "PathForgeGrid.explain_to_any";
        let Some(goals) = reported(method, convert::some_cells("goals", &goals)) else {
            return VarDictionary::new();
        };
        let first = goals[0];
        let asker = Asker::of(&profile, self.grid_diagonal_mode());
        let to = |goal| asker.query(cell(start), goal, GoalMode::Exact);
        let end = self.map.lock().world.find_path_to_any(&to(first), &goals).route.goal();
        let mut answer = self.explained(&to(end.unwrap_or(first)));
        let mut each: Array<VarDictionary> = Array::new();
        if end.is_none() {
            // What is said of several goals is said once, after their names.
            let mut texts: Vec<(String, String)> = Vec::new();
            for &goal in goals.iter().take(GOALS_MAX) {
                let (_, told) = self.diagnosed(&to(goal));
                let text = told.get("text").unwrap_or_default().to_string();
                let name = format!("({}, {})", goal.x, goal.y);
                match texts.iter_mut().find(|(earlier, _)| *earlier == text) {
                    Some((_, names)) => *names = format!("{names}, {name}"),
                    None => texts.push((text, name)),
                }
                each.push(&told);
            }
            let mut text = format!("The body can get to none of {} goals.", goals.len());
            for (told, names) in texts {
                text = format!("{text} {names}: {told}");
            }
            answer.set("text", text.as_str());
        }
        answer.set("goal", vector_or_none(end));
        answer.set("goals", &each);
        answer
    }

    /// The same for the editor's probe, which leaves what the overlay shows alone.
    #[func(rename = _explain_quietly)]
    fn explain_quietly(&mut self, start: Vector2i, goal: Vector2i, profile: ProfileArg) -> VarDictionary {
        let asker = Asker::of(&profile, self.grid_diagonal_mode());
        self.diagnosed(&asker.query(cell(start), cell(goal), GoalMode::Exact)).1
    }
}

impl PathForgeGrid {
    /// The answer, which the overlay shows from now on.
    fn explained(&mut self, query: &PathQuery) -> VarDictionary {
        let (diagnosis, answer) = self.diagnosed(query);
        self.note_diagnosis(&diagnosis, [query.start, query.goal], query.profile.footprint);
        answer
    }

    fn diagnosed(&mut self, query: &PathQuery) -> (Diagnosis, VarDictionary) {
        let world = &mut self.map.lock().world;
        let diagnosis = diagnose(world, query);
        let words =
            Words { diagnosis: &diagnosis, terrain: world.terrain(), name: |id| self.terrain_name(id) };
        let answer = answer(&diagnosis, &words.to_string());
        (diagnosis, answer)
    }

    /// What the game calls a terrain.
    fn terrain_name(&self, id: u8) -> String {
        let name = self.names.get(usize::from(id)).map(|name| name.to_string());
        name.filter(|name| !name.trim().is_empty()).unwrap_or_else(|| format!("terrain {id}"))
    }
}

fn answer(diagnosis: &Diagnosis, text: &str) -> VarDictionary {
    let mut answer = VarDictionary::new();
    answer.set("status", diagnosis.outcome.status as i64);
    answer.set("reason", reason_number(diagnosis.outcome.reason));
    answer.set("text", text);
    answer.set("cells", &cells(&diagnosis.cells));
    let refusal = diagnosis.refusal.as_ref();
    answer.set("cell", vector_or_none(refusal.map(|refusal| refusal.anchor)));
    answer.set("clearance", refusal.map_or(0, |refusal| i64::from(refusal.clearance)));
    let needed = refusal.map(|refusal| Vector2i::new(refusal.needed.w(), refusal.needed.h()));
    answer.set("needed", needed.unwrap_or_default());
    let gap = diagnosis.gap.as_ref();
    answer.set("start_region", gap.map_or(-1, |gap| i64::from(gap.start_component.number())));
    answer.set("goal_region", gap.map_or(-1, |gap| i64::from(gap.goal_component.number())));
    answer.set("gap", gap.map_or(-1, |gap| i64::from(gap.steps)));
    answer.set("gap_start", vector_or_none(gap.map(|gap| gap.near_start)));
    answer.set("gap_goal", vector_or_none(gap.map(|gap| gap.near_goal)));
    let widest = diagnosis.widest;
    answer.set("largest_side", widest.map_or(0, |widest| i64::from(widest.side)));
    answer.set("bottleneck", widest.and_then(|widest| widest.bottleneck).map_or(NO_CELL, vector));
    let barring: PackedInt32Array = diagnosis.barring_terrains.iter().map(|&id| i32::from(id)).collect();
    answer.set("barring_terrains", &barring);
    answer.set("barring_obstacles", &cells(&diagnosis.barring_obstacles));
    answer.set("closed_by", diagnosis.closed_by.map(convert::region).unwrap_or_default());
    let costs = diagnosis.costs;
    answer.set("cost", costs.map_or(f64::INFINITY, |costs| CostSplit::cells(costs.total())));
    set_costs(&mut answer, &costs.unwrap_or_default());
    answer.set("detour", &diagnosis.detour.as_ref().map(detour).unwrap_or_default());
    let nearest = diagnosis.nearest;
    answer.set("nearest", vector_or_none(nearest.map(|nearest| nearest.anchor)));
    answer.set("distance", nearest.map_or(0.0, |nearest| nearest.distance));
    answer
}

fn detour(detour: &Detour) -> VarDictionary {
    let mut answer = VarDictionary::new();
    answer.set("longer", CostSplit::cells(detour.longer));
    answer.set("saved", CostSplit::cells(detour.saved));
    answer.set("cost", CostSplit::cells(detour.costs.total()));
    set_costs(&mut answer, &detour.costs);
    answer.set("avoided", &cells(&detour.avoided));
    answer
}

fn set_costs(answer: &mut VarDictionary, costs: &CostSplit) {
    answer.set("cost_distance", CostSplit::cells(costs.distance));
    answer.set("cost_weight", CostSplit::cells(costs.weight));
    answer.set("cost_terrain", CostSplit::cells(costs.terrain));
    answer.set("cost_influence", CostSplit::cells(costs.influence));
}

fn cells(cells: &[Cell]) -> Array<Vector2i> {
    cells.iter().copied().map(vector).collect()
}
