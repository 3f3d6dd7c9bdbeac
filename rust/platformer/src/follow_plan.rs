//! Plans how a body under gravity follows a jump path: segments from ground to ground with the free columns
//! of each flight.
//!
//! A body that rises or falls from one row to the next may use any column of an unbroken run of columns in
//! which it fits in both rows. The path goes through one column of each run. String pulling through the runs
//! goes sideways as early as it can and no farther than it must; it gives the columns that the body is
//! steered to. So bodies of any speed follow one path. Takes time in proportion to the path's cells and the
//! widths of the runs.

use super::PlatformerOutcome;
use super::path::PlatformerPath;
use pathforge_core::geometry::{Cell, CellRect, Footprint};
use pathforge_core::surfaces::BodyLayers;

/// What a body does on a segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SegmentKind {
    /// Walks along the ground.
    Walk,
    /// Jumps off the ground.
    Jump,
    /// Falls off an edge, or out of the air.
    Fall,
    /// Drops through one-way ground.
    Drop,
}

/// A passage between a row and the next. Columns are those of the body's left cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RowCrossing {
    /// The row that is left, for the body's highest cells.
    pub(super) row: i32,
    pub(super) min_column: i32,
    pub(super) max_column: i32,
    /// The column of the pulled string.
    pub(super) column: i32,
    /// The column to steer for in the air: `column`, or the wall beside it.
    pub(super) steer_column: i32,
    /// The column to steer for once a falling body's feet are below the upper edge of the one-way cells
    /// beside it, which do not support it any more.
    pub(super) drop_column: i32,
}

/// A flight from one ground to the next, or a walk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Segment {
    pub(super) kind: SegmentKind,
    /// Indices in the list of cells.
    pub(super) first: usize,
    pub(super) last: usize,
    /// The highest row.
    pub(super) top_row: i32,
    /// The column to steer for in the highest row and above.
    pub(super) top_column: i32,
    /// Crossings upwards, from below.
    pub(super) rises: Vec<RowCrossing>,
    /// Crossings downwards, from above.
    pub(super) falls: Vec<RowCrossing>,
}

/// A jump path with the segments that a [`Follower`](super::Follower) follows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FollowPlan {
    pub(super) footprint: Footprint,
    /// The map's cells.
    pub(super) region: CellRect,
    pub(super) cells: Vec<Cell>,
    pub(super) on_ground: Vec<bool>,
    pub(super) segments: Vec<Segment>,
}

impl FollowPlan {
    /// Plans the path of `outcome`, which was found on `layers`.
    pub fn new(outcome: &PlatformerOutcome, layers: &BodyLayers) -> Self {
        let PlatformerPath { cells, on_ground, .. } = &outcome.path;
        let planner = Planner { layers };
        let mut segments = Vec::new();
        let mut at = 0;
        while at + 1 < cells.len() {
            let segment = planner.segment(cells, on_ground, at);
            at = segment.last;
            segments.push(segment);
        }
        // A copy, so that the follower outlives outcome and layers.
        let (cells, on_ground) = (cells.clone(), on_ground.clone());
        Self { footprint: layers.footprint(), region: layers.region(), cells, on_ground, segments }
    }

    /// What is done on the segment at index `at`, and the cell at its end.
    pub(super) fn piece(&self, at: usize) -> Option<(SegmentKind, Cell)> {
        self.segments.get(at).map(|segment| (segment.kind, self.cells[segment.last]))
    }

    /// Returns `true` if there is no path.
    pub const fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }
}

struct Planner<'a> {
    layers: &'a BodyLayers,
}

impl Planner<'_> {
    /// The segment that begins with cell `first`.
    fn segment(&self, cells: &[Cell], on_ground: &[bool], first: usize) -> Segment {
        let walks = |n: usize| on_ground[n] && on_ground[n + 1] && cells[n].y == cells[n + 1].y;
        let end = cells.len() - 1;
        if walks(first) {
            let last = (first..end).find(|&n| !walks(n)).unwrap_or(end);
            let (top_row, top_column) = (cells[first].y, cells[last].x);
            let (rises, falls) = (Vec::new(), Vec::new());
            return Segment { kind: SegmentKind::Walk, first, last, top_row, top_column, rises, falls };
        }
        let last = (first + 1..end).find(|&n| on_ground[n]).unwrap_or(end);
        let top = (first..=last).min_by_key(|&n| cells[n].y).unwrap_or(first);
        // A path that rises anywhere before the next ground must begin with a jump.
        let kind = if cells[top].y < cells[first].y {
            SegmentKind::Jump
        } else if on_ground[first] && cells[first + 1].y > cells[first].y {
            SegmentKind::Drop
        } else {
            SegmentKind::Fall
        };
        let crossings = |from: usize, to: usize, dy: i32| -> Vec<RowCrossing> {
            // Steps sideways within a row need no crossing: the body moves sideways at any time.
            let vertical = (from..to).filter(|&n| cells[n + 1].y - cells[n].y == dy);
            vertical.map(|n| self.crossing(cells[n], dy)).collect()
        };
        let mut rises = crossings(first, top, -1);
        let mut falls = crossings(top, last, 1);
        let top = self.trim(&mut rises, &mut falls, cells[top]);
        let top_column = self.pull_string(&mut rises, &mut falls, top, cells[last].x);
        Segment { kind, first, last, top_row: top.y, top_column, rises, falls }
    }

    /// Removes the highest rows of a jump that only the model needs: those from which it comes back to a row
    /// in which the body could have gone straight across. Returns the highest cell that is left.
    fn trim(&self, rises: &mut Vec<RowCrossing>, falls: &mut Vec<RowCrossing>, mut top: Cell) -> Cell {
        // The first rise stays: without one the body would not leave the ground.
        while let ([_, .., rise], [fall, ..]) = (rises.as_slice(), falls.as_slice()) {
            let (min, max) = unbroken_run(rise.column, |x| self.fits(x, rise.row));
            if !(min..=max).contains(&fall.column) {
                break;
            }
            top = Cell::new(rise.column, rise.row);
            rises.pop();
            falls.remove(0);
        }
        top
    }

    /// Sets the columns of a flight that ends in column `landing`; returns the one at the top.
    fn pull_string(
        &self,
        rises: &mut [RowCrossing],
        falls: &mut [RowCrossing],
        top: Cell,
        landing: i32,
    ) -> i32 {
        // From the end: each crossing takes its column nearest to the next one's, so the sideways movement is
        // done early.
        let mut column = landing;
        for crossing in falls.iter_mut().rev() {
            let next = column;
            let drop_column = self.drop_column(crossing, next);
            column = drop_column.clamp(crossing.min_column, crossing.max_column);
            crossing.column = column;
            crossing.steer_column = self.pressed(crossing.row, column, next);
            crossing.drop_column = self.pressed(crossing.row, drop_column, next);
        }
        let (min, max) = unbroken_run(top.x, |x| self.fits(x, top.y));
        column = column.clamp(min, max);
        let top_column = column;
        for crossing in rises.iter_mut().rev() {
            let next = column;
            column = next.clamp(crossing.min_column, crossing.max_column);
            crossing.column = column;
            crossing.steer_column = self.pressed(crossing.row, column, next);
        }
        top_column
    }

    /// The passage from `cell` to the row above or below.
    fn crossing(&self, cell: Cell, dy: i32) -> RowCrossing {
        let free = |x: i32| {
            let both = self.fits(x, cell.y) && self.fits(x, cell.y + dy);
            // A falling body would land on ground.
            both && (dy < 0 || !self.layers.stands_at(Cell::new(x, cell.y)))
        };
        let (min_column, max_column) = unbroken_run(cell.x, free);
        let x = cell.x;
        RowCrossing { row: cell.y, min_column, max_column, column: x, steer_column: x, drop_column: x }
    }

    /// The column to steer for so that a body leaves `row` in column `at` on its way to column `next` beyond:
    /// the wall between them, if there is one. A body that presses against it moves on in the very frame in
    /// which it comes clear of the wall; a frame later it could fall into a pit.
    fn pressed(&self, row: i32, at: i32, next: i32) -> i32 {
        let beside = at + (next - at).signum();
        if self.fits(beside, row) { at } else { beside }
    }

    /// The column nearest to `next` in which a body fits that falls through a crossing, above one-way cells
    /// or not.
    fn drop_column(&self, crossing: &RowCrossing, next: i32) -> i32 {
        let fits = |x: i32| self.fits(x, crossing.row) && self.fits(x, crossing.row + 1);
        let (min, max) = unbroken_run(crossing.column, fits);
        next.clamp(min, max)
    }

    fn fits(&self, x: i32, y: i32) -> bool {
        self.layers.fits_at(Cell::new(x, y))
    }
}

/// The unbroken run of free columns around `x`, which counts as free.
fn unbroken_run(x: i32, free: impl Fn(i32) -> bool) -> (i32, i32) {
    // Bounds the look on open levels: no jump goes farther sideways than this before it turns to another run.
    const REACH: i32 = 160;
    let min = (x - REACH..x).rev().find(|&x| !free(x)).map_or(x - REACH, |x| x + 1);
    let max = (x + 1..=x + REACH).find(|&x| !free(x)).map_or(x + REACH, |x| x - 1);
    (min, max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{JumpProfile, Platformer, PlatformerQuery};
    use pathforge_core::terrain::Terrain;
    use pathforge_core::world::World;

    /// The plan of a body that jumps three cells high.
    fn plan(text: &str, size: (i64, i64), start: (i32, i32), goal: (i32, i32)) -> FollowPlan {
        let terrain = Terrain::from_text(text, Cell::default()).unwrap();
        let profile = JumpProfile::new(size.0, size.1, 3).unwrap();
        let layers = World::from_terrain(terrain).body_layers(profile.footprint);
        let (start, goal) = (Cell::new(start.0, start.1), Cell::new(goal.0, goal.1));
        let outcome = Platformer::default().find_path(&layers, &PlatformerQuery::new(start, goal, profile));
        assert!(outcome.is_complete(), "{outcome:?}");
        FollowPlan::new(&outcome, &layers)
    }

    fn kinds(plan: &FollowPlan) -> Vec<SegmentKind> {
        plan.segments.iter().map(|segment| segment.kind).collect()
    }

    #[test]
    fn segments_join_and_go_from_ground_to_ground() {
        let text = "
            ..........
            ....==....
            ..........
            ###....###
            ###....###";
        let plan = plan(text, (1, 1), (0, 2), (9, 2));
        assert!(kinds(&plan).starts_with(&[SegmentKind::Walk, SegmentKind::Jump]), "{:?}", kinds(&plan));
        assert_eq!(plan.segments.first().map(|segment| segment.first), Some(0));
        assert_eq!(plan.segments.last().map(|segment| segment.last), Some(plan.cells.len() - 1));
        for pair in plan.segments.windows(2) {
            assert_eq!(pair[0].last, pair[1].first);
            assert!(plan.on_ground[pair[0].last]);
        }
    }

    #[test]
    fn an_edge_is_walked_off_and_a_one_way_platform_dropped_through() {
        let steps = "
            .....
            ##...
            ##...
            #####";
        assert_eq!(
            kinds(&plan(steps, (1, 1), (0, 0), (4, 2))),
            [SegmentKind::Walk, SegmentKind::Fall, SegmentKind::Walk]
        );
        let floor = "
            .....
            =====
            .....
            #####";
        assert_eq!(kinds(&plan(floor, (1, 1), (2, 0), (2, 2))), [SegmentKind::Drop]);
    }

    #[test]
    fn a_body_is_steered_through_free_columns() {
        // A hole of two columns, and a body of two.
        let text = "
            ......
            ......
            ##..##
            ......
            ......
            ######";
        let plan = plan(text, (2, 2), (4, 0), (0, 3));
        let falls: Vec<RowCrossing> =
            plan.segments.iter().flat_map(|segment| segment.falls.clone()).collect();
        let through: Vec<_> = falls.iter().filter(|crossing| (0..=1).contains(&crossing.row)).collect();
        assert!(!through.is_empty());
        for crossing in through {
            assert_eq!((crossing.min_column, crossing.max_column, crossing.column), (2, 2, 2));
        }
    }

    #[test]
    fn a_falling_body_is_pressed_against_the_wall_that_it_falls_below() {
        let text = "
            ##...
            .#...
            ..===
            .....
            ##...";
        let plan = plan(text, (1, 2), (3, 0), (0, 2));
        let fall =
            plan.segments.iter().find_map(|segment| segment.falls.iter().find(|crossing| crossing.row == 1));
        assert_eq!(fall.map(|fall| (fall.column, fall.steer_column, fall.drop_column)), Some((2, 1, 1)));
    }

    #[test]
    fn no_path_is_an_empty_plan() {
        let terrain = Terrain::from_text("..#..\n#####", Cell::default()).unwrap();
        let profile = JumpProfile::new(1, 1, 0).unwrap();
        let layers = World::from_terrain(terrain).body_layers(profile.footprint);
        let query = PlatformerQuery::new(Cell::new(0, 0), Cell::new(4, 0), profile);
        let outcome = Platformer::default().find_path(&layers, &query);
        let plan = FollowPlan::new(&outcome, &layers);
        assert!(plan.is_empty() && plan.segments.is_empty());
    }
}
