//! Paths that jump, on levels of 512×256 cells: time a query, time an expansion by size, and the same algorithm written
//! in GDScript.

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;
use std::{fs, io};

use pathforge_core::{Cell, JumpProfile, Platformer, PlatformerMap, PlatformerQuery};

use crate::godot;
use crate::levels::{Level, levels, queries};
use crate::measure::median;
use crate::options::Options;
use crate::report::Report;

const SIZES: [(i64, i64); 3] = [(1, 1), (2, 3), (4, 3)];
/// The ends of the range alone in a quick run.
const HEIGHTS: [i64; 4] = [3, 6, 4, 5];
const QUERIES: usize = 100;
const SEEDS: [u64; 2] = [3, 40];

/// Measures.
pub fn run(options: &Options, report: &mut Report) {
    let mut times = Vec::new();
    let mut expansions = Vec::new();
    for &seed in if options.quick { &SEEDS[..1] } else { &SEEDS } {
        for level in levels(seed) {
            by_height(&level, seed, options, &mut times, &mut expansions);
        }
    }
    report.table(
        "Paths that jump, 512×256",
        "µs a query, median (90th percentile) over random queries that have a way, the way extracted; states expanded.",
        &["level", "jump height", "1×1", "2×3", "4×3"],
        &times,
    );
    report.table(
        "Cost of an expansion of paths that jump",
        "ns an expansion over all those queries.",
        &["level", "jump height", "1×1", "2×3", "4×3", "4×3 / 1×1"],
        &expansions,
    );
    match beside_script(options) {
        Ok(rows) => report.table(
            "Paths that jump, beside GDScript",
            "µs a query in one Godot process, 2×3, jump height 4: the same states, rule, costs, bound and dominance in both.",
            &["level", "PathForge", "GDScript", "×", "expanded", "GDScript expanded", "same costs"],
            &rows,
        ),
        Err(error) => eprintln!("platformer: {error}"),
    }
}

fn query(size: (i64, i64), height: i64) -> PlatformerQuery {
    let profile = JumpProfile::new(size.0, size.1, height).expect("a valid profile");
    PlatformerQuery::new(Cell::default(), Cell::default(), profile)
}

/// Adds a row a jump height to both tables.
fn by_height(
    level: &Level,
    seed: u64,
    options: &Options,
    times: &mut Vec<Vec<String>>,
    expansions: &mut Vec<Vec<String>>,
) {
    for &height in if options.quick { &HEIGHTS[..2] } else { &HEIGHTS } {
        let name = vec![format!("{} {seed}", level.name), height.to_string()];
        let (mut time_row, mut expansion_row, mut per_expansion) = (name.clone(), name, Vec::new());
        for size in SIZES {
            let mut platformer = Platformer::new(level.map.clone());
            let queries = queries(&mut platformer, &query(size, height), QUERIES);
            let (usec, counts) = measure(&mut platformer, &queries, options.rounds());
            let total: f64 = usec.iter().sum();
            let mut sorted = usec.clone();
            sorted.sort_by(f64::total_cmp);
            let tail = sorted.get(sorted.len() * 9 / 10).copied().unwrap_or(f64::NAN);
            let expanded: f64 = counts.iter().sum();
            time_row.push(format!("{:.0} ({tail:.0}), {:.0}", median(usec), median(counts)));
            per_expansion.push(total * 1000.0 / expanded.max(1.0));
            expansion_row.push(format!("{:.0}", per_expansion.last().unwrap_or(&f64::NAN)));
        }
        expansion_row.push(format!("{:.2}", per_expansion[2] / per_expansion[0]));
        eprintln!("{}  |  {}", time_row.join("  "), expansion_row.join("  "));
        times.push(time_row);
        expansions.push(expansion_row);
    }
}

/// The µs of each query, the least of all rounds, and how many states it expands.
fn measure(platformer: &mut Platformer, queries: &[PlatformerQuery], rounds: usize) -> (Vec<f64>, Vec<f64>) {
    let expanded = queries.iter().map(|query| f64::from(platformer.find_path(query).expanded)).collect();
    let mut times = vec![f64::INFINITY; queries.len()];
    for _ in 0..rounds {
        for (query, time) in queries.iter().zip(&mut times) {
            let start = Instant::now();
            black_box(platformer.find_path(query));
            *time = time.min(start.elapsed().as_secs_f64() * 1e6);
        }
    }
    (times, expanded)
}

/// One row a level, measured by `bench/platformer.gd`.
fn beside_script(options: &Options) -> io::Result<Vec<Vec<String>>> {
    let levels = levels(SEEDS[0]);
    let prepare = |folder: &Path| -> io::Result<()> {
        for level in &levels {
            let mut platformer = Platformer::new(level.map.clone());
            let count = if options.quick { 3 } else { 12 };
            let queries = queries(&mut platformer, &query((2, 3), 4), count);
            write(folder, level.name, &level.map, &queries)?;
        }
        Ok(())
    };
    let lines = godot::run_script("res://bench/platformer.gd", options, prepare)?;
    let row = |line: &godot::Line| {
        let [ours, script] = ["ours_usec", "script_usec"].map(|name| line.number(name));
        let [expanded, script_expanded] =
            ["expanded", "script_expanded"].map(|name| format!("{:.0}", line.number(name)));
        let agree = if line.agree { "yes" } else { "**no**" };
        let times = [format!("{ours:.0}"), format!("{script:.0}"), format!("{:.0}", script / ours)];
        [vec![line.name.clone()], times.into(), vec![expanded, script_expanded, agree.into()]].concat()
    };
    Ok(lines.iter().map(row).collect())
}

/// Writes a level and its queries for the script.
fn write(folder: &Path, name: &str, map: &PlatformerMap, queries: &[PlatformerQuery]) -> io::Result<()> {
    let region = map.region();
    let mut text = String::new();
    for cell in region.cells() {
        text.push(match (map.is_solid(cell), map.is_one_way(cell)) {
            (true, _) => '#',
            (_, true) => '=',
            _ => '.',
        });
        if cell.x + 1 == region.right() {
            text.push('\n');
        }
    }
    fs::write(folder.join(name).with_extension("level"), text)?;
    let mut lines = String::new();
    for PlatformerQuery { start, goal, .. } in queries {
        let _ = writeln!(lines, "{} {} {} {}", start.x, start.y, goal.x, goal.y);
    }
    fs::write(folder.join(name).with_extension("queries"), lines)
}
