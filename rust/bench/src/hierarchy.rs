//! HAA* beside the engines for cells: how good its paths are, and how soon they are there.

use pathforge_core::geometry::{Cell, CellRect, DiagonalMode, Footprint};
use pathforge_core::passability::{LayerKey, PlacementCosts, Placements, TerrainCosts};
use pathforge_core::terrain::Terrain;
use pathforge_core::testing::{BodyGround, Derived, Hierarchy};
use pathforge_core::world::{PathOutcome, PathQuery, Profile, SearchMode, World};

use crate::goals;
use crate::maps::{Random, caves, islands, moving_ai, rooms, weighted};
use crate::measure::{Samples, quickest};
use crate::options::Options;
use crate::report::{Report, Table};

const SIDE: i32 = 4096;
/// Ways that count as long, in cells.
const LONG: usize = 2000;

/// Measures.
pub fn run(options: &Options, report: &mut Report) {
    if let Some(folder) = &options.maps {
        let mut table = Table::new(
            "HAA* paths beside cheapest ones",
            "Cost over the least cost, uniform cost; the same trips by jump points.",
            "map, side of the body",
        );
        for scenario in moving_ai(folder) {
            for side in 1..=3 {
                quality(&scenario.name, &scenario.terrain, &scenario.queries, side, &mut table, report);
            }
        }
        report.add(table);
    }
    let land = TerrainCosts::new(&[1.0, 4.0, 2.0]).expect("valid costs");
    let maps = [
        ("caves, weights 1–8", weighted(caves(SIDE, 2), 5), TerrainCosts::default()),
        ("rooms, weights 1–8", weighted(rooms(SIDE, 1), 6), TerrainCosts::default()),
        ("islands, terrains", islands(SIDE, 3), land),
    ];
    let mut paths = Table::new(
        "Long ways on 4096²",
        "Random reachable trips whose way is longer than 2,000 cells; the first query of a world, which makes clusters, apart.",
        "map",
    );
    let mut graphs = Table::new(
        "The graph, 4096²",
        "One layer and its costs. An edit is a wall of 1×3 cells; its repair is forgetting and making again.",
        "map",
    );
    for (name, map, terrain_costs) in maps {
        graph(name, &map, &terrain_costs, &mut graphs, report);
        eprintln!("   {name}: graph measured");
        long_paths(name, map, terrain_costs, options, &mut paths, report);
        eprintln!("   {name}: long paths measured");
    }
    report.add(paths);
    report.add(graphs);
}

fn profile(side: i64) -> Profile {
    Profile { footprint: Footprint::square(side).expect("valid"), ..Profile::default() }
}

fn hierarchical(query: PathQuery) -> PathQuery {
    PathQuery { search_mode: SearchMode::Hierarchical, ..query }
}

fn ratio(found: &PathOutcome, best: &PathOutcome) -> f64 {
    let units = |outcome: &PathOutcome| outcome.cost.map_or(f64::NAN, |cost| f64::from(cost.units()));
    units(found) / units(best)
}

fn quality(
    name: &str,
    map: &Terrain,
    trips: &[(Cell, Cell, f64)],
    side: i64,
    table: &mut Table,
    report: &mut Report,
) {
    let mut world = World::from_terrain(map.clone());
    let profile = profile(side);
    let mut ratios = Vec::new();
    let (mut over_clusters, mut times) = (0, [Vec::new(), Vec::new()]);
    let mut timed = |world: &mut World, query: &PathQuery, slot: usize| {
        // The least counts: the first may make clusters.
        let (seconds, outcome) = quickest(3, || world.find_path(query));
        times[slot].push(seconds * 1e6);
        outcome
    };
    for &(start, goal, _) in trips {
        let mut stand = |cell| world.nearest_fit(cell, &profile, None).unwrap_or_default();
        let query = PathQuery::new(stand(start), stand(goal), profile);
        if query.start == query.goal || !world.is_reachable(&query) {
            continue;
        }
        let best = timed(&mut world, &query, 0);
        let found = timed(&mut world, &hierarchical(query), 1);
        over_clusters += usize::from(found.engine == pathforge_core::world::Engine::Haa);
        ratios.push(ratio(&found, &best));
    }
    let count = ratios.len();
    if count == 0 {
        return; // Nowhere on this map can such a body go.
    }
    let mean = ratios.iter().sum::<f64>() / count as f64;
    let ratios = Samples::new(ratios);
    let [flat, clusters] = times.map(|times| times.iter().sum::<f64>() / count as f64);
    let name = format!("{name}, {side}");
    table
        .row(&name)
        .count("trips", count)
        .count("over clusters", over_clusters)
        .fixed("mean", mean, 4)
        .fixed("p99", ratios.percentile(99), 4)
        .fixed("max", ratios.percentile(100), 4)
        .number("HAA*", clusters, "µs")
        .number("jump points", flat, "µs");
    report.reach(&goals::HAA_MEAN, &name, mean);
    report.reach(&goals::HAA_MAX, &name, ratios.percentile(100));
}

fn long_paths(
    name: &str,
    map: Terrain,
    terrain_costs: TerrainCosts,
    options: &Options,
    table: &mut Table,
    report: &mut Report,
) {
    let mut world = World::from_terrain(map);
    let profile = Profile { terrain_costs, ..Profile::default() };
    let mut random = Random::new(21);
    let count = if options.quick { 8 } else { 16 };
    let (mut first, mut wholes, mut flats, mut ratios) = (None, vec![], vec![], vec![]);
    while ratios.len() < count {
        let mut stand = || world.nearest_fit(random.cell(SIDE), &profile, None).unwrap_or_default();
        let query = PathQuery::new(stand(), stand(), profile);
        let far = query.start.x.abs_diff(query.goal.x).max(query.start.y.abs_diff(query.goal.y));
        if (far as usize) < LONG / 2 || !world.is_reachable(&query) {
            continue;
        }
        // Layers and costs are made before; what is left of a first query is making clusters.
        let (flat, best) = quickest(1, || world.find_path(&query));
        if best.route.cell_count() <= LONG {
            continue;
        }
        let query = hierarchical(query);
        let (seconds, _) = quickest(1, || world.find_path(&query));
        first.get_or_insert(seconds * 1e3);
        let (whole, found) = quickest(3, || world.find_path(&query));
        wholes.push(whole * 1e3);
        flats.push(flat * 1e3);
        ratios.push(ratio(&found, &best));
    }
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    let max = ratios.iter().copied().fold(0.0, f64::max);
    let [wholes, flats] = [wholes, flats].map(Samples::new);
    let ratio = flats.median() / wholes.median();
    table
        .row(name)
        .count("trips", ratios.len())
        .number("first query", first.unwrap_or(f64::NAN), "ms")
        .samples("whole way", &wholes, "ms")
        .samples("A*", &flats, "ms")
        .ratio("× A*", ratio)
        .fixed("mean cost", mean, 4)
        .fixed("max cost", max, 4);
    report.reach(&goals::HAA_WHOLE, name, ratio);
}

fn graph(name: &str, map: &Terrain, factors: &TerrainCosts, table: &mut Table, report: &mut Report) {
    let (mut map, key) = (map.clone(), Footprint::ONE);
    let mut stands = Placements::build((&map, None), LayerKey::default());
    let mut costs = PlacementCosts::build((&map, &stands, factors.into()), key);
    let mode = DiagonalMode::OnlyIfNoObstacles;
    let mut hierarchy = Hierarchy::build((&stands, Some(&costs)), mode);
    let (seconds, ()) = quickest(1, || hierarchy.complete(&BodyGround::new(&stands, Some(&costs), mode)));
    let built = seconds * 1e3;
    let bytes = hierarchy.memory() as f64 / (f64::from(SIDE) * f64::from(SIDE));
    let counts = hierarchy.counts();
    let mut random = Random::new(4);
    let mut times = Vec::new();
    for _ in 0..150 {
        let cell = random.cell(SIDE - 8);
        let solid = map.is_solid(cell);
        let Some(changed) = map.fill_solid(CellRect::new(cell.x, cell.y, 1, 3), !solid) else { continue };
        let rect = pathforge_core::bitgrid::LocalRect::within(map.region(), changed).expect("inside");
        stands.repair_in((&map, None), LayerKey::default(), rect);
        costs.repair_in((&map, &stands, factors.into()), key, rect);
        let ground = BodyGround::new(&stands, Some(&costs), mode);
        // Each round repairs what was there before the edit: what was repaired already is not made again.
        let before = hierarchy.clone();
        let seconds = (0..3).map(|_| {
            hierarchy = before.clone();
            let (seconds, ()) = quickest(1, || {
                hierarchy.repair_in((&stands, Some(&costs)), mode, rect);
                hierarchy.complete_around(&ground, rect);
            });
            seconds
        });
        times.push(seconds.fold(f64::INFINITY, f64::min) * 1e6);
    }
    let times = Samples::new(times);
    let [clusters, blocks] = counts;
    let row = table.row(name).number("to make, all threads", built, "ms").number("a cell", bytes, "bytes");
    for (what, [parts, entrances, edges]) in [("clusters", clusters), ("blocks", blocks)] {
        row.count(what, parts);
        row.count(&format!("{what}: entrances"), entrances).count(&format!("{what}: edges"), edges);
    }
    row.samples("an edit", &times, "µs").number("an edit, p90", times.percentile(90), "µs");
    report.reach(&goals::HAA_MEMORY, name, bytes);
    report.reach(&goals::HAA_REPAIR, name, times.median());
}
