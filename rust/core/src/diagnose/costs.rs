//! What a path costs, and for what.

use crate::cost::{Cost, DIAGONAL, STRAIGHT};
use crate::geometry::Cell;
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
}

impl CostSplit {
    /// All units.
    pub const fn total(&self) -> i64 {
        self.distance + self.weight + self.terrain + self.influence
    }

    /// Units in cell widths.
    pub fn cells(units: i64) -> f64 {
        units as f64 / f64::from(STRAIGHT)
    }
}

/// A shorter way than the cheapest one.
#[derive(Clone, PartialEq, Debug)]
pub struct Detour {
    /// Units that the cheapest path is longer than it.
    pub longer: i64,
    /// Units that the cheapest path costs less than it.
    pub saved: i64,
    /// What it would cost, and for what.
    pub costs: CostSplit,
    /// Its cells where the body would pay more than for length.
    pub avoided: Vec<Cell>,
}

/// What the steps along `cells` cost.
pub(super) fn split(world: &World, profile: &Profile, cells: &[Cell]) -> CostSplit {
    let mut sum = CostSplit::default();
    for pair in cells.windows(2) {
        let is_diagonal = pair[0].x != pair[1].x && pair[0].y != pair[1].y;
        let length = if is_diagonal { DIAGONAL } else { STRAIGHT };
        let price = dearest(world, profile, pair[1]);
        let units = |weight: f64| (f64::from(length) * weight).round().clamp(1.0, 65_535.0) as i64;
        let (base, weighed, crossed) =
            (i64::from(length), units(price.weight), units(price.weight * price.factor));
        sum.distance += base;
        sum.weight += weighed - base;
        sum.terrain += crossed - weighed;
        sum.influence += units(price.all()) - crossed;
    }
    sum
}

/// The shorter way that would cost more, if there is one.
pub(super) fn detour(world: &mut World, query: &PathQuery, outcome: &PathOutcome) -> Option<Detour> {
    let profile = &query.profile;
    let chosen = split(world, profile, &outcome.route.cells());
    let direct = world.shortest_path(query).route.cells();
    let costs = split(world, profile, &direct);
    let longer = chosen.distance - costs.distance;
    if longer <= 0 || direct.is_empty() {
        return None;
    }
    let is_dear = |cell: &Cell| dearest(world, profile, *cell).all() > 1.0;
    let avoided = direct.iter().skip(1).copied().filter(is_dear).collect();
    let spared = outcome.cost.map_or(0, |cost: Cost| i64::from(cost.units()));
    Some(Detour { longer, saved: costs.total() - spared, costs, avoided })
}

/// What makes the dearest cell under a body dear.
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

/// The price of the stand at `anchor`: that of the dearest cell under the body.
fn dearest(world: &World, profile: &Profile, anchor: Cell) -> Price {
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
