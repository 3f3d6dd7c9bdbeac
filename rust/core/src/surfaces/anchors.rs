//! Which anchor a position between cells means.

use super::BodyLayers;
use crate::geometry::Cell;

/// A centre that is off its column by less than this, in cells, is in it.
const OFF_MIN: f64 = 0.01;

impl BodyLayers {
    /// Returns the anchor of a body whose centre is at a place in cell space. Of the nearest anchors, one at
    /// which the body stands on ground comes first, then one at which it fits, then the nearest. `None` if
    /// the place is not finite.
    pub fn anchor_near(&self, (x, y): (f64, f64)) -> Option<Cell> {
        if !(x.is_finite() && y.is_finite()) {
            return None;
        }
        let (w, h) = (self.footprint().w(), self.footprint().h());
        let anchor = |at: f64, side: i32| (at - f64::from(side - 1) / 2.0).floor() as i32;
        let nearest = Cell::new(anchor(x, w), anchor(y, h));
        if self.stands_at(nearest) {
            return Some(nearest);
        }
        let off = x - f64::from(w) / 2.0 - f64::from(nearest.x);
        let beside = Cell::new(nearest.x.saturating_add(if off < 0.0 { -1 } else { 1 }), nearest.y);
        if off.abs() > OFF_MIN && self.stands_at(beside) {
            return Some(beside);
        }
        // The place stays within the body's cells, or in the ground right below them: floors lie inside tiles.
        let mut higher =
            (1..=(h / 2).max(1)).map(|rows| Cell::new(nearest.x, nearest.y.saturating_sub(rows)));
        let standing = higher.clone().find(|&cell| self.stands_at(cell));
        let fitting = || {
            let fits = |&cell: &Cell| self.fits_at(cell);
            if fits(&nearest) { None } else { self.anchor_covering((x, y)).or(higher.find(fits)) }
        };
        Some(standing.or_else(fitting).unwrap_or(nearest))
    }

    /// The nearest anchor of a body that fits and covers the place, on ground if there is one.
    fn anchor_covering(&self, (x, y): (f64, f64)) -> Option<Cell> {
        let (w, h) = (self.footprint().w(), self.footprint().h());
        let (column, row) = (x.floor() as i32, y.floor() as i32);
        let off = |anchor: Cell| {
            let dx = f64::from(anchor.x) + f64::from(w) / 2.0 - x;
            let dy = f64::from(anchor.y) + f64::from(h) / 2.0 - y;
            dx * dx + dy * dy
        };
        let anchors = (0..w * h).map(|n| Cell::new(column.saturating_sub(n % w), row.saturating_sub(n / w)));
        let in_air = |anchor: Cell| !self.stands_at(anchor);
        anchors
            .filter(|&anchor| self.fits_at(anchor))
            .min_by(|&a, &b| in_air(a).cmp(&in_air(b)).then(off(a).total_cmp(&off(b))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{CellRect, Footprint};
    use crate::terrain::Terrain;
    use crate::world::World;

    fn layers(rows: &str, footprint: Footprint) -> BodyLayers {
        let terrain = Terrain::from_text(rows, Cell::new(0, 0)).unwrap();
        World::from_terrain(terrain).body_layers(footprint)
    }

    #[test]
    fn a_body_beside_a_ledge_stands_on_it() {
        let layers = layers("....\n....\n##..\n", Footprint::ONE);
        assert_eq!(layers.anchor_near((1.5, 1.5)), Some(Cell::new(1, 1)));
        assert_eq!(layers.anchor_near((2.2, 1.5)), Some(Cell::new(1, 1)), "off to the side of the ledge");
        assert_eq!(layers.anchor_near((2.5, 1.5)), Some(Cell::new(2, 1)), "in the air");
        assert_eq!(layers.anchor_near((f64::NAN, 1.5)), None);
    }

    #[test]
    fn a_body_in_a_wall_is_where_it_fits() {
        let layers = layers("....\n....\n..##\n####\n", Footprint::new(2, 2).unwrap());
        assert_eq!(layers.anchor_near((1.0, 2.6)), Some(Cell::new(0, 1)), "a row higher");
        assert_eq!(layers.anchor_near((2.6, 1.6)), Some(Cell::new(2, 0)));
        let small = self::layers("....\n..##\n..##\n####\n", Footprint::ONE);
        assert_eq!(small.anchor_near((2.5, 1.7)), Some(Cell::new(2, 0)), "in the ground");
        assert_eq!(small.anchor_near((2.5, 2.2)), Some(Cell::new(2, 2)), "deep in it");
        let outside = CellRect::new(0, 0, 4, 4);
        assert!(
            !outside.contains(layers.anchor_near((9.0, 9.0)).unwrap()),
            "far out it is the nearest anchor"
        );
    }
}
