//! The cost of arriving at each placement of a layer: the maximum over the cells under the footprint.
//!
//! The maximum over a rectangle is separable: maxima over rows, then over columns, each in ⌈log₂ side⌉ passes
//! that double the covered length, as in erosion. Invariant: a repair of the changed cells gives the same
//! costs, bit for bit, as a build.

use super::{Placements, Prices, anchors_touching};
use crate::bitgrid::{BitGrid, GridLayout, LocalRect, PaddedIndex, for_each_pass};
use crate::cost::StepCost;
use crate::derived::Derived;
use crate::geometry::Footprint;
use crate::pages::NumberPages;
use crate::terrain::{Change, Terrain};

/// What arriving at each placement of a layer costs: the maximum over the cells under the footprint.
///
/// One packed `StepCost` a padded cell, 0 where the body does not fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlacementCosts {
    layout: GridLayout,
    packed: NumberPages,
    /// The minimum and the maximum cost of each row's placements, packed; (`u32::MAX`, 0) for a row without
    /// any.
    row_extremes: Vec<(u32, u32)>,
    /// The placements of each row, and those of locally uniform cost.
    row_counts: Vec<[u32; 2]>,
    /// The sums over all rows.
    counts: [u64; 2],
    /// Placements of locally uniform cost, at which the pruning rules for uniform cost hold. Each of the
    /// eight neighbours costs the same or is no placement; a diagonal step costs more than a straight one and
    /// less than two; and no edge is near.
    uniform: BitGrid,
}

/// Made for the footprint of the layer's body. A placement that is new needs a cost, too: edits that only
/// open or close cells count where placements have changed, which the layer tells.
impl Derived for PlacementCosts {
    type Source<'a> = (&'a Terrain, &'a Placements, Prices<'a>);
    type Kind = Footprint;

    /// Takes `log₂ w + log₂ h` passes over an array of four bytes a cell.
    fn build(source @ (terrain, ..): Self::Source<'_>, footprint: Footprint) -> Self {
        let layout = terrain.layout();
        let mut costs = Self {
            layout,
            packed: NumberPages::filled(layout.padded_len(), 0),
            row_extremes: vec![(u32::MAX, 0); layout.height() as usize],
            row_counts: vec![[0; 2]; layout.height() as usize],
            counts: [0; 2],
            uniform: BitGrid::new(layout),
        };
        // An empty map has no rectangle to repair.
        if layout.cells() > 0 {
            costs.repair_in(source, footprint, layout.all());
        }
        costs
    }

    fn repair_in(
        &mut self,
        (terrain, layer, prices): Self::Source<'_>,
        footprint: Footprint,
        rect: LocalRect,
    ) -> Option<LocalRect> {
        let (w, h) = (footprint.w() as usize, footprint.h() as usize);
        // A body extends right and down from its anchor.
        // The cells under the placements of the rectangle.
        let cells = rect.grown(0, 0, w as u32 - 1, h as u32 - 1, self.layout);
        let columns = (cells.x1 - cells.x0) as usize;
        let mut window = Vec::with_capacity(columns * (cells.y1 - cells.y0) as usize);
        for y in cells.y0..cells.y1 {
            push_cell_costs(&mut window, terrain, &prices, y, cells.x0..cells.x1);
        }
        // Maxima over rows first, then over columns: a maximum over a rectangle is one of maxima.
        grow_maxima(&mut window, w, 1);
        grow_maxima(&mut window, h, columns);
        let mut buffer = Vec::new();
        let mut has_changed = false;
        for (y, row) in (rect.y0..rect.y1).zip(window.chunks_exact(columns)) {
            // `window` has the rows below the rectangle, too: `zip` ends with the rectangle.
            let start = self.layout.index(rect.x0, y);
            let width = (rect.x1 - rect.x0) as usize;
            let first = start.get();
            let mut row_has_changed = false;
            self.packed.rewrite(first..first + width, |at, old| {
                let cost = if layer.get(PaddedIndex::new(at)) { row[at - first] } else { 0 };
                row_has_changed |= cost != old;
                cost
            });
            // Extremes and counts are kept by row, so that a repair reads the rows that it touches and no
            // others.
            if row_has_changed {
                let (extremes, placements) = self.survey_row(y, &mut buffer);
                self.row_extremes[y as usize] = extremes;
                self.count(y, 0, placements);
                has_changed = true;
            }
        }
        // A cell is uniform by its neighbours, so those around the rectangle can change, too. They can without
        // a change of costs, as an edge comes or goes.
        has_changed |= self.find_uniform(layer, rect.grown(1, 1, 1, 1, self.layout));
        has_changed.then_some(rect)
    }

    fn memory(&self) -> usize {
        let rows = size_of_val(&self.row_extremes[..]) + size_of_val(&self.row_counts[..]);
        self.packed.memory() + rows + self.uniform.memory()
    }

    fn is_concerned_by(change: Change, _footprint: Footprint) -> bool {
        change.costs()
    }

    fn touched_by(rect: LocalRect, footprint: Footprint, layout: GridLayout) -> LocalRect {
        anchors_touching(rect, footprint, layout)
    }
}

impl PlacementCosts {
    /// Placements of locally uniform cost, at which the pruning rules for uniform cost hold: each of the
    /// eight neighbours costs the same or is no placement, and a diagonal step costs more than a straight one
    /// and less than two.
    #[inline]
    pub(crate) fn uniform(&self) -> &BitGrid {
        &self.uniform
    }

    /// Returns whether at least half of all placements are of locally uniform cost.
    #[inline]
    pub fn is_mostly_uniform(&self) -> bool {
        let [placements, uniform] = self.counts;
        uniform * 2 >= placements
    }

    /// Returns the packed costs of all padded cells.
    #[inline]
    pub(crate) const fn packed(&self) -> &NumberPages {
        &self.packed
    }

    /// Returns the cost of arriving at a placement; `None` where the body does not fit.
    #[inline]
    pub(crate) fn get(&self, index: PaddedIndex) -> Option<StepCost> {
        let packed = self.packed[index.get()];
        (packed != 0).then(|| StepCost::unpack(packed))
    }

    /// Returns the part of its speed, at most 1, with which a body walks that these costs slow. Its top-left
    /// corner is at `place`, in cells from the region's. The part is below 1 as long as the nearest placement
    /// costs more than over weight 1.
    pub fn pace(&self, place: [f32; 2]) -> f32 {
        let [x, y] = place.map(|v| (v + 0.5).floor());
        if !(x >= 0.0 && y >= 0.0 && x < self.layout.width() as f32 && y < self.layout.height() as f32) {
            return 1.0;
        }
        let cost = self.get(self.layout.index(x as u32, y as u32)).unwrap_or(StepCost::UNIT);
        (f32::from(StepCost::UNIT.straight) / f32::from(cost.straight)).min(1.0)
    }

    /// Returns the minimum and the maximum cost; the unit cost twice without a placement.
    pub(crate) fn extremes(&self) -> (StepCost, StepCost) {
        let (low, high) =
            self.row_extremes.iter().fold((u32::MAX, 0), |(low, high), &(a, b)| (low.min(a), high.max(b)));
        // Packed costs are never zero, so a maximum of zero means that there is no placement.
        if high == 0 {
            (StepCost::UNIT, StepCost::UNIT)
        } else {
            (StepCost::unpack(low), StepCost::unpack(high))
        }
    }

    /// Returns whether every placement costs what weight 1 does.
    pub(crate) fn is_uniform(&self) -> bool {
        self.extremes() == (StepCost::UNIT, StepCost::UNIT)
    }

    /// Finds the placements of `rect` that are of locally uniform cost; returns whether that changes any.
    fn find_uniform(&mut self, layer: &Placements, rect: LocalRect) -> bool {
        let mut has_changed = false;
        let plain = layer.edges().map(|edges| edges.plain());
        let stride = self.layout.stride();
        let mut buffers = [const { Vec::new() }; 3];
        let mut words = Vec::new();
        for y in rect.y0..rect.y1 {
            // The rows above, here and below, from the cell left of the rectangle's on.
            let first = self.layout.index(rect.x0, y).get() - 1;
            let width = (rect.x1 - rect.x0) as usize + 2;
            let [above, here, below] = &mut buffers;
            let read = |start: usize, buffer| self.packed.read(start..start + width, buffer);
            let above = read(first - stride, above);
            let here = read(first, here);
            let below = read(first + stride, below);
            let columns = self.uniform.write_row(y, rect.x0..rect.x1, |x| {
                let left = (x - rect.x0) as usize;
                let around = left..left + 3;
                let own = here[left + 1];
                let step = StepCost::unpack(own);
                let (straight, diagonal) = (u32::from(step.straight), u32::from(step.diagonal));
                // A neighbour of cost 0 is no placement, so no path leads over it.
                let same = |other: &u32| *other == own || *other == 0;
                own != 0
                    && plain.is_none_or(|plain| plain.at(x, y))
                    // Near the least and the highest step cost, rounding and saturation break the ratio of √2
                    // that pruning relies on.
                    && straight < diagonal
                    && diagonal < 2 * straight
                    && above[around.clone()].iter().all(same)
                    && here[around.clone()].iter().all(same)
                    && below[around].iter().all(same)
            });
            has_changed |= columns.is_some();
            let words = self.uniform.row_words(y as usize + 1, &mut words);
            let uniform = words.iter().map(|word| word.count_ones()).sum();
            self.count(y, 1, uniform);
        }
        has_changed
    }

    /// Returns the minimum and the maximum cost of row `y`, and the number of its placements.
    fn survey_row(&self, y: u32, buffer: &mut Vec<u32>) -> ((u32, u32), u32) {
        let start = self.layout.index(0, y).get();
        self.packed
            .read(start..start + self.layout.width() as usize, buffer)
            .iter()
            .filter(|&&cost| cost != 0)
            .fold(((u32::MAX, 0), 0), |((low, high), placements), &cost| {
                ((low.min(cost), high.max(cost)), placements + 1)
            })
    }

    /// Sets count `n` of row `y`.
    fn count(&mut self, y: u32, n: usize, new: u32) {
        let old = std::mem::replace(&mut self.row_counts[y as usize][n], new);
        self.counts[n] = self.counts[n] + u64::from(new) - u64::from(old);
    }
}

/// Returns the cost of arriving at a placement whose body covers `under`, looked up cell by cell.
pub(crate) fn cost_at(terrain: &Terrain, prices: &Prices<'_>, under: LocalRect) -> StepCost {
    let (weights, ids) = (terrain.weights(), terrain.ids());
    let price = |(x, y): (u32, u32)| {
        let weight = weights.map_or(1.0, |weights| weights.get(x, y));
        prices.of(weight, ids.map_or(0, |ids| ids.get(x, y)), x as usize, y)
    };
    // Rounded once, at the end: step costs are ordered as prices are.
    StepCost::from_weight(under.places().map(price).fold(0.0, f64::max))
}

/// Appends the packed cost of each cell of a part of row `y`, as if it were a placement of its own.
fn push_cell_costs(
    window: &mut Vec<u32>,
    terrain: &Terrain,
    prices: &Prices<'_>,
    y: u32,
    columns: std::ops::Range<u32>,
) {
    let columns = columns.start as usize..columns.end as usize;
    let cost =
        |weight: f32, terrain: u8, x: usize| StepCost::from_weight(prices.of(weight, terrain, x, y)).pack();
    // The cases are told apart once for each row, so that the loops over columns read only arrays that exist.
    match (terrain.weights(), terrain.ids()) {
        (None, None) if prices.added.is_empty() => {
            let cost = cost(1.0, 0, 0);
            window.extend(columns.map(|_| cost));
        }
        (None, None) => window.extend(columns.map(|x| cost(1.0, 0, x))),
        (Some(weights), None) => {
            let weights = weights.row(y);
            window.extend(columns.map(|x| cost(weights[x], 0, x)));
        }
        (None, Some(ids)) => {
            let ids = ids.row(y);
            window.extend(columns.map(|x| cost(1.0, ids[x], x)));
        }
        (Some(weights), Some(ids)) => {
            let (weights, ids) = (weights.row(y), ids.row(y));
            window.extend(columns.map(|x| cost(weights[x], ids[x], x)));
        }
    }
}

/// Makes each element the maximum of `side` elements, `step` apart, that begin with it. Packed costs are
/// ordered as weights are, because both halves grow with the weight. Elements near the end of a row mix in
/// the next one: no placement begins there, as the body would leave the map.
fn grow_maxima(values: &mut [u32], side: usize, step: usize) {
    for_each_pass(side, |shift| {
        // The elements behind `kept` have no partner; they belong to anchors at which the body would leave
        // the map.
        let kept = values.len().saturating_sub(shift * step);
        for i in 0..kept {
            values[i] = values[i].max(values[i + shift * step]);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Cell, CellRect};
    use crate::passability::{TerrainCosts, open_grid};
    use crate::terrain::Capability;

    #[test]
    fn a_body_pays_the_worst_cell_that_it_stands_on() {
        let mut map = Terrain::from_text("....\n.~#.\n....", Cell::default()).unwrap();
        map.fill_weight(CellRect::new(3, 2, 1, 1), 5.0).unwrap();
        let factors = TerrainCosts::new(&[1.0, 3.0]).unwrap();
        let footprint = Footprint::new(2, 1).unwrap();
        let layer = Placements::from(open_grid(&map, Capability::ALL).eroded(footprint));
        let costs = PlacementCosts::build((&map, &layer, (&factors).into()), footprint);
        let at = |x, y| costs.get(map.layout().index(x, y)).map(|c| c.straight);
        assert_eq!(at(0, 1), Some(210));
        assert_eq!(at(1, 1), None);
        assert_eq!(at(2, 2), Some(350));
        assert_eq!(at(0, 0), Some(70));
        assert_eq!(at(3, 0), None);
        assert_eq!(costs.extremes(), (StepCost::UNIT, StepCost::from_weight(5.0)));
        for (x, y) in map.layout().all().places() {
            let index = map.layout().index(x, y);
            let under = LocalRect { x0: x, y0: y, x1: x + 2, y1: y + 1 };
            let looked_up = layer.get(index).then(|| cost_at(&map, &Prices::from(&factors), under));
            assert_eq!(costs.get(index), looked_up);
        }
    }
}
