//! What one call costs of the verbs that games call for each cell, unit and frame, from GDScript.

use crate::goals;
use crate::godot::run_script;
use crate::options::Options;
use crate::report::{Goal, Report, Table};

/// Measures.
pub fn run(options: &Options, report: &mut Report) {
    let lines = match run_script("res://bench/calls.gd", options, |_| Ok(())) {
        Ok(lines) => lines,
        Err(error) => return eprintln!("calls: {error}"),
    };
    let mut table = Table::new(
        "One call, from GDScript",
        "The time of an empty loop is taken off. What is left is what Godot and the binding take to hand over a call, its arguments \
         and its result, and the work.",
        "verb",
    );
    for line in &lines {
        let row = table.row(format!("`{}`", line.name));
        row.samples("PathForge", &line.samples("ours_usec"), "µs");
        if line.number("peer_usec").is_finite() {
            row.samples("AStarGrid2D", &line.samples("peer_usec"), "µs");
        }
        if let Some(goal) = goal_of(&line.name) {
            report.reach(goal, &line.name, line.number("ours_usec"));
        }
    }
    report.add(table);
}

/// The goal of a verb; an edit with a listener has none.
fn goal_of(verb: &str) -> Option<&'static Goal> {
    match verb {
        "set_point_solid" => Some(&goals::CALL_SET),
        "set_point_solid with a listener" => None,
        _ => Some(&goals::CALL_READ),
    }
}
