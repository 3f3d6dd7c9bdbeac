//! HAA* beside a published hierarchy, whose clusters are made before, too.

use std::hint::black_box;
use std::time::Instant;

use hierarchical_pathfinding::prelude::{MooreNeighborhood, PathCache, PathCacheConfig};
use pathforge_core::geometry::Cell;
use pathforge_core::terrain::Terrain;
use pathforge_core::world::{PathQuery, Profile, SearchMode, World};

use crate::maps::{Scenario, scenarios};
use crate::measure::{Samples, geometric_mean, in_turns};
use crate::options::Options;
use crate::report::{Report, Table};

/// Trips a map.
const TRIPS: usize = 40;
/// Cells of a cluster's side, as ours.
const CLUSTER: usize = 32;

/// Measures.
pub fn run(options: &Options, report: &mut Report) {
    let mut table = Table::new(
        "Hierarchies, 1×1, uniform cost",
        "A query, every cell of the path; clusters made before. `hierarchical_pathfinding` (clusters of 32×32, paths cached, a \
         search for cells where the way is short) steps diagonally between walls and at the price of a straight step: an easier \
         problem, and another one. How long its paths and ours are beside the shortest stands in columns.",
        "map",
    );
    let mut ratios = Vec::new();
    for scenario in scenarios(options) {
        let measured = measure(&scenario, options);
        let [ours, flat, peer] = &measured.times;
        let ratio = peer.median() / ours.median();
        ratios.push(ratio);
        table
            .row(&scenario.name)
            .samples("HAA*", ours, "µs")
            .samples("jump points", flat, "µs")
            .samples("hierarchical_pathfinding", peer, "µs")
            .ratio("×", ratio)
            .number("its clusters", measured.built, "ms")
            .fixed("length, HAA*", measured.lengths[0], 4)
            .fixed("length, its", measured.lengths[1], 4)
            .count("trips", measured.found[0])
            .count("it finds", measured.found[1]);
        eprintln!("   {} measured", scenario.name);
    }
    table.row("**geometric mean**").ratio("×", geometric_mean(&ratios));
    report.add(table);
}

struct Measured {
    /// µs a query: HAA*, jump points, the peer.
    times: [Samples; 3],
    /// Milliseconds in which the peer makes its clusters.
    built: f64,
    /// Mean lengths of HAA* and of the peer beside the shortest.
    lengths: [f64; 2],
    /// Trips, and how many of them the peer finds a path for.
    found: [usize; 2],
}

fn measure(scenario: &Scenario, options: &Options) -> Measured {
    let Scenario { terrain, queries, .. } = scenario;
    let step = queries.len().div_ceil(TRIPS).max(1);
    let trips: Vec<(Cell, Cell)> = queries
        .iter()
        .step_by(step)
        .filter(|(start, goal, _)| start != goal)
        .map(|&(start, goal, _)| (start, goal))
        .collect();
    let world = std::cell::RefCell::new(World::from_terrain(terrain.clone()));
    let ask = |search_mode: SearchMode, (start, goal): (Cell, Cell)| {
        let query = PathQuery { search_mode, ..PathQuery::new(start, goal, Profile::default()) };
        world.borrow_mut().find_path(&query).route.cells()
    };
    let begun = Instant::now();
    let peer = Peer::new(terrain);
    let built = begun.elapsed().as_secs_f64() * 1e3;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for &trip in &trips {
        let best = length(&ask(SearchMode::Optimal, trip));
        ours.push(length(&ask(SearchMode::Hierarchical, trip)) / best);
        let path = peer.path(trip);
        theirs.extend((!path.is_empty()).then(|| length(&path) / best));
    }
    let mean = |ratios: &[f64]| ratios.iter().sum::<f64>() / ratios.len() as f64;
    let all = |search_mode| trips.iter().for_each(|&trip| drop(black_box(ask(search_mode, trip))));
    let times = in_turns(
        options.rounds(),
        &mut [&mut || all(SearchMode::Hierarchical), &mut || all(SearchMode::Optimal), &mut || {
            for &trip in &trips {
                black_box(peer.path(trip));
            }
        }],
    );
    let count = trips.len() as f64;
    let times = std::array::from_fn(|n| times[n].times(1e6 / count));
    Measured { times, built, lengths: [mean(&ours), mean(&theirs)], found: [trips.len(), theirs.len()] }
}

/// The crate as its documentation shows it.
struct Peer {
    cache: PathCache<MooreNeighborhood>,
    costs: Vec<isize>,
    width: usize,
}

impl Peer {
    fn new(terrain: &Terrain) -> Self {
        let region = terrain.region();
        let (width, height) = (region.w as usize, region.h as usize);
        let costs: Vec<isize> =
            region.cells().map(|cell| if terrain.is_solid(cell) { -1 } else { 1 }).collect();
        let config = PathCacheConfig::with_chunk_size(CLUSTER);
        let neighborhood = MooreNeighborhood::new(width, height);
        let cache = PathCache::new((width, height), |(x, y)| costs[y * width + x], neighborhood, config);
        Self { cache, costs, width }
    }

    fn path(&self, (start, goal): (Cell, Cell)) -> Vec<Cell> {
        let cost = |(x, y): (usize, usize)| self.costs[y * self.width + x];
        let place = |cell: Cell| (cell.x as usize, cell.y as usize);
        let Some(path) = self.cache.find_path(place(start), place(goal), cost) else { return Vec::new() };
        let cells = path.resolve(cost).into_iter().map(|(x, y)| Cell::new(x as i32, y as i32));
        std::iter::once(start).chain(cells).collect()
    }
}

/// Cells that a path of single steps is long.
fn length(cells: &[Cell]) -> f64 {
    let step = |ends: &[Cell]| f64::from(ends[0].x - ends[1].x).hypot(f64::from(ends[0].y - ends[1].y));
    cells.windows(2).map(step).sum()
}
