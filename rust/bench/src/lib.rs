//! PathForge measured beside other libraries, side by side in one process: `cargo xtask bench [--maps DIR]
//! [--only NAME] [--quick] [--write]`.
#![allow(clippy::missing_panics_doc, reason = "a bench stops where something is wrong")]

mod arrivals;
mod calls;
mod clusters;
mod crowd;
mod expansions;
mod fields;
mod flights;
mod goals;
mod godot;
mod growth;
mod hierarchy;
mod judged;
mod layers;
pub mod levels;
mod library;
mod machine;
pub mod maps;
mod measure;
mod navmesh;
mod options;
mod patches;
mod paths;
mod platformer;
mod quality;
mod report;
mod requests;
mod small;
mod space;
#[cfg(feature = "tuning")]
mod vary;

use std::io;
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
    if let Some(what) = &options.vary {
        return vary(what);
    }
    if options.pages {
        return exit_code(report::write_pages().map(|()| "the pages of the run on record".to_owned()));
    }
    let start = Instant::now();
    let mut report = Report::default();
    // What users ask for first stands first: the page has them in this order, under these headings.
    let sections: [(&str, &str, Section); 20] = [
        ("godot", "Beside AStarGrid2D and scripts", godot::run),
        ("small", "Small maps beside AStarGrid2D", small::run),
        ("paths", "Paths beside other libraries", paths::run),
        ("clusters", "Hierarchies beside another library", clusters::run),
        ("navmesh", "Navigation polygons beside Godot's", navmesh::run),
        ("crowd", "Crowds", crowd::run),
        ("quality", "How crowds walk", quality::run),
        ("arrivals", "How groups arrive", arrivals::run),
        ("judged", "The mover, judged", judged::run),
        ("fields", "Flow fields", fields::run),
        ("requests", "Requests and edits", requests::run),
        ("hierarchy", "Huge maps", hierarchy::run),
        ("platformer", "Side views", platformer::run),
        ("space", "3D space", space::run),
        ("calls", "Single calls", calls::run),
        ("patches", "Weighted ground in patches", patches::run),
        ("expansions", "Expansions", expansions::run),
        ("layers", "What searches run on", layers::run),
        ("growth", "Growth", growth::run),
        ("library", "The library", library::run),
    ];
    for (name, heading, run) in sections {
        if options.wants(name) {
            eprintln!("== {name} ({:.0} s)", start.elapsed().as_secs_f64());
            report.begin(name, heading);
            run(&options, &mut report);
        }
    }
    print!("{}", report.goals());
    let written = report::write(&report, &options, start.elapsed().as_secs_f64());
    exit_code(written.map(|tables| tables.display().to_string()))
}

fn exit_code(written: io::Result<String>) -> ExitCode {
    match written {
        Ok(what) => {
            eprintln!("written: {what}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("the report cannot be written: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(feature = "tuning")]
fn vary(what: &str) -> ExitCode {
    vary::run(what);
    ExitCode::SUCCESS
}

#[cfg(not(feature = "tuning"))]
fn vary(_: &str) -> ExitCode {
    eprintln!(
        "`--vary` needs the feature `tuning`, with which `cargo xtask bench --vary` builds the program"
    );
    ExitCode::FAILURE
}
