//! The agent's [`Walker`]: what it is told of the scene, the requests that it makes, and what scripts hear of it.

use godot::classes::{Engine, Node};
use godot::prelude::*;
use pathforge_core::geometry::Footprint;
use pathforge_core::walker::{Event, Ground, Point, Settings, Walker};
use pathforge_core::world::{PathOutcome, Reason, SearchMode};

use super::PathForgeAgent2D;
use super::pace::Pace;
use super::place::CellFrame;
use crate::convert;
use crate::errors::warn;
use crate::geometry::CellGeometry;
use crate::grid::PathForgeGrid;
use crate::grid_link::parent_problem;
use crate::obstacle::PathForgeObstacle2D;
use crate::path::{PathForgePath, PathFrame};
use crate::profile::{Asker, ProfileArg};

const ANSWER_HANDLER: &str = "_on_path_answered";
const BEGUN_HANDLER: &str = "_on_path_begun";

/// What scripts ask an agent in every frame, under a lock of its own: see [`crate::state`].
pub struct Progress {
    pub target: Option<Vector2>,
    pub is_finished: bool,
    pub is_reached: bool,
    pub pace: Pace,
}

impl Default for Progress {
    fn default() -> Self {
        Self { target: None, is_finished: true, is_reached: false, pace: Pace::default() }
    }
}

/// What is to be told after the borrow of the agent has ended.
pub enum Message {
    PathChanged,
    Failed(Gd<PathForgePath>),
    Waypoint(VarDictionary),
    TargetReached,
    Finished,
    Blocked,
}

impl PathForgeAgent2D {
    /// Gives the walker what the properties say.
    pub(super) fn pass_settings(&mut self) {
        self.walker.settings = Settings {
            goal_mode: convert::goal_mode(self.goal_mode).unwrap_or_default(),
            path_desired_distance: self.path_desired_distance,
            target_desired_distance: self.target_desired_distance,
            path_max_distance: self.path_max_distance,
            repath_seconds: self.repath_seconds,
        };
    }

    pub(super) fn target(&self) -> Option<Vector2> {
        self.progress.lock().target
    }

    /// The grid, and the agent follows its edits from now on.
    pub(super) fn hear_grid(&mut self) -> Option<Gd<PathForgeGrid>> {
        let node = self.to_gd().upcast();
        let grid = self.link.resolve(&node);
        let id = grid.as_ref().map(Gd::instance_id);
        let frame = grid.as_ref().and_then(CellFrame::of);
        let target = self.target();
        if id != self.heard.map(|(id, _)| id) {
            self.heard = grid.as_ref().map(|grid| (grid.instance_id(), grid.bind().edit_number()));
            self.frame = frame;
            self.look_anew();
            self.take_back_request();
            if let Some(target) = target {
                let nowhere = Point::new(f64::NAN, f64::NAN);
                self.walker.enter_map(frame.map_or(nowhere, |frame| frame.point(target)));
            }
        } else if frame.is_some() && frame != self.frame {
            // The grid has moved below its agents.
            self.frame = frame;
            if let Some(target) = target.filter(|_| !self.walker.is_finished()) {
                self.on_ground(|walker, ground, here, frame| {
                    walker.set_target(ground, here, frame.point(target))
                });
            }
        }
        grid
    }

    /// The body, which walks through an obstacle of its own.
    pub(super) fn body(&self, grid: &Gd<PathForgeGrid>) -> Asker {
        self.body_on(&grid.bind())
    }

    /// The same, on a grid that is borrowed already.
    pub(super) fn body_on(&self, grid: &PathForgeGrid) -> Asker {
        let mut asker = Asker::of(&ProfileArg::from(self.profile.clone()), grid.grid_diagonal_mode());
        // Straight lines between corners, whatever the profile says.
        asker.smoothing = true;
        if let Some(obstacle) = self.own_obstacle() {
            let id = obstacle.bind().get_obstacle_id();
            if let Some(id) = convert::obstacle(id) {
                // There is always room for it: see `IGNORED_OBSTACLES_MAX`.
                let ignored = asker.profile.ignored_obstacles;
                asker.profile.ignored_obstacles = ignored.with(id).unwrap_or(ignored);
            }
        }
        asker
    }

    /// The obstacle of its own.
    pub(super) fn own_obstacle(&self) -> Option<Gd<PathForgeObstacle2D>> {
        Gd::try_from_instance_id(self.obstacle?).ok()
    }

    /// Looks for the obstacle of its own.
    pub(super) fn look_for_obstacle(&mut self) {
        let children = self.base().get_children();
        let found = children.iter_shared().find_map(|child| child.try_cast::<PathForgeObstacle2D>().ok());
        self.obstacle = found.map(|obstacle| obstacle.instance_id());
    }

    /// Calls `work` with the walker, the ground that it walks on and where the body is; `None` without a grid.
    pub(super) fn on_ground<R>(
        &mut self,
        work: impl FnOnce(&mut Walker, &Ground<'_>, Point, &CellFrame) -> R,
    ) -> Option<R> {
        let (grid, frame) = self.link_now().zip(self.frame)?;
        let profile = self.body(&grid).profile;
        let here = frame.point(self.base().get_global_position());
        let walker = &mut self.walker;
        let grid = grid.bind();
        Some(grid.with_ground(&profile, frame.metric(), |ground| work(walker, ground, here, &frame)))
    }

    pub(super) fn change_target(&mut self, position: Vector2) {
        self.hear_grid();
        let former = self.progress.lock().target.replace(position);
        let order = self
            .on_ground(|walker, ground, here, frame| walker.set_target(ground, here, frame.point(position)));
        let order = order.unwrap_or_else(|| {
            if former == Some(position) { None } else { self.walker.set_target_off_map() }
        });
        if let Some(order) = order {
            self.pass_order(order);
        }
        self.ask_if_wanted();
        self.publish();
    }

    /// Forgets the target. A request under way is remembered, so that its answer is known for what it is.
    pub(super) fn forget_target(&mut self) {
        let order = self.walker.stop();
        self.pass_order(order);
        self.path = None;
        self.progress.lock().target = None;
        self.publish();
    }

    /// Asks for a path when one is wanted and none is under way.
    pub(super) fn ask_if_wanted(&mut self) {
        let Some(grid) = self.hear_grid() else { return };
        if !self.walker.wants_path() || !self.base().is_inside_tree() {
            return;
        }
        let ask = self.on_ground(|walker, ground, here, _| walker.next_request(ground, here)).flatten();
        let Some(ask) = ask else { return };
        let asker = self.body(&grid);
        let callback = Callable::from_object_method(&self.to_gd(), ANSWER_HANDLER);
        // A path that may be no better is followed whole or not at all.
        let begins = asker.search_mode == SearchMode::Hierarchical && !ask.is_hopeful;
        let begun = begins.then(|| Callable::from_object_method(&self.to_gd(), BEGUN_HANDLER));
        let ticket = grid.bind().ask(asker.query(ask.start, ask.goal.cell, ask.goal.mode), callback, begun);
        self.asked = Some((grid.instance_id(), ticket));
    }

    /// Takes back the request under way, so that its grid searches for nothing and tells nothing.
    pub(super) fn take_back_request(&mut self) {
        let Some((grid, ticket)) = self.asked.take() else { return };
        self.walker.answer_is_lost();
        if let Ok(grid) = Gd::<PathForgeGrid>::try_from_instance_id(grid) {
            grid.bind().withdraw(ticket);
        }
    }

    /// Warns once of what keeps the agent from going to its target: no grid, which is told as a refused path, too, or a
    /// parent that it cannot move with.
    pub(super) fn look_around(&mut self, node: &Gd<Node>) {
        if self.target().is_none() || Engine::singleton().is_editor_hint() {
            return;
        }
        if !std::mem::replace(&mut self.is_parent_known, true)
            && let Some(problem) = parent_problem(node)
        {
            warn(node, problem);
        }
        if !self.walker.wants_path() || self.heard.is_some() {
            return;
        }
        self.link.warn_once(node);
        let frame = PathFrame {
            geometry: CellGeometry::default(),
            footprint: Footprint::ONE,
            to_global: Transform2D::IDENTITY,
        };
        self.path = Some(PathForgePath::wrap(PathOutcome::refused(Reason::NoGrid), frame, 0));
        self.walker.refuse(Reason::NoGrid);
    }

    /// Takes the first steps of an answer; returns what is to be told.
    pub(super) fn take_first_steps(&mut self, path: Gd<PathForgePath>) -> Vec<Message> {
        let counts =
            self.on_ground(|walker, ground, here, _| walker.begun(ground, here, path.bind().outcome()));
        if counts == Some(true) {
            self.path = Some(path);
        }
        self.take_messages()
    }

    /// Takes an answer; returns what is to be told.
    pub(super) fn take_path(&mut self, path: Gd<PathForgePath>) -> Vec<Message> {
        self.asked = None;
        let counts =
            self.on_ground(|walker, ground, here, _| walker.answer(ground, here, path.bind().outcome()));
        match counts {
            Some(true) => self.path = Some(path),
            Some(false) => {}
            None => self.walker.answer_is_lost(),
        }
        self.take_messages()
    }

    /// Returns `true` if the target can be reached: as the last answer says or, before it comes, the grid without a search.
    pub(super) fn can_reach_target(&mut self) -> bool {
        self.look_at_edits();
        if let Some(can_reach) = self.walker.can_reach() {
            return can_reach;
        }
        let Some(mut grid) = self.hear_grid() else { return false };
        let ends = self.on_ground(|walker, ground, here, _| walker.ends(ground, here)).flatten();
        let Some((start, goal)) = ends else { return false };
        let query = self.body(&grid).query(start, goal.cell, goal.mode);
        grid.bind_mut().can_reach(&query)
    }

    /// Goes on along the path; returns where to walk and what is to be told.
    pub(super) fn follow(&mut self) -> (Vector2, Vec<Message>) {
        let place = self.base().get_global_position();
        self.look_at_edits();
        self.ask_if_wanted();
        let site = self.link_now().zip(self.frame);
        let next = site.map_or(place, |(grid, frame)| self.go_on(&grid.bind(), &frame, place));
        (next, self.take_messages())
    }

    /// Goes on along the path from `place`; returns where to walk, in global space.
    pub(super) fn go_on(&mut self, grid: &PathForgeGrid, frame: &CellFrame, place: Vector2) -> Vector2 {
        if !self.walker.is_under_way() {
            return place;
        }
        let profile = self.body_on(grid).profile;
        let here = frame.point(place);
        let next = grid.with_ground(&profile, frame.metric(), |ground| self.walker.advance(ground, here));
        if next == here { place } else { self.position_of(frame, next) }
    }

    /// The part of its speed with which the ground lets the body walk where it is.
    pub(super) fn pace_here(&self) -> f64 {
        let Some((mut grid, frame)) = self.link_now().zip(self.frame) else { return 1.0 };
        let profile = self.body(&grid).profile;
        if !profile.slowed_by_weight {
            return 1.0;
        }
        let costs = grid.bind_mut().placement_costs(profile.layer_key(), profile.terrain_costs);
        let (here, region) = (frame.point(self.base().get_global_position()), grid.bind().cell_region());
        let corner = |at: f64, side: i32, least: i32| (at - f64::from(side) * 0.5 - f64::from(least)) as f32;
        let place = [
            corner(here.x, profile.footprint.w(), region.x),
            corner(here.y, profile.footprint.h(), region.y),
        ];
        costs.map_or(1.0, |costs| f64::from(costs.pace(place)))
    }

    /// The positions of the path in global space.
    pub(super) fn positions(&self) -> Vec<Vector2> {
        let Some(frame) = self.frame else { return Vec::new() };
        self.walker.points().iter().map(|&point| self.position_of(&frame, point)).collect()
    }

    /// A point in global space: exactly what a script has set where it is the target.
    fn position_of(&self, frame: &CellFrame, point: Point) -> Vector2 {
        let target = self.target().filter(|_| self.walker.target() == Some(point));
        target.unwrap_or_else(|| frame.position(point))
    }

    pub(super) fn link_now(&self) -> Option<Gd<PathForgeGrid>> {
        Gd::try_from_instance_id(self.heard?.0).ok()
    }

    /// What the walker tells, for signals.
    pub(super) fn take_messages(&mut self) -> Vec<Message> {
        self.messages_about(None)
    }

    /// The same, with the path that was refused where it is not the agent's own.
    pub(super) fn messages_about(&mut self, refused: Option<&Gd<PathForgePath>>) -> Vec<Message> {
        self.publish();
        let events = self.walker.take_events();
        events.into_iter().filter_map(|event| self.message(event, refused)).collect()
    }

    fn message(&self, event: Event, refused: Option<&Gd<PathForgePath>>) -> Option<Message> {
        Some(match event {
            Event::PathChanged => Message::PathChanged,
            Event::TargetReached => Message::TargetReached,
            Event::Finished => Message::Finished,
            Event::Failed(_) => Message::Failed(refused.or(self.path.as_ref())?.clone()),
            Event::Blocked => Message::Blocked,
            Event::Waypoint { index, position } => {
                let mut details = VarDictionary::new();
                details.set("position", self.position_of(&self.frame?, position));
                details.set("index", index as i64);
                Message::Waypoint(details)
            }
        })
    }

    /// Writes what scripts ask in every frame.
    pub(super) fn publish(&self) {
        let mut progress = self.progress.lock();
        progress.is_finished = self.walker.is_finished();
        progress.is_reached = self.walker.is_target_reached();
    }
}
