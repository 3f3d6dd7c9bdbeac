//! Building and repairing what queries run on.

use std::hint::black_box;
use std::time::Instant;

use pathforge_core::bitgrid::LocalRect;
use pathforge_core::clearance::{ClearanceMap, ClearanceMetric};
use pathforge_core::connectivity::Components;
use pathforge_core::geometry::{Cell, CellRect, DiagonalMode, Footprint};
use pathforge_core::passability::{LayerKey, Placements, open_grid};
use pathforge_core::terrain::{Capability, Terrain};
use pathforge_core::testing::{Derived, JumpMap, Transpose};
use pathforge_core::world::{ClearanceKey, PathQuery, Profile, World};

use crate::goals;
use crate::maps::{Random, caves, noise, rooms};
use crate::measure::{Samples, in_turns};
use crate::options::Options;
use crate::report::{Goal, Report, Table};

const SIDE: i32 = 1024;

/// Measures.
pub fn run(options: &Options, report: &mut Report) {
    let maps = [("rooms", rooms(SIDE, 1)), ("caves", caves(SIDE, 2)), ("noise 20 %", noise(SIDE, 20, 3))];
    let mut table = Table::new("Building layers, 1024²", "The whole map, one thread.", "structure");
    for (name, map) in &maps {
        builds(name, map, options, &mut table, report);
    }
    report.add(table);
    let mut table = Table::new(
        "One door toggled, 1024², four layers and a clearance map live",
        "Medians over 400 places. The edit itself is not counted; the first query after it pays the repair.",
        "what",
    );
    for (name, map) in &maps {
        repairs(name, map, &mut table, report);
        relabel(name, map, &mut table, report);
    }
    report.add(table);
}

/// What it takes to find the regions again around an edit.
fn relabel(name: &str, map: &Terrain, table: &mut Table, report: &mut Report) {
    let mut map = map.clone();
    let mode = DiagonalMode::OnlyIfNoObstacles;
    let mut open = Placements::build((&map, None), LayerKey::default());
    let mut components = Components::build(&open, mode.joins_diagonally());
    let mut random = Random::new(5);
    let mut times = Vec::new();
    for _ in 0..400 {
        let cell = random.cell(SIDE - 8);
        let solid = map.is_solid(cell);
        let Some(changed) = map.fill_solid(CellRect::new(cell.x, cell.y, 1, 3), !solid) else { continue };
        let rect = LocalRect::within(map.region(), changed).expect("inside");
        open.repair_in((&map, None), LayerKey::default(), rect);
        let start = Instant::now();
        components.repair_in(&open, mode.joins_diagonally(), rect);
        times.push(start.elapsed().as_secs_f64() * 1e6);
    }
    assert!(
        components == Components::build(&open, mode.joins_diagonally()),
        "repaired components must be those of a whole build"
    );
    let times = Samples::new(times);
    report.reach(&goals::RELABEL, name, times.median());
    table.entry("regions alone").samples(name, &times, "µs").number(
        &format!("{name}, p90"),
        times.percentile(90),
        "µs",
    );
}

fn builds(name: &str, map: &Terrain, options: &Options, table: &mut Table, report: &mut Report) {
    let open = Placements::from(open_grid(map, Capability::ALL));
    let sizes = [(2, 2), (4, 4), (7, 5), (16, 16)].map(|(w, h)| Footprint::new(w, h).expect("valid"));
    let layer = Placements::from(open.eroded(sizes[0]));
    let transpose = Transpose::build(&layer, ());
    let mode = DiagonalMode::OnlyIfNoObstacles;
    let erode = |footprint| {
        let open = &open;
        move || drop(black_box(open.eroded(footprint)))
    };
    let mut erosions = sizes.map(erode);
    let [e2, e4, e75, e16] = &mut erosions;
    let mut transposing = || drop(black_box(layer.transposed()));
    let mut stops = || drop(black_box(JumpMap::build((&layer, &transpose, None), mode)));
    let mut components = || drop(black_box(Components::build(&layer, mode.joins_diagonally())));
    let mut clearance = || drop(black_box(ClearanceMap::build(&open, (ClearanceMetric::True, 255))));
    let mut brushfire = || drop(black_box(ClearanceMap::build(&open, (ClearanceMetric::Brushfire, 255))));
    let times = in_turns(
        options.rounds() * 5,
        &mut [
            e2,
            e4,
            e75,
            e16,
            &mut transposing,
            &mut stops,
            &mut components,
            &mut clearance,
            &mut brushfire,
        ],
    );
    let names = [
        "erosion 2×2",
        "erosion 4×4",
        "erosion 7×5",
        "erosion 16×16",
        "transposed twin",
        "stop bits, rows and columns",
        "regions",
        "true clearance, u8",
        "brushfire, u8",
    ];
    for (what, times) in names.into_iter().zip(&times) {
        table.entry(what).samples(name, &times.times(1e6), "µs");
        let usec = times.median() * 1e6;
        match what {
            "true clearance, u8" => report.reach(&goals::CLEARANCE, name, usec / 1e3),
            _ if what.starts_with("erosion") => {
                report.reach(&goals::LAYER_EROSION, &format!("{what} on {name}"), usec);
            }
            _ => {}
        }
    }
    report.reach(&goals::LAYER_TWIN, name, (times[4].median() + times[5].median()) * 1e6);
}

/// A query of one step, so that its search costs next to nothing.
fn one_step(world: &mut World, random: &mut Random, profile: &Profile) -> PathQuery {
    let steps = std::iter::repeat_with(|| {
        let start = world.nearest_fit(random.cell(SIDE), profile, None)?;
        let goals = [(1, 0), (0, 1), (-1, 0), (0, -1)].map(|(x, y)| Cell::new(start.x + x, start.y + y));
        let mut steps = goals.into_iter().map(|goal| PathQuery::new(start, goal, *profile));
        steps.find(|query| world.is_reachable(query))
    });
    steps.take(1000).find_map(|step| step).expect("the map has room")
}

fn repairs(name: &str, map: &Terrain, table: &mut Table, report: &mut Report) {
    let mut world = World::from_terrain(map.clone());
    let profiles = [(1, 1), (2, 2), (3, 3), (4, 2)]
        .map(|(w, h)| Profile { footprint: Footprint::new(w, h).expect("valid"), ..Profile::default() });
    let key = ClearanceKey::new(Capability::ALL, ClearanceMetric::True, 255);
    let mut random = Random::new(12);
    let steps = profiles.each_ref().map(|profile| one_step(&mut world, &mut random, profile));
    for query in &steps {
        world.find_path(query);
        let goal_mode = pathforge_core::world::GoalMode::Nearest;
        world.find_path(&PathQuery { goal_mode, goal: Cell::new(5, 5), ..query.clone() });
    }
    world.clearance_map(key);
    // Shut in, so that nothing leads there.
    world.terrain_mut().fill_solid(CellRect::new(0, 0, 5, 5), true);
    world.terrain_mut().fill_solid(CellRect::new(2, 2, 1, 1), false);
    let mut times: [Vec<f64>; 6] = Default::default();
    let mut random = 7_u32;
    for _ in 0..400 {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let cell = Cell::new((random >> 8) as i32 % (SIDE - 8), (random >> 20) as i32 % (SIDE - 8));
        let open = !world.terrain().is_solid(cell);
        world.terrain_mut().fill_solid(CellRect::new(cell.x, cell.y, 1, 3), open);
        let mut time = |slot: usize, work: &mut dyn FnMut(&mut World)| {
            let start = Instant::now();
            work(&mut world);
            times[slot].push(start.elapsed().as_secs_f64() * 1e6);
        };
        time(0, &mut |world| drop(black_box(world.find_path(&steps[1]))));
        time(1, &mut |world| steps.iter().for_each(|query| drop(black_box(world.find_path(query)))));
        time(2, &mut |world| {
            black_box(world.clearance_map(key).get(0, 0));
        });
        let shut_in = PathQuery { goal: Cell::new(2, 2), ..steps[0].clone() };
        time(4, &mut |world| {
            black_box(world.is_reachable(&shut_in));
        });
        time(5, &mut |world| drop(black_box(world.find_path(&shut_in))));
        let all = times[..3].iter().filter_map(|times| times.last()).sum();
        times[3].push(all);
        // Taken back, so that the map stays what it is.
        world.terrain_mut().fill_solid(CellRect::new(cell.x, cell.y, 1, 3), !open);
        for query in &steps {
            world.find_path(query);
        }
        world.clearance_map(key);
    }
    report_repairs(name, times, table, report);
}

fn report_repairs(name: &str, times: [Vec<f64>; 6], table: &mut Table, report: &mut Report) {
    let rows: [(&str, Option<&'static Goal>); 6] = [
        ("one layer (2×2)", None),
        ("three more layers", None),
        ("clearance map", None),
        ("all of them", Some(&goals::DOOR)),
        ("`is_reachable`, regions current", Some(&goals::REACHABLE)),
        ("a path to an unreachable goal", Some(&goals::UNREACHABLE)),
    ];
    for ((what, goal), times) in rows.into_iter().zip(times) {
        let times = Samples::new(times);
        if let Some(goal) = goal {
            report.reach(goal, name, times.median());
        }
        table.entry(what).samples(name, &times, "µs").number(
            &format!("{name}, p90"),
            times.percentile(90),
            "µs",
        );
    }
}
