//! Where a run is written: a page, JSON and plots.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde_json::json;

use super::Report;
use crate::machine::Machine;
use crate::options::Options;

/// Below the repository: what only this machine is to see.
const SCRATCH: &str = "target/bench";
/// Below the repository: what is shown beside the page.
const SHOWN: &str = "docs/bench";
/// The page of a whole run.
const PAGE: &str = "BENCHMARKS.md";
/// Beside the plots: every goal, and what was reached of it.
const GOALS: &str = "goals.md";

const AGAIN: &str = include_str!("again.md");

/// Writes everything and returns where the page is.
///
/// # Errors
/// When a file cannot be written.
pub fn write(report: &Report, options: &Options, seconds: f64) -> io::Result<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (page, beside, link) = if options.write {
        (root.join(PAGE), root.join(SHOWN), format!("{SHOWN}/"))
    } else {
        (root.join(SCRATCH).join("report.md"), root.join(SCRATCH), String::new())
    };
    fs::create_dir_all(&beside)?;
    let machine = Machine::here();
    for plot in &report.plots {
        fs::write(beside.join(plot.name).with_extension("svg"), plot.svg()?)?;
    }
    let run = json!({
        "machine": machine.json(),
        "parameters": options.json(),
        "seconds": seconds.round(),
        "report": report.json(),
    });
    fs::write(beside.join("report.json"), format!("{run:#}\n"))?;
    fs::write(beside.join(GOALS), goals(report, &machine))?;
    fs::write(&page, text(report, options, &machine, seconds, &link))?;
    Ok(page)
}

/// The page.
fn text(report: &Report, options: &Options, machine: &Machine, seconds: f64, link: &str) -> String {
    let (met, all) = report.score();
    let plots: Vec<String> =
        report.plots.iter().map(|plot| format!("![{}]({link}{}.svg)\n", plot.title, plot.name)).collect();
    format!(
        "# Benchmarks\n\n{}\nOne run of `{}`, {:.0} min, on {}\n\n\
         Medians with the quartiles in brackets, interleaved rounds. Warm, unless a table says otherwise: what searches run on \
         was made before the clock started. [{met} of {all} goals]({link}{GOALS}) are met. The same as \
         [JSON]({link}report.json).\n\n{}{}\n{AGAIN}",
        report.in_short(),
        options.command(),
        (seconds / 60.0).ceil(),
        machine.words(),
        plots.join("\n"),
        report.tables(),
    )
}

/// The page of the goals, by the issues that ask for them.
fn goals(report: &Report, machine: &Machine) -> String {
    let (met, all) = report.score();
    format!(
        "# Goals\n\nWhat was aimed at, by issue, and what was reached of it on {}\n\n{met} of {all} are met.\n\n{}",
        machine.words(),
        report.goals(),
    )
}
