//! Parts of a map: copied out, and put back there or elsewhere.

use super::one_way::copy_flags;
use super::{Change, RegionError, Terrain, check_region};
use crate::bitgrid::LocalRect;
use crate::geometry::{Cell, CellRect};

impl Terrain {
    /// Returns the cells of `rect` that lie in the map, as a map of their own; an empty one when there are
    /// none.
    ///
    /// # Errors
    /// When the part begins where no map can, which is only at the far end of the numbers that cells have.
    pub fn part(&self, rect: CellRect) -> Result<Self, RegionError> {
        self.resized(self.region.intersection(rect))
    }

    /// Returns the map with its region's corner at `corner`, without obstacles and heights.
    ///
    /// # Errors
    /// When the region would leave the range that maps can have.
    pub fn moved(mut self, corner: Cell) -> Result<Self, RegionError> {
        let region = CellRect { x: corner.x, y: corner.y, ..self.region };
        check_region(region)?;
        self.region = region;
        // Obstacles have ids on the map that they were added to; a copy elsewhere has none.
        self.obstacles = None;
        self.heights = None;
        Ok(self)
    }

    /// Replaces the cells that `part` has too by those of `part`; returns the smallest rectangle of cells
    /// that changed, if any did.
    ///
    /// Takes time in proportion to the shared cells.
    pub fn paste(&mut self, part: &Self) -> Option<CellRect> {
        let shared = self.region.intersection(part.region);
        let to = LocalRect::within(self.region, shared)?;
        let from = LocalRect::within(part.region, shared)?;
        let solid = copy_flags(&mut self.solid, to, &part.solid, from);
        let one_way = self.paste_one_way(part, from, to);
        let ids = self.ids.paste(to, &part.ids, from);
        let weights = self.weights.paste(to, &part.weights, from);
        let floors = self.paste_floors(part, from, to);
        let edges = self.paste_edges(part, from, to);
        // One journal entry for each property, so that readers repair only what depends on it.
        let changes = [
            (solid, Change::PASSABILITY),
            (one_way, Change::ONE_WAY),
            (ids, Change::TERRAIN),
            (weights, Change::WEIGHT),
            (floors, Change::FLOOR),
            (edges, Change::EDGE),
        ];
        let changed =
            changes.into_iter().filter_map(|(rect, change)| rect.map(|rect| self.changed(rect, change)));
        changed.reduce(CellRect::union)
    }

    fn paste_one_way(&mut self, part: &Self, from: LocalRect, to: LocalRect) -> Option<LocalRect> {
        match part.one_way() {
            Some(flags) => copy_flags(self.one_way_mut(), to, flags, from),
            None => self.fill_flags(to, false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REGION: CellRect = CellRect::new(-70, -3, 150, 9);

    fn map() -> Terrain {
        let mut map = Terrain::new(REGION).unwrap();
        map.fill_solid(CellRect::new(-5, -1, 70, 2), true);
        map.fill_terrain(CellRect::new(-2, 0, 3, 3), 4).unwrap();
        map.fill_weight(CellRect::new(0, 1, 4, 1), 2.5).unwrap();
        map.fill_one_way(CellRect::new(-6, 2, 9, 1), true);
        map
    }

    #[test]
    fn a_part_that_is_put_back_undoes_every_edit_within_it() {
        let original = map();
        let within = CellRect::new(-9, -2, 80, 6);
        let part = original.part(within).unwrap();
        let mut edited = original.clone();
        edited.fill_solid(CellRect::new(-9, -2, 7, 6), true);
        edited.fill_terrain(CellRect::new(3, 0, 2, 2), 9).unwrap();
        edited.fill_weight(CellRect::new(-4, 0, 2, 2), 7.0).unwrap();
        edited.fill_one_way(CellRect::new(0, 0, 2, 3), true);
        assert_ne!(edited.state_hash(), original.state_hash());
        assert_eq!(edited.paste(&part), Some(CellRect::new(-9, -2, 14, 6)));
        assert_eq!(edited.state_hash(), original.state_hash());
        assert_eq!(edited.paste(&part), None, "nothing is left to change");
    }

    #[test]
    fn a_part_of_plain_cells_clears_what_is_there() {
        let mut map = map();
        let open = Terrain::new(CellRect::new(-500, -500, 1000, 1000)).unwrap();
        assert!(map.paste(&open).is_some());
        assert_eq!(map.state_hash(), Terrain::new(REGION).unwrap().state_hash());
    }

    #[test]
    fn a_moved_part_lands_elsewhere_and_is_cut_at_the_border() {
        let part = map().part(CellRect::new(-2, 0, 5, 2)).unwrap();
        let mut other = Terrain::new(CellRect::new(0, 0, 10, 10)).unwrap();
        let changed = other.paste(&part.clone().moved(Cell::new(8, 4)).unwrap());
        assert_eq!(changed, Some(CellRect::new(8, 4, 2, 2)));
        assert!(other.is_solid(Cell::new(9, 4)) && !other.is_solid(Cell::new(9, 5)));
        assert_eq!(other.terrain(Cell::new(8, 5)), 4);
        assert!(part.clone().moved(Cell::new(i32::MAX, 0)).is_err());
        assert_eq!(other.paste(&part.moved(Cell::new(50, 50)).unwrap()), None);
        assert!(map().part(CellRect::new(900, 0, 5, 5)).unwrap().region().is_empty());
    }

    #[test]
    fn what_was_derived_is_repaired_after_a_paste() {
        let mut world = crate::world::World::from_terrain(map());
        let footprint = crate::geometry::Footprint::new(2, 2).unwrap();
        let key = crate::passability::LayerKey::new(footprint, crate::terrain::Capability::ALL);
        world.placements(key);
        let part = world.terrain().part(REGION).unwrap();
        world.terrain_mut().clear();
        world.placements(key);
        world.terrain_mut().paste(&part);
        let repaired = world.placements(key).clone();
        let mut fresh = crate::world::World::from_terrain(map());
        assert_eq!(&repaired, fresh.placements(key));
    }
}
