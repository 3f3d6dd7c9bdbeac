//! Paths of bodies with physics: keeps the flights of the characters that were asked for last.

use std::sync::Arc;

use super::character::Character;
use super::goal::goal_anchor;
use super::motion::{Departure, Flight, Flyer, Leg, Level, RouteEnd, StandCell};
use super::path::PlatformerPath;
use super::query::{PlatformerOutcome, PlatformerReason};
use pathforge_core::bitgrid::{cell_at, local};
use pathforge_core::cost::Cost;
use pathforge_core::geometry::{Cell, Footprint};
use pathforge_core::primitives::GridPoint;
use pathforge_core::surfaces::BodyLayers;

/// Characters whose flights are kept: more than the kinds of bodies of most games.
const CHARACTERS_MAX: usize = 8;

/// A query for a path of a body with physics.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FlightQuery {
    /// Where it begins.
    pub start: FlightStart,
    /// The body's top-left cell at the end, or in the air above it. Where the body does not fit so, it is
    /// shifted to the left, as long as it covers the goal.
    pub goal: Cell,
    /// The body.
    pub character: Character,
    /// The most cells that a search may expand; `u32::MAX` for no limit.
    pub expansions_max: u32,
}

/// Where a path of a body with physics begins.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum FlightStart {
    /// The body's top-left cell; without ground there, it falls from rest.
    Cell(Cell),
    /// A body in the midst of something.
    Body(BodyPlace),
}

/// A body in px, counted from the map's top-left corner; y grows downwards.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BodyPlace {
    /// The centre of the feet.
    pub x: f64,
    /// Their height.
    pub y: f64,
    /// Speed to the right, in px/s.
    pub vx: f64,
    /// Speed downwards, in px/s.
    pub vy: f64,
    /// `true` if it stands on something.
    pub on_floor: bool,
}

/// What a follower needs of a path.
#[derive(Clone, Debug)]
pub struct FlightPlan {
    pub(super) level: Arc<Level>,
    origin: Cell,
    pub(super) character: Character,
    /// The flights in order, each with the cell of its take-off; `None` of a body that is in the air at the
    /// start. Between them the body walks.
    pub(super) flights: Vec<(Option<StandCell>, Flight)>,
    /// The end, and where the feet come to rest there, in px.
    pub(super) goal: StandCell,
    pub(super) goal_x: f64,
    /// The path's cells, from the map's top-left cell: the body's left column and its lowest row.
    pub(super) cells: Vec<Cell>,
    pub(super) on_ground: Vec<bool>,
}

impl FlightPlan {
    /// The map's top-left cell.
    pub const fn origin(&self) -> Cell {
        self.origin
    }
}

/// The outcome of a query; without a path there is no plan.
#[derive(Clone, Debug)]
pub struct FlightOutcome {
    /// The path, or why there is none.
    pub outcome: PlatformerOutcome,
    /// How to follow it.
    pub plan: Option<FlightPlan>,
}

/// The layers of a map that a character needs.
#[derive(Clone, Debug)]
pub struct FlightLayers {
    /// Of its footprint.
    pub body: BodyLayers,
    /// Of a single cell.
    pub cells: BodyLayers,
}

/// What is known of one character.
#[derive(Clone, Debug)]
struct Known {
    character: Character,
    cells: BodyLayers,
    flyer: Flyer,
}

/// Finds paths of bodies with physics.
///
/// ```
/// use pathforge_core::geometry::{Cell, Footprint};
/// use pathforge_core::terrain::Terrain;
/// use pathforge_core::world::World;
/// use pathforge_platformer::motion::{Body, FlightCosts, Motion};
/// use pathforge_platformer::{Character, FlightLayers, FlightQuery, FlightStart, Flyers};
///
/// let level = Terrain::from_text("......\n...===\n......\n######\n", Cell::new(0, 0))?;
/// let mut world = World::from_terrain(level);
/// let motion = Motion { jump_speed: 330.0, ..Motion::new(180.0, 980.0) };
/// let body = Body::rectangle(12.0, 14.0);
/// let character = Character { body, motion, costs: FlightCosts::default(), cell: (16.0, 16.0) };
/// let query = FlightQuery {
///     start: FlightStart::Cell(Cell::new(0, 2)),
///     goal: Cell::new(4, 0),
///     character,
///     expansions_max: u32::MAX,
/// };
/// let cells = world.body_layers(Footprint::ONE);
/// let layers = FlightLayers { body: world.body_layers(character.footprint()?), cells };
/// let found = Flyers::default().find_path(&layers, &query);
/// assert_eq!(found.outcome.path.cells.last(), Some(&Cell::new(4, 0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Flyers {
    /// The most recently asked for first.
    known: Vec<Known>,
}

impl Flyers {
    /// Finds the path of the least cost, or why there is none. A path ends on ground.
    ///
    /// Takes time in proportion to the ground that is reached. When a search first comes to a ground cell, it
    /// finds where the body lands that jumps, falls or drops from there, in 20 to 600 µs. That is kept for eight
    /// characters until cells around change.
    pub fn find_path(&mut self, layers: &FlightLayers, query: &FlightQuery) -> FlightOutcome {
        let refused =
            |reason| FlightOutcome { outcome: PlatformerOutcome::without_path(reason, 0, 0), plan: None };
        if let Err(error) = query.character.check() {
            return refused(PlatformerReason::BadProfile(error));
        }
        match self.search(layers, query) {
            Ok(found) => found,
            Err(reason) => refused(reason),
        }
    }

    /// The cells that the last search reached, as the body's top-left cells.
    pub fn reached(&self) -> Vec<Cell> {
        let Some(Known { character, cells, flyer }) = self.known.first() else { return Vec::new() };
        let region = cells.region();
        let height = character.footprint().map_or(1, Footprint::h);
        let foothold = flyer.foothold();
        let reached = flyer.reached().filter_map(|stand| {
            let x = foothold.resting_x(stand)?;
            Some(foothold.body_cell(x, stand.row))
        });
        reached.map(|cell| Cell::new(cell.x + region.x, cell.y + region.y - (height - 1))).collect()
    }

    /// Moves what is known of `character` to the front, on `cells`.
    fn know(&mut self, cells: &BodyLayers, character: &Character) -> Result<(), PlatformerReason> {
        // Few enough for a linear search.
        if let Some(place) = self.known.iter().position(|known| known.character == *character) {
            self.known[..=place].rotate_right(1);
            let known = &mut self.known[0];
            if is_changed(&known.cells, cells) {
                known.flyer.set_level(Level::new(cells, character.cell));
            }
            known.cells = cells.clone();
            return Ok(());
        }
        let level = Level::new(cells, character.cell);
        let flyer = Flyer::new(level, character.body, character.motion, character.costs);
        let flyer = flyer.map_err(|error| PlatformerReason::BadProfile(error.into()))?;
        self.known.truncate(CHARACTERS_MAX - 1);
        self.known.insert(0, Known { character: *character, cells: cells.clone(), flyer });
        Ok(())
    }

    fn search(
        &mut self,
        layers: &FlightLayers,
        query: &FlightQuery,
    ) -> Result<FlightOutcome, PlatformerReason> {
        use PlatformerReason as Reason;
        let character = &query.character;
        let footprint = layers.body.footprint();
        let region = layers.body.region();
        if region.is_empty() {
            return Err(Reason::EmptyMap);
        }
        if let FlightStart::Cell(start) = query.start {
            check_start(&layers.body, start)?;
        }
        let goal = local(region, query.goal).ok_or(Reason::GoalOutOfBounds)?;
        if layers.body.is_closed(query.goal) {
            return Err(Reason::GoalSolid);
        }
        let goal = goal_anchor(&layers.body, goal, true)?;
        if let FlightStart::Cell(start) = query.start {
            let start = local(region, start).map(|(x, y)| GridPoint::of_cell(x, y));
            // A search that cannot succeed would expand all that is reachable before it says so.
            if start.is_some_and(|start| layers.body.are_apart(start, goal)) {
                return Err(Reason::Disconnected);
            }
        }
        self.know(&layers.cells, character)?;
        let flyer = &mut self.known[0].flyer;
        let feet = |cell: Cell| {
            let x = f64::from(cell.x - region.x) + f64::from(footprint.w()) / 2.0;
            (x * character.cell.0, cell.y - region.y + footprint.h() - 1)
        };
        let goal = cell_at(region, goal.cell_xy());
        let (goal_x, goal_row) = feet(goal);
        let end = flyer.foothold().cell_of(goal_x, goal_row).ok_or(Reason::GoalWithoutGround)?;
        let departure = match query.start {
            FlightStart::Cell(start) => {
                let (x, row) = feet(start);
                let falls = Departure::Air { x, y: flyer.foothold().feet(row), vx: 0.0, vy: 0.0 };
                flyer.foothold().cell_of(x, row).map_or(falls, Departure::Cell)
            }
            FlightStart::Body(place) => departure(flyer, &place).ok_or(Reason::StartOutOfBounds)?,
        };
        let route = flyer.find_route(departure, end, query.expansions_max);
        let without = |reason| {
            Ok(FlightOutcome {
                outcome: PlatformerOutcome::without_path(reason, route.expanded, route.expanded),
                plan: None,
            })
        };
        match route.end {
            RouteEnd::Found => {}
            RouteEnd::BadGoal => return without(Reason::GoalWithoutGround),
            RouteEnd::NoRoute => return without(Reason::NoPath),
            RouteEnd::Limit => return without(Reason::Limit),
        }
        let lowest = |cell: Cell| Cell::new(cell.x - region.x, cell.y - region.y + footprint.h() - 1);
        let start = match query.start {
            FlightStart::Cell(start) => Some(lowest(start)),
            FlightStart::Body(_) => None,
        };
        let (cells, on_ground) = route.with_ends(start, lowest(goal));
        let shown = |cell: &Cell| Cell::new(cell.x + region.x, cell.y + region.y - (footprint.h() - 1));
        let path = PlatformerPath::of_flights(cells.iter().map(shown).collect(), on_ground.clone());
        let flights = route.legs.into_iter().filter_map(|leg| match leg {
            Leg::Walk { .. } => None,
            Leg::Flight { from, flight } => Some((from, flight)),
        });
        let plan = FlightPlan {
            level: flyer.level().clone(),
            origin: Cell::new(region.x, region.y),
            character: *character,
            flights: flights.collect(),
            goal: end,
            goal_x,
            cells,
            on_ground,
        };
        let cost = Some(Cost::from_units(route.cost));
        let (expanded, generated) = (route.expanded, route.expanded);
        let outcome = PlatformerOutcome { reason: None, cost, path, expanded, generated };
        Ok(FlightOutcome { outcome, plan: Some(plan) })
    }
}

fn check_start(layers: &BodyLayers, start: Cell) -> Result<(), PlatformerReason> {
    if !layers.region().contains(start) {
        return Err(PlatformerReason::StartOutOfBounds);
    }
    if !layers.fits_at(start) {
        let is_closed = layers.is_closed(start);
        return Err(if is_closed { PlatformerReason::StartSolid } else { PlatformerReason::StartClearance });
    }
    Ok(())
}

/// How a body leaves the place where it is; `None` beside the level.
fn departure(flyer: &Flyer, place: &BodyPlace) -> Option<Departure> {
    let (columns, rows) = flyer.level().size();
    let (width, height) = flyer.level().cell();
    let within = (0.0..=f64::from(columns) * width).contains(&place.x)
        && place.y <= f64::from(rows) * height
        && place.y.is_finite();
    let BodyPlace { x, y, vx, vy, on_floor } = *place;
    within.then(|| {
        let stand = on_floor.then(|| flyer.foothold().standing_at(x, y)).flatten();
        stand.map_or(Departure::Air { x, y, vx, vy }, Departure::Cell)
    })
}

fn is_changed(old: &BodyLayers, new: &BodyLayers) -> bool {
    old.fits().layout() != new.fits().layout()
        || old.fits().words().differing(new.fits().words()).next().is_some()
        || old.ground().words().differing(new.ground().words()).next().is_some()
}
