//! Questions about paths.

use std::time::Instant;

use godot::prelude::*;
use pathforge_core::geometry::{Cell, Footprint};
use pathforge_core::platformer::{FollowPlan, PlatformerOutcome, PlatformerQuery, PlatformerReason};

use super::PathForgePlatformer;
use super::jump_profile::{Jumper, PathForgeJumpProfile};
use super::trip::{Trip, path_outcome};
use crate::convert::{self, vector};
use crate::errors::{report, reported};
use crate::path::{PathForgePath, PathFrame};

#[godot_api(secondary)]
impl PathForgePlatformer {
    /// The path of the least cost of a character from `start`, its bottom-left cell, to `goal`. Never `null`: see
    /// [member PathForgePath.status].
    ///
    /// [member PathForgePath.cells] has the character's bottom-left cell on the path, [member PathForgePath.steps] how
    /// each is reached, [member PathForgePath.positions] the centres of its cells. A `profile` of `null` is a character
    /// of one cell that jumps three cells high. A start on the ground begins with a whole jump, one in the air as
    /// [member PathForgeJumpProfile.air_start_value] says.
    ///
    /// ```gdscript
    /// var path := platformer.find_path(start, platformer.local_to_cell(click), profile)
    /// if path.is_complete():
    ///     follower.follow(path)
    /// ```
    #[func]
    fn find_path(
        &mut self,
        start: Vector2i,
        goal: Vector2i,
        profile: Option<Gd<PathForgeJumpProfile>>,
    ) -> Gd<PathForgePath> {
        let cell_size = self.cell_geometry().cell_size;
        let jumper = profile.map_or_else(
            || Ok(Jumper::without_profile()),
            |mut profile| profile.bind_mut().jumper(cell_size),
        );
        let method = "PathForgePlatformer.find_path";
        let jumper = reported(method, jumper);
        let (outcome, usec) = match jumper {
            Some(jumper) => self.ask(convert::cell(start), convert::cell(goal), &jumper),
            None => (refused(), 0),
        };
        let jumper = jumper.unwrap_or_else(Jumper::without_profile);
        if let Some(PlatformerReason::BadProfile(problem)) = outcome.reason
            && usec > 0
        {
            report(method, problem);
        }
        self.note_path(&outcome, &jumper);
        let trip = self.trip(&outcome, convert::cell(goal), jumper);
        let frame = self.body_frame(&jumper);
        PathForgePath::wrap_trip(path_outcome(&outcome), frame, usec, trip)
    }

    /// Returns [code]true[/code] if a character of `size` cells fits with its bottom-left cell at `cell`. `false`
    /// outside the region, and after an error.
    #[func]
    fn fits(&mut self, cell: Vector2i, size: Vector2i) -> bool {
        self.bring_up_to_date();
        let size = reported("PathForgePlatformer.fits", convert::footprint(size));
        size.is_some_and(|size| self.platformer.fits(convert::cell(cell), size))
    }

    /// Returns [code]true[/code] if a character of `size` cells with its bottom-left cell at `cell` fits and stands on
    /// ground. `false` outside the region, and after an error.
    #[func]
    fn is_on_ground(&mut self, cell: Vector2i, size: Vector2i) -> bool {
        self.bring_up_to_date();
        let size = reported("PathForgePlatformer.is_on_ground", convert::footprint(size));
        size.is_some_and(|size| self.platformer.is_on_ground(convert::cell(cell), size))
    }

    /// The bottom-left cells that the last search reached, each once, in the order of the first visit: to draw them.
    #[func]
    fn get_reached_cells(&self) -> Array<Vector2i> {
        let mut seen = std::collections::HashSet::new();
        let reached = self.platformer.reached().into_iter().map(|state| state.cell);
        reached.filter(|cell| seen.insert((cell.x, cell.y))).map(vector).collect()
    }
}

/// The outcome of a query without a usable profile, which was reported already.
fn refused() -> PlatformerOutcome {
    PlatformerOutcome {
        reason: Some(PlatformerReason::EmptyMap),
        cost: None,
        path: pathforge_core::platformer::PlatformerPath::default(),
        expanded: 0,
        generated: 0,
    }
}

impl PathForgePlatformer {
    /// Asks the core; also returns how many microseconds it took.
    pub(super) fn ask(&mut self, start: Cell, goal: Cell, jumper: &Jumper) -> (PlatformerOutcome, i64) {
        self.bring_up_to_date();
        let query = PlatformerQuery {
            start,
            goal,
            profile: jumper.profile,
            goal_on_ground: jumper.goal_on_ground,
            expansions_max: jumper.expansions_max,
        };
        let begun = Instant::now();
        let outcome = self.platformer.find_path(&query);
        (outcome, begun.elapsed().as_micros() as i64)
    }

    /// Returns `true` if a character stands on ground at `cell`.
    pub(super) fn stands(&mut self, cell: Cell, size: Footprint) -> bool {
        self.bring_up_to_date();
        self.platformer.is_on_ground(cell, size)
    }

    /// The path to the same goal from elsewhere: from the place in `starts` that comes first and has one.
    pub(super) fn ask_again(&mut self, starts: &[Cell], goal: Cell, jumper: &Jumper) -> Option<FollowPlan> {
        starts.iter().find_map(|&start| {
            let (outcome, _) = self.ask(start, goal, jumper);
            outcome.is_complete().then(|| {
                self.note_path(&outcome, jumper);
                FollowPlan::new(&outcome, self.platformer.layers(jumper.profile.size))
            })
        })
    }

    fn trip(&mut self, outcome: &PlatformerOutcome, goal: Cell, jumper: Jumper) -> Trip {
        let plan = if outcome.is_complete() {
            FollowPlan::new(outcome, self.platformer.layers(jumper.profile.size))
        } else {
            FollowPlan::default()
        };
        let platformer = self.to_gd().instance_id();
        Trip { path: outcome.path.clone(), plan, platformer, goal, jumper }
    }

    /// Turns bottom-left cells into centres: a frame whose rows are moved up by the character's height but one.
    fn body_frame(&mut self, jumper: &Jumper) -> PathFrame {
        let mut geometry = self.cell_geometry();
        let size = jumper.profile.size;
        geometry.offset.y -= (size.h() - 1) as f32 * geometry.cell_size.y;
        PathFrame { geometry, footprint: size, to_global: self.global_frame() }
    }
}
