//! What requests take of the main thread, and what many moving obstacles cost the next query.

use std::collections::VecDeque;
use std::hint::black_box;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;
use std::{fs, io};

use pathforge_core::geometry::{Cell, CellRect, Footprint};
use pathforge_core::terrain::{ObstacleId, ObstacleLayers, Terrain};
use pathforge_core::world::{PathOutcome, PathQuery, PathRequests, Profile, Workers, World};

use crate::goals;
use crate::godot::{moving_ai_text, run_script};
use crate::maps::{Random, caves, noise, rooms, weighted};
use crate::measure::Samples;
use crate::options::Options;
use crate::report::{Report, Table};

const SIDE: i32 = 1024;
const LARGE: i32 = 4096;
/// Obstacles that have moved between two queries.
const MOVED: [usize; 5] = [1, 16, 100, 200, 400];

/// Measures.
pub fn run(options: &Options, report: &mut Report) {
    let mut table = Table::new(
        "Obstacles that have moved since the last query, 1024², four layers live",
        "What the next queries of all four sizes pay, and what they pay when everything is built anew.",
        "map",
    );
    for (name, map) in
        [("rooms", rooms(SIDE, 1)), ("caves", caves(SIDE, 2)), ("noise 20 %", noise(SIDE, 20, 3))]
    {
        moving(name, &map, options, &mut table);
    }
    report.add(table);
    let mut table = Table::new(
        "1,000 requests with one goal, 1024²",
        "On one thread: each searched by itself, and as requests of one frame, which share a field where that pays. The map is \
         planned before.",
        "map",
    );
    for (name, map) in [
        ("rooms", rooms(SIDE, 1)),
        ("caves", caves(SIDE, 2)),
        ("noise 20 %", noise(SIDE, 20, 3)),
        ("rooms, weights", weighted(rooms(SIDE, 1), 5)),
    ] {
        sharing(name, map, options, &mut table);
    }
    report.add(table);
    let mut table = Table::new(
        "An edit while jobs hold a snapshot, 4096²",
        "A wall of 1×3 cells goes up or down, and weights change: the edit with what the next look at regions and the next path \
         pay for it on the main thread, beside the same without a snapshot.",
        "map",
    );
    for (name, map, weights) in [
        ("rooms", rooms(LARGE, 1), false),
        ("caves, weights 1–8", weighted(caves(LARGE, 2), 5), false),
        ("caves, weights 1–8, a weight changes", weighted(caves(LARGE, 2), 5), true),
    ] {
        held(name, map, weights, options, &mut table);
    }
    report.add(table);
    inside_godot(options, report);
    under_edits(options, report);
}

/// Requests from GDScript while the map changes.
fn under_edits(options: &Options, report: &mut Report) {
    let lines = match run_script("res://bench/requests_under_edits.gd", options, |_| Ok(())) {
        Ok(lines) => lines,
        Err(error) => return eprintln!("requests under edits: {error}"),
    };
    let mut table = Table::new(
        "500 requests while the map changes, 128²",
        "In every frame, at 60 frames a second: requests under edits and under decaying influence, until all are answered, \
         beside the same requests on a map that stays. Medians over rounds.",
        "what changes",
    );
    for line in &lines {
        let (frames, usec) = (line.number("frames"), line.number("all_usec"));
        table
            .row(line.name.as_str())
            .count("frames", frames as usize)
            .number("all answered after", usec / 1e3, "ms")
            .ratio("× the frames of a map that stays", frames / line.number("still_frames"))
            .ratio("× its time", usec / line.number("still_usec"));
    }
    report.add(table);
}

/// Requests from GDScript.
fn inside_godot(options: &Options, report: &mut Report) {
    let prepare = |folder: &Path| -> io::Result<()> {
        for (name, terrain) in [("rooms", rooms(SIDE, 1)), ("caves", caves(SIDE, 2))] {
            fs::write(folder.join(name).with_extension("map"), moving_ai_text(&terrain))?;
        }
        Ok(())
    };
    let lines = match run_script("res://bench/requests.gd", options, prepare) {
        Ok(lines) => lines,
        Err(error) => return eprintln!("requests: {error}"),
    };
    let mut table = Table::new(
        "1,000 requests from GDScript, 1024², a body of 2×2",
        "Of the main thread, medians over rounds, half of them with one goal for all. The frames that hand out answers are \
         those after the one that asks. Godot's own call is `get_child_count`.",
        "map",
    );
    for line in &lines {
        let ms = |name: &str| line.number(name) / 1e3;
        table
            .row(line.name.as_str())
            .number("calls of `request_path`", ms("calls_usec"), "ms")
            .number("with defaults left out", ms("short_calls_usec"), "ms")
            .number("one of `request_paths`", ms("batch_usec"), "ms")
            .number("handing out, worst frame", ms("hand_worst_usec"), "ms")
            .number("median frame", ms("hand_median_usec"), "ms")
            .number("all answered after", ms("all_usec"), "ms")
            .number("1,000 `is_reachable`", ms("reach_usec"), "ms")
            .number("1,000 of Godot's own", ms("own_usec"), "ms");
        for (how, calls) in [("all arguments", "calls_usec"), ("defaults left out", "short_calls_usec")] {
            let worst = ms(calls).max(ms("hand_worst_usec"));
            report.reach(&goals::REQUESTS_FRAME, &format!("{}, {how}", line.name), worst);
        }
        report.reach(&goals::REACHABLE, &format!("{}, from GDScript", line.name), ms("reach_usec"));
    }
    report.add(table);
}

/// Requests with one goal beside searches.
fn sharing(name: &str, map: Terrain, options: &Options, table: &mut Table) {
    let mut world = World::from_terrain(map);
    let mut random = Random::new(12);
    let middle = Cell::new(SIDE / 2, SIDE / 2);
    let goal = world.nearest_fit(middle, &Profile::default(), None).expect("the map has room");
    let count = if world.terrain().weights().is_some() { 100 } else { 1000 };
    let mut queries = Vec::new();
    while queries.len() < count {
        let query = PathQuery::new(random.cell(SIDE), goal, Profile::default());
        if world.is_reachable(&query) {
            queries.push(query);
        }
    }
    let workers = Arc::new(Queue::default());
    let mut requests = PathRequests::new(Arc::clone(&workers) as Arc<dyn Workers>);
    let (mut apart, mut together) = (Vec::new(), Vec::new());
    for round in 0..=options.rounds() {
        let begun = Instant::now();
        let costs: u64 = queries.iter().map(|query| units(&world.find_path(query))).sum();
        let searched = begun.elapsed().as_secs_f64();
        let begun = Instant::now();
        for query in &queries {
            requests.submit(query.clone());
        }
        requests.pump(&mut world);
        while workers.work() {}
        requests.pump(&mut world);
        let answers = std::iter::from_fn(|| requests.next_answer(&mut world));
        let shared: u64 = answers.map(|answer| units(&answer.outcome)).sum();
        if round > 0 {
            apart.push(searched * 1e3);
            together.push(begun.elapsed().as_secs_f64() * 1e3);
        }
        assert_eq!(costs, shared, "a shared field must give the cost that searches find");
    }
    let (apart, together) = (Samples::new(apart), Samples::new(together));
    table
        .row(name)
        .count("requests", count)
        .samples("searches", &apart, "ms")
        .samples("requests of one frame", &together, "ms")
        .ratio("×", apart.median() / together.median());
}

fn units(outcome: &PathOutcome) -> u64 {
    outcome.cost.map_or(0, |cost| u64::from(cost.units()))
}

/// Workers that wait to be told.
#[derive(Default)]
struct Queue(Mutex<VecDeque<Box<dyn FnOnce() + Send>>>);

impl Queue {
    fn work(&self) -> bool {
        let work = self.0.lock().expect("nobody panicked").pop_front();
        work.map(|work| work()).is_some()
    }
}

impl Workers for Queue {
    fn count(&self) -> usize {
        1
    }

    fn spawn(&self, work: Box<dyn FnOnce() + Send>) {
        self.0.lock().expect("nobody panicked").push_back(work);
    }
}

/// What the next queries pay for obstacles that have moved.
fn moving(name: &str, map: &Terrain, options: &Options, table: &mut Table) {
    let profiles = [(1, 1), (2, 2), (3, 3), (4, 2)]
        .map(|(w, h)| Profile { footprint: Footprint::new(w, h).expect("valid"), ..Profile::default() });
    let at = |cell: Cell| CellRect::new(cell.x, cell.y, 2, 2);
    let mut random = Random::new(9);
    let mut world = World::from_terrain(map.clone());
    let mut bodies: Vec<(ObstacleId, Cell)> = Vec::new();
    for _ in 0..MOVED[MOVED.len() - 1] {
        let cell = random.cell(SIDE - 2);
        bodies.push((
            world.terrain_mut().add_obstacle(at(cell), ObstacleLayers::FIRST).expect("there is room").0,
            cell,
        ));
    }
    let rounds = options.rounds() * 3;
    ask(&mut world, &profiles);
    let row = table.row(name);
    for count in MOVED {
        let mut times = Vec::new();
        for round in 0..rounds {
            let step = if round % 2 == 0 { 1 } else { -1 };
            for (id, cell) in &mut bodies[..count] {
                cell.x = (cell.x + step).clamp(0, SIDE - 2);
                world.terrain_mut().move_obstacle(*id, at(*cell)).expect("it is there");
            }
            times.push(ask(&mut world, &profiles));
        }
        row.samples(&format!("{count} moved"), &Samples::new(times), "ms");
    }
    let mut times = Vec::new();
    for _ in 0..rounds {
        // One edit of everything, so that scratch memory is there already.
        world.terrain_mut().fill_solid(CellRect::new(0, 0, SIDE, SIDE), false).expect("something was solid");
        let data = map.solid_data();
        world.terrain_mut().set_solid_data(&data).expect("as many as there are cells");
        times.push(ask(&mut world, &profiles));
    }
    row.samples("built anew", &Samples::new(times), "ms");
}

/// What the main thread pays for an edit while jobs hold what it changes.
fn held(name: &str, map: Terrain, weights: bool, options: &Options, table: &mut Table) {
    let mut world = World::from_terrain(map);
    let mut random = Random::new(4);
    let profile = Profile::default();
    let query = loop {
        let start = world.nearest_fit(random.cell(LARGE), &profile, None).unwrap_or_default();
        let query = PathQuery::new(start, Cell::new(start.x + 1, start.y), profile);
        if world.is_reachable(&query) {
            break query;
        }
    };
    let row = table.row(name);
    for (how, is_held) in [("alone", false), ("held", true)] {
        let mut times = Vec::new();
        for _ in 0..if options.quick { 100 } else { 400 } {
            black_box(world.find_path(&query));
            let snapshot = is_held.then(|| world.snapshot());
            let cell = random.cell(LARGE - 8);
            let rect = CellRect::new(cell.x, cell.y, 1, 3);
            let (solid, weight) = (world.terrain().is_solid(cell), world.terrain().weight(cell));
            let begun = Instant::now();
            if weights {
                black_box(world.terrain_mut().fill_weight(rect, if weight < 4.0 { 5.0 } else { 3.0 }).ok());
            } else {
                black_box(world.terrain_mut().fill_solid(rect, !solid));
            }
            black_box(world.is_reachable(&query));
            black_box(world.find_path(&query));
            times.push(begun.elapsed().as_secs_f64() * 1e3);
            drop(snapshot);
        }
        let times = Samples::new(times);
        row.samples(how, &times, "ms").number(&format!("{how}, p99"), times.percentile(99), "ms");
    }
}

/// Milliseconds of a short path and a look at regions for each of `profiles`.
fn ask(world: &mut World, profiles: &[Profile]) -> f64 {
    let begun = Instant::now();
    for profile in profiles {
        let start = world.nearest_fit(Cell::new(SIDE / 2, SIDE / 2), profile, None).unwrap_or_default();
        let next = PathQuery::new(start, Cell::new(start.x + 1, start.y), *profile);
        if world.is_reachable(&next) {
            black_box(world.find_path(&next));
        }
    }
    begun.elapsed().as_secs_f64() * 1e3
}
