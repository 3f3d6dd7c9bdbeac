//! The agent in a crowd, where it steers clear of all others, numbers and nodes: joining and leaving the
//! crowd, its report before a step, and the crowd's answer.
//!
//! The walker decides what the agent does with an order of its crowd. Here is only which crowd the agent is
//! in, and whether the crowd knows its body. It joins when a script first asks for a velocity (`velocity`),
//! or for its id in the crowd.

use std::sync::Arc;

use godot::classes::Node;
use godot::classes::node::InternalMode;
use godot::prelude::*;
use pathforge_core::walker::{Notice, Order, Point};

use super::ground::{KnownMap, Site};
use super::signals::Message;
use super::{Agent, AgentNode};
use crate::answers::blockage::PathForgeBlockage;
use crate::answers::path::PathForgePath;
use crate::engine::errors::warn;
use crate::engine::in_tree::first_sibling;
use crate::map::grid::{CellFrame, PathForgeGrid};
use crate::map::seat::Seat;
use crate::map::space::PathForgeSpace3D;
use crate::movers::crowd::{CROWDS, NodeBody, PathForgeCrowd, Wanted};
use crate::script::profile::{PathForgeProfile, ProfileArg};

/// The crowd that an agent is in. What it does there is in its walker.
#[derive(Default)]
pub struct Member {
    /// The crowd that a script has set.
    pub named: Option<InstanceId>,
    /// The crowd that it is in, and its id there.
    joined: Option<(InstanceId, u32)>,
    /// The crowd knows the body as it is by now.
    is_current: bool,
    /// It was said that its order needs another method.
    is_warned: bool,
}

/// What a body wants of the next step of its crowd.
pub struct Course {
    /// What has become of its walk since the last one.
    pub orders: Vec<Order>,
    /// To where it walks now and where its path ends, in cells, and how long that still is: none where it
    /// walks to nothing.
    pub way: Option<(Point, Point, f64)>,
}

impl Agent {
    /// Before a step of its crowd, which is borrowed meanwhile, in a physics frame, `seconds` after the last
    /// course: goes on along the path. No course where the crowd does not know what the body is by now: its
    /// script gets the straight velocity until it has joined anew. Returns what is to be told after the step,
    /// too.
    pub fn course(
        &mut self,
        site: Site<'_>,
        physics_frame: u64,
        seconds: f64,
    ) -> (Option<Course>, Vec<Message>) {
        // It joins anew when its script asks next, and may be another body then.
        if !self.member.is_current {
            return (None, Vec::new());
        }
        let here = self.point_of_body(&site.frame, site.grid, site.position);
        let is_there = |known: KnownMap| {
            (known.grid, known.layout, known.frame) == (site.id, site.layout, Some(site.frame))
                && self.link.layout() == Some(site.layout)
        };
        let next = if self.known.is_some_and(is_there) {
            // With debug, `process` runs in each frame for the redraw, and lets the time pass.
            if !self.debug_enabled {
                self.walker.frame(seconds);
                self.published.lock().velocity.note_step(physics_frame);
            }
            self.walk(site).unwrap_or(here)
        } else {
            // Its grid is another one than that of its crowd, or has been moved: the point is led through
            // global space.
            site.frame.point(self.walk_on_own_grid())
        };
        let messages = self.take_messages(None);
        // On another map it is an agent of another crowd. On a link it steers clear of nothing.
        if !self.member.is_current || self.on_link().is_some() {
            return (None, messages);
        }
        let orders: Vec<Order> = std::iter::from_fn(|| self.walker.take_order()).collect();
        let goes = self.walker.is_under_way() || !orders.is_empty();
        let way = match self.walker.end().filter(|_| goes) {
            Some(end) if orders.contains(&Order::Wait) => Some((end, end, end.distance(here))),
            Some(end) => Some((next, end, self.walker.cells_left(here))),
            // It waits for a path from where it is, and goes on along no former one.
            None if !self.walker.is_finished() => {
                self.walker.target().map(|end| (here, end, end.distance(here).max(1.0)))
            }
            None => None,
        };
        (Some(Course { orders, way }), messages)
    }

    /// The crowd that the agent is in, and its id there; it joins now when it was in none.
    pub(super) fn join(&mut self) -> Option<(Gd<PathForgeCrowd>, u32)> {
        let KnownMap { grid, layout, frame, .. } = self.known?;
        let (grid, frame) = (Gd::try_from_instance_id(grid).ok()?, frame?);
        // A crowd that was emptied by its script knows the id no more.
        let joined = self.joined().filter(|(crowd, id)| crowd.clone().bind_mut().has_node(*id));
        if self.member.is_current && joined.is_some() {
            return joined;
        }
        let mut crowd = self.named_crowd().unwrap_or_else(|| own_crowd(&grid));
        let wanted = self.wanted(&frame, layout);
        // In the same crowd it keeps its id, and goes on with what it was doing.
        if let Some((_, id)) = joined.filter(|(former, _)| *former == crowd) {
            crowd.bind_mut().change_node(id, wanted);
            self.member.is_current = true;
            return Some((crowd, id));
        }
        self.leave_crowd();
        let point = frame.point(self.seat.place());
        let published = Arc::clone(&self.published);
        let id = crowd.bind_mut().take_in(AgentNode::of(&self.seat), published, point, wanted)?;
        self.member = Member {
            named: self.member.named,
            joined: Some((crowd.instance_id(), id)),
            is_current: true,
            ..Member::default()
        };
        Some((crowd, id))
    }

    /// What the body is to be in a crowd, on the cells that a node lays out.
    fn wanted(&self, frame: &CellFrame, layout: InstanceId) -> Wanted {
        Wanted {
            profile: ProfileArg::from(self.profile.clone()),
            radius: self.radius / frame.cell_side(),
            priority: self.priority,
            hold_position: self.hold_position,
            avoidance: self.avoidance,
            is_obstacle: self.own_obstacle().is_some(),
            layout,
        }
    }

    /// What the body is on a grid, and its centre in cells, whether or not it is in a crowd;
    /// `None` if it is on another grid.
    pub fn body_on(&mut self, grid: &Gd<PathForgeGrid>) -> Option<(NodeBody, Point)> {
        let map = self.link.resolve(&self.seat.node()).filter(|map| map.grid == *grid)?;
        let frame = map.frame?;
        let body = self.wanted(&frame, map.layout).body(grid);
        let at = frame.point(self.seat.place());
        at.is_finite().then_some((body, at))
    }

    fn joined(&self) -> Option<(Gd<PathForgeCrowd>, u32)> {
        let (crowd, id) = self.member.joined?;
        Some((Gd::try_from_instance_id(crowd).ok()?, id))
    }

    /// What the agent was taken in as may have changed: the crowd is told when it joins anew.
    pub(super) fn outdate_membership(&mut self) {
        self.member.is_current = false;
        self.published.lock().velocity.clear();
    }

    /// The body has another profile, of which its crowd knows or is told.
    pub fn wear(&mut self, profile: Option<Gd<PathForgeProfile>>) {
        self.profile = profile;
    }

    /// Warns, once for an order, when the position to walk to is asked for while the crowd leads the body by
    /// velocities.
    pub(super) fn warn_of_order(this: &AgentNode) {
        let mut agent = this.clone();
        let mut agent = agent.bind_mut();
        if agent.walker.is_led() && !std::mem::replace(&mut agent.member.is_warned, true) {
            drop(agent);
            warn(&this.node(), "it has an order of its crowd, which moves it by get_next_velocity() only");
        }
    }

    /// Puts the body to where the agent is at `place`, in global space, as high above the ground as it is.
    pub fn put_body(this: &AgentNode, place: Vector3) {
        let here = this.place();
        // The agent need not be at the origin of the body.
        let way = {
            let mut agent = this.clone();
            let agent = agent.bind_mut();
            agent.link.grounded(place) - agent.link.grounded(here)
        };
        this.move_by(way);
    }

    /// Its crowd has given it another radius, in pixels of the grid's plane, which is `cells` cells.
    pub fn take_radius(&mut self, radius: f64, cells: f64) {
        let frame = self.known.and_then(|known| known.frame);
        self.radius = match (&self.seat, frame) {
            (Seat::Space(_), Some(frame)) => cells * frame.cell_side(),
            _ => radius,
        };
    }

    /// The map that counts now: the grid, and the space that lays it out.
    pub(super) fn effective_map(&self) -> (Option<Gd<PathForgeGrid>>, Option<Gd<PathForgeSpace3D>>) {
        self.link.effective(&self.seat.node())
    }

    /// The crowd that counts now; that of the grid is not made here.
    pub(super) fn effective_crowd(&self) -> Option<Gd<PathForgeCrowd>> {
        self.named_crowd().or_else(|| crowd_below(&self.effective_map().0?))
    }

    /// The crowd that a script has set.
    pub(super) fn named_crowd(&self) -> Option<Gd<PathForgeCrowd>> {
        self.member.named.and_then(|crowd| Gd::try_from_instance_id(crowd).ok())
    }

    /// A script sets the crowd.
    pub(super) fn set_crowd(&mut self, crowd: Option<Gd<PathForgeCrowd>>) {
        self.leave_crowd();
        self.member.named = crowd.map(|crowd| crowd.instance_id());
    }

    /// The agent is in no crowd any more.
    pub(super) fn leave_crowd(&mut self) {
        if let Some((mut crowd, id)) = self.joined() {
            crowd.bind_mut().let_go(id);
        }
        self.be_let_go();
    }

    /// Its crowd has let the agent go. Where that ends an order, it is told when scripts may be called.
    pub fn be_let_go(&mut self) {
        self.walker.hear(Notice::LetGo);
        let mut node = self.seat.node();
        for message in self.take_messages(None) {
            // The crowd is borrowed here, or the tree is being changed.
            let (signal, argument) = message.signal();
            let arguments: Vec<Variant> = [signal.to_variant()].into_iter().chain(argument).collect();
            node.call_deferred("emit_signal", &arguments);
        }
        self.member = Member { named: self.member.named, ..Member::default() };
        self.published.lock().velocity.clear();
    }

    /// Tells the crowd what its agent does from now on.
    pub(super) fn pass_order(&mut self, order: Order) {
        self.published.lock().velocity.clear();
        if let Some((mut crowd, id)) = self.joined() {
            crowd.bind_mut().order_node(id, order);
        }
    }

    /// The id in the crowd, joined now if need be.
    pub(super) fn agent_id(&mut self) -> Option<u32> {
        if !self.seat.is_inside_tree() {
            return None;
        }
        self.find_grid();
        self.join().map(|(_, id)| id)
    }

    /// Returns `true` if others keep the body from its target.
    pub(super) fn is_blocked(&self) -> bool {
        let state = self.joined().and_then(|(mut crowd, id)| crowd.bind_mut().state_of_node(id));
        self.walker.is_blocked(state)
    }

    /// What keeps the body from its target; the room in global space on the plane, in 3D in the grid's local
    /// space.
    pub(super) fn blockage(&self) -> Gd<PathForgeBlockage> {
        let joined = self.joined().filter(|_| !self.walker.is_untold());
        let Some((mut crowd, id)) = joined else { return PathForgeBlockage::none() };
        let blockage = crowd.bind_mut().get_blockage(id.into());
        let grid = self.known.and_then(|known| Gd::<PathForgeGrid>::try_from_instance_id(known.grid).ok());
        let grid = grid.filter(|_| matches!(self.seat, Seat::Plane(_)));
        PathForgeBlockage::mapped(blockage, |room| {
            grid.map_or(room, |grid| grid.get_global_transform() * room)
        })
    }

    /// The crowd, which is borrowed meanwhile, has sent the body somewhere, has stopped it or leads it on.
    pub fn hear(&mut self, notice: Notice) {
        self.walker.hear(notice);
        // An agent that has a target again since it was cut off keeps it when it is led on.
        if self.walker.target().is_none() {
            self.path = None;
            self.published.lock().target = None;
        }
        // An order that is carried on is still the same: it warns no second time.
        self.member.is_warned &= notice == Notice::LedOn;
        let messages = self.take_messages(None);
        debug_assert!(messages.is_empty(), "a body that is led somewhere tells nothing");
    }

    /// The crowd tells that the body rests, is stuck, or is cut off from where it was sent, by a refused
    /// path.
    pub fn hear_and_tell(mut this: AgentNode, notice: Notice, refused: Option<Gd<PathForgePath>>) {
        // Handlers of what others have told may have freed it.
        if !this.is_instance_valid() {
            return;
        }
        let messages = {
            let mut agent = this.bind_mut();
            agent.walker.hear(notice);
            agent.take_messages(refused.as_ref())
        };
        Self::tell(&this, messages);
    }
}

/// The crowd below a grid, made now when there is none.
fn own_crowd(grid: &Gd<PathForgeGrid>) -> Gd<PathForgeCrowd> {
    crowd_below(grid).unwrap_or_else(|| {
        let crowd = PathForgeCrowd::new_alloc();
        grid.clone().add_child_ex(&crowd).internal(InternalMode::BACK).done();
        crowd
    })
}

/// The crowd below a grid, if there is one.
fn crowd_below(grid: &Gd<PathForgeGrid>) -> Option<Gd<PathForgeCrowd>> {
    let node = Some(grid.clone().upcast::<Node>());
    let in_tree = CROWDS.all().into_iter().filter(|crowd| crowd.get_parent() == node);
    // A grid may have ten thousand children, so they are looked at only before one is made: not in the tree,
    // a crowd is not listed.
    let child = || {
        let children = grid.get_children_ex().include_internal(true).done();
        children.iter_shared().find_map(|child| child.try_cast::<PathForgeCrowd>().ok())
    };
    first_sibling(in_tree).or_else(child)
}
