//! What an expansion costs: by footprint on uniform ground, and on weighted ground.

use std::hint::black_box;

use pathforge_core::geometry::Footprint;
use pathforge_core::terrain::Terrain;
use pathforge_core::world::{PathQuery, Profile, World};

use crate::goals;
use crate::maps::{Random, caves, noise, rooms, weighted};
use crate::measure::{Samples, in_turns};
use crate::options::Options;
use crate::report::{Report, Table};

const SIDE: i32 = 512;
const QUERIES: usize = 60;
const SIZES: [(i64, i64); 4] = [(1, 1), (2, 2), (3, 3), (4, 2)];

/// Measures.
pub fn run(options: &Options, report: &mut Report) {
    let maps = [("rooms", rooms(SIDE, 1)), ("caves", caves(SIDE, 2)), ("noise 5 %", noise(SIDE, 5, 3))];
    let sizes = SIZES.map(|(w, h)| Footprint::new(w, h).expect("valid"));
    let mut table = Table::new(
        "Cost of an expansion, 512²",
        "Time for each cell or jump point that is expanded, path extraction included, random reachable queries of each body.",
        "map",
    );
    for (ground, weights) in [("uniform", false), ("weights 1–8", true)] {
        for (name, map) in &maps {
            let map = if weights { weighted(map.clone(), 9) } else { map.clone() };
            let times = by_footprint(&map, sizes, options);
            let name = format!("{name}, {ground}");
            if weights {
                report.reach(&goals::EXPANSION_WEIGHTED, &name, times[0].median());
            }
            let row = table.row(&name);
            for ((w, h), times) in SIZES.into_iter().zip(&times) {
                row.samples(&format!("{w}×{h}"), times, "ns");
            }
            for size in [2, 3] {
                let (w, h) = SIZES[size];
                let ratio = times[size].median() / times[0].median();
                report.reach(&goals::EXPANSION_FOOTPRINT, &format!("{w}×{h} on {name}"), ratio);
            }
        }
    }
    report.add(table);
}

fn by_footprint(map: &Terrain, sizes: [Footprint; 4], options: &Options) -> [Samples; 4] {
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
    let times = in_turns(options.rounds(), &mut [a, b, c, d]);
    std::array::from_fn(|n| times[n].times(1e9 / expanded[n] as f64))
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
