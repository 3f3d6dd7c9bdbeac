//! How time and memory grow: with the map's side, the body's, the number of layers that are kept, and of
//! agents.

use std::hint::black_box;
use std::time::Instant;

use pathforge_core::clearance::{ClearanceMap, ClearanceMetric};
use pathforge_core::field::{FieldBuilder, FlowField};
use pathforge_core::geometry::{Cell, CellRect, Footprint};
use pathforge_core::passability::{Placements, open_grid};
use pathforge_core::terrain::{Capability, Terrain};
use pathforge_core::testing::Derived;
use pathforge_core::world::{PathQuery, Profile, World};

use crate::crowd::{Scene, timed_steps};
use crate::godot::{Line, run_script};
use crate::maps::{Random, islands, rooms};
use crate::measure::{Samples, in_turns};
use crate::options::Options;
use crate::report::{Plot, Report, Table, grouped};

const SIDES: [i32; 6] = [256, 512, 1024, 2048, 4096, 8192];
const FOOTPRINTS: [i64; 6] = [1, 2, 4, 8, 16, 32];
const LAYERS: [usize; 6] = [1, 2, 4, 8, 16, 32];
const AGENTS: [usize; 5] = [100, 1_000, 10_000, 100_000, 200_000];
/// Above this side everything takes long enough for two rounds.
const LARGE: i32 = 2048;
const TRIPS: usize = 10;

/// Measures.
pub fn run(options: &Options, report: &mut Report) {
    let mut table = Table::new(
        "Growth with the map's side",
        "Rooms, one thread: the structures of a 3×3 body, the first query for it, which makes what it needs, then trips from \
         one side to the other; and a field. Memory of the whole world, and of the field, in bytes a cell.",
        "side",
    );
    for &side in if options.quick { &SIDES[..4] } else { &SIDES } {
        by_side(side, options, &mut table);
    }
    report.add(table);

    let mut table = Table::new(
        "Growth with the footprint",
        "Islands of 1024² where everything but peaks is open; trips that the body can make.",
        "body",
    );
    let map = islands(1024, 3);
    for side in FOOTPRINTS {
        by_footprint(&map, side, options, &mut table);
    }
    report.add(table);

    let mut table = Table::new(
        "Growth with the number of layers that are kept",
        "Rooms of 1024², bodies of so many shapes: what all of them pay together after a door was toggled, in their next \
         query.",
        "layers",
    );
    for count in LAYERS {
        by_layers(count, options, &mut table);
    }
    report.add(table);
    let crowd = agents(options, report);
    match run_script("res://bench/growth.gd", options, |_| Ok(())) {
        Ok(lines) => inside_godot(&lines, crowd, report),
        Err(error) => eprintln!("growth in godot: {error}"),
    }
}

fn body(side: i64) -> Profile {
    Profile { footprint: Footprint::square(side).expect("valid"), ..Profile::default() }
}

/// Trips between the left and the right quarter of the map.
fn trips(world: &mut World, profile: &Profile) -> Vec<PathQuery> {
    let side = world.terrain().region().w;
    let mut random = Random::new(31);
    let mut trips = Vec::new();
    for _ in 0..TRIPS * 50 {
        let (mut start, mut goal) = (random.cell(side), random.cell(side));
        (start.x, goal.x) = (start.x / 4, side - 1 - goal.x / 4);
        let mut stand = |cell| world.nearest_fit(cell, profile, None).unwrap_or_default();
        let query = PathQuery::new(stand(start), stand(goal), *profile);
        if world.is_reachable(&query) {
            trips.push(query);
        }
        if trips.len() == TRIPS {
            break;
        }
    }
    trips
}

/// What trips across a map took.
struct Asked {
    trips: usize,
    /// Milliseconds of the first one, which makes everything that it needs.
    first: f64,
    /// Microseconds of one after it.
    each: Samples,
    expanded: u64,
    /// Bytes of the world after them.
    memory: f64,
}

fn ask(map: &Terrain, profile: &Profile, options: &Options) -> Asked {
    let trips = trips(&mut World::from_terrain(map.clone()), profile);
    let mut world = World::from_terrain(map.clone());
    world.set_layer_memory_max(usize::MAX);
    let start = Instant::now();
    drop(black_box(trips.first().map(|query| world.find_path(query))));
    let first = start.elapsed().as_secs_f64() * 1e3;
    let expanded = trips.iter().map(|query| u64::from(world.find_path(query).expanded)).sum();
    let mut all = || trips.iter().for_each(|query| drop(black_box(world.find_path(query))));
    let rounds = if map.region().w > LARGE { 2 } else { options.rounds() };
    let times = in_turns(rounds, &mut [&mut all]);
    let each = times[0].times(1e6 / trips.len().max(1) as f64);
    Asked { trips: trips.len(), first, each, expanded, memory: world.memory() as f64 }
}

fn by_side(side: i32, options: &Options, table: &mut Table) {
    let cells = f64::from(side) * f64::from(side);
    let map = rooms(side, 1);
    let open = Placements::from(open_grid(&map, Capability::ALL));
    let profile = body(3);
    let mut erode = || drop(black_box(open.eroded(profile.footprint)));
    let mut clearance = || drop(black_box(ClearanceMap::build(&open, (ClearanceMetric::True, 255))));
    let times = in_turns(options.rounds(), &mut [&mut erode, &mut clearance]);
    let asked = ask(&map, &profile, options);
    let mut world = World::from_terrain(map);
    let source = world.field_source(&Profile::default());
    let middle = Cell::new(side / 2, side / 2);
    let goal = world.nearest_fit(middle, &Profile::default(), None).expect("the map has room");
    let (mut builder, mut field) = (FieldBuilder::default(), FlowField::default());
    let rounds = if side > LARGE { 2 } else { options.rounds() };
    let flood = in_turns(rounds, &mut [&mut || builder.build(source.ground(), &[goal], None, &mut field)]);
    table
        .row(format!("{side}²"))
        .samples("erosion", &times[0].times(1e3), "ms")
        .samples("clearance", &times[1].times(1e3), "ms")
        .number("first query", asked.first, "ms")
        .samples("a trip across", &asked.each, "µs")
        .samples("field", &flood[0].times(1e3), "ms")
        .number("field, a cell", flood[0].median() * 1e9 / cells, "ns")
        .number("world", asked.memory / cells, "bytes a cell")
        .number("field's memory", field.memory() as f64 / cells, "bytes a cell");
}

fn by_footprint(map: &Terrain, side: i64, options: &Options, table: &mut Table) {
    let open = open_grid(map, Capability::ALL);
    let profile = body(side);
    let mut erode = || drop(black_box(open.eroded(profile.footprint)));
    let erosion = in_turns(options.rounds() * 5, &mut [&mut erode]);
    let asked = ask(map, &profile, options);
    let each = asked.each.median() * 1e3 * asked.trips as f64 / asked.expanded.max(1) as f64;
    table
        .row(format!("{side}×{side}"))
        .samples("erosion", &erosion[0].times(1e6), "µs")
        .number("first query", asked.first, "ms")
        .count("trips", asked.trips)
        .samples("a trip across", &asked.each, "µs")
        .number("an expansion", each, "ns")
        .number("memory of the world", asked.memory / 1e6, "MB");
}

fn by_layers(count: usize, options: &Options, table: &mut Table) {
    let mut world = World::from_terrain(rooms(1024, 1));
    let shapes = (1..=6).flat_map(|h| (1..=6).map(move |w| (w, h))).take(count);
    let mut steps = Vec::new();
    let mut random = Random::new(13);
    for (w, h) in shapes {
        let profile = Profile { footprint: Footprint::new(w, h).expect("valid"), ..Profile::default() };
        let cell = random.cell(1000);
        let start = world.nearest_fit(cell, &profile, None).expect("the map has room");
        let sides = [(1, 0), (0, 1), (-1, 0), (0, -1)].map(|(x, y)| (start.x + x, start.y + y));
        let mut queries = sides.map(|(x, y)| PathQuery::new(start, Cell::new(x, y), profile)).into_iter();
        steps.extend(queries.find(|query| world.is_reachable(query)));
    }
    let ask_all = |world: &mut World| steps.iter().for_each(|query| drop(black_box(world.find_path(query))));
    ask_all(&mut world);
    let (mut times, mut quiet) = (Vec::new(), Vec::new());
    for _ in 0..if options.quick { 40 } else { 200 } {
        let cell = random.cell(1000);
        let door = CellRect::new(cell.x, cell.y, 1, 3);
        let open = !world.terrain().is_solid(cell);
        for solid in [open, !open] {
            world.terrain_mut().fill_solid(door, solid);
            let mut time = |times: &mut Vec<f64>| {
                let start = Instant::now();
                ask_all(&mut world);
                times.push(start.elapsed().as_secs_f64() * 1e6);
            };
            time(&mut times);
            time(&mut quiet);
        }
    }
    let times = Samples::new(times);
    table
        .row(steps.len().to_string())
        .samples("after a door", &times, "µs")
        .number("a layer", times.median() / steps.len() as f64, "µs")
        .samples("without an edit", &Samples::new(quiet), "µs")
        .number("memory of the world", world.memory() as f64 / 1e6, "MB");
}

/// The line of the plot: agents and seconds.
fn agents(options: &Options, report: &mut Report) -> Vec<[f64; 2]> {
    let mut table = Table::new(
        "Growth with the number of agents",
        "A step of 1/60 s at equal density, bodies of one to three cells, all cores.",
        "agents",
    );
    let mut line = Vec::new();
    for &count in if options.quick { &AGENTS[..4] } else { &AGENTS } {
        let mut scene = Scene::new(count);
        (0..20).for_each(|_| scene.step());
        let times = timed_steps(&mut scene, if count > 50_000 { 20 } else { 60 });
        let agents = scene.crowd.len();
        line.push([agents as f64, times.median() / 1e3]);
        table
            .row(grouped(agents as u64))
            .samples("a step", &times, "ms")
            .number("an agent", times.median() * 1e6 / agents as f64, "ns")
            .number("memory", scene.crowd.memory() as f64 / agents as f64, "bytes an agent");
    }
    report.add(table);
    line
}

fn inside_godot(lines: &[Line], crowd: Vec<[f64; 2]>, report: &mut Report) {
    let mut paths = Table::new(
        "Growth with the map's side, inside Godot",
        "`get_point_path` from one side of a map of rooms to the other, from GDScript. `AStarGrid2D` was not given more than \
         2048²: its cells alone would take gigabytes.",
        "side",
    );
    let mut crowds = Table::new(
        "Growth with the number of agents, inside Godot",
        "A step of `PathForgeCrowd` with everything, and the source article's steering in GDScript, which reads the cell and \
         moves along the vector, without looking at others.",
        "agents",
    );
    let [mut ours, mut theirs, mut script] = [const { Vec::new() }; 3];
    for line in lines {
        let time = line.number("ours_usec");
        if line.name == "paths" {
            let (side, peer) = (line.number("side"), line.number("plain_usec"));
            ours.push([side, time / 1e6]);
            theirs.extend((!peer.is_nan()).then_some([side, peer / 1e6]));
            paths
                .row(format!("{side}²"))
                .samples("PathForge", &line.samples("ours_usec"), "µs")
                .samples("AStarGrid2D", &line.samples("plain_usec"), "µs")
                .ratio("×", peer / time)
                .agree("same costs", line.agree);
        } else {
            let (agents, peer) = (line.number("agents"), line.number("script_usec"));
            script.extend((!peer.is_nan()).then_some([agents, peer / 1e6]));
            crowds
                .row(grouped(agents as u64))
                .samples("PathForgeCrowd", &line.samples("ours_usec").times(1e-3), "ms")
                .samples("GDScript, nodes", &line.samples("script_usec").times(1e-3), "ms");
        }
    }
    report.add(paths);
    report.add(crowds);
    report.plot(Plot {
        name: "paths",
        title: "A path across a map of rooms, from GDScript".into(),
        x: "side of the map, cells",
        y: "seconds",
        lines: vec![("PathForgeGrid".into(), ours), ("AStarGrid2D".into(), theirs)],
    });
    report.plot(Plot {
        name: "crowd",
        title: "A step of agents that avoid each other, and of GDScript that does not look".into(),
        x: "agents",
        y: "seconds",
        lines: vec![("PathForgeCrowd".into(), crowd), ("GDScript".into(), script)],
    });
}
