//! Plans jump paths: owns jump tables and the memory of a search.

use super::flights::KnownFlights;
use super::goal::goal_anchor;
use super::jump_table::JumpTable;
use super::nodes::PlatformerScratch;
use super::path::PlatformerPath;
use super::profile::JumpProfile;
use super::query::{PlatformerOutcome, PlatformerQuery, PlatformerReason};
use super::search::search;
use super::steps::Steps;
use super::trace::Trace;
use pathforge_core::bitgrid::{cell_at, local};
use pathforge_core::cost::Cost;
use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::primitives::{GridPoint, SearchEnd};
use pathforge_core::surfaces::BodyLayers;

/// Profiles whose jump tables and flights are kept: more than the kinds of bodies of most games.
const PROFILES_MAX: usize = 8;

/// What is known of one profile, a start in the air aside.
#[derive(Clone, Debug)]
struct Known {
    profile: JumpProfile,
    table: JumpTable,
    flights: KnownFlights,
}

/// Finds jump paths on the layers of a body, one search after the other in the same memory.
///
/// ```
/// use pathforge_core::geometry::Cell;
/// use pathforge_platformer::{JumpProfile, Platformer, PlatformerQuery};
/// use pathforge_core::terrain::Terrain;
/// use pathforge_core::world::World;
///
/// let level = Terrain::from_text("......\n...===\n......\n######\n", Cell::new(0, 0))?;
/// let mut world = World::from_terrain(level);
/// let profile = JumpProfile::new(1, 1, 3)?;
/// let query = PlatformerQuery::new(Cell::new(0, 2), Cell::new(4, 0), profile);
/// let outcome = Platformer::default().find_path(&world.body_layers(profile.footprint), &query);
/// assert_eq!(outcome.path.cells.last(), Some(&Cell::new(4, 0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Platformer {
    /// The most recently asked for first.
    known: Vec<Known>,
    scratch: PlatformerScratch,
    /// The region of the last search, whose anchors are in the scratch memory.
    searched: CellRect,
}

impl Platformer {
    /// Finds a path of the least cost for the body, or why there is none. `layers` must be those of the
    /// profile's footprint.
    ///
    /// Profile, start, goal, and a start and goal that no fitting cells connect are decided without a search.
    /// The same query on the same map always has the same outcome.
    ///
    /// Takes time in proportion to the ground that is reached. When a search first comes to a ground cell, it
    /// finds where bodies land that jump, fall or drop from there. That takes several times as long as the
    /// search itself, and is kept for eight profiles until cells around change.
    pub fn find_path(&mut self, layers: &BodyLayers, query: &PlatformerQuery) -> PlatformerOutcome {
        debug_assert_eq!(layers.footprint(), query.profile.footprint, "layers of another body");
        match ends(layers, query) {
            Ok((start, goal)) => self.search(layers, query, start, goal),
            Err(reason) => PlatformerOutcome::without_path(reason, 0, 0),
        }
    }

    /// The cells that the last search reached, those of flights included. A cell can come more than once.
    pub fn reached(&mut self) -> Vec<Cell> {
        let Some(Known { profile, table, flights }) = self.known.first_mut() else { return Vec::new() };
        let (layout, kinds, flights) = flights.parts();
        let steps = &Steps::new(layout, kinds, profile, table);
        let anchors = Trace { scratch: &self.scratch, flights, steps }.reached();
        anchors.into_iter().map(|anchor| cell_at(self.searched, anchor.cell_xy())).collect()
    }

    /// Moves what is known of `profile` to the front, on `layers`.
    fn know(&mut self, layers: &BodyLayers, profile: &JumpProfile) {
        let profile = JumpProfile { air_start_value: None, ..*profile };
        // Few enough for a linear search.
        if let Some(place) = self.known.iter().position(|known| known.profile == profile) {
            self.known[..=place].rotate_right(1);
            return self.known[0].flights.follow(layers);
        }
        self.known.truncate(PROFILES_MAX - 1);
        let (table, flights) = (JumpTable::new(&profile), KnownFlights::new(layers));
        self.known.insert(0, Known { profile, table, flights });
    }

    fn search(
        &mut self,
        layers: &BodyLayers,
        query: &PlatformerQuery,
        start: GridPoint,
        goal: GridPoint,
    ) -> PlatformerOutcome {
        let profile = &query.profile;
        self.know(layers, profile);
        self.searched = layers.region();
        let Known { table, flights, .. } = &mut self.known[0];
        let ends = (start, goal);
        let found = search(layers, profile, table, ends, query.expansions_max, flights, &mut self.scratch);
        let reason = match found.end {
            SearchEnd::Found => {
                return PlatformerOutcome {
                    reason: None,
                    cost: Some(Cost::from_units(found.cost)),
                    path: PlatformerPath::new(layers, &found.steps),
                    expanded: found.expanded,
                    generated: found.generated,
                };
            }
            SearchEnd::Exhausted => PlatformerReason::NoPath,
            SearchEnd::Limit => PlatformerReason::Limit,
        };
        PlatformerOutcome::without_path(reason, found.expanded, found.generated)
    }
}

/// The anchors of start and goal if only a search can tell whether there is a path between them.
fn ends(layers: &BodyLayers, query: &PlatformerQuery) -> Result<(GridPoint, GridPoint), PlatformerReason> {
    use PlatformerReason as Reason;
    query.profile.check().map_err(Reason::BadProfile)?;
    let region = layers.region();
    if region.is_empty() {
        return Err(Reason::EmptyMap);
    }
    let (x, y) = local(region, query.start).ok_or(Reason::StartOutOfBounds)?;
    if !layers.fits_at(query.start) {
        let is_closed = layers.is_closed(query.start);
        return Err(if is_closed { Reason::StartSolid } else { Reason::StartClearance });
    }
    let start = GridPoint::of_cell(x, y);
    let goal = local(region, query.goal).ok_or(Reason::GoalOutOfBounds)?;
    if layers.is_closed(query.goal) {
        return Err(Reason::GoalSolid);
    }
    let goal = goal_anchor(layers, goal, query.goal_on_ground)?;
    // A search that cannot succeed would expand all that is reachable before it says so.
    if layers.are_apart(start, goal) {
        return Err(Reason::Disconnected);
    }
    Ok((start, goal))
}
