//! Counted obstacles: things that stand on the map for a while, over whatever it is there.
//!
//! Each covers a rectangle of cells. A cell is blocked while at least one obstacle covers it, so where two overlap the cell
//! stays blocked until both are gone. Solid flags know nothing of them, and they are not saved.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Change, Terrain};
use crate::bitgrid::{BitGrid, LocalRect, Shape, local};
use crate::error::EditError;
use crate::geometry::{Cell, CellRect};

/// The most obstacles at once.
pub const OBSTACLES_MAX: usize = u16::MAX as usize;
/// Side of the blocks that counts are kept in, as a shift.
const BLOCK_SHIFT: u32 = 6;
const BLOCK_CELLS: usize = 1 << (2 * BLOCK_SHIFT);

/// The name of an obstacle, never used for another one on the same map.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObstacleId(pub u64);

/// The obstacles of a map. Counts take memory where obstacles have been only.
#[derive(Clone, Debug)]
pub(super) struct Obstacles {
    last: u64,
    /// As they were given: they may reach outside the region.
    rects: BTreeMap<ObstacleId, CellRect>,
    /// How many cover each cell, by blocks of cells.
    counts: Vec<Option<Arc<[u16; BLOCK_CELLS]>>>,
    columns: usize,
    blocked: BitGrid,
}

impl Obstacles {
    fn new(shape: Shape) -> Self {
        let blocks = |side: u32| (side as usize).div_ceil(1 << BLOCK_SHIFT);
        let columns = blocks(shape.width());
        Self {
            last: 0,
            rects: BTreeMap::new(),
            counts: vec![None; columns * blocks(shape.height())],
            columns,
            blocked: BitGrid::new(shape),
        }
    }

    /// The same obstacles on another region.
    fn on(&self, region: CellRect, shape: Shape) -> Self {
        let mut moved = Self { last: self.last, rects: self.rects.clone(), ..Self::new(shape) };
        for rect in self.rects.values().filter_map(|&rect| LocalRect::within(region, rect)) {
            moved.count(rect, true);
        }
        moved
    }

    fn at(&self, x: u32, y: u32) -> u16 {
        let (block, cell) = self.place(x, y);
        self.counts[block].as_ref().map_or(0, |counts| counts[cell])
    }

    /// The block of a cell and its place in there.
    const fn place(&self, x: u32, y: u32) -> (usize, usize) {
        let side = 1 << BLOCK_SHIFT;
        let block = (y >> BLOCK_SHIFT) as usize * self.columns + (x >> BLOCK_SHIFT) as usize;
        (block, ((y & (side - 1)) << BLOCK_SHIFT | (x & (side - 1))) as usize)
    }

    /// One more or one less on every cell of `rect`.
    fn count(&mut self, rect: LocalRect, more: bool) {
        for y in rect.y0..rect.y1 {
            for x in rect.x0..rect.x1 {
                let (block, cell) = self.place(x, y);
                let counts = self.counts[block].get_or_insert_with(|| Arc::new([0; BLOCK_CELLS]));
                let count = &mut Arc::make_mut(counts)[cell];
                *count = if more { *count + 1 } else { *count - 1 };
                let is_blocked = *count > 0;
                self.blocked.set(self.blocked.shape().index(x, y), is_blocked);
            }
        }
    }

    fn memory(&self) -> usize {
        self.blocked.memory() + self.counts.iter().flatten().count() * size_of::<[u16; BLOCK_CELLS]>()
    }
}

impl Terrain {
    /// Puts an obstacle over the cells of `rect`, which may reach outside; returns its name and the cells that it covers.
    ///
    /// # Errors
    /// When there are [`OBSTACLES_MAX`] already.
    pub fn add_obstacle(&mut self, rect: CellRect) -> Result<(ObstacleId, Option<CellRect>), EditError> {
        let shape = self.shape;
        let obstacles = self.obstacles.get_or_insert_with(|| Arc::new(Obstacles::new(shape)));
        if obstacles.rects.len() == OBSTACLES_MAX {
            return Err(EditError::TooManyObstacles { max: OBSTACLES_MAX });
        }
        let obstacles = Arc::make_mut(obstacles);
        obstacles.last += 1;
        let id = ObstacleId(obstacles.last);
        obstacles.rects.insert(id, rect);
        let covered = LocalRect::within(self.region, rect);
        if let Some(covered) = covered {
            obstacles.count(covered, true);
        }
        Ok((id, covered.map(|covered| self.changed(covered, Change::PASSABILITY))))
    }

    /// Moves an obstacle over the cells of `rect`; returns a rectangle that holds the cells that it left or came to, if there
    /// are any.
    ///
    /// # Errors
    /// When there is no such obstacle.
    pub fn move_obstacle(&mut self, id: ObstacleId, rect: CellRect) -> Result<Option<CellRect>, EditError> {
        self.cover(id, Some(rect))
    }

    /// Takes an obstacle away; returns the cells that it covered, if there are any.
    ///
    /// # Errors
    /// When there is no such obstacle.
    pub fn remove_obstacle(&mut self, id: ObstacleId) -> Result<Option<CellRect>, EditError> {
        self.cover(id, None)
    }

    /// The cells that an obstacle covers, as they were given; `None` when there is no such obstacle.
    pub fn obstacle(&self, id: ObstacleId) -> Option<CellRect> {
        self.obstacles.as_ref()?.rects.get(&id).copied()
    }

    /// Whether an obstacle other than `ignored` covers `cell`.
    pub fn is_blocked(&self, cell: Cell, ignored: Option<ObstacleId>) -> bool {
        let (Some(obstacles), Some((x, y))) = (&self.obstacles, local(self.region, cell)) else {
            return false;
        };
        let own = ignored.and_then(|id| self.obstacle(id)).is_some_and(|rect| rect.contains(cell));
        obstacles.at(x, y) > u16::from(own)
    }

    /// One bit a cell: an obstacle covers it. `None` while there never was one.
    pub fn blocked(&self) -> Option<&BitGrid> {
        self.obstacles.as_ref().map(|obstacles| &obstacles.blocked)
    }

    /// Takes over the obstacles of the map that this one replaces.
    pub fn take_obstacles(&mut self, former: &Self) {
        self.obstacles =
            former.obstacles.as_ref().map(|obstacles| Arc::new(obstacles.on(self.region, self.shape)));
    }

    /// Takes away every obstacle that covers a cell of `rect`; returns what each covered.
    pub fn remove_obstacles_in(&mut self, rect: CellRect) -> Vec<CellRect> {
        let Some(obstacles) = &self.obstacles else { return Vec::new() };
        let covers =
            |(id, own): (&ObstacleId, &CellRect)| (!own.intersection(rect).is_empty()).then_some((*id, *own));
        let all: Vec<(ObstacleId, CellRect)> = obstacles.rects.iter().filter_map(covers).collect();
        for (id, _) in &all {
            let _ = self.remove_obstacle(*id);
        }
        all.into_iter().map(|(_, cells)| cells).collect()
    }

    pub(super) fn obstacle_memory(&self) -> usize {
        self.obstacles.as_ref().map_or(0, |obstacles| obstacles.memory())
    }

    fn cover(&mut self, id: ObstacleId, rect: Option<CellRect>) -> Result<Option<CellRect>, EditError> {
        let former = self.obstacle(id).ok_or(EditError::UnknownObstacle { id: id.0 })?;
        if rect == Some(former) {
            return Ok(None);
        }
        let left = LocalRect::within(self.region, former);
        let taken = rect.and_then(|rect| LocalRect::within(self.region, rect));
        let Some(obstacles) = self.obstacles.as_mut().map(Arc::make_mut) else { return Ok(None) };
        match rect {
            Some(rect) => obstacles.rects.insert(id, rect),
            None => obstacles.rects.remove(&id),
        };
        if let Some(left) = left {
            obstacles.count(left, false);
        }
        if let Some(taken) = taken {
            obstacles.count(taken, true);
        }
        // A small step is one edit, a leap two.
        let both = left.into_iter().chain(taken).reduce(LocalRect::union);
        let area = |rect: Option<LocalRect>| rect.map_or(0, LocalRect::area);
        if area(both) <= 2 * (area(left) + area(taken)) {
            return Ok(both.map(|rect| self.changed(rect, Change::PASSABILITY)));
        }
        let parts = [left, taken].into_iter().flatten();
        Ok(parts.map(|rect| self.changed(rect, Change::PASSABILITY)).reduce(CellRect::union))
    }
}
