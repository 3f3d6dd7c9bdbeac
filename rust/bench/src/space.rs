//! A grid in 3D space, from GDScript: conversions, heights by the rays of the engine's physics, and a crowd
//! that is drawn on its ground. Also steps and nodes in space beside steps and nodes on the plane.

use crate::goals;
use crate::godot::run_script;
use crate::options::Options;
use crate::report::{Report, Table};

/// Measures.
pub fn run(options: &Options, report: &mut Report) {
    let lines = match run_script("res://bench/space.gd", options, |_| Ok(())) {
        Ok(lines) => lines,
        Err(error) => return eprintln!("space: {error}"),
    };
    let mut table = Table::new(
        "Positions in 3D space, from GDScript",
        "10,000 positions in one call, on hills of 512² cells.",
        "method",
    );
    let mut drawn = Table::new(
        "A crowd of 10,000 that is drawn",
        "Transforms and colours of all agents in one frame, written into the MultiMesh.",
        "crowd",
    );
    let mut scans = Table::new(
        "Heights by rays, a plain with 1,000 boxes",
        "What the rays of all frames take together, and those of the longest frame but one in fifty, with the engine's own work for them.",
        "scan",
    );
    let mut beside = Table::new(
        "In space beside on the plane",
        "The same agents on the same map, in turn in one process: a crowd's step; and a step with `get_next_velocity` and a move of each node.",
        "what",
    );
    for line in &lines {
        let [plane, space] = ["plane_usec", "space_usec"].map(|name| line.samples(name));
        let times = space.median() / plane.median();
        if times.is_finite() {
            let row = beside.row(&line.name);
            row.samples("plane", &plane, "µs").samples("space", &space, "µs").ratio("as long", times);
            let is_step = line.name.contains("step");
            report.reach(if is_step { &goals::SPACE_STEP } else { &goals::SPACE_NODES }, "", times);
            continue;
        }
        let usec = line.samples("usec");
        let frame = line.samples("frame_usec").median() / 1e3;
        if frame.is_finite() {
            let milliseconds = usec.median() / 1e3;
            let row = scans.entry(&line.name);
            row.number("together", milliseconds, "ms").number("longest frame", frame, "ms");
            row.number("frames", line.number("frames"), "").agree("right heights", line.agree);
            report.reach(&goals::SPACE_FRAME, &line.name, frame);
            let is_part = line.name.contains("8×8");
            report.reach(if is_part { &goals::SPACE_PART } else { &goals::SPACE_SCAN }, "", milliseconds);
        } else if line.name.contains("MultiMesh") {
            drawn.row(&line.name).samples("PathForge", &usec, "µs");
            if line.name.contains("space") {
                report.reach(&goals::SPACE_MULTIMESH, "", usec.median() / 1e3);
            }
        } else {
            table.row(format!("`{}`", line.name)).samples("PathForge", &usec, "µs");
            report.reach(&goals::SPACE_POSITIONS, &line.name, usec.median() / 1e3);
        }
    }
    report.add(table);
    report.add(scans);
    report.add(drawn);
    report.add(beside);
}
