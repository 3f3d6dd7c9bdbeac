//! Queries for paths and their answers: bodies, modes, reasons and outcomes. Types only;
//! [`World::plan`](super::World::plan) and [`World::find_path`](super::World::find_path) work on them.

use std::sync::Arc;

use crate::cost::Cost;
use crate::crowd::OutlineForm;
use crate::geometry::{Cell, CellRect, DiagonalMode, Footprint};
use crate::passability::{InfluenceWeights, LayerKey, TerrainCosts};
use crate::path::Route;
use crate::terrain::{Capability, ClimbLimit, IgnoredObstacles};

/// A kind of body: its size, where it may go, what that costs it, and how it moves.
///
/// ```
/// use pathforge_core::geometry::Footprint;
/// use pathforge_core::passability::TerrainCosts;
/// use pathforge_core::terrain::Capability;
/// use pathforge_core::world::Profile;
///
/// // A barge of 4×2 cells that goes on water (terrain 1) and through reeds (terrain 2), which cost it three times as much.
/// let barge = Profile {
///     footprint: Footprint::new(4, 2)?,
///     capability: Capability(1 << 1 | 1 << 2),
///     terrain_costs: TerrainCosts::new(&[1.0, 1.0, 3.0]).expect("finite costs"),
///     ..Profile::default()
/// };
/// assert!(!barge.capability.contains(0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    /// The obstacles that it walks through, usually its own.
    pub ignored_obstacles: IgnoredObstacles,
    /// How steep its steps may be, where the map has heights.
    pub climb: ClimbLimit,
    /// In a crowd it walks slower where weights and terrains make a step cost more.
    pub slowed_by_weight: bool,
    /// By which form of outline it keeps clear of others in a crowd.
    pub outline: OutlineForm,
}

// The order of saved bytes, which is not that of the struct: bytes that were saved depend on it.
crate::bytes::saved_fields!(Profile {
    footprint: Footprint,
    diagonal_mode: DiagonalMode,
    capability: Capability,
    terrain_costs: TerrainCosts,
    influence_weights: InfluenceWeights,
    ignored_obstacles: IgnoredObstacles,
    slowed_by_weight: bool,
    outline: OutlineForm,
    climb: ClimbLimit,
});

impl Profile {
    /// Returns the key of the layer that has the body's placements.
    pub const fn layer_key(&self) -> LayerKey {
        LayerKey {
            footprint: self.footprint,
            capability: self.capability,
            ignored_obstacles: self.ignored_obstacles,
            climb: self.climb,
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
    /// Of the placements that can be reached, where the body comes nearest to the goal, at the least cost.
    Nearest,
}

/// How a path is searched. Scripts see these numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum SearchMode {
    /// With the fastest engine that finds a path of least cost.
    #[default]
    Optimal = 0,
    /// Over clusters of the map, when start and goal do not lie in neighbouring ones: the path may cost more
    /// than the least.
    Hierarchical = 1,
}

/// A query for a path.
///
/// ```
/// use pathforge_core::geometry::{Cell, CellRect};
/// use pathforge_core::world::{GoalMode, PathQuery, Profile, Status, World};
///
/// let mut world = World::new(CellRect::new(0, 0, 20, 20))?;
/// world.terrain_mut().fill_solid(CellRect::new(5, 5, 3, 3), true);
/// let exact = PathQuery::new(Cell::new(0, 0), Cell::new(6, 6), Profile::default());
/// assert_eq!(world.find_path(&exact).status, Status::Unreachable);
/// let nearest = PathQuery { goal_mode: GoalMode::Nearest, ..exact };
/// assert_eq!(world.find_path(&nearest).status, Status::Partial);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct PathQuery {
    /// Where the body's top-left cell is.
    pub start: Cell,
    /// The goal; what counts as being there is `goal_mode`.
    pub goal: Cell,
    /// The body that asks.
    pub profile: Profile,
    /// What counts as being at the goal.
    pub goal_mode: GoalMode,
    /// Most nodes that a search may expand; `u32::MAX` is no limit.
    pub expansions_max: u32,
    /// Whether to find the straight lines that the body can walk, too.
    pub smoothing: bool,
    /// How it is searched.
    pub search_mode: SearchMode,
    /// Cells that are solid for this query alone. They take time in proportion to their number: see
    /// [`PathQuery::past`].
    // Behind a pointer, as queries are cloned into batches and answers.
    pub extra_blocked: Option<Arc<[Cell]>>,
}

impl PathQuery {
    /// Returns the query for a path that ends on `goal`, without limits.
    pub const fn new(start: Cell, goal: Cell, profile: Profile) -> Self {
        Self {
            start,
            goal,
            profile,
            goal_mode: GoalMode::Exact,
            expansions_max: u32::MAX,
            smoothing: false,
            search_mode: SearchMode::Optimal,
            extra_blocked: None,
        }
    }

    /// Returns this query with `cells` solid for it alone; some of them may lie outside the map.
    #[must_use]
    pub fn past(self, cells: &[Cell]) -> Self {
        // No list instead of an empty one, so that equal queries compare equal.
        let extra_blocked = (!cells.is_empty()).then(|| cells.into());
        Self { extra_blocked, ..self }
    }

    /// Returns the cells that are solid for this query alone.
    pub(crate) fn blocked(&self) -> &[Cell] {
        self.extra_blocked.as_deref().unwrap_or_default()
    }

    /// Returns the places of the body's top-left cell at which it is at the goal, if it can be there; they
    /// may lie outside the map.
    pub(crate) fn goal_anchors(&self) -> CellRect {
        match self.goal_mode {
            GoalMode::Exact => CellRect::cell(self.goal),
            GoalMode::Cover | GoalMode::Nearest => {
                // The placements at which the body covers the goal.
                self.profile.footprint.anchors_touching(CellRect::cell(self.goal))
            }
        }
    }
}

impl Default for PathQuery {
    /// A query of a body of one cell that stays where it is.
    fn default() -> Self {
        Self::new(Cell::default(), Cell::default(), Profile::default())
    }
}

/// What became of a query. Scripts see these numbers.
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
}

/// Why a query has no complete path. Scripts see these numbers, and 0 for no reason.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Reason {
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
    /// Start and goal lie in different components.
    Disconnected = 9,
    /// A limit was met.
    Limit = 10,
    /// The request was taken back.
    Cancelled = 11,
    /// The map has no cells.
    EmptyGrid = 12,
    /// There is no map.
    NoGrid = 13,
    /// The body's profile has a number out of its limits.
    BadProfile = 14,
}

impl Status {
    /// Returns the words for it.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Partial => "partial",
            Self::Unreachable => "unreachable",
            Self::Limit => "gave up",
            Self::Cancelled => "cancelled",
            Self::Invalid => "invalid",
        }
    }
}

impl Reason {
    /// Returns the words for it, which begin in the middle of a sentence.
    pub const fn text(self) -> &'static str {
        self.meaning().1
    }

    /// Returns the status of an answer that has no path for this reason.
    pub const fn status(self) -> Status {
        self.meaning().0
    }

    const fn meaning(self) -> (Status, &'static str) {
        use Status::{Cancelled, Invalid, Limit, Unreachable};
        match self {
            Self::StartOutOfBounds => (Invalid, "the start lies outside the region"),
            Self::GoalOutOfBounds => (Invalid, "the goal lies outside the region"),
            Self::StartSolid => (Unreachable, "the start cell is solid"),
            Self::GoalSolid => (Unreachable, "the goal cell is solid"),
            Self::StartTerrain => (Unreachable, "the body may not enter the terrain of the start cell"),
            Self::GoalTerrain => (Unreachable, "the body may not enter the terrain of the goal cell"),
            Self::StartClearance => (Unreachable, "the body does not fit at the start"),
            Self::GoalClearance => (Unreachable, "the body does not fit at the goal"),
            Self::Disconnected => (Unreachable, "no way for this body joins start and goal"),
            Self::Limit => (Limit, "a limit was met"),
            Self::Cancelled => (Cancelled, "the request was taken back"),
            Self::EmptyGrid => (Invalid, "the grid has no cells"),
            Self::NoGrid => (Invalid, "there is no grid"),
            Self::BadProfile => (Invalid, "the profile has a number out of its limits"),
        }
    }
}

/// The engine that answered a query.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Engine {
    /// No search was needed.
    None,
    /// Jump-point search, on uniform cost or over patches of it.
    Jps,
    /// A* on bucketed costs, where these differ from cell to cell.
    AStar,
    /// HAA*: clusters first, then cells.
    Haa,
    /// A field that several requests to one goal share.
    Field,
}

impl Engine {
    /// Returns the name that scripts see.
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
    /// Why there is no complete path; `None` where there is one.
    pub reason: Option<Reason>,
    /// What the path costs; `None` without a path.
    pub cost: Option<Cost>,
    /// The path; empty if there is none.
    pub route: Route,
    /// The ends of the straight lines that the body can walk instead of the route; `None` when the query did
    /// not ask for them or there is no path.
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
    /// Returns the answer of a query that is refused for `reason`, without a search.
    pub fn refused(reason: Reason) -> Self {
        Self::unsearched(reason.status(), Some(reason))
    }

    /// Returns an answer without a path, given without a search.
    pub fn unsearched(status: Status, reason: Option<Reason>) -> Self {
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

impl Default for PathOutcome {
    /// The answer to a question that was refused.
    fn default() -> Self {
        Self::unsearched(Status::Invalid, None)
    }
}
