//! Whether what is told of a group that gathers is true: where those are that are told as arrived, and what room is left around the goal.

use pathforge_core::crowd::{AgentState, AgentView};
use pathforge_core::geometry::Cell;
use pathforge_core::terrain::Terrain;

use crate::hall::Hall;
use crate::rng::Rng;

const STEP: f64 = 1.0 / 60.0;
/// How densely bodies fill the room around a goal.
const DENSITY: f32 = 0.6;
/// Farther than this part of the rim is not there.
const BEYOND: f64 = 1.3;
/// The inner room ends at this part of the rim.
const INNER: f64 = 0.8;
/// Another body of one cell fits where the nearest body is so far off.
const SMALL: f64 = 0.4;

/// A group of bodies of three sizes on a map, sent from one goal to the next.
#[derive(Debug)]
pub struct Truth {
    /// The map and the crowd.
    pub hall: Hall,
    ids: [Vec<u32>; 3],
    fields: [u32; 3],
    rng: Rng,
}

/// What was seen of one order; times in seconds.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// When half, nine of ten, 99 of 100 and all were told: as arrived, blocked or stuck.
    pub seconds: [Option<f64>; 4],
    /// The straight way of the farthest at its speed.
    pub way: f64,
    /// How many are told as arrived.
    pub arrived: usize,
    /// How many are told as being in each other state at the end: stuck, blocked.
    pub others: [usize; 2],
    /// How many of those told as arrived are beyond 1.3 of the rim.
    pub falsely: usize,
    /// The part of the inner room's cells in which another small body fits.
    pub empty: f64,
    /// How many moved in the sixth second after the last was told.
    pub restless: usize,
    /// How often a word of arrival was taken back.
    pub taken_back: usize,
}

impl Truth {
    /// So many agents anywhere on a map.
    pub fn new(terrain: Terrain, seed: u64, count: usize) -> Self {
        let mut rng = Rng::new(seed);
        let mut hall = Hall::new(terrain);
        let goal = Self::goal(&hall, &mut rng);
        let fields = [1, 2, 3].map(|side| hall.field(side, &[goal], 0));
        let mut ids = [const { Vec::new() }; 3];
        let region = hall.terrain.region();
        for _ in 0..count * 100 {
            if hall.crowd.len() == count {
                break;
            }
            let size = rng.pick(&[0, 0, 0, 0, 0, 0, 0, 1, 1, 2]);
            let at = Cell::new(rng.int(0..region.w - 3), rng.int(0..region.h - 3));
            if hall.reaches(fields[size], at) {
                ids[size].extend(hall.add(at, size as i32 + 1, [4.0, 3.5, 3.0][size], None));
            }
        }
        Self { hall, ids, fields, rng }
    }

    /// Of some places where the largest fits, the one that it reaches most of the map from.
    fn goal(hall: &Hall, rng: &mut Rng) -> Cell {
        let region = hall.terrain.region();
        let layer = hall.placements(3).clone();
        let (mut trial, mut best) = (hall.clone(), (0, Cell::default()));
        let field = trial.field(3, &[], 0);
        let mut left = 8;
        while left > 0 {
            let cell = Cell::new(rng.int(0..region.w), rng.int(0..region.h));
            if !layer.get(layer.layout().index(cell.x as u32, cell.y as u32)) {
                continue;
            }
            left -= 1;
            trial.rebuild_field(field, 3, &[cell]);
            let cells = region.cells().filter(|&cell| trial.reaches(field, cell)).count();
            if cells > best.0 {
                best = (cells, cell);
            }
        }
        best.1
    }

    /// Sends all to another goal, and watches for at most so many seconds.
    pub fn order(&mut self, limit: u32) -> Told {
        let goal = Self::goal(&self.hall, &mut self.rng);
        for side in 1..=3 {
            self.hall.rebuild_field(self.fields[side as usize - 1], side, &[goal]);
        }
        for (ids, field) in self.ids.iter().zip(self.fields) {
            self.hall.crowd.assign_field(ids, field);
        }
        let mut told = Told::default();
        let count = self.hall.crowd.len();
        let ways =
            self.hall.crowd.views_unordered().map(|view| self.cost(&view).map_or(0.0, |cost| cost / 4.0));
        told.way = ways.fold(0.0, f64::max);
        let mut most = 0;
        for tick in 0..limit * 60 {
            self.hall.step(STEP);
            // One that nothing leads to the goal is told so at once.
            let walks = |view: &AgentView| crate::hall::walks(view) && !view.is_cut_off;
            let walks = self.hall.crowd.views_unordered().filter(walks).count();
            let arrived =
                self.hall.crowd.views_unordered().filter(|view| view.state == AgentState::Arrived).count();
            told.taken_back += usize::from(arrived < most);
            most = most.max(arrived);
            for (n, part) in [0.5, 0.9, 0.99, 1.0].into_iter().enumerate() {
                if told.seconds[n].is_none() && (count - walks) as f64 >= part * count as f64 {
                    told.seconds[n] = Some(f64::from(tick) * STEP);
                }
            }
            if walks == 0 {
                break;
            }
        }
        (0..300).for_each(|_| drop(self.hall.step(STEP)));
        let before: Vec<AgentView> = self.hall.crowd.views().collect();
        (0..60).for_each(|_| drop(self.hall.step(STEP)));
        let has_moved =
            |(a, b): &(&AgentView, AgentView)| (a.x - b.x).hypot(a.y - b.y) > 0.05 * f64::from(a.radius);
        told.restless = before.iter().zip(self.hall.crowd.views()).filter(has_moved).count();
        self.judge(&mut told);
        told
    }

    /// The cost from where a body is to its goal, in cells.
    fn cost(&self, view: &AgentView) -> Option<f64> {
        let half = f64::from(view.kind + 1) * 0.5;
        let at = |v: f64| (v - half + 0.5).floor() as i32;
        self.hall.cost(self.fields[usize::from(view.kind)], Cell::new(at(view.x), at(view.y)))
    }

    /// The path cost within which cells hold all bodies, and the costs of all cells.
    pub fn rim(&self) -> (f64, Vec<(f64, Cell)>) {
        let cost = |cell| self.hall.cost(self.fields[0], cell).map(|cost| (cost, cell));
        let mut cells: Vec<(f64, Cell)> = self.hall.terrain.region().cells().filter_map(cost).collect();
        cells.sort_by(|a, b| a.0.total_cmp(&b.0));
        let area: f32 = self.hall.crowd.views_unordered().map(|view| 4.0 * view.radius * view.radius).sum();
        let last = ((area / DENSITY) as usize).min(cells.len() - 1);
        (cells[last].0, cells)
    }

    fn judge(&self, told: &mut Told) {
        let (rim, cells) = self.rim();
        let views: Vec<AgentView> = self.hall.crowd.views_unordered().collect();
        told.arrived = views.iter().filter(|view| view.state == AgentState::Arrived).count();
        told.others = [AgentState::Stuck, AgentState::Blocked]
            .map(|state| views.iter().filter(|view| view.state == state).count());
        let is_false = |view: &&AgentView| {
            view.state == AgentState::Arrived && self.cost(view).is_none_or(|cost| cost > BEYOND * rim)
        };
        told.falsely = views.iter().filter(is_false).count();
        let region = self.hall.terrain.region();
        let mut is_full = vec![false; (region.w * region.h) as usize];
        for view in &views {
            let reach = f64::from(view.radius) + SMALL;
            let (left, right) = ((view.x - reach).floor() as i32, (view.x + reach).ceil() as i32);
            let (top, bottom) = ((view.y - reach).floor() as i32, (view.y + reach).ceil() as i32);
            for y in top.max(0)..bottom.min(region.h) {
                for x in left.max(0)..right.min(region.w) {
                    let far = (f64::from(x) + 0.5 - view.x).hypot(f64::from(y) + 0.5 - view.y);
                    is_full[(y * region.w + x) as usize] |= far < reach;
                }
            }
        }
        let inner = cells.iter().take_while(|(cost, _)| *cost <= INNER * rim);
        let (mut all, mut free) = (0_u32, 0_u32);
        for (_, cell) in inner {
            all += 1;
            free += u32::from(!is_full[(cell.y * region.w + cell.x) as usize]);
        }
        told.empty = f64::from(free) / f64::from(all.max(1));
    }
}
