//! The agent as one of a crowd: it steers clear of all others there, numbers and nodes.

use godot::classes::node::InternalMode;
use godot::prelude::*;
use pathforge_core::crowd::AgentState;
use pathforge_core::geometry::Cell;

use super::PathForgeAgent2D;
use super::walk::Message;
use crate::crowd::{Course, PathForgeCrowd, Wanted};
use crate::grid::PathForgeGrid;
use crate::profile::ProfileArg;

/// What an agent is in a crowd.
#[derive(Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is another thing that scripts ask for")]
pub struct Member {
    /// The crowd that a script has set.
    pub named: Option<InstanceId>,
    /// The crowd that it is in, and its number there.
    joined: Option<(InstanceId, u32)>,
    /// What it was taken in as.
    joined_as: Option<(Option<InstanceId>, u64, u64, InstanceId)>,
    /// The goal of the walk that the crowd was told of.
    cell: Option<Cell>,
    /// The crowd was told that the walk is over.
    rests: bool,
    /// It goes where its crowd has sent it.
    pub follows_crowd: bool,
    /// And is there.
    pub has_arrived: bool,
    /// It has settled because others are at its target.
    is_beside: bool,
}

impl PathForgeAgent2D {
    /// The velocity that keeps clear of others on the way to `next`, when the crowd has found one.
    pub(super) fn keep_clear(this: &Gd<Self>, next: Vector2, speed: f64) -> Option<Vector2> {
        let (mut crowd, id, course) = this.clone().bind_mut().course(next, speed)?;
        crowd.bind_mut().steer_node(id, &course)
    }

    /// The crowd, the number there, and what the crowd is to know.
    fn course(&mut self, next: Vector2, speed: f64) -> Option<(Gd<PathForgeCrowd>, u32, Course)> {
        let (mut crowd, id) = self.join()?;
        let here = self.frame?.point(self.base().get_global_position());
        let is_under_way = self.walker.is_under_way();
        let cell = self.walker.goal_cell().filter(|_| is_under_way);
        let mut is_new = false;
        if let Some(cell) = cell {
            if self.member.cell != Some(cell) || self.member.rests {
                crowd.bind_mut().send_node(id, cell);
                is_new = true;
                (self.member.cell, self.member.rests) = (Some(cell), false);
                (self.member.follows_crowd, self.member.has_arrived) = (false, false);
            }
            self.member.is_beside = false;
        } else if self.member.cell.is_some() && !self.member.rests && self.walker.is_finished() {
            self.member.rests = true;
            crowd.bind_mut().rest_node(id, self.walker.is_target_reached());
        }
        let left = cell.map(|_| self.walker.cells_left(here));
        Some((crowd, id, Course { next, left, is_new, speed }))
    }

    /// The crowd that the agent is in, and its number there; it joins now when it was in none.
    fn join(&mut self) -> Option<(Gd<PathForgeCrowd>, u32)> {
        let grid = self.link_now()?;
        let profile = self.profile.as_ref().map(Gd::instance_id);
        let key = (profile, self.radius.to_bits(), self.priority.to_bits(), grid.instance_id());
        if self.member.joined_as == Some(key)
            && let Some((mut crowd, id)) = self.joined()
            && crowd.bind_mut().has_node(id)
        {
            return Some((crowd, id));
        }
        self.leave_crowd();
        let named = self.member.named.and_then(|id| Gd::try_from_instance_id(id).ok());
        let mut crowd = named.or_else(|| own_crowd(&grid))?;
        let wanted = Wanted {
            profile: ProfileArg::from(self.profile.clone()),
            radius: self.radius,
            priority: self.priority,
            is_obstacle: self.own_obstacle().is_some(),
        };
        let position = self.base().get_global_position();
        let id = crowd.bind_mut().take_in(self.to_gd(), position, wanted)?;
        self.member = Member {
            named: self.member.named,
            joined: Some((crowd.instance_id(), id)),
            joined_as: Some(key),
            ..Member::default()
        };
        Some((crowd, id))
    }

    fn joined(&self) -> Option<(Gd<PathForgeCrowd>, u32)> {
        let (crowd, id) = self.member.joined?;
        Some((Gd::try_from_instance_id(crowd).ok()?, id))
    }

    /// What the agent was taken in as may have changed: it is looked at anew.
    pub(super) const fn look_anew(&mut self) {
        self.member.joined_as = None;
    }

    /// The agent is in no crowd any more.
    pub(super) fn leave_crowd(&mut self) {
        if let Some((mut crowd, id)) = self.joined() {
            crowd.bind_mut().let_go(id);
        }
        self.member = Member { named: self.member.named, ..Member::default() };
    }

    /// The agent has no target any more.
    pub(super) fn leave_order(&mut self) {
        if let Some((mut crowd, id)) = self.joined() {
            crowd.bind_mut().rest_node(id, false);
        }
        (self.member.cell, self.member.rests) = (None, true);
        (self.member.follows_crowd, self.member.has_arrived, self.member.is_beside) = (false, false, false);
    }

    /// The number in the crowd, joined now if need be.
    pub(super) fn agent_id(&mut self) -> Option<u32> {
        if !self.base().is_inside_tree() {
            return None;
        }
        self.hear_grid();
        self.join().map(|(_, id)| id)
    }

    /// Whether others keep the body from its target.
    pub(super) fn is_blocked(&self) -> bool {
        let is_stuck = |(mut crowd, id): (Gd<PathForgeCrowd>, u32)| {
            crowd.bind_mut().state_of_node(id) == Some(AgentState::Stuck)
        };
        self.member.is_beside || self.joined().is_some_and(is_stuck)
    }

    /// The crowd has sent the body somewhere, or has stopped it. It is borrowed meanwhile.
    pub fn follow_crowd(&mut self, goes: bool) {
        self.walker.stop();
        self.path = None;
        self.progress.lock().target = None;
        (self.member.cell, self.member.rests, self.member.is_beside) = (None, true, false);
        (self.member.follows_crowd, self.member.has_arrived) = (goes, false);
        let messages = self.take_messages();
        debug_assert!(messages.is_empty(), "a walker that is stopped tells nothing");
    }

    /// The crowd tells that the body is where it was sent, or has settled beside others that are.
    pub fn arrive_in_crowd(mut this: Gd<Self>) {
        let messages = {
            let mut agent = this.bind_mut();
            let member = &mut agent.member;
            if member.follows_crowd {
                (member.follows_crowd, member.has_arrived) = (false, true);
                agent.take_messages();
                vec![Message::TargetReached, Message::Finished]
            } else if member.cell.is_some() && !member.rests {
                (member.rests, member.is_beside) = (true, true);
                agent.walker.settle_here();
                let mut messages = vec![Message::Blocked];
                messages.extend(agent.take_messages());
                messages
            } else {
                Vec::new()
            }
        };
        Self::tell(&this, messages);
    }

    /// The crowd tells that others keep the body from getting on.
    pub fn be_blocked(this: Gd<Self>) {
        Self::tell(&this, vec![Message::Blocked]);
    }
}

/// The crowd below a grid, made now when there is none.
fn own_crowd(grid: &Gd<PathForgeGrid>) -> Option<Gd<PathForgeCrowd>> {
    let children = grid.get_children_ex().include_internal(true).done();
    let found = children.iter_shared().find_map(|child| child.try_cast::<PathForgeCrowd>().ok());
    found.or_else(|| {
        let crowd = PathForgeCrowd::new_alloc();
        grid.clone().add_child_ex(&crowd).internal(InternalMode::BACK).done();
        Some(crowd)
    })
}
