//! How a body comes onto a path that was found from where it was some frames ago.

use godot::prelude::*;
use pathforge_core::geometry::Cell;

use super::route::Ground;
use crate::path::PathForgePath;

/// A body that is so near to a cell of the path is on it, in cells.
const NEAR: f32 = 1.5;
/// Cells of the path that are looked at for a straight line onto it.
const LOOKS_MAX: usize = 24;

/// The positions of the route of a body at `place` along `path`, in global space; the first is `place`. It goes on from
/// the cell of the path that the body is on, and from the path's start when it is on none.
pub(super) fn positions_from(ground: &Ground<'_>, place: Vector2, path: &PathForgePath) -> Vec<Vector2> {
    let (cells, ends) = path.cells_and_ends();
    let center = |cell: Cell| path.global_center(cell);
    let Some(&last) = cells.last() else { return Vec::new() };
    let here = cell_underfoot(ground, place, &cells, &center).unwrap_or(0);
    // The first end of a straight line that lies ahead, by its place among the cells.
    let mut ahead = cells.len() - 1;
    let mut rest: &[Cell] = &[last];
    let mut at = 0;
    for (n, &end) in ends.iter().enumerate() {
        at += cells[at..].iter().position(|&cell| cell == end).unwrap_or(0);
        if at > here {
            (ahead, rest) = (at, &ends[n..]);
            break;
        }
    }
    let mut positions = vec![place];
    if !ground.has_room(place, center(cells[ahead])) {
        // Onto the path, as far along it as can be seen, and along it until the line is seen.
        let seen = (here..ahead).take(LOOKS_MAX).take_while(|&n| ground.has_room(place, center(cells[n])));
        let first = seen.last().unwrap_or(here);
        for (looks, n) in (first..ahead).enumerate() {
            positions.push(center(cells[n]));
            if looks < LOOKS_MAX && ground.has_room(center(cells[n]), center(cells[ahead])) {
                break;
            }
        }
    }
    positions.extend(rest.iter().map(|&cell| center(cell)));
    positions
}

/// The place in `cells` of the one that the body is on: the nearest that it can walk to, the last of several.
fn cell_underfoot(
    ground: &Ground<'_>,
    place: Vector2,
    cells: &[Cell],
    center: &impl Fn(Cell) -> Vector2,
) -> Option<usize> {
    let mut best: Option<(f32, usize)> = None;
    for (n, &cell) in cells.iter().enumerate() {
        let far = center(cell).distance_to(place);
        if far <= NEAR * ground.cell_px
            && best.is_none_or(|(least, _)| far <= least)
            && ground.has_room(place, center(cell))
        {
            best = Some((far, n));
        }
    }
    best.map(|(_, n)| n)
}
