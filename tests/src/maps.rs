//! Maps made from seeds: noise, rooms with doors, caves, mazes and cities, of sizes at which words and chunks
//! end.

use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::height_field::HeightField;
use pathforge_core::terrain::Terrain;

use crate::edits::{any_fence, any_link};
use crate::rng::Rng;

/// Widths and heights at which something ends: a word, a padded word, a chunk, two of them.
const EDGE_SIDES: [i32; 9] = [1, 2, 61, 62, 63, 64, 65, 126, 130];

/// A part of a map that is solid or open, row by row.
#[derive(Clone, Debug)]
pub struct Walls {
    /// Columns.
    pub w: i32,
    /// Rows.
    pub h: i32,
    /// One element a cell: solid.
    pub solid: Vec<bool>,
}

impl Walls {
    /// Cells that are all solid or all open.
    pub fn filled(w: i32, h: i32, solid: bool) -> Self {
        Self { w, h, solid: vec![solid; (w * h) as usize] }
    }

    /// Whether a cell is solid; cells outside are.
    pub fn at(&self, x: i32, y: i32) -> bool {
        !(0..self.w).contains(&x) || !(0..self.h).contains(&y) || self.solid[(y * self.w + x) as usize]
    }

    /// Changes a cell; leaves cells outside out.
    pub fn set(&mut self, x: i32, y: i32, solid: bool) {
        if (0..self.w).contains(&x) && (0..self.h).contains(&y) {
            self.solid[(y * self.w + x) as usize] = solid;
        }
    }

    /// Changes a rectangle of cells.
    pub fn fill(&mut self, x: i32, y: i32, w: i32, h: i32, solid: bool) {
        CellRect::new(x, y, w, h).cells().for_each(|c| self.set(c.x, c.y, solid));
    }

    /// A map with these walls whose top-left cell is `origin`.
    ///
    /// # Panics
    /// When the map is larger than maps can be.
    pub fn into_terrain(self, origin: Cell) -> Terrain {
        let region = CellRect::new(origin.x, origin.y, self.w, self.h);
        let mut terrain = Terrain::new(region).expect("test maps are small");
        let data: Vec<u8> = self.solid.iter().map(|&s| u8::from(s)).collect();
        terrain.set_solid_data(&data).expect("one element a cell");
        terrain
    }
}

/// Every cell is solid with so many chances in a hundred.
pub fn noise(rng: &mut Rng, w: i32, h: i32, percent: u64) -> Walls {
    let mut walls = Walls::filled(w, h, false);
    walls.solid.iter_mut().for_each(|s| *s = rng.percent(percent));
    walls
}

/// Rooms of about `side` cells, with a door of one to three cells in most walls.
pub fn rooms(rng: &mut Rng, w: i32, h: i32, side: i32) -> Walls {
    let mut walls = Walls::filled(w, h, false);
    let pitch = side + 1;
    for x in (side..w).step_by(pitch as usize) {
        walls.fill(x, 0, 1, h, true);
    }
    for y in (side..h).step_by(pitch as usize) {
        walls.fill(0, y, w, 1, true);
    }
    for top in (0..h).step_by(pitch as usize) {
        for left in (0..w).step_by(pitch as usize) {
            let door = rng.int(1..4);
            if rng.percent(80) {
                walls.fill(left + side, top + rng.int(0..side), 1, door, false);
            }
            if rng.percent(80) {
                walls.fill(left + rng.int(0..side), top + side, door, 1, false);
            }
        }
    }
    walls
}

/// Noise smoothed by a cellular automaton: a cell is solid when five or more of the nine around it are.
pub fn caves(rng: &mut Rng, w: i32, h: i32) -> Walls {
    let mut walls = noise(rng, w, h, 42);
    for _ in 0..3 {
        let before = walls.clone();
        for y in 0..h {
            for x in 0..w {
                let around = (-1..2).flat_map(|dy| (-1..2).map(move |dx| (dx, dy)));
                let solid = around.filter(|(dx, dy)| before.at(x + dx, y + dy)).count();
                walls.set(x, y, solid >= 5);
            }
        }
    }
    walls
}

/// Corridors of `wide` cells from a depth-first walk, and a few walls broken so that there are loops.
pub fn maze(rng: &mut Rng, w: i32, h: i32, wide: i32) -> Walls {
    let mut walls = Walls::filled(w, h, true);
    let pitch = wide + 1;
    let (columns, rows) = ((w / pitch).max(1), (h / pitch).max(1));
    let mut seen = vec![false; (columns * rows) as usize];
    let mut trail = vec![(0, 0)];
    walls.fill(0, 0, wide, wide, false);
    seen[0] = true;
    while let Some(&(x, y)) = trail.last() {
        let onward: Vec<_> = [(0, -1), (1, 0), (0, 1), (-1, 0)]
            .into_iter()
            .filter(|(dx, dy)| (0..columns).contains(&(x + dx)) && (0..rows).contains(&(y + dy)))
            .filter(|(dx, dy)| !seen[((y + dy) * columns + x + dx) as usize])
            .collect();
        if onward.is_empty() {
            trail.pop();
            continue;
        }
        let (dx, dy) = rng.pick(&onward);
        seen[((y + dy) * columns + x + dx) as usize] = true;
        let (left, top) = (pitch * x.min(x + dx), pitch * y.min(y + dy));
        walls.fill(left, top, wide + pitch * dx.abs(), wide + pitch * dy.abs(), false);
        trail.push((x + dx, y + dy));
    }
    for _ in 0..columns * rows / 8 {
        walls.fill(rng.int(0..w), rng.int(0..h), wide, wide, false);
    }
    walls
}

/// Blocks of houses with streets of one to five cells between them, and a few alleys through them.
pub fn city(rng: &mut Rng, w: i32, h: i32) -> Walls {
    let mut walls = Walls::filled(w, h, false);
    let mut top = rng.int(0..4);
    while top < h {
        let depth = rng.int(2..9);
        let mut left = rng.int(0..4);
        while left < w {
            let width = rng.int(2..12);
            walls.fill(left, top, width, depth, true);
            if rng.percent(30) {
                walls.fill(left + rng.int(0..width), top, rng.int(1..3), depth, false);
            }
            left += width + rng.int(1..6);
        }
        top += depth + rng.int(1..6);
    }
    walls
}

/// Blocks of houses in columns, with streets of three to five cells between them: bodies of three cells come
/// everywhere.
pub fn streets(rng: &mut Rng, w: i32, h: i32) -> Walls {
    let mut walls = Walls::filled(w, h, false);
    let mut left = rng.int(3..6);
    while left < w - 8 {
        let width = rng.int(6..18);
        let mut top = rng.int(3..6);
        while top < h - 8 {
            let depth = rng.int(6..16);
            walls.fill(left, top, width, depth, true);
            top += depth + rng.int(3..6);
        }
        left += width + rng.int(3..6);
    }
    walls
}

/// A few boxes on open ground.
pub fn boxes(rng: &mut Rng, w: i32, h: i32) -> Walls {
    let mut walls = Walls::filled(w, h, false);
    for _ in 0..rng.int(0..8) {
        walls.fill(rng.int(-3..w), rng.int(-3..h), rng.int(1..9), rng.int(1..9), true);
    }
    walls
}

/// Walls of a random kind.
pub fn any_walls(rng: &mut Rng, w: i32, h: i32) -> Walls {
    match rng.int(0..8) {
        0 | 1 => {
            let percent = rng.pick(&[5, 10, 20, 30, 40, 50, 60, 80]);
            noise(rng, w, h, percent)
        }
        2 => {
            let side = rng.int(2..12);
            rooms(rng, w, h, side)
        }
        3 => caves(rng, w, h),
        4 => {
            let wide = rng.int(1..5);
            maze(rng, w, h, wide)
        }
        5 => city(rng, w, h),
        6 => {
            let mut walls = city(rng, w, h);
            let dust = noise(rng, w, h, 4);
            walls.solid.iter_mut().zip(dust.solid).for_each(|(s, d)| *s |= d);
            walls
        }
        _ => boxes(rng, w, h),
    }
}

/// A size: often small, often one at which a word or a chunk ends.
pub fn any_size(rng: &mut Rng) -> (i32, i32) {
    let mut side = || match rng.int(0..4) {
        0 => rng.pick(&EDGE_SIDES),
        1 => rng.int(20..60),
        _ => rng.int(1..24),
    };
    (side(), side())
}

/// A corner for a region: often far from zero, negative too, seldom as far as regions may lie.
pub fn any_origin(rng: &mut Rng) -> Cell {
    let mut coordinate = || match rng.int(0..20) {
        0..8 => 0,
        8 => i32::MIN + (1 << 16),
        9 => i32::MAX - (1 << 16),
        _ => rng.int(-1000..1000),
    };
    Cell::new(coordinate(), coordinate())
}

/// A cell of a region, which must not be empty.
pub fn any_cell(rng: &mut Rng, region: CellRect) -> Cell {
    Cell::new(rng.int(region.x..region.right()), rng.int(region.y..region.bottom()))
}

/// A rectangle that touches a region, mostly small; it may reach outside.
pub fn any_rect(rng: &mut Rng, region: CellRect) -> CellRect {
    let corner = any_cell(rng, region);
    let side_max = if rng.percent(15) { 40 } else { 7 };
    CellRect::new(
        corner.x - rng.int(0..3),
        corner.y - rng.int(0..3),
        rng.int(1..side_max),
        rng.int(1..side_max),
    )
}

/// How the ground of a map varies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ground {
    /// Terrain 0 and weight 1 everywhere.
    Plain,
    /// Patches of a few terrains.
    Patches,
    /// Weights of 1 to 8 in steps of a half, in patches and in single cells.
    Weights,
    /// Weights below 1 among others.
    LightWeights,
    /// Terrains and weights.
    Both,
}

/// Gives a map terrains and weights.
///
/// # Panics
/// Never: all values are within their limits.
pub fn dress(rng: &mut Rng, terrain: &mut Terrain, ground: Ground) {
    let region = terrain.region();
    let patches = 1 + region.area() as i32 / 60;
    if matches!(ground, Ground::Patches | Ground::Both) {
        for _ in 0..patches {
            let id = rng.pick(&[0, 1, 1, 2, 3, 31]);
            terrain.fill_terrain(any_rect(rng, region), id).expect("a valid id");
        }
    }
    if matches!(ground, Ground::Weights | Ground::LightWeights | Ground::Both) {
        for _ in 0..patches * 2 {
            let rect =
                if rng.percent(50) { any_rect(rng, region) } else { CellRect::cell(any_cell(rng, region)) };
            terrain
                .fill_weight(rect, any_weight(rng, ground == Ground::LightWeights))
                .expect("a valid weight");
        }
    }
}

/// A weight: 1 to 8 in steps of a half, or with `light` often one below 1.
pub fn any_weight(rng: &mut Rng, light: bool) -> f32 {
    if light && rng.percent(60) {
        rng.pick(&[0.0, 0.001, 0.1, 0.3, 0.5, 0.7, 0.99])
    } else {
        rng.int(2..17) as f32 / 2.0
    }
}

/// Some ground.
pub fn any_ground(rng: &mut Rng) -> Ground {
    rng.pick(&[
        Ground::Plain,
        Ground::Plain,
        Ground::Patches,
        Ground::Weights,
        Ground::LightWeights,
        Ground::Both,
    ])
}

/// A map of any kind, size and place.
pub fn any_map(rng: &mut Rng, ground: Ground) -> Terrain {
    let (w, h) = any_size(rng);
    any_map_of(rng, w, h, ground)
}

/// A map of any kind and place, of a given size.
pub fn any_map_of(rng: &mut Rng, w: i32, h: i32, ground: Ground) -> Terrain {
    let origin = any_origin(rng);
    let mut terrain = any_walls(rng, w, h).into_terrain(origin);
    dress(rng, &mut terrain, ground);
    if rng.percent(40) {
        add_fences(rng, &mut terrain);
    }
    if rng.percent(25) {
        add_links(rng, &mut terrain);
    }
    terrain
}

/// Adds links, between any cells.
fn add_links(rng: &mut Rng, terrain: &mut Terrain) {
    for _ in 0..rng.pick(&[1, 1, 2, 3, 8, 30]) {
        if let Some(link) = any_link(rng, terrain.region()) {
            terrain.add_link(link).expect("a link within the map");
        }
    }
}

/// Blocks edges, in rows and alone, for both ways and for one.
fn add_fences(rng: &mut Rng, terrain: &mut Terrain) {
    let region = terrain.region();
    for _ in 0..rng.int(1..3 + (region.area() / 200).min(60) as i32) {
        any_fence(rng, region).apply(terrain);
    }
}

/// The sides of a cell in metres on maps with heights.
pub const CELL_METRES: [f32; 2] = [1.0, 2.0];

/// Gives a map heights: terraces of a few cells, one by one, or none of both.
pub fn raise(rng: &mut Rng, terrain: &mut Terrain) {
    let region = terrain.region();
    let mut heights = HeightField::flat(CELL_METRES);
    let side = rng.pick(&[1, 3, 5, 9]);
    let (base, odd) = (rng.pick(&[0.0, 1000.0]), rng.pick(&[0, 2, 30]));
    let data: Vec<f32> = region
        .cells()
        .map(|cell| {
            // Counted from the corner, which may be as far away as numbers go.
            let (x, y) = (cell.x - region.x, cell.y - region.y);
            let steps = (x / side + y / (side + 1)) % 7;
            let steps = steps.min(3);
            let own = if rng.percent(odd) { rng.int(0..6) } else { 0 };
            base + (steps + own) as f32 * 0.25
        })
        .collect();
    heights.set_heights(region, region, &data);
    terrain.replace_heights(Some(heights));
}

/// Changes the heights of some cells: a terrace, a trench, noise, or one cell.
pub fn reshape(rng: &mut Rng, terrain: &mut Terrain) -> Option<CellRect> {
    let region = terrain.region();
    let rect = if rng.percent(30) { CellRect::cell(any_cell(rng, region)) } else { any_rect(rng, region) };
    let (flat, noisy) = (rng.int(0..8), rng.percent(40));
    let count = rect.area() as usize;
    let data: Vec<f32> =
        (0..count).map(|_| (if noisy { rng.int(0..4) } else { flat }) as f32 * 0.25).collect();
    terrain.set_heights(rect, &data)
}

/// What a body climbs: a height, a slope, or both; seldom anything. Heights are quarters of a metre, and meet
/// a limit exactly or by far.
pub fn any_climb(rng: &mut Rng) -> [f32; 2] {
    rng.pick(&[
        [0.3, 0.0],
        [0.5, 0.0],
        [0.7, 0.0],
        [0.0, 0.3],
        [0.0, 0.6],
        [0.3, 0.2],
        [0.1, 0.1],
        [0.0, 0.0],
    ])
}
