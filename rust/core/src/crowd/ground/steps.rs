//! Steps between anchors, and what a body that lies between several may cover.
//!
//! No two anchors that a body covers have an edge between them that is blocked both ways. It enters an anchor
//! only by a step that no edge closes, from the one beside it that it covers. A body lies on both sides of a
//! ledge for a while: its centre says on which it is, and does not come back over it.

use wide::f32x4;

use crate::bitgrid::BitGrid;
use crate::geometry::Side;
use crate::passability::{PlacementEdges, Placements};

/// Returns `true` if the anchor at column `x` and row `y` is a valid placement; anchors outside the map are
/// none.
#[inline]
pub(in crate::crowd) fn stands(layer: &BitGrid, x: i32, y: i32) -> bool {
    let layout = layer.layout();
    (x as u32) < layout.width() && (y as u32) < layout.height() && layer.get(layout.index(x as u32, y as u32))
}

/// Returns `true` if an edge closes the step from an anchor to the one beside it.
#[inline]
pub(in crate::crowd) fn is_closed(edges: &PlacementEdges, [x, y]: [i32; 2], [to_x, to_y]: [i32; 2]) -> bool {
    let side = match (to_x - x, to_y - y) {
        (1, _) => Side::Right,
        (-1, _) => Side::Left,
        (_, 1) => Side::Bottom,
        _ => Side::Top,
    };
    // Nothing is closed beyond the map.
    stands(edges.closed(side), x, y)
}

/// Returns `true` if an anchor is a valid placement and no edge closes the step to it from the one beside it.
#[inline]
pub(in crate::crowd) fn leads(layer: &Placements, from: [i32; 2], to: [i32; 2]) -> bool {
    stands(layer, to[0], to[1]) && layer.edges().is_none_or(|edges| !is_closed(edges, from, to))
}

/// What a move asks of the anchors that it comes to.
pub(super) trait Ground {
    /// Returns `true` if a body may step from an anchor to the one beside it.
    fn leads(&self, from: [i32; 2], to: [i32; 2]) -> bool;
    /// Returns `true` if a body may cover two valid placements side by side at once.
    fn joins(&self, one: [i32; 2], two: [i32; 2]) -> bool;
    /// Returns `true` if no edge closes the step from an anchor to the one beside it.
    fn is_free(&self, from: [i32; 2], to: [i32; 2]) -> bool;
}

/// A map without edges.
impl Ground for BitGrid {
    #[inline]
    fn leads(&self, _: [i32; 2], [x, y]: [i32; 2]) -> bool {
        stands(self, x, y)
    }

    #[inline]
    fn joins(&self, _: [i32; 2], _: [i32; 2]) -> bool {
        true
    }

    #[inline]
    fn is_free(&self, _: [i32; 2], _: [i32; 2]) -> bool {
        true
    }
}

/// Placements with the edges between them.
#[derive(Clone, Copy)]
pub(super) struct Edged<'a> {
    pub layer: &'a BitGrid,
    pub edges: &'a PlacementEdges,
}

impl Ground for Edged<'_> {
    #[inline]
    fn leads(&self, from: [i32; 2], to: [i32; 2]) -> bool {
        stands(self.layer, to[0], to[1]) && !is_closed(self.edges, from, to)
    }

    #[inline]
    fn joins(&self, one: [i32; 2], two: [i32; 2]) -> bool {
        !(is_closed(self.edges, one, two) && is_closed(self.edges, two, one))
    }

    #[inline]
    fn is_free(&self, from: [i32; 2], to: [i32; 2]) -> bool {
        !is_closed(self.edges, from, to)
    }
}

/// Returns `true` if no edge is in the way of a body whose centre comes from one anchor to another, at most one
/// away each way.
pub(super) fn passes(ground: Edged<'_>, from: [i32; 2], to: [i32; 2]) -> bool {
    let corners = [[to[0], from[1]], [from[0], to[1]]];
    let is_free = |a: [i32; 2], b: [i32; 2]| a == b || ground.is_free(a, b);
    corners.into_iter().any(|corner| is_free(from, corner) && is_free(corner, to))
}

/// The anchors that a body covers, by column and row: two each way at most.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cover {
    pub first: [i32; 2],
    pub last: [i32; 2],
}

impl Cover {
    /// Returns what a body covers, given its first column and row, and less its last ones.
    #[inline]
    pub fn of(edges: f32x4) -> Self {
        let [x0, y0, x1, y1] = edges.to_array();
        let first = [x0 as i32, y0 as i32];
        // Only saved bytes name a place so far off that a number wraps: it lies outside the map, too.
        let last = [(x1 as i32).wrapping_neg(), (y1 as i32).wrapping_neg()];
        Self { first, last: [first[0].max(last[0]), first[1].max(last[1])] }
    }

    #[inline]
    pub fn fits(self, layer: &BitGrid) -> bool {
        let ([x0, y0], [x1, y1]) = (self.first, self.last);
        (y0..=y1).all(|y| (x0..=x1).all(|x| stands(layer, x, y)))
    }

    /// Returns `true` if no two of them have an edge between them that is blocked both ways.
    pub fn joins(self, ground: Edged<'_>) -> bool {
        let ([x0, y0], [x1, y1]) = (self.first, self.last);
        (y0..=y1).all(|y| x0 == x1 || ground.joins([x0, y], [x1, y]))
            && (x0..=x1).all(|x| y0 == y1 || ground.joins([x, y0], [x, y1]))
    }

    /// Returns what a body covers that has moved on `axis` until it covers what `to` does there; `None` if it
    /// cannot.
    fn shifted(self, axis: usize, to: Self, ground: Edged<'_>) -> Option<Self> {
        let mut next = self;
        (next.first[axis], next.last[axis]) = (to.first[axis], to.last[axis]);
        let (from, lead) =
            if next.last[axis] > self.last[axis] { (self.last, next.last) } else { (self.first, next.first) };
        let at =
            |along: [i32; 2], across: i32| if axis == 0 { [along[0], across] } else { [across, along[1]] };
        let mut across = self.first[1 - axis]..=self.last[1 - axis];
        // It leaves anchors only.
        let stays = lead[axis] >= self.first[axis] && lead[axis] <= self.last[axis];
        (stays || across.all(|across| ground.leads(at(from, across), at(lead, across))) && next.joins(ground))
            .then_some(next)
    }

    /// Returns `true` if a body that covers these comes to cover `to` by a move of less than a cell: along one
    /// axis and then along the other.
    pub fn comes_to(self, to: Self, ground: Edged<'_>) -> bool {
        [0, 1].into_iter().any(|axis| {
            self.shifted(axis, to, ground).and_then(|next| next.shifted(1 - axis, to, ground)).is_some()
        })
    }
}
