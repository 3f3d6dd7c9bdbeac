//! What a path costs, and for what.

use crate::cost::{Cost, DIAGONAL, STRAIGHT};
use crate::geometry::Cell;
use crate::path::Route;
use crate::world::{PathOutcome, PathQuery, Profile, World};

/// The parts of a path's cost; their sum is the cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CostSplit {
    /// Units for the length alone.
    pub distance: i64,
    /// Units that weights of cells add, or spare.
    pub weight: i64,
    /// Units that the body's terrain costs add, or spare.
    pub terrain: i64,
    /// Units that influences add, or spare.
    pub influence: i64,
    /// Units for the links that it takes.
    pub links: i64,
}

impl CostSplit {
    /// Returns the sum of all parts, in units.
    pub const fn total(&self) -> i64 {
        self.distance + self.weight + self.terrain + self.influence + self.links
    }

    /// Returns the parts beyond distance, with their names.
    pub(super) const fn extras(&self) -> [(i64, &'static str); 4] {
        let Self { weight, terrain, influence, links, .. } = *self;
        [(weight, "weight"), (terrain, "terrain"), (influence, "influence"), (links, "links")]
    }

    /// Returns what each part is more than that of `other`.
    pub(super) const fn less(&self, other: &Self) -> Self {
        Self {
            distance: self.distance - other.distance,
            weight: self.weight - other.weight,
            terrain: self.terrain - other.terrain,
            influence: self.influence - other.influence,
            links: self.links - other.links,
        }
    }

    /// Units in cell widths.
    pub fn cells(units: i64) -> f64 {
        units as f64 / f64::from(STRAIGHT)
    }
}

/// A path that is shorter than the path of least cost.
#[derive(Clone, PartialEq, Debug)]
pub struct Detour {
    /// Units that the path of least cost is longer than it.
    pub longer: i64,
    /// Units that the path of least cost costs less than it.
    pub saved: i64,
    /// What it would cost, and for what.
    pub costs: CostSplit,
    /// Its cells where the body would pay more than for length.
    pub avoided: Vec<Cell>,
}

/// What the steps along a route cost.
pub(super) fn split(world: &World, profile: &Profile, route: &Route) -> CostSplit {
    let link = |id: u32| world.terrain().link(id.into()).map_or(0, |link| link.cost.units().into());
    let links = route.links().iter().map(|taken| link(taken.id)).sum();
    let mut sum = CostSplit { links, ..CostSplit::default() };
    for (cell, is_diagonal) in steps(route) {
        let length = if is_diagonal { DIAGONAL } else { STRAIGHT };
        let price = highest_price(world, profile, cell);
        // Rounded and bounded as `StepCost::from_weight` does it, so that the parts add up to the cost of the
        // search.
        let units = |weight: f64| (f64::from(length) * weight).round().clamp(1.0, 65_535.0) as i64;
        let (base, weighed, crossed) =
            (i64::from(length), units(price.weight), units(price.weight * price.factor));
        // Each part is the difference that one more factor makes, so the parts add up without a remainder.
        sum.distance += base;
        sum.weight += weighed - base;
        sum.terrain += crossed - weighed;
        sum.influence += units(price.all()) - crossed;
    }
    sum
}

/// Returns the cells that a body steps onto along a route, without links, and whether it does so diagonally.
fn steps(route: &Route) -> Vec<(Cell, bool)> {
    let mut steps = Vec::with_capacity(route.cell_count());
    route.for_each_line(|first, (dx, dy), count| {
        let taken = (0..count as i32).filter(|_| (dx, dy) != (0, 0));
        steps.extend(taken.map(|n| (first.offset(n * dx, n * dy), dx != 0 && dy != 0)));
    });
    steps
}

/// Returns the shorter path that would cost more, if there is one.
pub(super) fn detour(world: &mut World, query: &PathQuery, outcome: &PathOutcome) -> Option<Detour> {
    let profile = &query.profile;
    let chosen = split(world, profile, &outcome.route);
    let direct = world.shortest_path(query).route;
    let costs = split(world, profile, &direct);
    let longer = chosen.distance + chosen.links - costs.distance - costs.links;
    if longer <= 0 || direct.is_empty() {
        return None;
    }
    let costs_extra = |cell: &Cell| highest_price(world, profile, *cell).all() > 1.0;
    // A path pays for the cells that it enters, so not for its first.
    let avoided = steps(&direct).into_iter().map(|(cell, _)| cell).filter(costs_extra).collect();
    let spared = outcome.cost.map_or(0, |cost: Cost| i64::from(cost.units()));
    Some(Detour { longer, saved: costs.total() - spared, costs, avoided })
}

/// What makes up the maximum cost under a body.
struct Price {
    weight: f64,
    factor: f64,
    influence: f64,
}

impl Price {
    fn all(&self) -> f64 {
        (self.weight * self.factor + self.influence).max(0.0)
    }
}

/// Returns the price of the placement at `anchor`: the maximum over the cells under the body.
fn highest_price(world: &World, profile: &Profile, anchor: Cell) -> Price {
    let terrain = world.terrain();
    let prices = profile.footprint.at(anchor).cells().map(|cell| {
        let influence = match terrain.local(cell) {
            Ok((x, y)) => profile
                .influence_weights
                .slots()
                .map(|(slot, weight)| f64::from(weight) * f64::from(world.influence_at(slot, x, y)))
                .sum(),
            Err(_) => 0.0,
        };
        let factor = f64::from(profile.terrain_costs.of(terrain.terrain(cell)));
        Price { weight: f64::from(terrain.weight(cell)), factor, influence }
    });
    prices.reduce(|a, b| if b.all() > a.all() { b } else { a }).unwrap_or(Price {
        weight: 1.0,
        factor: 1.0,
        influence: 0.0,
    })
}
