//! `cargo xtask`: everything that this repository does to itself.
//!
//! Builds the library into the addon, finds or installs Godot, runs the demo and every check. The commands
//! are listed in [`flags`]; each lives in its own module.

mod addon;
mod bench;
mod debian;
mod demo;
mod export;
mod files;
mod flags;
mod fuzz;
mod godot;
mod godot_api;
mod guides;
mod package;
mod paths;
mod pictures;
mod platform;
mod process;
mod progress;
mod python;
mod record;
mod reference;
mod report;
mod scan;
mod scenes;
mod test;

use std::env;
use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;

use flags::{Xtask, XtaskCmd};
use paths::Paths;

fn main() -> ExitCode {
    let mut args: Vec<_> = env::args_os().skip(1).collect();
    // An optional argument of a command would take it for its value.
    let asks = |arg: &OsString| arg == "--help" || arg == "-h";
    let wants_help = args.iter().take_while(|arg| *arg != "--").any(asks);
    if wants_help || args.first().is_none_or(|first| first == "help") {
        args = vec!["--help".into()];
    }
    let command = match Xtask::from_vec(args) {
        Ok(xtask) => xtask.subcommand,
        Err(help) if help.is_help() => help.exit(),
        Err(error) => {
            eprintln!("xtask: {error}\n\n`cargo xtask help` tells what there is");
            return ExitCode::from(2);
        }
    };
    run(&command).unwrap_or_else(|error| {
        eprintln!("xtask: {error:#}");
        ExitCode::FAILURE
    })
}

fn run(command: &XtaskCmd) -> Result<ExitCode> {
    let paths = Paths::of_this_repository()?;
    match command {
        XtaskCmd::Build(options) => addon::build(&paths, options.release)?,
        XtaskCmd::Demo(options) => return demo::run(&paths, options),
        XtaskCmd::Test(options) => return Ok(test::run(&paths, options.filter.as_deref())),
        XtaskCmd::Bench(options) => return bench::run(&paths, options),
        XtaskCmd::Fuzz(options) => return fuzz::run(&paths, options),
        XtaskCmd::Record(options) => return record::run(&paths, options),
        XtaskCmd::Reference(_) => reference::write(&paths)?,
        XtaskCmd::GodotApi(_) => godot_api::write(&paths)?,
        XtaskCmd::Pictures(options) => return pictures::run(&paths, options),
        XtaskCmd::Torture(options) => return test::torture(&paths, options),
        XtaskCmd::Package(options) => return package::run(&paths, options),
        XtaskCmd::Export(options) => return export::run(&paths, options),
        XtaskCmd::Godot(options) => return godot::locate(&paths)?.run_in_foreground(&options.args),
    }
    Ok(ExitCode::SUCCESS)
}
