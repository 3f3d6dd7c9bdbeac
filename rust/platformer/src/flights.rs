//! Flights: where a body that leaves the ground at a cell can land, and at what cost. Found when a search
//! first comes to the cell, and kept until the map changes around them.
//!
//! A flight leads from ground to ground through the air. It depends on the few cells around it only, and
//! takes some hundred states to search; a search over the level that knows it takes one step instead. Flights
//! that a walk and another flight replace at no greater cost are left out:
//!
//! - A landing with another landing beside it from which a walk costs no more.
//! - A landing on the ground that the body stood on: no flight along a row is cheaper than a walk.
//! - Steps sideways from the column straight above or below the start, see [`super::flight_search`]. So most
//!   cells in the middle of level ground have no flights.
//!
//! What replaces a flight costs less in the air than it, so no two flights are left out for each other.

use super::flight_search::{Bounds, FlightSearch};
use super::steps::{CellKinds, Direction, Steps};
use pathforge_core::bitgrid::GridLayout;
use pathforge_core::cost::STRAIGHT;
use pathforge_core::surfaces::BodyLayers;

/// Where many cells have changed, all flights are forgotten: if more than one in so many words of the layers
/// did.
const FORGET_SHARE: usize = 8;

/// The end of a flight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Landing {
    pub(super) x: u16,
    pub(super) y: u16,
    /// What the flight costs, in units.
    pub(super) cost: u32,
    /// The byte in [`FlightTable::steps`] with its last step, and the number of its steps.
    first: u32,
    count: u32,
}

/// The flights from one cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flights {
    /// The cell's padded index.
    from: u32,
    /// Their place and number in [`FlightTable::landings`].
    first: u32,
    count: u32,
    /// All cells that they touch.
    pub(super) bounds: Bounds,
    /// If not, there are too many states: a search has to take them one by one.
    pub(super) are_kept: bool,
}

/// The flights that are known for one profile on one map.
#[derive(Clone, Debug)]
pub(super) struct KnownFlights {
    /// The layers that they were found on.
    layers: BodyLayers,
    kinds: CellKinds,
    table: FlightTable,
}

impl KnownFlights {
    /// No flights yet.
    pub(super) fn new(layers: &BodyLayers) -> Self {
        let places = vec![0; layers.fits().layout().padded_len()];
        let table = FlightTable { places, ..FlightTable::default() };
        Self { layers: layers.clone(), kinds: CellKinds::new(layers), table }
    }

    /// Finds flights on `layers` from now on, and forgets the flights that may differ there.
    pub(super) fn follow(&mut self, layers: &BodyLayers) {
        let (old, new) = (std::mem::replace(&mut self.layers, layers.clone()), layers);
        if old.fits().layout() != new.fits().layout() {
            *self = Self::new(layers);
            return;
        }
        let grids = [(old.fits(), new.fits()), (old.ground(), new.ground()), (old.ceiling(), new.ceiling())];
        let mut changed: Vec<usize> =
            grids.into_iter().flat_map(|(old, new)| old.words().differing(new.words())).collect();
        if changed.is_empty() {
            return;
        }
        if changed.len() * FORGET_SHARE > new.fits().words().len() {
            *self = Self::new(layers);
            return;
        }
        changed.sort_unstable();
        for &word in &changed {
            self.kinds.update(layers, word);
        }
        self.table.forget(&changed, new.fits().layout().stride_words());
    }

    /// The layout of the layers, what their cells are, and the flights.
    pub(super) fn parts(&mut self) -> (GridLayout, &CellKinds, &mut FlightTable) {
        (self.layers.fits().layout(), &self.kinds, &mut self.table)
    }
}

/// The flights from the cells that a search was at.
#[derive(Clone, Debug, Default)]
pub(super) struct FlightTable {
    /// For each padded cell the place of its flights in `flights`, plus 1; 0 where they are not known.
    places: Vec<u32>,
    flights: Vec<Flights>,
    landings: Vec<Landing>,
    /// The directions of the steps of all flights, four a byte.
    steps: Vec<u8>,
    /// How many of `flights` are forgotten.
    forgotten: usize,
}

impl FlightTable {
    /// The flights from the cell at `index`, if they are known.
    #[inline]
    pub(super) fn at(&self, index: usize) -> Option<Flights> {
        let place = self.places[index].checked_sub(1)?;
        Some(self.flights[place as usize])
    }

    #[inline]
    pub(super) fn landings(&self, flights: Flights) -> &[Landing] {
        &self.landings[flights.first as usize..][..flights.count as usize]
    }

    /// The padded indices of the cells of the known flight from `from` to `x`, `y`, without the first.
    pub(super) fn cells(&self, steps: &Steps, from: usize, (x, y): (u16, u16)) -> Vec<usize> {
        let landings = self.at(from).map_or(&[][..], |flights| self.landings(flights));
        let Some(landing) = landings.iter().find(|landing| (landing.x, landing.y) == (x, y)) else {
            return Vec::new();
        };
        let mut at = from;
        let cell = |step: u32| {
            let packed = self.steps[(landing.first + step / 4) as usize];
            at = steps.neighbour(at, Direction::of(packed >> (step % 4 * 2)));
            at
        };
        (0..landing.count).rev().map(cell).collect()
    }

    /// Finds the flights from the ground at `x`, `y`.
    #[cold]
    pub(super) fn find<const LIMITED: bool>(
        &mut self,
        steps: &Steps,
        (x, y): (u16, u16),
        search: &mut FlightSearch,
    ) -> Flights {
        let first = self.landings.len() as u32;
        let are_kept = search.run::<LIMITED>(steps, (x, y));
        if are_kept {
            self.keep(steps, (x, y), search);
        }
        let (index, count) = (steps.index(x, y), self.landings.len() as u32 - first);
        let flights = Flights { from: index as u32, first, count, bounds: search.bounds(), are_kept };
        self.flights.push(flights);
        self.places[index] = self.flights.len() as u32;
        flights
    }

    /// Keeps the flights that nothing replaces.
    fn keep(&mut self, steps: &Steps, (x, y): (u16, u16), search: &FlightSearch) {
        let index = steps.index(x, y);
        // By row and column.
        let landings = search.landings();
        for (place, landing) in landings.iter().enumerate() {
            let walks_from = |other: usize| {
                landings.get(other).is_some_and(|other| {
                    other.y == landing.y
                        && other.x.abs_diff(landing.x) == 1
                        && other.g + STRAIGHT <= landing.g
                })
            };
            let at = steps.index(landing.x, landing.y);
            let walks = || (at.min(index)..=at.max(index)).all(|between| steps.is_ground(between));
            if walks_from(place.wrapping_sub(1)) || walks_from(place + 1) || landing.y == y && walks() {
                continue;
            }
            let (first, mut count) = (self.steps.len() as u32, 0);
            for direction in search.directions(landing) {
                if count % 4 == 0 {
                    self.steps.push(0);
                }
                self.steps[(first + count / 4) as usize] |= (direction as u8) << (count % 4 * 2);
                count += 1;
            }
            self.landings.push(Landing { x: landing.x, y: landing.y, cost: landing.g, first, count });
        }
    }

    /// Forgets the flights beside or in any of the `changed` words, which are in order, of rows of `stride`
    /// words.
    fn forget(&mut self, changed: &[usize], stride: usize) {
        for flights in &self.flights {
            let Bounds { x, y } = flights.bounds;
            // A flight reads the neighbours of the cells that it touches. No bounds touch the border of a
            // layer, which is closed.
            let columns = usize::from(x[0] - 1) / 64..=usize::from(x[1] + 1) / 64;
            let rows = usize::from(y[0] - 1)..=usize::from(y[1] + 1);
            let from = changed.partition_point(|&word| word < rows.start() * stride);
            let mut near = changed[from..].iter().take_while(|&word| word / stride <= *rows.end());
            let place = &mut self.places[flights.from as usize];
            if *place != 0 && near.any(|word| columns.contains(&(word % stride))) {
                *place = 0;
                self.forgotten += 1;
            }
        }
        if self.forgotten * 2 > self.flights.len() {
            self.compact();
        }
    }

    /// Frees the memory of forgotten flights.
    fn compact(&mut self) {
        let old = std::mem::take(self);
        self.places = old.places;
        for (place, mut flights) in (1..).zip(old.flights) {
            // A cell's flights can have been found again since.
            if self.places[flights.from as usize] != place {
                continue;
            }
            let landings = &old.landings[flights.first as usize..][..flights.count as usize];
            flights.first = self.landings.len() as u32;
            for landing in landings {
                let steps = &old.steps[landing.first as usize..][..landing.count.div_ceil(4) as usize];
                self.landings.push(Landing { first: self.steps.len() as u32, ..*landing });
                self.steps.extend_from_slice(steps);
            }
            self.flights.push(flights);
            self.places[flights.from as usize] = self.flights.len() as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jump_table::JumpTable;
    use crate::profile::JumpProfile;
    use pathforge_core::geometry::{Cell, CellRect};
    use pathforge_core::primitives::GridPoint;
    use pathforge_core::terrain::Terrain;
    use pathforge_core::world::World;

    /// The flights from a cell: whether they are kept, and the cells that they lead to with their costs.
    fn flights_from(known: &mut KnownFlights, (x, y): (u32, u32)) -> (bool, Vec<(u32, u32, u32)>) {
        let profile = JumpProfile::default();
        let table = JumpTable::new(&profile);
        let (layout, kinds, flights) = known.parts();
        let steps = Steps::new(layout, kinds, &profile, &table);
        let at = GridPoint::of_cell(x, y);
        let found =
            flights.find::<false>(&steps, (at.x() as u16, at.y() as u16), &mut FlightSearch::default());
        let landing = |landing: &Landing| {
            let (x, y) = GridPoint::new(u32::from(landing.x), u32::from(landing.y)).cell_xy();
            (x, y, landing.cost)
        };
        (found.are_kept, flights.landings(found).iter().map(landing).collect())
    }

    fn world(text: &str) -> World {
        World::from_terrain(Terrain::from_text(text, Cell::default()).expect("a drawn level"))
    }

    #[test]
    fn walks_replace_flights() {
        let mut world = world(
            "........
             .....===
             ........
             ........
             ####.###",
        );
        let known = &mut KnownFlights::new(&world.body_layers(JumpProfile::default().footprint));
        // Whatever the middle of the ground jumps to, a walk and another jump reach at less.
        assert_eq!(flights_from(known, (1, 3)), (true, vec![]));
        // Over the pit, and to the near end of the platform; beyond both it walks.
        assert_eq!(flights_from(known, (3, 3)), (true, vec![(5, 0, 140 + 5 * 84), (5, 3, 140 + 4 * 84)]));
        // Straight up.
        assert_eq!(flights_from(known, (6, 3)), (true, vec![(6, 0, 140 + 3 * 84)]));
    }

    #[test]
    fn edits_make_flights_around_forgotten() {
        let mut world = World::new(CellRect::new(0, 0, 400, 40)).expect("a map");
        world.terrain_mut().fill_solid(CellRect::new(0, 20, 400, 1), true);
        for x in [50, 200] {
            world.terrain_mut().fill_solid(CellRect::new(x, 18, 3, 1), true);
        }
        let footprint = JumpProfile::default().footprint;
        let mut known = KnownFlights::new(&world.body_layers(footprint));
        let is_known = |known: &KnownFlights, (x, y): (u32, u32)| {
            known.table.at(GridPoint::of_cell(x, y).index(known.layers.fits().layout()).get()).is_some()
        };
        let cells = [(51, 17), (201, 17)];
        for cell in cells {
            flights_from(&mut known, cell);
        }
        // A block in the way of one of them.
        world.terrain_mut().fill_solid(CellRect::new(54, 16, 1, 2), true);
        known.follow(&world.body_layers(footprint));
        assert_eq!(cells.map(|cell| is_known(&known, cell)), [false, true]);
        let kept = flights_from(&mut known.clone(), cells[1]);
        let mut anew = KnownFlights::new(&world.body_layers(footprint));
        for cell in cells {
            assert_eq!(flights_from(&mut known, cell), flights_from(&mut anew, cell));
        }
        assert_eq!(flights_from(&mut known, cells[1]), kept);
    }

    #[test]
    fn falls_from_great_heights_are_not_kept() {
        let mut world = World::new(CellRect::new(0, 0, 200, 200)).expect("a map");
        world.terrain_mut().fill_solid(CellRect::new(100, 10, 1, 1), true);
        let known = &mut KnownFlights::new(&world.body_layers(JumpProfile::default().footprint));
        assert!(!flights_from(known, (100, 9)).0);
    }
}
