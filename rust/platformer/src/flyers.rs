//! Paths of bodies with physics: keeps the flights of the characters that were asked for last.

use std::sync::Arc;

use super::character::Character;
use super::motion::{Departure, Flight, Flyer, Foothold, Leg, Level, Route, RouteEnd, StandCell};
use super::path::PlatformerPath;
use super::query::{PlatformerOutcome, PlatformerReason};
use pathforge_core::bitgrid::local;
use pathforge_core::cost::Cost;
use pathforge_core::geometry::{Cell, CellRect, Footprint};
use pathforge_core::primitives::GridPoint;
use pathforge_core::raster::Raster;
use pathforge_core::surfaces::BodyLayers;
use pathforge_core::terrain::{Capability, Floors};

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
    lifts: Vec<f64>,
}

impl FlightPlan {
    /// The map's top-left cell.
    pub const fn origin(&self) -> Cell {
        self.origin
    }

    /// How far above the lower edges of its cells the body is at each cell of the path, in px. Empty on a map
    /// without floors inside cells.
    pub fn lifts(&self) -> &[f64] {
        &self.lifts
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
    /// The floors inside cells.
    pub floors: Option<Arc<Floors>>,
    /// The terrain ids, unless all are 0: to a body that climbs, some are ladders.
    pub terrains: Option<Arc<Raster<u8>>>,
}

/// What is known of one character.
#[derive(Clone, Debug)]
struct Known {
    character: Character,
    cells: BodyLayers,
    floors: Option<Arc<Floors>>,
    /// Kept for characters that climb.
    terrains: Option<Arc<Raster<u8>>>,
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
/// let character = Character { body, motion, costs: FlightCosts::default(), cell: (16.0, 16.0), climb_mask: 0 };
/// let query = FlightQuery {
///     start: FlightStart::Cell(Cell::new(0, 2)),
///     goal: Cell::new(4, 0),
///     character,
///     expansions_max: u32::MAX,
/// };
/// let cells = world.body_layers(Footprint::ONE);
/// let body = world.body_layers(character.footprint()?);
/// let layers = FlightLayers { body, cells, floors: None, terrains: None };
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
    /// finds where the body lands that jumps, falls or drops from there, in 20 to 600 µs. Beside floors inside
    /// cells it takes up to 3 ms. That is kept for eight characters until cells around change.
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
        let Some(Known { character, cells, flyer, .. }) = self.known.first() else { return Vec::new() };
        let region = cells.region();
        let height = character.footprint().map_or(1, Footprint::h);
        let foothold = flyer.foothold();
        let reached = flyer.reached().filter_map(|stand| {
            let x = foothold.resting_x(stand)?;
            Some(foothold.body_cell(x, stand.row))
        });
        reached.map(|cell| Cell::new(cell.x + region.x, cell.y + region.y - (height - 1))).collect()
    }

    /// The body's top-left cell where it stands with its feet at a place in px, counted from the map's corner;
    /// `None` where it does not stand.
    pub fn cell_at(
        &mut self,
        layers: &FlightLayers,
        character: &Character,
        (x, y): (f64, f64),
    ) -> Option<Cell> {
        let places = self.places(layers, character)?;
        let stand = places.foothold.standing_at(x, y)?;
        let (low, high) = places.foothold.at(stand)?;
        let cell = places.foothold.body_cell(x.clamp(low, high), stand.row);
        let Places { region, footprint, .. } = places;
        Some(Cell::new(cell.x + region.x, cell.y + region.y - (footprint.h() - 1)))
    }

    /// How far above the lower edges of its cells a body stands whose top-left cell this is, in px; `None` where
    /// it does not stand.
    pub fn lift(&mut self, layers: &FlightLayers, character: &Character, cell: Cell) -> Option<f64> {
        self.places(layers, character)?.lift(cell)
    }

    fn places(&mut self, layers: &FlightLayers, character: &Character) -> Option<Places<'_>> {
        character.check().ok()?;
        self.know(layers, character).ok()?;
        let (foothold, region) = (self.known.first()?.flyer.foothold(), layers.cells.region());
        Some(Places { foothold, region, footprint: character.footprint().ok()? })
    }

    /// Moves what is known of `character` to the front, on the map as it is.
    fn know(&mut self, layers: &FlightLayers, character: &Character) -> Result<(), PlatformerReason> {
        let FlightLayers { cells, floors, .. } = layers;
        let terrains = layers.terrains.as_ref().filter(|_| character.climbs());
        // Few enough for a linear search.
        if let Some(place) = self.known.iter().position(|known| known.character == *character) {
            self.known[..=place].rotate_right(1);
            let known = &mut self.known[0];
            if is_changed(&known.cells, cells)
                || !is_same(known.floors.as_ref(), floors.as_ref())
                || known.terrains.as_ref().map(Arc::as_ptr) != terrains.map(Arc::as_ptr)
            {
                known.flyer.set_level(level(layers, character));
            }
            (known.cells, known.floors) = (cells.clone(), floors.clone());
            known.terrains = terrains.cloned();
            return Ok(());
        }
        let flyer = Flyer::new(level(layers, character), character.body, character.motion, character.costs);
        let flyer = flyer.map_err(|error| PlatformerReason::BadProfile(error.into()))?;
        self.known.truncate(CHARACTERS_MAX - 1);
        let (cells, floors, terrains) = (cells.clone(), floors.clone(), terrains.cloned());
        self.known.insert(0, Known { character: *character, cells, floors, terrains, flyer });
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
        self.know(layers, character)?;
        let flyer = &mut self.known[0].flyer;
        let places = Places { foothold: flyer.foothold(), region, footprint };
        let departure = match query.start {
            FlightStart::Cell(start) => places.departure(start)?,
            FlightStart::Body(place) => {
                departure(&places.foothold, &place).ok_or(Reason::StartOutOfBounds)?
            }
        };
        let (goal, end) = places.goal(query.goal)?;
        if let FlightStart::Cell(start) = query.start {
            // A search that cannot succeed would expand all that is reachable before it says so.
            let point = |cell| {
                local(region, cell)
                    .filter(|_| layers.body.fits_at(cell))
                    .map(|(x, y)| GridPoint::of_cell(x, y))
            };
            let ends = point(start).zip(point(goal));
            // Bodies on floors stand in cells that are closed for others.
            if layers.floors.is_none() && ends.is_some_and(|(start, goal)| layers.body.are_apart(start, goal))
            {
                return Err(Reason::Disconnected);
            }
        }
        let (goal_x, _) = places.feet(goal);
        let (low, high) = places.foothold.at(end).unwrap_or((goal_x, goal_x));
        let goal_x = goal_x.clamp(low, high);
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
        let Route { cells, on_ground, gaits, .. } = route.with_ends(start, lowest(goal));
        let shown = |cell: &Cell| Cell::new(cell.x + region.x, cell.y + region.y - (footprint.h() - 1));
        let places = Places { foothold: flyer.foothold(), region, footprint };
        let lift = |cell: &Cell| places.lift(shown(cell)).unwrap_or(0.0);
        let lifts = match &layers.floors {
            Some(_) => cells.iter().map(lift).collect(),
            None => Vec::new(),
        };
        let path = PlatformerPath::of_flights(cells.iter().map(shown).collect(), on_ground.clone(), &gaits);
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
            lifts,
        };
        let cost = Some(Cost::from_units(route.cost));
        let (expanded, generated) = (route.expanded, route.expanded);
        let outcome = PlatformerOutcome { reason: None, cost, path, expanded, generated };
        Ok(FlightOutcome { outcome, plan: Some(plan) })
    }
}

/// Where bodies stand that are told by cells.
struct Places<'a> {
    foothold: Foothold<'a>,
    region: CellRect,
    footprint: Footprint,
}

impl Places<'_> {
    /// The centre of the feet in px, and their row, of a body whose top-left cell this is.
    fn feet(&self, cell: Cell) -> (f64, i32) {
        let x = f64::from(cell.x - self.region.x) + f64::from(self.footprint.w()) / 2.0;
        (x * self.foothold.level.cell().0, cell.y - self.region.y + self.footprint.h() - 1)
    }

    /// Where the body stands there: as it is placed, or as near to it as it can.
    fn stand(&self, (x, row): (f64, i32)) -> Option<StandCell> {
        let own = StandCell { column: self.foothold.level.column(x), row };
        let stand = self.foothold.cell_of(x, row).filter(|stand| stand.row == row);
        stand.or_else(|| self.foothold.at(own).map(|_| own))
    }

    /// How far above the lower edges of its cells the body stands there, in px.
    fn lift(&self, cell: Cell) -> Option<f64> {
        let (x, row) = self.feet(cell);
        let stand = self.stand((x, row))?;
        let (low, high) = self.foothold.at(stand)?;
        Some(self.foothold.feet(row) - self.foothold.height(stand, x.clamp(low, high)))
    }

    /// Whether the body is in no ground there.
    fn is_free(&self, (x, row): (f64, i32)) -> bool {
        !self.foothold.is_in_ground(x, self.foothold.feet(row))
    }

    fn is_solid(&self, cell: Cell) -> bool {
        let (column, row) = (cell.x - self.region.x, cell.y - self.region.y);
        self.foothold.level.is_solid(column, row)
    }

    /// How the body leaves a cell.
    fn departure(&self, start: Cell) -> Result<Departure, PlatformerReason> {
        if !self.region.contains(start) {
            return Err(PlatformerReason::StartOutOfBounds);
        }
        let feet = self.feet(start);
        if let Some(stand) = self.stand(feet) {
            return Ok(Departure::Cell(stand));
        }
        // It may stand on a floor inside the cells below.
        if let Some(stand) = self.stand((feet.0, feet.1 + 1)).filter(|_| self.foothold.level.has_floors()) {
            return Ok(Departure::Cell(stand));
        }
        if self.is_free(feet) {
            return Ok(Departure::Air { x: feet.0, y: self.foothold.feet(feet.1), vx: 0.0, vy: 0.0 });
        }
        Err(if self.is_solid(start) {
            PlatformerReason::StartSolid
        } else {
            PlatformerReason::StartClearance
        })
    }

    /// The body's top-left cell on the ground at the goal or below it, and where it stands. Where it does not
    /// fit it is shifted to the left by as little as possible, as long as it covers the goal.
    fn goal(&self, goal: Cell) -> Result<(Cell, StandCell), PlatformerReason> {
        use PlatformerReason as Reason;
        if !self.region.contains(goal) {
            return Err(Reason::GoalOutOfBounds);
        }
        let mut fits_somewhere = false;
        for left in (goal.x - self.footprint.w() + 1..=goal.x).rev() {
            for y in goal.y..self.region.bottom() {
                let anchor = Cell::new(left, y);
                let feet = self.feet(anchor);
                if let Some(stand) = self.stand(feet) {
                    return Ok((anchor, stand));
                }
                if !self.is_free(feet) {
                    break;
                }
                fits_somewhere = true;
            }
        }
        let is_solid = self.is_solid(goal);
        Err(match fits_somewhere {
            true => Reason::GoalWithoutGround,
            false if is_solid => Reason::GoalSolid,
            false => Reason::GoalClearance,
        })
    }
}

/// How a body leaves the place where it is; `None` beside the level.
fn departure(foothold: &Foothold, place: &BodyPlace) -> Option<Departure> {
    let (columns, rows) = foothold.level.size();
    let (width, height) = foothold.level.cell();
    let within = (0.0..=f64::from(columns) * width).contains(&place.x)
        && place.y <= f64::from(rows) * height
        && place.y.is_finite();
    let BodyPlace { x, y, vx, vy, on_floor } = *place;
    within.then(|| {
        let stand = on_floor.then(|| foothold.standing_at(x, y)).flatten();
        stand.map_or(Departure::Air { x, y, vx, vy }, Departure::Cell)
    })
}

/// The level of a character.
fn level(layers: &FlightLayers, character: &Character) -> Level {
    let level = Level::new(&layers.cells, layers.floors.as_deref(), character.cell);
    let Some(terrains) = layers.terrains.as_ref().filter(|_| character.climbs()) else { return level };
    level.with_ladders(&|x, y| Capability(character.climb_mask).contains(terrains.get(x as u32, y as u32)))
}

fn is_same(floors: Option<&Arc<Floors>>, others: Option<&Arc<Floors>>) -> bool {
    match (floors, others) {
        (Some(floors), Some(others)) => Arc::ptr_eq(floors, others),
        (floors, others) => floors.is_none() && others.is_none(),
    }
}

fn is_changed(old: &BodyLayers, new: &BodyLayers) -> bool {
    old.fits().layout() != new.fits().layout()
        || old.fits().words().differing(new.fits().words()).next().is_some()
        || old.ground().words().differing(new.ground().words()).next().is_some()
}
