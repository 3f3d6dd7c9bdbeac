//! What an expansion costs: by footprint on uniform ground, and on weighted ground.

use std::hint::black_box;

use pathforge_core::{Footprint, PathQuery, Profile, Terrain, World};

use crate::maps::{Random, caves, noise, rooms, weighted};
use crate::measure::take_turns;
use crate::options::Options;
use crate::report::Report;

const SIDE: i32 = 512;
const QUERIES: usize = 60;

/// Measures.
pub fn run(options: &Options, report: &mut Report) {
    let maps = [("rooms", rooms(SIDE, 1)), ("caves", caves(SIDE, 2)), ("noise 5 %", noise(SIDE, 5, 3))];
    let sizes = [(1, 1), (2, 2), (3, 3), (4, 2)].map(|(w, h)| Footprint::new(w, h).expect("valid"));
    let mut rows = Vec::new();
    for (ground, weights) in [("uniform", false), ("weights 1–8", true)] {
        for (name, map) in &maps {
            let map = if weights { weighted(map.clone(), 9) } else { map.clone() };
            let mut row = vec![ground.to_string(), (*name).to_string()];
            row.extend(by_footprint(&map, sizes, options).map(|ns| format!("{ns:.0}")));
            rows.push(row);
        }
    }
    report.table(
        "Cost of an expansion, 512²",
        "ns an expansion, path extraction included, random reachable queries of each body.",
        &["ground", "map", "1×1", "2×2", "3×3", "4×2"],
        &rows,
    );
}

fn by_footprint(map: &Terrain, sizes: [Footprint; 4], options: &Options) -> [f64; 4] {
    let mut world = World::from_terrain(map.clone());
    let queries = sizes.map(|footprint| random_queries(&mut world, footprint));
    let expanded = queries
        .each_ref()
        .map(|queries| queries.iter().map(|query| u64::from(world.find_path(query).expanded)).sum::<u64>());
    let world = std::cell::RefCell::new(world);
    let mut runs = queries.each_ref().map(|queries| {
        let world = &world;
        move || queries.iter().for_each(|query| drop(black_box(world.borrow_mut().find_path(query))))
    });
    let [a, b, c, d] = &mut runs;
    let times = take_turns(options.rounds(), &mut [a, b, c, d]);
    std::array::from_fn(|n| times[n] * 1e9 / expanded[n] as f64)
}

fn random_queries(world: &mut World, footprint: Footprint) -> Vec<PathQuery> {
    let profile = Profile { footprint, ..Profile::default() };
    let mut random = Random::new(11);
    let mut queries = Vec::new();
    let mut tries = 0;
    while queries.len() < QUERIES && tries < 100_000 {
        tries += 1;
        let mut stand = || world.nearest_fit(random.cell(SIDE), &profile, None).unwrap_or_default();
        let query = PathQuery::new(stand(), stand(), profile);
        if world.is_reachable(&query) {
            queries.push(query);
        }
    }
    queries
}
