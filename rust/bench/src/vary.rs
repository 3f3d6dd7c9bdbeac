//! What becomes of crowds when one of the numbers that were chosen by measuring is halved or doubled.
//!
//! Each variation is a process of its own, which watches small scenes of the tests, with several seeds. A
//! figure counts as changed when its mean over the seeds is farther from that of the chosen numbers than the
//! seeds are spread. A number that changes no figure is not needed.

use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use pathforge_core::crowd::{AgentState, MarchShape, tuning_names, vary_tuning};
use pathforge_core::geometry::Cell;
use pathforge_tests::gathering::{Gathering, Rest};
use pathforge_tests::hall::{Hall, walks};
use pathforge_tests::halls::{DRIVEN_SPEED, Sizes, Units, corridor, crossing, exit, lane, tanks};
use pathforge_tests::judge::gathering::Group;
use pathforge_tests::maps::Walls;
use pathforge_tests::rng::Rng;

const STEP: f64 = 1.0 / 60.0;
const SEEDS: u64 = 4;
/// A figure has changed when its mean is farther off than so many standard errors of the difference.
const NOTICED: f64 = 3.0;

/// A figure by its name, with its value for each seed; more is worse.
type Figure = (String, Vec<f64>);

/// Varies one number if `what` is `NAME=FACTOR`, and prints the figures. Otherwise varies all, or the numbers
/// whose name contains a part of `what`, which commas divide, and prints the table of changes.
pub fn run(what: &str) {
    if let Some((name, factor)) = what.split_once('=') {
        let factor = factor.parse().expect("a factor");
        assert!(
            name == "none" || tuning_names().contains(&name) && vary_tuning(name, factor),
            "no such number"
        );
        for (name, values) in figures() {
            let values: Vec<String> = values.iter().map(|value| format!("{value:.4}")).collect();
            println!("{name}\t{}", values.join("\t"));
        }
        return;
    }
    let chosen = varied("none=1");
    let is_meant = |name: &str| what.split(',').any(|part| name.contains(part));
    let names: Vec<&str> = tuning_names().iter().copied().filter(|name| is_meant(name)).collect();

    let variations: Vec<(&str, &str)> =
        names.iter().flat_map(|&name| ["0.5", "2"].map(|factor| (name, factor))).collect();
    let (next, lines) = (AtomicUsize::new(0), Mutex::new(vec![String::new(); variations.len()]));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((name, factor)) = variations.get(next.fetch_add(1, Ordering::Relaxed)).copied()
                {
                    let place = variations.iter().position(|one| *one == (name, factor)).unwrap_or(0);
                    let line = changes(&chosen, &varied(&format!("{name}={factor}")));
                    eprintln!("{name} x{factor}: {line}");
                    lines.lock().expect("no thread panics")[place] = line;
                }
            });
        }
    });
    println!("| number | halved | doubled |\n|---|---|---|");
    let lines = lines.into_inner().expect("no thread panics");
    for (name, pair) in names.iter().zip(lines.chunks(2)) {
        println!("| {name} | {} | {} |", pair[0], pair[1]);
    }
}

/// The figures that a process of its own finds; none where it panics.
fn varied(what: &str) -> Vec<Figure> {
    let program = std::env::current_exe().expect("a program has a path");
    let output = Command::new(program).args(["--vary", what]).env("RAYON_NUM_THREADS", "1").output();
    let text = String::from_utf8(output.expect("it starts").stdout).expect("plain text");
    let figure = |line: &str| {
        let mut parts = line.split('\t');
        let name = parts.next()?.to_owned();
        Some((name, parts.filter_map(|value| value.parse().ok()).collect()))
    };
    text.lines().filter_map(figure).collect()
}

/// The figures that have changed, and by how much.
fn changes(chosen: &[Figure], varied: &[Figure]) -> String {
    if varied.len() != chosen.len() {
        return "a scene ends in a panic".into();
    }
    let same = chosen.iter().zip(varied).all(|(a, b)| a.1 == b.1);
    let changed = chosen.iter().zip(varied).filter_map(|((name, before), (_, after))| {
        let ((old, old_error), (new, new_error)) = (mean(before), mean(after));
        let error = old_error.hypot(new_error);
        // Where no seed differs, any change is one.
        let is_noticed = (new - old).abs() > NOTICED * error + 1e-9 && (new - old).abs() > 0.02 * old.abs();
        is_noticed.then(|| format!("{name} {old:.2} → {new:.2}"))
    });
    let changed: Vec<String> = changed.collect();
    match () {
        () if same => "the same bit for bit".into(),
        () if changed.is_empty() => "–".into(),
        () => changed.join(", "),
    }
}

/// The mean of some values, and its standard error.
fn mean(values: &[f64]) -> (f64, f64) {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    (mean, (squares / (count - 1.0).max(1.0) / count).sqrt())
}

/// Watches all scenes.
fn figures() -> Vec<Figure> {
    let mut all: Vec<Figure> = Vec::new();
    for seed in 0..SEEDS {
        let mut tell = |name: &str, value: f64| match all.iter_mut().find(|(known, _)| known == name) {
            Some((_, values)) => values.push(value),
            None => all.push((name.to_owned(), vec![value])),
        };
        passing(seed, &mut tell);
        meeting(seed, &mut tell);
        gathering(seed, &mut tell);
        formations(seed, &mut tell);
    }
    all
}

/// An exit, a corridor of twelve and of one.
fn passing(seed: u64, tell: &mut impl FnMut(&str, f64)) {
    let mut hall = exit(seed, Sizes::Mixed, 120);
    let depth = watch(&mut hall, 40.0, &[]);
    tell("exit: left", left(&hall, |x| x < 60.0));
    tell("exit: overlap", depth);
    let mut hall = corridor(seed, 12, 20, 80, Sizes::Mixed);
    let depth = watch(&mut hall, 45.0, &[]);
    tell("corridor: left", left(&hall, |x| (30.0..70.0).contains(&x)));
    tell("corridor: overlap", depth);
    let mut hall = lane(seed, 1 + seed as i32 % 3, [4, 3], seed as i32 % 3);
    watch(&mut hall, 45.0, &[]);
    tell("lane: under way", under_way(&hall));
}

/// Nodes that cross, that pass a gate there and back, and tanks.
fn meeting(seed: u64, tell: &mut impl FnMut(&str, f64)) {
    let (mut hall, ids) = crossing(seed, seed.is_multiple_of(2), true);
    let mut rest = Rest::await_all(&mut hall, &ids, DRIVEN_SPEED, 30);
    let place = if seed.is_multiple_of(2) { "in the open" } else { "in a corridor" };
    tell(&format!("nodes cross {place}: under way"), under_way(&hall));
    tell(&format!("nodes cross {place}: overlap"), f64::from(rest.overlap(0.999)));
    let mut units = Units::new(seed);
    let mut seconds = 0.0;
    for is_back in [false, true] {
        units.send(is_back);
        seconds += Rest::await_all(&mut units.hall, &units.ids, DRIVEN_SPEED, 60).seconds.unwrap_or(60.0);
    }
    tell("nodes there and back: seconds", seconds);
    if seed < 2 {
        let (mut hall, ids) = tanks();
        let rest = Rest::await_all(&mut hall, &ids, DRIVEN_SPEED, 60);
        tell("tanks: seconds", rest.seconds.unwrap_or(60.0));
    }
}

/// Groups that gather in the open and behind a gate, and orders on maps of many kinds.
fn gathering(seed: u64, tell: &mut impl FnMut(&str, f64)) {
    for (name, sizes, count, has_gate) in
        [("gather", Sizes::Mixed, 80, false), ("gather behind a gate", Sizes::Small, 100, true)]
    {
        let seen = Gathering::readme(seed, sizes, count, has_gate).watch(60);
        tell(&format!("{name}: told"), seen.told.unwrap_or(60.0));
        tell(&format!("{name}: move later"), seen.restless as f64);
        tell(&format!("{name}: spread"), seen.spread);
        tell(&format!("{name}: overlap"), f64::from(seen.overlap));
    }
    let kind = ["alleys", "rooms", "caves"][seed as usize % 3];
    let verdict = Group::new(kind, seed, [90, 60], &[(3, 22), (2, 44), (1, 154)]).judge_orders(2, 60);
    tell(&format!("{kind}: falsely"), (verdict.arrived_falsely + verdict.blocked_falsely) as f64);
    tell(&format!("{kind}: moved on"), verdict.moved_on as f64);
    tell(&format!("{kind}: blocked or stuck"), (verdict.blocked + verdict.stuck) as f64);
    tell(&format!("{kind}: 90 % told"), verdict.told[1].min(120.0));
    tell(&format!("{kind}: all told"), verdict.told[3].min(120.0));
    tell(&format!("{kind}: empty"), verdict.empty.unwrap_or(0.0));
    tell(&format!("{kind}: move later"), verdict.restless as f64);
}

/// A march through a gate, and places in a formation among agents at rest.
fn formations(seed: u64, tell: &mut impl FnMut(&str, f64)) {
    let mut walls = Walls::filled(70, 40, false);
    walls.fill(35, 0, 2, 40, true);
    walls.fill(35, 18, 2, 4, false);
    let mut hall = Hall::new(walls.into_terrain(Cell::default()));
    let mut rng = Rng::new(seed);
    let add = |hall: &mut Hall, n: i32, left: i32, side: i32| {
        hall.add(Cell::new(left + n % 5 * 3, 11 + n / 5 * 3), side, 4.0, None)
    };
    let squad: Vec<u32> = (0..20).filter_map(|n| add(&mut hall, n, 4, rng.pick(&[1, 1, 2]))).collect();
    let shape = [MarchShape::Block, MarchShape::Column, MarchShape::Wedge][seed as usize % 3];
    hall.crowd.assign_march(&squad, &[[10.0, 20.0], [36.0, 20.0], [58.0, 20.0]], 5, shape);
    let depth = watch(&mut hall, 40.0, &squad);
    tell("march: not there", not_there(&mut hall, &squad));
    tell("march: overlap", depth);
    // Others rest between them and their places.
    for n in 0..25 {
        add(&mut hall, n, 18, 1);
    }
    let field = [1, 2].map(|side| hall.field(side, &[Cell::new(10, 20)], 9));
    for &id in &squad {
        let kind = hall.crowd.view(id).map_or(0, |view| view.kind);
        hall.crowd.assign_field(&[id], field[usize::from(kind).min(1)]);
    }
    let places: Vec<[f64; 2]> =
        (0..squad.len()).map(|n| [5.5 + (n % 5) as f64 * 2.6, 14.5 + (n / 5) as f64 * 2.6]).collect();
    hall.crowd.assign_places(&squad, &places);
    let depth = watch(&mut hall, 60.0, &squad);
    tell("formation: not there", not_there(&mut hall, &squad));
    tell("formation: overlap", depth);
}

/// Steps for so many seconds, or until all of some are at rest; returns the deepest overlap but for one in a
/// thousand.
fn watch(hall: &mut Hall, seconds: f64, until: &[u32]) -> f64 {
    let mut overlaps = Vec::new();
    for step in 0..(seconds / STEP) as u32 {
        hall.step(STEP);
        if step % 20 == 0 {
            overlaps.extend(hall.overlaps(|_| true, |_| true));
        }
        if !until.is_empty() && step % 60 == 59 && not_there(hall, until) == 0.0 {
            break;
        }
    }
    f64::from(pathforge_tests::hall::percentile(&mut overlaps, 0.999))
}

fn left(hall: &Hall, is_left: impl Fn(f64) -> bool) -> f64 {
    hall.crowd.views_unordered().filter(|view| is_left(view.x)).count() as f64
}

fn under_way(hall: &Hall) -> f64 {
    hall.crowd.views_unordered().filter(walks).count() as f64
}

fn not_there(hall: &mut Hall, ids: &[u32]) -> f64 {
    let is_there = |&&id: &&u32| hall.crowd.view(id).is_some_and(|view| view.state != AgentState::Arrived);
    ids.iter().filter(is_there).count() as f64
}
