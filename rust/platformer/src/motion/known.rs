//! The flights of one body on one level, found when they are first asked for and kept until cells around
//! them change.

use std::collections::HashMap;
use std::sync::Arc;

use super::body::{Body, FlightCosts, Motion, MotionError};
use super::climbs::add_climbs;
use super::level::Level;
use super::nodes::Nodes;
use super::stand::{Foothold, StandCell};
use super::takeoff::{Bounds, Finder, Flight};

/// Where from a cell a body can go.
#[derive(Clone, Debug)]
pub(super) struct Exits {
    /// The next cells to the left and to the right.
    pub(super) walks: [Option<StandCell>; 2],
    pub(super) flights: Vec<Flight>,
    bounds: Bounds,
}

/// Flights and routes of one body on one level.
///
/// ```
/// use pathforge_core::geometry::Cell;
/// use pathforge_platformer::motion::{Body, Departure, FlightCosts, Flyer, Level, Motion, StandCell};
///
/// // Two floors with a gap of three cells of 16 px between them.
/// let level = Level::from_cells((12, 8), (16.0, 16.0), |x, y| y == 7 && !(5..8).contains(&x), |_, _| false);
/// let motion = Motion { jump_speed: 330.0, ..Motion::new(180.0, 980.0) };
/// let mut flyer = Flyer::new(level, Body::rectangle(14.0, 30.0), motion, FlightCosts::default())?;
/// let (start, goal) = (StandCell { column: 1, row: 6 }, StandCell { column: 10, row: 6 });
/// let route = flyer.find_route(Departure::Cell(start), goal, u32::MAX);
/// assert_eq!(route.cells.last(), Some(&Cell::new(10, 6)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Flyer {
    level: Arc<Level>,
    body: Body,
    finder: Finder,
    known: HashMap<StandCell, Exits>,
    pub(super) nodes: Nodes,
}

impl Flyer {
    /// Returns a body on a level, of which nothing is known yet.
    ///
    /// # Errors
    /// The first measure that is out of its limits.
    pub fn new(level: Level, body: Body, motion: Motion, costs: FlightCosts) -> Result<Self, MotionError> {
        motion.check(&body)?;
        let finder = Finder::new(body, motion, costs, level.cell());
        let level = Arc::new(level);
        Ok(Self { level, body, finder, known: HashMap::new(), nodes: Nodes::default() })
    }

    /// The level.
    pub const fn level(&self) -> &Arc<Level> {
        &self.level
    }

    /// Where the body stands on the level.
    pub fn foothold(&self) -> Foothold<'_> {
        Foothold { level: &self.level, body: self.body }
    }

    /// The cells of which flights are known.
    pub fn known(&self) -> usize {
        self.known.len()
    }

    /// Takes the level as it is now, and forgets flights that may differ on it.
    pub fn set_level(&mut self, level: Level) {
        let changed = self.level.differing(&level);
        self.level = Arc::new(level);
        let Some(changed) = changed else { return self.known.clear() };
        if changed.is_empty() {
            return;
        }
        self.known.retain(|_, exits| {
            let Bounds { columns, rows } = exits.bounds;
            let words = Level::word_of(columns[0].max(-1))..=Level::word_of(columns[1].max(-1));
            let from = changed.partition_point(|&(row, _)| row < rows[0]);
            let mut near = changed[from..].iter().take_while(|&&(row, _)| row <= rows[1]);
            !near.any(|(_, word)| words.contains(word))
        });
    }

    /// The climbs from a cell, and the flights, to the nearest and the farthest cell of every run that a flight
    /// leads to. There are none from a cell that the body does not stand on. Finds them the first time.
    pub fn flights(&mut self, from: StandCell) -> &[Flight] {
        &self.exits(from).flights
    }

    pub(super) fn exits(&mut self, from: StandCell) -> &Exits {
        let Self { level, body, finder, known, .. } = self;
        known.entry(from).or_insert_with(|| {
            let foothold = Foothold { level, body: *body };
            let walks = [-1, 1].map(|side| foothold.walk(from, side));
            let (mut flights, mut bounds) = finder.find(level, from);
            add_climbs(&foothold, finder.motion(), from, (&mut flights, &mut bounds));
            Exits { walks, flights, bounds }
        })
    }

    /// The landings of a body that is in the air at `place`, with its speed to the right and downwards, in px.
    pub fn falls(&mut self, place: (f64, f64), speed: (f64, f64)) -> Vec<Flight> {
        self.finder.find_fall(&self.level, place, speed)
    }
}
