//! Questions about positions: the one closest to a segment, and one drawn at random.

use super::World;
use super::query::Profile;
use crate::bitgrid::cell_at;
use crate::connectivity::{Segment, closest_position};
use crate::geometry::Cell;

impl World {
    /// Returns the centre of the body of `profile`, in cell space, where it covers open cells alone and is
    /// closest to the segment between `ends`. `None` if there is no such place. Of several, the first on a
    /// segment in the plane, else one of them.
    ///
    /// The ends are points of cell space with a height above its plane. `sides` are the steps along x, along
    /// y and up in the space in which distances count. An end at which the body fits comes back to the last
    /// bit.
    ///
    /// ```
    /// use pathforge_core::geometry::Cell;
    /// use pathforge_core::terrain::Terrain;
    /// use pathforge_core::world::{Profile, World};
    ///
    /// let mut world = World::from_terrain(Terrain::from_text("..#\n..#\n", Cell::new(0, 0))?);
    /// let sides = [[16.0, 0.0, 0.0], [0.0, 16.0, 0.0], [0.0, 0.0, 1.0]];
    /// let at = [1.75, 0.75, 0.0];
    /// assert_eq!(world.closest_position(&Profile::default(), sides, [at, at]), Some((1.5, 0.75)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn closest_position(
        &mut self,
        profile: &Profile,
        sides: [[f64; 3]; 3],
        ends: [[f64; 3]; 2],
    ) -> Option<(f64, f64)> {
        let (region, footprint) = (self.terrain.region(), profile.footprint);
        // From the centre of a body in cell space to its corner in the layer: halves and whole numbers, which
        // are exact.
        let left = f64::from(region.x) + f64::from(footprint.w()) / 2.0;
        let top = f64::from(region.y) + f64::from(footprint.h()) / 2.0;
        let [from, to] = ends.map(|[x, y, height]| [x - left, y - top, height]);
        let layer = self.layers.placements(&self.terrain, &profile.layer_key());
        let (x, y) = closest_position(layer, &Segment { from, to, sides })?;
        // Not by the sum, which may differ in the last bit.
        let is_first = (x, y) == (from[0], from[1]);
        Some(if is_first { (ends[0][0], ends[0][1]) } else { (x + left, y + top) })
    }

    /// Returns one of the placements of the body of `profile`, each as likely as any other where all values
    /// of `draw` are; `None` without any. The same placements and the same `draw` give the same answer. Takes
    /// time in proportion to the words of 64 cells.
    pub fn random_placement(&mut self, profile: &Profile, draw: u64) -> Option<Cell> {
        let region = self.terrain.region();
        let layer = self.layers.placements(&self.terrain, &profile.layer_key());
        let n = (u128::from(draw) * u128::from(layer.count())) >> 64;
        Some(cell_at(region, layer.layout().xy(layer.nth(n as u64)?)))
    }
}
