//! A search whose first steps are there before the whole path is.

use super::{JobEngine, SearchJob};
use crate::world::hierarchical::{HierarchicalJob, HierarchicalWay, WayBegun};
use crate::world::{Engine, PathOutcome, Reason, Status};

/// A search over clusters that is done in two parts. Both together find what [`SearchJob::run`] finds.
pub(in crate::world) struct InSteps<'a> {
    search: &'a SearchJob,
    job: &'a HierarchicalJob,
}

impl SearchJob {
    /// The search in two parts: over clusters, when the ends are not near each other.
    pub(in crate::world) fn in_steps(&self) -> Option<InSteps<'_>> {
        match &self.engine {
            JobEngine::Hierarchical(job, None) => Some(InSteps { search: self, job }),
            _ => None,
        }
    }
}

impl InSteps<'_> {
    /// Searches as far as to the first steps of the path; the answer itself where there is no way, or no more of it.
    pub(in crate::world) fn set_out(&self) -> Result<WayBegun, PathOutcome> {
        match self.job.set_out(self.search.expansions_max) {
            Ok(begun) if begun.is_whole() => Err(self.outcome(begun.so_far())),
            Ok(begun) => Ok(begun),
            Err(failed) => Err(self.outcome(failed)),
        }
    }

    /// The steps that are known.
    pub(in crate::world) fn first_steps(&self, begun: &WayBegun) -> PathOutcome {
        PathOutcome { status: Status::Begun, reason: Reason::None, ..self.outcome(begun.so_far()) }
    }

    /// Searches for the rest; the answer.
    pub(in crate::world) fn go_on(&self, begun: WayBegun) -> PathOutcome {
        self.outcome(self.job.go_on(begun))
    }

    fn outcome(&self, way: HierarchicalWay) -> PathOutcome {
        self.search.outcome(Engine::Haa, &way.into_result())
    }
}
