use super::plan::SearchJob;
use crate::cost::Cost;
use crate::geometry::{Cell, CellRect, DiagonalMode, Footprint};
use crate::passability::{InfluenceWeights, LayerKey, TerrainCosts};
use crate::path::Route;
use crate::terrain::{Capability, ObstacleId};

/// A kind of body: its size, where it may go, what that costs it, and how it moves.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Profile {
    /// Width and height in cells.
    pub footprint: Footprint,
    /// Terrains that it may enter.
    pub capability: Capability,
    /// What terrains multiply weights by.
    pub terrain_costs: TerrainCosts,
    /// When it may step diagonally.
    pub diagonal_mode: DiagonalMode,
    /// How much the world's influences weigh on it.
    pub influence_weights: InfluenceWeights,
    /// The obstacle that it walks through, usually its own.
    pub ignored_obstacle: Option<ObstacleId>,
}

impl Profile {
    /// The layer that the body's stands are in.
    pub const fn layer_key(&self) -> LayerKey {
        LayerKey {
            footprint: self.footprint,
            capability: self.capability,
            ignored_obstacle: self.ignored_obstacle,
        }
    }
}

/// Where a path may end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum GoalMode {
    /// With the body's top-left cell on the goal.
    #[default]
    Exact,
    /// Where the body covers the goal, at the least cost.
    Cover,
    /// Of the stands that can be reached, where the body comes nearest to the goal, at the least cost.
    Nearest,
}

/// How a path is searched; the numbers are those that scripts see.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum SearchMode {
    /// With the fastest engine that finds a cheapest path.
    #[default]
    Auto = 0,
    /// With an engine that finds a cheapest path.
    Optimal = 1,
    /// Over clusters of the map, when start and goal do not lie in neighbouring ones: the path may not be a cheapest.
    Hierarchical = 2,
}

/// A question for a path.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PathQuery {
    /// Where the body's top-left cell is.
    pub start: Cell,
    /// Where it wants to go.
    pub goal: Cell,
    /// Who is asking.
    pub profile: Profile,
    /// What counts as being there.
    pub goal_mode: GoalMode,
    /// Most nodes that a search may expand; `u32::MAX` is no limit.
    pub expansions_max: u32,
    /// Whether to find the straight lines that the body can walk, too.
    pub smoothing: bool,
    /// How it is searched.
    pub search_mode: SearchMode,
}

impl PathQuery {
    /// The query for a path that ends on `goal`, without limits.
    pub const fn new(start: Cell, goal: Cell, profile: Profile) -> Self {
        Self {
            start,
            goal,
            profile,
            goal_mode: GoalMode::Exact,
            expansions_max: u32::MAX,
            smoothing: false,
            search_mode: SearchMode::Auto,
        }
    }

    /// The places of the body's top-left cell at which it is at the goal, if it can be there; they may lie outside the map.
    pub(crate) fn goal_anchors(&self) -> CellRect {
        match self.goal_mode {
            GoalMode::Exact => CellRect::cell(self.goal),
            GoalMode::Cover | GoalMode::Nearest => {
                self.profile.footprint.anchors_touching(CellRect::cell(self.goal))
            }
        }
    }
}

/// What became of a query; the numbers are those that scripts see.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Status {
    /// The path leads to the goal.
    Complete = 0,
    /// The path leads as near to the goal as can be reached.
    Partial = 1,
    /// There is no path.
    Unreachable = 2,
    /// A limit was met first, or the path costs more than can be counted.
    Limit = 3,
    /// The request was taken back.
    Cancelled = 4,
    /// The question makes no sense on this map.
    Invalid = 5,
    /// These are the first steps of a path that is not found whole yet.
    Begun = 6,
}

/// Why a query has no complete path; the numbers are those that scripts see.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Reason {
    /// It has one.
    None = 0,
    /// The start lies outside the region.
    StartOutOfBounds = 1,
    /// The goal lies outside the region.
    GoalOutOfBounds = 2,
    /// The start cell is solid.
    StartSolid = 3,
    /// The goal cell is solid.
    GoalSolid = 4,
    /// The body may not enter the start cell's terrain.
    StartTerrain = 5,
    /// The body may not enter the goal cell's terrain.
    GoalTerrain = 6,
    /// Another cell under the body at the start is closed.
    StartClearance = 7,
    /// Another cell under the body at the goal is closed.
    GoalClearance = 8,
    /// Start and goal lie in different regions.
    Disconnected = 9,
    /// A limit was met.
    Limit = 10,
    /// The request was taken back.
    Cancelled = 11,
    /// The map has no cells.
    EmptyGrid = 12,
    /// There is no map.
    NoGrid = 13,
}

/// What answered a query.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Engine {
    /// No search was needed.
    None,
    /// Jump-point search.
    Jps,
    /// A* on bucketed costs.
    AStar,
    /// HAA*: clusters first, then cells.
    Haa,
    /// A field that several requests to one goal share.
    Field,
}

impl Engine {
    /// The name that scripts see.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Jps => "jps",
            Self::AStar => "astar",
            Self::Haa => "haa",
            Self::Field => "field",
        }
    }
}

/// The answer to a query, whichever engine gave it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathOutcome {
    /// What became of it.
    pub status: Status,
    /// Why there is no complete path.
    pub reason: Reason,
    /// What the path costs; `None` without a path.
    pub cost: Option<Cost>,
    /// The way; empty without a path.
    pub route: Route,
    /// The ends of the straight lines that the body can walk instead of the route; `None` when nobody asked for
    /// them or there is no path.
    pub smoothed: Option<Vec<Cell>>,
    /// The end that lies outside the region, with the region, where that is the reason.
    pub outside: Option<(Cell, CellRect)>,
    /// Nodes expanded.
    pub expanded: u32,
    /// Nodes put into the frontier.
    pub generated: u32,
    /// What answered.
    pub engine: Engine,
}

impl PathOutcome {
    /// An answer without a path, given without a search.
    pub fn refused(status: Status, reason: Reason) -> Self {
        Self {
            status,
            reason,
            cost: None,
            route: Route::default(),
            smoothed: None,
            outside: None,
            expanded: 0,
            generated: 0,
            engine: Engine::None,
        }
    }
}

/// A query that was looked at: answered without a search, or ready for one.
#[derive(Clone, Debug)]
pub enum Plan {
    /// Nothing is left to do.
    Answered(PathOutcome),
    /// A search is needed; it can run anywhere.
    Search(SearchJob),
}
