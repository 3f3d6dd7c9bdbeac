//! Whether the reports of a group that gathers are true: where agents are that report *arrived*, and what
//! room is left around the goal.

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
/// How densely bodies pass a gate: the share of their way at full speed that their squares cover. It is
/// measured at an exit of three cells: 9.3 small ones at 4 cells a second; three sizes at 3 a second.
const FLOW: f64 = 0.77;
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
    /// By when all are to be told: twice the straight way, and the time that the narrowest gate on the ways
    /// takes, see [`Sent::gate`].
    pub bound: f64,
    /// How many report *arrived*.
    pub arrived: usize,
    /// How many report each other state at the end, stuck and blocked, and how many have no path to the goal.
    pub others: [usize; 3],
    /// How many agents beyond 1.3 of the rim report *arrived*.
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

    /// Of some places where the largest body fits, the place that it reaches most of the map from.
    fn goal(hall: &Hall, rng: &mut Rng) -> Cell {
        let region = hall.terrain.region();
        let layer = hall.placements(3).clone();
        let (mut trial, mut best) = (hall.clone(), (0, Cell::default()));
        let field = trial.field(3, &[], 0);
        let mut left = 8;
        while left > 0 {
            let cell = Cell::new(rng.int(0..region.w), rng.int(0..region.h));
            if !layer.at(cell.x as u32, cell.y as u32) {
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

    /// Sends all to another goal, and watches for so many seconds, or until they are to be told if that is
    /// later.
    pub fn order(&mut self, least: f64) -> Told {
        let goal = Self::goal(&self.hall, &mut self.rng);
        self.send(goal);
        self.watch(least)
    }

    /// Sends all to a goal.
    pub fn send(&mut self, goal: Cell) {
        for side in 1..=3 {
            self.hall.rebuild_field(self.fields[side as usize - 1], side, &[goal]);
        }
        for (ids, field) in self.ids.iter().zip(self.fields) {
            self.hall.crowd.assign_field(ids, field);
        }
    }

    /// Watches for so many seconds, or until all are to be told if that is later.
    pub fn watch(&mut self, least: f64) -> Told {
        let mut told = Told::default();
        let count = self.hall.crowd.len();
        told.way = self.sent().way();
        told.bound = self.sent().bound();
        let mut most = 0;
        for tick in 0..(least.max(told.bound) / STEP) as u32 {
            self.hall.step(STEP);
            // An agent without a path to the goal reports that at once.
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

    /// All of them and their fields.
    pub fn sent(&self) -> Sent<'_> {
        Sent { hall: &self.hall, fields: self.fields }
    }

    fn judge(&self, told: &mut Told) {
        let sent = self.sent();
        let (rim, cells) = sent.rim();
        let views: Vec<AgentView> = self.hall.crowd.views_unordered().collect();
        told.arrived = views.iter().filter(|view| view.state == AgentState::Arrived).count();
        let count = |what: fn(&AgentView) -> bool| views.iter().filter(|view| what(view)).count();
        told.others = [
            count(|view| view.state == AgentState::Stuck && !view.is_cut_off),
            count(|view| view.state == AgentState::Blocked),
            count(|view| view.is_cut_off),
        ];
        let is_false = |view: &&AgentView| {
            view.state == AgentState::Arrived && sent.cost(view).is_none_or(|cost| cost > BEYOND * rim)
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

/// Bodies that were sent to one goal, by one field for each of three sizes.
#[derive(Clone, Copy, Debug)]
pub struct Sent<'a> {
    /// The map and the crowd.
    pub hall: &'a Hall,
    /// The field of each size.
    pub fields: [u32; 3],
}

impl Sent<'_> {
    /// The cost from where a body is to its goal, in cells.
    fn cost(&self, view: &AgentView) -> Option<f64> {
        self.hall.cost(self.fields[usize::from(view.kind)], Self::anchor(view))
    }

    /// The cell that a body is on, of one of several the top-left one.
    fn anchor(view: &AgentView) -> Cell {
        let half = f64::from(view.kind + 1) * 0.5;
        let at = |v: f64| (v - half + 0.5).floor() as i32;
        Cell::new(at(view.x), at(view.y))
    }

    /// The straight way of the farthest, in seconds at the speed of small ones.
    pub fn way(&self) -> f64 {
        let ways = self.hall.crowd.views_unordered().filter_map(|view| self.cost(&view));
        ways.fold(0.0, f64::max) / 4.0
    }

    /// By when all are to be told, in seconds: twice the straight way, and the time that the narrowest gate
    /// on the ways takes.
    pub fn bound(&self) -> f64 {
        2.0 * self.way() + self.gate()
    }

    /// The path cost within which cells hold all bodies that have a way there, and the costs of all cells.
    fn rim(&self) -> (f64, Vec<(f64, Cell)>) {
        let cost = |cell| self.hall.cost(self.fields[0], cell).map(|cost| (cost, cell));
        let mut cells: Vec<(f64, Cell)> = self.hall.terrain.region().cells().filter_map(cost).collect();
        cells.sort_by(|a, b| a.0.total_cmp(&b.0));
        let comes = self.hall.crowd.views_unordered().filter(|view| self.cost(view).is_some());
        let area: f32 = comes.map(|view| 4.0 * view.radius * view.radius).sum();
        let last = ((area / DENSITY) as usize).min(cells.len() - 1);
        (cells[last].0, cells)
    }

    /// How long it takes until all bodies that must are through the gate that needs the most time, in
    /// seconds.
    ///
    /// The cells from which a goal is equally far, to the cell, are gates on the paths to it; a gate is as
    /// wide as the number of them that touch each other. All bodies beyond a gate pass it, each on its path,
    /// except the bodies that the room beyond it holds.
    pub fn gate(&self) -> f64 {
        let (rim, cells) = self.rim();
        let region = self.hall.terrain.region();
        let index = |cell: Cell| (cell.y * region.w + cell.x) as usize;
        let mut levels = vec![i32::MAX; (region.w * region.h) as usize];
        for &(cost, cell) in &cells {
            levels[index(cell)] = cost as i32;
        }
        let mut gates = Gates::new(region.w, &levels);
        // How long the bodies take that pass a cell, from it and from beyond it, without bodies that stay.
        let mut passing = [(); 3].map(|()| vec![0.0; levels.len()]);
        for view in self.hall.crowd.views_unordered().filter(|view| self.cost(view).is_some()) {
            let (kind, side) = (usize::from(view.kind), f64::from(view.kind + 1));
            passing[kind][index(Self::anchor(&view))] += side * side / (FLOW * f64::from(view.speed));
        }
        let all: f64 = passing.iter().flatten().sum();
        let within = cells.partition_point(|(cost, _)| *cost <= rim);
        for &(_, cell) in &cells[..within] {
            passing[0][index(cell)] -= all / within as f64;
        }
        for (kind, passing) in passing.iter_mut().enumerate() {
            let field = self.fields[kind];
            let cost = |cell| self.hall.cost(field, cell).map(|cost| (cost, cell));
            let mut cells: Vec<(f64, Cell)> = region.cells().filter_map(cost).collect();
            cells.sort_by(|a, b| b.0.total_cmp(&a.0));
            let middle = kind / 2 * (region.w as usize + 1);
            for (_, cell) in cells {
                if let Some(next) = self.hall.next_cell(field, cell).filter(|next| *next != cell) {
                    let (from, to) = (index(cell), index(next));
                    passing[to] += passing[from];
                    gates.pass(from + middle, to + middle, passing[from]);
                }
            }
        }
        gates.longest()
    }
}

/// The gates of a map: cells of one level that touch each other.
struct Gates<'a> {
    w: usize,
    levels: &'a [i32],
    /// For each cell, the gate that it is of; none is zero.
    of_cells: Vec<u32>,
    /// For each gate how wide it is, and how long those take that pass it.
    all: Vec<(u32, f64)>,
}

impl<'a> Gates<'a> {
    fn new(w: i32, levels: &'a [i32]) -> Self {
        Self { w: w as usize, levels, of_cells: vec![0; levels.len()], all: vec![(0, 0.0)] }
    }

    /// Bodies that take this time go from one cell to another: through the gate of the first, if the other is
    /// nearer.
    fn pass(&mut self, from: usize, to: usize, time: f64) {
        if self.levels[from] > self.levels[to] {
            let gate = self.gate(from);
            self.all[gate].1 += time;
        }
    }

    fn gate(&mut self, cell: usize) -> usize {
        if self.of_cells[cell] == 0 {
            let (number, mut wide, mut open) = (self.all.len() as u32, 0, vec![cell]);
            self.of_cells[cell] = number;
            while let Some(cell) = open.pop() {
                wide += 1;
                let (x, y) = (cell % self.w, cell / self.w);
                for n in 0..9 {
                    let (x, y) = ((x + n % 3).wrapping_sub(1), (y + n / 3).wrapping_sub(1));
                    let next = y.wrapping_mul(self.w).wrapping_add(x);
                    let is_of_it = x < self.w && self.levels.get(next) == Some(&self.levels[cell]);
                    if is_of_it && self.of_cells[next] == 0 {
                        self.of_cells[next] = number;
                        open.push(next);
                    }
                }
            }
            self.all.push((wide, 0.0));
        }
        self.of_cells[cell] as usize
    }

    fn longest(&self) -> f64 {
        self.all.iter().skip(1).map(|&(wide, time)| time / f64::from(wide)).fold(0.0, f64::max)
    }
}
