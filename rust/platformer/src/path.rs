//! A jump path as cells, kinds of steps and key points, derived from the anchors and jump values of a search
//! in O(cells).

use super::motion::Gait;
use pathforge_core::bitgrid::cell_at;
use pathforge_core::geometry::Cell;
use pathforge_core::primitives::GridPoint;
use pathforge_core::surfaces::BodyLayers;

/// How a cell of a path is reached. Scripts see these numbers. The first cell counts as walked to; in the
/// air, as jumped or fallen to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum StepKind {
    /// Sideways, from ground to ground.
    Walk = 0,
    /// Through the air, up to the highest cell of the jump.
    Jump = 1,
    /// Through the air, after its highest cell.
    Fall = 2,
    /// Down through the one-way cells that the body stood on.
    DropThrough = 3,
    /// Out of the air onto ground.
    Land = 4,
    /// Up or down a ladder.
    Climb = 5,
}

/// Why a cell of a path matters. Scripts see these numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum KeyKind {
    /// The first cell.
    Start = 0,
    /// Ground that a jump begins on.
    TakeOff = 1,
    /// Ground that the body walks off, to fall.
    StepOff = 2,
    /// One-way ground that the body drops through.
    DropThrough = 3,
    /// The first of a jump's highest cells.
    Apex = 4,
    /// The cell in which the sideways movement turns back.
    Turn = 5,
    /// Ground that a jump, a fall or a climb ends on.
    Landing = 6,
    /// The last cell.
    Goal = 7,
    /// Ground that a climb begins on.
    Climb = 8,
}

/// A cell of a path that matters. One cell can be several key points.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct KeyPoint {
    /// Its index in [`PlatformerPath::cells`].
    pub index: usize,
    /// Why it matters.
    pub kind: KeyKind,
}

/// A path, cell by cell. All lists but the key points run parallel.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlatformerPath {
    /// The body's top-left cells from start to goal, each beside the one before it.
    pub cells: Vec<Cell>,
    /// How each cell is reached.
    pub steps: Vec<StepKind>,
    /// The jump value at each cell.
    pub jump_values: Vec<u32>,
    /// `true` for each cell at which the body stands on ground.
    pub on_ground: Vec<bool>,
    /// The cells that matter, in the order of the path.
    pub key_points: Vec<KeyPoint>,
}

impl PlatformerPath {
    /// The path over anchors with their jump values.
    pub(super) fn new(layers: &BodyLayers, found: &[(GridPoint, u8)]) -> Self {
        let layout = layers.fits().layout();
        let cell = |&(anchor, _): &(GridPoint, u8)| cell_at(layers.region(), anchor.cell_xy());
        let cells: Vec<Cell> = found.iter().map(cell).collect();
        let jump_values = found.iter().map(|&(_, value)| u32::from(value)).collect();
        let on_ground: Vec<bool> =
            found.iter().map(|(anchor, _)| layers.ground().get(anchor.index(layout))).collect();
        let steps = steps(&cells, &on_ground, &[]);
        let key_points = key_points(&cells, &on_ground, &[]);
        Self { cells, steps, jump_values, on_ground, key_points }
    }
}

impl PlatformerPath {
    /// The path of a body with physics, which has no jump values.
    pub(super) fn of_flights(cells: Vec<Cell>, on_ground: Vec<bool>, gaits: &[Gait]) -> Self {
        let steps = steps(&cells, &on_ground, gaits);
        let key_points = key_points(&cells, &on_ground, gaits);
        Self { jump_values: vec![0; cells.len()], cells, steps, on_ground, key_points }
    }
}

/// How each cell is reached. Without gaits, the body walks where it stays in one row.
fn steps(cells: &[Cell], on_ground: &[bool], gaits: &[Gait]) -> Vec<StepKind> {
    // From the end: whether a step in the air belongs to a jump depends on whether a later one of the same
    // flight rises.
    let mut rises = false;
    let mut steps = Vec::with_capacity(cells.len());
    for at in (0..cells.len()).rev() {
        let before = at.saturating_sub(1);
        let in_air = |rises: bool| if rises { StepKind::Jump } else { StepKind::Fall };
        if on_ground[at] {
            rises = false;
        }
        let kind = match cells[at].y - cells[before].y {
            _ if gaits.get(at) == Some(&Gait::Climb) => StepKind::Climb,
            _ if gaits.get(at) == Some(&Gait::Walk) => StepKind::Walk,
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

/// The key points, one flight or step along the ground after the other.
fn key_points(cells: &[Cell], on_ground: &[bool], gaits: &[Gait]) -> Vec<KeyPoint> {
    let mut points = Vec::new();
    let Some(last) = cells.len().checked_sub(1) else { return points };
    let mut add = |index, kind| points.push(KeyPoint { index, kind });
    add(0, KeyKind::Start);
    let mut heading = 0;
    let mut at = 0;
    while at < last {
        // One step along the ground, or a whole flight.
        let is_level = on_ground[at] && on_ground[at + 1] && cells[at].y == cells[at + 1].y;
        let walks = gaits.get(at + 1).map_or(is_level, |&gait| gait == Gait::Walk);
        let end = if walks { at + 1 } else { (at + 1..last).find(|&n| on_ground[n]).unwrap_or(last) };
        if gaits.get(at + 1) == Some(&Gait::Climb) {
            add(at, KeyKind::Climb);
            add(end, KeyKind::Landing);
            (at, heading) = (end, 0);
            continue;
        }
        // The first of the highest cells: `min_by_key` returns the first minimum.
        let apex = (at..=end).min_by_key(|&n| cells[n].y).unwrap_or(at);
        if !walks {
            match cells[at + 1].y - cells[at].y {
                // A start in the air leaves no ground.
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
                // Steps up and down keep the heading, so a turn in mid-air is found however many rows lie
                // between.
                if dx == -heading {
                    add(n, KeyKind::Turn);
                }
                heading = dx;
            }
        }
        if !walks {
            // A flight that ends in the air, at the goal, can end at its highest cell.
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
