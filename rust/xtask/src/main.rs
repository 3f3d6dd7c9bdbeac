//! `cargo xtask`: everything that this repository does to itself.
//!
//! Builds the library into the addon, finds or installs Godot, runs the demo and every check. The commands are listed
//! in [`USAGE`]; each lives in its own module.

mod addon;
mod args;
mod bench;
mod demo;
mod files;
mod fuzz;
mod godot;
mod guides;
mod package;
mod paths;
mod problem;
mod process;
mod reference;
mod report;
mod scan;
mod scenes;
mod test;

use std::process::ExitCode;

use args::Command;
use paths::Paths;
use problem::Outcome;

/// What `cargo xtask help` prints.
const USAGE: &str = "\
cargo xtask build [--release]     builds the library into demo_project and tests/godot, an optimised one into
                                  addons/pathforge/bin/, too
cargo xtask demo [--scene N]      runs the demo project
            [--headless]          plays every scene for a few seconds without a window and reports
            [--screenshot DIR]    renders every scene to DIR/NN_name.png
cargo xtask test [FILTER]         runs every check; FILTER is part of a step's name or of a test's
cargo xtask bench [--maps DIR]    runs the measured comparisons, into target/bench/
            [--only NAME]         sections whose name contains NAME
            [--quick]             fewer rounds, queries and sizes
            [--write]             a whole run, into BENCHMARKS.md and docs/bench/
cargo xtask fuzz [TARGET]         looks for bytes that break a law, in one target of the tests or in all
            [--seconds N]         for N seconds each instead of 60
            [--keep]              keeps in the tests the fewest inputs that reach what earlier runs reached
cargo xtask reference             writes docs/reference/ from the help that F1 shows, and lessons into other pages
cargo xtask torture               does everything at once to every class inside Godot
            [--seconds N]         for so long; two minutes
            [--seed N]            from another seed; it prints that of each round
            [--rounds N]          so many rounds; one repeats the round of its seed
            [--verbose]           tells each deed
cargo xtask package               writes dist/pathforge-<version>.zip
cargo xtask godot -- [ARGS...]    runs the Godot that the other commands use";

fn main() -> ExitCode {
    let command = match args::parse(std::env::args().skip(1)) {
        Ok(command) => command,
        Err(problem) => {
            eprintln!("xtask: {problem}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match run(&command) {
        Ok(code) => code,
        Err(problem) => {
            eprintln!("xtask: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: &Command) -> Outcome<ExitCode> {
    let paths = Paths::of_this_repository()?;
    match command {
        Command::Help => {
            println!("{USAGE}");
            Ok(ExitCode::SUCCESS)
        }
        Command::Build { release } => {
            addon::build(&paths, *release)?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Demo(options) => demo::run(&paths, options),
        Command::Test { filter } => Ok(test::run(&paths, filter.as_deref())),
        Command::Bench { args } => bench::run(&paths, args),
        Command::Fuzz(options) => fuzz::run(&paths, options),
        Command::Reference => {
            reference::write(&paths)?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Torture { args } => Ok(test::torture(&paths, args)),
        Command::Package => {
            package::package(&paths)?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Godot { args } => godot::locate(&paths)?.run_in_foreground(args),
    }
}
