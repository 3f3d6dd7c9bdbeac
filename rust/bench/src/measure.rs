//! Times of things that take turns, so that a noisy machine is noisy for all of them.

use std::time::Instant;

/// Runs each of `contenders` once a round, in turn, after one round that does not count; returns for each the median of
/// its seconds.
pub fn take_turns(rounds: usize, contenders: &mut [&mut dyn FnMut()]) -> Vec<f64> {
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
    times.into_iter().map(median).collect()
}

/// The middle value.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The geometric mean.
pub fn geometric_mean(values: &[f64]) -> f64 {
    (values.iter().map(|v| v.ln()).sum::<f64>() / values.len() as f64).exp()
}

/// Seconds that `work` takes: the least of a few runs, so that other programs disturb it little; and its last result.
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
