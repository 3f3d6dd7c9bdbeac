//! Plans jump paths: owns jump tables and the memory of a search.

use super::goal::goal_anchor;
use super::jump_table::JumpTable;
use super::layers::cell_of;
use super::nodes::JumpNode;
use super::path::PlatformerPath;
use super::query::{PlatformerOutcome, PlatformerQuery, PlatformerReason, ReachedState};
use super::search::search;
use super::{BodyLayers, PlatformerScratch};
use crate::bitgrid::local;
use crate::cost::Cost;
use crate::geometry::CellRect;
use crate::primitives::{GridPoint, SearchEnd};

/// Jump tables that are kept. They cost little, and profiles that differ in size or costs alone share one.
const TABLES_MAX: usize = 4;

/// Finds jump paths on the layers of a body, one search after the other in the same memory.
///
/// ```
/// use pathforge_core::geometry::Cell;
/// use pathforge_core::platformer::{JumpProfile, Platformer, PlatformerQuery};
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
    /// The most recently built first.
    tables: Vec<JumpTable>,
    scratch: PlatformerScratch,
    /// The region of the last search, whose anchors are in the scratch memory.
    searched: CellRect,
}

impl Platformer {
    /// Finds a path of the least cost for the body, or why there is none. `layers` must be those of the profile's
    /// footprint.
    ///
    /// Profile, start, goal, and a start and goal that no fitting cells connect are decided without a search. The
    /// same query on the same map always has the same outcome.
    ///
    /// Takes time in proportion to the cells and jump values that are reached; after a few searches, only the outcome
    /// is allocated.
    pub fn find_path(&mut self, layers: &BodyLayers, query: &PlatformerQuery) -> PlatformerOutcome {
        debug_assert_eq!(layers.footprint(), query.profile.footprint, "layers of another body");
        match ends(layers, query) {
            Ok((start, goal)) => self.search(layers, query, start, goal),
            Err(reason) => PlatformerOutcome::without_path(reason, 0, 0),
        }
    }

    /// The states that the last search reached, without those that a better one replaced.
    pub fn reached(&self) -> Vec<ReachedState> {
        let state = |node: &JumpNode| ReachedState {
            cell: cell_of(self.searched, GridPoint::new(u32::from(node.x), u32::from(node.y))),
            jump_value: u32::from(node.state.value()),
            cost: Cost::from_units(node.g),
        };
        self.scratch.reached().map(state).collect()
    }

    fn search(
        &mut self,
        layers: &BodyLayers,
        query: &PlatformerQuery,
        start: GridPoint,
        goal: GridPoint,
    ) -> PlatformerOutcome {
        let profile = &query.profile;
        // Few and small enough for a linear search.
        let table = self.tables.iter().position(|table| table.suits(profile)).unwrap_or_else(|| {
            self.tables.truncate(TABLES_MAX - 1);
            self.tables.insert(0, JumpTable::new(profile));
            0
        });
        self.searched = layers.region();
        let table = &self.tables[table];
        let found = search(layers, profile, table, (start, goal), query.expansions_max, &mut self.scratch);
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
