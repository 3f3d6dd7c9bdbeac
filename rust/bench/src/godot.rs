//! PathForge beside Godot's own classes and beside GDScript, in one Godot process.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::{env, fs, io};

use pathforge_core::{Cell, PathQuery, Profile, Terrain, World};

use crate::maps::{Random, Scenario, caves, moving_ai, noise, rooms, weighted};
use crate::measure::geometric_mean;
use crate::options::Options;
use crate::report::Report;

/// How `cargo xtask bench` tells the way to start Godot.
const LAUNCHER: &str = "PATHFORGE_GODOT_RUN";
/// Queries a map; the peers take up to a tenth of a second for each.
const QUERIES: usize = 40;

/// One line of the Godot side's answer: numbers by name, and whether both sides agreed.
pub struct Line {
    /// What was measured.
    pub name: String,
    numbers: HashMap<String, f64>,
    /// Whether both sides gave the same answers.
    pub agree: bool,
}

impl Line {
    /// The number of that name, or NaN.
    pub fn number(&self, name: &str) -> f64 {
        self.numbers.get(name).copied().unwrap_or(f64::NAN)
    }
}

/// Measures.
pub fn run(options: &Options, report: &mut Report) {
    let prepare = |folder: &Path| -> io::Result<()> {
        scenarios(options).iter().try_for_each(|scenario| write(folder, scenario, options))
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

/// Moving AI maps if there are any, and weighted ones that are generated.
fn scenarios(options: &Options) -> Vec<Scenario> {
    let mut scenarios = options.maps.as_deref().map_or_else(Vec::new, moving_ai);
    if scenarios.is_empty() {
        scenarios.push(generated("rooms", rooms(512, 1)));
        scenarios.push(generated("caves", caves(512, 2)));
        scenarios.push(generated("noise 20 %", noise(512, 20, 3)));
    }
    scenarios.push(generated("rooms, weights", weighted(rooms(256, 1), 5)));
    scenarios.push(generated("caves, weights", weighted(caves(256, 2), 6)));
    scenarios.push(generated("noise 10 %, weights", weighted(noise(256, 10, 3), 7)));
    scenarios
}

fn generated(name: &str, terrain: Terrain) -> Scenario {
    let side = terrain.region().w;
    let mut world = World::from_terrain(terrain);
    let mut random = Random::new(21);
    let mut queries = Vec::new();
    while queries.len() < QUERIES {
        let (start, goal) = (random.cell(side), random.cell(side));
        if world.is_reachable(&PathQuery::new(start, goal, Profile::default())) {
            queries.push((start, goal, f64::NAN));
        }
    }
    Scenario { name: name.into(), terrain: world.terrain().clone(), queries }
}

fn write(folder: &Path, scenario: &Scenario, options: &Options) -> io::Result<()> {
    let terrain = &scenario.terrain;
    let region = terrain.region();
    let mut text = format!("type octile\nheight {}\nwidth {}\nmap\n", region.h, region.w);
    for y in 0..region.h {
        text.extend((0..region.w).map(|x| if terrain.is_solid(Cell::new(x, y)) { '@' } else { '.' }));
        text.push('\n');
    }
    let base = folder.join(&scenario.name);
    fs::write(base.with_extension("map"), text)?;
    let wanted = if options.quick { QUERIES / 4 } else { QUERIES };
    let mut queries = String::new();
    for (start, goal, _) in scenario.queries.iter().step_by(scenario.queries.len().div_ceil(wanted).max(1)) {
        let _ = writeln!(queries, "{} {} {} {}", start.x, start.y, goal.x, goal.y);
    }
    fs::write(base.with_extension("queries"), queries)?;
    if let Some(weights) = terrain.weights() {
        let bytes: Vec<u8> = weights.as_slice().iter().flat_map(|w| w.to_le_bytes()).collect();
        fs::write(base.with_extension("weights"), bytes)?;
    }
    Ok(())
}

/// Reads one flat JSON object of numbers, booleans and one name.
fn parse(json: &str) -> Option<Line> {
    let mut line = Line { name: String::new(), numbers: HashMap::new(), agree: false };
    for field in json.trim().strip_prefix('{')?.strip_suffix('}')?.split(",\"") {
        let (key, value) = field.split_once(':')?;
        let key = key.trim_matches('"');
        match (key, value.trim_matches('"')) {
            ("name", name) => line.name = name.into(),
            ("agree", value) => line.agree = value == "true",
            (_, value) => {
                if let Ok(number) = value.parse() {
                    line.numbers.insert(key.into(), number);
                }
            }
        }
    }
    Some(line)
}

fn tell(lines: &[Line], report: &mut Report) {
    let number = Line::number;
    let mut ratios = [Vec::new(), Vec::new()];
    let mut rows = Vec::new();
    for line in lines.iter().filter(|line| line.numbers.contains_key("plain_usec")) {
        let (ours, plain, jumping) =
            (number(line, "ours_usec"), number(line, "plain_usec"), number(line, "jumping_usec"));
        let is_weighted = jumping == 0.0;
        let ratio = if is_weighted { plain } else { plain.min(jumping) } / ours;
        ratios[usize::from(is_weighted)].push(ratio);
        let jumping = if is_weighted { "–".into() } else { format!("{jumping:.0}") };
        rows.push(vec![
            line.name.clone(),
            format!("{ours:.1}"),
            format!("{plain:.0}"),
            jumping,
            format!("{ratio:.1}"),
            if line.agree { "yes" } else { "**no**" }.into(),
        ]);
    }
    for (name, ratios) in ["uniform", "weighted"].into_iter().zip(ratios).filter(|(_, r)| !r.is_empty()) {
        let mean = format!("**{:.1}**", geometric_mean(&ratios));
        let mut row = vec![String::new(); 6];
        (row[0], row[4]) = (format!("**geometric mean, {name}**"), mean);
        rows.push(row);
    }
    report.table(
        "`get_point_path` from GDScript",
        "µs a call, every cell in the answer, octile heuristics; times as fast as the better of plain and jumping.",
        &["map", "PathForge", "AStarGrid2D", "AStarGrid2D jumping", "×", "same costs"],
        &rows,
    );
    if let Some(line) = lines.iter().find(|line| line.name == "field") {
        let (ours, script) = (number(line, "ours_usec"), number(line, "script_usec"));
        report.table(
            "Flow field of 256², from GDScript",
            "µs for `rebuild()`, beside a queue that relaxes costs and a pass for directions written in GDScript; and \
             `sample_batch` of 100,000 positions.",
            &["FlowField", "GDScript", "×", "samples", "same costs"],
            &[vec![
                format!("{ours:.0}"),
                format!("{script:.0}"),
                format!("{:.0}", script / ours),
                format!("{:.0}", number(line, "samples_usec")),
                if line.agree { "yes" } else { "**no**" }.into(),
            ]],
        );
    }
    if let Some(line) = lines.iter().find(|line| line.name == "clearance") {
        let (ours, script) = (number(line, "ours_usec"), number(line, "script_usec"));
        report.table(
            "Clearance map of 1024², from GDScript",
            "µs, the bulk data in the script's hands, beside the same pass written in GDScript.",
            &["PathForge", "GDScript", "×", "same values"],
            &[vec![
                format!("{ours:.0}"),
                format!("{script:.0}"),
                format!("{:.0}", script / ours),
                if line.agree { "yes" } else { "**no**" }.into(),
            ]],
        );
    }
}
