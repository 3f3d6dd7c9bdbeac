//! Where the agent with each id is in the arrays, found anew when it is asked for after the order has changed.

use super::agent::Mind;

/// No agent.
pub(super) const NO_PLACE: u32 = u32::MAX;
/// Where the agent with each id is, made when it is asked for after a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Members {
    pub places: Vec<u32>,
    is_current: bool,
}

impl Members {
    pub const fn forget(&mut self) {
        self.is_current = false;
    }

    /// An agent was added at the end.
    pub fn added(&mut self, id: u32, place: usize) {
        if self.is_current {
            self.places.resize(id as usize, NO_PLACE);
            self.places.push(place as u32);
        }
    }

    pub fn update(&mut self, minds: &[Mind], ids: u32) {
        if self.is_current {
            return;
        }
        self.places.clear();
        self.places.resize(ids as usize, NO_PLACE);
        for (place, mind) in minds.iter().enumerate() {
            self.places[mind.id as usize] = place as u32;
        }
        self.is_current = true;
    }

    pub fn place(&self, id: u32) -> Option<usize> {
        self.places.get(id as usize).filter(|&&place| place != NO_PLACE).map(|&place| place as usize)
    }

    pub fn memory(&self) -> usize {
        self.places.capacity() * 4
    }
}
