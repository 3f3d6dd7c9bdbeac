//! Plans jump paths on one level: owns the level, the layers and jump tables derived from it, and a search's memory.

use super::goal::goal_anchor;
use super::jump_table::JumpTable;
use super::layers::bottom_left;
use super::nodes::JumpNode;
use super::path::PlatformerPath;
use super::query::{PlatformerOutcome, PlatformerQuery, PlatformerReason, ReachedState};
use super::search::search;
use super::{BodyLayers, PlatformerMap, PlatformerScratch};
use crate::bitgrid::local;
use crate::cost::Cost;
use crate::geometry::{Cell, Footprint};
use crate::primitives::{GridPoint, SearchEnd};

/// Body sizes whose layers are kept: more than the kinds of bodies of most games.
const LAYERS_MAX: usize = 8;
/// Jump tables that are kept. They cost little, and profiles that differ in size or costs alone share one.
const TABLES_MAX: usize = 4;

/// A side-view level with everything derived from it: finds jump paths for bodies of any size.
///
/// ```
/// use pathforge_core::geometry::Cell;
/// use pathforge_core::platformer::{JumpProfile, Platformer, PlatformerMap, PlatformerQuery};
///
/// let level = PlatformerMap::from_text("......\n...===\n......\n######\n", Cell::new(0, 0))?;
/// let mut platformer = Platformer::new(level);
/// let query = PlatformerQuery::new(Cell::new(0, 2), Cell::new(4, 0), JumpProfile::new(1, 1, 3)?);
/// let outcome = platformer.find_path(&query);
/// assert_eq!(outcome.path.cells.last(), Some(&Cell::new(4, 0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Platformer {
    map: PlatformerMap,
    /// The most recently used first.
    layers: Vec<BodyLayers>,
    /// The most recently built first.
    tables: Vec<JumpTable>,
    scratch: PlatformerScratch,
    /// The height of the last search's body, whose anchors are in the scratch memory.
    searched_height: i32,
}

impl Platformer {
    /// Creates a planner on `map`.
    pub fn new(map: PlatformerMap) -> Self {
        Self {
            map,
            layers: Vec::new(),
            tables: Vec::new(),
            scratch: PlatformerScratch::default(),
            searched_height: 1,
        }
    }

    /// The level.
    pub const fn map(&self) -> &PlatformerMap {
        &self.map
    }

    /// The level, to edit it or to let it follow a terrain. Layers are repaired on next use.
    pub const fn map_mut(&mut self) -> &mut PlatformerMap {
        &mut self.map
    }

    /// Replaces the level.
    pub fn set_map(&mut self, map: PlatformerMap) {
        self.map = map;
        // Journals of two levels cannot be compared. Jump tables depend on profiles only and stay.
        self.layers.clear();
    }

    /// Bytes on the heap of derived structures.
    pub fn memory(&self) -> usize {
        self.layers.iter().map(BodyLayers::memory).sum::<usize>()
            + self.tables.iter().map(JumpTable::memory).sum::<usize>()
            + self.scratch.memory()
    }

    /// The layers of a body of `size`, up to date.
    pub fn layers(&mut self, size: Footprint) -> &BodyLayers {
        let found = self.layers.iter().position(|layers| layers.size() == size);
        if let Some(found) = found {
            // The least recently used is last, and the first to go.
            self.layers[..=found].rotate_right(1);
            self.layers[0].repair(&self.map);
        } else {
            self.layers.truncate(LAYERS_MAX - 1);
            self.layers.insert(0, BodyLayers::build(&self.map, size));
        }
        &self.layers[0]
    }

    /// Returns `true` if a body of `size` fits with its bottom-left cell on `cell`.
    pub fn fits(&mut self, cell: Cell, size: Footprint) -> bool {
        self.layers(size).fits_at(cell)
    }

    /// Returns `true` if a body of `size` with its bottom-left cell on `cell` fits and stands on ground.
    pub fn is_on_ground(&mut self, cell: Cell, size: Footprint) -> bool {
        self.layers(size).stands_at(cell)
    }

    /// Finds a path of the least cost for the body, or why there is none.
    ///
    /// Profile, start, goal, and a start and goal that no fitting cells connect are decided without a search. The
    /// same query on the same level always has the same outcome.
    ///
    /// Takes time in proportion to the cells and jump values that are reached; after a few searches, only the outcome
    /// is allocated.
    pub fn find_path(&mut self, query: &PlatformerQuery) -> PlatformerOutcome {
        match self.ends(query) {
            Ok((start, goal)) => self.search(query, start, goal),
            Err(reason) => PlatformerOutcome::without_path(reason, 0, 0),
        }
    }

    /// The states that the last search reached, without those that a better one replaced.
    pub fn reached(&self) -> Vec<ReachedState> {
        let region = self.map.region();
        let state = |node: &JumpNode| ReachedState {
            cell: bottom_left(
                region,
                self.searched_height,
                GridPoint::new(u32::from(node.x), u32::from(node.y)),
            ),
            jump_value: u32::from(node.state.value()),
            cost: Cost::from_units(node.g),
        };
        self.scratch.reached().map(state).collect()
    }

    /// The anchors of start and goal if only a search can tell whether there is a path between them.
    fn ends(&mut self, query: &PlatformerQuery) -> Result<(GridPoint, GridPoint), PlatformerReason> {
        use PlatformerReason as Reason;
        query.profile.check().map_err(Reason::BadProfile)?;
        let region = self.map.region();
        if region.is_empty() {
            return Err(Reason::EmptyMap);
        }
        local(region, query.start).ok_or(Reason::StartOutOfBounds)?;
        if self.map.is_solid(query.start) {
            return Err(Reason::StartSolid);
        }
        let goal_is_solid = self.map.is_solid(query.goal);
        let layers = self.layers(query.profile.size);
        let layout = layers.fits().layout();
        let start = layers.anchor(query.start).ok_or(Reason::StartClearance)?;
        if !layers.fits().get(start.index(layout)) {
            return Err(Reason::StartClearance);
        }
        let goal = local(region, query.goal).ok_or(Reason::GoalOutOfBounds)?;
        if goal_is_solid {
            return Err(Reason::GoalSolid);
        }
        let goal = goal_anchor(layers, goal, query.goal_on_ground)?;
        // A search that cannot succeed would expand all that is reachable before it says so.
        let component =
            |anchor: GridPoint| layers.components().component(layers.fits(), anchor.index(layout));
        if component(start) != component(goal) {
            return Err(Reason::Disconnected);
        }
        Ok((start, goal))
    }

    fn search(&mut self, query: &PlatformerQuery, start: GridPoint, goal: GridPoint) -> PlatformerOutcome {
        let profile = &query.profile;
        // Few and small enough for a linear search.
        let table = self.tables.iter().position(|table| table.suits(profile)).unwrap_or_else(|| {
            self.tables.truncate(TABLES_MAX - 1);
            self.tables.insert(0, JumpTable::new(profile));
            0
        });
        self.searched_height = profile.size.h();
        // `ends` asked for the layers of this size, so they are first and up to date.
        let (layers, table) = (&self.layers[0], &self.tables[table]);
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
