//! The cheapest route over walks and flights: A\* over the cells that a body stands on.

use super::body::UNIT;
use super::known::Flyer;
use super::nodes::{Node, Nodes};
use super::stand::StandCell;
use super::takeoff::{Flight, TakeOff};
use super::trace::side_by_side;
use pathforge_core::geometry::Cell;

/// Where a route begins.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Departure {
    /// At a cell of the feet; if the body does not stand there, with a fall from its middle.
    Cell(StandCell),
    /// In the air: the feet in px, and the speed in px/s.
    Air {
        /// The centre of the feet.
        x: f64,
        /// Their height.
        y: f64,
        /// Speed to the right.
        vx: f64,
        /// Downward speed.
        vy: f64,
    },
}

/// A part of a route.
#[derive(Clone, PartialEq, Debug)]
pub enum Leg {
    /// Along the ground to a cell: of the same row, or over slopes of any.
    Walk {
        /// Its end.
        to: StandCell,
    },
    /// Through the air, or over a ladder.
    Flight {
        /// The cell of the take-off; `None` of a body that is in the air at the start.
        from: Option<StandCell>,
        /// The rest.
        flight: Flight,
    },
}

/// How a body comes to a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gait {
    /// Along the ground, over slopes, too.
    Walk,
    /// Through the air.
    Fly,
    /// On a ladder.
    Climb,
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RouteEnd {
    /// With a route.
    Found,
    /// The body does not stand at the goal.
    BadGoal,
    /// No walks and flights lead to the goal.
    NoRoute,
    /// The limit on expansions was met.
    Limit,
}

/// The outcome of a search; without a route, all lists are empty.
#[derive(Clone, PartialEq, Debug)]
pub struct Route {
    /// Whether there is one.
    pub end: RouteEnd,
    /// The legs in order.
    pub legs: Vec<Leg>,
    /// The cells of the body from start to goal: see [`Foothold::body_cell`](super::Foothold::body_cell).
    pub cells: Vec<Cell>,
    /// `true` for each cell at which the body is on the ground.
    pub on_ground: Vec<bool>,
    /// For each cell how the body comes to it.
    pub gaits: Vec<Gait>,
    /// For each leg the index of the cell at its end.
    pub ends: Vec<usize>,
    /// In units of 70 a cell.
    pub cost: u32,
    /// Cells expanded.
    pub expanded: u32,
}

/// Where a cell was come from: nowhere, a walk, or the flight of this number.
const ROOT: u32 = u32::MAX;
const WALK: u32 = u32::MAX - 1;
/// The cell of a departure in the air.
const AIR: u32 = u32::MAX;

impl Flyer {
    /// Finds the cheapest route of walks and flights, expanding at most `expansions_max` cells.
    ///
    /// Takes time in proportion to the cells that are reached, and some 20 to 600 µs more for each at which a
    /// search was never before.
    pub fn find_route(&mut self, from: Departure, goal: StandCell, expansions_max: u32) -> Route {
        if self.foothold().at(goal).is_none() {
            return without(RouteEnd::BadGoal, 0);
        }
        let mut nodes = std::mem::take(&mut self.nodes);
        let (columns, rows) = self.level().size();
        nodes.begin(columns as usize * (rows as usize + 1));
        let route = self.search(&mut nodes, from, goal, expansions_max);
        self.nodes = nodes;
        route
    }

    fn search(&mut self, nodes: &mut Nodes, from: Departure, goal: StandCell, expansions_max: u32) -> Route {
        let columns = self.level().size().0;
        // A body can stand in row −1, on the highest cells.
        let index = |cell: StandCell| ((cell.row + 1) * columns + cell.column) as u32;
        let cell = |at: u32| StandCell { column: at as i32 % columns, row: at as i32 / columns - 1 };
        let estimate = |cell: StandCell| cell.column.abs_diff(goal.column) * UNIT as u32;
        let falls = self.depart(from);
        let start = match from {
            Departure::Cell(start) => Some(start),
            Departure::Air { .. } => None,
        };
        match (&falls, from) {
            (None, Departure::Cell(start)) => nodes.relax(index(start), 0, estimate(start), (AIR, ROOT)),
            (falls, _) => {
                for (number, flight) in falls.iter().flatten().enumerate() {
                    nodes.relax(index(flight.to), flight.cost, estimate(flight.to), (AIR, number as u32));
                }
            }
        }
        let mut expanded = 0;
        while let Some((at, cost)) = nodes.pop() {
            let from = cell(at);
            if from == goal {
                let legs = self.legs(nodes, at, falls.as_deref().unwrap_or_default(), cell);
                return self.route(start, from, legs, cost, expanded);
            }
            if expanded >= expansions_max {
                return without(RouteEnd::Limit, expanded);
            }
            expanded += 1;
            let walks = self.exits(from).walks.map(|to| Some((to?, self.foothold().walk_cost(from, to?))));
            let exits = self.exits(from);
            for (to, walk) in walks.into_iter().flatten() {
                nodes.relax(index(to), cost + walk, estimate(to), (at, WALK));
            }
            for (number, flight) in exits.flights.iter().enumerate() {
                let to = flight.to;
                nodes.relax(index(to), cost + flight.cost, estimate(to), (at, number as u32));
            }
        }
        without(RouteEnd::NoRoute, expanded)
    }

    /// The falls of a departure in the air; `None` if it is on ground.
    fn depart(&mut self, from: Departure) -> Option<Vec<Flight>> {
        match from {
            Departure::Cell(cell) if self.foothold().at(cell).is_some() => None,
            Departure::Cell(StandCell { column, row }) => {
                let (width, height) = self.level().cell();
                let place = ((f64::from(column) + 0.5) * width, f64::from(row + 1) * height);
                let is_ground =
                    self.level().is_solid(column, row) || self.level().floor(column, row).is_some();
                Some(if is_ground { Vec::new() } else { self.falls(place, (0.0, 0.0)) })
            }
            Departure::Air { x, y, vx, vy } => Some(self.falls((x, y), (vx, vy))),
        }
    }

    /// The legs that lead to a node.
    fn legs(
        &mut self,
        nodes: &Nodes,
        mut at: u32,
        falls: &[Flight],
        cell: impl Fn(u32) -> StandCell,
    ) -> Vec<Leg> {
        let mut legs = Vec::new();
        loop {
            let Node { parent, via, .. } = nodes.cells[at as usize];
            match (parent, via) {
                (_, ROOT) => break,
                (_, WALK) => {
                    if !matches!(legs.last(), Some(Leg::Walk { .. })) {
                        legs.push(Leg::Walk { to: cell(at) });
                    }
                }
                (AIR, number) => {
                    let flight = falls[number as usize].clone();
                    legs.push(Leg::Flight { from: None, flight });
                    break;
                }
                (parent, number) => {
                    let flight = self.exits(cell(parent)).flights[number as usize].clone();
                    legs.push(Leg::Flight { from: Some(cell(parent)), flight });
                }
            }
            at = parent;
        }
        legs.reverse();
        legs
    }

    fn route(
        &self,
        start: Option<StandCell>,
        goal: StandCell,
        legs: Vec<Leg>,
        cost: u32,
        expanded: u32,
    ) -> Route {
        let foothold = self.foothold();
        let mut route = Route { cost, expanded, ..without(RouteEnd::Found, expanded) };
        // A start in the air stands nowhere: its fall has the cells.
        route.walk_to(start.and_then(|cell| foothold.resting_cell(cell)));
        let mut at = start;
        for leg in &legs {
            match leg {
                Leg::Walk { to } => {
                    // Slopes lead up and down on the way.
                    while let Some(cell) = at.filter(|cell| foothold.level.has_floors() && cell != to) {
                        at = foothold.walk(cell, (to.column - cell.column).signum());
                        route.walk_to(at.and_then(|cell| foothold.resting_cell(cell)));
                    }
                    route.walk_to(foothold.resting_cell(*to));
                    at = Some(*to);
                }
                Leg::Flight { from, flight } => {
                    route.walk_to(from.and_then(|cell| foothold.resting_cell(cell)));
                    route.fly(&flight.cells, matches!(flight.kind, TakeOff::Climb(_)));
                    at = Some(flight.to);
                }
            }
            route.ends.push(route.cells.len() - 1);
        }
        route.walk_to(foothold.resting_cell(goal));
        Route { legs, ..route }
    }

    /// The cells that the last search reached.
    pub fn reached(&self) -> impl Iterator<Item = StandCell> {
        let (columns, search) = (self.level().size().0, self.nodes.search);
        let reached = self.nodes.cells.iter().enumerate().filter(move |(_, node)| node.search == search);
        reached.map(move |(at, _)| StandCell { column: at as i32 % columns, row: at as i32 / columns - 1 })
    }
}

impl Route {
    /// The cells, with a walk from `start` and one to `goal`; without legs.
    pub(crate) fn with_ends(&self, start: Option<Cell>, goal: Cell) -> Self {
        let mut whole = without(RouteEnd::Found, 0);
        if self.on_ground.first() == Some(&true) {
            whole.walk_to(start);
            whole.walk_to(self.cells.first().copied());
        }
        let from = whole.cells.len().min(1);
        whole.cells.extend_from_slice(self.cells.get(from..).unwrap_or_default());
        whole.on_ground.extend_from_slice(self.on_ground.get(from..).unwrap_or_default());
        whole.gaits.extend_from_slice(self.gaits.get(from..).unwrap_or_default());
        whole.walk_to(Some(goal));
        whole
    }

    /// Adds the cells after the last one up to `to`, on the ground.
    fn walk_to(&mut self, to: Option<Cell>) {
        let Some(to) = to else { return };
        let last = self.cells.pop();
        self.cells.extend(side_by_side(last.into_iter().chain([to])));
        self.on_ground.resize(self.cells.len(), true);
        self.gaits.resize(self.cells.len(), Gait::Walk);
    }

    /// Adds the cells of a flight, of which the last is on the ground.
    fn fly(&mut self, cells: &[Cell], climbs: bool) {
        let new = usize::from(self.cells.last() == cells.first());
        self.cells.extend_from_slice(&cells[new.min(cells.len())..]);
        self.on_ground.resize(self.cells.len(), false);
        self.gaits.resize(self.cells.len(), if climbs { Gait::Climb } else { Gait::Fly });
        if let Some(last) = self.on_ground.last_mut() {
            *last = true;
        }
    }
}

fn without(end: RouteEnd, expanded: u32) -> Route {
    let (legs, cells, ends) = (Vec::new(), Vec::new(), Vec::new());
    let (on_ground, gaits) = (Vec::new(), Vec::new());
    Route { end, legs, cells, on_ground, gaits, ends, cost: 0, expanded }
}
