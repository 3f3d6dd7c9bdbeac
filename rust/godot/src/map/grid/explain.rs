//! Why a route is what it is.

use godot::prelude::*;
use pathforge_core::diagnose::{Diagnosis, Words, diagnose};
use pathforge_core::geometry::{Cell, Footprint};
use pathforge_core::world::{GoalMode, PathQuery, Profile, Reason};

use super::PathForgeGrid;
use super::sketch::Sketch;
use crate::answers::diagnosis::PathForgeDiagnosis;
use crate::engine::errors::report;
use crate::script::array_of::CellArray;
use crate::script::convert::{self, ShownCell, cell};
use crate::script::enumeration::{self, Constant};
use crate::script::profile::{Asker, ProfileArg};

/// Goals that each get an explanation of their own.
const GOALS_MAX: usize = 16;

#[godot_api(secondary)]
impl PathForgeGrid {
    /// Returns why there is no route for a body from `start` to `goal`, or what the route costs and why it
    /// leads where it leads. It is made for people, tools and tutorials: it takes searches and looks at the
    /// whole map. With [member debug_path] on, the overlay shows the answer.
    ///
    /// `goal_mode` is one of the `GOAL_*` constants. With a mode other than [constant GOAL_EXACT] the body is
    /// at its goal when it covers the goal, and the text says why it cannot.
    ///
    /// ```gdscript
    /// var diagnosis := grid.explain(hauler.cell, dock, hauler.profile)
    /// if diagnosis.reason != PathForgePath.REASON_NONE:
    ///     advisor.say(diagnosis.text)
    ///     highlight(diagnosis.cells)
    /// ```
    #[func]
    fn explain(
        &mut self,
        start: Vector2i,
        goal: Vector2i,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
        #[opt(default = Constant::of(0))] goal_mode: Constant<enumeration::GoalMode>,
    ) -> Gd<PathForgeDiagnosis> {
        let asker = Asker::of(&profile, self.grid_diagonal_mode());
        answered("PathForgeGrid.explain", convert::goal_mode(goal_mode), |goal_mode| {
            self.explained(&asker.query(cell(start), cell(goal), goal_mode))
        })
    }

    /// Explains the path to the goal of least cost among `goals`, an array of `Vector2i`, as [method
    /// find_path_to_any] finds it: see [member PathForgeDiagnosis.goal] and [member
    /// PathForgeDiagnosis.goals]. No goals are an error.
    ///
    /// ```gdscript
    /// var diagnosis := grid.explain_to_any(worker.cell, sawmill_cells, worker.profile)
    /// advisor.say(diagnosis.text)
    /// ```
    #[func]
    fn explain_to_any(
        &mut self,
        start: Vector2i,
        goals: CellArray,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
    ) -> Gd<PathForgeDiagnosis> {
        let asker = Asker::of(&profile, self.grid_diagonal_mode());
        answered("PathForgeGrid.explain_to_any", convert::some_cells("goals", &goals), |goals| {
            self.explained_to_any(start, &goals, &asker)
        })
    }

    /// Returns which of `starts` would lose every path to `goals` if the cells of `region` were solid, as
    /// [method would_block] asks.
    ///
    /// - [member PathForgeDiagnosis.cells] has these starts, each once; [member PathForgeDiagnosis.cut_off]
    ///   has their indices in `starts`.
    /// - [member PathForgeDiagnosis.text] names them. Starts whose body stands on `region` are named apart.
    /// - [member PathForgeDiagnosis.reason] is [constant PathForgePath.REASON_START_SOLID] if all of them
    ///   stand on `region`, otherwise [constant PathForgePath.REASON_DISCONNECTED].
    ///
    /// ```gdscript
    /// var diagnosis := grid.explain_block(tower_rect, spawn_cells, [exit_cell])
    /// if not diagnosis.cut_off.is_empty():
    ///     advisor.say(diagnosis.text)
    /// ```
    #[func]
    fn explain_block(
        &mut self,
        region: Rect2i,
        starts: CellArray,
        goals: CellArray,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
    ) -> Gd<PathForgeDiagnosis> {
        let found = self.cut_off(region, &starts, &goals, &profile);
        let asker = Asker::of(&profile, self.grid_diagonal_mode());
        let region = convert::rect(region);
        answered("PathForgeGrid.explain_block", found, |(starts, cut_off)| {
            let mut cells: Vec<Cell> = cut_off.iter().map(|&place| starts[place]).collect();
            cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
            cells.dedup();
            let stands_there =
                |&start: &Cell| !asker.profile.footprint.at(start).intersection(region).is_empty();
            let (occupying, sealed): (Vec<Cell>, Vec<Cell>) =
                cells.iter().partition(|cell| stands_there(cell));
            let names = |cells: &[Cell]| -> String {
                cells.iter().map(|&cell| ShownCell(cell).to_string()).collect::<Vec<_>>().join(", ")
            };
            let shown = format!(
                "the {}x{} cells at {}",
                region.w,
                region.h,
                ShownCell(Cell::new(region.x, region.y))
            );
            let mut sentences = Vec::new();
            if !occupying.is_empty() {
                let (starts, are) = if occupying.len() == 1 { ("start", "is") } else { ("starts", "are") };
                sentences.push(format!("The {starts} {} {are} on {shown}.", names(&occupying)));
            }
            if !sealed.is_empty() {
                let count = cut_off.iter().filter(|&&place| !stands_there(&starts[place])).count();
                let all = starts.len();
                sentences
                    .push(format!("Closing {shown} cuts off {count} of {all} starts: {}.", names(&sealed)));
            }
            if cells.is_empty() {
                sentences.push(format!("Closing {shown} cuts off none of {} starts.", starts.len()));
            }
            let reason = match (&occupying[..], &sealed[..]) {
                ([], []) => None,
                (_, []) => Some(Reason::StartSolid),
                _ => Some(Reason::Disconnected),
            };
            PathForgeDiagnosis::of_block(reason, &cells, &cut_off, &sentences.join(" "))
        })
    }

    /// Returns the widest square body, of at most 64 cells a side, that can get from `start` to `goal`, both
    /// the places of its top-left cell. [member PathForgeDiagnosis.largest_side] and [member
    /// PathForgeDiagnosis.bottleneck] have the answer. The body may enter and ignores the same as `profile`,
    /// whose own footprint does not matter. Ends outside the region are an error.
    ///
    /// ```gdscript
    /// print(grid.explain_largest_footprint(gate_cell, keep_cell).largest_side)
    /// ```
    #[func]
    fn explain_largest_footprint(
        &mut self,
        start: Vector2i,
        goal: Vector2i,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
    ) -> Gd<PathForgeDiagnosis> {
        let region = self.cell_region();
        let inside =
            convert::inside(region, "start", start).and_then(|()| convert::inside(region, "goal", goal));
        let asker = Asker::of(&profile, self.grid_diagonal_mode());
        answered("PathForgeGrid.explain_largest_footprint", inside, |()| {
            let profile = Profile { footprint: Footprint::ONE, ..asker.profile };
            let query = PathQuery::new(cell(start), cell(goal), profile);
            let world = &mut self.map.lock().world;
            let widest = world.largest_footprint(&query);
            let one_cell = world.find_path(&query);
            let trip = format!("from {} to {}", ShownCell(query.start), ShownCell(query.goal));
            let text = match (widest.side, widest.bottleneck) {
                (0, _) => format!("Not even a body of one cell can go {trip}."),
                (side, None) => format!("A square body of {side} cells a side can go {trip}."),
                (side, Some(cell)) => format!(
                    "A square body of {side} cells a side can go {trip}; {} stops a wider one.",
                    ShownCell(cell)
                ),
            };
            PathForgeDiagnosis::of_widest(widest, one_cell.status, one_cell.reason, &text)
        })
    }

    /// The same as [method explain] for the editor's probe, which leaves what the overlay shows alone.
    #[func(rename = _explain_quietly)]
    fn explain_quietly(
        &mut self,
        start: Vector2i,
        goal: Vector2i,
        profile: ProfileArg,
    ) -> Gd<PathForgeDiagnosis> {
        let asker = Asker::of(&profile, self.grid_diagonal_mode());
        self.diagnosed(&asker.query(cell(start), cell(goal), GoalMode::Exact)).1
    }
}

impl PathForgeGrid {
    /// The starts, and the indices of the starts that closing `region` would cut off.
    pub(super) fn cut_off(
        &mut self,
        region: Rect2i,
        starts: &CellArray,
        goals: &CellArray,
        profile: &ProfileArg,
    ) -> Result<(Vec<Cell>, Vec<usize>), String> {
        let map = self.cell_region();
        let rect = convert::fill_rect(region)?;
        let starts = convert::cells_within(map, "starts", starts)?;
        let goals = convert::cells_within(map, "goals", goals)?;
        if goals.is_empty() {
            return Err("goals is empty".to_owned());
        }
        let asker = Asker::of(profile, self.grid_diagonal_mode());
        let cut_off = self.map.lock().world.cut_off(rect, &starts, &goals, &asker.profile);
        Ok((starts, cut_off))
    }

    fn explained_to_any(&mut self, start: Vector2i, goals: &[Cell], asker: &Asker) -> Gd<PathForgeDiagnosis> {
        let first = goals[0];
        let to = |goal| asker.query(cell(start), goal, GoalMode::Exact);
        let end = self.map.lock().world.find_path_to_any(&to(first), goals).route.goal();
        let mut answer = self.explained(&to(end.unwrap_or(first)));
        if end.is_some() {
            answer.bind_mut().add_goals(end, &Array::new(), None);
            return answer;
        }
        let mut each: Array<Gd<PathForgeDiagnosis>> = Array::new();
        // What is said of several goals is said once, after their names.
        let mut texts: Vec<(String, String)> = Vec::new();
        for &goal in goals.iter().take(GOALS_MAX) {
            let (_, told) = self.diagnosed(&to(goal));
            let (text, name) = (told.bind().text(), ShownCell(goal).to_string());
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
        answer.bind_mut().add_goals(None, &each, Some(&text));
        answer
    }

    /// The answer, which the overlay shows from now on.
    fn explained(&mut self, query: &PathQuery) -> Gd<PathForgeDiagnosis> {
        let (diagnosis, answer) = self.diagnosed(query);
        let footprint = query.profile.footprint;
        self.note_path(&diagnosis.outcome, footprint);
        if self.debug_path && self.shows_overlay() {
            self.overlay.sketch = Some(Sketch::of(&diagnosis, [query.start, query.goal], footprint));
        }
        answer
    }

    fn diagnosed(&mut self, query: &PathQuery) -> (Diagnosis, Gd<PathForgeDiagnosis>) {
        let (diagnosis, text) = {
            let world = &mut self.map.lock().world;
            let diagnosis = diagnose(world, query);
            let words =
                Words { diagnosis: &diagnosis, terrain: world.terrain(), name: |id| self.terrain_name(id) };
            let text = words.to_string();
            (diagnosis, text)
        };
        let answer = PathForgeDiagnosis::of(&diagnosis, &text);
        (diagnosis, answer)
    }

    /// What the game calls a terrain.
    fn terrain_name(&self, id: u8) -> String {
        let name = self.terrain_names.get(usize::from(id)).map(|name| name.to_string());
        name.filter(|name| !name.trim().is_empty()).unwrap_or_else(|| format!("terrain {id}"))
    }
}

/// The answer to a question, or the error that says what is wrong with it.
fn answered<T>(
    method: &str,
    question: Result<T, String>,
    answer: impl FnOnce(T) -> Gd<PathForgeDiagnosis>,
) -> Gd<PathForgeDiagnosis> {
    match question {
        Ok(question) => answer(question),
        Err(problem) => {
            report(method, &problem);
            PathForgeDiagnosis::refused(&problem)
        }
    }
}
