//! How well crowds walk at the speed that the section on crowds shows: exits, corridors and squares of the
//! tests.

use pathforge_core::crowd::{AgentState, AgentView};
use pathforge_core::geometry::Cell;
use pathforge_tests::hall::{Hall, percentile, walks};
use pathforge_tests::halls::{Sizes, corridor, exit, fill};
use pathforge_tests::maps::Walls;
use pathforge_tests::rng::Rng;

use crate::goals;
use crate::options::Options;
use crate::report::{Report, Table};

const STEP: f64 = 1.0 / 60.0;
const SEEDS: u64 = 5;
/// Where the exit's wall ends, and where agents that passed it leave.
const OUTSIDE: f64 = 70.0;
const CORRIDOR: i32 = 40;

/// Measures.
pub fn run(options: &Options, report: &mut Report) {
    let mut table = Table::new(
        "How crowds walk",
        "Simulated time at 60 steps a second; an exit three cells wide, two crowds in a corridor 12 wide after 60 s, the same in \
         corridors one cell wide after 300 s, and a crowd that settled around its goal, five seconds after all were told. Overlaps in \
         parts of the smaller radius.",
        "seed, bodies",
    );
    for seed in 0..if options.quick { 1 } else { SEEDS } {
        for (name, sizes, out, meet) in
            [("of one cell", Sizes::Small, 400, 200), ("of three sizes", Sizes::Mixed, 200, 80)]
        {
            let subject = format!("{seed}, {name}");
            let (rate, overlap) = through_the_exit(exit(seed, sizes, out));
            let passed = passed(corridor(seed, 12, CORRIDOR, meet, sizes), 60);
            let row = table.row(&subject);
            row.number("through the exit", rate, "/s").fixed("overlap, p99.9", overlap, 3).number(
                "passed, wide",
                passed,
                "%",
            );
            let goal =
                if sizes == Sizes::Small { &goals::CROWD_EXIT_SMALL } else { &goals::CROWD_EXIT_MIXED };
            report.reach(goal, &subject, rate);
            report.reach(&goals::CROWD_OVERLAP, &subject, overlap);
            report.reach(&goals::CROWD_PASSED, &subject, passed);
            if sizes == Sizes::Small {
                for length in [2, 20] {
                    let stuck = 100.0 - self::passed(corridor(seed, 1, length, 20, sizes), 300);
                    row.number(&format!("left stuck, narrow, {length} long"), stuck, "%");
                    report.reach(&goals::CROWD_NARROW, &format!("{subject}, {length} long"), stuck);
                }
            } else {
                let (overlap, speed) = settled(seed);
                row.fixed("overlap, settled", overlap, 4).fixed("speed, settled", speed, 4);
                report.reach(&goals::CROWD_SETTLED, &subject, overlap);
                report.reach(&goals::CROWD_STANDING, &subject, speed);
            }
        }
        eprintln!("   seed {seed} measured");
    }
    report.add(table);
}

/// Bodies a second, and the overlap that 99.9 % of the walking ones stay below. Agents that passed the exit
/// leave.
fn through_the_exit(mut hall: Hall) -> (f64, f64) {
    let all = hall.crowd.len();
    let (mut first, mut last, mut overlaps) = (None, 0.0, Vec::new());
    for tick in 0..60 * 300 {
        hall.step(STEP);
        if tick % 20 == 0 {
            overlaps.extend(hall.overlaps(walks, walks));
        }
        let outside = |view: &AgentView| (view.x > OUTSIDE).then_some(view.id);
        let gone: Vec<u32> = hall.crowd.views_unordered().filter_map(|view| outside(&view)).collect();
        if hall.crowd.remove(&gone) > 0 {
            last = f64::from(tick) * STEP;
            first.get_or_insert(last);
        }
        if hall.crowd.is_empty() {
            break;
        }
    }
    let rate = (all - hall.crowd.len()) as f64 / (last - first.unwrap_or(0.0));
    (rate, f64::from(percentile(&mut overlaps, 0.999)))
}

/// How many in a hundred are on the other side of a corridor after so many seconds.
fn passed(mut hall: Hall, seconds: u32) -> f64 {
    let (all, right) = (hall.crowd.len(), f64::from(hall.terrain.region().w) - 40.0);
    let mut there = 0;
    for _ in 0..60 * seconds {
        hall.step(STEP);
        let goes_east = |view: &AgentView| view.field.is_some_and(|field| field < 3);
        let is_there = |view: &AgentView| if goes_east(view) { view.x > right } else { view.x < 40.0 };
        there = hall.crowd.views_unordered().filter(is_there).count();
        if there == all {
            break;
        }
    }
    there as f64 * 100.0 / all as f64
}

/// The deepest overlap in a crowd that settled, five seconds after all were told, and the speed of its
/// fastest, in cells a second.
fn settled(seed: u64) -> (f64, f64) {
    let mut hall = Hall::new(Walls::filled(60, 60, false).into_terrain(Cell::default()));
    let fields = [1, 2, 3].map(|side| Some(hall.field(side, &[Cell::new(40, 30)], 0)));
    let count = fill(&mut hall, &mut Rng::new(seed), [2, 2, 20, 50], 90, Sizes::Mixed, fields);
    for _ in 0..60 * 60 {
        hall.step(STEP);
        if hall.states()[AgentState::Arrived as usize] == count {
            break;
        }
    }
    (0..300).for_each(|_| drop(hall.step(STEP)));
    let overlap = hall.overlaps(|_| true, |_| true).into_iter().fold(0.0, f32::max);
    let before: Vec<AgentView> = hall.crowd.views().collect();
    hall.step(STEP);
    let moved = before.iter().zip(hall.crowd.views()).map(|(a, b)| (a.x - b.x).hypot(a.y - b.y));
    (f64::from(overlap), moved.fold(0.0, f64::max) / STEP)
}
