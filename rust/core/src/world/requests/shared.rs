//! Searches to one goal that share a field.

use super::batch::Piece;
use crate::world::snapshot::ScratchPool;
use crate::world::{PathOutcome, SearchJob};

/// How the answer to a request is found.
pub(super) enum Work {
    /// By a search of its own.
    Search(Box<SearchJob>),
}

impl Work {
    /// Finds the answer.
    pub(super) fn run(&self, scratch: &ScratchPool) -> PathOutcome {
        match self {
            Self::Search(job) => scratch.lend(|scratch| job.run(scratch)),
        }
    }
}

pub(super) fn share_fields(_pieces: &mut [Piece]) {}
