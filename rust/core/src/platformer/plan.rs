//! A way as a follower walks it: in legs from ground to ground, with the columns that are free on the way through the air.
//!
//! A body that rises or falls from one row to the next may do so in any column of an unbroken run of columns in which it
//! fits in both rows. The way goes through one column of each run; a taut string through the runs goes sideways as
//! early as it can and no farther than it must, so that is where the body is led.

use super::path::PlatformerPath;
use super::{BodyLayers, PlatformerOutcome};
use crate::bitgrid::local;
use crate::geometry::{Cell, CellRect, Footprint};

/// What a leg is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LegKind {
    /// Along the ground.
    Walk,
    /// Off the ground, upwards first.
    Jump,
    /// Off an edge, or out of the air.
    Fall,
    /// Down through one-way ground.
    Drop,
}

/// A passage between a row and the next, counted in whole cells: where the body's left column may be meanwhile, and
/// where it is led.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Crossing {
    /// The row that is left, for the body's lowest cells.
    pub(super) row: i32,
    pub(super) least: i32,
    pub(super) most: i32,
    pub(super) wanted: i32,
    /// What it steers for in the air: `wanted`, or the wall beside it.
    pub(super) aim: i32,
    /// Where a falling body is led once its feet are below the upper edge of one-way cells beside it, which do not hold
    /// it any more.
    pub(super) slip: i32,
}

/// The way from one ground to the next, or a walk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Leg {
    pub(super) kind: LegKind,
    /// Places in the list of cells.
    pub(super) first: usize,
    pub(super) last: usize,
    /// The highest row.
    pub(super) top_row: i32,
    /// Where the body is led in the highest row, and above.
    pub(super) top_wanted: i32,
    pub(super) rises: Vec<Crossing>,
    pub(super) falls: Vec<Crossing>,
}

/// A way with what a [`Follower`](super::Follower) has to know about it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FollowPlan {
    pub(super) size: Footprint,
    /// The level's cells.
    pub(super) region: CellRect,
    pub(super) cells: Vec<Cell>,
    pub(super) on_ground: Vec<bool>,
    pub(super) legs: Vec<Leg>,
}

impl FollowPlan {
    /// The plan for the way of `outcome`, which was found on the level that `layers` were made from.
    pub fn new(outcome: &PlatformerOutcome, layers: &BodyLayers) -> Self {
        let PlatformerPath { cells, on_ground, .. } = &outcome.path;
        let level = Level { layers, region: layers.region() };
        let mut legs = Vec::new();
        let mut at = 0;
        while at + 1 < cells.len() {
            let leg = level.leg(cells, on_ground, at);
            at = leg.last;
            legs.push(leg);
        }
        let (cells, on_ground) = (cells.clone(), on_ground.clone());
        Self { size: layers.size(), region: level.region, cells, on_ground, legs }
    }

    /// Whether there is no way.
    pub const fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// How many cells the way has.
    pub const fn len(&self) -> usize {
        self.cells.len()
    }

    /// The character's size.
    pub const fn size(&self) -> Footprint {
        self.size
    }
}

struct Level<'a> {
    layers: &'a BodyLayers,
    region: CellRect,
}

impl Level<'_> {
    fn leg(&self, cells: &[Cell], on_ground: &[bool], first: usize) -> Leg {
        let walks = |n: usize| on_ground[n] && on_ground[n + 1] && cells[n].y == cells[n + 1].y;
        let end = cells.len() - 1;
        if walks(first) {
            let last = (first..end).find(|&n| !walks(n)).unwrap_or(end);
            let top = cells[first];
            let (rises, falls) = (Vec::new(), Vec::new());
            return Leg {
                kind: LegKind::Walk,
                first,
                last,
                top_row: top.y,
                top_wanted: cells[last].x,
                rises,
                falls,
            };
        }
        let last = (first + 1..end).find(|&n| on_ground[n]).unwrap_or(end);
        let top = (first..=last).min_by_key(|&n| cells[n].y).unwrap_or(first);
        let kind = if cells[top].y < cells[first].y {
            LegKind::Jump
        } else if on_ground[first] && cells[first + 1].y > cells[first].y {
            LegKind::Drop
        } else {
            LegKind::Fall
        };
        let crossings = |from: usize, to: usize, dy: i32| -> Vec<Crossing> {
            let vertical = (from..to).filter(|&n| cells[n + 1].y - cells[n].y == dy);
            vertical.map(|n| self.crossing(cells[n], dy)).collect()
        };
        let mut rises = crossings(first, top, -1);
        let mut falls = crossings(top, last, 1);
        let top = self.trimmed(&mut rises, &mut falls, cells[top]);
        let mut wanted = cells[last].x;
        for crossing in falls.iter_mut().rev() {
            let next = wanted;
            let slipped = self.slip(crossing, next);
            wanted = slipped.clamp(crossing.least, crossing.most);
            crossing.wanted = wanted;
            crossing.aim = self.pressed(crossing.row, wanted, next);
            crossing.slip = self.pressed(crossing.row, slipped, next);
        }
        let (least, most) = unbroken_run(top.x, |x| self.fits(x, top.y));
        wanted = wanted.clamp(least, most);
        let top_wanted = wanted;
        for crossing in rises.iter_mut().rev() {
            let next = wanted;
            wanted = next.clamp(crossing.least, crossing.most);
            crossing.wanted = wanted;
            crossing.aim = self.pressed(crossing.row, wanted, next);
        }
        Leg { kind, first, last, top_row: top.y, top_wanted, rises, falls }
    }

    /// Leaves out the highest rows of a jump that only serve the model's rhythm: those from which it comes back to a row in
    /// which it could have gone straight across. Returns the highest cell that is left.
    fn trimmed(&self, rises: &mut Vec<Crossing>, falls: &mut Vec<Crossing>, top: Cell) -> Cell {
        let mut top = top;
        while let ([_, .., rise], [fall, ..]) = (rises.as_slice(), falls.as_slice()) {
            let (least, most) = unbroken_run(rise.wanted, |x| self.fits(x, rise.row));
            if !(least..=most).contains(&fall.wanted) {
                break;
            }
            top = Cell::new(rise.wanted, rise.row);
            rises.pop();
            falls.remove(0);
        }
        top
    }

    /// The passage from `cell` to the row above or below.
    fn crossing(&self, cell: Cell, dy: i32) -> Crossing {
        let free = |x: i32| {
            let both = self.fits(x, cell.y) && self.fits(x, cell.y + dy);
            // A falling body would land on ground.
            both && (dy < 0 || !self.is_ground(x, cell.y))
        };
        let (least, most) = unbroken_run(cell.x, free);
        Crossing { row: cell.y, least, most, wanted: cell.x, aim: cell.x, slip: cell.x }
    }

    /// Where a body is led that leaves `row` in column `at` and is to go to column `next` beyond: against the wall between,
    /// if there is one, so that it is on its way in the moment in which it comes clear of it.
    fn pressed(&self, row: i32, at: i32, next: i32) -> i32 {
        let beside = at + (next - at).signum();
        if self.fits(beside, row) { at } else { beside }
    }

    /// The column nearest to `wanted` where a body fits that falls through a crossing, whether one-way cells are below it
    /// or not.
    fn slip(&self, crossing: &Crossing, wanted: i32) -> i32 {
        let fits = |x: i32| self.fits(x, crossing.row) && self.fits(x, crossing.row + 1);
        let (least, most) = unbroken_run(crossing.wanted, fits);
        wanted.clamp(least, most)
    }

    fn fits(&self, x: i32, bottom: i32) -> bool {
        self.bit(x, bottom, false)
    }

    fn is_ground(&self, x: i32, bottom: i32) -> bool {
        self.bit(x, bottom, true)
    }

    fn bit(&self, x: i32, bottom: i32, ground: bool) -> bool {
        let anchor = Cell::new(x, bottom - (self.layers.size().h() - 1));
        let bits = if ground { self.layers.ground() } else { self.layers.fits() };
        local(self.region, anchor).is_some_and(|(x, y)| bits.get(bits.shape().index(x, y)))
    }
}

/// The unbroken run of free columns around `x`, which counts as free.
fn unbroken_run(x: i32, free: impl Fn(i32) -> bool) -> (i32, i32) {
    // No jump goes farther sideways than this before it has to turn to another run.
    const REACH: i32 = 160;
    let least = (x - REACH..x).rev().find(|&x| !free(x)).map_or(x - REACH, |x| x + 1);
    let most = (x + 1..=x + REACH).find(|&x| !free(x)).map_or(x + REACH, |x| x - 1);
    (least, most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platformer::{JumpProfile, Platformer, PlatformerMap, PlatformerQuery};

    /// The plan of a character that jumps three cells high.
    fn plan(text: &str, size: (i64, i64), start: (i32, i32), goal: (i32, i32)) -> FollowPlan {
        let map = PlatformerMap::from_text(text, Cell::default()).unwrap();
        let mut platformer = Platformer::new(map);
        let profile = JumpProfile::new(size.0, size.1, 3).unwrap();
        let (start, goal) = (Cell::new(start.0, start.1), Cell::new(goal.0, goal.1));
        let outcome = platformer.find_path(&PlatformerQuery::new(start, goal, profile));
        assert!(outcome.is_complete(), "{outcome:?}");
        FollowPlan::new(&outcome, platformer.layers(profile.size))
    }

    fn kinds(plan: &FollowPlan) -> Vec<LegKind> {
        plan.legs.iter().map(|leg| leg.kind).collect()
    }

    #[test]
    fn legs_lead_from_ground_to_ground_and_leave_nothing_out() {
        let text = "
            ..........
            ....==....
            ..........
            ###....###
            ###....###";
        let plan = plan(text, (1, 1), (0, 2), (9, 2));
        assert!(kinds(&plan).starts_with(&[LegKind::Walk, LegKind::Jump]), "{:?}", kinds(&plan));
        assert_eq!(plan.legs.first().map(|leg| leg.first), Some(0));
        assert_eq!(plan.legs.last().map(|leg| leg.last), Some(plan.len() - 1));
        for pair in plan.legs.windows(2) {
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
            [LegKind::Walk, LegKind::Fall, LegKind::Walk]
        );
        let floor = "
            .....
            =====
            .....
            #####";
        assert_eq!(kinds(&plan(floor, (1, 1), (2, 0), (2, 2))), [LegKind::Drop]);
    }

    #[test]
    fn a_body_is_led_through_the_columns_that_are_free() {
        // A hole of two columns, and a body of two.
        let text = "
            ......
            ......
            ##..##
            ......
            ......
            ######";
        let plan = plan(text, (2, 2), (4, 1), (0, 4));
        let falls: Vec<Crossing> = plan.legs.iter().flat_map(|leg| leg.falls.clone()).collect();
        let through: Vec<_> = falls.iter().filter(|crossing| (1..=2).contains(&crossing.row)).collect();
        assert!(!through.is_empty());
        for crossing in through {
            assert_eq!((crossing.least, crossing.most, crossing.wanted), (2, 2, 2));
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
        let plan = plan(text, (1, 2), (3, 1), (0, 3));
        let fall = plan.legs.iter().find_map(|leg| leg.falls.iter().find(|crossing| crossing.row == 2));
        assert_eq!(fall.map(|fall| (fall.wanted, fall.aim, fall.slip)), Some((2, 1, 1)));
    }

    #[test]
    fn no_way_is_an_empty_plan() {
        let map = PlatformerMap::from_text("..#..\n#####", Cell::default()).unwrap();
        let mut platformer = Platformer::new(map);
        let profile = JumpProfile::new(1, 1, 0).unwrap();
        let query = PlatformerQuery::new(Cell::new(0, 0), Cell::new(4, 0), profile);
        let outcome = platformer.find_path(&query);
        let plan = FollowPlan::new(&outcome, platformer.layers(profile.size));
        assert!(plan.is_empty() && plan.legs.is_empty());
    }
}
