//! Weighted ground in patches: searches by jumps beside the same search cell by cell.

use std::hint::black_box;

use pathforge_core::connectivity::Components;
use pathforge_core::geometry::{Cell, DiagonalMode, Footprint};
use pathforge_core::passability::{PlacementCosts, Placements, TerrainCosts, open_grid};
use pathforge_core::primitives::{GridPoint, SearchEnd};
use pathforge_core::terrain::{Capability, Terrain};
use pathforge_core::testing::{
    Derived, Goals, JumpMap, Landmarks, MoveBytes, MoveWay, Scratch, SearchResult, Transpose, Weights,
    search_weighted, search_weighted_jps,
};

use crate::maps::{Random, caves, moving_ai, noise, patches, rooms};
use crate::measure::{Samples, geometric_mean, in_turns};
use crate::options::Options;
use crate::report::{Report, Table};

const SIDE: i32 = 512;
const QUERIES: usize = 40;
const MODE: DiagonalMode = DiagonalMode::OnlyIfNoObstacles;

/// How a map gets weights of 1 to 8: the side of a patch, and how many cells in a hundred get a weight of
/// their own.
const KINDS: [(&str, i32, u32); 5] = [
    ("patches of 12", 12, 0),
    ("patches of 24", 24, 0),
    ("patches of 48", 48, 0),
    ("patches of 24, 20 % of cells their own", 24, 20),
    ("every cell its own", 1, 0),
];

/// Measures.
pub fn run(options: &Options, report: &mut Report) {
    let mut table = Table::new(
        "Weighted ground in patches",
        "All searches answer the same queries with the same costs. Chosen is what a world asks: jumps where at least half of the \
         placements are of locally uniform cost, else A\\*; by landmarks where the profile was prepared. A cell that a jump of A\\* \
         passes counts as expanded there.",
        "map",
    );
    let mut ratios = vec![[Vec::new(), Vec::new()]; KINDS.len()];
    for (name, map) in maps(options) {
        for (kind, ratios) in KINDS.into_iter().zip(&mut ratios) {
            let ground = Ground::new(&patches(map.clone(), kind.1, kind.2));
            let queries = ground.queries();
            let [jumps, cells, prepared] = ground.times(&queries, options);
            let [few, many, fewest] = ground.expansions(&queries);
            let is_by_jumps = ground.costs.is_mostly_uniform();
            let ratio = cells.median() / jumps.median();
            let chosen = if is_by_jumps { jumps.median() } else { cells.median() };
            let gain = chosen / prepared.median();
            ratios[0].push(cells.median() / chosen);
            ratios[1].push(gain);
            table
                .row(format!("{name}, {}", kind.0))
                .number("jumps: expanded", few, "")
                .samples("jumps", &jumps, "µs")
                .number("A*: expanded", many, "")
                .samples("A*", &cells, "µs")
                .ratio("× A*", ratio)
                .text("chosen", if is_by_jumps { "jumps" } else { "A*" })
                .number("by landmarks: expanded", fewest, "")
                .samples("by landmarks", &prepared, "µs")
                .ratio("× chosen", gain);
        }
    }
    for ((kind, ..), ratios) in KINDS.into_iter().zip(&ratios) {
        table
            .row(format!("**geometric mean of what is chosen, {kind}**"))
            .ratio("× A*", geometric_mean(&ratios[0]))
            .ratio("× chosen", geometric_mean(&ratios[1]));
    }
    report.add(table);
}

/// Moving AI maps when there are some, else generated ones.
fn maps(options: &Options) -> Vec<(String, Terrain)> {
    let found = options.maps.as_deref().map_or_else(Vec::new, moving_ai);
    if !found.is_empty() {
        return found.into_iter().map(|scenario| (scenario.name, scenario.terrain)).collect();
    }
    let maps = [
        ("open", noise(SIDE, 0, 1)),
        ("rooms", rooms(SIDE, 1)),
        ("caves", caves(SIDE, 2)),
        ("noise 4 %", noise(SIDE, 4, 3)),
        ("noise 10 %", noise(SIDE, 10, 3)),
    ];
    maps.map(|(name, map)| (name.to_owned(), map)).into()
}

/// What both searches run on.
struct Ground {
    layer: Placements,
    map: JumpMap,
    costs: PlacementCosts,
    cost_map: JumpMap,
    landmarks: Landmarks,
}

impl Ground {
    fn new(terrain: &Terrain) -> Self {
        let layer = Placements::from(open_grid(terrain, Capability::ALL));
        let transpose = Transpose::build(&layer, ());
        let costs =
            PlacementCosts::build((terrain, &layer, (&TerrainCosts::default()).into()), Footprint::ONE);
        let (moves, components) = (
            MoveBytes::build(&layer, (MODE, MoveWay::Leaving)),
            Components::build(&layer, MODE.joins_diagonally()),
        );
        Self {
            landmarks: Landmarks::build((&layer, [&moves; 2], &components, &costs), MODE),
            map: JumpMap::build((&layer, &transpose, None), MODE),
            cost_map: JumpMap::build((&layer, &transpose, Some(&costs)), MODE),
            layer,
            costs,
        }
    }

    /// Random queries with a path, on which both searches agree.
    fn queries(&self) -> Vec<(GridPoint, Goals)> {
        let (mut random, mut scratch) = (Random::new(41), Scratch::default());
        let layout = self.layer.layout();
        let side = layout.width().max(layout.height()) as i32;
        let is_open = |cell: Cell| {
            let (x, y) = (cell.x as u32, cell.y as u32);
            x < layout.width() && y < layout.height() && self.layer.at(x, y)
        };
        let mut queries = Vec::new();
        while queries.len() < QUERIES {
            let [start, goal] = [random.cell(side), random.cell(side)];
            if !is_open(start) || !is_open(goal) {
                continue;
            }
            let [start, goal] = [start, goal].map(|cell| GridPoint::of_cell(cell.x as u32, cell.y as u32));
            let query = (start, Goals::new(layout, &[goal]).expect("one goal"));
            let [jumps, cells, prepared] = self.answers(&query, &mut scratch);
            assert!(jumps == cells && jumps == prepared, "{start:?} {goal:?}: the searches disagree");
            if jumps.0 == SearchEnd::Found {
                queries.push(query);
            }
        }
        queries
    }

    fn answers(&self, query: &(GridPoint, Goals), scratch: &mut Scratch) -> [(SearchEnd, u32); 3] {
        self.search(query, scratch).map(|result| (result.end, result.cost))
    }

    fn search(&self, (start, goals): &(GridPoint, Goals), scratch: &mut Scratch) -> [SearchResult; 3] {
        [
            search_weighted_jps(&self.cost_map, &self.costs, MODE, *start, goals, u32::MAX, scratch),
            search_weighted(&self.map, &self.costs, MODE, *start, goals, u32::MAX, scratch),
            self.prepared(*start, goals, scratch),
        ]
    }

    /// By landmarks, with the engine that a world chooses.
    fn prepared(&self, start: GridPoint, goals: &Goals, scratch: &mut Scratch) -> SearchResult {
        let landmarks = self.landmarks.costs();
        let weights = Weights::with_landmarks(&self.costs, &landmarks);
        if self.costs.is_mostly_uniform() {
            search_weighted_jps(&self.cost_map, weights, MODE, start, goals, u32::MAX, scratch)
        } else {
            search_weighted(&self.map, weights, MODE, start, goals, u32::MAX, scratch)
        }
    }

    /// Expansions a query.
    fn expansions(&self, queries: &[(GridPoint, Goals)]) -> [f64; 3] {
        let mut scratch = Scratch::default();
        let mut sums = [0.0; 3];
        for query in queries {
            let results = self.search(query, &mut scratch);
            sums = std::array::from_fn(|n| sums[n] + f64::from(results[n].expanded));
        }
        sums.map(|sum| sum / queries.len() as f64)
    }

    /// µs a query.
    fn times(&self, queries: &[(GridPoint, Goals)], options: &Options) -> [Samples; 3] {
        let [mut a, mut b, mut c] = [(); 3].map(|()| Scratch::default());
        let mut jumps = || {
            for (start, goals) in queries {
                black_box(search_weighted_jps(
                    &self.cost_map,
                    &self.costs,
                    MODE,
                    *start,
                    goals,
                    u32::MAX,
                    &mut a,
                ));
            }
        };
        let mut cells = || {
            for (start, goals) in queries {
                black_box(search_weighted(&self.map, &self.costs, MODE, *start, goals, u32::MAX, &mut b));
            }
        };
        let mut prepared = || {
            for (start, goals) in queries {
                black_box(self.prepared(*start, goals, &mut c));
            }
        };
        let times = in_turns(options.rounds(), &mut [&mut jumps, &mut cells, &mut prepared]);
        std::array::from_fn(|n| times[n].times(1e6 / queries.len() as f64))
    }
}
