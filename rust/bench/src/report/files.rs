//! Where a run is written: as JSON and plots, and as pages that are made from the JSON.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde_json::{Value, json};

use super::{Report, items, markdown};
use crate::goals;
use crate::machine::Machine;
use crate::options::Options;

/// Below the repository: what only this machine is to see.
const SCRATCH: &str = "target/bench";
/// Below the repository: the run on record, its plots, and its pages for developers.
const SHOWN: &str = "docs/bench";
const RECORD: &str = "report.json";
/// The page for users.
const PAGE: &str = "BENCHMARKS.md";

const AGAIN: &str = include_str!("again.md");

/// Writes everything and returns where the tables are.
///
/// # Errors
/// When a file cannot be written.
pub fn write(report: &Report, options: &Options, seconds: f64) -> io::Result<PathBuf> {
    let folder = root().join(if options.write { SHOWN } else { SCRATCH });
    fs::create_dir_all(&folder)?;
    for plot in &report.plots {
        fs::write(folder.join(plot.name).with_extension("svg"), plot.svg()?)?;
    }
    let machine = Machine::here();
    let run = json!({
        "machine": machine.json(),
        "on": machine.words(),
        "parameters": options.json(),
        "seconds": seconds.round(),
        "report": report.json(),
    });
    fs::write(folder.join(RECORD), format!("{run:#}\n"))?;
    for (name, text) in pages(&run) {
        let place = if options.write { place(name) } else { folder.join(name) };
        fs::write(place, text)?;
    }
    Ok(folder.join("tables.md"))
}

/// Writes the pages of the run on record anew.
///
/// # Errors
/// When there is no such run, or a file cannot be written.
pub fn write_pages() -> io::Result<()> {
    pages(&record()?).into_iter().try_for_each(|(name, text)| fs::write(place(name), text))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn record() -> io::Result<Value> {
    Ok(serde_json::from_slice(&fs::read(root().join(SHOWN).join(RECORD))?)?)
}

/// Where a page of the run on record is.
fn place(name: &str) -> PathBuf {
    if name == PAGE { root().join(PAGE) } else { root().join(SHOWN).join(name) }
}

/// The pages of a run: names and texts.
fn pages(run: &Value) -> [(&'static str, String); 3] {
    let report = &run["report"];
    let on = run["on"].as_str().unwrap_or_default();
    // A goal that was given up since the run is no longer shown.
    let all: Vec<Value> = items(&report["goals"])
        .iter()
        .filter(|goal| goals::ALL.iter().any(|known| goal["goal"] == known.words))
        .cloned()
        .collect();
    let (met, measured) = score(&all);
    let asked = goals::ASKED_FIRST.iter().filter_map(|(goal, words)| {
        Some((*words, all.iter().find(|row| row["goal"] == goal.words && row["subjects"] != 0)?))
    });
    let plots: String = items(&report["plots"])
        .iter()
        .filter_map(|plot| Some(format!("![{}]({SHOWN}/{}.svg)\n\n", plot[1].as_str()?, plot[0].as_str()?)))
        .collect();
    let minutes = (run["seconds"].as_f64().unwrap_or_default() / 60.0).ceil();
    let command = run["parameters"]["command"].as_str().unwrap_or_default();
    [
        (
            PAGE,
            format!(
                "# Benchmarks\n\n{}\nMedians of one run of `{command}`, {minutes:.0} min, on {on} Warm: the data \
                 that searches use was made before the clock started. Cold: it was not.\n\n\
                 For developers: [all tables]({SHOWN}/tables.md), [{met} of {measured} goals]({SHOWN}/goals.md) \
                 that are met, the run as [JSON]({SHOWN}/{RECORD}).\n\n{plots}{AGAIN}",
                markdown::in_short(asked),
            ),
        ),
        (
            "tables.md",
            format!(
                "# All tables of the benchmarks\n\nMedians with the quartiles in brackets, interleaved rounds. Warm, \
                 unless a table says otherwise: the data that searches use was made before the clock started. \
                 Measured on {on}\n{}",
                markdown::tables(report),
            ),
        ),
        (
            "goals.md",
            format!(
                "# Goals\n\nThe goals of each issue, and what was measured on {on}\n\n\
                 {met} of {measured} are met.\n\n{}",
                markdown::goals(&all),
            ),
        ),
    ]
}

/// How many goals are met, of how many that were measured.
fn score(goals: &[Value]) -> (usize, usize) {
    let met = goals.iter().filter(|goal| goal["met"] == true).count();
    (met, goals.iter().filter(|goal| goal["subjects"] != 0).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_show_the_run_on_record() {
        for (name, text) in pages(&record().unwrap()) {
            let shown = fs::read_to_string(place(name)).unwrap();
            assert!(shown == text, "{name} is not what report.json says: try `cargo xtask bench --pages`");
        }
    }

    /// Rows are quoted whole, so that no figure differs.
    #[test]
    fn the_readme_quotes_rows_of_the_page() {
        let page = fs::read_to_string(place(PAGE)).unwrap();
        let readme = fs::read_to_string(root().join("README.md")).unwrap();
        let section = readme.split("\n## ").find(|section| section.starts_with("Three figures")).unwrap();
        let rows: Vec<&str> = section.lines().filter(|line| line.starts_with('|')).collect();
        assert_eq!(rows.len(), 5);
        for row in rows {
            assert!(page.lines().any(|line| line == row), "BENCHMARKS.md has no row {row}");
        }
    }
}
