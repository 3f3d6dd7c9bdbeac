//! The measured comparisons.

use std::fs;
use std::process::ExitCode;

use crate::paths::Paths;
use crate::problem::{Outcome, While};
use crate::{addon, godot, package, process};

/// Tells the benchmark program how to start Godot.
const GODOT_RUN: &str = "PATHFORGE_GODOT_RUN";
/// Tells it how large the library is when it is stripped.
const LIBRARY_BYTES: &str = "PATHFORGE_LIBRARY_BYTES";

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
            cargo.env(GODOT_RUN, godot.launcher()).env(LIBRARY_BYTES, stripped_bytes(paths)?.to_string());
        }
        Err(problem) => eprintln!("xtask: comparisons inside Godot are left out: {problem}"),
    }
    let status = cargo.status().while_doing(|| "start cargo".to_owned())?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The size of the library that users get.
fn stripped_bytes(paths: &Paths) -> Outcome<u64> {
    let name = addon::library_of_addon();
    let folder = paths.target.join("bench");
    let copy = folder.join(&name);
    let doing = || format!("measure a stripped copy of {name}");
    fs::create_dir_all(&folder).while_doing(doing)?;
    fs::copy(paths.addon().join("bin").join(&name), &copy).while_doing(doing)?;
    package::strip(&copy)?;
    let bytes = fs::metadata(&copy).while_doing(doing)?.len();
    fs::remove_file(&copy).while_doing(doing)?;
    Ok(bytes)
}
