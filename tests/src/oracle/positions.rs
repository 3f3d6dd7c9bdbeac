use pathforge_core::geometry::{CellRect, Footprint};
use pathforge_core::terrain::Terrain;

use super::ground::crosses_a_wall;

/// Sample positions in a cell, along each axis.
const SAMPLES: i32 = 4;
/// What sums of doubles may be off by.
const ROUNDING: f64 = 1e-9;

/// Whether a body fits whose top-left corner is at a point of cell space. It covers cells inside the map that
/// are not solid, and no others, and stands across no edge that is blocked both ways.
pub fn fits_at(terrain: &Terrain, footprint: Footprint, (x, y): (f64, f64)) -> bool {
    let cells = |from: f64, side: i32| {
        (from + ROUNDING).floor() as i32..=(from + f64::from(side) - ROUNDING).floor() as i32
    };
    let is_open = |cell| terrain.region().contains(cell) && !terrain.is_solid(cell);
    let (columns, rows) = (cells(x, footprint.w()), cells(y, footprint.h()));
    let (w, h) = (columns.end() - columns.start() + 1, rows.end() - rows.start() + 1);
    let under = CellRect::new(*columns.start(), *rows.start(), w, h);
    under.cells().all(is_open) && !crosses_a_wall(terrain, under)
}

/// Corners of bodies that fit, `SAMPLES` along a cell on each axis.
pub fn sampled_corners(terrain: &Terrain, footprint: Footprint) -> Vec<(f64, f64)> {
    let part = |n: i32| f64::from(n) / f64::from(SAMPLES);
    let region = terrain.region();
    let all = region.cells().flat_map(|cell| {
        (0..SAMPLES * SAMPLES)
            .map(move |n| (f64::from(cell.x) + part(n % SAMPLES), f64::from(cell.y) + part(n / SAMPLES)))
    });
    all.filter(|&at| fits_at(terrain, footprint, at)).collect()
}

/// The distance from a point of cell space, in its plane, to a segment of cell space with heights, where a
/// step along each axis leads as `sides` say.
pub fn distance_to_segment(sides: [[f64; 3]; 3], at: (f64, f64), [from, to]: [[f64; 3]; 2]) -> f64 {
    let place =
        |[x, y, up]: [f64; 3]| [0, 1, 2].map(|n| sides[0][n] * x + sides[1][n] * y + sides[2][n] * up);
    let minus = |a: [f64; 3], b: [f64; 3]| [0, 1, 2].map(|n| a[n] - b[n]);
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let (at, from, to) = (place([at.0, at.1, 0.0]), place(from), place(to));
    let along = minus(to, from);
    let share = dot(minus(at, from), along) / dot(along, along).max(f64::MIN_POSITIVE);
    let nearest = [0, 1, 2].map(|n| along[n].mul_add(share.clamp(0.0, 1.0), from[n]));
    let apart = minus(at, nearest);
    dot(apart, apart).sqrt()
}
