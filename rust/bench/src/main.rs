//! PathForge measured beside other libraries, side by side in one process: `cargo xtask bench [--maps DIR]
//! [--only NAME] [--quick] [--write]`.

mod crowd;
mod expansions;
mod fields;
mod goals;
mod godot;
mod growth;
mod hierarchy;
mod layers;
mod levels;
mod machine;
mod maps;
mod measure;
mod navmesh;
mod options;
mod paths;
mod platformer;
mod report;

use std::time::Instant;

use options::Options;
use report::Report;

/// Measures one thing and adds its tables.
type Section = fn(&Options, &mut Report);

fn main() {
    let options = match Options::from_args(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("{message}");
            std::process::exit(2);
        }
    };
    let start = Instant::now();
    let mut report = Report::default();
    let sections: [(&str, Section); 10] = [
        ("paths", paths::run),
        ("expansions", expansions::run),
        ("layers", layers::run),
        ("fields", fields::run),
        ("crowd", crowd::run),
        ("platformer", platformer::run),
        ("navmesh", navmesh::run),
        ("hierarchy", hierarchy::run),
        ("godot", godot::run),
        ("growth", growth::run),
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
        Ok(page) => eprintln!("written: {}", page.display()),
        Err(error) => {
            eprintln!("the report cannot be written: {error}");
            std::process::exit(1);
        }
    }
}
