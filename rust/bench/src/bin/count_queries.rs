//! A fixed number of searches on generated maps, to be counted by instructions where a noisy machine hides
//! small steps: `valgrind --tool=callgrind --toggle-collect='*counted*' target/release/count_queries plain`.
//! The argument is one of these:
//!
//! - the name of an engine;
//! - `short`: queries of a few cells, with all that a query is beside its search;
//! - `toggled`: queries on small maps between edits of a few cells, with the edits.
//!
//! Prints what the searches found, so that two versions can be seen to answer alike.

use std::hint::black_box;

use pathforge_bench::maps::{Random, game_like, patches};
use pathforge_core::cost::Cost;
use pathforge_core::geometry::{Cell, CellRect, DiagonalMode, Footprint};
use pathforge_core::passability::{PlacementCosts, Placements, TerrainCosts, open_grid};
use pathforge_core::primitives::GridPoint;
use pathforge_core::terrain::{Capability, Terrain};
use pathforge_core::testing::{
    Derived, Goals, JumpMap, Scratch, Transpose, search_uniform, search_weighted, search_weighted_jps,
};
use pathforge_core::world::{PathQuery, Profile, Status, World};

/// Queries a map and diagonal mode.
const QUERIES: usize = 25;

fn main() {
    let engine = std::env::args().nth(1).unwrap_or_default();
    // The side of a patch of equal weight; plain queries see none.
    let side = match engine.as_str() {
        "plain" => 1024,
        "jumps" => 24,
        "steps" => 1,
        "short" => return short(),
        "toggled" => return toggled(),
        _ => return eprintln!("count_queries plain|jumps|steps|short|toggled"),
    };
    for (name, map) in game_like() {
        let ground = Ground::new(&patches(map, side, 0));
        let (mut scratch, mut sums) = (Scratch::default(), [0_u64; 3]);
        for mode in DiagonalMode::ALL {
            let maps = ground.maps(mode);
            for (start, goals) in ground.queries() {
                let result = match engine.as_str() {
                    "plain" => {
                        counted(|| search_uniform(&maps.0, mode, start, &goals, u32::MAX, &mut scratch))
                    }
                    "jumps" => counted(|| {
                        search_weighted_jps(
                            &maps.1,
                            &ground.costs,
                            mode,
                            start,
                            &goals,
                            u32::MAX,
                            &mut scratch,
                        )
                    }),
                    _ => counted(|| {
                        search_weighted(&maps.0, &ground.costs, mode, start, &goals, u32::MAX, &mut scratch)
                    }),
                };
                sums[0] += u64::from(result.cost);
                sums[1] += u64::from(result.expanded);
                sums[2] += u64::from(result.generated);
            }
        }
        println!("{name}: cost {}, expanded {}, generated {}", sums[0], sums[1], sums[2]);
    }
}

/// Queries to cells at most twelve cells away, once what they run on is made.
fn short() {
    for (name, map) in game_like() {
        let (mut world, side) = (World::from_terrain(map.clone()), map.region().w);
        let mut random = Random::new(33);
        let mut queries = Vec::new();
        while queries.len() < 4 * QUERIES {
            let start = random.cell(side);
            let goal = Cell::new(start.x + random.below(13) as i32, start.y + random.below(13) as i32);
            let query = PathQuery::new(start, goal, Profile::default());
            if world.find_path(&query).status == Status::Complete {
                queries.push(query);
            }
        }
        let outcomes = queries.iter().map(|query| counted(|| world.find_path(query)));
        let cost: u32 = outcomes.filter_map(|outcome| outcome.cost).map(Cost::units).sum();
        println!("{name}: cost {cost}");
    }
}

/// Queries on small maps, as games that take turns ask them: six cells solid for each, and open again after
/// it.
fn toggled() {
    for (side, mode, is_weighted) in [
        (16, DiagonalMode::Never, false),
        (16, DiagonalMode::OnlyIfNoObstacles, false),
        (16, DiagonalMode::Never, true),
        (32, DiagonalMode::OnlyIfNoObstacles, true),
    ] {
        let (mut random, mut open) = (Random::new(side as u64), Vec::new());
        let mut terrain = Terrain::new(CellRect::new(0, 0, side, side)).expect("a small region");
        for cell in terrain.region().cells() {
            if random.below(6) == 0 {
                terrain.set_solid(cell, true);
            } else {
                open.push(cell);
            }
            if is_weighted && random.below(4) == 0 {
                terrain.fill_weight(CellRect::cell(cell), 3.0).expect("a finite weight");
            }
        }
        let (mut world, units) = (World::from_terrain(terrain), open.iter().step_by(9).take(6));
        let profile = Profile { diagonal_mode: mode, ..Profile::default() };
        let mut end = || open[random.below(open.len() as u32) as usize];
        let queries: Vec<_> = (0..300).map(|_| PathQuery::new(end(), end(), profile)).collect();
        let set = |world: &mut World, solid| {
            for &unit in units.clone() {
                world.terrain_mut().set_solid(unit, solid);
            }
        };
        let outcomes = queries.iter().map(|query| {
            counted(|| {
                set(&mut world, true);
                let outcome = world.find_path(query);
                set(&mut world, false);
                outcome
            })
        });
        let cost: u32 = outcomes.filter_map(|outcome| outcome.cost).map(Cost::units).sum();
        println!("{side}, {mode:?}, {}: cost {cost}", if is_weighted { "weights" } else { "plain" });
    }
}

/// The only code that is counted.
#[inline(never)]
fn counted<T>(search: impl FnOnce() -> T) -> T {
    black_box(search())
}

/// What searches run on.
struct Ground {
    layer: Placements,
    transpose: Transpose,
    costs: PlacementCosts,
}

impl Ground {
    fn new(terrain: &Terrain) -> Self {
        let layer = Placements::from(open_grid(terrain, Capability::ALL));
        let costs =
            PlacementCosts::build((terrain, &layer, (&TerrainCosts::default()).into()), Footprint::ONE);
        Self { transpose: Transpose::build(&layer, ()), layer, costs }
    }

    fn maps(&self, mode: DiagonalMode) -> (JumpMap, JumpMap) {
        (
            JumpMap::build((&self.layer, &self.transpose, None), mode),
            JumpMap::build((&self.layer, &self.transpose, Some(&self.costs)), mode),
        )
    }

    /// Random queries, each fifth with several goals.
    fn queries(&self) -> Vec<(GridPoint, Goals)> {
        let mut random = Random::new(43);
        let layout = self.layer.layout();
        let mut point = || loop {
            let cell = random.cell(layout.width() as i32);
            let (x, y) = (cell.x as u32, cell.y as u32);
            if self.layer.at(x, y) {
                return GridPoint::of_cell(x, y);
            }
        };
        let mut query = |n: usize| {
            let goals: Vec<GridPoint> =
                (0..if n.is_multiple_of(5) { 4 } else { 1 }).map(|_| point()).collect();
            (point(), Goals::new(layout, &goals).expect("a goal at least"))
        };
        (0..QUERIES).map(&mut query).collect()
    }
}
