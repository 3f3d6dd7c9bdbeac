//! `cargo xtask test`: every check that the project has, step by step, and their sum.

mod cargo;
mod clone;
mod editor;
mod game;
mod gdscript;
mod godot;
mod package;
mod reference;
mod suites;

use std::cell::OnceCell;
use std::process::ExitCode;
use std::time::Instant;
use std::{env, fs};

use crate::godot::Godot;
use crate::paths::Paths;
use crate::problem::Outcome;
use crate::process::Finished;
use crate::report::{Findings, Statistics};

/// What the steps share.
pub struct Context<'a> {
    /// The repository.
    pub paths: &'a Paths,
    /// Part of the names of the tests to run; none runs all.
    pub filter: Option<&'a str>,
    godot: OnceCell<Godot>,
}

impl Context<'_> {
    /// Godot, found or set up at the first call.
    pub fn godot(&self) -> Outcome<&Godot> {
        if self.godot.get().is_none() {
            let _ = self.godot.set(crate::godot::locate(self.paths)?);
        }
        Ok(self.godot.get().expect("it was set above"))
    }

    /// Keeps a step's whole output, and returns where, relative to the repository.
    pub fn keep_log(&self, step: &str, finished: &Finished) -> String {
        let path = self.paths.scratch().join("logs").join(format!("{}.log", step.replace(' ', "-")));
        if crate::files::make_dir(path.parent().unwrap_or(&path)).is_err() {
            return "not kept".to_owned();
        }
        let _ = fs::write(&path, finished.lines.join("\n"));
        path.strip_prefix(&self.paths.root).unwrap_or(&path).display().to_string()
    }
}

/// One named step.
struct Step {
    name: &'static str,
    /// What it checks, for the person who watches.
    about: &'static str,
    /// It runs tests that have names of their own, which a filter can choose.
    has_named_tests: bool,
    run: fn(&Context<'_>) -> Outcome<Findings>,
}

/// Every step, the quickest first.
const STEPS: [Step; 18] = [
    Step { name: "rustfmt", about: "Rust is formatted", has_named_tests: false, run: cargo::rustfmt },
    Step {
        name: "gdformat",
        about: "GDScript is formatted",
        has_named_tests: false,
        run: gdscript::gdformat,
    },
    Step { name: "gdlint", about: "GDScript has no lint", has_named_tests: false, run: gdscript::gdlint },
    Step { name: "clippy", about: "Rust has no warning", has_named_tests: false, run: cargo::clippy },
    Step {
        name: "cargo test",
        about: "unit, property and law tests",
        has_named_tests: true,
        run: cargo::tests,
    },
    Step {
        name: "determinism",
        about: "an optimised build comes to the committed hashes",
        has_named_tests: false,
        run: cargo::determinism,
    },
    Step {
        name: "crate",
        about: "the core's example programs run, and it can be packaged alone",
        has_named_tests: false,
        run: cargo::core_crate,
    },
    Step {
        name: "fuzz",
        about: "no bytes that break a law turn up in 20 seconds a target",
        has_named_tests: false,
        run: |context| crate::fuzz::round(context.paths),
    },
    Step {
        name: "cargo doc",
        about: "documentation has no warning",
        has_named_tests: false,
        run: cargo::doc,
    },
    Step {
        name: "build",
        about: "the library builds, with optimisation",
        has_named_tests: false,
        run: cargo::build,
    },
    Step { name: "godot suites", about: "tests inside Godot", has_named_tests: true, run: godot::suites },
    Step {
        name: "rendered suites",
        about: "tests of what is drawn, on a virtual display",
        has_named_tests: true,
        run: godot::rendered_suites,
    },
    Step {
        name: "torture",
        about: "everything at once inside Godot, for 20 seconds",
        has_named_tests: true,
        run: godot::torture,
    },
    Step {
        name: "editor",
        about: "the plugin in Godot's editor",
        has_named_tests: true,
        run: editor::plugin,
    },
    Step {
        name: "reference",
        about: "the class reference says what F1 says; lessons and links of all pages",
        has_named_tests: false,
        run: reference::pages,
    },
    Step {
        name: "demo scenes",
        about: "every demo scene runs",
        has_named_tests: true,
        run: godot::demo_scenes,
    },
    Step {
        name: "package",
        about: "the zip, unpacked, is an installed addon",
        has_named_tests: false,
        run: package::package,
    },
    Step {
        name: "install",
        about: "a clone becomes an installed addon",
        has_named_tests: false,
        run: clone::install,
    },
];

/// Runs the steps whose name contains `filter`; when there are none, the tests whose name does.
pub fn run(paths: &Paths, filter: Option<&str>) -> ExitCode {
    let named: Vec<&Step> =
        STEPS.iter().filter(|step| filter.is_none_or(|part| step.name.contains(part))).collect();
    let (steps, filter) = if named.is_empty() {
        (STEPS.iter().filter(|step| step.has_named_tests).collect(), filter)
    } else {
        (named, None)
    };
    let context = Context { paths, filter, godot: OnceCell::new() };

    let mut sum = Statistics::default();
    let mut failed_steps = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        println!("[{}/{}] {}: {}", at + 1, steps.len(), step.name, step.about);
        let start = Instant::now();
        let findings = (step.run)(&context).unwrap_or_else(|problem| Findings::failed(problem.to_string()));
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
    if sum.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs the torture as `args` say.
pub fn torture(paths: &Paths, args: &[String]) -> ExitCode {
    let context = Context { paths, filter: None, godot: OnceCell::new() };
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let findings =
        godot::torture_by(&context, &args).unwrap_or_else(|problem| Findings::failed(problem.to_string()));
    for problem in &findings.problems {
        println!("{problem}");
    }
    println!("{}", findings.statistics);
    if findings.statistics.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// On a machine that decides what is released, a check that was not made is no check.
fn is_strict() -> bool {
    env::var("CI").is_ok_and(|value| value == "true")
}
