//! Small maps from GDScript, as games that take turns have them, beside `AStarGrid2D`.

use crate::goals;
use crate::godot::{Line, run_script};
use crate::measure::{Samples, geometric_mean};
use crate::options::Options;
use crate::report::{Report, Table};

/// What is asked of both, with the names of the peer's and our times.
const KINDS: [(&str, &str); 3] = [("cells", "ids"), ("positions", "points"), ("toggled", "toggled")];

/// Measures.
pub fn run(options: &Options, report: &mut Report) {
    match run_script("res://bench/small.gd", options, |_| Ok(())) {
        Ok(lines) => tell(&lines, report),
        Err(error) => eprintln!("small: {error}"),
    }
}

fn tell(lines: &[Line], report: &mut Report) {
    let mut table = Table::new(
        "Small maps, from GDScript",
        "One cell in six solid, random trips, four directions or eight; weights of 2 and 3 on one cell in four. A call of \
         `get_id_path` (cells) and `get_point_path` (positions), and six cells made solid, `get_id_path`, and the six open \
         again (toggled). The last two columns: `find_path` with six cells blocked for itself, and past six obstacles, beside \
         one without.",
        "map",
    );
    let mut ratios = Vec::new();
    let mut overlays = Vec::new();
    for line in lines {
        let [plain, blocked, ignoring] =
            ["query", "blocked", "ignoring"].map(|what| line.number(&format!("ours_{what}_usec")));
        let mut row = table.row(&line.name);
        for (kind, key) in KINDS {
            let times = |whose: &str| -> Samples { line.samples(&format!("{whose}_{key}_usec")) };
            let (peer, ours) = (times("peer"), times("ours"));
            let ratio = peer.median() / ours.median();
            ratios.push(ratio);
            row = row
                .samples(&format!("PathForge, {kind}"), &ours, "µs")
                .samples(&format!("AStarGrid2D, {kind}"), &peer, "µs")
                .ratio(&format!("× {kind}"), ratio);
        }
        for (what, usec) in [("six blocked", blocked), ("six ignored", ignoring)] {
            overlays.push(usec / plain);
            row = row.ratio(&format!("× {what}"), usec / plain);
        }
        row.agree("same costs", line.agree);
    }
    let mean = geometric_mean(&ratios);
    table
        .row("**geometric mean**")
        .ratio("× cells", mean_of(&ratios, 0))
        .ratio("× positions", mean_of(&ratios, 1));
    report.add(table);
    report.reach(&goals::SMALL_MEAN, "", mean);
    report.reach(&goals::SMALL_OVERLAY, "", geometric_mean(&overlays));
}

fn mean_of(ratios: &[f64], kind: usize) -> f64 {
    let own: Vec<f64> = ratios.iter().copied().skip(kind).step_by(KINDS.len()).collect();
    geometric_mean(&own)
}
