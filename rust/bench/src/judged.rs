//! What the mover is judged by: reports and whether they are true, rooms, detours, overlaps and turns, in scenes
//! of the tests that two revisions of the crowd can play.

use pathforge_tests::judge::{SCENES, Scene, Verdict};

use crate::goals;
use crate::options::Options;
use crate::report::{Report, Table};

/// No number of the crowd was chosen with these seeds.
const SEEDS: [u64; 3] = [11, 12, 13];
/// The scenes in which the last body must not be told much later than nine of ten.
const TAILS: [&str; 7] = ["crossing", "gate", "one-room", "pocket", "serpent", "lane", "anew-city"];

/// Measures.
pub fn run(options: &Options, report: &mut Report) {
    let mut table = Table::new(
        "The mover, judged",
        "Bodies of one to three cells at 5 cells a second; the worst of all orders and of three seeds, of ten thousand bodies one seed. Told: \
         seconds from an order until so many report *arrived*, *blocked* or *stuck*, or have left by a gate. Bound: twice the straight path \
         and what the gates let through. Falsely arrived: beyond 1.3 of the rim and four cells; the rim is the path cost within which the \
         cells hold all bodies at a density of 0.6. Falsely blocked: a free placement, nearer by more than the side and a cell, can be reached. \
         Moved on: rest farther than 1.5 cells from where they first reported *arrived*. Empty: cells within 0.8 of the rim that no body covers. \
         Overlaps in parts of the smaller radius. Turn about: more than three times in a second. Detour: the time of single bodies past \
         settled groups beside the straight way. ∞: not while it was watched.",
        "scene",
    );
    for scene in SCENES.iter().filter(|scene| !(options.quick && scene.is_big)) {
        let seeds = if options.quick || scene.is_big { &SEEDS[..1] } else { &SEEDS };
        let play = |&seed: &u64| {
            let verdict = (scene.play)(seed);
            eprintln!("{}/{seed}: {verdict}", scene.name);
            verdict
        };
        let worst = Verdict::worst(seeds.iter().map(play));
        row(&mut table, scene, &worst);
        reach(report, scene, &worst);
    }
    report.add(table);
}

fn row(table: &mut Table, scene: &Scene, worst: &Verdict) {
    let row = table.row(scene.name);
    row.count("bodies", worst.count);
    for (heading, seconds) in ["50 %", "90 %", "99 %", "last"].into_iter().zip(worst.told) {
        row.number(heading, seconds, "s");
    }
    if let Some(late) = worst.late {
        row.fixed("last / bound", late, 2);
    }
    row.count("blocked", worst.blocked)
        .count("stuck", worst.stuck)
        .count("under way", worst.under_way)
        .count("falsely arrived", worst.arrived_falsely)
        .count("falsely blocked", worst.blocked_falsely)
        .count("moved on", worst.moved_on);
    if let Some(empty) = worst.empty {
        row.number("empty", empty, "%");
    }
    row.fixed("overlap, moving", worst.overlap_moving, 3)
        .fixed("at rest", worst.overlap_resting[0], 4)
        .fixed("deepest at rest", worst.overlap_resting[1], 4)
        .count("turn about", worst.turning)
        .count("restless", worst.restless)
        .number("on one spot", worst.on_one_spot, "s");
    if let Some([median, longest]) = worst.detours {
        row.fixed("detour", median, 2).fixed("longest", longest, 2);
    }
    if let Some(empty) = worst.places_empty {
        row.count("places empty", empty);
    }
    row.fixed("a step of a body, µs", worst.microseconds, 2);
}

fn reach(report: &mut Report, scene: &Scene, worst: &Verdict) {
    let name = scene.name;
    let count = worst.count as f64;
    report.reach(&goals::JUDGED_ARRIVED, name, worst.arrived_falsely as f64);
    report.reach(&goals::JUDGED_BLOCKED, name, worst.blocked_falsely as f64);
    report.reach(&goals::JUDGED_MOVED_ON, name, worst.moved_on as f64 * 100.0 / count.max(1.0));
    report.reach(&goals::JUDGED_LEFT, name, (worst.under_way + worst.places_empty.unwrap_or(0)) as f64);
    report.reach(&goals::JUDGED_MOVING, name, worst.overlap_moving);
    report.reach(&goals::JUDGED_RESTING, name, worst.overlap_resting[1]);
    report.reach(&goals::JUDGED_TURNS, name, worst.turning as f64);
    if let Some(late) = worst.late {
        report.reach(&goals::JUDGED_LATE, name, late);
    }
    if let Some([_, longest]) = worst.detours {
        report.reach(&goals::JUDGED_DETOUR, name, longest);
    }
    if let Some(empty) = worst.empty.filter(|_| worst.count == 1480) {
        report.reach(&goals::JUDGED_EMPTY, name, empty);
    }
    if TAILS.contains(&name) {
        report.reach(&goals::CROWD_TAIL, name, worst.told[3] / worst.told[1]);
    }
}
