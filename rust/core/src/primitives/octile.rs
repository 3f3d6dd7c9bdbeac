use super::grid_point::GridBounds;
use crate::cost::StepCost;
use crate::geometry::DiagonalMode;

/// The octile distance: the cost of a shortest path over open ground on which every step costs the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OctileDistance {
    straight: u32,
    /// The cost of a diagonal step less that of a straight one.
    diagonal_excess: u32,
}

impl OctileDistance {
    /// The distance over ground of weight 1 with diagonal steps.
    const UNIT: Self = Self::new(DiagonalMode::Always, StepCost::UNIT);

    /// The distance for bodies that move by `mode`, where a step costs `step`.
    pub(crate) const fn new(mode: DiagonalMode, step: StepCost) -> Self {
        let (straight, diagonal) = (step.straight as u32, step.diagonal as u32);
        // Two straight steps can replace a diagonal one, and without diagonal steps they do; then the octile
        // distance is the Manhattan distance.
        let is_replaced = matches!(mode, DiagonalMode::Never) || diagonal > 2 * straight;
        Self { straight, diagonal_excess: if is_replaced { straight } else { diagonal - straight } }
    }

    /// The distance over `dx` columns and `dy` rows, in units.
    #[inline]
    pub(crate) fn over(self, dx: u32, dy: u32) -> u32 {
        // The longer side counts every step, the shorter side counts the diagonal ones once more. Minimum and
        // maximum take no branch, which every expansion would mispredict.
        self.straight * dx.max(dy) + self.diagonal_excess * dx.min(dy)
    }
}

/// The octile distance over `dx` columns and `dy` rows of weight 1, in units.
#[inline]
pub fn octile(dx: u32, dy: u32) -> u32 {
    OctileDistance::UNIT.over(dx, dy)
}

/// The octile distance to the bounds of the goals, in steps of minimum cost: a lower bound on the cost to any
/// goal.
///
/// It is *consistent*: a step lowers it by at most what the step costs. So keys (cost so far plus estimate)
/// never decrease along a path, and a cell's first expansion has its least cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heuristic {
    distance: OctileDistance,
    goals: GridBounds,
}

impl Heuristic {
    /// The heuristic for bodies that move by `mode` to a goal in `goals`, when no step costs less than
    /// `minimum`.
    pub(crate) const fn new(mode: DiagonalMode, minimum: StepCost, goals: GridBounds) -> Self {
        Self { distance: OctileDistance::new(mode, minimum), goals }
    }

    /// The heuristic that is 0 everywhere: A\* becomes Dijkstra's algorithm.
    pub(crate) const fn zero() -> Self {
        // Both factors are 0, so the bounds do not matter.
        let distance = OctileDistance { straight: 0, diagonal_excess: 0 };
        Self { distance, goals: GridBounds { x0: 0, y0: 0, x1: 0, y1: 0 } }
    }

    /// The heuristic times 1 + `parts`/32. It is not consistent: a node may be reached at less cost after its
    /// expansion. A search by it must not expand a node again, or it repeats much of its work; its paths cost
    /// up to that factor more.
    #[must_use]
    pub(crate) const fn weighted(self, parts: u32) -> Self {
        let OctileDistance { straight, diagonal_excess } = self.distance;
        let distance = OctileDistance {
            straight: straight + straight * parts / 32,
            diagonal_excess: diagonal_excess + diagonal_excess * parts / 32,
        };
        Self { distance, goals: self.goals }
    }
}

/// A lower bound on the cost to any goal.
pub(crate) trait Estimate {
    /// The estimate from padded column `x` and row `y`.
    fn estimate(&self, x: u32, y: u32) -> u32;
}

impl Estimate for Heuristic {
    #[inline]
    fn estimate(&self, x: u32, y: u32) -> u32 {
        let (dx, dy) = self.goals.offsets_from(x, y);
        self.distance.over(dx, dy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::{DIAGONAL, STRAIGHT};

    #[test]
    fn the_distance_counts_steps_by_their_cost() {
        assert_eq!(octile(3, 5), 3 * DIAGONAL + 2 * STRAIGHT);
        assert_eq!(octile(4, 0), 4 * STRAIGHT);
        let manhattan = OctileDistance::new(DiagonalMode::Never, StepCost::UNIT);
        assert_eq!(manhattan.over(3, 5), 8 * STRAIGHT);
        let high = StepCost { straight: 10, diagonal: 25 };
        assert_eq!(OctileDistance::new(DiagonalMode::Always, high).over(2, 1), 30);
    }

    #[test]
    fn a_heuristic_is_zero_inside_the_bounds_of_the_goals() {
        let goals = GridBounds { x0: 4, y0: 5, x1: 9, y1: 7 };
        let heuristic = Heuristic::new(DiagonalMode::Always, StepCost::UNIT, goals);
        assert_eq!(heuristic.estimate(6, 7), 0);
        assert_eq!(heuristic.estimate(2, 8), octile(2, 1));
        assert_eq!(heuristic.estimate(12, 5), octile(3, 0));
        assert_eq!(Heuristic::zero().estimate(12, 5), 0);
    }
}
