//! Counted obstacles: things that lie over the map for some time and block the cells under them.
//!
//! Each covers a rectangle of cells, or some cells of it. A cell is blocked while at least one obstacle
//! covers it, so where two overlap the cell stays blocked until both are gone. Solid flags know nothing of
//! them, and they are not saved.
//!
//! An obstacle stands on *obstacle layers*, and a body may ignore some of these. The body is blocked by the
//! obstacles that stand on at least one layer that it does not ignore. So counts and covered cells are kept
//! for each layer on its own, and a body is blocked by the union of the layers that it sees.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use smallvec::SmallVec;

use super::{Change, Terrain};
use crate::bitgrid::{BitGrid, GridLayout, LocalRect, local};
use crate::bytes::{BytesError, Reader, Saved};
use crate::geometry::{Cell, CellRect};

/// The most obstacles at once.
pub(crate) const OBSTACLES_MAX: usize = u16::MAX as usize;
/// The greatest id: ids are handed to scripts in arrays of 32-bit numbers.
const ID_MAX: u64 = i32::MAX as u64;
/// log₂ of the side of the blocks in which counts are kept: 8 KB each, of which an obstacle of a few cells
/// makes one or a few.
const BLOCK_SHIFT: u32 = 6;
const BLOCK_CELLS: usize = 1 << (2 * BLOCK_SHIFT);

/// The id of an obstacle; never used for another one on the same map.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ObstacleId(pub u64);

/// The obstacle layers that an obstacle stands on or that a body ignores, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ObstacleLayers(pub u32);

impl ObstacleLayers {
    /// No layer: an obstacle on none blocks nothing.
    pub(crate) const NONE: Self = Self(0);
    /// The layer that obstacles stand on unless told otherwise.
    pub const FIRST: Self = Self(1);
    /// All 32 layers.
    pub const ALL: Self = Self(u32::MAX);

    /// Returns whether both have a layer in common.
    pub(crate) const fn meet(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns each layer on its own.
    fn each(self) -> impl Iterator<Item = Self> {
        (0..u32::BITS).map(|bit| Self(1 << bit)).filter(move |&layer| self.meet(layer))
    }
}

/// A change of obstacles that cannot be made. Nothing was changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ObstacleError {
    /// There is no obstacle of this id.
    Unknown {
        /// What was given.
        id: ObstacleId,
    },
    /// There are as many obstacles as a map can have.
    TooMany {
        /// How many that is.
        max: usize,
    },
    /// Every id has been used.
    NoIdLeft {
        /// The greatest id.
        max: u64,
    },
}

impl fmt::Display for ObstacleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { id } => write!(f, "there is no obstacle {}", id.0.cast_signed()),
            Self::TooMany { max } => write!(f, "there are {max} obstacles already"),
            Self::NoIdLeft { max } => write!(f, "all {max} ids of obstacles have been used"),
        }
    }
}

impl Error for ObstacleError {}

/// Most obstacles that a body ignores by their ids: 16 that a profile lists, and an agent's own.
pub const IGNORED_OBSTACLES_MAX: usize = 17;

/// The obstacles that do not block a body: some by id, and all that stand on no other layers than some.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct IgnoredObstacles {
    layers: ObstacleLayers,
    count: u8,
    /// In ascending order. Behind the last id are zeros, which is the id of no obstacle.
    ids: [ObstacleId; IGNORED_OBSTACLES_MAX],
}

impl IgnoredObstacles {
    /// Every obstacle blocks that stands on a layer.
    pub const NONE: Self =
        Self { layers: ObstacleLayers::NONE, count: 0, ids: [ObstacleId(0); IGNORED_OBSTACLES_MAX] };
    /// No obstacle blocks.
    pub const ALL: Self = Self { layers: ObstacleLayers::ALL, ..Self::NONE };

    /// Those named by `ids`, in any order; `None` when there are more than [`IGNORED_OBSTACLES_MAX`].
    pub fn new(ids: impl IntoIterator<Item = ObstacleId>) -> Option<Self> {
        ids.into_iter().try_fold(Self::NONE, Self::with)
    }

    /// These and `id`; `None` when that is one too many.
    #[must_use]
    pub fn with(mut self, id: ObstacleId) -> Option<Self> {
        if let (false, Err(place)) = (self.are_all(), self.ids().binary_search(&id)) {
            if self.ids().len() == IGNORED_OBSTACLES_MAX {
                return None;
            }
            self.count += 1;
            // Moves the greater ids up by one place, which frees the place of the new one.
            self.ids[place..usize::from(self.count)].rotate_right(1);
            self.ids[place] = id;
        }
        Some(self)
    }

    /// These and the obstacles on `layers`.
    #[must_use]
    pub const fn on_layers(self, layers: ObstacleLayers) -> Self {
        let layers = ObstacleLayers(self.layers.0 | layers.0);
        // Where all are ignored ids say nothing, and equal values have to be equal bytes.
        if layers.0 == u32::MAX { Self::ALL } else { Self { layers, ..self } }
    }

    /// Returns the obstacles that are ignored for their layers.
    #[must_use]
    pub const fn without_ids(self) -> Self {
        Self { layers: self.layers, ..Self::NONE }
    }

    /// Returns their ids in ascending order; none where all are ignored.
    pub fn ids(&self) -> &[ObstacleId] {
        &self.ids[..usize::from(self.count)]
    }

    /// Returns the layers that are ignored.
    pub const fn layers(&self) -> ObstacleLayers {
        self.layers
    }

    /// Returns whether no obstacle blocks.
    pub const fn are_all(&self) -> bool {
        self.layers.0 == u32::MAX
    }
}

/// Saved as a number, of which the lower half is the number of ids and the upper half the layers, and the
/// ids; as `u64::MAX` alone for all obstacles.
impl Saved for IgnoredObstacles {
    const BYTES_MIN: usize = u64::BYTES_MIN;

    fn write(&self, bytes: &mut Vec<u8>) {
        let head = u64::from(self.layers.0) << 32 | u64::from(self.count);
        (if self.are_all() { u64::MAX } else { head }).write(bytes);
        self.ids().iter().for_each(|id| id.0.write(bytes));
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, BytesError> {
        let head = reader.read::<u64>()?;
        if head == u64::MAX {
            return Ok(Self::ALL);
        }
        let (layers, count) = (ObstacleLayers((head >> 32) as u32), head & u64::from(u32::MAX));
        if layers == ObstacleLayers::ALL || count > IGNORED_OBSTACLES_MAX as u64 {
            return Err(BytesError::Value("too many obstacles are ignored"));
        }
        (0..count).try_fold(Self::NONE.on_layers(layers), |ignored, _| {
            Ok(ignored.with(ObstacleId(reader.read()?)).unwrap_or_default())
        })
    }
}

impl From<ObstacleId> for IgnoredObstacles {
    fn from(id: ObstacleId) -> Self {
        Self::NONE.with(id).unwrap_or_default()
    }
}

/// The cells of an obstacle: a rectangle, or parts of it. They may lie outside the region.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObstacleCells {
    bounds: CellRect,
    /// Rectangles without a cell in common; `None` for all of `bounds`.
    parts: Option<Arc<[CellRect]>>,
}

impl ObstacleCells {
    /// The cells of rectangles that have no cell in common.
    pub fn new(parts: &[CellRect]) -> Self {
        let bounds = parts.iter().copied().reduce(CellRect::union).unwrap_or_default();
        Self { bounds, parts: Some(parts.into()) }
    }

    /// Returns the smallest rectangle that holds them.
    pub const fn bounds(&self) -> CellRect {
        self.bounds
    }

    /// Returns them as rectangles that have no cell in common.
    pub fn parts(&self) -> &[CellRect] {
        self.parts.as_deref().unwrap_or(std::slice::from_ref(&self.bounds))
    }

    fn meet(&self, rect: CellRect) -> bool {
        self.parts().iter().any(|part| !part.intersection(rect).is_empty())
    }
}

impl From<CellRect> for ObstacleCells {
    fn from(bounds: CellRect) -> Self {
        Self { bounds, parts: None }
    }
}

/// An obstacle, as it was given.
#[derive(Clone, Debug)]
struct Obstacle {
    cells: ObstacleCells,
    layers: ObstacleLayers,
}

/// The obstacles of a map.
#[derive(Clone, Debug)]
pub(super) struct Obstacles {
    last: u64,
    // Sorted, so that every walk over the obstacles has one order.
    all: BTreeMap<ObstacleId, Obstacle>,
    /// The cells that are covered on each layer that an obstacle has stood on. Almost every map has one.
    covered: SmallVec<[Covered; 1]>,
    layout: GridLayout,
}

/// The cells that the obstacles on one layer cover. Counts take memory only in blocks that an obstacle has
/// covered.
#[derive(Clone, Debug)]
struct Covered {
    /// One bit.
    layer: ObstacleLayers,
    /// How many cover each cell, by blocks of cells.
    // 16 bits never overflow: there are at most OBSTACLES_MAX obstacles.
    counts: Vec<Option<Arc<[u16; BLOCK_CELLS]>>>,
    columns: usize,
    blocked: BitGrid,
}

impl Covered {
    fn new(layer: ObstacleLayers, layout: GridLayout) -> Self {
        let blocks = |side: u32| (side as usize).div_ceil(1 << BLOCK_SHIFT);
        let columns = blocks(layout.width());
        let counts = vec![None; columns * blocks(layout.height())];
        Self { layer, counts, columns, blocked: BitGrid::new(layout) }
    }

    fn at(&self, x: u32, y: u32) -> u16 {
        let (block, cell) = self.place(x, y);
        self.counts[block].as_ref().map_or(0, |counts| counts[cell])
    }

    /// Returns the block of a cell and its place in there.
    const fn place(&self, x: u32, y: u32) -> (usize, usize) {
        let side = 1 << BLOCK_SHIFT;
        let block = (y >> BLOCK_SHIFT) as usize * self.columns + (x >> BLOCK_SHIFT) as usize;
        (block, ((y & (side - 1)) << BLOCK_SHIFT | (x & (side - 1))) as usize)
    }

    /// Adds 1 to the count of every cell of `rect`, or subtracts 1.
    fn count(&mut self, rect: LocalRect, more: bool) {
        for y in rect.y0..rect.y1 {
            for x in rect.x0..rect.x1 {
                let (block, cell) = self.place(x, y);
                let counts = self.counts[block].get_or_insert_with(|| Arc::new([0; BLOCK_CELLS]));
                let count = &mut Arc::make_mut(counts)[cell];
                *count = if more { *count + 1 } else { *count - 1 };
                let is_blocked = *count > 0;
                self.blocked.set_at(x, y, is_blocked);
            }
        }
    }

    fn memory(&self) -> usize {
        self.blocked.memory()
            + size_of_val(&*self.counts)
            + self.counts.iter().flatten().count() * size_of::<[u16; BLOCK_CELLS]>()
    }
}

impl Obstacles {
    fn new(layout: GridLayout) -> Self {
        Self { last: 0, all: BTreeMap::new(), covered: SmallVec::new(), layout }
    }

    /// Returns these obstacles, counted on another region.
    fn on(&self, region: CellRect, layout: GridLayout) -> Self {
        // The last id is kept, so that ids stay unique, and so are rectangles outside the new region: it may
        // grow again.
        let mut moved = Self { last: self.last, all: self.all.clone(), ..Self::new(layout) };
        for Obstacle { cells, layers } in self.all.values() {
            moved.count(region, cells, *layers, true);
        }
        moved
    }

    /// Adds 1 to the count of every one of `cells` in the region on each of `layers`, or subtracts 1.
    fn count(&mut self, region: CellRect, cells: &ObstacleCells, layers: ObstacleLayers, more: bool) {
        let parts: SmallVec<[LocalRect; 1]> =
            cells.parts().iter().filter_map(|&part| LocalRect::within(region, part)).collect();
        if parts.is_empty() {
            return;
        }
        for layer in layers.each() {
            let place = self.covered.iter().position(|covered| covered.layer == layer);
            let place = place.unwrap_or_else(|| {
                self.covered.push(Covered::new(layer, self.layout));
                self.covered.len() - 1
            });
            parts.iter().for_each(|&part| self.covered[place].count(part, more));
        }
    }

    /// Returns the cells that are covered on layers other than `ignored`.
    fn seen(&self, ignored: ObstacleLayers) -> impl Iterator<Item = &Covered> {
        self.covered.iter().filter(move |covered| !covered.layer.meet(ignored))
    }

    /// Returns the bytes on the heap.
    pub(super) fn memory(&self) -> usize {
        let parts = self.all.values().flat_map(|obstacle| &obstacle.cells.parts);
        self.all.len() * size_of::<(ObstacleId, Obstacle)>()
            + parts.map(|parts| size_of_val(&**parts)).sum::<usize>()
            + self.covered.iter().map(|covered| size_of::<Covered>() + covered.memory()).sum::<usize>()
    }
}

impl Terrain {
    /// Puts an obstacle that stands on `layers` over `cells`; returns its id and the smallest rectangle of
    /// cells of the region that holds them.
    ///
    /// # Errors
    /// When there are 65,535 already, and when every id has been used.
    pub fn add_obstacle(
        &mut self,
        cells: impl Into<ObstacleCells>,
        layers: ObstacleLayers,
    ) -> Result<(ObstacleId, Option<CellRect>), ObstacleError> {
        let (cells, region) = (cells.into(), self.region);
        let layout = self.layout;
        // Maps without obstacles, which are most, take no memory for them.
        let obstacles = self.obstacles.get_or_insert_with(|| Arc::new(Obstacles::new(layout)));
        if obstacles.all.len() == OBSTACLES_MAX {
            return Err(ObstacleError::TooMany { max: OBSTACLES_MAX });
        }
        if obstacles.last == ID_MAX {
            return Err(ObstacleError::NoIdLeft { max: ID_MAX });
        }
        let obstacles = Arc::make_mut(obstacles);
        // Ids are never used again, so an old id cannot name a new obstacle.
        obstacles.last += 1;
        let id = ObstacleId(obstacles.last);
        obstacles.count(region, &cells, layers, true);
        let covered = LocalRect::within(region, cells.bounds);
        obstacles.all.insert(id, Obstacle { cells, layers });
        Ok((id, covered.map(|covered| self.changed(covered, Change::PASSABILITY))))
    }

    /// Moves an obstacle over `cells`; returns a rectangle that holds the cells that it left or came to, if
    /// there are any.
    ///
    /// # Errors
    /// When there is no such obstacle.
    pub fn move_obstacle(
        &mut self,
        id: ObstacleId,
        cells: impl Into<ObstacleCells>,
    ) -> Result<Option<CellRect>, ObstacleError> {
        self.cover(id, Some(cells.into()))
    }

    /// Takes an obstacle away; returns the cells that it covered, if there are any.
    ///
    /// # Errors
    /// When there is no such obstacle.
    pub fn remove_obstacle(&mut self, id: ObstacleId) -> Result<Option<CellRect>, ObstacleError> {
        self.cover(id, None)
    }

    /// Returns the smallest rectangle that holds the cells of an obstacle, as they were given; `None` when
    /// there is no such obstacle.
    pub fn obstacle(&self, id: ObstacleId) -> Option<CellRect> {
        self.obstacles.as_ref()?.all.get(&id).map(|obstacle| obstacle.cells.bounds)
    }

    /// Returns whether there is any obstacle.
    pub(crate) fn has_obstacles(&self) -> bool {
        self.obstacles.as_ref().is_some_and(|obstacles| !obstacles.all.is_empty())
    }

    /// Whether an obstacle that is not `ignored` covers `cell`.
    pub fn is_blocked(&self, cell: Cell, ignored: &IgnoredObstacles) -> bool {
        let (Some(obstacles), Some((x, y))) = (&self.obstacles, local(self.region, cell)) else {
            return false;
        };
        obstacles.seen(ignored.layers).any(|covered| {
            let count = covered.at(x, y);
            // Most cells have no obstacle: they cost one look-up.
            if count == 0 {
                return false;
            }
            let covers = |id: &&ObstacleId| {
                let named = obstacles.all.get(id);
                named.is_some_and(|named| {
                    named.layers.meet(covered.layer) && named.cells.meet(CellRect::cell(cell))
                })
            };
            // The count does not tell which obstacles they are: obstacles that are ignored by id are looked
            // up and subtracted.
            usize::from(count) > ignored.ids().iter().filter(covers).count()
        })
    }

    /// Returns grids of one bit a cell, with a one where an obstacle on a layer other than `ignored` covers
    /// it in one of them.
    pub(crate) fn blocked(&self, ignored: ObstacleLayers) -> impl Iterator<Item = &BitGrid> {
        let seen = self.obstacles.iter().flat_map(move |obstacles| obstacles.seen(ignored));
        seen.map(|covered| &covered.blocked)
    }

    /// Takes over the obstacles of the map that this one replaces.
    pub(crate) fn take_obstacles(&mut self, former: &Self) {
        self.obstacles =
            former.obstacles.as_ref().map(|obstacles| Arc::new(obstacles.on(self.region, self.layout)));
    }

    /// Returns the obstacles that cover a cell of `rect`, by their ids. Looks at all obstacles.
    pub fn obstacles_in(&self, rect: CellRect) -> Vec<ObstacleId> {
        let covers = |(id, own): (&ObstacleId, &Obstacle)| own.cells.meet(rect).then_some(*id);
        let mut ids: Vec<ObstacleId> =
            self.obstacles.iter().flat_map(|obstacles| obstacles.all.iter().filter_map(covers)).collect();
        ids.sort_unstable_by_key(|id| id.0);
        ids
    }

    /// Takes away every obstacle that covers a cell of `rect`; returns what each covered.
    pub fn remove_obstacles_in(&mut self, rect: CellRect) -> Vec<CellRect> {
        let ids = self.obstacles_in(rect);
        // Each was listed a moment ago, so it is known.
        let remove = |id| {
            let cells = self.obstacle(id);
            let _ = self.remove_obstacle(id);
            cells
        };
        ids.into_iter().filter_map(remove).collect()
    }

    fn cover(
        &mut self,
        id: ObstacleId,
        cells: Option<ObstacleCells>,
    ) -> Result<Option<CellRect>, ObstacleError> {
        let region = self.region;
        let found = self.obstacles.as_ref().and_then(|obstacles| obstacles.all.get(&id));
        let Obstacle { cells: former, layers } = found.ok_or(ObstacleError::Unknown { id })?.clone();
        // A body that stays where it is causes no edit, and so no repairs.
        if cells.as_ref() == Some(&former) {
            return Ok(None);
        }
        let Some(obstacles) = self.obstacles.as_mut().map(Arc::make_mut) else { return Ok(None) };
        let left = LocalRect::within(region, former.bounds);
        let taken = cells.as_ref().and_then(|cells| LocalRect::within(region, cells.bounds));
        // The old cells first or last gives the same counts; bits of shared cells are set again by the second
        // pass.
        obstacles.count(region, &former, layers, false);
        match cells {
            Some(cells) => {
                obstacles.count(region, &cells, layers, true);
                obstacles.all.insert(id, Obstacle { cells, layers });
            }
            None => {
                obstacles.all.remove(&id);
            }
        }
        // A small step is one edit, a leap two.
        let both = left.into_iter().chain(taken).reduce(LocalRect::union);
        // Repairs take time in proportion to area, so a leap is not joined to one rectangle.
        let area = |rect: Option<LocalRect>| rect.map_or(0, LocalRect::area);
        if area(both) <= 2 * (area(left) + area(taken)) {
            return Ok(both.map(|rect| self.changed(rect, Change::PASSABILITY)));
        }
        let parts = [left, taken].into_iter().flatten();
        Ok(parts.map(|rect| self.changed(rect, Change::PASSABILITY)).reduce(CellRect::union))
    }
}
