//! Levels: a floor and colliders as lists of polygons, by hand or from a seed.

use std::f64::consts::TAU;

use pathforge_navmesh::{PixelRect, PolygonSet};
use pathforge_tests::rng::Rng;

/// The side of a cell of a tile map, in pixels.
pub const CELL: f64 = 16.0;

pub type Polygon = Vec<[f64; 2]>;

/// What is baked.
#[derive(Clone, Debug, Default)]
pub struct Level {
    pub floor: Vec<Polygon>,
    pub colliders: Vec<Polygon>,
}

impl Level {
    pub fn sets(&self) -> (PolygonSet, PolygonSet) {
        (set(&self.floor), set(&self.colliders))
    }

    /// The level with its polygons in another order.
    pub fn shuffled(&self, rng: &mut Rng) -> Self {
        let mut shuffle = |list: &[Polygon]| {
            let mut list = list.to_vec();
            for i in (1..list.len()).rev() {
                list.swap(i, rng.place(i + 1));
            }
            list
        };
        Self { floor: shuffle(&self.floor), colliders: shuffle(&self.colliders) }
    }

    /// A level of `tiles` by `tiles` tiles with polygons of every kind.
    pub fn random(rng: &mut Rng, tiles: i32) -> Self {
        let mut level = Self::default();
        let (gaps, furniture, odd) =
            (rng.pick(&[0, 3, 12, 40]), rng.pick(&[0, 4, 10, 30]), rng.pick(&[0, 5, 30]));
        for (x, y) in
            (0..tiles).flat_map(|y| (0..tiles).map(move |x| (f64::from(x) * CELL, f64::from(y) * CELL)))
        {
            if !rng.percent(gaps) {
                let tile = rect(x, y, CELL, CELL);
                level.floor.push(if rng.percent(odd) { any_shape(rng, x, y) } else { tile });
            }
            if rng.percent(furniture) {
                let whole = rng.percent(40);
                level.colliders.push(if whole { rect(x, y, CELL, CELL) } else { any_shape(rng, x, y) });
            }
        }
        // Something given twice, and something that spans many tiles.
        for list in [&mut level.floor, &mut level.colliders] {
            if !list.is_empty() && rng.percent(30) {
                list.push(list[rng.place(list.len())].clone());
            }
            if rng.percent(15) {
                let side = f64::from(tiles) * CELL;
                let corner = |rng: &mut Rng| [number(rng, 0.0, side), number(rng, 0.0, side)];
                list.push((0..3).map(|_| corner(rng)).collect());
            }
        }
        level
    }
}

pub fn set(polygons: &[Polygon]) -> PolygonSet {
    let mut set = PolygonSet::new();
    for polygon in polygons {
        set.push(polygon).unwrap();
    }
    set
}

pub fn rect(x: f64, y: f64, w: f64, h: f64) -> Polygon {
    vec![[x, y], [x + w, y], [x + w, y + h], [x, y + h]]
}

/// The tiles of a drawing: `.` is floor; everything else is none.
pub fn tiles(rows: &[&str]) -> Vec<Polygon> {
    let cells = rows.iter().zip(0..).flat_map(|(row, y)| row.chars().zip(0..).map(move |(c, x)| (c, x, y)));
    cells
        .filter(|&(letter, ..)| letter == '.')
        .map(|(_, x, y)| rect(f64::from(x) * CELL, f64::from(y) * CELL, CELL, CELL))
        .collect()
}

/// A number of the range in steps of a 64th, so that the level is what is baked to the last bit.
pub fn number(rng: &mut Rng, low: f64, high: f64) -> f64 {
    f64::from(rng.int((low * 64.0) as i32..(high * 64.0) as i32 + 1)) / 64.0
}

/// A polygon around the tile at (`x`, `y`), of any kind.
fn any_shape(rng: &mut Rng, x: f64, y: f64) -> Polygon {
    let (cx, cy) = (x + 8.0, y + 8.0);
    let around = |rng: &mut Rng, corners: i32, low: f64, high: f64| -> Polygon {
        (0..corners)
            .map(|i| {
                let (angle, far) = (f64::from(i) / f64::from(corners) * TAU, number(rng, low, high));
                [(cx + far * angle.cos()) * 64.0, (cy + far * angle.sin()) * 64.0].map(|v| v.round() / 64.0)
            })
            .collect()
    };
    let mut polygon = match rng.int(0..9) {
        0 => vec![[x, y], [x + 16.0, y + 16.0], [x, y + 16.0]],
        1 => around(rng, 16, 6.0, 6.0),
        2 => around(rng, 7, 2.0, 12.0),
        3 => {
            let side = [x + 1.0, x + 5.0, x + 15.0, y + 1.0, y + 5.0, y + 15.0];
            let [x0, x1, x2, y0, y1, y2] = side;
            vec![[x0, y0], [x2, y0], [x2, y1], [x1, y1], [x1, y2], [x0, y2]]
        }
        // A bow tie and a star that cross themselves.
        4 => vec![[x, y], [x + 16.0, y + 16.0], [x + 16.0, y], [x, y + 16.0]],
        5 => {
            let star = around(rng, 5, 9.0, 9.0);
            (0..5).map(|i| star[i * 2 % 5]).collect()
        }
        // A thin wall, a ring that touches itself, and nothing at all.
        6 => rect(x, y + number(rng, 0.0, 15.0), 16.0, 1.0),
        7 => {
            let (outer, mut inner) = (rect(x, y, 16.0, 16.0), rect(x + 5.0, y + 5.0, 6.0, 6.0));
            inner.reverse();
            outer.iter().chain(&outer[..1]).chain(&inner).chain(&inner[..1]).copied().collect()
        }
        _ => (0..rng.int(3..9)).map(|_| [number(rng, x, x + 16.0), number(rng, y, y + 16.0)]).collect(),
    };
    if rng.percent(30) {
        polygon.reverse();
    }
    polygon
}

/// An agent: its half-extents in pixels, extremes included.
pub fn half_extents(rng: &mut Rng) -> [f64; 2] {
    let one = |rng: &mut Rng| match rng.int(0..10) {
        0 => 0.0,
        1 => 1.0 / 64.0,
        2 => 8.0,
        3 => 1e5,
        4 => 1e30,
        5 => number(rng, 0.0, 60.0),
        _ => number(rng, 0.0, 10.0),
    };
    [one(rng), one(rng)]
}

pub fn pixel_rect(polygon: &[[f64; 2]]) -> PixelRect {
    let fold = |axis: usize, pick: fn(f64, f64) -> f64| polygon.iter().map(|p| p[axis]).reduce(pick).unwrap();
    let (x, y) = (fold(0, f64::min), fold(1, f64::min));
    PixelRect::new(x, y, fold(0, f64::max) - x, fold(1, f64::max) - y)
}
