//! The agent on links of its grid: when it enters one, how fast it is there, and what it tells.

use godot::prelude::*;
use pathforge_core::walker::LinkLeg;

use super::ground::Site;
use super::signals::Message;
use super::{Agent, AgentNode};

impl Agent {
    /// After a look at the walk: enters the link that the body waits for, if that has room. Notes on the grid
    /// which link the body is on.
    pub(super) fn take_links(&mut self, site: Site<'_>) {
        let node = self.seat.node().instance_id();
        if let Some(&LinkLeg { id, bodies_max, .. }) = self.walker.link_ahead()
            && site.grid.enters_link(node, id, bodies_max)
        {
            self.walker.enter_link();
        }
        let under = self.walker.link_under().map(|link| link.id);
        if under != self.on_link {
            self.on_link = under;
            let begin = self.walker.link_under().and_then(|link| self.link_ends(link.index - 1));
            self.link_lift = begin.map_or(0.0, |[from, _]| (self.seat.place() - from).y);
            site.grid.note_on_link(node, under);
        }
    }

    /// The grid knows the body to be on no link any more.
    pub(super) fn leave_link(&mut self) {
        if self.on_link.take().is_some()
            && let Some((grid, _)) = self.known_grid()
        {
            grid.bind().note_on_link(self.seat.node().instance_id(), None);
        }
    }

    /// Returns the link that the body is on, by its number.
    pub const fn on_link(&self) -> Option<u32> {
        self.on_link
    }

    /// Returns the link that has no room for the body, which stands where it begins, by its number.
    pub fn awaited_link(&self) -> Option<u32> {
        self.walker.link_ahead().map(|link| link.id)
    }

    /// The speed of the body on the link that it is on, in global units a second, if the link has a time;
    /// `None` on none. Infinite where the link takes no time.
    pub(super) fn link_speed(&self, own: f64) -> Option<f64> {
        let link = self.walker.link_under()?;
        let Some(seconds) = link.seconds.filter(|seconds| *seconds > 0.0) else { return Some(own) };
        let [from, to] = self.link_ends(link.index - 1)?;
        Some(f64::from(from.distance_to(to) / seconds))
    }

    /// The ends of the link that begins at a point of the route, in global space.
    pub(super) fn link_ends(&self, index: usize) -> Option<[Vector3; 2]> {
        let frame = self.known?.frame?;
        let points = self.walker.points().get(index..index + 2)?;
        Some([points[0], points[1]].map(|point| self.link.grounded(frame.position(point))))
    }

    /// What is told where the body enters a link, or leaves it.
    pub(super) fn link_message(&self, id: u32, index: usize, is_entered: bool) -> Option<Message> {
        let [from, to] = self.link_ends(index)?;
        let mut details = VarDictionary::new();
        details.set("position", &self.seat.vector(if is_entered { from } else { to }));
        details.set("link_id", i64::from(id));
        let (grid, _) = self.known_grid()?;
        let (tag, owner, seconds) = grid.bind().link_details(id);
        details.set("tag", &StringName::from(&tag));
        details.set("owner", &owner.to_variant());
        details.set("link_entry_position", &self.seat.vector(from));
        details.set("link_exit_position", &self.seat.vector(to));
        if !is_entered {
            return Some(Message::LinkLeft(details));
        }
        // A link that takes no time has the agent move the body.
        let to = (seconds == Some(0.0)).then_some(to);
        Some(Message::LinkReached(details, to))
    }

    /// Puts the body at the end of a link, unless a script has.
    pub(super) fn put_at(this: &AgentNode, place: Vector3) {
        let from = this.place();
        if from.distance_squared_to(place) > 0.0 {
            this.move_by(place - from);
        }
    }
}
