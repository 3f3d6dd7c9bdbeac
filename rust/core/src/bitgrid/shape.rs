use crate::geometry::{Cell, CellRect};

/// The place of a bit or of an element in a padded grid, counted over all rows with their borders.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PaddedIndex(u32);

impl PaddedIndex {
    /// The index with number `value`.
    #[inline]
    pub const fn new(value: usize) -> Self {
        debug_assert!(value <= u32::MAX as usize);
        Self(value as u32)
    }

    /// As an index into an array with one element a bit.
    #[inline]
    pub const fn get(self) -> usize {
        self.0 as usize
    }

    /// As a 32-bit number.
    #[inline]
    pub const fn number(self) -> u32 {
        self.0
    }

    /// The word that the bit lies in.
    #[inline]
    pub const fn word(self) -> usize {
        (self.0 >> 6) as usize
    }

    /// The bit's place in its word.
    #[inline]
    pub const fn bit(self) -> u32 {
        self.0 & 63
    }

    /// The index `by` further on.
    #[inline]
    #[must_use]
    pub const fn plus(self, by: usize) -> Self {
        Self::new(self.get() + by)
    }

    /// The index `by` before.
    #[inline]
    #[must_use]
    pub const fn minus(self, by: usize) -> Self {
        Self::new(self.get() - by)
    }
}

/// Width and height of a padded grid, and where its cells lie in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Shape {
    width: u32,
    height: u32,
    stride: u32,
}

impl Shape {
    /// The shape of a map of `width` × `height` cells.
    pub const fn new(width: u32, height: u32) -> Self {
        Self { width, height, stride: (width + 2).div_ceil(64) * 64 }
    }

    /// Columns of the map.
    #[inline]
    pub const fn width(self) -> u32 {
        self.width
    }

    /// Rows of the map.
    #[inline]
    pub const fn height(self) -> u32 {
        self.height
    }

    /// From a cell to the one below it, in bits; a multiple of 64.
    #[inline]
    pub const fn stride(self) -> usize {
        self.stride as usize
    }

    /// From a word to the one below it.
    #[inline]
    pub const fn stride_words(self) -> usize {
        (self.stride / 64) as usize
    }

    /// Padded rows: the map's and one above and below.
    #[inline]
    pub const fn rows(self) -> usize {
        self.height as usize + 2
    }

    /// Words of all padded rows.
    #[inline]
    pub const fn words(self) -> usize {
        self.stride_words() * self.rows()
    }

    /// Elements of an array with one for each padded cell.
    #[inline]
    pub const fn padded_len(self) -> usize {
        self.stride() * self.rows()
    }

    /// Cells of the map.
    #[inline]
    pub const fn cells(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Where the cell at column `x` and row `y` lies, both counted from the map's top-left corner.
    #[inline]
    pub const fn index(self, x: u32, y: u32) -> PaddedIndex {
        debug_assert!(x <= self.width && y <= self.height);
        PaddedIndex::new((y as usize + 1) * self.stride() + x as usize + 1)
    }

    /// Column and row of a cell of the map: the inverse of [`Shape::index`].
    #[inline]
    pub const fn xy(self, index: PaddedIndex) -> (u32, u32) {
        (index.0 % self.stride - 1, index.0 / self.stride - 1)
    }

    /// The shape with columns and rows changed over.
    #[must_use]
    pub const fn transposed(self) -> Self {
        Self::new(self.height, self.width)
    }

    /// The whole map.
    pub const fn all(self) -> LocalRect {
        LocalRect { x0: 0, y0: 0, x1: self.width, y1: self.height }
    }
}

/// A rectangle of the map, counted from its top-left corner: columns `x0..x1`, rows `y0..y1`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LocalRect {
    /// First column.
    pub x0: u32,
    /// First row.
    pub y0: u32,
    /// One past the last column.
    pub x1: u32,
    /// One past the last row.
    pub y1: u32,
}

impl LocalRect {
    /// The part of `rect` that lies in `region`, counted from the region's corner; `None` when there is none.
    pub fn within(region: CellRect, rect: CellRect) -> Option<Self> {
        let part = region.intersection(rect);
        (!part.is_empty()).then(|| Self {
            x0: (part.x - region.x) as u32,
            y0: (part.y - region.y) as u32,
            x1: (part.right() - region.x) as u32,
            y1: (part.bottom() - region.y) as u32,
        })
    }

    /// The same rectangle in the map's coordinates.
    pub fn to_cells(self, region: CellRect) -> CellRect {
        CellRect::new(
            region.x + self.x0 as i32,
            region.y + self.y0 as i32,
            (self.x1 - self.x0) as i32,
            (self.y1 - self.y0) as i32,
        )
    }

    /// Whether the cell at column `x` and row `y` lies in it.
    #[inline]
    pub const fn contains(self, x: u32, y: u32) -> bool {
        x >= self.x0 && x < self.x1 && y >= self.y0 && y < self.y1
    }

    /// The smallest rectangle that holds both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self {
            x0: self.x0.min(other.x0),
            y0: self.y0.min(other.y0),
            x1: self.x1.max(other.x1),
            y1: self.y1.max(other.y1),
        }
    }

    /// Makes `bounds` hold `rect` too.
    pub fn join(bounds: &mut Option<Self>, rect: Self) {
        *bounds = Some(bounds.map_or(rect, |b| b.union(rect)));
    }

    /// Number of cells.
    pub const fn area(self) -> u64 {
        (self.x1 - self.x0) as u64 * (self.y1 - self.y0) as u64
    }

    /// Column and row of each cell, row by row.
    pub fn places(self) -> impl Iterator<Item = (u32, u32)> {
        (self.y0..self.y1).flat_map(move |y| (self.x0..self.x1).map(move |x| (x, y)))
    }

    /// The rectangle moved out by so many cells on each side, as far as the map reaches.
    #[must_use]
    pub fn grown(self, left: u32, up: u32, right: u32, down: u32, shape: Shape) -> Self {
        Self {
            x0: self.x0.saturating_sub(left),
            y0: self.y0.saturating_sub(up),
            x1: (self.x1 + right).min(shape.width()),
            y1: (self.y1 + down).min(shape.height()),
        }
    }
}

/// Counts a cell of the map from the region's corner; `None` outside.
#[inline]
pub(crate) fn local(region: CellRect, cell: Cell) -> Option<(u32, u32)> {
    region.contains(cell).then(|| ((cell.x - region.x) as u32, (cell.y - region.y) as u32))
}
