//! Seven scenes in which groups meet: when all are told, and how still they are.

use pathforge_tests::scenes::{SCENES, Scene, Seen};

use crate::goals;
use crate::options::Options;
use crate::report::{Report, Table};

const SEEDS: u64 = 5;
/// The longest that a scene is watched, in seconds.
const LIMIT: u32 = 300;

/// Measures.
pub fn run(options: &Options, report: &mut Report) {
    let mut table = Table::new(
        "Seven scenes",
        "Seconds until so many are told as arrived or blocked, from the last order on, and until so many are within 1.25 radii of the disc \
         that their group would fill; the worst of five seeds. Tail: the last told beside nine of ten. Overlaps in parts of the \
         smaller radius (p99.9), on the way and ten seconds after the last was told. Bound: the last told beside twice the straight way and \
         what the narrowest gate lets through, where all go to one goal. On one spot: the longest that one was told as moving within a fifth \
         of a cell. Restless: how many move by more than 0.05 of their \
         radius from five to ten seconds after it. Flickers: how often each changed between moving and waiting within a tenth of a second. \
         ∞: not in the time in which it was watched.",
        "scene",
    );
    for (number, name) in SCENES.into_iter().enumerate() {
        let seeds = if options.quick { 1 } else { SEEDS };
        let all: Vec<Seen> = (0..seeds)
            .map(|seed| {
                let seen = Scene::new(number, seed).watch(LIMIT);
                eprintln!("{name}, {seed}: {seen:.2?}");
                seen
            })
            .collect();
        let worst = |what: &dyn Fn(&Seen) -> f64| all.iter().map(what).fold(0.0, f64::max);
        let tail =
            |seen: &Seen| seen.told[3].zip(seen.told[1]).map_or(f64::INFINITY, |(last, most)| last / most);
        let row = table.row(name);
        for (n, heading) in ["50 %", "90 %", "99 %", "last"].into_iter().enumerate() {
            row.number(heading, worst(&|seen| seen.told[n].unwrap_or(f64::INFINITY)), "s");
        }
        row.fixed("tail", worst(&tail), 2);
        let by_bound =
            |seen: &Seen| seen.bound.map(|bound| seen.told[3].map_or(f64::INFINITY, |last| last / bound));
        if all.iter().all(|seen| seen.bound.is_some()) {
            row.fixed("last / bound", worst(&|seen| by_bound(seen).unwrap_or(0.0)), 2);
        }
        for (n, heading) in ["50 % close", "90 % close", "99 % close"].into_iter().enumerate() {
            row.number(heading, worst(&|seen| seen.close[n].unwrap_or(f64::INFINITY)), "s");
        }
        row.fixed("overlap, moving", worst(&|seen| seen.overlaps[0]), 3)
            .fixed("overlap, at rest", worst(&|seen| seen.overlaps[1]), 4)
            .number("restless", worst(&|seen| seen.restless as f64), "")
            .number("on one spot", worst(&|seen| seen.on_one_spot), "s")
            .fixed("flickers", worst(&|seen| seen.flickers), 2);
        report.reach(&goals::CROWD_TAIL, name, worst(&tail));
    }
    report.add(table);
}
