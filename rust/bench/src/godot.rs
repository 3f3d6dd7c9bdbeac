//! PathForge beside Godot's own classes and beside GDScript, in one Godot process.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::{env, fs, io};

use pathforge_core::geometry::Cell;
use pathforge_core::terrain::Terrain;

use crate::goals;
use crate::maps::{Scenario, caves, noise, patches, random_trips, rooms, scenarios, weighted};
use crate::measure::{Samples, geometric_mean};
use crate::options::Options;
use crate::report::{Report, Table};

/// How `cargo xtask bench` says how to start Godot.
pub const LAUNCHER: &str = "PATHFORGE_GODOT_RUN";
/// Queries a map; the peers take up to a tenth of a second for each.
const QUERIES: usize = 24;

/// One line of the Godot side's answer: numbers by name, and whether both sides agreed.
pub struct Line {
    /// What was measured.
    pub name: String,
    numbers: HashMap<String, Samples>,
    /// `true` if both sides gave the same answers.
    pub agree: bool,
}

impl Line {
    /// What each round gave, or one number; nothing when there is none of that name.
    pub fn samples(&self, name: &str) -> Samples {
        self.numbers.get(name).cloned().unwrap_or_default()
    }

    /// The number of that name, the median of several, or NaN.
    pub fn number(&self, name: &str) -> f64 {
        self.samples(name).median()
    }
}

/// Measures.
pub fn run(options: &Options, report: &mut Report) {
    let prepare = |folder: &Path| -> io::Result<()> {
        all_scenarios(options).iter().try_for_each(|scenario| write(folder, scenario, options))
    };
    match run_script("res://bench/bench.gd", options, prepare) {
        Ok(lines) => tell(&lines, report),
        Err(error) => eprintln!("godot: {error}"),
    }
}

/// What a script of `tests/godot` prints about the files that `prepare` puts into a folder for it.
pub fn run_script(
    script: &str,
    options: &Options,
    prepare: impl FnOnce(&Path) -> io::Result<()>,
) -> io::Result<Vec<Line>> {
    let launcher = env::var_os(LAUNCHER).ok_or_else(|| {
        io::Error::other(format!("{LAUNCHER} is not set; start this through cargo xtask bench"))
    })?;
    let folder = env::temp_dir().join(format!("pathforge-bench-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    prepare(&folder)?;
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/godot");
    let rounds = if options.quick { "1" } else { "3" };
    let output = Command::new(launcher)
        .args(["--headless", "--path"])
        .arg(project)
        .args(["-s", script, "--"])
        .arg(&folder)
        .arg(rounds)
        .output()?;
    fs::remove_dir_all(&folder)?;
    let text = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<Line> =
        text.lines().filter_map(|line| line.strip_prefix("BENCH ")).filter_map(parse).collect();
    if lines.is_empty() {
        return Err(io::Error::other(format!(
            "Godot measured nothing:\n{text}\n{}",
            String::from_utf8_lossy(&output.stderr)
        )));
    }
    Ok(lines)
}

/// The maps of all sections, and weighted ones.
fn all_scenarios(options: &Options) -> Vec<Scenario> {
    let weighted = |name: &str, map: Terrain, seed| random_trips(name, weighted(map, seed));
    let mut scenarios = scenarios(options);
    let in_patches = |(n, scenario): (usize, &Scenario)| {
        let side = [12, 24, 48][n % 3];
        let name = format!("{}, patches of {side}", scenario.name);
        Scenario { name, terrain: patches(scenario.terrain.clone(), side, 0), ..scenario.clone() }
    };
    let all_in_patches: Vec<Scenario> = scenarios.iter().enumerate().map(in_patches).collect();
    scenarios.extend(all_in_patches);
    scenarios.push(weighted("rooms, weights", rooms(256, 1), 5));
    scenarios.push(weighted("caves, weights", caves(256, 2), 6));
    scenarios.push(weighted("noise 10 %, weights", noise(256, 10, 3), 7));
    scenarios
}

fn write(folder: &Path, scenario: &Scenario, options: &Options) -> io::Result<()> {
    let terrain = &scenario.terrain;
    let base = folder.join(&scenario.name);
    fs::write(base.with_extension("map"), moving_ai_text(terrain))?;
    let wanted = if options.quick { QUERIES / 4 } else { QUERIES };
    let mut queries = String::new();
    for (start, goal, _) in scenario.queries.iter().step_by(scenario.queries.len().div_ceil(wanted).max(1)) {
        let _ = writeln!(queries, "{} {} {} {}", start.x, start.y, goal.x, goal.y);
    }
    fs::write(base.with_extension("queries"), queries)?;
    if let Some(weights) = terrain.weights() {
        let bytes: Vec<u8> = weights.iter().copied().flat_map(f32::to_le_bytes).collect();
        fs::write(base.with_extension("weights"), bytes)?;
    }
    Ok(())
}

/// The solid cells of a map, as scripts read them.
pub fn moving_ai_text(terrain: &Terrain) -> String {
    let region = terrain.region();
    let mut text = format!("type octile\nheight {}\nwidth {}\nmap\n", region.h, region.w);
    for y in 0..region.h {
        text.extend((0..region.w).map(|x| if terrain.is_solid(Cell::new(x, y)) { '@' } else { '.' }));
        text.push('\n');
    }
    text
}

/// Reads one object of numbers and lists of numbers, a name and whether both sides agree.
fn parse(json: &str) -> Option<Line> {
    let fields: serde_json::Map<String, serde_json::Value> = serde_json::from_str(json).ok()?;
    Some(Line {
        name: fields.get("name")?.as_str()?.to_owned(),
        numbers: fields.iter().filter_map(|(name, value)| Some((name.clone(), samples(value)?))).collect(),
        agree: fields.get("agree").and_then(serde_json::Value::as_bool).unwrap_or(false),
    })
}

fn samples(value: &serde_json::Value) -> Option<Samples> {
    let list = value.as_array().map(|list| list.iter().filter_map(serde_json::Value::as_f64).collect());
    list.or_else(|| Some(vec![value.as_f64()?])).map(Samples::new)
}

fn tell(lines: &[Line], report: &mut Report) {
    tell_paths(lines, report);
    if let Some(line) = lines.iter().find(|line| line.name == "field") {
        let mut table = Table::new(
            "Flow field of 256², from GDScript",
            "`rebuild()`, beside the source article's two passes in GDScript, a queue that relaxes costs and a look at each \
             cell's neighbours; and `sample_batch` of 100,000 positions.",
            "what",
        );
        table
            .row("`FlowField`")
            .samples("PathForge", &line.samples("ours_usec").times(1e-3), "ms")
            .samples("GDScript", &line.samples("script_usec").times(1e-3), "ms")
            .ratio("×", line.number("script_usec") / line.number("ours_usec"))
            .samples("samples", &line.samples("samples_usec").times(1e-3), "ms")
            .agree("same costs", line.agree);
        report.add(table);
    }
    if let Some(line) = lines.iter().find(|line| line.name == "clearance") {
        let ratio = line.number("script_usec") / line.number("ours_usec");
        let mut table = Table::new(
            "Clearance map of 1024², from GDScript",
            "The bulk data in the script's hands, beside the source article's pass in GDScript.",
            "what",
        );
        table
            .row("`ClearanceMap`")
            .samples("PathForge", &line.samples("ours_usec").times(1e-3), "ms")
            .samples("GDScript", &line.samples("script_usec").times(1e-3), "ms")
            .ratio("×", ratio)
            .agree("same values", line.agree);
        report.add(table);
        report.reach(&goals::CLEARANCE_GDSCRIPT, "", ratio);
    }
}

fn tell_paths(lines: &[Line], report: &mut Report) {
    let mut table = Table::new(
        "`get_point_path` from GDScript",
        "A call, every cell in the answer, octile heuristics; times as fast as the better of plain and jumping. Jumping \
         ignores weights, so it is left out there. Patches have weights of 1 to 8. Prepared: after `prepare_profile`, where there \
         are weights.",
        "map",
    );
    let mut ratios = [Vec::new(), Vec::new()];
    let mut prepared_ratios = Vec::new();
    for line in lines.iter().filter(|line| line.numbers.contains_key("plain_usec")) {
        let [ours, plain, jumping] =
            ["ours_usec", "plain_usec", "jumping_usec"].map(|name| line.number(name));
        // It is not asked to jump over weights.
        let is_weighted = jumping.is_nan();
        // The better of the two where there are two.
        let ratio = plain.min(jumping) / ours;
        ratios[usize::from(is_weighted)].push(ratio);
        if !is_weighted {
            report.reach(&goals::GODOT_NEVER_SLOWER, &line.name, ratio);
        }
        let row = table
            .row(&line.name)
            .samples("PathForge", &line.samples("ours_usec"), "µs")
            .samples("AStarGrid2D", &line.samples("plain_usec"), "µs")
            .samples("AStarGrid2D jumping", &line.samples("jumping_usec"), "µs")
            .ratio("×", ratio)
            .agree("same costs", line.agree);
        if is_weighted {
            let prepared = plain / line.number("prepared_usec");
            prepared_ratios.push(prepared);
            row.samples("prepared", &line.samples("prepared_usec"), "µs").ratio("× prepared", prepared);
        }
    }
    let kinds = [("uniform", &goals::GODOT_PATHS), ("weighted", &goals::GODOT_WEIGHTED)];
    for ((name, goal), ratios) in kinds.into_iter().zip(ratios).filter(|(_, ratios)| !ratios.is_empty()) {
        let mean = geometric_mean(&ratios);
        table.row(format!("**geometric mean, {name}**")).ratio("×", mean);
        report.reach(goal, "", mean);
    }
    let prepared = geometric_mean(&prepared_ratios);
    table.row("**geometric mean, weighted, prepared**").ratio("× prepared", prepared);
    report.reach(&goals::GODOT_PREPARED, "", prepared);
    report.add(table);
}
