//! What the cells of a map cost a body.

use crate::raster::Raster;
use crate::terrain::TERRAIN_IDS;

/// What each terrain multiplies the weight of its cells by.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TerrainCosts([f32; TERRAIN_IDS as usize]);

impl Default for TerrainCosts {
    fn default() -> Self {
        Self([1.0; TERRAIN_IDS as usize])
    }
}

crate::bytes::saved_as!(TerrainCosts as [f32; TERRAIN_IDS as usize], |costs| costs.0, |costs| Self::new(
    &costs
)
.ok_or("a terrain cost is not a finite number of at least 0"));

impl TerrainCosts {
    /// Costs by terrain id, 1 for missing ones; `None` when there are more than 32 or one is not a finite
    /// number of at least 0.
    pub fn new(costs: &[f32]) -> Option<Self> {
        let mut all = Self::default();
        all.0.get_mut(..costs.len())?.copy_from_slice(costs);
        costs.iter().all(|c| c.is_finite() && *c >= 0.0).then_some(all)
    }

    /// Returns the factor of terrain `id`.
    #[inline]
    pub const fn of(&self, id: u8) -> f32 {
        // Ids are below 32; the mask says so to the compiler, which leaves out the check of the bound.
        self.0[id as usize & (TERRAIN_IDS as usize - 1)]
    }

    /// Returns whether every factor is 1.
    pub(crate) fn is_unit(&self) -> bool {
        // All are looked at, without a branch for each: every query asks, and nearly always they are.
        self.0.iter().fold(0, |differs, factor| differs | factor.to_bits() ^ 1.0_f32.to_bits()) == 0
    }
}

/// Influence maps that may weigh on the paths of one map. Each profile holds a weight for each, and saves it,
/// so the number is part of the form of saved profiles.
pub const INFLUENCES_MAX: usize = 8;

/// How much the influence in each of a map's slots weighs on a body; 0 is not at all.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct InfluenceWeights([f32; INFLUENCES_MAX]);

crate::bytes::saved_as!(InfluenceWeights as [f32; INFLUENCES_MAX], |weights| weights.0, |weights| Self::new(
    &weights
)
.ok_or("an influence weight is not finite"));

impl InfluenceWeights {
    /// Weights by slot, 0 for missing ones; `None` when there are more than [`INFLUENCES_MAX`] or one is not
    /// finite.
    pub fn new(weights: &[f32]) -> Option<Self> {
        let mut all = Self::default();
        all.0.get_mut(..weights.len())?.copy_from_slice(weights);
        // The sum makes a zero of a negative zero.
        all.0.iter_mut().for_each(|weight| *weight += 0.0);
        weights.iter().all(|weight| weight.is_finite()).then_some(all)
    }

    /// Returns the slots that weigh, and how much.
    pub(crate) fn slots(&self) -> impl Iterator<Item = (usize, f32)> {
        self.0.into_iter().enumerate().filter(|&(_, weight)| weight != 0.0)
    }
}

/// How cells are priced: a cell's weight times the factor of its terrain, and what is added to that.
///
/// A sum below zero counts as zero, so that the least cost of a step is one unit and searches stay optimal.
#[derive(Clone, Copy, Debug)]
pub struct Prices<'a> {
    /// By terrain.
    pub factors: &'a TerrainCosts,
    /// Values of cells, each with what it is multiplied by.
    pub added: &'a [(f32, &'a Raster<f32>)],
}

impl<'a> From<&'a TerrainCosts> for Prices<'a> {
    fn from(factors: &'a TerrainCosts) -> Self {
        Self { factors, added: &[] }
    }
}

impl Prices<'_> {
    /// What a cell of weight `weight` and terrain `terrain` costs at column `x` of row `y`.
    #[inline]
    pub(super) fn of(&self, weight: f32, terrain: u8, x: usize, y: u32) -> f64 {
        // 64 bits hold the product of two 32-bit floats exactly, so only the sum is rounded.
        let own = f64::from(weight) * f64::from(self.factors.of(terrain));
        let added = self.added.iter().map(|(by, values)| f64::from(*by) * f64::from(values.row(y)[x]));
        // In the order of the slots: a sum of floats depends on the order of its terms.
        added.fold(own, |sum, part| sum + part).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_checked() {
        assert!(InfluenceWeights::new(&[1.0; 9]).is_none());
        assert!(InfluenceWeights::new(&[f32::INFINITY]).is_none());
        let weights = InfluenceWeights::new(&[0.0, 2.0, -0.0, -1.0]).unwrap();
        assert_eq!(weights.slots().collect::<Vec<_>>(), [(1, 2.0), (3, -1.0)]);
        assert_eq!(InfluenceWeights::new(&[-0.0]).unwrap(), InfluenceWeights::default());
    }

    #[test]
    fn factors_are_checked() {
        assert!(TerrainCosts::new(&[1.0; 33]).is_none());
        assert!(TerrainCosts::new(&[f32::NAN]).is_none());
        assert!(TerrainCosts::new(&[-1.0]).is_none());
        assert!(TerrainCosts::new(&[]).unwrap().is_unit());
    }
}
