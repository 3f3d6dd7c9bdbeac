//! Joins triangles to convex polygons: removes diagonals that no corner needs, longest first, in O(n log n).
//!
//! Hertel & Mehlhorn, *Fast triangulation of simple polygons*, FCT 1983: at most four times the least number
//! of polygons. Corners on a straight line stay, because a neighbour has a corner there, and Godot connects
//! polygons only where whole edges are the same.

use std::cmp::Reverse;

use super::triangulate::{NONE, Triangles};
use super::units::{cross, distance_squared, dot};

/// Polygons as lists of corners, one after the other.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Polygons {
    pub corners: Vec<u32>,
    /// The end of each polygon in `corners`.
    pub ends: Vec<u32>,
}

impl Polygons {
    pub fn push(&mut self, corners: impl IntoIterator<Item = u32>) {
        self.corners.extend(corners);
        self.ends.push(self.corners.len() as u32);
    }
}

/// Joins triangles to convex polygons.
pub(super) fn joined(triangles: &Triangles) -> Polygons {
    let mut rings = Rings::new(triangles);
    // Longest first, so that the sides between polygons are short.
    for side in diagonals(triangles) {
        rings.remove_if_convex(side, triangles.twins[side as usize]);
    }
    rings.polygons()
}

/// One side of every diagonal, longest first.
fn diagonals(triangles: &Triangles) -> Vec<u32> {
    let mut diagonals: Vec<(i64, u32)> = triangles
        .twins
        .iter()
        .enumerate()
        // Each diagonal has two sides; the one with the lower number represents both.
        .filter(|&(side, &twin)| twin != NONE && (side as u32) < twin)
        .map(|(side, _)| {
            let [a, b] = [side as u32, next_in_triangle(side as u32)].map(|side| triangles.start(side));
            (distance_squared(a, b), side as u32)
        })
        .collect();
    // Ties go by number, so that every machine joins the same polygons.
    diagonals.sort_by_key(|&(squared, side)| (Reverse(squared), side));
    diagonals.into_iter().map(|(_, side)| side).collect()
}

/// The side after `side` in its triangle.
const fn next_in_triangle(side: u32) -> u32 {
    if side % 3 == 2 { side - 2 } else { side + 1 }
}

/// Sides linked to rings, one a polygon.
struct Rings<'a> {
    triangles: &'a Triangles,
    next: Vec<u32>,
    previous: Vec<u32>,
}

impl<'a> Rings<'a> {
    fn new(triangles: &'a Triangles) -> Self {
        let sides = 0..triangles.corners.len() as u32;
        Self {
            triangles,
            next: sides.clone().map(next_in_triangle).collect(),
            previous: sides.map(|s| if s % 3 == 0 { s + 2 } else { s - 1 }).collect(),
        }
    }

    fn remove_if_convex(&mut self, side: u32, twin: u32) {
        let [before, after] = [self.previous[side as usize], self.next[side as usize]];
        let [twin_before, twin_after] = [self.previous[twin as usize], self.next[twin as usize]];
        // At the side's start the ring would go from `before` to `twin_after`; at its end, from `twin_before`
        // to `after`.
        if self.is_convex(before, twin_after) && self.is_convex(twin_before, after) {
            self.link(before, twin_after);
            self.link(twin_before, after);
            // Marks both as removed, see `polygons`.
            self.next[side as usize] = NONE;
            self.next[twin as usize] = NONE;
        }
    }

    /// Returns `true` if a ring that goes from side `a` to side `b` does not turn right between them.
    fn is_convex(&self, a: u32, b: u32) -> bool {
        let [start, here, end] = [a, b, self.next[b as usize]].map(|side| self.triangles.start(side));
        let turn = cross(start, here, end);
        // Straight is convex; a turn back on itself is not.
        turn > 0 || turn == 0 && dot(here, start, end) < 0
    }

    fn link(&mut self, a: u32, b: u32) {
        self.next[a as usize] = b;
        self.previous[b as usize] = a;
    }

    fn polygons(mut self) -> Polygons {
        let mut polygons = Polygons::default();
        for first in 0..self.next.len() as u32 {
            let mut side = first;
            let start = polygons.corners.len();
            while self.next[side as usize] != NONE {
                polygons.corners.push(self.triangles.corners[side as usize]);
                side = std::mem::replace(&mut self.next[side as usize], NONE);
            }
            if polygons.corners.len() > start {
                polygons.ends.push(polygons.corners.len() as u32);
            }
        }
        polygons
    }
}
