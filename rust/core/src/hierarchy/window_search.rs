//! Searches over the cells of a small window of the map, for the refiner and for the ends of an abstract
//! search.
//!
//! Label-correcting, in memory as large as the window. It stays apart from the A\* of `search`, whose queue
//! is exact and whose labels lie in an array of the whole map. A query here runs dozens of searches over a
//! few thousand cells each, and their arrays stay in the nearest caches. On locally uniform cells both prune
//! as jump-point search does.

use super::ground::BodyGround;
use crate::bitgrid::{GridLayout, ones};
use crate::cost::StepCost;
use crate::geometry::Direction;
use crate::pages::{NumberPages, NumberView};
use crate::passability::PlacementCosts;
use crate::primitives::{
    Estimate, Frontier, GridBounds, GridPoint, Heuristic, Label, Labels, PruningTable, offsets,
    search_label_correcting,
};

/// The arrival of a source: no direction.
const SOURCE: u8 = 8;
const UNREACHED: u32 = u32::MAX;
/// By direction: from a packed grid point, whose row is its upper half, to its neighbour; to be added
/// wrapping.
const POINT_OFFSETS: [usize; 8] = offsets(1 << 16);

/// The direction of the paths whose costs are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CostsRun {
    /// From the sources to everywhere.
    FromSources,
    /// From everywhere to the sources: the search runs against the steps.
    ToSources,
}

/// The costs of a window's cells, to be used again by the next search.
#[derive(Clone, Debug, Default)]
pub(super) struct WindowSearch {
    /// Costs so far, with a border of zeros, which nothing improves: no step needs a test of bounds.
    g: Vec<u32>,
    arrival: Vec<u8>,
    window: Option<GridBounds>,
    stride: usize,
    frontier: Frontier,
    /// Cells expanded since this was last set to zero.
    pub(super) expanded: u32,
}

impl WindowSearch {
    /// Finds the cost between each placement in the window and the nearest of `sources`, by paths that stay
    /// in the window. `direction` says whether they lead from the source or to it.
    pub(super) fn search_all(
        &mut self,
        ground: &BodyGround<'_>,
        window: GridBounds,
        sources: &[GridPoint],
        direction: CostsRun,
    ) {
        let heuristic = Heuristic::zero();
        self.start(ground, window, sources, heuristic, 1);
        match (ground.costs, direction) {
            (None, _) => self.run::<UNIFORM>(ground, heuristic, direction, None),
            (Some(_), CostsRun::FromSources) => self.run::<FORWARD>(ground, heuristic, direction, None),
            (Some(_), CostsRun::ToSources) => self.run::<BACKWARD>(ground, heuristic, direction, None),
        }
    }

    /// Finds a path of minimum cost from `from` to `to` that does not leave the window; returns its cost.
    /// [`WindowSearch::trace`] then gives the path.
    pub(super) fn find(
        &mut self,
        ground: &BodyGround<'_>,
        window: GridBounds,
        from: GridPoint,
        to: GridPoint,
    ) -> Option<u32> {
        let heuristic = Heuristic::new(ground.mode, ground.extremes().0, GridBounds::of_point(to));
        // The span of keys: a step away from the goal raises the key by its cost and by what the estimate
        // grows: twice a step.
        self.start(ground, window, &[from], heuristic, 2);
        match ground.costs {
            None => self.run::<UNIFORM>(ground, heuristic, CostsRun::FromSources, Some(to)),
            Some(_) => self.run::<FORWARD>(ground, heuristic, CostsRun::FromSources, Some(to)),
        }
        self.cost(to)
    }

    /// The cost that the last search found for a point; `None` if it did not reach it.
    pub(super) fn cost(&self, point: GridPoint) -> Option<u32> {
        let window = self.window.filter(|window| window.contains(point))?;
        let g = self.g[place(window, self.stride, point)];
        (g != UNREACHED).then_some(g)
    }

    /// Appends the points from `point`, which the last search reached, back to a source, both included.
    pub(super) fn trace(&self, mut point: GridPoint, path: &mut Vec<GridPoint>) {
        let Some(window) = self.window else { return };
        path.push(point);
        let arrival = |point| usize::from(self.arrival[place(window, self.stride, point)]);
        // Ends at a source, whose arrival is no direction.
        while let Some(&direction) = Direction::ALL.get(arrival(point)) {
            point = point.before(direction);
            path.push(point);
        }
    }

    fn start(
        &mut self,
        ground: &BodyGround<'_>,
        window: GridBounds,
        sources: &[GridPoint],
        heuristic: Heuristic,
        steps_of_span: u32,
    ) {
        let (w, h) = ((window.x1 - window.x0 + 1) as usize, (window.y1 - window.y0 + 1) as usize);
        self.window = Some(window);
        self.stride = w + 2;
        let len = self.stride * (h + 2);
        self.g.clear();
        self.g.resize(len, UNREACHED);
        // The border of zeros: first and last row, then both ends of each row.
        self.g[..self.stride].fill(0);
        self.g[len - self.stride..].fill(0);
        for row in self.g.chunks_exact_mut(w + 2) {
            (row[0], row[w + 1]) = (0, 0);
        }
        // Arrivals need no reset: they are read where a cost is known, and written with it.
        if self.arrival.len() < len {
            self.arrival.resize(len, SOURCE);
        }
        let key = |source: &GridPoint| heuristic.estimate(source.x(), source.y());
        let first = sources.iter().map(key).min().unwrap_or(0);
        self.frontier.clear_coarse(first, steps_of_span * u32::from(ground.extremes().1.diagonal) + 1);
        for source in sources {
            let place = place(window, self.stride, *source);
            self.g[place] = 0;
            self.arrival[place] = SOURCE;
            self.frontier.push(key(source), Label { g: 0, node: source.packed() });
        }
    }

    fn run<const STEPS: u8>(
        &mut self,
        ground: &BodyGround<'_>,
        heuristic: Heuristic,
        direction: CostsRun,
        goal: Option<GridPoint>,
    ) {
        let Some(window) = self.window else { return };
        let layout = ground.layer.layout();
        let mut labels = Cells::<STEPS> {
            goal: goal.map(|goal| place(window, self.stride, goal)),
            g: &mut self.g,
            arrival: &mut self.arrival,
            window,
            stride: self.stride,
            offsets: offsets(self.stride),
            ground,
            layout,
            // No pages without costs: a uniform search reads none.
            packed: ground.costs.map_or(const { &NumberPages::new() }, PlacementCosts::packed).view(),
            index_offsets: offsets(layout.stride()),
            table: PruningTable::of(ground.mode),
            heuristic,
            direction,
        };
        // Without a limit, since a window is small: the caller counts what it took.
        let (Ok(expanded) | Err(expanded)) =
            search_label_correcting(&mut self.frontier, &mut labels, u32::MAX);
        self.expanded += expanded;
    }
}

/// The place of a point in arrays of a window, which have a border of one.
#[inline]
fn place(window: GridBounds, stride: usize, point: GridPoint) -> usize {
    (point.y() + 1 - window.y0) as usize * stride + (point.x() + 1 - window.x0) as usize
}

/// Every step costs what it does over weight 1.
const UNIFORM: u8 = 0;
/// A step costs what the placement costs that it leads to.
const FORWARD: u8 = 1;
/// The search runs against the steps: one costs what the placement costs that is expanded.
const BACKWARD: u8 = 2;

/// The labels of a window's cells during a search.
struct Cells<'a, const STEPS: u8> {
    g: &'a mut [u32],
    arrival: &'a mut [u8],
    window: GridBounds,
    stride: usize,
    offsets: [usize; 8],
    ground: &'a BodyGround<'a>,
    layout: GridLayout,
    packed: NumberView<'a>,
    index_offsets: [usize; 8],
    table: &'static PruningTable,
    heuristic: Heuristic,
    direction: CostsRun,
    /// The place of the goal.
    goal: Option<usize>,
}

impl<const STEPS: u8> Labels for Cells<'_, STEPS> {
    #[inline]
    fn cost(&self, node: u32) -> u32 {
        self.g[place(self.window, self.stride, GridPoint::from_packed(node))]
    }

    #[inline]
    fn bound(&self) -> u32 {
        self.goal.map_or(UNREACHED, |goal| self.g[goal])
    }

    #[inline]
    fn expand(&mut self, node: u32, g: u32, frontier: &mut Frontier) {
        let point = GridPoint::from_packed(node);
        let (place, index) = (place(self.window, self.stride, point), point.index(self.layout));
        let (layer, mode) = (self.ground.layer, self.ground.mode);
        let cells = match self.direction {
            CostsRun::FromSources => layer.steps_from(mode, index),
            CostsRun::ToSources => layer.steps_to(mode, index),
        };
        let arrival = self.arrival[place];
        let is_uniform = match self.ground.costs {
            Some(costs) if STEPS != UNIFORM => costs.uniform().get(index),
            _ => layer.is_plain(index),
        };
        // Pruning holds where all steps around cost the same; a source has no parent to prune by.
        let directions = if is_uniform && arrival != SOURCE {
            self.table.after(arrival, cells)
        } else {
            self.table.legal(cells)
        };
        for direction in ones(directions.0) {
            let direction = direction & 7;
            let to = place.wrapping_add(self.offsets[direction]);
            let step = match STEPS {
                UNIFORM => const { StepCost::UNIT.pack() },
                FORWARD => *self.packed.at(index.get().wrapping_add(self.index_offsets[direction])),
                // The step leads back to the cell that is expanded, so that one is paid.
                _ => *self.packed.at(index.get()),
            };
            // Odd directions are diagonal, whose cost is the upper half.
            let g = g + (step >> ((direction & 1) << 4) & 0xffff);
            if g < self.g[to] {
                self.g[to] = g;
                self.arrival[to] = direction as u8;
                let neighbour = GridPoint::from_packed(node.wrapping_add(POINT_OFFSETS[direction] as u32));
                let key = g + self.heuristic.estimate(neighbour.x(), neighbour.y());
                frontier.push(key, Label { g, node: neighbour.packed() });
            }
        }
    }
}
