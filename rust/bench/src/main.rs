//! PathForge measured beside other libraries, side by side in one process: `cargo xtask bench [--maps DIR]
//! [--only NAME] [--quick]`.

mod crowd;
mod expansions;
mod fields;
mod goals;
mod godot;
mod hierarchy;
mod layers;
mod levels;
mod maps;
mod measure;
mod navmesh;
mod options;
mod paths;
mod platformer;
mod report;

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
    let mut report = Report::default();
    let sections: [(&str, Section); 9] = [
        ("paths", paths::run),
        ("expansions", expansions::run),
        ("layers", layers::run),
        ("fields", fields::run),
        ("crowd", crowd::run),
        ("platformer", platformer::run),
        ("navmesh", navmesh::run),
        ("hierarchy", hierarchy::run),
        ("godot", godot::run),
    ];
    for (name, run) in sections {
        if options.wants(name) {
            eprintln!("== {name}");
            report.begin(name);
            run(&options, &mut report);
        }
    }
    print!("{}", report.markdown());
}
