//! What edits of the map mean to a walker: if its path is still open, and if there may be a better one.

use super::behaviour::{Behaviour, Cause};
use super::{Ground, Point, Walker};
use crate::geometry::CellRect;

/// A path that an edit opens is searched for if it can be shorter by this much, in cells.
const GAIN_MIN: f64 = 1.0;
/// Cells of an edit that are looked at for one that the body may enter.
const CELLS_MAX: usize = 1 << 12;

impl Walker {
    /// Takes note of edits of `rects`; `None` stands for too many. Asks for a new path if they touch what is left of the path,
    /// and some time later if they may have opened a better one. Edits that the body makes itself by walking are to be left out.
    pub fn edited(&mut self, ground: &Ground<'_>, place: Point, rects: Option<&[CellRect]>) {
        if self.target.is_none() || rects.is_some_and(<[CellRect]>::is_empty) {
            return;
        }
        let is_under_way = self.behaviour.is_under_way();
        let touches = |rects| self.route.touches(ground.profile.footprint, place, rects);
        if is_under_way && rects.is_none_or(touches) {
            self.requests.need();
            self.change(Cause::Edited);
            return;
        }
        let falls_short = self.answered.is_some_and(super::answers::Answered::falls_short);
        let is_whole = matches!(self.behaviour, Behaviour::Walking(walk) if !walk.is_prefix);
        if !falls_short && !is_whole {
            return;
        }
        let helps = |rect: &CellRect| {
            ground.may_enter_some(*rect, CELLS_MAX) && (falls_short || self.saves(ground, place, *rect))
        };
        if !rects.is_none_or(|rects| rects.iter().any(helps)) {
            return;
        }
        let interval = self.settings.repath_seconds;
        if falls_short {
            self.requests.hopes.for_any(interval);
        } else {
            self.requests.hopes.for_better(interval);
        }
    }

    /// Returns `true` if a path over `rect` could cost less than what is left of the path from `place`.
    fn saves(&self, ground: &Ground<'_>, place: Point, rect: CellRect) -> bool {
        let Some(&goal) = self.route.points.last() else { return false };
        self.cost_left(ground, place) - ground.steps_by_way_of(place, rect, goal) > GAIN_MIN
    }
}
