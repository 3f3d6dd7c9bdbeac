//! Paths for the agent's [`Walker`]: targets that scripts set, the requests that it makes of the grid, and
//! their answers.
//!
//! A request goes to the grid's inbox with a callback of the agent, and comes back a frame or two later as a
//! call. One is under way at a time; it is taken back when the agent leaves the tree or gets another grid.

use godot::classes::{Engine, Node};
use godot::prelude::*;
use pathforge_core::geometry::{Cell, Footprint};
use pathforge_core::walker::{Point, Walker};
use pathforge_core::world::{PathOutcome, Reason};

use super::ground::Site;
use super::signals::Message;
use super::{Agent, AgentNode};
use crate::answers::path::{PathForgePath, PathFrame};
use crate::engine::errors::warn;
use crate::map::grid::PathForgeGrid;
use crate::map::grid_link::parent_problem;
use crate::script::geometry::CellGeometry;

const ANSWER_HANDLER: &str = "_on_path_answered";

impl Agent {
    /// Where a script has sent the agent, in global space.
    pub(super) fn target(&self) -> Option<Vector3> {
        self.published.lock().target
    }

    /// Sends the body to a place in global space.
    pub(super) fn change_target(&mut self, position: Vector3) {
        self.find_grid();
        self.published.lock().target = Some(position);
        let order = self.at_grid(|agent, site| {
            agent.look_around(site);
            agent.set_target_on(site, position)
        });
        let order = order.unwrap_or_else(|| self.walker.set_target_off_map());
        if let Some(order) = order {
            self.pass_order(order);
        }
        // At once, not in the next frame: the answer comes a frame earlier.
        self.at_grid(Self::ask_if_wanted);
        self.publish();
    }

    /// Forgets the target. A request under way is remembered, so that its answer is known for what it is.
    pub(super) fn forget_target(&mut self) {
        let order = self.walker.stop();
        self.pass_order(order);
        self.path = None;
        self.published.lock().target = None;
        self.publish();
    }

    /// Each frame in which no step of its crowd looks at the walk: hears of edits, and asks for a path that
    /// is wanted.
    pub(super) fn process(mut this: AgentNode, delta: f64) {
        let node = this.node();
        // Borrowed within the block alone: handlers of what is told call the agent.
        let messages = {
            let mut agent = this.bind_mut();
            agent.walker.frame(delta);
            // In this order: an edit may make the walker want another path.
            agent.find_grid();
            agent.at_grid(|agent, site| {
                agent.look_around(site);
                agent.ask_if_wanted(site);
            });
            if agent.debug_enabled {
                agent.show_route();
            }
            agent.warn_of_problems(&node);
            agent.take_messages(None)
        };
        Self::tell(&this, messages);
    }

    /// Looks at edits and requests a path if one is wanted, then goes on along the path. Returns where the
    /// body walks to now, in cell space; `None` if it is to stay where it is.
    pub(super) fn walk(&mut self, site: Site<'_>) -> Option<Point> {
        self.look_around(site);
        self.ask_if_wanted(site);
        if !self.walker.looks_at_body() {
            return None;
        }
        self.on_site(site, |walker, ground, here| {
            let next = walker.advance(ground, here);
            (next != here).then_some(next)
        })
    }

    /// The same on the agent's own grid, which is looked for first; returns to where to walk in global space,
    /// the body's own position if it is to stay.
    pub(super) fn walk_on_own_grid(&mut self) -> Vector3 {
        self.find_grid();
        let next = self.at_grid(|agent, site| {
            let next = agent.walk(site)?;
            Some(agent.position_of(&site.frame, next))
        });
        next.flatten().unwrap_or_else(|| self.seat.place())
    }

    /// Asks for a path when one is wanted and none is under way.
    fn ask_if_wanted(&mut self, site: Site<'_>) {
        if !self.walker.wants_path() || !self.seat.is_inside_tree() || self.is_between_storeys() {
            return;
        }
        let ask = self.on_site(site, Walker::next_request);
        let (Some(ask), Some(known)) = (ask, self.known) else { return };
        let asker = self.asker(site.grid);
        let callback = Callable::from_object_method(&self.seat.node(), ANSWER_HANDLER);
        let query = asker.query(ask.start, ask.goal.cell, ask.goal.mode).past(&ask.blocked);
        let ticket = site.grid.ask(query, callback);
        self.asked = Some((known.grid, ticket));
    }

    /// The body comes no nearer to where it goes, and others stand on these cells: asks for a path if one may
    /// lead there.
    pub fn hinder(this: &AgentNode, standing: &[Cell]) {
        // Handlers of what others have told may have freed it.
        if !this.is_instance_valid() {
            return;
        }
        let mut agent = this.clone();
        agent.bind_mut().at_grid(|agent, site| {
            agent.on_site(site, |walker, ground, here| walker.hinder(ground, here, standing));
            agent.ask_if_wanted(site);
        });
    }

    /// Takes back the request under way, so that its grid searches for nothing and tells nothing.
    pub(super) fn take_back_request(&mut self) {
        let Some((grid, ticket)) = self.asked.take() else { return };
        self.walker.answer_is_lost();
        if let Ok(grid) = Gd::<PathForgeGrid>::try_from_instance_id(grid) {
            grid.bind().withdraw(ticket);
        }
    }

    /// A request has been answered.
    pub(super) fn take_answer(mut this: AgentNode, path: Option<Gd<PathForgePath>>) {
        let Some(path) = path else { return };
        let messages = this.bind_mut().take_path(path);
        Self::tell(&this, messages);
    }

    /// Takes an answer; returns what is to be told.
    fn take_path(&mut self, path: Gd<PathForgePath>) -> Vec<Message> {
        self.asked = None;
        if self.is_between_storeys() {
            // It was asked for from the storey below or above.
            self.walker.answer_is_lost();
            return self.take_messages(None);
        }
        let counts = self.at_grid(|agent, site| {
            let path = path.bind();
            agent.look_around(site);
            agent.on_site(site, |walker, ground, here| walker.answer(ground, here, path.outcome()))
        });
        match counts {
            Some(true) => self.path = Some(path),
            None => self.walker.answer_is_lost(),
            Some(false) => {}
        }
        self.take_messages(None)
    }

    /// Returns `true` if the target can be reached: as the last answer says or, before it comes, the grid
    /// without a search.
    pub(super) fn can_reach_target(&mut self) -> bool {
        self.at_grid(Self::look_around);
        if let Some(can_reach) = self.walker.can_reach() {
            return can_reach;
        }
        let Some(mut grid) = self.find_grid() else { return false };
        let ends =
            self.at_grid(|agent, site| agent.on_site(site, |walker, ground, here| walker.ends(ground, here)));
        let Some((start, goal)) = ends.flatten() else { return false };
        let query = self.asker(&grid.bind()).query(start, goal.cell, goal.mode);
        grid.bind_mut().can_reach(&query)
    }

    /// Warns once of what keeps the agent from going to its target: no grid, which is also reported as a
    /// refused path, or a parent that it cannot move with.
    fn warn_of_problems(&mut self, node: &Gd<Node>) {
        if self.target().is_none() || Engine::singleton().is_editor_hint() {
            return;
        }
        if !std::mem::replace(&mut self.is_parent_known, true)
            && let Some(problem) = parent_problem(node)
        {
            warn(node, problem);
        }
        if !self.walker.wants_path() || self.known.is_some() {
            return;
        }
        self.link.warn_once(node);
        let frame = PathFrame {
            geometry: CellGeometry::default(),
            footprint: Footprint::ONE,
            to_global: Transform2D::IDENTITY,
            to_position: Vector2::ZERO,
        };
        self.path = Some(PathForgePath::wrap(PathOutcome::refused(Reason::NoGrid), frame, 0));
        self.walker.refuse(Reason::NoGrid);
    }
}
