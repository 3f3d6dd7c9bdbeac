//! `cargo xtask test`: every check that the project has, step by step, and their sum. One, `everywhere`, waits until it is named.

mod cargo;
mod clone;
mod editor;
mod everywhere;
mod game;
mod gdscript;
mod godot;
mod package;
mod reference;
mod suites;

use std::cell::OnceCell;
use std::env;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use fs_err as fs;
use xshell::Shell;

use crate::godot::Godot;
use crate::paths::Paths;
use crate::process::Finished;
use crate::report::{Findings, Statistics};
use crate::{flags, fuzz};

/// How long `cargo xtask torture` goes on unless told otherwise.
const TORTURE_SECONDS: u32 = 120;

/// What the steps share.
pub struct Context<'a> {
    /// The repository.
    pub paths: &'a Paths,
    /// Part of the names of the tests to run; none runs all.
    pub filter: Option<&'a str>,
    /// In the repository's root.
    pub sh: Shell,
    godot: OnceCell<Godot>,
}

impl<'a> Context<'a> {
    fn new(paths: &'a Paths, filter: Option<&'a str>) -> Result<Self> {
        let sh = paths.shell()?;
        sh.set_var("CARGO_TERM_COLOR", "never");
        Ok(Self { paths, filter, sh, godot: OnceCell::new() })
    }

    /// Godot, found or set up at the first call.
    pub fn godot(&self) -> Result<&Godot> {
        if self.godot.get().is_none() {
            let _ = self.godot.set(crate::godot::locate(self.paths)?);
        }
        Ok(self.godot.get().expect("it was set above"))
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
    /// It runs tests that have names of their own, which a filter can choose.
    has_named_tests: bool,
    /// It needs more than the project sets up, or more time: it runs only when it is named.
    on_demand: bool,
}

type Run = fn(&Context<'_>) -> Result<Findings>;

/// A step that is one check, or checks without names.
const fn step(name: &'static str, about: &'static str, run: Run) -> Step {
    Step { name, about, run, has_named_tests: false, on_demand: false }
}

/// A step that runs tests with names of their own.
const fn tests(name: &'static str, about: &'static str, run: Run) -> Step {
    Step { name, about, run, has_named_tests: true, on_demand: false }
}

/// Every step, the quickest first.
const STEPS: [Step; 20] = [
    step("rustfmt", "Rust is formatted", cargo::rustfmt),
    step("gdformat", "GDScript is formatted", gdscript::gdformat),
    step("gdlint", "GDScript has no lint", gdscript::gdlint),
    step("clippy", "Rust has no warning", cargo::clippy),
    tests("cargo test", "unit, property and law tests", cargo::tests),
    step("determinism", "an optimised build comes to the committed hashes", cargo::determinism),
    step("crate", "the core's example programs run, and it can be packaged alone", cargo::core_crate),
    step("fuzz", "no bytes that break a law turn up in 20 seconds a target", |context| {
        fuzz::round(context.paths)
    }),
    step("cargo doc", "documentation has no warning", cargo::doc),
    step("build", "the library builds, with optimisation", cargo::build),
    tests("godot suites", "tests inside Godot", godot::suites),
    tests(
        "no threads",
        "requests, fields, crowds and bakes with no worker thread",
        godot::suites_without_threads,
    ),
    tests("rendered suites", "tests of what is drawn, on a virtual display", godot::rendered_suites),
    tests("torture", "everything at once inside Godot, for 20 seconds", godot::torture),
    tests("editor", "the plugin in Godot's editor", editor::plugin),
    step(
        "reference",
        "the class reference says what F1 says; lessons and links of all pages",
        reference::pages,
    ),
    tests("demo scenes", "every demo scene runs", godot::demo_scenes),
    step("package", "the zip, unpacked, is an installed addon", package::package),
    step("install", "a clone becomes an installed addon", clone::install),
    Step {
        on_demand: true,
        ..step("everywhere", "the same results on other processors and systems", everywhere::places)
    },
];

/// Runs the steps whose name contains `filter`; when there are none, the tests whose name does.
pub fn run(paths: &Paths, filter: Option<&str>) -> Result<ExitCode> {
    let is_named = |step: &&Step| filter.map_or(!step.on_demand, |part| step.name.contains(part));
    let named: Vec<&Step> = STEPS.iter().filter(is_named).collect();
    let (steps, filter) = if named.is_empty() {
        (STEPS.iter().filter(|step| step.has_named_tests).collect(), filter)
    } else {
        (named, None)
    };
    let context = Context::new(paths, filter)?;

    let mut sum = Statistics::default();
    let mut failed_steps = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        println!("[{}/{}] {}: {}", at + 1, steps.len(), step.name, step.about);
        let start = Instant::now();
        let findings = (step.run)(&context).unwrap_or_else(|error| Findings::failed(format!("{error:#}")));
        for problem in &findings.problems {
            println!("    {}", problem.replace('\n', "\n    "));
        }
        println!("    {}: {} ({:.1} s)", step.name, findings.statistics, start.elapsed().as_secs_f32());
        if findings.statistics.failed > 0 {
            failed_steps.push(step.name);
        }
        sum += findings.statistics;
    }

    if is_strict() && sum.skipped > 0 {
        println!("CI=true: {} skipped counted as failed", sum.skipped);
        sum = sum.strict();
    }
    if sum.passed + sum.failed + sum.skipped == 0 {
        println!("no step and no test has `{}` in its name", context.filter.unwrap_or_default());
        sum.failed = 1;
    }
    if !failed_steps.is_empty() {
        println!("failed: {}", failed_steps.join(", "));
    }
    println!("{sum}");
    Ok(sum.exit_code())
}

/// Runs the torture as `options` say.
pub fn torture(paths: &Paths, options: &flags::Torture) -> Result<ExitCode> {
    let mut args = vec![format!("--seconds={}", options.seconds.unwrap_or(TORTURE_SECONDS))];
    args.extend(options.seed.map(|seed| format!("--seed={seed}")));
    args.extend(options.rounds.map(|rounds| format!("--rounds={rounds}")));
    args.extend(options.verbose.then(|| "--verbose".to_owned()));
    let findings = godot::torture_by(&Context::new(paths, None)?, &args)?;
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
