//! How an agent takes a link of the map. It asks for the link where that begins, waits while the link is full,
//! and is on it for a time. There the agent is no obstacle, no wall stops it, and it decides nothing.

use crate::crowd::numbers::vector::V;

/// How an agent takes a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::crowd) enum Crossing {
    /// It takes none.
    #[default]
    None,
    /// It stands where the link begins that its guide takes.
    Asks,
    /// It is on a link: see [`Passage`].
    Under,
}

/// The way of one agent over a link.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(in crate::crowd) struct Passage {
    /// The agent.
    pub id: u32,
    /// The number of the link.
    pub link: u32,
    /// Where the body entered it.
    pub from: V,
    /// Where the body leaves it.
    pub to: V,
    /// How long it takes, in seconds.
    pub seconds: f32,
    /// How much of that is left.
    pub left: f32,
}

crate::bytes::saved_fields!(Passage { id: u32, link: u32, from: V, to: V, seconds: f32, left: f32 });

impl Passage {
    /// Returns where the body is.
    pub fn at(&self) -> V {
        let left = if self.seconds > 0.0 { (self.left / self.seconds).clamp(0.0, 1.0) } else { 0.0 };
        [0, 1].map(|axis| self.to[axis] + (self.from[axis] - self.to[axis]) * left)
    }

    /// Returns the way of an agent among those of all, by id.
    pub fn of(all: &[Self], id: u32) -> Option<&Self> {
        all.binary_search_by_key(&id, |passage| passage.id).ok().map(|place| &all[place])
    }
}
