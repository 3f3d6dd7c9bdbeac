//! Navigation polygons: baking in the core, and baking and importing tile maps inside Godot beside what games
//! have.

use std::hint::black_box;
use std::io;

use pathforge_core::passability::open_grid;
use pathforge_core::terrain::Capability;
use pathforge_navmesh::{BakeSettings, Corner, PolygonSet, TileGrid, bake, bake_cells, bake_tile};

use crate::maps::{Random, rooms};
use crate::measure::in_turns;
use crate::options::Options;
use crate::report::{Goal, Report, Table};
use crate::{goals, godot};

/// Pixels of a tile.
const TILE: f64 = 16.0;
/// Tiles of a chunk.
const CHUNK: i32 = 16;
const HALF_EXTENTS: [f64; 2] = [4.0, 4.0];

/// Measures.
pub fn run(options: &Options, report: &mut Report) {
    let mut table = Table::new(
        "Navigation polygons in the core",
        "One thread; tiles of 16 px, walls of rooms, furniture of any shape on 6 % of the floor, half-extents 4 px.",
        "map",
    );
    for side in [64, 256] {
        bakes(side, options, &mut table);
    }
    grid(options, &mut table);
    report.add(table);
    match inside_godot(options) {
        Ok(lines) => tell(&lines, report),
        Err(error) => eprintln!("navmesh: {error}"),
    }
}

/// Floor and colliders of some tiles of a level.
fn sets(side: i32, tiles: impl Fn(i32, i32) -> bool) -> (PolygonSet, PolygonSet) {
    let walls = rooms(side, 4);
    let (mut floor, mut colliders) = (PolygonSet::new(), PolygonSet::new());
    let mut random = Random::new(9);
    for cell in walls.region().cells() {
        let dice = random.below(100);
        let (turn, corners) = (f64::from(random.below(60)) / 10.0, 3 + random.below(6));
        if !tiles(cell.x, cell.y) {
            continue;
        }
        let (x, y) = (f64::from(cell.x) * TILE, f64::from(cell.y) * TILE);
        let tile = [[x, y], [x + TILE, y], [x + TILE, y + TILE], [x, y + TILE]];
        let pushed = if walls.is_solid(cell) { colliders.push(&tile) } else { floor.push(&tile) };
        pushed.expect("tiles are valid");
        if !walls.is_solid(cell) && dice < 6 {
            let corner = |i: u32| {
                let angle = turn + f64::from(i) / f64::from(corners) * std::f64::consts::TAU;
                [7.0_f64.mul_add(angle.cos(), x + 8.0), 6.0_f64.mul_add(angle.sin(), y + 8.0)]
            };
            colliders.push(&(0..corners).map(corner).collect::<Vec<_>>()).expect("furniture is valid");
        }
    }
    (floor, colliders)
}

fn bakes(side: i32, options: &Options, table: &mut Table) {
    let (floor, colliders) = sets(side, |_, _| true);
    let settings =
        [Corner::Box, Corner::Round].map(|corner| BakeSettings::new(HALF_EXTENTS, corner).expect("valid"));
    let chunks = TileGrid::new([0.0; 2], [f64::from(CHUNK) * TILE; 2]).expect("valid");
    let chunk = side / CHUNK / 2;
    let near = |x: i32| (chunk * CHUNK - 1..=(chunk + 1) * CHUNK).contains(&x);
    let (near_floor, near_colliders) = sets(side, |x, y| near(x) && near(y));
    let mut with_box = || drop(black_box(bake(&floor, &colliders, &settings[0])));
    let mut with_round = || drop(black_box(bake(&floor, &colliders, &settings[1])));
    let mut one_chunk = || {
        let baked = bake_tile(&near_floor, &near_colliders, &settings[0], &chunks, [chunk, chunk]);
        drop(black_box(baked));
    };
    let times = in_turns(options.rounds(), &mut [&mut with_box, &mut with_round, &mut one_chunk]);
    let polygons = settings.map(|settings| bake(&floor, &colliders, &settings).polygons().len());
    let names = ["box corners", "round corners", "one chunk of 16², box"];
    for (n, (what, times)) in names.into_iter().zip(times).enumerate() {
        let row = table.row(format!("{side}², {what}")).samples("time", &times.times(1e3), "ms");
        if let Some(&polygons) = polygons.get(n) {
            row.count("polygons", polygons);
        }
    }
}

fn grid(options: &Options, table: &mut Table) {
    let open = open_grid(&rooms(512, 1), Capability::ALL);
    let settings = BakeSettings::new(HALF_EXTENTS, Corner::Box).expect("valid");
    let bake_it = || bake_cells(&open, [0.0; 2], [TILE; 2], &settings).expect("valid");
    let times = in_turns(options.rounds(), &mut [&mut || drop(black_box(bake_it()))]);
    table
        .row("512², cells, box corners")
        .samples("time", &times[0].times(1e3), "ms")
        .count("polygons", bake_it().polygons().len());
}

fn inside_godot(options: &Options) -> io::Result<Vec<godot::Line>> {
    godot::run_script("res://bench/navmesh.gd", options, |_| Ok(()))
}

fn tell(lines: &[godot::Line], report: &mut Report) {
    let mut table = Table::new(
        "Tile maps inside Godot",
        "Medians, from GDScript with everything that it takes: reading the layers, baking, handing over the result.",
        "what",
    );
    let time =
        |name: &str| lines.iter().find(|line| line.name == name).map_or(f64::NAN, |line| line.number("msec"));
    for line in lines {
        table.row(&line.name).samples("time", &line.samples("msec"), "ms");
    }
    report.add(table);
    let times: [(&'static Goal, &str); 8] = [
        (&goals::BAKE_BOX, "256² tiles, box"),
        (&goals::BAKE_ROUND, "256² tiles, round"),
        (&goals::BAKE_64, "64² tiles, box"),
        (&goals::BAKE_CELLS, "512² cells of a grid"),
        (&goals::BAKE_CHUNK, "one painted chunk of 16² in 256², ours"),
        (&goals::IMPORT, "import of 512² tiles"),
        (&goals::IMPORT_TILE, "one named tile of 512²"),
        (&goals::IMPORT_COMPARE, "512² tiles compared after a change"),
    ];
    for (goal, name) in times {
        report.reach(goal, "", time(name));
    }
    let ours = time("64² tiles, box");
    report.reach(&goals::BAKE_SERVER, "", time("64² tiles, the engine's server") / ours);
    report.reach(&goals::BAKE_GDSCRIPT, "", time("64² tiles, by hand in GDScript") / ours);
}
