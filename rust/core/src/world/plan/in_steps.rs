//! A search whose first steps are there before the whole path is.

use super::{JobEngine, SearchJob};
use crate::search::SearchResult;
use crate::world::hierarchical::{HierarchicalJob, PathPrefix};
use crate::world::{Engine, PathOutcome, Status};

/// A search over clusters that is done in two parts. Both together find what [`SearchJob::run`] finds.
pub(in crate::world) struct InSteps<'a> {
    search: &'a SearchJob,
    job: &'a HierarchicalJob,
}

impl SearchJob {
    /// Returns the search in two parts: over clusters, when the ends are not near each other.
    pub(in crate::world) fn in_steps(&self) -> Option<InSteps<'_>> {
        match &self.engine {
            // Near ends are searched over cells first, and such a search has no first steps to tell before its
            // end.
            JobEngine::Hierarchical(job, None) => Some(InSteps { search: self, job }),
            _ => None,
        }
    }

    /// Returns the first steps of the path as an answer that is not complete; `None` where they cannot be there before the
    /// whole path is.
    pub fn first_steps(&self) -> Option<PathOutcome> {
        let search = self.in_steps()?;
        search.start().ok().map(|prefix| search.first_steps(&prefix))
    }
}

impl InSteps<'_> {
    /// Finds the first steps of the path; the answer itself if there is no path, or if the first steps are the whole path.
    pub(in crate::world) fn start(&self) -> Result<PathPrefix, PathOutcome> {
        match self.job.start(self.search.expansions_max) {
            // First steps that are the whole path would be told twice.
            Ok(prefix) if prefix.is_whole() => Err(self.outcome(&prefix.so_far())),
            Ok(prefix) => Ok(prefix),
            Err(failed) => Err(self.outcome(&failed)),
        }
    }

    /// Returns the steps that are known, as an answer that is not complete.
    pub(in crate::world) fn first_steps(&self, prefix: &PathPrefix) -> PathOutcome {
        PathOutcome { status: Status::Prefix, reason: None, ..self.outcome(&prefix.so_far()) }
    }

    /// Searches for the rest; the answer.
    pub(in crate::world) fn resume(&self, prefix: PathPrefix) -> PathOutcome {
        self.outcome(&self.job.resume(prefix))
    }

    fn outcome(&self, result: &SearchResult) -> PathOutcome {
        self.search.outcome(Engine::Haa, result)
    }
}
