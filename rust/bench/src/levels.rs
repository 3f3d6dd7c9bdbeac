//! Side-view levels of 512×256 cells, generated from fixed seeds.

use pathforge_core::geometry::CellRect;
use pathforge_core::terrain::Terrain;
use pathforge_platformer::PlatformerQuery;
use pathforge_tests::jumps::Jumps;

use crate::maps::{Random, caves};

const W: i32 = 512;
const H: i32 = 256;

/// A level with its name.
pub struct Level {
    /// What it looks like, in a word.
    pub name: &'static str,
    /// Its cells.
    pub map: Terrain,
}

/// One level of each kind, from `seed`.
pub fn levels(seed: u64) -> [Level; 3] {
    [
        Level { name: "ledges", map: ledges(seed) },
        Level { name: "storeys", map: storeys(seed + 1) },
        Level { name: "caves", map: hollows(seed + 2) },
    ]
}

fn empty() -> Terrain {
    Terrain::new(CellRect::new(0, 0, W, H)).expect("a level of this size is allowed")
}

fn below(random: &mut Random, bound: i32) -> i32 {
    random.below(bound as u32) as i32
}

/// Hilly ground, and blocks and one-way platforms all over the sky.
fn ledges(seed: u64) -> Terrain {
    let mut random = Random::new(seed);
    let mut map = empty();
    let mut height = 8;
    for x in 0..W {
        if random.below(4) == 0 {
            height = (height + below(&mut random, 7) - 3).clamp(1, 24);
        }
        map.fill_solid(CellRect::new(x, H - height, 1, height), true);
    }
    for _ in 0..W * H / 75 {
        let (w, h) = (1 + below(&mut random, 9), 1 + below(&mut random, 3));
        map.fill_solid(CellRect::new(below(&mut random, W), below(&mut random, H), w, h), true);
    }
    for _ in 0..W * H / 105 {
        let w = 1 + below(&mut random, 10);
        map.fill_one_way(CellRect::new(below(&mut random, W), below(&mut random, H), w, 1), true);
    }
    map
}

/// A tower of floors with holes in them, walls with doors, and one-way steps below the holes.
fn storeys(seed: u64) -> Terrain {
    let mut random = Random::new(seed);
    let mut map = empty();
    for floor in (7..H).step_by(8) {
        map.fill_solid(CellRect::new(0, floor, W, 1), true);
        for wall in (20..W).step_by(24) {
            let wall = wall + below(&mut random, 9);
            map.fill_solid(CellRect::new(wall, floor - 7, 1, 3 - below(&mut random, 3)), true);
            map.fill_solid(CellRect::new(wall, floor - 1 - below(&mut random, 2), 1, 2), true);
        }
        for hole in (10..W - 20).step_by(40) {
            let (x, w) = (hole + below(&mut random, 16), 4 + below(&mut random, 3));
            map.fill_solid(CellRect::new(x, floor, w, 1), false);
            map.fill_one_way(CellRect::new(x, floor, w, 1), true);
            map.fill_one_way(CellRect::new(x, floor + 3, w, 1), true);
            map.fill_one_way(CellRect::new(x - 2, floor + 6, w, 1), true);
        }
    }
    map
}

/// Caves with one-way ledges.
fn hollows(seed: u64) -> Terrain {
    let mut random = Random::new(seed);
    let cells = caves(W, seed).solid_data();
    let mut map = empty();
    map.set_solid_data(&cells[..(W * H) as usize]).expect("one byte a cell");
    for _ in 0..W * H / 60 {
        let w = 2 + below(&mut random, 5);
        map.fill_one_way(CellRect::new(below(&mut random, W), below(&mut random, H), w, 1), true);
    }
    map
}

/// So many queries that have a path, between random cells at which the body of `query` stands.
pub fn queries(jumps: &mut Jumps, query: &PlatformerQuery, count: usize) -> Vec<PlatformerQuery> {
    let stands = jumps.stands(query.profile.footprint);
    let mut random = Random::new(17);
    let mut any = || stands[random.below(stands.len() as u32) as usize];
    let mut found = Vec::new();
    for _ in 0..count * 50 {
        let query = PlatformerQuery { start: any(), goal: any(), ..*query };
        if jumps.find_path(&query).is_complete() {
            found.push(query);
        }
        if found.len() == count {
            break;
        }
    }
    found
}
