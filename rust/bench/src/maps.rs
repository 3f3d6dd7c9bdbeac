//! Maps to measure on: Moving AI files where there are some, and generated ones of fixed seeds.

use std::fs;
use std::path::Path;

use pathforge_core::{Cell, CellRect, Terrain};

/// A map with queries whose optimal lengths are known.
pub struct Scenario {
    /// The file's name without its ending.
    pub name: String,
    /// The cells.
    pub terrain: Terrain,
    /// Start, goal, optimal length in cells.
    pub queries: Vec<(Cell, Cell, f64)>,
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

fn square(side: i32) -> Terrain {
    Terrain::new(CellRect::new(0, 0, side, side)).expect("a map of this size is allowed")
}

/// Single blocked cells, so many in a hundred.
pub fn noise(side: i32, percent: u32, seed: u64) -> Terrain {
    let mut random = Random::new(seed);
    let data: Vec<u8> = (0..side * side).map(|_| u8::from(random.below(100) < percent)).collect();
    let mut map = square(side);
    map.set_solid_data(&data).expect("one byte a cell");
    map
}

/// Rooms of 32 cells with a door or two in each wall and some furniture.
pub fn rooms(side: i32, seed: u64) -> Terrain {
    const ROOM: i32 = 32;
    let mut random = Random::new(seed);
    let mut map = square(side);
    for line in (0..side).step_by(ROOM as usize) {
        map.fill_solid(CellRect::new(line, 0, 1, side), true);
        map.fill_solid(CellRect::new(0, line, side, 1), true);
    }
    for y in (0..side).step_by(ROOM as usize) {
        for x in (0..side).step_by(ROOM as usize) {
            let at = 3 + random.below(ROOM as u32 - 10) as i32;
            let wide = 1 + random.below(5) as i32;
            map.fill_solid(CellRect::new(x, y + at, 1, wide), false);
            let at = 3 + random.below(ROOM as u32 - 10) as i32;
            let wide = 1 + random.below(5) as i32;
            map.fill_solid(CellRect::new(x + at, y, wide, 1), false);
            for _ in 0..random.below(5) {
                let (fx, fy) = (x + 2 + random.below(26) as i32, y + 2 + random.below(26) as i32);
                map.fill_solid(
                    CellRect::new(fx, fy, 1 + random.below(4) as i32, 1 + random.below(4) as i32),
                    true,
                );
            }
        }
    }
    map
}

/// Caves: noise smoothed by majority of neighbours.
pub fn caves(side: i32, seed: u64) -> Terrain {
    let start = noise(side, 45, seed);
    let width = side as usize;
    let mut cells = start.solid_data();
    for _ in 0..5 {
        let old = cells.clone();
        let solid = |x: usize, y: usize| u32::from(old.get(y * width + x).is_none_or(|&c| c != 0));
        for y in 0..width {
            for x in 0..width {
                let mut around = 0;
                for ny in y.wrapping_sub(1)..=y + 1 {
                    for nx in [x.wrapping_sub(1), x, x + 1] {
                        around += if nx >= width || ny >= width { 1 } else { solid(nx, ny) };
                    }
                }
                cells[y * width + x] = u8::from(around >= 5);
            }
        }
    }
    let mut map = square(side);
    map.set_solid_data(&cells).expect("one byte a cell");
    map
}

/// `map` with patches of weight, 1 to 8 in steps of a half.
pub fn weighted(mut map: Terrain, seed: u64) -> Terrain {
    let mut random = Random::new(seed);
    let side = map.region().w;
    for _ in 0..side * side / 200 {
        let cell = random.cell(side);
        let patch = CellRect::new(cell.x, cell.y, 2 + random.below(12) as i32, 2 + random.below(12) as i32);
        let weight = 1.0 + random.below(15) as f32 / 2.0;
        map.fill_weight(patch, weight).expect("a weight that is allowed");
    }
    map
}

/// Islands with lakes: water is terrain 1, swamp beside it terrain 2, peaks are solid.
pub fn islands(side: i32, seed: u64) -> Terrain {
    let mut random = Random::new(seed);
    let mut heights = vec![0.0_f32; (side * side) as usize];
    for (pitch, strength) in [(256, 4.0), (96, 2.0), (32, 1.0), (12, 0.5)] {
        let columns = side / pitch + 2;
        let lattice: Vec<f32> =
            (0..columns * columns).map(|_| random.below(1000) as f32 / 1000.0 * strength).collect();
        let at = |x: i32, y: i32| lattice[(y * columns + x) as usize];
        for y in 0..side {
            let (row, down) = (y / pitch, (y % pitch) as f32 / pitch as f32);
            for x in 0..side {
                let (column, right) = (x / pitch, (x % pitch) as f32 / pitch as f32);
                let mix = |y: i32| at(column, y) * (1.0 - right) + at(column + 1, y) * right;
                heights[(y * side + x) as usize] += mix(row) * (1.0 - down) + mix(row + 1) * down;
            }
        }
    }
    let mut map = square(side);
    let terrain = |height: f32| match height {
        h if h < 3.1 => 1,
        h if h < 3.4 => 2,
        _ => 0,
    };
    map.set_terrain_data(&heights.iter().map(|&h| terrain(h)).collect::<Vec<u8>>()).expect("one a cell");
    map.set_solid_data(&heights.iter().map(|&h| u8::from(h > 4.7)).collect::<Vec<u8>>()).expect("one a cell");
    map
}
