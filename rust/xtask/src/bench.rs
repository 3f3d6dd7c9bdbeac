//! The measured comparisons.

use std::process::ExitCode;

use anyhow::Result;
use fs_err as fs;
use xshell::cmd;

use crate::paths::Paths;
use crate::{addon, flags, godot, process};

/// Tells the benchmark program how to start Godot.
const GODOT_RUN: &str = "PATHFORGE_GODOT_RUN";
/// Tells it how large the library is when it is stripped.
const LIBRARY_BYTES: &str = "PATHFORGE_LIBRARY_BYTES";

/// Builds the library with optimisation and runs the benchmark program. Without a Godot it runs all the same,
/// and leaves out what needs one.
pub fn run(paths: &Paths, options: &flags::Bench) -> Result<ExitCode> {
    let sh = paths.shell()?;
    if let Some(what) = &options.vary {
        let vary = ["--profile", "optimised", "--package", "pathforge-bench", "--features", "tuning"];
        return process::run_in_foreground(cmd!(sh, "cargo run {vary...} -- --vary {what}"));
    }
    if options.pages {
        return process::run_in_foreground(cmd!(sh, "cargo run --package pathforge-bench -- --pages"));
    }
    let maps = options.maps.iter().flat_map(|dir| ["--maps".as_ref(), dir.as_os_str()]);
    let only = options.only.iter().flat_map(|name| ["--only", name]);
    let quick = options.quick.then_some("--quick");
    let write = options.write.then_some("--write");
    let mut bench = cmd!(
        sh,
        "cargo run --release --package pathforge-bench -- {maps...} {only...} {quick...} {write...}"
    );
    match godot::locate(paths) {
        Ok(godot) => {
            addon::build(paths, true)?;
            godot.import(&paths.test_project())?;
            let library = paths.addon().join("bin").join(addon::library_of_addon());
            let bytes = fs::metadata(library)?.len();
            bench = bench.env(GODOT_RUN, godot.launcher()).env(LIBRARY_BYTES, bytes.to_string());
        }
        Err(error) => eprintln!("xtask: comparisons inside Godot are left out: {error:#}"),
    }
    process::run_in_foreground(bench)
}
