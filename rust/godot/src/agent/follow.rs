//! How an agent gets a path and follows it.

use std::sync::Arc;

use godot::classes::{Engine, Node};
use godot::prelude::*;
use pathforge_core::geometry::{Cell, CellRect, Footprint};
use pathforge_core::world::{GoalMode, PathOutcome, Profile, Reason, SearchMode};

use super::route::{Ground, Route};
use super::turns::{Step, Walkers};
use super::{PathForgeAgent2D, join};
use crate::convert;
use crate::errors::warn;
use crate::geometry::CellGeometry;
use crate::grid::PathForgeGrid;
use crate::grid_link::parent_problem;
use crate::obstacle::PathForgeObstacle2D;
use crate::path::{PathForgePath, PathFrame};
use crate::profile::{Asker, ProfileArg};
use crate::state::{self, State};

const ANSWER_HANDLER: &str = "_on_path_answered";
const BEGUN_HANDLER: &str = "_on_path_begun";
/// How far ahead a route that an edit touched is checked before the body goes on, in cells.
const LOOK_AHEAD: f32 = 1.5;
/// A body at most this far from the centre of a placement rests on it, in cells.
const STANDS: f32 = 0.05;

/// What scripts ask an agent in every frame, under a lock of its own: see [`crate::state`].
pub struct Progress {
    pub target: Option<Vector2>,
    pub is_finished: bool,
    pub is_reached: bool,
}

impl Default for Progress {
    fn default() -> Self {
        Self { target: None, is_finished: true, is_reached: false }
    }
}

/// What an agent is up to.
#[allow(clippy::struct_excessive_bools)] // Each may be so or not, whatever the others are.
pub(super) struct Journey {
    /// What scripts ask the agent for.
    pub progress: Arc<State<Progress>>,
    /// `true` if a path is to be asked for.
    pub wants_path: bool,
    /// The request under way, and the grid that has it.
    pub asked: Option<(InstanceId, i64)>,
    /// The goal of the last request.
    pub goal: Option<Cell>,
    pub path: Option<Gd<PathForgePath>>,
    pub route: Route,
    /// What the path costs for each step of its length: the mean cost of a step.
    pub cost_of_a_step: f64,
    /// `true` if the request is for a path that may be no better than what is there.
    pub is_hopeful: bool,
    /// `true` if the route is the beginning of one, whose rest is to come.
    pub is_begun: bool,
    /// `true` if an edit has touched the route and no path has come since.
    pub is_in_doubt: bool,
    /// `true` if the route leads to a valid placement after a refusal.
    pub is_settling: bool,
    /// `true` if the route leads where the target was before, until the path to the new one comes.
    pub is_outdated: bool,
    /// `true` if the target has changed since the request under way was made.
    pub is_overtaken: bool,
    /// `true` if it was told that there is no path to this target, and no path has come since.
    pub has_failed: bool,
}

impl Journey {
    pub fn new(progress: Arc<State<Progress>>) -> Self {
        Self {
            progress,
            wants_path: false,
            asked: None,
            goal: None,
            path: None,
            route: Route::default(),
            cost_of_a_step: 0.0,
            is_hopeful: false,
            is_begun: false,
            is_in_doubt: false,
            is_settling: false,
            is_outdated: false,
            is_overtaken: false,
            has_failed: false,
        }
    }

    pub fn target(&self) -> Option<Vector2> {
        self.progress.lock().target
    }

    /// There is nothing to walk to any more. A request under way is remembered, so that its answer is known for what it
    /// is.
    pub fn stop(&mut self) {
        *self.progress.lock() = Progress::default();
        *self = Self { asked: self.asked, ..Self::new(Arc::clone(&self.progress)) };
    }

    /// A path to another target is to be asked for. A body that is under way goes on until it comes, one that rests
    /// stays.
    pub fn turn_to_another_target(&mut self, was_finished: bool) {
        *self.progress.lock() = Progress { target: self.target(), is_finished: false, is_reached: false };
        if was_finished {
            self.route = Route::default();
        }
        self.is_outdated = true;
        self.is_overtaken = self.asked.is_some();
        self.has_failed = false;
        self.need_path();
    }

    /// A path is to be asked for, whatever there is.
    pub fn need_path(&mut self) {
        self.wants_path = true;
        self.is_hopeful = false;
    }
}

/// What is to be told after the borrow of the agent has ended.
pub(super) enum Message {
    PathChanged,
    Failed(Gd<PathForgePath>),
    Waypoint(VarDictionary),
    TargetReached,
    Finished,
}

impl PathForgeAgent2D {
    /// The grid, and the agent follows its edits from now on.
    pub(super) fn hear_grid(&mut self) -> Option<Gd<PathForgeGrid>> {
        let node = self.to_gd().upcast();
        let grid = self.link.resolve(&node);
        let id = grid.as_ref().map(Gd::instance_id);
        if id != self.heard.map(|(id, _)| id) {
            self.heard = grid.as_ref().map(|grid| (grid.instance_id(), grid.bind().edit_number()));
            if self.journey.target().is_some() {
                self.journey.need_path();
            }
        }
        grid
    }

    /// The body, which walks through an obstacle of its own.
    pub(super) fn body(&self, grid: &Gd<PathForgeGrid>) -> Asker {
        let mode = grid.bind().grid_diagonal_mode();
        let mut asker = Asker::of(&ProfileArg::from(self.profile.clone()), mode);
        // Straight lines between corners, whatever the profile says.
        asker.smoothing = true;
        let children = self.base().get_children();
        let own = children.iter_shared().find_map(|child| child.try_cast::<PathForgeObstacle2D>().ok());
        if let Some(obstacle) = own {
            let id = obstacle.bind().get_obstacle_id();
            if let Some(id) = convert::obstacle(id) {
                // There is always room for it: see `IGNORED_OBSTACLES_MAX`.
                let ignored = asker.profile.ignored_obstacles;
                asker.profile.ignored_obstacles = ignored.with(id).unwrap_or(ignored);
            }
        }
        asker
    }

    /// Asks for a path when one is wanted and none is under way.
    pub(super) fn ask_if_wanted(&mut self) {
        let Some(grid) = self.hear_grid() else { return };
        let is_gone = |(id, _)| Gd::<PathForgeGrid>::try_from_instance_id(id).is_err();
        if self.journey.asked.is_some_and(is_gone) {
            self.journey.asked = None;
            self.journey.need_path();
        }
        let Some(target) = self.journey.target() else { return };
        if !self.journey.wants_path || self.journey.asked.is_some() || !self.base().is_inside_tree() {
            return;
        }
        let asker = self.body(&grid);
        let place = self.base().get_global_position();
        let ends = start_of(&grid, place, &asker.profile).zip(self.goal(&grid, target, &asker.profile));
        let Some((start, goal)) = ends else { return };
        let Ok(goal_mode) = convert::goal_mode(self.goal_mode) else { return };
        let callback = Callable::from_object_method(&self.to_gd(), ANSWER_HANDLER);
        // A route that may be no better is followed whole or not at all.
        let begins = asker.search_mode == SearchMode::Hierarchical && !self.journey.is_hopeful;
        let begun = begins.then(|| Callable::from_object_method(&self.to_gd(), BEGUN_HANDLER));
        let ticket = grid.bind().ask(asker.query(start, goal, goal_mode), callback, begun);
        self.hopes.ask();
        self.journey.asked = Some((grid.instance_id(), ticket as i64));
        self.journey.goal = Some(goal);
        self.journey.wants_path = false;
        self.journey.is_overtaken = false;
    }

    /// Warns once of what keeps the agent from going to its target: no grid, which is told as a refused path, too, or a
    /// parent that it cannot move with.
    pub(super) fn look_around(&mut self, node: &Gd<Node>) -> Vec<Message> {
        if self.journey.target().is_none() || Engine::singleton().is_editor_hint() {
            return Vec::new();
        }
        if !std::mem::replace(&mut self.is_parent_known, true)
            && let Some(problem) = parent_problem(node)
        {
            warn(node, problem);
        }
        if !self.journey.wants_path || self.heard.is_some() {
            return Vec::new();
        }
        self.link.warn_once(node);
        self.journey.wants_path = false;
        let frame = PathFrame {
            geometry: CellGeometry::default(),
            footprint: Footprint::ONE,
            to_global: Transform2D::IDENTITY,
        };
        let outcome = PathOutcome::refused(Reason::NoGrid);
        self.take_path(PathForgePath::wrap(outcome, frame, 0))
    }

    /// The goal of a query for a body that wants to be at `target`.
    pub(super) fn goal(&self, grid: &Gd<PathForgeGrid>, target: Vector2, profile: &Profile) -> Option<Cell> {
        let local = crate::grid_link::local_position(grid, target)?;
        let geometry = grid.bind().cell_geometry();
        if self.goal_mode == GoalMode::Exact as i64 {
            geometry.anchor_at(local, profile.footprint)
        } else {
            geometry.cell_at(local)
        }
    }

    /// Takes the first steps of an answer; returns what is to be told.
    pub(super) fn take_first_steps(&mut self, path: Gd<PathForgePath>) -> Vec<Message> {
        // When another path is wanted already, these lead to what is a target no more, or over what was edited.
        if self.journey.target().is_none() || self.journey.wants_path || !self.set_out(&path) {
            return Vec::new();
        }
        self.journey.is_begun = true;
        vec![Message::PathChanged]
    }

    /// Takes an answer; returns what is to be told.
    pub(super) fn take_path(&mut self, path: Gd<PathForgePath>) -> Vec<Message> {
        self.journey.asked = None;
        let was_hopeful = std::mem::take(&mut self.journey.is_hopeful);
        if self.journey.target().is_none() || (was_hopeful && !self.is_bettered_by(&path)) {
            return Vec::new();
        }
        if self.set_out(&path) {
            return vec![Message::PathChanged];
        }
        // A path to the target before is walked until the new one comes; that there is none says nothing of the new one.
        if self.journey.is_overtaken {
            return Vec::new();
        }
        let was_walking = self.is_under_way() && !self.journey.is_settling;
        self.journey.path = Some(path.clone());
        self.journey.is_begun = false;
        self.journey.is_in_doubt = false;
        self.journey.progress.lock().is_reached = false;
        let stand = if was_walking { self.stand_nearby() } else { None };
        let stays = stand.is_none();
        self.journey.is_settling = !stays;
        let was_finished = std::mem::replace(&mut self.journey.progress.lock().is_finished, stays);
        self.journey.route = stand.unwrap_or_default();
        // An agent that is blocked by others asks again and again: that nothing has come of it is told once.
        let is_told = std::mem::replace(&mut self.journey.has_failed, true);
        let mut messages = Vec::new();
        if !is_told {
            messages.push(Message::Failed(path));
        }
        if stays && !was_finished {
            messages.push(Message::Finished);
        }
        messages
    }

    /// Returns `true` if a path that was asked for out of hope is better than what there is.
    fn is_bettered_by(&self, path: &Gd<PathForgePath>) -> bool {
        let Some(old) = self.journey.path.as_ref() else { return true };
        let (old, path) = (old.bind(), path.bind());
        if old.falls_short() {
            return !path.ends_like(&old);
        }
        let Some(grid) = self.link_now().filter(|_| path.is_complete()) else { return false };
        let profile = self.body(&grid).profile;
        let to_global = grid.get_global_transform();
        let place = self.base().get_global_position();
        let grid = grid.bind();
        let ground = Ground::new(&grid, to_global, &profile);
        ground.is_some_and(|ground| self.journey.is_bettered_by(&ground, place, path.get_cost()))
    }

    /// Goes along `path` from where the body is now; `false` without a route.
    fn set_out(&mut self, path: &Gd<PathForgePath>) -> bool {
        let Some((route, cost_of_a_step)) = self.way_along(path) else { return false };
        let journey = &mut self.journey;
        journey.path = Some(path.clone());
        journey.route = route;
        journey.cost_of_a_step = cost_of_a_step;
        journey.is_begun = false;
        journey.is_in_doubt = false;
        journey.is_settling = false;
        // A path that comes after yet another target was set leads to the one before.
        journey.is_outdated = journey.wants_path;
        journey.has_failed = false;
        journey.progress.lock().is_finished = false;
        journey.progress.lock().is_reached = false;
        true
    }

    /// The route from where the body is along `path`, which ends at the target itself when the path is complete, and
    /// what a step costs on it.
    fn way_along(&self, path: &Gd<PathForgePath>) -> Option<(Route, f64)> {
        let (grid, target) = (self.link_now()?, self.journey.target()?);
        let profile = self.body(&grid).profile;
        let place = self.base().get_global_position();
        let to_global = grid.get_global_transform();
        let (grid, path) = (grid.bind(), path.bind());
        let ends = path.get_global_positions();
        if ends.is_empty() {
            return None;
        }
        let Some(ground) = Ground::new(&grid, to_global, &profile) else {
            return Some((Route { positions: ends.to_vec(), next: 0 }, 0.0));
        };
        let mut positions = join::positions_from(&ground, place, &path);
        let count = positions.len();
        // A body that only has to cover a cell is there as soon as it does.
        let covers = self.goal_mode == GoalMode::Cover as i64 && profile.footprint != Footprint::ONE;
        if !covers && path.is_complete() && ground.has_room(positions[count - 1], target) {
            if ground.has_room(positions[count - 2], target) {
                positions[count - 1] = target;
            } else {
                positions.push(target);
            }
        }
        let steps = ground.steps_along(ends.as_slice());
        let cost_of_a_step = if steps > 0.0 { path.get_cost() / steps } else { 0.0 };
        Some((Route { positions, next: 1 }, cost_of_a_step))
    }

    /// The route to the middle of the nearest valid placement that the body has room to walk to; `None` where it rests
    /// on one, and without any.
    fn stand_nearby(&self) -> Option<Route> {
        let grid = self.link_now()?;
        let profile = self.body(&grid).profile;
        let place = self.base().get_global_position();
        let stand = start_of(&grid, place, &profile)?;
        let to_global = grid.get_global_transform();
        let grid = grid.bind();
        let ground = Ground::new(&grid, to_global, &profile)?;
        let middle = to_global * ground.geometry.footprint_center(stand, profile.footprint);
        let is_there = middle.distance_to(place) <= STANDS * ground.cell_px;
        (!is_there && ground.has_room(place, middle))
            .then(|| Route { positions: vec![place, middle], next: 1 })
    }

    /// Goes on along the route; returns where to walk and what is to be told.
    pub(super) fn follow(&mut self) -> (Vector2, Vec<Message>) {
        let place = self.base().get_global_position();
        self.look_at_edits();
        self.ask_if_wanted();
        let Some(grid) = self.link_now().filter(|_| self.is_under_way()) else { return (place, Vec::new()) };
        let profile = self.body(&grid).profile;
        let to_global = grid.get_global_transform();
        let grid = grid.bind();
        let Some(ground) = Ground::new(&grid, to_global, &profile) else { return (place, Vec::new()) };
        let mut messages = Vec::new();
        let route = &mut self.journey.route;
        for (index, position) in route.advance(&ground, place, self.path_desired_distance as f32) {
            let mut details = VarDictionary::new();
            details.set("position", position);
            details.set("index", index as i64);
            messages.push(Message::Waypoint(details));
        }
        let is_lost = f64::from(route.distance(place)) > self.path_max_distance;
        let Some(here) = route.goal_of_now() else { return (place, messages) };
        let at_last = route.is_at_last();
        if is_lost {
            self.journey.need_path();
        }
        if self.journey.is_settling {
            let stands = here.distance_to(place) <= STANDS * ground.cell_px;
            if stands || self.journey.route.has_passed(&ground, place) {
                self.journey.is_settling = false;
                self.journey.progress.lock().is_finished = true;
                self.journey.route = Route::default();
                messages.push(Message::Finished);
            }
            return (here, messages);
        }
        if self.journey.is_in_doubt && !ground.has_room(place, ground.ahead(place, here, LOOK_AHEAD)) {
            // Something was built there; another path is on its way.
            return (place, messages);
        }
        let is_near = f64::from(here.distance_to(place)) <= self.target_desired_distance;
        if at_last && is_near && !self.journey.is_begun && !self.journey.is_outdated {
            self.journey.progress.lock().is_finished = true;
            let complete = self.journey.path.as_ref().is_some_and(|path| path.bind().is_complete());
            if complete {
                self.journey.progress.lock().is_reached = true;
                messages.push(Message::TargetReached);
            }
            messages.push(Message::Finished);
        }
        if self.must_wait(&ground, &mut grid.map().walkers, (place, here), profile.footprint) {
            return (place, messages);
        }
        (here, messages)
    }

    /// Tells the grid's walkers of the agent's next step from `place` to `next`; returns `true` if another goes first.
    fn must_wait(
        &self,
        ground: &Ground,
        walkers: &mut Walkers,
        (place, next): (Vector2, Vector2),
        footprint: Footprint,
    ) -> bool {
        let step = Step {
            agent: self.base().instance_id().to_i64(),
            center: ground.cell_space(place),
            next: ground.cell_space(next),
            target: ground.cell_space(self.journey.target().unwrap_or(next)),
            footprint,
            frame: Engine::singleton().get_physics_frames(),
        };
        if !self.avoidance_enabled || !self.is_under_way() {
            walkers.leave(step.agent);
            return false;
        }
        walkers.must_wait(step)
    }

    /// No agent has to wait for this one any more.
    pub(super) fn leave_queue(&self) {
        if let Some(grid) = self.link_now() {
            state::of(&grid).lock().walkers.leave(self.base().instance_id().to_i64());
        }
    }

    /// Returns `true` if there is a route that has not ended.
    pub(super) fn is_under_way(&self) -> bool {
        !self.journey.progress.lock().is_finished && !self.journey.route.positions.is_empty()
    }

    pub(super) fn link_now(&self) -> Option<Gd<PathForgeGrid>> {
        Gd::try_from_instance_id(self.heard?.0).ok()
    }
}

/// The valid placement that the body is on, or the nearest of those around it.
pub(super) fn start_of(grid: &Gd<PathForgeGrid>, place: Vector2, profile: &Profile) -> Option<Cell> {
    let local = crate::grid_link::local_position(grid, place)?;
    let grid = grid.bind();
    let geometry = grid.cell_geometry();
    let here = geometry.anchor_at(local, profile.footprint)?;
    let distance = |&cell: &Cell| {
        f64::from(geometry.footprint_center(cell, profile.footprint).distance_squared_to(local))
    };
    let around = CellRect::cell(here).grown(1, 1, 1, 1);
    let stands = around.cells().filter(|&cell| grid.has_stand(cell, profile));
    Some(stands.min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(here))
}
