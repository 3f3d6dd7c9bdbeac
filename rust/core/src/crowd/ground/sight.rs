//! Straight lines that a body can move along, looked at in steps of a quarter of a cell.

use wide::f32x4;

use super::steps::{Cover, Edged, passes};
use super::sweep::Frame;
use crate::passability::Placements;

/// Returns `true` if a body can move in a straight line, looked at in steps of a quarter of a cell.
pub(in crate::crowd) fn is_straight(layer: &Placements, frame: &Frame, from: [f32; 2], to: [f32; 2]) -> bool {
    Sight::new(layer, frame, from).reaches(to)
}

/// Straight lines from one place to several. What blocks one mostly blocks the next, so that is looked at
/// first.
pub(in crate::crowd) struct Sight<'a> {
    layer: &'a Placements,
    frame: &'a Frame,
    from: [f32; 2],
    /// The step of the last line that was blocked.
    blocked: u32,
}

impl<'a> Sight<'a> {
    pub const fn new(layer: &'a Placements, frame: &'a Frame, from: [f32; 2]) -> Self {
        Self { layer, frame, from, blocked: 1 }
    }

    /// Returns `true` if a body can move straight to a place: see [`is_straight`].
    pub fn reaches(&mut self, to: [f32; 2]) -> bool {
        let (dx, dy) = (to[0] - self.from[0], to[1] - self.from[1]);
        let steps = (dx.abs().max(dy.abs()) * 4.0) as u32 + 1;
        let edges_at = |n: u32| {
            let part = n as f32 / steps as f32;
            self.frame.edges([self.from[0] + dx * part, self.from[1] + dy * part])
        };
        let layer = self.layer;
        let first = self.blocked.min(steps);
        let mut all = (first..=steps).chain(1..first);
        let blocked = if let Some(edges) = layer.edges() {
            let ground = Edged { layer, edges };
            let home = |n: u32| {
                let part = n as f32 / steps as f32;
                self.frame.placement([self.from[0] + dx * part, self.from[1] + dy * part])
            };
            all.find(|&n| {
                let (before, now) = (Cover::of(edges_at(n - 1)), Cover::of(edges_at(n)));
                let comes = now.fits(layer) && now.joins(ground) && before.comes_to(now, ground);
                !(comes && passes(ground, home(n - 1), home(n)))
            })
        } else {
            // Of several steps with the same anchors, one is looked at.
            let mut last = None;
            all.find(|&n| {
                let edges = edges_at(n);
                let is_known = last.is_some_and(|last: f32x4| last.simd_eq(edges).to_bitmask() == 0b1111);
                last = Some(edges);
                !(is_known || Cover::of(edges).fits(layer))
            })
        };
        self.blocked = blocked.unwrap_or(self.blocked);
        blocked.is_none()
    }
}
