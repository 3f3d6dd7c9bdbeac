//! An agent's target: changing it, and telling without a search if it can be reached.

use godot::prelude::*;

use super::{PathForgeAgent2D, follow};
use crate::convert;

impl PathForgeAgent2D {
    pub(super) fn change_target(&mut self, position: Vector2) {
        let goal = self.hear_grid().and_then(|grid| {
            let profile = self.body(&grid).profile;
            self.goal(&grid, position, &profile)
        });
        let was_finished = self.progress.lock().is_finished;
        let is_new = self.journey.target().is_none() || goal.is_none() || goal != self.journey.goal;
        // Games that chase set the target in every frame, at its end, too.
        let is_same = self.journey.target() == Some(position) && !self.journey.wants_path;
        let rests = is_same && !is_new && self.is_at_its_end();
        self.journey.progress.lock().target = Some(position);
        if is_new || was_finished && !rests {
            self.journey.turn_to_another_target(was_finished);
            self.ask_if_wanted();
        }
    }

    /// Returns `true` if the body is where its route ended, or was refused one.
    fn is_at_its_end(&self) -> bool {
        let place = self.base().get_global_position();
        let end = self.journey.route.positions.last();
        end.is_none_or(|end| f64::from(end.distance_to(place)) <= self.target_desired_distance)
    }

    pub(super) fn can_reach_target(&mut self) -> bool {
        self.look_at_edits();
        let is_current =
            (self.journey.asked.is_none() && !self.journey.wants_path) || self.journey.is_hopeful;
        if let Some(path) = self.journey.path.as_ref().filter(|_| is_current) {
            return path.bind().is_complete();
        }
        let (Some(mut grid), Some(target)) = (self.hear_grid(), self.journey.target()) else { return false };
        let asker = self.body(&grid);
        let place = self.base().get_global_position();
        let ends =
            follow::start_of(&grid, place, &asker.profile).zip(self.goal(&grid, target, &asker.profile));
        let Some(((start, goal), mode)) = ends.zip(convert::goal_mode(self.goal_mode).ok()) else {
            return false;
        };
        grid.bind_mut().can_reach(&asker.query(start, goal, mode))
    }
}
