//! How an agent gets a path and follows it.

use godot::prelude::*;
use pathforge_core::{Cell, CellRect, GoalMode, ObstacleId, Profile};

use super::PathForgeAgent2D;
use super::way::{Ground, Way};
use crate::convert;
use crate::grid::PathForgeGrid;
use crate::obstacle::PathForgeObstacle2D;
use crate::path::PathForgePath;
use crate::profile::{Asker, ProfileArg};

const ANSWER_HANDLER: &str = "_on_path_answered";

/// What an agent is up to.
#[derive(Default)]
pub(super) struct Journey {
    pub target: Option<Vector2>,
    /// Whether a path is to be asked for.
    pub wants_path: bool,
    /// The request under way, and the grid that has it.
    pub asked: Option<(InstanceId, i64)>,
    /// The goal of the last request.
    pub goal: Option<Cell>,
    pub path: Option<Gd<PathForgePath>>,
    pub way: Way,
    pub is_finished: bool,
    pub is_reached: bool,
}

/// What is to be told after the borrow of the agent has ended.
pub(super) enum News {
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
            self.journey.wants_path |= self.journey.target.is_some();
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
            asker.profile.ignored_obstacle = u64::try_from(id).ok().map(ObstacleId);
        }
        asker
    }

    /// Asks for a path when one is wanted and none is under way.
    pub(super) fn ask_if_wanted(&mut self) {
        let Some(grid) = self.hear_grid() else { return };
        let is_gone = |(id, _)| Gd::<PathForgeGrid>::try_from_instance_id(id).is_err();
        if self.journey.asked.is_some_and(is_gone) {
            self.journey.asked = None;
            self.journey.wants_path = true;
        }
        let Some(target) = self.journey.target else { return };
        if !self.journey.wants_path || self.journey.asked.is_some() || !self.base().is_inside_tree() {
            return;
        }
        let asker = self.body(&grid);
        let place = self.base().get_global_position();
        let ends = start_of(&grid, place, &asker.profile).zip(self.goal(&grid, target, &asker.profile));
        let Some((start, goal)) = ends else { return };
        let Ok(goal_mode) = convert::goal_mode(self.goal_mode) else { return };
        let callback = Callable::from_object_method(&self.to_gd(), ANSWER_HANDLER);
        let ticket = grid.bind().ask(asker.query(start, goal, goal_mode), callback, None);
        self.journey.asked = Some((grid.instance_id(), ticket as i64));
        self.journey.goal = Some(goal);
        self.journey.wants_path = false;
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

    /// Takes an answer; returns what is to be told.
    pub(super) fn take_path(&mut self, path: Gd<PathForgePath>) -> Vec<News> {
        self.journey.asked = None;
        if self.journey.target.is_none() {
            return Vec::new();
        }
        let positions = path.bind().get_global_positions();
        self.journey.path = Some(path.clone());
        let mut way = Way { positions: positions.to_vec(), next: 0 };
        if way.positions.is_empty() {
            self.journey.way = way;
            self.journey.is_finished = true;
            self.journey.is_reached = false;
            return vec![News::Failed(path), News::Finished];
        }
        self.fit_ends(&mut way);
        self.journey.way = way;
        self.journey.is_finished = false;
        self.journey.is_reached = false;
        vec![News::PathChanged]
    }

    /// Begins the way where the body is and, when that is the goal, ends it at the target itself.
    fn fit_ends(&self, way: &mut Way) {
        let (Some(grid), Some(target)) = (self.link_now(), self.journey.target) else { return };
        let profile = self.body(&grid).profile;
        let place = self.base().get_global_position();
        let to_global = grid.get_global_transform();
        let grid = grid.bind();
        let Some(ground) = Ground::new(&grid, to_global, &profile) else { return };
        if way.positions.len() > 1 && ground.has_room(place, way.positions[1]) {
            way.positions[0] = place;
            way.next = 1;
        } else {
            way.positions.insert(0, place);
            way.next = 1;
        }
        let exact = self.goal_mode == GoalMode::Exact as i64;
        let complete = self.journey.path.as_ref().is_some_and(|path| path.bind().is_complete());
        let count = way.positions.len();
        let last = way.positions[count - 1];
        if exact && complete && ground.has_room(last, target) {
            if ground.has_room(way.positions[count - 2], target) {
                way.positions[count - 1] = target;
            } else {
                way.positions.push(target);
            }
        }
    }

    /// Goes on along the way; returns where to walk and what is to be told.
    pub(super) fn follow(&mut self) -> (Vector2, Vec<News>) {
        let place = self.base().get_global_position();
        self.look_at_edits();
        self.ask_if_wanted();
        let Some(grid) = self.link_now().filter(|_| self.is_under_way()) else { return (place, Vec::new()) };
        let profile = self.body(&grid).profile;
        let to_global = grid.get_global_transform();
        let grid = grid.bind();
        let Some(ground) = Ground::new(&grid, to_global, &profile) else { return (place, Vec::new()) };
        let mut news = Vec::new();
        let way = &mut self.journey.way;
        for (index, position) in way.advance(&ground, place, self.path_desired_distance as f32) {
            let mut details = VarDictionary::new();
            details.set("position", position);
            details.set("index", index as i64);
            news.push(News::Waypoint(details));
        }
        if f64::from(way.distance(place)) > self.path_max_distance {
            self.journey.wants_path = true;
        }
        let Some(here) = way.goal_of_now() else { return (place, news) };
        if way.is_at_last() && f64::from(here.distance_to(place)) <= self.target_desired_distance {
            self.journey.is_finished = true;
            let complete = self.journey.path.as_ref().is_some_and(|path| path.bind().is_complete());
            if complete {
                self.journey.is_reached = true;
                news.push(News::TargetReached);
            }
            news.push(News::Finished);
        }
        (here, news)
    }

    /// Whether there is a way that has not come to its end.
    pub(super) fn is_under_way(&self) -> bool {
        !self.journey.is_finished && !self.journey.way.positions.is_empty()
    }

    /// Looks at what was edited since the last look: once a frame for all edits, since there may be hundreds of agents and
    /// of bodies that block cells.
    pub(super) fn look_at_edits(&mut self) {
        let Some((grid, (id, seen))) = self.link_now().zip(self.heard) else { return };
        let (number, edits) = {
            let grid = grid.bind();
            let number = grid.edit_number();
            if number == seen {
                return;
            }
            (number, grid.edits_since(seen).map(Iterator::collect::<Vec<_>>))
        };
        self.heard = Some((id, number));
        if self.journey.target.is_some() {
            self.hear_edits(&grid, edits);
        }
    }

    /// Asks for a new path when edits touch what is left of the way, or when there is none. `None` stands for too many.
    fn hear_edits(&mut self, grid: &Gd<PathForgeGrid>, edits: Option<Vec<CellRect>>) {
        let others = edits.map(|mut edits| {
            edits.retain(|&rect| !self.is_own_obstacle(rect));
            edits
        });
        if others.as_ref().is_some_and(Vec::is_empty) {
            return;
        }
        let failed = self.journey.path.as_ref().is_some_and(|path| !path.bind().is_complete());
        if failed && self.journey.asked.is_none() {
            self.journey.wants_path = true;
            self.journey.is_finished = false;
            return;
        }
        if self.journey.is_finished || self.journey.wants_path {
            return;
        }
        let profile = self.body(grid).profile;
        let to_global = grid.get_global_transform();
        let place = self.base().get_global_position();
        let grid = grid.bind();
        let Some(ground) = Ground::new(&grid, to_global, &profile) else { return };
        self.journey.wants_path = others.is_none_or(|rects| self.journey.way.touches(&ground, place, &rects));
    }

    /// Whether an edit of `rect` is a step of the body's own obstacle.
    fn is_own_obstacle(&self, rect: CellRect) -> bool {
        let children = self.base().get_children();
        let mut own = children.iter_shared().filter_map(|child| child.try_cast::<PathForgeObstacle2D>().ok());
        // The engine's own arithmetic overflows where an obstacle is as far away as numbers go.
        own.any(|obstacle| {
            convert::rect(obstacle.bind().get_cells()).grown(1, 1, 1, 1).intersection(rect) == rect
        })
    }

    fn link_now(&self) -> Option<Gd<PathForgeGrid>> {
        Gd::try_from_instance_id(self.heard?.0).ok()
    }
}

/// The stand that the body is on, or the nearest of those around it.
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
