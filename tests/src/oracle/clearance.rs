use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::terrain::{Capability, Terrain};

use super::ground::crosses_a_wall;

/// The side of the largest open square whose top-left cell is `cell`, found by trying every side.
pub fn clearance_at(terrain: &Terrain, capability: Capability, cell: Cell) -> u32 {
    let fits = |side: i32| {
        let square = CellRect::new(cell.x, cell.y, side, side);
        square.cells().all(|c| terrain.is_open(c, capability)) && !crosses_a_wall(terrain, square)
    };
    // No square is larger than the map.
    let region = terrain.region();
    (1..=region.w.min(region.h)).take_while(|&side| fits(side)).count() as u32
}

/// For every cell, row by row, the number of king's steps to the nearest cell that is not open. It is found
/// by peeling off one ring of cells after the other; the outside is not open.
pub fn brushfire_map(terrain: &Terrain, capability: Capability) -> Vec<u32> {
    let region = terrain.region();
    let mut left: Vec<Cell> = region.cells().filter(|&c| terrain.is_open(c, capability)).collect();
    let mut values = vec![0; region.area() as usize];
    let place = |c: Cell| ((c.y - region.y) * region.w + c.x - region.x) as usize;
    let mut distance = 0;
    while !left.is_empty() {
        for &cell in &left {
            values[place(cell)] = u32::MAX;
        }
        // What is not left was peeled off at a smaller distance, or was never open.
        let is_rim = |c: Cell| {
            CellRect::new(c.x - 1, c.y - 1, 3, 3)
                .cells()
                .any(|n| !region.contains(n) || values[place(n)] != u32::MAX)
        };
        let (rim, rest): (Vec<Cell>, Vec<Cell>) = left.iter().partition(|&&c| is_rim(c));
        distance += 1;
        for cell in rim {
            values[place(cell)] = distance;
        }
        left = rest;
    }
    values
}
