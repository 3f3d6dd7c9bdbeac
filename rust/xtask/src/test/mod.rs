//! `cargo xtask test`: every check that the project has, step by step, and their sum. One, `everywhere`,
//! waits until it is named.

mod cargo;
mod clone;
mod editor;
mod everywhere;
mod game;
mod gdscript;
mod godot;
mod package;
mod played;
mod reference;
mod schedule;
mod shared;
mod suites;
mod words;
mod workflows;

use std::env;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use fs_err as fs;
use xshell::Shell;

use crate::paths::Paths;
use crate::process::Finished;
use crate::report::{Findings, Statistics};
use crate::{flags, fuzz};
use schedule::{Needs, Place, Task};
use shared::Shared;

/// How long `cargo xtask torture` goes on unless told otherwise.
const TORTURE_SECONDS: u32 = 120;
/// The word that chooses the quick steps.
const QUICK: &str = "quick";

/// What a step works with.
pub struct Context<'a> {
    /// The repository.
    pub paths: &'a Paths,
    /// Part of the names of the tests to run; none runs all.
    pub filter: Option<&'a str>,
    /// In the repository's root.
    pub sh: Shell,
    /// What is made once for all steps.
    shared: &'a Shared,
}

impl<'a> Context<'a> {
    fn new(paths: &'a Paths, filter: Option<&'a str>, shared: &'a Shared) -> Result<Self> {
        let sh = paths.shell()?;
        sh.set_var("CARGO_TERM_COLOR", "never");
        Ok(Self { paths, filter, sh, shared })
    }

    /// Keeps a step's whole output, and returns where, relative to the repository.
    pub fn keep_log(&self, step: &str, finished: &Finished) -> String {
        let folder = self.paths.scratch().join("logs");
        let path = folder.join(format!("{}.log", step.replace(' ', "-")));
        let kept = fs::create_dir_all(&folder).and_then(|()| fs::write(&path, finished.lines.join("\n")));
        if kept.is_err() {
            return "not kept".to_owned();
        }
        path.strip_prefix(&self.paths.root).unwrap_or(&path).display().to_string()
    }
}

/// One named step.
struct Step {
    name: &'static str,
    /// What it checks, for the person who watches.
    about: &'static str,
    run: Run,
    needs: Needs,
    /// It runs tests that have names of their own, which a filter can choose.
    has_named_tests: bool,
    /// What it does in a quick run; none leaves it out.
    quick: Option<Run>,
    /// It needs more than the project sets up, or more time: it runs only when it is named.
    on_demand: bool,
}

type Run = fn(&Context<'_>) -> Result<Findings>;

/// A step that is one check, or checks without names, and keeps a core busy.
const fn step(name: &'static str, about: &'static str, run: Run) -> Step {
    let needs = Needs { after: &[], alone_with: None, computes: true };
    Step { name, about, run, needs, has_named_tests: false, quick: None, on_demand: false }
}

/// A step that runs tests with names of their own.
const fn tests(name: &'static str, about: &'static str, run: Run) -> Step {
    Step { has_named_tests: true, ..step(name, about, run) }
}

impl Step {
    /// It starts when these have ended.
    const fn after(self, names: &'static [&'static str]) -> Self {
        Self { needs: Needs { after: names, ..self.needs }, ..self }
    }

    /// No other step uses this place meanwhile.
    const fn alone_with(self, place: Place) -> Self {
        Self { needs: Needs { alone_with: Some(place), ..self.needs }, ..self }
    }

    /// It mostly waits.
    const fn waits(self) -> Self {
        Self { needs: Needs { computes: false, ..self.needs }, ..self }
    }

    /// What it does in a quick run.
    const fn quick(self, run: Run) -> Self {
        Self { quick: Some(run), ..self }
    }

    const fn on_demand(self) -> Self {
        Self { on_demand: true, ..self }
    }
}

const DEBUG_BUILD: &str = "debug build";
const RELEASE_BUILD: &str = "build";
const UNIT_TESTS: &str = "cargo test";

/// Every step. The first in this list that can start does: steps that others wait for come first.
const STEPS: [Step; 25] = [
    step("rustfmt", "Rust is formatted", cargo::rustfmt).quick(cargo::rustfmt),
    step(DEBUG_BUILD, "the library builds, with its assertions", cargo::debug_build)
        .alone_with(Place::DebugBuilds),
    step("godot", "Godot is here, or can be set up", godot::set_up).waits(),
    tests("godot suites", "tests inside Godot", godot::suites)
        .after(&[DEBUG_BUILD])
        .alone_with(Place::Frames)
        .waits()
        .quick(godot::quick_suites),
    step(RELEASE_BUILD, "the library builds, with optimisation", cargo::release_build)
        .alone_with(Place::ReleaseBuilds),
    tests("demo scenes", "every demo scene runs", godot::demo_scenes)
        .after(&[RELEASE_BUILD])
        .alone_with(Place::Frames)
        .waits(),
    tests(
        "no threads",
        "requests, fields, crowds and bakes with no worker thread",
        godot::suites_without_threads,
    )
    .after(&[DEBUG_BUILD])
    .alone_with(Place::Frames)
    .waits(),
    tests("rendered suites", "tests of what is drawn, on a virtual display", godot::rendered_suites)
        .after(&[DEBUG_BUILD])
        .alone_with(Place::Frames)
        .waits(),
    tests("torture", "everything at once inside Godot, for 20 seconds", godot::torture)
        .after(&[DEBUG_BUILD])
        .alone_with(Place::Frames)
        .waits(),
    tests("editor", "the plugin in Godot's editor", editor::plugin)
        .after(&[DEBUG_BUILD])
        .alone_with(Place::Frames)
        .waits(),
    tests(UNIT_TESTS, "unit, property and law tests", cargo::tests)
        .after(&[DEBUG_BUILD])
        .alone_with(Place::DebugBuilds)
        .quick(cargo::quick_tests),
    step("clippy", "Rust has no warning", cargo::clippy).alone_with(Place::DebugBuilds).quick(cargo::clippy),
    step("cargo doc", "documentation has no warning", cargo::doc)
        .after(&["clippy"])
        .alone_with(Place::DebugBuilds),
    step(
        "crate",
        "the core's example programs run, and the algorithms' crates can be packaged",
        cargo::core_crate,
    )
    .after(&[UNIT_TESTS])
    .alone_with(Place::DebugBuilds),
    step(
        "reference",
        "the class reference says what F1 says; lessons and links of all pages",
        reference::pages,
    )
    .after(&[DEBUG_BUILD, UNIT_TESTS])
    .alone_with(Place::DebugBuilds),
    step("fuzz", "no bytes that break a law turn up in 20 seconds a target", |context| {
        fuzz::round(context.paths)
    }),
    step("determinism", "an optimised build comes to the committed hashes", cargo::determinism)
        .after(&[RELEASE_BUILD])
        .alone_with(Place::ReleaseBuilds),
    step("gdformat", "GDScript is formatted", gdscript::gdformat).quick(gdscript::gdformat),
    step("gdlint", "GDScript has no lint", gdscript::gdlint).quick(gdscript::gdlint),
    step("words", "pages, comments, errors and screens are in plain words", words::plain_words)
        .quick(words::plain_words),
    step("workflows", "the workflows have no lint", workflows::actionlint).quick(workflows::actionlint),
    step("package", "the zips, unpacked, are an installed addon and a demo", package::package)
        .after(&[RELEASE_BUILD]),
    step("install", "a clone becomes an installed addon", clone::install).after(&[RELEASE_BUILD]),
    step("everywhere", "the same results on other processors and systems", everywhere::places).on_demand(),
    step("exported demo", "the demo, exported, plays a lesson", godot::exported_demo)
        .after(&[RELEASE_BUILD])
        .waits(),
];

/// The steps that `filter` means: the quick ones, those whose name contains it, or all that have tests whose
/// name may. With each comes what it runs, and with all of them the part of a test's name.
fn chosen(filter: Option<&str>) -> (Vec<(&'static Step, Run)>, Option<&str>) {
    static ALL: [Step; 25] = STEPS;
    if filter == Some(QUICK) {
        return (ALL.iter().filter_map(|step| Some((step, step.quick?))).collect(), None);
    }
    let is_named = |step: &&Step| filter.map_or(!step.on_demand, |part| step.name.contains(part));
    let named: Vec<_> = ALL.iter().filter(is_named).map(|step| (step, step.run)).collect();
    if named.is_empty() {
        let with_tests = ALL.iter().filter(|step| step.has_named_tests);
        return (with_tests.map(|step| (step, step.run)).collect(), filter);
    }
    (named, None)
}

/// Runs the steps whose name contains `filter`; when there are none, the tests whose name does.
pub fn run(paths: &Paths, filter: Option<&str>) -> ExitCode {
    let start = Instant::now();
    let (steps, filter) = chosen(filter);
    let shared = &Shared::default();
    let task = |&(step, run): &(&'static Step, Run)| Task {
        name: step.name,
        about: step.about,
        needs: step.needs,
        run: Box::new(move || run(&Context::new(paths, filter, shared)?)),
    };
    let tasks: Vec<Task<'_>> = steps.iter().map(task).collect();
    let ended = schedule::run(&tasks);

    let mut sum = Statistics::default();
    for step in &ended {
        sum += step.findings.statistics;
    }
    let failed = ended.iter().filter(|step| step.findings.statistics.failed > 0);
    let failed: Vec<&str> = failed.map(|step| step.name).collect();
    println!("{}", schedule::table(&ended, start.elapsed()));
    if is_strict() && sum.skipped > 0 {
        println!("CI=true: {} skipped counted as failed", sum.skipped);
        sum = sum.strict();
    }
    if sum.passed + sum.failed + sum.skipped == 0 {
        println!("no step and no test has `{}` in its name", filter.unwrap_or_default());
        sum.failed = 1;
    }
    if !failed.is_empty() {
        println!("failed: {}", failed.join(", "));
    }
    println!("{sum}");
    sum.exit_code()
}

/// Runs the torture as `options` say.
pub fn torture(paths: &Paths, options: &flags::Torture) -> Result<ExitCode> {
    let mut args = vec![format!("--seconds={}", options.seconds.unwrap_or(TORTURE_SECONDS))];
    args.extend(options.seed.map(|seed| format!("--seed={seed}")));
    args.extend(options.rounds.map(|rounds| format!("--rounds={rounds}")));
    args.extend(options.verbose.then(|| "--verbose".to_owned()));
    let findings = godot::torture_by(&Context::new(paths, None, &Shared::default())?, &args)?;
    for problem in &findings.problems {
        println!("{problem}");
    }
    println!("{}", findings.statistics);
    Ok(findings.statistics.exit_code())
}

/// On a machine that decides what is released, a check that was not made is no check.
fn is_strict() -> bool {
    env::var("CI").is_ok_and(|value| value == "true")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(filter: Option<&str>) -> Vec<&str> {
        chosen(filter).0.iter().map(|(step, _)| step.name).collect()
    }

    #[test]
    fn steps_wait_for_steps_that_are_before_them() {
        for (at, step) in STEPS.iter().enumerate() {
            for name in step.needs.after {
                let before = STEPS.iter().position(|other| other.name == *name);
                assert!(before.is_some_and(|before| before < at), "{} after {name}", step.name);
            }
        }
    }

    #[test]
    fn a_word_chooses_steps_or_tests() {
        assert!(chosen(None).0.iter().all(|(step, _)| !step.on_demand));
        assert_eq!(names(Some("everywhere")), ["everywhere"]);
        assert_eq!(names(Some("build")), ["debug build", "build"]);
        assert_eq!(chosen(Some("build")).1, None);
        assert!(names(Some("wall")).contains(&"godot suites"));
        assert_eq!(chosen(Some("wall")).1, Some("wall"));
        assert!(names(Some(QUICK)).contains(&"clippy") && !names(Some(QUICK)).contains(&"build"));
    }
}
