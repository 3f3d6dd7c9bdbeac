use std::fmt;

use super::arc::JumpTable;
use super::goal::goal_spot;
use super::path::PlatformerPath;
use super::profile::{JumpProfile, JumpProfileError};
use super::search::search;
use super::{BodyLayers, PlatformerMap, PlatformerScratch};
use crate::bitgrid::local;
use crate::cost::Cost;
use crate::geometry::{Cell, Footprint};
use crate::search::{SearchEnd, Spot};

/// Sizes of characters whose layers are kept.
const LAYERS_MAX: usize = 8;
/// Jump tables that are kept.
const TABLES_MAX: usize = 4;

/// A question for a way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlatformerQuery {
    /// The character's bottom-left cell.
    pub start: Cell,
    /// A cell that its bottom row shall cover: its bottom-left cell where it fits so, else shifted to the left.
    pub goal: Cell,
    /// Who is asking.
    pub profile: JumpProfile,
    /// Whether a goal in the air becomes the ground below it.
    pub goal_on_ground: bool,
    /// Most states that a search may expand; `u32::MAX` is no limit.
    pub expansions_max: u32,
}

impl PlatformerQuery {
    /// The query for a way that ends at `goal` itself, without limits.
    pub const fn new(start: Cell, goal: Cell, profile: JumpProfile) -> Self {
        Self { start, goal, profile, goal_on_ground: false, expansions_max: u32::MAX }
    }
}

/// Why a query has no way.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum PlatformerReason {
    /// It has one.
    None,
    /// The profile has a number out of its limits.
    BadProfile(JumpProfileError),
    /// The level has no cells.
    EmptyMap,
    /// The start lies outside the region.
    StartOutOfBounds,
    /// The start cell is solid.
    StartSolid,
    /// Another cell of the character at the start is solid or outside.
    StartClearance,
    /// The goal lies outside the region.
    GoalOutOfBounds,
    /// The goal cell is solid.
    GoalSolid,
    /// The character fits nowhere with its bottom row on the goal.
    GoalClearance,
    /// There is no ground below a goal that is to be on ground.
    GoalWithoutGround,
    /// No way is wide and high enough, however the character would jump. Answered without a search.
    Disconnected,
    /// The character cannot jump or fall there.
    NoWay,
    /// The limit on expansions was met, or the way costs more than can be counted.
    Limit,
}

impl fmt::Display for PlatformerReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::None => "there is a way",
            Self::BadProfile(error) => return error.fmt(f),
            Self::EmptyMap => "the level has no cells",
            Self::StartOutOfBounds => "the start lies outside the level",
            Self::StartSolid => "the start is solid",
            Self::StartClearance => "the character does not fit at the start",
            Self::GoalOutOfBounds => "the goal lies outside the level",
            Self::GoalSolid => "the goal is solid",
            Self::GoalClearance => "the character does not fit at the goal",
            Self::GoalWithoutGround => "there is no ground below the goal",
            Self::Disconnected => "walls part the start from the goal for a character of this size",
            Self::NoWay => "the character cannot jump or fall to the goal",
            Self::Limit => "the limit on expansions was met",
        };
        f.write_str(text)
    }
}

/// The answer to a query.
#[derive(Clone, PartialEq, Debug)]
pub struct PlatformerOutcome {
    /// Why there is no way.
    pub reason: PlatformerReason,
    /// What the way costs; `None` without one.
    pub cost: Option<Cost>,
    /// The way; empty without one.
    pub path: PlatformerPath,
    /// States expanded.
    pub expanded: u32,
    /// States put into the frontier.
    pub generated: u32,
}

impl PlatformerOutcome {
    /// Whether there is a way.
    pub const fn is_complete(&self) -> bool {
        matches!(self.reason, PlatformerReason::None)
    }

    fn without_path(reason: PlatformerReason, expanded: u32, generated: u32) -> Self {
        Self { reason, cost: None, path: PlatformerPath::default(), expanded, generated }
    }
}

/// A state that a search reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReachedState {
    /// The character's bottom-left cell.
    pub cell: Cell,
    /// Its jump value.
    pub jump_value: u32,
    /// What the way there costs.
    pub cost: Cost,
}

/// A side-view level with all that is derived from it: finds ways for characters of any size.
#[derive(Clone, Debug)]
pub struct Platformer {
    map: PlatformerMap,
    /// The most recently used first.
    layers: Vec<BodyLayers>,
    tables: Vec<JumpTable>,
    scratch: PlatformerScratch,
    /// The height of the character that searched last.
    searched_height: i32,
}

impl Platformer {
    /// Ways on `map`.
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

    /// The level, to edit it or to let it follow a terrain. What is derived from it is repaired on next use.
    pub const fn map_mut(&mut self) -> &mut PlatformerMap {
        &mut self.map
    }

    /// Puts another level in place of this one.
    pub fn set_map(&mut self, map: PlatformerMap) {
        self.map = map;
        self.layers.clear();
    }

    /// Bytes on the heap that derived structures take.
    pub fn memory(&self) -> usize {
        self.layers.iter().map(BodyLayers::memory).sum::<usize>() + self.scratch.memory()
    }

    /// The bits of a character of `size`, up to date.
    pub fn layers(&mut self, size: Footprint) -> &BodyLayers {
        let place = self.layers.iter().position(|layers| layers.size() == size);
        if let Some(place) = place {
            self.layers[..=place].rotate_right(1);
            self.layers[0].repair(&self.map);
        } else {
            self.layers.truncate(LAYERS_MAX - 1);
            self.layers.insert(0, BodyLayers::build(&self.map, size));
        }
        &self.layers[0]
    }

    /// Whether a character of `size` fits with its bottom-left cell on `cell`.
    pub fn fits(&mut self, cell: Cell, size: Footprint) -> bool {
        let Some((x, y)) = local(self.map.region(), cell) else { return false };
        let shape = self.map.shape();
        let layers = self.layers(size);
        y.checked_sub(size.h() as u32 - 1).is_some_and(|top| layers.fits().get(shape.index(x, top)))
    }

    /// Whether a character of `size` with its bottom-left cell on `cell` fits and stands on ground.
    pub fn is_on_ground(&mut self, cell: Cell, size: Footprint) -> bool {
        let Some((x, y)) = local(self.map.region(), cell) else { return false };
        let shape = self.map.shape();
        let layers = self.layers(size);
        y.checked_sub(size.h() as u32 - 1).is_some_and(|top| layers.ground().get(shape.index(x, top)))
    }

    /// A cheapest way of the character, or why there is none.
    ///
    /// What can be told without a search is: profile, start and goal, and whether any way is wide and high enough. The
    /// same question on the same level always has the same answer.
    ///
    /// Takes time in proportion to the cells and jump values that are reached; no allocation after a few searches, but
    /// for the answer.
    pub fn find_path(&mut self, query: &PlatformerQuery) -> PlatformerOutcome {
        match self.ends(query) {
            Ok((start, goal)) => self.search(query, start, goal),
            Err(reason) => PlatformerOutcome::without_path(reason, 0, 0),
        }
    }

    /// The states that the last search reached, without those that a better one replaced.
    pub fn reached(&self) -> Vec<ReachedState> {
        let region = self.map.region();
        let bottom_left = |spot: Spot| {
            let (x, y) = spot.xy();
            Cell::new(region.x + x as i32, region.y + y as i32 + self.searched_height - 1)
        };
        let state = |node: &super::nodes::JumpNode| ReachedState {
            cell: bottom_left(Spot { x: node.x, y: node.y }),
            jump_value: u32::from(node.state.value()),
            cost: Cost::from_units(node.g),
        };
        self.scratch.reached().map(state).collect()
    }

    /// The places of start and goal, once it is sure that only a search can tell whether there is a way between.
    fn ends(&mut self, query: &PlatformerQuery) -> Result<(Spot, Spot), PlatformerReason> {
        use PlatformerReason as Reason;
        query.profile.check().map_err(Reason::BadProfile)?;
        let region = self.map.region();
        if region.is_empty() {
            return Err(Reason::EmptyMap);
        }
        let start = local(region, query.start).ok_or(Reason::StartOutOfBounds)?;
        let start_is_solid = self.map.is_solid(query.start);
        let goal_is_solid = self.map.is_solid(query.goal);
        let size = query.profile.size;
        let layers = self.layers(size);
        let shape = layers.fits().shape();
        if start_is_solid {
            return Err(Reason::StartSolid);
        }
        let start_top = start.1.checked_sub(size.h() as u32 - 1).ok_or(Reason::StartClearance)?;
        let start = Spot::of(start.0, start_top);
        if !layers.fits().get(start.index(shape)) {
            return Err(Reason::StartClearance);
        }
        let goal = local(region, query.goal).ok_or(Reason::GoalOutOfBounds)?;
        if goal_is_solid {
            return Err(Reason::GoalSolid);
        }
        let goal = goal_spot(layers, goal, query.goal_on_ground)?;
        let region_of = |spot: Spot| layers.regions().region(layers.fits(), spot.index(shape));
        if region_of(start) != region_of(goal) {
            return Err(Reason::Disconnected);
        }
        Ok((start, goal))
    }

    fn search(&mut self, query: &PlatformerQuery, start: Spot, goal: Spot) -> PlatformerOutcome {
        let profile = &query.profile;
        let place = self.tables.iter().position(|table| table.suits(profile)).unwrap_or_else(|| {
            self.tables.truncate(TABLES_MAX - 1);
            self.tables.insert(0, JumpTable::new(profile));
            0
        });
        self.searched_height = profile.size.h();
        // The layers of this size were brought up to date when start and goal were looked at.
        let (layers, table) = (&self.layers[0], &self.tables[place]);
        let found = search(layers, profile, table, (start, goal), query.expansions_max, &mut self.scratch);
        match found.end {
            SearchEnd::Found => PlatformerOutcome {
                reason: PlatformerReason::None,
                cost: Some(Cost::from_units(found.cost)),
                path: PlatformerPath::new(layers, self.map.region(), profile, &found.spots),
                expanded: found.expanded,
                generated: found.generated,
            },
            SearchEnd::Exhausted => {
                PlatformerOutcome::without_path(PlatformerReason::NoWay, found.expanded, found.generated)
            }
            SearchEnd::Limit => {
                PlatformerOutcome::without_path(PlatformerReason::Limit, found.expanded, found.generated)
            }
        }
    }
}
