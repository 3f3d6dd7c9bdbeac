//! When a walker asks for a path: at once where it needs one, later where an edit may have opened a better
//! one.
//!
//! There is one request under way at most. Those for better paths wait: no walker asks again before its
//! interval is over, and walkers that hear of the same edit spread over so long by their numbers, so that a
//! wall that falls does not make a thousand searches at once.

use super::{Goal, Point};
use crate::geometry::Cell;

/// Walkers without a path to their target do not all ask in the frame in which something opens, but within so
/// many seconds.
const SPREAD_SECONDS: f64 = 0.25;

/// Why a path is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// There may be a better path, or one at last: what comes is taken only then.
    Improve,
    /// There is none that can be walked to its end.
    Replace,
    /// Others stand in the way: one that leads to the same end past them is taken, whatever it costs.
    GoRound,
    /// The same after an edit, where none led past them: others may have left where it asked to go round
    /// them, so if none does now, it forgets where they stood.
    GoRoundAgain,
}

impl Purpose {
    /// Returns `true` if it is for a path past others.
    pub fn goes_round(self) -> bool {
        matches!(self, Self::GoRound | Self::GoRoundAgain)
    }
}

/// A request that is not answered yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub start: Cell,
    pub goal: Goal,
    pub purpose: Purpose,
    /// Where the body was.
    pub position: Point,
    /// Its answer is of no use, whatever it is.
    pub is_void: bool,
}

/// The request under way, of which there is one at most, and the one that is to be made next.
#[derive(Debug, Default)]
pub(super) struct Requests {
    pub wanted: Option<Purpose>,
    pub asked: Option<Asked>,
    pub retries: Retries,
}

impl Requests {
    /// Returns the requests of the walker with this number.
    pub fn new(id: u64) -> Self {
        Self { retries: Retries::new(id), ..Self::default() }
    }

    /// A path is to be asked for, whatever there is.
    pub fn need(&mut self) {
        self.wanted = Some(Purpose::Replace);
    }

    /// Nothing is wanted any more; the answer to a request under way is of no use.
    pub fn drop_all(&mut self) {
        self.wanted = None;
        self.retries.due = None;
        // It is not forgotten: the next request waits for its answer, so that no other is taken for it.
        if let Some(asked) = &mut self.asked {
            asked.is_void = true;
        }
    }

    /// A request was made.
    pub fn ask(&mut self, (start, position): (Cell, Point), goal: Goal, purpose: Purpose) {
        debug_assert!(self.asked.is_none(), "one request at a time");
        self.wanted = None;
        self.asked = Some(Asked { start, goal, purpose, position, is_void: false });
        self.retries.ask();
    }

    /// Lets time pass; `purpose` is that of the request that an edit may have made due.
    pub fn pass(&mut self, seconds: f64, interval: f64, purpose: Purpose) {
        self.retries.clock += seconds;
        if self.asked.is_none() && self.wanted.is_none() && self.retries.are_due(interval) {
            self.wanted = Some(purpose);
        }
    }

    /// Returns `true` if a path is wanted now or later, or under way.
    pub fn are_pending(&self) -> bool {
        self.wanted.is_some() || self.retries.due.is_some() || self.asked.is_some_and(|asked| !asked.is_void)
    }

    /// Returns `true` if a path is to come that is needed.
    pub fn are_needed(&self) -> bool {
        self.wanted == Some(Purpose::Replace)
            || self.asked.is_some_and(|asked| asked.purpose == Purpose::Replace && !asked.is_void)
    }
}

/// When a walker asks again because of edits that do not touch its path.
#[derive(Debug, Default)]
pub(super) struct Retries {
    /// Seconds that have passed.
    clock: f64,
    /// When it asked last, and when it may ask for any path again.
    asked_at: f64,
    again: f64,
    /// When it is to ask, by its clock, after an edit that may have opened a path.
    due: Option<f64>,
    /// Its share of the time within which walkers ask, from 0 to 1.
    share: f64,
}

impl Retries {
    fn new(id: u64) -> Self {
        // The fractional parts of multiples of the golden ratio are spread evenly, however many there are.
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        Self { share: id.wrapping_mul(STEP) as f64 / u64::MAX as f64, ..Self::default() }
    }

    fn ask(&mut self) {
        (self.asked_at, self.due) = (self.clock, None);
    }

    /// There may be a better path than the one that is walked.
    pub fn for_better(&mut self, interval: f64) {
        self.wait_until((self.asked_at + interval).max(self.clock + interval * self.share));
    }

    /// There may be a path at last, or one that leads farther.
    pub fn for_any(&mut self, interval: f64) {
        self.wait_until(self.again.max(self.clock + SPREAD_SECONDS.min(interval) * self.share));
    }

    fn wait_until(&mut self, due: f64) {
        self.due = Some(self.due.map_or(due, |earlier| earlier.min(due)));
    }

    /// Returns `true` if it is time to ask; then none is due any more.
    fn are_due(&mut self, interval: f64) -> bool {
        let are_due = self.due.take_if(|due| self.clock >= *due).is_some();
        if are_due {
            self.again = self.clock + interval;
        }
        are_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// When each of some walkers asks again, in seconds after an edit.
    fn times(count: u64, retry: fn(&mut Retries, f64)) -> Vec<f64> {
        let time = |id| {
            let mut requests = Requests::new(id);
            requests.pass(10.0, 1.0, Purpose::Improve);
            retry(&mut requests.retries, 1.0);
            let frames = (1..200).find(|_| {
                requests.pass(0.01, 1.0, Purpose::Improve);
                requests.wanted.is_some()
            });
            f64::from(frames.expect("it asks")) * 0.01
        };
        (0..count).map(time).collect()
    }

    #[test]
    fn walkers_spread_over_the_time_by_their_numbers() {
        for (retry, most) in
            [(Retries::for_better as fn(&mut Retries, f64), 1.0), (Retries::for_any, SPREAD_SECONDS)]
        {
            let times = times(100, retry);
            for part in 0..5 {
                let (start, end) = (most * f64::from(part) / 5.0, most * f64::from(part + 1) / 5.0);
                let count = times.iter().filter(|&&time| time > start + 0.01 && time <= end + 0.01).count();
                assert!((12..=28).contains(&count), "{count} of 100 from {start} to {end} seconds");
            }
        }
        assert_eq!(times(9, Retries::for_any), times(9, Retries::for_any), "the same each time");
    }

    #[test]
    fn retries_wait_for_their_interval() {
        let mut requests = Requests::new(0);
        requests.retries.for_any(1.0);
        requests.pass(0.0, 1.0, Purpose::Improve);
        assert_eq!(requests.wanted.take(), Some(Purpose::Improve), "at once, by its share");
        requests.retries.for_any(1.0);
        requests.pass(0.9, 1.0, Purpose::Improve);
        assert_eq!(requests.wanted, None, "not so soon again");
        requests.pass(0.1, 1.0, Purpose::Improve);
        assert_eq!(requests.wanted, Some(Purpose::Improve));
    }
}
