//! Questions about paths.

use std::time::Instant;

use godot::prelude::*;
use pathforge_core::geometry::Cell;
use pathforge_core::surfaces::BodyLayers;
use pathforge_platformer::{
    FlightOutcome, FlightPlan, FlightStart, PlatformerOutcome, PlatformerPath, PlatformerReason,
};

use super::{PathForgePlatformer, flight_layers_on, layers_on};
use crate::answers::diagnosis::PathForgeDiagnosis;
use crate::answers::path::{PathForgePath, PathFrame};
use crate::answers::trip::{Jumper, Trip, path_outcome};
use crate::engine::clock;
use crate::engine::errors::{report, reported};
use crate::map::grid::PathForgeGrid;
use crate::map::grid_link::NO_GRID;
use crate::script::convert::{self, ShownCell, vector};
use crate::side_view::jump_profile::{JumperArg, cells_of};

#[godot_api(secondary)]
impl PathForgePlatformer {
    /// Returns the path of the least cost of a character from `start` to `goal`, both places of its top-left
    /// cell. It is never `null`: see [member PathForgePath.status]. If the character does not fit at the
    /// goal, it goes to the nearest place to the left at which it still covers the goal. Without a `profile`,
    /// it is a character of one cell that jumps three cells high.
    ///
    /// [member PathForgePath.cells] has the character's top-left cell on the path, [member
    /// PathForgePath.steps] how each is reached, [member PathForgePath.positions] the character's positions there. A
    /// start on the ground begins with a whole jump, a start in the air as [member
    /// PathForgeJumpProfile.air_start_value] says. With [member PathForgeJumpProfile.use_physics] a path ends on
    /// ground, and a jump may rise above the map.
    ///
    /// The first paths on a level take several times as long as later ones. A search computes where a
    /// character lands from a ground cell when it first comes there, and keeps that until cells nearby
    /// change.
    ///
    /// ```gdscript
    /// var path := platformer.find_path(start, platformer.global_to_cell(click, profile), profile)
    /// if path.is_complete():
    ///     follower.follow(path)
    /// ```
    #[func]
    fn find_path(
        &mut self,
        start: Vector2i,
        goal: Vector2i,
        #[opt(default = JumperArg::NONE)] profile: JumperArg,
    ) -> Gd<PathForgePath> {
        let method = "PathForgePlatformer.find_path";
        let (start, goal) = (convert::cell(start), convert::cell(goal));
        let grid = self.grid_for(method);
        let geometry = grid.as_ref().map(PathForgeGrid::geometry_of).unwrap_or_default();
        let jumper = Jumper::of(&profile, geometry.cell_size);
        let (FlightOutcome { outcome, plan }, usec) = match (&grid, &jumper) {
            (Some(grid), Ok(jumper)) => self.ask(grid, start, goal, jumper),
            (None, _) => refused(PlatformerReason::NoMap),
            (_, Err(problem)) => refused(PlatformerReason::BadProfile(*problem)),
        };
        let bad_profile = outcome.reason.filter(|reason| matches!(reason, PlatformerReason::BadProfile(_)));
        if let Some(problem) = bad_profile {
            report(method, problem);
        }
        let jumper = jumper.unwrap_or_else(|_| Jumper::without_profile());
        self.note_path(&outcome, &jumper);
        let to_global = grid.map_or(Transform2D::IDENTITY, |mut grid| grid.bind_mut().global_transform());
        let (footprint, to_position) = (jumper.profile.footprint, -jumper.cells.to_center);
        let frame = PathFrame { geometry, footprint, to_global, to_position };
        let platformer = self.to_gd().instance_id();
        let trip = Trip { path: outcome.path.clone(), plan, platformer, goal, jumper, bad_profile };
        PathForgePath::wrap_trip(path_outcome(&outcome), frame, usec, trip)
    }

    /// Returns why there is no path from `start` to `goal`, and which jump is missing. The character reaches
    /// [member PathForgeDiagnosis.gap_start]; [member PathForgeDiagnosis.gap_goal] is the nearest ground from
    /// which it could go on to the goal. It is never `null`. It takes the time of up to 64 paths.
    ///
    /// ```gdscript
    /// print(platformer.explain(start, goal, profile).text)
    /// # No way: from (5, 4) to (9, 4) are 4 cells across and 1 up. A jump rises 3 cells and carries 2.6.
    /// ```
    #[func]
    fn explain(
        &mut self,
        start: Vector2i,
        goal: Vector2i,
        #[opt(default = JumperArg::NONE)] profile: JumperArg,
    ) -> Gd<PathForgeDiagnosis> {
        let method = "PathForgePlatformer.explain";
        let Some(grid) = self.grid_for(method) else { return PathForgeDiagnosis::refused(NO_GRID) };
        let cell_size = PathForgeGrid::geometry_of(&grid).cell_size;
        let Some(jumper) = reported(method, Jumper::of(&profile, cell_size)) else {
            return PathForgeDiagnosis::refused("the profile's numbers are out of their limits");
        };
        let (start, goal) = (convert::cell(start), convert::cell(goal));
        let (found, _) = self.ask(&grid, start, goal, &jumper);
        let outcome = path_outcome(&found.outcome);
        let query = jumper.flight_query(FlightStart::Cell(start), goal).filter(|_| jumper.uses_physics);
        let footprint = jumper.profile.footprint;
        let gap = if let Some(query) = query {
            self.flyers.gap(&flight_layers_on(&grid, footprint), &query)
        } else {
            self.platformer.gap(&layers_on(&grid, footprint).0, &jumper.query(start, goal))
        };
        let gap = gap.map(|gap| (gap.near_start, gap.near_goal));
        let text = match (gap, outcome.reason) {
            (Some(gap), _) => gap_text(gap, &jumper),
            (None, Some(reason)) => reason.text().to_owned(),
            (None, None) => "there is a path".to_owned(),
        };
        PathForgeDiagnosis::of_jumps(outcome.status, outcome.reason, gap, &text)
    }

    /// Returns [code]true[/code] if a character fits with its top-left cell at `cell`, on ground or in the
    /// air. `false` outside the region.
    #[func]
    fn can_stand(&mut self, cell: Vector2i, #[opt(default = JumperArg::NONE)] profile: JumperArg) -> bool {
        let layers = self.layers_for("PathForgePlatformer.can_stand", &profile);
        layers.is_some_and(|layers| layers.fits_at(convert::cell(cell)))
            || self.stands_on_floor(convert::cell(cell), &profile)
    }

    /// Returns [code]true[/code] if a character fits with its top-left cell at `cell` and stands on ground.
    /// `false` outside the region.
    #[func]
    fn is_on_ground(&mut self, cell: Vector2i, #[opt(default = JumperArg::NONE)] profile: JumperArg) -> bool {
        let layers = self.layers_for("PathForgePlatformer.is_on_ground", &profile);
        layers.is_some_and(|layers| layers.stands_at(convert::cell(cell)))
            || self.stands_on_floor(convert::cell(cell), &profile)
    }

    /// The top-left cells that the last search reached, each once, in the order of the first visit: to draw
    /// them.
    #[func]
    fn get_reached_cells(&mut self) -> Array<Vector2i> {
        let mut seen = std::collections::HashSet::new();
        let reached = self.reached().into_iter();
        reached.filter(|cell| seen.insert((cell.x, cell.y))).map(vector).collect()
    }
}

/// Which jump is missing, in words.
fn gap_text((from, to): (Cell, Cell), jumper: &Jumper) -> String {
    let height = match to.y - from.y {
        0 => String::new(),
        dy if dy < 0 => format!(" and {} up", -dy),
        dy => format!(" and {dy} down"),
    };
    let carries = match jumper.jump_run() {
        0.0 => String::new(),
        cells => format!(" and carries {}", shown(cells)),
    };
    let (across, rises) = (from.x.abs_diff(to.x), shown(jumper.jump_rise()));
    let [from, to] = [from, to].map(ShownCell);
    format!(
        "No way: from {from} to {to} are {across} cells across{height}. A jump rises {rises} cells{carries}."
    )
}

/// A number of cells with one decimal, if it has any.
fn shown(cells: f64) -> String {
    let tenths = (cells * 10.0).floor() / 10.0;
    format!("{tenths}")
}

/// The answer to a query that cannot be asked.
fn refused(reason: PlatformerReason) -> (FlightOutcome, i64) {
    let path = PlatformerPath::default();
    let outcome = PlatformerOutcome { reason: Some(reason), cost: None, path, expanded: 0, generated: 0 };
    (FlightOutcome { outcome, plan: None }, 0)
}

impl PathForgePlatformer {
    /// Asks the core; also returns how many microseconds the search took.
    fn ask(
        &mut self,
        grid: &Gd<PathForgeGrid>,
        start: Cell,
        goal: Cell,
        jumper: &Jumper,
    ) -> (FlightOutcome, i64) {
        let begun = Instant::now();
        let footprint = jumper.profile.footprint;
        let found = if jumper.uses_physics {
            self.fly(grid, FlightStart::Cell(start), goal, jumper)
        } else {
            let (layers, _) = layers_on(grid, footprint);
            let outcome = self.platformer.find_path(&layers, &jumper.query(start, goal));
            Some(FlightOutcome { outcome, plan: None })
        };
        self.flew_last = jumper.uses_physics;
        let found = found.unwrap_or_else(|| refused(PlatformerReason::NoPath).0);
        (found, clock::spent(begun))
    }

    /// The cells that the last search reached.
    pub(super) fn reached(&mut self) -> Vec<Cell> {
        if self.flew_last { self.flyers.reached() } else { self.platformer.reached() }
    }

    fn layers_for(&mut self, method: &str, profile: &JumperArg) -> Option<BodyLayers> {
        let grid = self.grid_for(method)?;
        let cell_size = PathForgeGrid::geometry_of(&grid).cell_size;
        Some(layers_on(&grid, cells_of(profile, cell_size).footprint).0)
    }

    /// Whether a character with physics stands there, on a map with floors inside cells.
    fn stands_on_floor(&mut self, cell: Cell, profile: &JumperArg) -> bool {
        let Some(grid) = self.resolved_grid() else { return false };
        let floors = self.on_floors(&grid, profile);
        floors.is_some_and(|(flyers, layers, character)| flyers.lift(&layers, &character, cell).is_some())
    }

    fn fly(
        &mut self,
        grid: &Gd<PathForgeGrid>,
        start: FlightStart,
        goal: Cell,
        jumper: &Jumper,
    ) -> Option<FlightOutcome> {
        let layers = flight_layers_on(grid, jumper.profile.footprint);
        Some(self.flyers.find_path(&layers, &jumper.flight_query(start, goal)?))
    }

    /// How a character gets to a goal by its physics.
    pub fn plan(&mut self, start: FlightStart, goal: Cell, jumper: &Jumper) -> Option<FlightPlan> {
        let grid = self.resolved_grid()?;
        let found = self.fly(&grid, start, goal, jumper)?;
        if found.plan.is_some() {
            self.note_path(&found.outcome, jumper);
        }
        found.plan
    }
}
