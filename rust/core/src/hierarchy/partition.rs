use crate::bitgrid::{GridLayout, LocalRect};
use crate::primitives::{GridBounds, GridPoint};

/// Log₂ of the side of a cluster, in cells. It bounds what an edit makes stale, and the search at each end of
/// a path: 33² cells. Half the side means four times as many clusters and twice as many transitions. With
/// double the side, making a cluster looks at eight times as many cells, since each transition is searched
/// from.
pub(super) const CLUSTER_SHIFT: u32 = 5;
/// Log₂ of the side of a block of clusters, in cells: four clusters. A search across the map passes a quarter
/// of the transitions, and an edit that changes a cluster's edges has one block of 16 clusters made again.
pub(super) const BLOCK_SHIFT: u32 = 7;

/// The division of a map into squares at one level: into clusters, or into blocks of clusters.
///
/// Lines run through every `2^shift`-th padded column and row. A square is what lies between four of them
/// *with* those lines, so neighbours share the cells of the line between them. So no step crosses a line
/// without standing on it, and an edge of the abstract graph always lies inside one square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Partition {
    layout: GridLayout,
    shift: u32,
}

impl Partition {
    pub(super) const fn new(layout: GridLayout, shift: u32) -> Self {
        Self { layout, shift }
    }

    pub(super) const fn columns(self) -> u32 {
        // Padded columns are 1 to the width, so the last cell's square has the number width >> shift.
        (self.layout.width() >> self.shift) + 1
    }

    pub(super) const fn rows(self) -> u32 {
        (self.layout.height() >> self.shift) + 1
    }

    pub(super) const fn count(self) -> usize {
        self.columns() as usize * self.rows() as usize
    }

    /// The cells of a square, lines included, as far as the map reaches.
    pub(super) fn window(self, square: u32) -> GridBounds {
        let (x, y) = ((square % self.columns()) << self.shift, (square / self.columns()) << self.shift);
        let side = 1 << self.shift;
        GridBounds {
            x0: x.max(1),
            y0: y.max(1),
            x1: (x + side).min(self.layout.width()),
            y1: (y + side).min(self.layout.height()),
        }
    }

    /// Returns whether column or row `v` is a line.
    pub(super) const fn is_line(self, v: u32) -> bool {
        v & ((1 << self.shift) - 1) == 0
    }

    /// Returns whether a point of `window`, a square's cells, lies on one of the lines around it.
    pub(super) const fn is_on_rim(self, point: GridPoint, window: GridBounds) -> bool {
        // A window may end at the map's edge, which is no line, so its bounds alone do not tell.
        let (x, y) = (point.x(), point.y());
        (self.is_line(x) && (x == window.x0 || x == window.x1))
            || (self.is_line(y) && (y == window.y0 || y == window.y1))
    }

    /// The square that a point lies in; of several, on a line, the one to the right and below.
    #[inline]
    pub(super) const fn square(self, point: GridPoint) -> u32 {
        (point.y() >> self.shift) * self.columns() + (point.x() >> self.shift)
    }

    /// Every square that a point lies in: two on a line, four where lines cross.
    #[inline]
    pub(super) fn squares(self, point: GridPoint) -> impl Iterator<Item = u32> {
        let here = self.square(point);
        let left = u32::from(self.is_line(point.x()));
        let up = u32::from(self.is_line(point.y())) * self.columns();
        // Bit 0 of `n` is the square to the left, bit 1 the one above. Line 0 is border, which holds no
        // placement, so there is a square before each line.
        (0..4)
            .filter(move |n| (n & 1 == 0 || left != 0) && (n & 2 == 0 || up != 0))
            .map(move |n| here - if n & 1 == 1 { left } else { 0 } - if n & 2 == 2 { up } else { 0 })
    }

    /// The squares that have a cell of `rect`.
    pub(super) fn squares_touched(self, rect: LocalRect) -> impl Iterator<Item = u32> {
        // In padded columns, one more than the map's, `rect` covers x0 + 1 to x1. The search for squares
        // begins one cell before it: a rectangle that begins on a line touches the square before that line,
        // too.
        let first = self.square(GridPoint::new(rect.x0, rect.y0));
        let last = self.square(GridPoint::new(rect.x1, rect.y1));
        let columns = self.columns();
        (first / columns..=last / columns)
            .flat_map(move |row| (first % columns..=last % columns).map(move |column| row * columns + column))
    }
}
