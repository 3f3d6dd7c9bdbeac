//! Which steps run beside which: each as soon as what it needs is there, the first of the list first.

use std::io::{self, Write};
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::progress::Progress;
use crate::report::Findings;

/// How often it is told which steps run.
const BEAT: Duration = Duration::from_secs(10);

/// What a step wants of the machine.
#[derive(Debug, Clone, Copy)]
pub struct Needs {
    /// The steps that must have ended before it; steps that are not chosen do not count.
    pub after: &'static [&'static str],
    /// What it alone uses while it runs.
    pub alone_with: Option<Place>,
    /// It keeps a core busy: no more such steps run at once than there are cores. The others mostly wait, for
    /// frames or for the network.
    pub computes: bool,
}

/// What one step at a time uses: another one would wait for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Where cargo compiles for debugging.
    DebugBuilds,
    /// Where cargo compiles with optimisation.
    ReleaseBuilds,
    /// The display, and the frames of a game on it.
    Frames,
}

/// A step as the scheduler sees it.
pub struct Task<'a> {
    pub name: &'static str,
    /// What it checks.
    pub about: &'static str,
    pub needs: Needs,
    pub run: Box<dyn Fn() -> Result<Findings> + Sync + 'a>,
}

/// A step that has ended.
pub struct Ended {
    pub name: &'static str,
    pub findings: Findings,
    /// When it began, since the first step did.
    pub begun: Duration,
    pub took: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Waits,
    Runs,
    Ended,
}

/// Runs all of them and prints what each says when it has ended. Returns them in the order in which they
/// ended.
pub fn run(tasks: &[Task<'_>]) -> Vec<Ended> {
    let needs: Vec<(&str, Needs)> = tasks.iter().map(|task| (task.name, task.needs)).collect();
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let start = Instant::now();
    let mut states = vec![State::Waits; tasks.len()];
    let mut running: Vec<(usize, Instant, Arc<Progress>)> = Vec::new();
    let mut ended = Vec::new();
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        let mut beat = Instant::now();
        loop {
            while let Some(at) = next(&needs, &states, cores) {
                let progress = Arc::new(Progress::default());
                states[at] = State::Runs;
                running.push((at, Instant::now(), Arc::clone(&progress)));
                let (task, sender) = (&tasks[at], sender.clone());
                scope.spawn(move || work(at, task, progress, &sender));
            }
            if running.is_empty() {
                break;
            }
            match results.recv_timeout(BEAT.saturating_sub(beat.elapsed())) {
                Ok((at, findings)) => {
                    states[at] = State::Ended;
                    let place = running.iter().position(|(running, ..)| *running == at);
                    let Some((_, since, progress)) = place.map(|place| running.swap_remove(place)) else {
                        continue;
                    };
                    let (begun, took) = (since - start, since.elapsed());
                    let task = &tasks[at];
                    let step = Ended { name: task.name, findings, begun, took };
                    print_ended(&step, task.about, &progress.said(), ended.len() + 1, tasks.len());
                    ended.push(step);
                }
                Err(RecvTimeoutError::Timeout) => {
                    beat = Instant::now();
                    running.sort_by_key(|(at, ..)| *at);
                    for (at, since, progress) in &running {
                        println!(
                            "    {:4} s  {}: {}",
                            since.elapsed().as_secs(),
                            tasks[*at].name,
                            progress.at()
                        );
                    }
                    let _ = io::stdout().flush();
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    });
    ended
}

fn work(at: usize, task: &Task<'_>, progress: Arc<Progress>, sender: &Sender<(usize, Findings)>) {
    // A panic is a failure of this step, and the others go on.
    let found = catch_unwind(AssertUnwindSafe(|| Progress::of(Some(progress), || (task.run)())));
    let findings = match found {
        Ok(Ok(findings)) => findings,
        Ok(Err(error)) => Findings::failed(format!("{error:#}")),
        Err(_) => Findings::failed("xtask panicked in this step"),
    };
    let _ = sender.send((at, findings));
}

fn print_ended(step: &Ended, about: &str, said: &str, number: usize, count: usize) {
    let mut lines = vec![format!("[{number}/{count}] {}: {about}", step.name)];
    lines.extend(said.lines().map(|line| format!("    {}", line.trim_start())));
    lines.extend(
        step.findings.problems.iter().map(|problem| format!("    {}", problem.replace('\n', "\n    "))),
    );
    lines.push(format!("    {}: {} ({:.1} s)", step.name, step.findings.statistics, step.took.as_secs_f32()));
    println!("{}", lines.join("\n"));
    let _ = io::stdout().flush();
}

/// The first step that can start now.
fn next(steps: &[(&str, Needs)], states: &[State], cores: usize) -> Option<usize> {
    let running =
        || steps.iter().zip(states).filter(|(_, state)| **state == State::Runs).map(|((_, needs), _)| needs);
    let computing = running().filter(|needs| needs.computes).count();
    let has_ended = |name: &&str| {
        steps.iter().zip(states).all(|((other, _), state)| other != name || *state == State::Ended)
    };
    let can_start = |needs: &Needs| {
        needs.after.iter().all(has_ended)
            && needs.alone_with.is_none_or(|place| running().all(|other| other.alone_with != Some(place)))
            && (!needs.computes || computing < cores)
    };
    (0..steps.len()).find(|&at| states[at] == State::Waits && can_start(&steps[at].1))
}

/// The steps' clocks, and their sum beside the time that all took together.
pub fn table(steps: &[Ended], whole: Duration) -> String {
    let width = steps.iter().map(|step| step.name.len()).max().unwrap_or(0).max("together".len());
    let mut sorted: Vec<&Ended> = steps.iter().collect();
    sorted.sort_by_key(|step| step.begun);
    let mut lines = vec![format!("{:width$}  begun at  seconds", "step")];
    for step in sorted {
        let (begun, took) = (step.begun.as_secs_f32(), step.took.as_secs_f32());
        lines.push(format!("{:width$}  {begun:8.1}  {took:7.1}", step.name));
    }
    let sum: Duration = steps.iter().map(|step| step.took).sum();
    for (name, time) in [("sum", sum), ("together", whole)] {
        lines.push(format!("{name:width$}  {:8}  {:7.1}", "", time.as_secs_f32()));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEEDS: Needs = Needs { after: &[], alone_with: None, computes: true };

    #[test]
    fn a_step_starts_when_what_it_needs_is_there() {
        let steps = [
            ("a", Needs { alone_with: Some(Place::DebugBuilds), ..NEEDS }),
            ("b", Needs { alone_with: Some(Place::DebugBuilds), ..NEEDS }),
            ("c", Needs { after: &["a", "not chosen"], computes: false, ..NEEDS }),
            ("d", NEEDS),
            ("e", NEEDS),
        ];
        let mut states = [State::Waits; 5];
        let mut start = |ended: &[usize]| {
            for &at in ended {
                states[at] = State::Ended;
            }
            let mut started = String::new();
            while let Some(at) = next(&steps, &states, 2) {
                states[at] = State::Runs;
                started.push_str(steps[at].0);
            }
            started
        };
        // `b` waits for the place that `a` has, `c` for its end, and `e` for a core.
        assert_eq!(start(&[]), "ad");
        assert_eq!(start(&[0]), "bc");
        assert_eq!(start(&[1, 3]), "e");
    }

    #[test]
    fn every_step_ends_and_a_panic_is_a_failure_of_its_own() {
        let task =
            |name, run: fn() -> Result<Findings>| Task { name, about: "", needs: NEEDS, run: Box::new(run) };
        let tasks = [
            task("good", || Ok(Findings::passed())),
            task("error", || anyhow::bail!("no")),
            task("panic", || panic!("announced")),
        ];
        let mut ended = run(&tasks);
        ended.sort_by_key(|step| step.name);
        let failed: Vec<_> = ended.iter().map(|step| (step.name, step.findings.statistics.failed)).collect();
        assert_eq!(failed, [("error", 1), ("good", 0), ("panic", 1)]);
    }

    #[test]
    fn the_table_has_a_line_for_each_step_and_the_sum() {
        let step = |name, begun, took| Ended {
            name,
            findings: Findings::default(),
            begun: Duration::from_secs(begun),
            took: Duration::from_secs(took),
        };
        let table = table(&[step("late", 5, 2), step("early", 0, 6)], Duration::from_secs(7));
        let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[1..3], [["early", "0.0", "6.0"], ["late", "5.0", "2.0"]]);
        assert_eq!(lines[3..], [["sum", "8.0"], ["together", "7.0"]]);
    }
}
