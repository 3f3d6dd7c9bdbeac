//! Heights of cells, and the edges that they close to bodies that climb only so much.
//!
//! The step between two cells beside each other is too steep for a body, both ways, if the ground at their
//! centres differs by more than the body climbs. Heights belong to the space that a map is laid out in: they
//! are in no saved bytes and in no hash.

use std::sync::Arc;

use super::{Change, ClimbLimit, Terrain};
use crate::bitgrid::{GridLayout, LocalRect, local_in};
use crate::geometry::{Cell, CellRect, Side};
use crate::height_field::HeightField;

/// What may be missing of a limit by rounding, as a share of one metre and of the height.
const ROUNDING: f32 = 1e-5;

/// The steps that the heights of a map close to bodies of one limit.
#[derive(Clone, Copy)]
pub(crate) struct SteepSteps<'a> {
    heights: &'a HeightField,
    region: CellRect,
    /// The largest difference of heights for steps along x and along y.
    rise: [f32; 2],
}

impl SteepSteps<'_> {
    /// Returns whether the step out of `cell` over `side` is too steep; `false` where it leaves the region.
    pub(crate) fn is_too_steep(&self, cell: Cell, side: Side) -> bool {
        let beyond = side.beyond(cell);
        self.region.contains(cell)
            && self.region.contains(beyond)
            && exceeds(self.heights.height(cell), self.heights.height(beyond), self.rise_over(side))
    }

    /// Returns where the step over `side` is too steep, for the cells of a word of padded rows.
    pub(crate) fn word(&self, side: Side, word: usize, layout: GridLayout) -> u64 {
        let stride = layout.stride_words();
        let (width, height) = (i64::from(layout.width()), i64::from(layout.height()));
        let (dx, dy) = (i64::from(side.direction().dx()), i64::from(side.direction().dy()));
        // A row and a column of border lie before the first of the map.
        let (y, first) = ((word / stride) as i64 - 1, (word % stride * 64) as i64 - 1);
        let (from, to) = (first.max(-dx).max(0), (first + 64).min(width - dx).min(width));
        if y < 0 || y >= height || y + dy < 0 || y + dy >= height || from >= to {
            return 0;
        }
        let rise = self.rise_over(side);
        let bits = match (self.row(y), self.row(y + dy)) {
            (Some(own), Some(other)) => exceeding(
                &own[from as usize..to as usize],
                &other[(from + dx) as usize..(to + dx) as usize],
                rise,
            ),
            _ => (from..to).rev().fold(0, |bits, x| {
                let cell = Cell::new(self.region.x + x as i32, self.region.y + y as i32);
                bits << 1 | u64::from(self.is_too_steep(cell, side))
            }),
        };
        bits << (from - first)
    }

    fn row(&self, y: i64) -> Option<&[f32]> {
        self.heights.row_of(self.region, y as usize)
    }

    const fn rise_over(&self, side: Side) -> f32 {
        self.rise[if matches!(side, Side::Left | Side::Right) { 0 } else { 1 }]
    }
}

/// Returns whether two heights differ by more than `rise`, rounding aside.
#[inline]
fn exceeds(a: f32, b: f32, rise: f32) -> bool {
    (a - b).abs() > rise + ROUNDING * (1.0 + a.abs().max(b.abs()))
}

/// Returns where two rows of at most 64 heights differ by more than `rise`, one bit a pair.
fn exceeding(own: &[f32], other: &[f32], rise: f32) -> u64 {
    // Bytes first, which are compared many at once.
    let mut flags = [0_u8; 64];
    for (flag, (&a, &b)) in flags.iter_mut().zip(own.iter().zip(other)) {
        *flag = u8::from(exceeds(a, b, rise));
    }
    let (eights, _) = flags.as_chunks::<8>();
    eights.iter().rev().fold(0, |bits, &eight| {
        // Byte n is 0 or 1; the product has it as bit 56 + n.
        let packed = u64::from_le_bytes(eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        bits << 8 | packed
    })
}

/// The edges that bodies of one climb limit meet, looked up cell by cell: blocked edges, and edges where the
/// ground is too steep.
#[derive(Clone, Copy)]
pub(crate) struct BodyEdges<'a> {
    terrain: &'a Terrain,
    steep: Option<SteepSteps<'a>>,
}

impl BodyEdges<'_> {
    /// Returns whether there may be some.
    pub(crate) fn exist(&self) -> bool {
        self.terrain.has_edges() || self.steep.is_some()
    }

    /// Returns whether the edge at `side` is blocked for the step out of `cell`, whatever heights say.
    pub(crate) fn is_blocked(&self, cell: Cell, side: Side) -> bool {
        self.terrain.is_edge_blocked(cell, side)
    }

    /// Returns whether the step out of `cell` over `side` is closed; `false` outside the region.
    pub(crate) fn is_closed(&self, cell: Cell, side: Side) -> bool {
        self.is_blocked(cell, side) || self.steep.is_some_and(|steep| steep.is_too_steep(cell, side))
    }

    /// Returns whether an edge closes the step of a body that covers `body` over `side`.
    pub(crate) fn blocks_step(&self, body: CellRect, side: Side) -> bool {
        self.exist() && body.cells().any(|cell| self.is_closed(cell, side))
    }

    /// Returns whether an edge closes the step out of `cell` over `side`, and the step back.
    pub(crate) fn is_wall(&self, cell: Cell, side: Side) -> bool {
        self.is_closed(cell, side) && self.is_closed(side.beyond(cell), side.opposite())
    }

    /// Returns whether a body that covers `body` would stand across an edge that is closed both ways.
    pub(crate) fn has_wall_within(&self, body: CellRect) -> bool {
        let is_wall = |cell: Cell, side: Side| body.contains(side.beyond(cell)) && self.is_wall(cell, side);
        self.exist() && body.cells().any(|cell| is_wall(cell, Side::Right) || is_wall(cell, Side::Bottom))
    }
}

impl Terrain {
    /// Returns the heights of the ground; `None` until some are set.
    pub fn heights(&self) -> Option<&HeightField> {
        self.heights.as_deref()
    }

    /// Replaces all heights and the size of cells in metres, or removes them. Returns the cells between which
    /// steps may have changed, all if any.
    pub fn replace_heights(&mut self, heights: Option<HeightField>) -> Option<CellRect> {
        // A flat ground closes nothing.
        let heights = heights.filter(|heights| !heights.is_flat());
        if self.heights.as_deref() == heights.as_ref() {
            return None;
        }
        self.heights = heights.map(Arc::new);
        let all = self.layout.all();
        (!self.region.is_empty()).then(|| self.changed(all, Change::HEIGHT))
    }

    /// Sets the heights of the cells of `region`, row by row, as [`HeightField::set_heights`]; the ground
    /// covers the whole map from then on. Returns the smallest rectangle of cells whose height changed.
    pub fn set_heights(&mut self, region: CellRect, heights: &[f32]) -> Option<CellRect> {
        let inside = region.intersection(self.region);
        if inside.is_empty() {
            return None;
        }
        let own = Arc::make_mut(self.heights.get_or_insert_default());
        let before = own.heights(inside);
        own.set_heights(self.region, region, heights);
        let differing =
            inside.cells().zip(before).filter(|&(cell, was)| own.height(cell).to_bits() != was.to_bits());
        let changed = differing.map(|(cell, _)| CellRect::cell(cell)).reduce(CellRect::union)?;
        let (x, y) = local_in(self.region, Cell::new(changed.x, changed.y));
        let rect = LocalRect { x0: x, y0: y, x1: x + changed.w as u32, y1: y + changed.h as u32 };
        // A height is in the steps out of the cells around it, too.
        self.journal.record(rect.grown(1, 1, 1, 1, self.layout), Change::HEIGHT);
        Some(changed)
    }

    /// Takes over the heights of another map.
    pub(crate) fn take_heights(&mut self, other: &Self) {
        self.heights.clone_from(&other.heights);
    }

    /// Returns the steps that heights close to bodies of a limit; `None` if they can close none.
    pub(crate) fn steep_steps(&self, climb: ClimbLimit) -> Option<SteepSteps<'_>> {
        let heights = self.heights.as_deref().filter(|_| climb.is_some())?;
        Some(SteepSteps {
            heights,
            region: self.region,
            rise: heights.cell_size.map(|metres| climb.rise(metres)),
        })
    }

    /// Returns the edges that bodies of a limit meet.
    pub(crate) fn edges_for(&self, climb: ClimbLimit) -> BodyEdges<'_> {
        BodyEdges { terrain: self, steep: self.steep_steps(climb) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REGION: CellRect = CellRect::new(-3, -2, 150, 5);

    /// A ground whose heights repeat themselves along x, of cells of 2×1 metres.
    fn map() -> Terrain {
        let mut map = Terrain::new(REGION).unwrap();
        let mut heights = HeightField::flat([2.0, 1.0]);
        let data: Vec<f32> =
            REGION.cells().map(|cell| (cell.x * 7 % 5) as f32 * 0.5 + cell.y as f32).collect();
        heights.set_heights(REGION, REGION, &data);
        map.replace_heights(Some(heights));
        map
    }

    fn limit(step_height: f32, slope: f32) -> ClimbLimit {
        ClimbLimit::new(step_height, slope).unwrap()
    }

    #[test]
    fn words_are_what_cells_say() {
        let mut map = map();
        for resized in [false, true] {
            if resized {
                map = map.resized(CellRect::new(-9, -2, 140, 4)).unwrap();
            }
            let (layout, region) = (map.layout(), map.region());
            for climb in [limit(0.5, 0.0), limit(0.0, 0.5), limit(1.0, 0.0), limit(0.2, 0.3)] {
                let steep = map.steep_steps(climb).unwrap();
                for side in Side::ALL {
                    for word in 0..layout.words() {
                        let bits = steep.word(side, word, layout);
                        for bit in 0..64 {
                            let (x, y) =
                                (word % layout.stride_words() * 64 + bit, word / layout.stride_words());
                            let cell = Cell::new(region.x + x as i32 - 1, region.y + y as i32 - 1);
                            assert_eq!(bits >> bit & 1 == 1, steep.is_too_steep(cell, side), "{cell:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_larger_of_both_limits_counts_and_rounding_does_not() {
        let mut map = map();
        let [a, b] = [Cell::new(0, 0), Cell::new(1, 0)];
        let closes = |map: &Terrain, climb| map.edges_for(climb).is_closed(a, Side::Right);
        for (low, high) in [(0.0, 0.3), (4.0, 4.3), (-100.3, -100.0)] {
            map.set_heights(CellRect::new(a.x, a.y, 2, 1), &[low, high]);
            assert!(!closes(&map, limit(0.3, 0.0)), "{low}");
            assert!(closes(&map, limit(0.29, 0.0)) && closes(&map, limit(0.0, 0.14)), "{low}");
            assert!(!closes(&map, limit(0.0, 0.15)) && !closes(&map, limit(0.1, 0.15)), "{low}: of 2 m");
            assert!(map.edges_for(limit(0.2, 0.0)).is_closed(b, Side::Left), "both ways");
            assert!(!closes(&map, ClimbLimit::NONE));
        }
    }

    #[test]
    fn edits_are_noted_where_steps_change() {
        let mut map = map();
        let revision = map.revision();
        assert_eq!(map.set_heights(CellRect::new(4, 0, 1, 1), &[f32::NAN]), None);
        assert_eq!(map.revision(), revision);
        let part = CellRect::new(4, 0, 3, 1);
        let was = map.heights().unwrap().heights(part);
        assert_eq!(map.set_heights(part, &[was[0], 99.0, was[2]]), Some(CellRect::new(5, 0, 1, 1)));
        let noted: Vec<_> = map.journal().since(revision).unwrap().map(|entry| entry.rect).collect();
        assert_eq!(noted, [LocalRect { x0: 7, y0: 1, x1: 10, y1: 4 }]);
        assert!(map.replace_heights(None).is_some() && map.replace_heights(None).is_none());
        assert!(map.steep_steps(limit(1.0, 0.0)).is_none());
    }
}
