//! Whether what is told of groups is true: orders on maps of many kinds, by place beside time.

use pathforge_core::geometry::Cell;
use pathforge_core::terrain::Terrain;
use pathforge_tests::maps::{self, Walls};
use pathforge_tests::rng::Rng;
use pathforge_tests::truth::{Told, Truth};

use crate::options::Options;
use crate::report::{Report, Table};

/// How many agents are sent, and how often: many need a quarter of an hour until the last is told.
const CROWDS: [(usize, u32); 2] = [(1500, 3), (10_000, 1)];

/// Measures.
pub fn run(options: &Options, report: &mut Report) {
    let mut table = Table::new(
        "What is told of groups",
        "Agents of three sizes anywhere on a map, 1,500 sent to one cell and on to two others, and the worst of the three orders; 10,000 sent \
         once. The rim is the path \
         cost within which the cells hold all bodies at a density of 0.6. Falsely: told as arrived beyond 1.3 of the rim. Empty: cells \
         up to 0.8 of the rim in which another small body fits. Cut off: no way leads from them to the goal. Told: seconds until so many are \
         told as arrived, blocked, stuck or cut off. Bound: twice the straight way, and what the gate that needs the most time takes to let \
         all through that have to pass it, at the flow of an exit. Late: in how many of the orders the last is told after that. \
         Restless: how many move five seconds after the last was told. ∞: within neither five minutes nor the bound.",
        "agents",
    );
    for (count, orders) in CROWDS.into_iter().take(if options.quick { 1 } else { 2 }) {
        for (name, seed) in [("city", 1), ("city", 2), ("caves", 3), ("open", 4), ("rooms", 5), ("maze", 6)] {
            let mut truth = Truth::new(map(name, count, seed), seed, count);
            let told: Vec<Told> = (0..orders).map(|_| truth.order(300.0)).collect();
            let most = |what: fn(&Told) -> f64| told.iter().map(what).fold(0.0, f64::max);
            let seconds = |n: usize| {
                told.iter().map(|told| told.seconds[n].unwrap_or(f64::INFINITY)).fold(0.0, f64::max)
            };
            let is_late = |told: &&Told| told.seconds[3].is_none_or(|last| last > told.bound);
            let late = told.iter().filter(is_late).count();
            eprintln!("{name} {seed} {count}: {}", told.iter().map(line).collect::<Vec<_>>().join(" | "));
            table
                .row(format!("{count} in {name} {seed}"))
                .number("falsely", most(|told| told.falsely as f64), "")
                .number("blocked", most(|told| told.others[1] as f64), "")
                .number("stuck", most(|told| told.others[0] as f64), "")
                .number("cut off", most(|told| told.others[2] as f64), "")
                .number("empty", most(|told| told.empty * 100.0), "%")
                .number("90 %", seconds(1), "s")
                .number("last", seconds(3), "s")
                .number("straight way", most(|told| told.way), "s")
                .number("bound", most(|told| told.bound), "s")
                .number("late", late as f64, "")
                .number("restless", most(|told| told.restless as f64), "");
        }
    }
    report.add(table);
}

fn line(told: &Told) -> String {
    let seconds = told.seconds.map(|s| s.map_or("-".into(), |s| format!("{s:.0}"))).join("/");
    format!(
        "way {:.0} bound {:.0} told {seconds} arrived {} false {} blocked {} stuck {} cut off {} empty {:.0}% restless {} back {}",
        told.way,
        told.bound,
        told.arrived,
        told.falsely,
        told.others[1],
        told.others[0],
        told.others[2],
        told.empty * 100.0,
        told.restless,
        told.taken_back
    )
}

/// A map of a kind on which so many agents have some ten times their room.
fn map(name: &str, count: usize, seed: u64) -> Terrain {
    let mut rng = Rng::new(seed);
    let side = ((count as f64 * 16.0).sqrt() as i32).max(96);
    let (w, h) = (side * 5 / 4, side * 4 / 5);
    let walls = match name {
        "city" => maps::city(&mut rng, w, h),
        "caves" => maps::caves(&mut rng, w, h),
        "rooms" => maps::rooms(&mut rng, w, h, 24),
        "maze" => maps::maze(&mut rng, w, h, 5),
        _ => Walls::filled(w, h, false),
    };
    walls.into_terrain(Cell::default())
}
