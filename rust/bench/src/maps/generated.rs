//! Generated maps. The same seed gives the same map in every run.

use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::terrain::Terrain;

use super::Random;

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

/// A maze without loops: corridors so many cells wide between walls of one cell.
pub fn maze(side: i32, corridor: i32, seed: u64) -> Terrain {
    let pitch = corridor + 1;
    let rooms = (side - 1) / pitch;
    let mut random = Random::new(seed);
    let mut map = square(side);
    map.fill_solid(CellRect::new(0, 0, side, side), true);
    let open = |map: &mut Terrain, x: i32, y: i32, w: i32, h: i32| {
        map.fill_solid(CellRect::new(x, y, w, h), false);
    };
    let mut seen = vec![false; (rooms * rooms) as usize];
    let mut trail = vec![(0, 0)];
    seen[0] = true;
    open(&mut map, 1, 1, corridor, corridor);
    while let Some(&(x, y)) = trail.last() {
        let is_new =
            |x: i32, y: i32| x >= 0 && y >= 0 && x < rooms && y < rooms && !seen[(y * rooms + x) as usize];
        let sides = [(1, 0), (0, 1), (-1, 0), (0, -1)].map(|(dx, dy)| (x + dx, y + dy));
        let next: Vec<_> = sides.into_iter().filter(|&(x, y)| is_new(x, y)).collect();
        if next.is_empty() {
            trail.pop();
            continue;
        }
        let (to_x, to_y) = next[random.below(next.len() as u32) as usize];
        seen[(to_y * rooms + to_x) as usize] = true;
        let (left, top) = (1 + x.min(to_x) * pitch, 1 + y.min(to_y) * pitch);
        open(&mut map, left, top, corridor + (x - to_x).abs() * pitch, corridor + (y - to_y).abs() * pitch);
        trail.push((to_x, to_y));
    }
    map
}

/// A city: avenues and streets around blocks of houses with courtyards, passages and parks.
pub fn city(side: i32, seed: u64) -> Terrain {
    let mut random = Random::new(seed);
    let mut lines = || {
        let (mut lines, mut at) = (Vec::new(), 2);
        while at < side - 12 {
            let block = 14 + random.below(26) as i32;
            lines.push((at, block.min(side - 2 - at)));
            at += block + if random.below(5) == 0 { 9 } else { 4 };
        }
        lines
    };
    let (columns, rows) = (lines(), lines());
    let mut map = square(side);
    for &(y, h) in &rows {
        for &(x, w) in &columns {
            if random.below(9) == 0 {
                park(&mut map, &mut random, CellRect::new(x, y, w, h));
                continue;
            }
            map.fill_solid(CellRect::new(x, y, w, h), true);
            let depth = 4 + random.below(3) as i32;
            let yard = CellRect::new(x + depth, y + depth, w - 2 * depth, h - 2 * depth);
            if yard.w < 2 || yard.h < 2 {
                continue;
            }
            map.fill_solid(yard, false);
            let wide = 1 + random.below(3) as i32;
            let gate = yard.x + random.below(yard.w as u32) as i32;
            map.fill_solid(CellRect::new(gate, y, wide.min(yard.right() - gate), depth), false);
            if random.below(2) == 0 {
                let gate = yard.y + random.below(yard.h as u32) as i32;
                let far = CellRect::new(yard.right(), gate, depth, wide.min(yard.bottom() - gate));
                map.fill_solid(far, false);
            }
        }
    }
    map
}

/// Trees and ponds.
fn park(map: &mut Terrain, random: &mut Random, block: CellRect) {
    for _ in 0..block.w * block.h / 30 {
        let tree = Cell::new(
            block.x + random.below(block.w as u32 - 2) as i32,
            block.y + random.below(block.h as u32 - 2) as i32,
        );
        map.fill_solid(CellRect::new(tree.x, tree.y, 1 + random.below(2) as i32, 1), true);
    }
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

/// `map` with weights of 1 to 8, one for each square of `side` cells; `percent` in a hundred cells get one of
/// their own.
pub fn patches(mut map: Terrain, side: i32, percent: u32) -> Terrain {
    let (mut random, region) = (Random::new(31), map.region());
    let mut fill = |rect: CellRect, random: &mut Random| {
        map.fill_weight(rect, 1.0 + random.below(8) as f32).expect("a weight that is allowed");
    };
    for y in (0..region.h).step_by(side as usize) {
        for x in (0..region.w).step_by(side as usize) {
            fill(CellRect::new(x, y, side, side).intersection(region), &mut random);
        }
    }
    for cell in region.cells() {
        if random.below(100) < percent {
            fill(CellRect::cell(cell), &mut random);
        }
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
