//! Searches over the cells of a small window of the map.

use super::ground::{BodyGround, Spot, Window};
use super::queue::RoughQueue;
use crate::bitgrid::{PaddedIndex, Shape};
use crate::cost::StepCost;
use crate::geometry::{DiagonalMode, Direction};
use crate::pages::NumberPages;
use crate::passability::{PruningTable, StandCosts};

/// The direction number of a source, which nothing arrives at.
const SOURCE: u8 = 8;
const UNREACHED: u32 = u32::MAX;

/// Which way costs run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flow {
    /// From the source to everywhere.
    Out,
    /// From everywhere to the source: steps are charged against the search.
    In,
}

/// A lower bound on the cost to a spot that never falls by more than a step costs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Estimate {
    straight: u32,
    diagonal_less_straight: u32,
    to: Window,
}

impl Estimate {
    /// The estimate for bodies that move by `mode` to a spot of `to`, when no step costs less than `cheapest`.
    pub(super) fn new(mode: DiagonalMode, cheapest: StepCost, to: Window) -> Self {
        let straight = u32::from(cheapest.straight);
        let diagonal = match mode {
            DiagonalMode::Never => 2 * straight,
            _ => u32::from(cheapest.diagonal).min(2 * straight),
        };
        Self { straight, diagonal_less_straight: diagonal - straight, to }
    }

    /// The same, 3/32 above, where costs vary: the cheapest step says little of most. It may fall by more than a step
    /// costs then, so whoever searches by it must not look at anything twice. On 4096² a first piece comes in half
    /// of the time that it takes without, for at most 1.3 % of cost in the mean; 1/8 would save a tenth to a fifth of
    /// that, and bring costs on islands near to the 2 % that are promised.
    #[must_use]
    pub(super) const fn eagerly(mut self, costs_vary: bool) -> Self {
        if costs_vary {
            self.straight += self.straight * 3 / 32;
            self.diagonal_less_straight += self.diagonal_less_straight * 3 / 32;
        }
        self
    }

    /// No estimate.
    const fn none() -> Self {
        Self { straight: 0, diagonal_less_straight: 0, to: Window { x0: 0, y0: 0, x1: 0, y1: 0 } }
    }

    #[inline]
    pub(super) fn of(self, x: u32, y: u32) -> u32 {
        let dx = self.to.x0.saturating_sub(x) + x.saturating_sub(self.to.x1);
        let dy = self.to.y0.saturating_sub(y) + y.saturating_sub(self.to.y1);
        self.straight * dx.max(dy) + self.diagonal_less_straight * dx.min(dy)
    }
}

/// The costs of a window's cells, to be used again by the next search.
#[derive(Clone, Debug, Default)]
pub(super) struct LocalSearch {
    /// Costs so far, with a border of zeros, which nothing improves.
    g: Vec<u32>,
    arrival: Vec<u8>,
    window: Option<Window>,
    stride: usize,
    queue: RoughQueue,
    /// Cells expanded since this was last set to zero.
    pub(super) expanded: u32,
}

impl LocalSearch {
    /// Finds what it costs to get from `sources`, or to them, to every stand of the window without leaving it.
    pub(super) fn flood(&mut self, ground: &BodyGround<'_>, window: Window, sources: &[Spot], flow: Flow) {
        self.begin(ground, window, sources, Estimate::none(), 1);
        match (ground.costs, flow) {
            (None, _) => self.run::<UNIFORM>(ground, Estimate::none(), None),
            (Some(_), Flow::Out) => self.run::<OUT>(ground, Estimate::none(), None),
            (Some(_), Flow::In) => self.run::<IN>(ground, Estimate::none(), None),
        }
    }

    /// Finds a cheapest way from `from` to `to` that does not leave the window; returns its cost. The way is then to be
    /// had from [`LocalSearch::trace`].
    pub(super) fn find(
        &mut self,
        ground: &BodyGround<'_>,
        window: Window,
        from: Spot,
        to: Spot,
    ) -> Option<u32> {
        let estimate = Estimate::new(ground.mode, ground.extremes().0, Window::of_spot(to));
        self.begin(ground, window, &[from], estimate, 2);
        match ground.costs {
            None => self.run::<UNIFORM>(ground, estimate, Some(to)),
            Some(_) => self.run::<OUT>(ground, estimate, Some(to)),
        }
        self.cost(to)
    }

    /// What the last search found for a spot.
    pub(super) fn cost(&self, spot: Spot) -> Option<u32> {
        self.window.filter(|w| w.contains(spot))?;
        let g = self.g[self.place(spot.x(), spot.y())];
        (g != UNREACHED).then_some(g)
    }

    /// Appends the cells from `spot`, which the last search reached, back to a source, both included.
    pub(super) fn trace(&self, mut spot: Spot, cells: &mut Vec<Spot>) {
        cells.push(spot);
        while let Some(direction) =
            Direction::ALL.get(usize::from(self.arrival[self.place(spot.x(), spot.y())]))
        {
            spot = Spot::new(
                spot.x().wrapping_add_signed(-direction.dx()),
                spot.y().wrapping_add_signed(-direction.dy()),
            );
            cells.push(spot);
        }
    }

    pub(super) fn memory(&self) -> usize {
        self.g.capacity() * 4 + self.arrival.capacity() + self.queue.memory()
    }

    #[inline]
    fn place(&self, x: u32, y: u32) -> usize {
        let (x0, y0) = self.window.map_or((0, 0), |w| (w.x0, w.y0));
        (y + 1 - y0) as usize * self.stride + (x + 1 - x0) as usize
    }

    fn begin(
        &mut self,
        ground: &BodyGround<'_>,
        window: Window,
        sources: &[Spot],
        estimate: Estimate,
        spans: u32,
    ) {
        let (w, h) = ((window.x1 - window.x0 + 1) as usize, (window.y1 - window.y0 + 1) as usize);
        self.window = Some(window);
        self.stride = w + 2;
        let len = self.stride * (h + 2);
        self.g.clear();
        self.g.resize(len, UNREACHED);
        self.g[..self.stride].fill(0);
        self.g[len - self.stride..].fill(0);
        for row in self.g.chunks_exact_mut(w + 2) {
            (row[0], row[w + 1]) = (0, 0);
        }
        if self.arrival.len() < len {
            self.arrival.resize(len, SOURCE);
        }
        let first = sources.iter().map(|s| estimate.of(s.x(), s.y())).min().unwrap_or(0);
        self.queue.clear(first, spans * u32::from(ground.extremes().1.diagonal) + 1);
        for source in sources {
            let place = self.place(source.x(), source.y());
            self.g[place] = 0;
            self.arrival[place] = SOURCE;
            self.queue.push(estimate.of(source.x(), source.y()), 0, source.packed());
        }
    }

    fn run<const KIND: u8>(&mut self, ground: &BodyGround<'_>, estimate: Estimate, goal: Option<Spot>) {
        let table = PruningTable::of(ground.mode);
        let shape = ground.stands.shape();
        let packed = ground.costs.map_or(const { &NumberPages::new() }, StandCosts::packed);
        let goal_place = goal.map(|goal| self.place(goal.x(), goal.y()));
        while let Some((floor, entry)) = self.queue.pop() {
            if goal_place.is_some_and(|goal| self.g[goal] <= floor) {
                break;
            }
            let spot = Spot::from_packed(entry.node);
            let place = self.place(spot.x(), spot.y());
            if entry.g != self.g[place] {
                continue;
            }
            self.expanded += 1;
            let index = spot.index(shape);
            let cells = ground.stands.neighbourhood(index);
            let arrival = self.arrival[place];
            let plain = ground.costs.is_none_or(|costs| costs.plain().get(index));
            let ways =
                if plain && arrival != SOURCE { table.after(arrival, cells) } else { table.legal(cells) };
            let from = From { x: spot.x(), y: spot.y(), place, index, g: entry.g };
            let mut rest = ways.0;
            while rest != 0 {
                let direction = Direction::ALL[rest.trailing_zeros() as usize];
                rest &= rest - 1;
                self.step::<KIND>(packed, shape, estimate, from, direction);
            }
        }
    }

    #[inline]
    fn step<const KIND: u8>(
        &mut self,
        packed: &NumberPages,
        shape: Shape,
        estimate: Estimate,
        from: From,
        direction: Direction,
    ) {
        let (dx, dy) = (direction.dx(), direction.dy());
        let place = from.place.wrapping_add_signed(dy as isize * self.stride as isize + dx as isize);
        let step = match KIND {
            UNIFORM => const { StepCost::UNIT.pack() },
            OUT => {
                packed[from
                    .index
                    .get()
                    .wrapping_add_signed(dy as isize * shape.stride() as isize + dx as isize)]
            }
            _ => packed[from.index.get()],
        };
        let g = from.g + if direction.is_diagonal() { step >> 16 } else { step & 0xffff };
        if g < self.g[place] {
            self.g[place] = g;
            self.arrival[place] = direction as u8;
            let (x, y) = (from.x.wrapping_add_signed(dx), from.y.wrapping_add_signed(dy));
            self.queue.push(g + estimate.of(x, y), g, Spot::new(x, y).packed());
        }
    }
}

const UNIFORM: u8 = 0;
const OUT: u8 = 1;
const IN: u8 = 2;

/// The cell that is expanded.
#[derive(Clone, Copy)]
struct From {
    x: u32,
    y: u32,
    place: usize,
    index: PaddedIndex,
    g: u32,
}
