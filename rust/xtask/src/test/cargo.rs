//! The steps that cargo does.

use anyhow::{Result, ensure};
use xshell::{Cmd, cmd};

use super::Context;
use crate::process::{self, Finished, Limits};
use crate::progress::say;
use crate::report::{Findings, Heartbeat, Statistics};
use crate::{addon, files};

/// A cold build of the Godot binding takes minutes on a small machine; nothing here takes this long.
const LIMITS: Limits = Limits::seconds(3600, 3600);
/// What a quick run takes of the programs in `tests/tests`.
const QUICK_TESTS: [&str; 6] = ["borrows", "capabilities", "diagnose", "imports", "laws", "regressions"];
/// The laws that it leaves out: they compare searches of many maps.
const LONG_LAWS: [&str; 5] = ["engines::", "searches::", "repairs::", "threads::", "walkers::"];

/// Formatting.
pub fn rustfmt(context: &Context<'_>) -> Result<Findings> {
    let sh = &context.sh;
    check(context, "rustfmt", cmd!(sh, "cargo fmt --all --check"), "cargo fmt --all")
}

/// Lints.
pub fn clippy(context: &Context<'_>) -> Result<Findings> {
    let sh = &context.sh;
    let command = cmd!(sh, "cargo clippy --workspace --all-targets -- -D warnings");
    check(context, "clippy", command, "cargo clippy --workspace --all-targets")
}

/// Documentation.
pub fn doc(context: &Context<'_>) -> Result<Findings> {
    let sh = &context.sh;
    let command = cmd!(sh, "cargo doc --workspace --no-deps").env("RUSTDOCFLAGS", "-D warnings");
    check(context, "cargo doc", command, "RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps")
}

/// The library, as it is shipped.
pub fn release_build(context: &Context<'_>) -> Result<Findings> {
    context.release_build()?;
    Ok(Findings::passed())
}

/// The library for tests inside Godot.
pub fn debug_build(context: &Context<'_>) -> Result<Findings> {
    context.debug_build()?;
    Ok(Findings::passed())
}

/// Compiles the library.
pub fn library(context: &Context<'_>, release: bool) -> Result<()> {
    let command = addon::cargo_build(&context.sh, context.paths, release);
    let (step, retry) =
        if release { ("build", "cargo xtask build --release") } else { ("debug build", "cargo xtask build") };
    let findings = check(context, step, command, retry)?;
    ensure!(findings.statistics.failed == 0, findings.problems.join("\n"));
    Ok(())
}

/// The committed hashes of paths, fields, crowds and polygons, from the crates below the binding, built as
/// the users' library is. `cargo test` compares them in a debug build.
pub fn determinism(context: &Context<'_>) -> Result<Findings> {
    let sh = &context.sh;
    let digests =
        cmd!(sh, "cargo run --release --package pathforge-tests --bin digests -- tests/data/digests.txt");
    check(context, "determinism", digests, "cargo test --package pathforge-tests --test digests")
}

/// The algorithms as crates of their own: each program in the core's `examples` folder runs, and each package
/// builds from nothing but what is in it. Their doc tests are among what `cargo test` runs.
pub fn core_crate(context: &Context<'_>) -> Result<Findings> {
    let sh = &context.sh;
    let mut findings = Findings::default();
    let mut add = |command: Cmd<'_>| -> Result<()> {
        let retry = command.to_string();
        findings.add(check(context, "crate", command, &retry)?);
        Ok(())
    };
    for name in files::names_in(&context.paths.root.join("rust/core/examples"))? {
        let name = name.to_string_lossy();
        let name = name.trim_end_matches(".rs");
        add(cmd!(sh, "cargo run --package pathforge-core --example {name}"))?;
    }
    // The registry is not asked: what they depend on is there since the workspace was built.
    let packages = ["core", "navmesh", "platformer"].map(|name| format!("--package=pathforge-{name}"));
    add(cmd!(sh, "cargo package --offline --allow-dirty {packages...}"))?;
    Ok(findings)
}

/// The unit tests, and other tests that take seconds.
pub fn quick_tests(context: &Context<'_>) -> Result<Findings> {
    let sh = &context.sh;
    let units = ["--lib", "--bins"];
    let others = QUICK_TESTS.iter().flat_map(|name| ["--test", name]);
    let skipped = LONG_LAWS.iter().flat_map(|name| ["--skip", name]);
    let mut findings = Findings::default();
    for command in [
        cmd!(sh, "cargo test --workspace --no-fail-fast {units...}"),
        cmd!(sh, "cargo test --workspace --no-fail-fast {others...} -- {skipped...}"),
    ] {
        let retry = command.to_string();
        findings.add(run_tests(context, "cargo test", command, &retry)?);
    }
    Ok(findings)
}

/// Every test that `cargo test` knows, counted one by one.
pub fn tests(context: &Context<'_>) -> Result<Findings> {
    let (sh, filter) = (&context.sh, context.filter);
    let command = cmd!(sh, "cargo test --workspace --no-fail-fast {filter...}");
    run_tests(context, "cargo test", command, "cargo test --workspace")
}

/// Runs tests by cargo, and counts them one by one.
pub fn run_tests(context: &Context<'_>, step: &str, command: Cmd<'_>, retry: &str) -> Result<Findings> {
    let heartbeat = Heartbeat::start();
    let (mut statistics, mut failed, mut program) = (Statistics::default(), Vec::new(), String::new());
    let finished = process::watch(command, LIMITS, &mut |line| {
        tell(&heartbeat, line);
        if let Some(name) = line.trim_start().strip_prefix("Running ") {
            name.clone_into(&mut program);
        } else if let Some(name) = line.trim_start().strip_prefix("Doc-tests ") {
            program = format!("documentation of {name}");
        } else if let Some(of_program) = read_result(line) {
            if of_program != Statistics::default() {
                say(format_args!("{of_program}: {program}"));
            }
            statistics += of_program;
        } else if let Some(test) =
            line.strip_prefix("test ").and_then(|rest| rest.strip_suffix(" ... FAILED"))
        {
            failed.push(test.to_owned());
        }
    })?;
    drop(heartbeat);

    let log = context.keep_log(step, &finished);
    let mut findings = Findings { statistics, problems: Vec::new() };
    if statistics.skipped > 0 {
        findings.problems.push(format!("{} tests are marked #[ignore] and were not run", statistics.skipped));
    }
    if finished.succeeded() {
        return Ok(findings);
    }
    if statistics.failed == 0 {
        // It did not compile, crashed or was stopped: tests are missing from the sum.
        findings.statistics.failed = 1;
    }
    let failed = if failed.is_empty() { finished.ending() } else { failed.join(", ") };
    findings.problems.push(format!(
        "failed: {failed}\n{}\nthe whole output: {log}\ntry: {retry}",
        relevant(&finished).join("\n")
    ));
    Ok(findings)
}

/// One check that is right when the command succeeds.
pub fn check(context: &Context<'_>, step: &str, command: Cmd<'_>, retry: &str) -> Result<Findings> {
    let heartbeat = Heartbeat::start();
    let finished = process::watch(command, LIMITS, &mut |line| tell(&heartbeat, line))?;
    drop(heartbeat);
    if finished.succeeded() {
        return Ok(Findings::passed());
    }
    let log = context.keep_log(step, &finished);
    Ok(Findings::failed(format!(
        "{}\n{}\nthe whole output: {log}\ntry: {retry}",
        finished.ending(),
        relevant(&finished).join("\n")
    )))
}

/// Of cargo's output, the lines that say what it is at.
fn tell(heartbeat: &Heartbeat, line: &str) {
    let first = line.split_whitespace().next().unwrap_or_default();
    if ["Compiling", "Checking", "Documenting", "Finished", "Running", "Doc-tests", "test"].contains(&first) {
        heartbeat.at(line);
    }
}

/// Reads `test result: ok. 12 passed; 0 failed; 1 ignored; …`.
fn read_result(line: &str) -> Option<Statistics> {
    let (_, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let count = |what: &str| {
        let part = counts.split(';').find_map(|part| part.trim().strip_suffix(what));
        part.and_then(|number| number.trim().parse().ok()).unwrap_or(0)
    };
    Some(Statistics { passed: count("passed"), failed: count("failed"), skipped: count("ignored") })
}

/// The part of a failed command's output that says why: from the first error or failure on, at most sixty
/// lines.
fn relevant(finished: &Finished) -> &[String] {
    let says_why = |line: &String| {
        line.starts_with("error")
            || line.starts_with("Diff in")
            || line.starts_with("---- ")
            || line.starts_with("differs: ")
            || line == "failures:"
    };
    let first = finished.lines.iter().position(says_why);
    let first = first.unwrap_or(finished.lines.len().saturating_sub(60));
    let last = finished.lines.len().min(first + 60);
    &finished.lines[first..last]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read() {
        let line = "test result: FAILED. 12 passed; 2 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.1s";
        assert_eq!(read_result(line), Some(Statistics { passed: 12, failed: 2, skipped: 1 }));
        let line =
            "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s";
        assert_eq!(read_result(line), Some(Statistics::default()));
        assert_eq!(read_result("test geometry::cells ... ok"), None);
    }

    #[test]
    fn what_says_why_is_shown() {
        let text = "Compiling a\nerror[E0308]: mismatched types\n --> src/a.rs";
        let lines = text.lines().map(str::to_owned).collect();
        let finished = Finished { lines, stopped: None, code: Some(101) };
        assert_eq!(relevant(&finished)[0], "error[E0308]: mismatched types");
    }
}
