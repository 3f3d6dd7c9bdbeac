//! How groups arrive, and what their steps take: scenes of the tests, the worst of several seeds.

use pathforge_tests::gathering::{Arrival, Gathering, Rest};
use pathforge_tests::hall::{percentile, walks};
use pathforge_tests::halls::{DRIVEN_SPEED, Sizes, Units, crossing, lane, lanes, tanks};

use crate::goals;
use crate::measure::Samples;
use crate::options::Options;
use crate::report::{Report, Table};

const SEEDS: u64 = 5;
/// What the gate of the tanks lets through: 45 cells of way and six bodies one behind the other, at 5 cells a
/// second.
const TANKS_SECONDS: f64 = (45.0 + 6.0 * 2.2) / 5.0;

/// Measures.
pub fn run(options: &Options, report: &mut Report) {
    gatherings(options, report);
    meetings(options, report);
}

fn gatherings(options: &Options, report: &mut Report) {
    let seeds = if options.quick { 1 } else { SEEDS };
    let mut table = Table::new(
        "Groups that gather",
        "All to one cell; seconds of the scene, the worst of five seeds, of caves one. Close: 99 % are within 1.25 radii of the disc that all \
         would fill, which walls of caves keep them from. Fell: by how many the number of arrived agents went down, at most. The overlap \
         ten seconds after the last was told, in parts of the smaller radius. A step until then: median and quartiles.",
        "agents",
    );
    for (name, sizes, count, has_gate) in [
        ("600, a gate of six cells", Sizes::Small, 600, true),
        ("600, open", Sizes::Small, 600, false),
        ("120, a gate of six cells", Sizes::Small, 120, true),
        ("100 of three sizes, open", Sizes::Mixed, 100, false),
    ] {
        let seen =
            (0..seeds).map(|seed| Gathering::readme(seed, sizes, count, has_gate).watch(120)).collect();
        gathering(&mut table, report, name, count, seen, 5.0);
    }
    if !options.quick {
        let (name, count) = ("10,000 of three sizes, caves of 512 × 320", 10_000);
        let seen = vec![Gathering::in_caves(0, count, 512, 320).watch(400)];
        gathering(&mut table, report, name, count, seen, 10.0);
    }
    report.add(table);
}

/// A row of the worst of what was seen; all are to be told so many seconds after they are close.
fn gathering(
    table: &mut Table,
    report: &mut Report,
    name: &str,
    count: usize,
    seen: Vec<Arrival>,
    after: f64,
) {
    let worst = |what: fn(&Arrival) -> f64| seen.iter().map(what).fold(f64::NEG_INFINITY, f64::max);
    let told = worst(|arrival| arrival.told.unwrap_or(f64::INFINITY));
    let late = worst(|arrival| arrival.told.zip(arrival.packed).map_or(0.0, |(told, packed)| told - packed));
    let fell = worst(|arrival| arrival.fell as f64) * 100.0 / count as f64;
    let restless = worst(|arrival| arrival.restless as f64);
    let overlap = worst(|arrival| f64::from(arrival.overlap));
    let row = table.row(name);
    match seen.iter().map(|arrival| arrival.packed).collect::<Option<Vec<f64>>>() {
        Some(close) => row.number("close", close.into_iter().fold(0.0, f64::max), "s"),
        None => row.text("close", "–"),
    };
    row.number("all told", told, "s")
        .number("fell", fell, "%")
        .number("move 10 s later", restless, "")
        .fixed("overlap", overlap, 4)
        .samples("a step", &Samples::new(seen.into_iter().flat_map(|arrival| arrival.steps).collect()), "ms");
    report.reach(&goals::CROWD_TOLD, name, if told.is_finite() { late - after } else { f64::INFINITY });
    report.reach(&goals::CROWD_FELL, name, fell);
    report.reach(&goals::CROWD_RESTLESS, name, restless);
}

fn meetings(options: &Options, report: &mut Report) {
    let seeds = if options.quick { 1 } else { SEEDS };
    let mut table = Table::new(
        "Groups that meet",
        "Until none is on its way; seconds of the scene and the deepest of overlaps (p99.9, in parts of the smaller radius), the worst of all \
         seeds, and how many never arrived. Nodes: bodies that are moved from outside at 5 cells a second. None slips through others. \
         A step: median and quartiles.",
        "bodies",
    );
    let rest = |(mut hall, ids): (pathforge_tests::hall::Hall, Vec<u32>), seconds| {
        let rest = Rest::await_all(&mut hall, &ids, DRIVEN_SPEED, seconds);
        (rest, hall.crowd.views().filter(walks).count())
    };
    meeting(&mut table, report, "6 nodes, a gate as wide as one", vec![rest(tanks(), 120)]);
    meeting(
        &mut table,
        report,
        "14 nodes of three sizes, there, back and there",
        (0..seeds).map(there_and_back).collect(),
    );
    for (is_open, place) in [(true, "open"), (false, "a corridor of 12")] {
        for (is_driven, bodies) in [(true, "nodes"), (false, "agents")] {
            let name = format!("200 + 200 {bodies} of three sizes, {place}");
            let all = (0..seeds).map(|seed| rest(crossing(seed, is_open, is_driven), 240)).collect();
            meeting(&mut table, report, &name, all);
        }
    }
    for width in 1..=3 {
        let name = format!("1 to 8 against 1 to 8, a corridor of {width}: 27 scenes");
        let scenes = (0..seeds).flat_map(|seed| lanes().map(move |lane| (seed, lane)));
        let hall = |(seed, (groups, niches))| (lane(seed, width, groups, niches), Vec::new());
        meeting(&mut table, report, &name, scenes.map(|scene| rest(hall(scene), 120)).collect());
    }
    report.add(table);
}

fn there_and_back(seed: u64) -> (Rest, usize) {
    let mut units = Units::new(seed);
    let mut all = Rest { seconds: Some(0.0), overlaps: Vec::new(), steps: Vec::new() };
    for is_back in [false, true, false] {
        units.send(is_back);
        let rest = Rest::await_all(&mut units.hall, &units.ids, DRIVEN_SPEED, 90);
        all.seconds = all.seconds.zip(rest.seconds).map(|(sum, seconds)| sum + seconds);
        all.overlaps.extend(rest.overlaps);
        all.steps.extend(rest.steps);
    }
    (all, units.hall.crowd.views().filter(walks).count())
}

/// A row of the worst of what was seen, each with how many never arrived.
fn meeting(table: &mut Table, report: &mut Report, name: &str, seen: Vec<(Rest, usize)>) {
    let left: usize = seen.iter().map(|(_, left)| left).sum();
    let slowest = seen.iter().map(|(rest, _)| rest.seconds.unwrap_or(f64::INFINITY)).fold(0.0, f64::max);
    let deepest = |rest: &Rest| percentile(&mut rest.overlaps.clone(), 0.999);
    let overlap = seen.iter().map(|(rest, _)| f64::from(deepest(rest))).fold(0.0, f64::max);
    let steps = seen.into_iter().flat_map(|(rest, _)| rest.steps).collect();
    table
        .row(name)
        .number("the slowest", slowest, "s")
        .count("never arrived", left)
        .fixed("overlap", overlap, 3)
        .samples("a step", &Samples::new(steps), "ms");
    report.reach(&goals::CROWD_ALL_ARRIVE, name, left as f64);
    if name.starts_with("6 nodes") {
        report.reach(&goals::CROWD_TANKS, name, slowest / TANKS_SECONDS);
    }
}
