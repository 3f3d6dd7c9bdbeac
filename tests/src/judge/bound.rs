//! By when a group must have been told, from the map alone: twice the path of the farthest, and the time that
//! the gate with the longest queue takes.

use pathforge_core::geometry::{Cell, CellRect};

use super::costs::Costs;

/// How densely bodies pass a gate: the share of their path at full speed that their squares cover. It is
/// measured at an exit of three cells: 9.3 small bodies at 4 cells a second, or three sizes at 3 a second.
const FLOW: f64 = 0.77;

/// A body before its group is sent.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// Its top-left cell.
    pub anchor: Cell,
    /// Its side, of one to three cells.
    pub side: i32,
    /// Its speed in cells a second.
    pub speed: f64,
}

/// Returns by when all are to be told, in seconds.
///
/// `costs` has the costs of each side, and `rim` is the cost within which the cells hold all bodies.
pub fn bound(region: CellRect, costs: &[Costs; 3], starts: &[Start], rim: f64) -> f64 {
    let way = |start: &Start| costs[start.side as usize - 1].of(start.anchor).map(|cost| cost / start.speed);
    2.0 * starts.iter().filter_map(way).fold(0.0, f64::max) + gate(region, costs, starts, rim)
}

/// Returns how long it takes until all bodies are through the gate that needs the most time, in seconds.
///
/// The cells from which a goal is equally far, to the cell, are gates on the paths to it. A gate is as wide
/// as the number of them that touch each other. All bodies beyond a gate pass it, each on its path, except
/// the bodies that the room beyond it holds.
fn gate(region: CellRect, costs: &[Costs; 3], starts: &[Start], rim: f64) -> f64 {
    let cells = costs[0].sorted();
    let index = |cell: Cell| ((cell.y - region.y) * region.w + cell.x - region.x) as usize;
    let mut levels = vec![i32::MAX; (region.w * region.h) as usize];
    for &(cost, cell) in &cells {
        levels[index(cell)] = cost as i32;
    }
    let mut gates = Gates::new(region.w, &levels);
    // How long the bodies take that pass a cell, from it and from beyond it, without bodies that stay.
    let mut passing = [(); 3].map(|()| vec![0.0; levels.len()]);
    for start in starts {
        let (kind, side) = (start.side as usize - 1, f64::from(start.side));
        if costs[kind].of(start.anchor).is_some() {
            passing[kind][index(start.anchor)] += side * side / (FLOW * start.speed);
        }
    }
    let all: f64 = passing.iter().flatten().sum();
    let within = cells.partition_point(|(cost, _)| *cost <= rim);
    for &(_, cell) in &cells[..within] {
        passing[0][index(cell)] -= all / within as f64;
    }
    for ((kind, passing), costs) in passing.iter_mut().enumerate().zip(costs) {
        let middle = kind / 2 * (region.w as usize + 1);
        for (_, cell) in costs.sorted().into_iter().rev() {
            if let Some(next) = costs.next(cell) {
                let (from, to) = (index(cell), index(next));
                passing[to] += passing[from];
                gates.pass(from + middle, to + middle, passing[from]);
            }
        }
    }
    gates.longest()
}

/// The gates of a map: cells of one level that touch each other.
struct Gates<'a> {
    w: usize,
    levels: &'a [i32],
    /// For each cell the gate that it is of, or 0.
    of_cells: Vec<u32>,
    /// For each gate how wide it is, and how long the bodies take that pass it.
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
