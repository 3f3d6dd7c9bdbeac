//! Times of things that take turns, so that a noisy machine is noisy for all of them.

use std::time::Instant;

/// What several runs of one thing gave, in ascending order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples(Vec<f64>);

impl Samples {
    /// Those of one measurement.
    pub fn new(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        Self(values)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// All of them times `factor`: seconds become microseconds, or seconds a query.
    pub fn times(&self, factor: f64) -> Self {
        Self(self.0.iter().map(|value| value * factor).collect())
    }

    /// The value that so many in a hundred do not exceed; NaN when nothing was measured.
    pub fn percentile(&self, part: usize) -> f64 {
        let last = self.0.len().saturating_sub(1);
        self.0.get((self.0.len() * part / 100).min(last)).copied().unwrap_or(f64::NAN)
    }

    /// The middle value.
    pub fn median(&self) -> f64 {
        self.percentile(50)
    }

    /// The first and the third quartile, between which half of the values lie.
    pub fn quartiles(&self) -> [f64; 2] {
        [self.percentile(25), self.percentile(75)]
    }
}

/// Runs each of `contenders` once a round, in turn, after one round that does not count; returns the seconds
/// of each.
pub fn in_turns(rounds: usize, contenders: &mut [&mut dyn FnMut()]) -> Vec<Samples> {
    let mut times = vec![Vec::with_capacity(rounds); contenders.len()];
    for round in 0..=rounds {
        for (contender, times) in contenders.iter_mut().zip(&mut times) {
            let start = Instant::now();
            contender();
            if round > 0 {
                times.push(start.elapsed().as_secs_f64());
            }
        }
    }
    times.into_iter().map(Samples::new).collect()
}

/// The geometric mean.
pub fn geometric_mean(values: &[f64]) -> f64 {
    (values.iter().map(|v| v.ln()).sum::<f64>() / values.len() as f64).exp()
}

/// Seconds that `work` takes: the least of a few runs, so that other programs disturb it little; and its last
/// result.
pub fn quickest<T>(runs: usize, mut work: impl FnMut() -> T) -> (f64, T) {
    let mut timed = || {
        let start = Instant::now();
        let result = work();
        (start.elapsed().as_secs_f64(), result)
    };
    (1..runs).fold(timed(), |(least, _), _| {
        let (seconds, result) = timed();
        (least.min(seconds), result)
    })
}
