//! Building and repairing what queries run on.

use std::hint::black_box;
use std::time::Instant;

use pathforge_core::{
    Capability, Cell, CellRect, ClearanceKey, ClearanceMap, ClearanceMetric, DiagonalMode, Footprint,
    JumpMap, PathQuery, Profile, Regions, Terrain, World, open_grid,
};

use crate::maps::{caves, noise, rooms};
use crate::measure::{median, take_turns};
use crate::options::Options;
use crate::report::Report;

const SIDE: i32 = 1024;

/// Measures.
pub fn run(options: &Options, report: &mut Report) {
    let maps = [("rooms", rooms(SIDE, 1)), ("caves", caves(SIDE, 2)), ("noise 20 %", noise(SIDE, 20, 3))];
    let rows: Vec<_> = maps.iter().flat_map(|(name, map)| builds(name, map, options)).collect();
    report.table(
        "Building layers, 1024²",
        "µs for the whole map, one thread.",
        &["map", "structure", "µs"],
        &rows,
    );
    let rows: Vec<_> = maps.iter().flat_map(|(name, map)| repairs(name, map)).collect();
    report.table(
        "One door toggled, 1024², four layers and a clearance map live",
        "µs, medians over 400 places. The edit itself is not counted; the first query after it pays the repair.",
        &["map", "what", "median", "p90"],
        &rows,
    );
}

fn builds(name: &str, map: &Terrain, options: &Options) -> Vec<Vec<String>> {
    let open = open_grid(map, Capability::ALL);
    let sizes = [(2, 2), (4, 4), (7, 5), (16, 16)].map(|(w, h)| Footprint::new(w, h).expect("valid"));
    let layer = open.eroded(sizes[0]);
    let twin = layer.transposed();
    let mode = DiagonalMode::OnlyIfNoObstacles;
    let erode = |footprint| {
        let open = &open;
        move || drop(black_box(open.eroded(footprint)))
    };
    let mut erosions = sizes.map(erode);
    let [e2, e4, e75, e16] = &mut erosions;
    let mut transpose = || drop(black_box(layer.transposed()));
    let mut stops = || drop(black_box(JumpMap::build(&layer, &twin, mode)));
    let mut regions = || drop(black_box(Regions::build(&layer, mode)));
    let mut clearance = || drop(black_box(ClearanceMap::build(&open, ClearanceMetric::True, 255)));
    let mut brushfire = || drop(black_box(ClearanceMap::build(&open, ClearanceMetric::Brushfire, 255)));
    let times = take_turns(
        options.rounds() * 5,
        &mut [e2, e4, e75, e16, &mut transpose, &mut stops, &mut regions, &mut clearance, &mut brushfire],
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
    names
        .iter()
        .zip(times)
        .map(|(what, time)| vec![name.to_string(), (*what).to_string(), format!("{:.0}", time * 1e6)])
        .collect()
}

fn repairs(name: &str, map: &Terrain) -> Vec<Vec<String>> {
    let mut world = World::from_terrain(map.clone());
    let profiles = [(1, 1), (2, 2), (3, 3), (4, 2)]
        .map(|(w, h)| Profile { footprint: Footprint::new(w, h).expect("valid"), ..Profile::default() });
    let key = ClearanceKey { capability: Capability::ALL, metric: ClearanceMetric::True, max: 255 };
    // A query of one step, so that its search costs next to nothing.
    let spots = profiles.map(|p| {
        let start = world.nearest_fit(Cell::new(SIDE / 2, SIDE / 2), &p, None).expect("the map has room");
        PathQuery::new(start, start, p)
    });
    for query in &spots {
        world.find_path(query);
        let near =
            PathQuery { goal_mode: pathforge_core::GoalMode::Nearest, goal: Cell::new(5, 5), ..*query };
        world.find_path(&near);
    }
    world.clearance_map(key);
    let names = ["one layer (2×2)", "four layers", "clearance map", "unreachable, regions current"];
    let mut times: [Vec<f64>; 4] = Default::default();
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
        time(0, &mut |world| drop(black_box(world.find_path(&spots[1]))));
        time(1, &mut |world| spots.iter().for_each(|query| drop(black_box(world.find_path(query)))));
        time(2, &mut |world| {
            black_box(world.clearance_map(key).get(0, 0));
        });
        let far = PathQuery { goal: cell, ..spots[0] };
        time(3, &mut |world| {
            black_box(world.is_reachable(&far));
        });
        // Taken back, so that the map stays what it is.
        world.terrain_mut().fill_solid(CellRect::new(cell.x, cell.y, 1, 3), !open);
        for query in &spots {
            world.find_path(query);
        }
        world.clearance_map(key);
    }
    names
        .iter()
        .zip(times)
        .map(|(what, mut times)| {
            times.sort_by(f64::total_cmp);
            let p90 = times[times.len() * 9 / 10];
            let middle = median(times);
            vec![name.to_string(), (*what).to_string(), format!("{middle:.1}"), format!("{p90:.1}")]
        })
        .collect()
}
