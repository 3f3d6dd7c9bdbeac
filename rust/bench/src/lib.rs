//! PathForge measured beside other libraries, side by side in one process: `cargo xtask bench [--maps DIR]
//! [--only NAME] [--quick] [--write]`.
#![allow(clippy::missing_panics_doc, reason = "a bench stops where something is wrong")]

mod calls;
mod clusters;
mod crowd;
mod expansions;
mod fields;
mod goals;
mod godot;
mod growth;
mod hierarchy;
mod layers;
pub mod levels;
mod library;
mod machine;
pub mod maps;
mod measure;
mod navmesh;
mod options;
mod paths;
mod platformer;
mod quality;
mod report;
mod requests;
mod small;

use std::process::ExitCode;
use std::time::Instant;

pub use crowd::Scene;
pub use options::Options;
use report::Report;

/// Measures one thing and adds its tables.
type Section = fn(&Options, &mut Report);

/// Runs what the command line asks for, prints what became of the goals and writes the report.
#[must_use]
pub fn run() -> ExitCode {
    let options = Options::read();
    let start = Instant::now();
    let mut report = Report::default();
    let sections: [(&str, Section); 16] = [
        ("paths", paths::run),
        ("expansions", expansions::run),
        ("layers", layers::run),
        ("fields", fields::run),
        ("crowd", crowd::run),
        ("quality", quality::run),
        ("platformer", platformer::run),
        ("navmesh", navmesh::run),
        ("hierarchy", hierarchy::run),
        ("clusters", clusters::run),
        ("requests", requests::run),
        ("godot", godot::run),
        ("calls", calls::run),
        ("small", small::run),
        ("growth", growth::run),
        ("library", library::run),
    ];
    for (name, run) in sections {
        if options.wants(name) {
            eprintln!("== {name} ({:.0} s)", start.elapsed().as_secs_f64());
            report.begin(name);
            run(&options, &mut report);
        }
    }
    print!("{}", report.goals());
    match report::write(&report, &options, start.elapsed().as_secs_f64()) {
        Ok(page) => {
            eprintln!("written: {}", page.display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("the report cannot be written: {error}");
            ExitCode::FAILURE
        }
    }
}
