//! Paths that jump, on levels of 512×256 cells: time a query, time an expansion by size, and the same
//! algorithm written in GDScript.

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;
use std::{fs, io};

use pathforge_core::geometry::Cell;
use pathforge_core::terrain::Terrain;
use pathforge_platformer::{JumpProfile, PlatformerQuery};
use pathforge_tests::jumps::Jumps;

use crate::levels::{Level, levels, queries};
use crate::measure::Samples;
use crate::options::Options;
use crate::report::{Report, Table};
use crate::{flights, goals, godot};

const SIZES: [(i64, i64); 3] = [(1, 1), (2, 3), (4, 3)];
const HEIGHTS: [i64; 2] = [3, 6];
const QUERIES: usize = 100;
/// So many of them are asked as the first on a level.
const FIRST_QUERIES: usize = 20;
const SEEDS: [u64; 2] = [3, 40];

/// Measures.
pub fn run(options: &Options, report: &mut Report) {
    let mut times = Table::new(
        "Paths that jump, 512×256",
        "A query, median and quartiles over random queries that have a way, the way extracted; the first query on a level, before which no flight is known; states expanded.",
        "level, jump height",
    );
    let mut expansions = Table::new(
        "Cost of an expansion of paths that jump",
        "Over all those queries.",
        "level, jump height",
    );
    for &seed in if options.quick { &SEEDS[..1] } else { &SEEDS } {
        for level in levels(seed) {
            for height in HEIGHTS {
                let name = format!("{} {seed}, {height}", level.name);
                measure_level(&name, &level, height, options, [&mut times, &mut expansions], report);
            }
        }
    }
    report.add(times);
    report.add(expansions);
    flights::run(options, report);
    match beside_script(options) {
        Ok(lines) => tell(&lines, report),
        Err(error) => eprintln!("platformer: {error}"),
    }
}

fn query(size: (i64, i64), height: i64) -> PlatformerQuery {
    let profile = JumpProfile::new(size.0, size.1, height).expect("a valid profile");
    PlatformerQuery::new(Cell::default(), Cell::default(), profile)
}

/// Adds a row to both tables.
fn measure_level(
    name: &str,
    level: &Level,
    height: i64,
    options: &Options,
    [times, expansions]: [&mut Table; 2],
    report: &mut Report,
) {
    let mut per_expansion = Vec::new();
    for size in SIZES {
        let mut jumps = Jumps::new(level.map.clone());
        let queries = queries(&mut jumps, &query(size, height), QUERIES);
        let (usec, counts) = measure(&mut jumps, &queries, options.rounds());
        per_expansion.push(usec.iter().sum::<f64>() * 1000.0 / counts.iter().sum::<f64>().max(1.0));
        let usec = Samples::new(usec);
        let body = format!("{}×{}", size.0, size.1);
        times
            .entry(name)
            .samples(&body, &usec, "µs")
            .number(&format!("{body}, p90"), usec.percentile(90), "µs")
            .number(&format!("{body}, first"), first(level, &queries).median(), "µs")
            .count(&format!("{body}, states"), Samples::new(counts).median() as usize);
        expansions.entry(name).number(&body, per_expansion[per_expansion.len() - 1], "ns");
        report.reach(&goals::JUMP_QUERY, &format!("{body} on {name}"), usec.median() / 1e3);
    }
    let ratio = per_expansion[2] / per_expansion[0];
    expansions.entry(name).ratio("4×3 beside 1×1", ratio);
    report.reach(&goals::JUMP_SIZE, name, ratio);
}

/// The µs of each query, the least of all rounds, and how many states it expands.
fn measure(jumps: &mut Jumps, queries: &[PlatformerQuery], rounds: usize) -> (Vec<f64>, Vec<f64>) {
    let expanded = queries.iter().map(|query| f64::from(jumps.find_path(query).expanded)).collect();
    let mut times = vec![f64::INFINITY; queries.len()];
    for _ in 0..rounds {
        for (query, time) in queries.iter().zip(&mut times) {
            let start = Instant::now();
            black_box(jumps.find_path(query));
            *time = time.min(start.elapsed().as_secs_f64() * 1e6);
        }
    }
    (times, expanded)
}

/// The µs of queries that are the first on their level.
fn first(level: &Level, queries: &[PlatformerQuery]) -> Samples {
    let time = |query: &PlatformerQuery| {
        let mut jumps = Jumps::new(level.map.clone());
        // Layers and the memory of searches are there.
        jumps.find_path(&PlatformerQuery { goal: query.start, ..*query });
        let start = Instant::now();
        black_box(jumps.find_path(query));
        start.elapsed().as_secs_f64() * 1e6
    };
    Samples::new(queries.iter().take(FIRST_QUERIES).map(time).collect())
}

/// One line a level, measured by `bench/platformer.gd`.
fn beside_script(options: &Options) -> io::Result<Vec<godot::Line>> {
    let levels = levels(SEEDS[0]);
    let prepare = |folder: &Path| -> io::Result<()> {
        for level in &levels {
            let mut jumps = Jumps::new(level.map.clone());
            let count = if options.quick { 3 } else { 12 };
            let queries = queries(&mut jumps, &query((2, 3), 4), count);
            write(folder, level.name, &level.map, &queries)?;
        }
        Ok(())
    };
    godot::run_script("res://bench/platformer.gd", options, prepare)
}

fn tell(lines: &[godot::Line], report: &mut Report) {
    let mut table = Table::new(
        "Paths that jump, beside GDScript",
        "A query in one Godot process, 2×3, jump height 4: the same rule, costs, bound and dominance in both. PathForge takes a flight that it knows as one step.",
        "level",
    );
    for line in lines {
        let [ours, script] = ["ours_usec", "script_usec"].map(|name| line.number(name));
        table
            .row(&line.name)
            .samples("PathForge", &line.samples("ours_usec"), "µs")
            .samples("GDScript", &line.samples("script_usec"), "µs")
            .ratio("×", script / ours)
            .number("expanded", line.number("expanded"), "")
            .number("GDScript expanded", line.number("script_expanded"), "")
            .agree("same costs", line.agree);
        report.reach(&goals::JUMP_GDSCRIPT, &line.name, script / ours);
    }
    report.add(table);
}

/// Writes a level and its queries for the script.
fn write(folder: &Path, name: &str, map: &Terrain, queries: &[PlatformerQuery]) -> io::Result<()> {
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
