use crate::bitgrid::{BitGrid, GridLayout, LocalRect, local};
use crate::geometry::{Cell, CellRect};
use crate::terrain::{Change, EditError, Journal, RegionError, Terrain, check_region};

/// The cells of a side-view level: solid, one-way or open, with a journal of the edits.
///
/// A one-way cell lets bodies through from below and from the sides and supports them from above. A cell that is both
/// solid and one-way is solid. Solid cells are set here, or copied from the [`Terrain`] of a grid by
/// [`PlatformerMap::follow`].
#[derive(Clone, Debug)]
pub struct PlatformerMap {
    region: CellRect,
    layout: GridLayout,
    solid: BitGrid,
    one_way: BitGrid,
    journal: Journal,
    /// The terrain revision that the solid cells were last copied from.
    followed: Option<u64>,
}

impl PlatformerMap {
    /// Creates a level of open cells.
    ///
    /// # Errors
    /// If no map can have this region, as for [`Terrain::new`].
    pub fn new(region: CellRect) -> Result<Self, RegionError> {
        check_region(region)?;
        let layout = GridLayout::new(region.w as u32, region.h as u32);
        Ok(Self {
            region,
            layout,
            solid: BitGrid::new(layout),
            one_way: BitGrid::new(layout),
            journal: Journal::default(),
            followed: None,
        })
    }

    /// Creates a level with the region and the solid cells of `terrain`, and without one-way cells.
    pub fn from_terrain(terrain: &Terrain) -> Self {
        let layout = terrain.layout();
        Self {
            region: terrain.region(),
            layout,
            // Shares the terrain's pages until one of them is edited.
            solid: terrain.solid().clone(),
            one_way: BitGrid::new(layout),
            journal: Journal::default(),
            followed: Some(terrain.revision()),
        }
    }

    /// The cells of the level.
    pub const fn region(&self) -> CellRect {
        self.region
    }

    /// The dimensions of every padded grid that is derived from this level.
    pub const fn layout(&self) -> GridLayout {
        self.layout
    }

    /// One bit a cell: solid.
    pub const fn solid(&self) -> &BitGrid {
        &self.solid
    }

    /// One bit a cell: one-way.
    pub const fn one_way(&self) -> &BitGrid {
        &self.one_way
    }

    /// The edits since the level was created.
    pub const fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Returns `true` if `cell` is solid. Cells outside the region are not.
    pub fn is_solid(&self, cell: Cell) -> bool {
        local(self.region, cell).is_some_and(|(x, y)| self.solid.get(self.layout.index(x, y)))
    }

    /// Returns `true` if `cell` was set one-way, which has an effect where it is not solid. Cells outside the region
    /// are not.
    pub fn is_one_way(&self, cell: Cell) -> bool {
        local(self.region, cell).is_some_and(|(x, y)| self.one_way.get(self.layout.index(x, y)))
    }

    /// Makes the cells of `rect` solid or not, except those outside the region; returns the bounds of the cells that
    /// changed.
    pub fn fill_solid(&mut self, rect: CellRect, solid: bool) -> Option<CellRect> {
        let changed = self.solid.fill(LocalRect::within(self.region, rect)?, solid)?;
        Some(self.changed(changed))
    }

    /// Makes the cells of `rect` one-way or not, except those outside the region; returns the bounds of the cells that
    /// changed.
    pub fn fill_one_way(&mut self, rect: CellRect, one_way: bool) -> Option<CellRect> {
        let changed = self.one_way.fill(LocalRect::within(self.region, rect)?, one_way)?;
        Some(self.changed(changed))
    }

    /// One byte a cell, row by row: 0 not solid, 1 solid.
    pub fn solid_data(&self) -> Vec<u8> {
        self.data(&self.solid)
    }

    /// One byte a cell, row by row: 0 not one-way, 1 one-way.
    pub fn one_way_data(&self) -> Vec<u8> {
        self.data(&self.one_way)
    }

    /// Makes cells solid where `data` is not 0 and not solid elsewhere; returns the bounds of the cells that changed.
    ///
    /// # Errors
    /// If the length is not the number of cells.
    pub fn set_solid_data(&mut self, data: &[u8]) -> Result<Option<CellRect>, EditError> {
        self.check_length(data)?;
        Ok(self.write_solid(|place| data[place] != 0))
    }

    /// Makes cells solid where `is_solid(place)` is true; places count row by row.
    pub(super) fn write_solid(&mut self, is_solid: impl Fn(usize) -> bool) -> Option<CellRect> {
        let (width, all) = (self.layout.width() as usize, self.layout.all());
        let changed = rewrite(&mut self.solid, all, |x, y| is_solid(y as usize * width + x as usize));
        changed.map(|rect| self.changed(rect))
    }

    /// Makes cells one-way where `data` is not 0 and not one-way elsewhere; returns the bounds of the cells that
    /// changed.
    ///
    /// # Errors
    /// If the length is not the number of cells.
    pub fn set_one_way_data(&mut self, data: &[u8]) -> Result<Option<CellRect>, EditError> {
        self.check_length(data)?;
        Ok(self.write_one_way(|place| data[place] != 0))
    }

    /// Makes cells one-way where `is_one_way(place)` is true; places count row by row.
    pub(super) fn write_one_way(&mut self, is_one_way: impl Fn(usize) -> bool) -> Option<CellRect> {
        let (width, all) = (self.layout.width() as usize, self.layout.all());
        let changed = rewrite(&mut self.one_way, all, |x, y| is_one_way(y as usize * width + x as usize));
        changed.map(|rect| self.changed(rect))
    }

    /// Copies the cells of `terrain` that became solid or open since the last call, and its region; returns the bounds
    /// of the cells that changed.
    ///
    /// It must be the terrain that was followed before; for another one, call [`PlatformerMap::follow_anew`]. Takes
    /// time in proportion to the edits.
    pub fn follow(&mut self, terrain: &Terrain) -> Option<CellRect> {
        if self.followed == Some(terrain.revision()) && self.region == terrain.region() {
            return None;
        }
        // A journal that forgot its oldest edits, or a terrain that is behind, is copied as a whole.
        let seen =
            self.followed.filter(|&seen| self.region == terrain.region() && seen <= terrain.revision());
        let Some(edits) = seen.and_then(|seen| terrain.journal().since(seen)) else {
            return self.follow_anew(terrain);
        };
        let mut changed: Option<CellRect> = None;
        // Weights and terrain ids mean nothing in a side view.
        for edit in edits.filter(|edit| edit.change.opens_or_closes()) {
            // An edit's rectangle can hold cells that did not change, so the cells are compared.
            if let Some(rect) = copy(&mut self.solid, terrain.solid(), edit.rect) {
                let cells = rect.to_cells(self.region);
                self.journal.record(rect, Change::PASSABILITY);
                changed = Some(changed.map_or(cells, |c| c.union(cells)));
            }
        }
        self.followed = Some(terrain.revision());
        changed
    }

    /// Copies the region and all solid cells of `terrain`, and follows it from then on; returns the bounds of the cells
    /// that changed, which are all cells if the region did.
    pub fn follow_anew(&mut self, terrain: &Terrain) -> Option<CellRect> {
        let resized = self.region != terrain.region();
        if resized {
            // A terrain's region has passed the same check, so this does not fail.
            *self = self.resized(terrain.region()).ok()?;
        }
        self.followed = Some(terrain.revision());
        let all = self.layout.all();
        let changed = copy(&mut self.solid, terrain.solid(), all);
        // The journal of the resized level is new, so layers built before are rebuilt without an entry.
        if resized {
            return Some(self.region);
        }
        changed.map(|rect| self.changed(rect))
    }

    /// Returns a level of `region` with this one's cells where both regions overlap, and an empty journal.
    ///
    /// # Errors
    /// As [`PlatformerMap::new`].
    pub fn resized(&self, region: CellRect) -> Result<Self, RegionError> {
        let mut resized = Self::new(region)?;
        let at = |grid: &BitGrid, x: u32, y: u32| {
            let cell = Cell::new(region.x + x as i32, region.y + y as i32);
            local(self.region, cell).is_some_and(|(x, y)| grid.get(self.layout.index(x, y)))
        };
        let all = resized.layout.all();
        rewrite(&mut resized.solid, all, |x, y| at(&self.solid, x, y));
        rewrite(&mut resized.one_way, all, |x, y| at(&self.one_way, x, y));
        Ok(resized)
    }

    fn check_length(&self, data: &[u8]) -> Result<(), EditError> {
        let (given, wanted) = (data.len(), self.layout.cells());
        if given == wanted { Ok(()) } else { Err(EditError::BadLength { given, wanted }) }
    }

    fn data(&self, grid: &BitGrid) -> Vec<u8> {
        self.layout.all().places().map(|(x, y)| u8::from(grid.get(self.layout.index(x, y)))).collect()
    }

    /// Records an edit of `rect` and returns it in the map's coordinates.
    fn changed(&mut self, rect: LocalRect) -> CellRect {
        self.journal.record(rect, Change::PASSABILITY);
        rect.to_cells(self.region)
    }
}

/// Copies the bits of `rect`; returns the bounds of the cells that changed.
fn copy(grid: &mut BitGrid, source: &BitGrid, rect: LocalRect) -> Option<LocalRect> {
    let layout = grid.layout();
    rewrite(grid, rect, |x, y| source.get(layout.index(x, y)))
}

/// Gives every cell of `rect` the bit `bit(x, y)`; returns the bounds of the cells that changed.
pub(super) fn rewrite(
    grid: &mut BitGrid,
    rect: LocalRect,
    bit: impl Fn(u32, u32) -> bool,
) -> Option<LocalRect> {
    let mut changed: Option<LocalRect> = None;
    for y in rect.y0..rect.y1 {
        if let Some(columns) = grid.write_row(y, rect.x0..rect.x1, |x| bit(x, y)) {
            // The columns that changed in this row; all rows are joined to one rectangle.
            LocalRect::join(&mut changed, LocalRect { x0: columns.start, y0: y, x1: columns.end, y1: y + 1 });
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn following_a_terrain_copies_its_edits() {
        let mut terrain = Terrain::from_text("....\n....\n####", Cell::new(-2, 5)).unwrap();
        let mut map = PlatformerMap::from_terrain(&terrain);
        assert_eq!(map.follow(&terrain), None);
        let platform = CellRect::new(-1, 6, 2, 1);
        map.fill_one_way(platform, true);
        terrain.fill_solid(CellRect::new(0, 5, 1, 1), true);
        terrain.fill_weight(CellRect::new(-2, 5, 4, 3), 2.0).unwrap();
        assert_eq!(map.follow(&terrain), Some(CellRect::new(0, 5, 1, 1)));
        assert_eq!(map.solid(), terrain.solid());
        assert!(map.is_one_way(Cell::new(-1, 6)) && map.is_solid(Cell::new(0, 5)));
        let terrain = terrain.resized(CellRect::new(-1, 5, 8, 8)).unwrap();
        assert_eq!(map.follow(&terrain), Some(terrain.region()));
        assert_eq!(map.solid(), terrain.solid());
        assert!(map.is_one_way(Cell::new(0, 6)) && !map.is_one_way(Cell::new(1, 6)));
        // Another terrain of the same size and revision.
        let mut other = Terrain::new(terrain.region()).unwrap();
        other.fill_solid(CellRect::new(3, 5, 2, 2), true);
        assert!(map.follow_anew(&other).is_some());
        assert_eq!(map.solid(), other.solid());
    }

    #[test]
    fn bulk_data_round_trips_and_its_length_is_checked() {
        let mut map = PlatformerMap::new(CellRect::new(0, 0, 3, 2)).unwrap();
        assert_eq!(map.set_one_way_data(&[0, 7, 0, 0, 0, 0]), Ok(Some(CellRect::new(1, 0, 1, 1))));
        assert_eq!(map.one_way_data(), [0, 1, 0, 0, 0, 0]);
        assert_eq!(map.set_solid_data(&[0; 5]), Err(EditError::BadLength { given: 5, wanted: 6 }));
        assert_eq!(map.set_one_way_data(&[]), Err(EditError::BadLength { given: 0, wanted: 6 }));
        assert_eq!(map.one_way_data(), [0, 1, 0, 0, 0, 0]);
    }
}
