//! A way as cells, steps and the few points that a follower needs.

use super::BodyLayers;
use super::arc::JumpRule;
use super::profile::JumpProfile;
use crate::geometry::{Cell, CellRect};
use crate::search::Spot;

/// How a cell of a way is reached; the numbers are those that scripts see. The first cell counts as walked to, or as
/// fallen to when it is in the air.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum StepKind {
    /// Sideways, from ground to ground.
    Walk = 0,
    /// Through the air, up to the highest cell of the jump.
    Jump = 1,
    /// Through the air, after that.
    Fall = 2,
    /// Down through the one-way cells that the character stood on.
    DropThrough = 3,
    /// Out of the air onto ground.
    Land = 4,
}

/// Why a cell of a way matters; the numbers are those that scripts see.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum KeyKind {
    /// The first cell.
    Start = 0,
    /// Ground that a jump begins on.
    TakeOff = 1,
    /// Ground that the character walks off, to fall.
    StepOff = 2,
    /// One-way ground that the character drops through.
    DropThrough = 3,
    /// The first of a jump's highest cells.
    Apex = 4,
    /// The cell in which the way sideways turns back.
    Turn = 5,
    /// Ground that a jump or a fall ends on.
    Landing = 6,
    /// The last cell.
    Goal = 7,
}

/// A cell of a way that matters. One cell can be several key points.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct KeyPoint {
    /// Its place in [`PlatformerPath::cells`].
    pub index: usize,
    /// Why it matters.
    pub kind: KeyKind,
}

/// A way, cell by cell. All lists but the key points run parallel.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlatformerPath {
    /// The character's bottom-left cell, from start to goal, neighbours in a row.
    pub cells: Vec<Cell>,
    /// How each is reached.
    pub steps: Vec<StepKind>,
    /// The jump value there.
    pub jump_values: Vec<u32>,
    /// Whether the character stands on ground there.
    pub on_ground: Vec<bool>,
    /// The cells that matter, in the order of the way.
    pub key_points: Vec<KeyPoint>,
}

impl PlatformerPath {
    /// Whether there is no way.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The last cell.
    pub fn goal(&self) -> Option<Cell> {
        self.cells.last().copied()
    }

    /// The way over `spots`, the character's top-left cells.
    pub(super) fn new(layers: &BodyLayers, region: CellRect, profile: &JumpProfile, spots: &[Spot]) -> Self {
        let shape = layers.fits().shape();
        let bottom_left = |spot: &Spot| {
            let (x, y) = spot.xy();
            Cell::new(region.x + x as i32, region.y + y as i32 + layers.size().h() - 1)
        };
        let cells: Vec<Cell> = spots.iter().map(bottom_left).collect();
        let on_ground: Vec<bool> = spots.iter().map(|spot| layers.ground().get(spot.index(shape))).collect();
        let at_ceiling: Vec<bool> =
            spots.iter().map(|spot| layers.ceiling().get(spot.index(shape))).collect();
        let jump_values = jump_values(profile, &cells, &on_ground, &at_ceiling);
        let steps = steps(&cells, &on_ground);
        let key_points = key_points(&cells, &on_ground);
        Self { cells, steps, jump_values, on_ground, key_points }
    }
}

/// The start's jump value: that of the profile in the air.
fn first_value(profile: &JumpProfile, on_ground: bool) -> u32 {
    let spent = JumpRule::new(profile).spent;
    if on_ground { 0 } else { profile.air_start_value.unwrap_or(spent).min(spent) }
}

fn jump_values(profile: &JumpProfile, cells: &[Cell], on_ground: &[bool], at_ceiling: &[bool]) -> Vec<u32> {
    let rule = JumpRule::new(profile);
    let mut values = Vec::with_capacity(cells.len());
    for at in 0..cells.len() {
        let value = if at == 0 {
            first_value(profile, on_ground[0])
        } else if on_ground[at] {
            0
        } else {
            let before = values[at - 1];
            let next = match cells[at].y - cells[at - 1].y {
                -1 => rule.up(before, at_ceiling[at]),
                0 => rule.side(before, at_ceiling[at]),
                _ => Some(rule.down(before)),
            };
            debug_assert!(next.is_some(), "a step that the rule forbids");
            next.unwrap_or(before)
        };
        values.push(value);
    }
    values
}

fn steps(cells: &[Cell], on_ground: &[bool]) -> Vec<StepKind> {
    // From the end, so that it is known whether the jump still rises.
    let mut rises = false;
    let mut steps = Vec::with_capacity(cells.len());
    for at in (0..cells.len()).rev() {
        let before = at.saturating_sub(1);
        let in_air = |rises: bool| if rises { StepKind::Jump } else { StepKind::Fall };
        if on_ground[at] {
            rises = false;
        }
        let kind = match cells[at].y - cells[before].y {
            _ if at == 0 => {
                if on_ground[0] {
                    StepKind::Walk
                } else {
                    in_air(rises)
                }
            }
            0 if on_ground[before] && on_ground[at] => StepKind::Walk,
            1 if on_ground[before] => StepKind::DropThrough,
            _ if on_ground[at] => StepKind::Land,
            dy => in_air(rises || dy < 0),
        };
        rises |= cells[at].y < cells[before].y;
        steps.push(kind);
    }
    steps.reverse();
    steps
}

fn key_points(cells: &[Cell], on_ground: &[bool]) -> Vec<KeyPoint> {
    let mut points = Vec::new();
    let Some(last) = cells.len().checked_sub(1) else { return points };
    let mut add = |index, kind| points.push(KeyPoint { index, kind });
    add(0, KeyKind::Start);
    let mut heading = 0;
    let mut at = 0;
    while at < last {
        let walks = on_ground[at] && on_ground[at + 1] && cells[at].y == cells[at + 1].y;
        let end = if walks { at + 1 } else { (at + 1..last).find(|&n| on_ground[n]).unwrap_or(last) };
        // The first of the highest cells.
        let apex = (at..=end).min_by_key(|&n| cells[n].y).unwrap_or(at);
        if !walks {
            match cells[at + 1].y - cells[at].y {
                _ if !on_ground[at] => {}
                _ if cells[apex].y < cells[at].y => add(at, KeyKind::TakeOff),
                1 => add(at, KeyKind::DropThrough),
                _ => add(at, KeyKind::StepOff),
            }
        }
        for n in at..end {
            let dx = cells[n + 1].x - cells[n].x;
            if n == apex && n > at {
                add(n, KeyKind::Apex);
            }
            if dx != 0 {
                if dx == -heading {
                    add(n, KeyKind::Turn);
                }
                heading = dx;
            }
        }
        if !walks {
            if apex == end && !on_ground[end] {
                add(end, KeyKind::Apex);
            }
            if on_ground[end] {
                add(end, KeyKind::Landing);
            }
        }
        at = end;
    }
    add(last, KeyKind::Goal);
    points
}
