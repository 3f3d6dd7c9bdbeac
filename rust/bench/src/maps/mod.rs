//! Maps to measure on: Moving AI files where there are some, and generated ones of fixed seeds.

use std::fs;
use std::path::Path;

use pathforge_core::geometry::Cell;
use pathforge_core::terrain::Terrain;
use pathforge_core::world::{PathQuery, Profile, World};

use crate::options::Options;

mod generated;

pub use generated::{caves, city, islands, maze, noise, patches, rooms, weighted};

/// Queries on a generated map.
const QUERIES: usize = 200;

/// A map with queries whose optimal lengths are known.
#[derive(Clone)]
pub struct Scenario {
    /// The file's name without its ending.
    pub name: String,
    /// The cells.
    pub terrain: Terrain,
    /// Start, goal, optimal length in cells; NaN where it is unknown.
    pub queries: Vec<(Cell, Cell, f64)>,
}

/// Moving AI maps when there are some, else generated ones.
pub fn scenarios(options: &Options) -> Vec<Scenario> {
    let found = options.maps.as_deref().map_or_else(Vec::new, moving_ai);
    if found.is_empty() { game_like().map(|(name, map)| random_trips(name, map)).into() } else { found }
}

/// One generated map of each kind.
pub fn game_like() -> [(&'static str, Terrain); 5] {
    [
        ("rooms", rooms(1024, 1)),
        ("caves", caves(1024, 2)),
        ("maze", maze(512, 4, 3)),
        ("city", city(1024, 4)),
        ("noise 20 %", noise(512, 20, 3)),
    ]
}

/// A map with queries between random cells that a body of 1×1 can walk between.
pub fn random_trips(name: &str, terrain: Terrain) -> Scenario {
    let side = terrain.region().w;
    let mut world = World::from_terrain(terrain);
    let mut random = Random::new(21);
    let mut queries = Vec::new();
    while queries.len() < QUERIES {
        let (start, goal) = (random.cell(side), random.cell(side));
        if world.is_reachable(&PathQuery::new(start, goal, Profile::default())) {
            queries.push((start, goal, f64::NAN));
        }
    }
    Scenario { name: name.into(), terrain: world.terrain().clone(), queries }
}

/// Every map with a scenario file in `folder`, by name.
pub fn moving_ai(folder: &Path) -> Vec<Scenario> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "map"))
        .collect();
    files.sort();
    files.iter().filter_map(|path| read(path)).collect()
}

fn read(path: &Path) -> Option<Scenario> {
    let terrain = Terrain::from_text(&fs::read_to_string(path).ok()?, Cell::default()).ok()?;
    let scenarios = fs::read_to_string(path.with_extension("map.scen")).ok()?;
    let queries = scenarios
        .lines()
        .skip(1)
        .filter_map(|line| {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let number = |n: usize| fields.get(n)?.parse::<i32>().ok();
            let length = fields.get(8)?.parse().ok()?;
            Some((Cell::new(number(4)?, number(5)?), Cell::new(number(6)?, number(7)?), length))
        })
        .collect();
    Some(Scenario { name: path.file_stem()?.to_string_lossy().into_owned(), terrain, queries })
}

/// Numbers that are the same in every run.
pub struct Random(u64);

impl Random {
    /// The sequence of `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// A cell of a square map.
    pub fn cell(&mut self, side: i32) -> Cell {
        Cell::new(self.below(side as u32) as i32, self.below(side as u32) as i32)
    }
}
