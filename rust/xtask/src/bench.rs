//! The measured comparisons.

use std::process::ExitCode;

use crate::paths::Paths;
use crate::problem::{Outcome, While};
use crate::{addon, godot, process};

/// Tells the benchmark program how to start Godot.
const GODOT_RUN: &str = "PATHFORGE_GODOT_RUN";

/// Builds the library with optimisation and runs the benchmark program. Without a Godot it runs all the same, and
/// leaves out what needs one.
pub fn run(paths: &Paths, args: &[String]) -> Outcome<ExitCode> {
    let mut cargo = process::command(Paths::cargo());
    cargo
        .current_dir(&paths.root)
        .args(["run", "--release", "--package", "pathforge-bench", "--"])
        .args(args);
    match godot::locate(paths) {
        Ok(godot) => {
            addon::build(paths, true)?;
            godot.import(&paths.test_project())?;
            cargo.env(GODOT_RUN, godot.launcher());
        }
        Err(problem) => eprintln!("xtask: comparisons inside Godot are left out: {problem}"),
    }
    let status = cargo.status().while_doing(|| "start cargo".to_owned())?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
