//! Navigation polygons: baking in the core, and baking and importing tile maps inside Godot beside what games have.

use std::hint::black_box;
use std::io;

use pathforge_core::{
    BakeSettings, Capability, ChunkGrid, Corner, PolygonSet, bake, bake_cells, bake_grid_chunk, open_grid,
};

use crate::godot;
use crate::maps::{Random, rooms};
use crate::measure::take_turns;
use crate::options::Options;
use crate::report::Report;

/// Pixels of a tile.
const TILE: f64 = 16.0;
/// Tiles of a chunk.
const CHUNK: i32 = 16;
const HALF_EXTENTS: [f64; 2] = [4.0, 4.0];

/// Measures.
pub fn run(options: &Options, report: &mut Report) {
    let mut rows: Vec<_> = [64, 256].iter().flat_map(|&side| bakes(side, options)).collect();
    rows.push(grid(options));
    report.table(
        "Navigation polygons in the core",
        "ms, one thread; tiles of 16 px, walls of rooms, furniture of any shape on 6 % of the floor, half-extents 4 px.",
        &["map", "what", "ms", "polygons"],
        &rows,
    );
    match inside_godot(options) {
        Ok(rows) => report.table(
            "Tile maps inside Godot",
            "ms, medians, from GDScript with everything that it takes: reading the layers, baking, handing over the result.",
            &["what", "ms"],
            &rows,
        ),
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

fn bakes(side: i32, options: &Options) -> Vec<Vec<String>> {
    let (floor, colliders) = sets(side, |_, _| true);
    let settings =
        [Corner::Box, Corner::Round].map(|corner| BakeSettings::new(HALF_EXTENTS, corner).expect("valid"));
    let chunks = ChunkGrid::new([0.0; 2], [f64::from(CHUNK) * TILE; 2]).expect("valid");
    let chunk = side / CHUNK / 2;
    let near = |x: i32| (chunk * CHUNK - 1..=(chunk + 1) * CHUNK).contains(&x);
    let (near_floor, near_colliders) = sets(side, |x, y| near(x) && near(y));
    let mut with_box = || drop(black_box(bake(&floor, &colliders, &settings[0])));
    let mut with_round = || drop(black_box(bake(&floor, &colliders, &settings[1])));
    let mut one_chunk = || {
        let baked = bake_grid_chunk(&near_floor, &near_colliders, &settings[0], &chunks, [chunk, chunk]);
        drop(black_box(baked));
    };
    let times = take_turns(options.rounds(), &mut [&mut with_box, &mut with_round, &mut one_chunk]);
    let polygons = settings.map(|settings| bake(&floor, &colliders, &settings).polygons().len());
    let names = ["box corners", "round corners", "one chunk of 16², box"];
    let polygons = [polygons[0].to_string(), polygons[1].to_string(), String::new()];
    let rows = names.iter().zip(times).zip(polygons);
    rows.map(|((what, time), polygons)| {
        vec![format!("{side}²"), (*what).to_owned(), format!("{:.2}", time * 1e3), polygons]
    })
    .collect()
}

fn grid(options: &Options) -> Vec<String> {
    let open = open_grid(&rooms(512, 1), Capability::ALL);
    let settings = BakeSettings::new(HALF_EXTENTS, Corner::Box).expect("valid");
    let bake_it = || bake_cells(&open, [0.0; 2], [TILE; 2], &settings).expect("valid");
    let time = take_turns(options.rounds(), &mut [&mut || drop(black_box(bake_it()))])[0];
    let polygons = bake_it().polygons().len().to_string();
    vec!["512², cells".to_owned(), "box corners".to_owned(), format!("{:.2}", time * 1e3), polygons]
}

fn inside_godot(options: &Options) -> io::Result<Vec<Vec<String>>> {
    let lines = godot::run_script("res://bench/navmesh.gd", options, |_| Ok(()))?;
    Ok(lines.iter().map(|line| vec![line.name.clone(), format!("{:.3}", line.number("msec"))]).collect())
}
