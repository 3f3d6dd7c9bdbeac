//! What grids, fields and crowds do, as monitors of Godot's debugger. They are there while a grid is in the
//! scene tree.

use std::time::{Duration, Instant};

use godot::classes::Performance;
use godot::obj::Singleton;
use godot::prelude::*;
use pathforge_core::world::Statistics;

use super::PathForgeGrid;
use crate::engine::clock::{self, Figure};
use crate::engine::in_tree::InTree;
use crate::engine::platform;

/// Rates are taken over so much time at least.
const WINDOW: Duration = Duration::from_secs(1);
/// The debugger's names of what grows, and what it grows by: a second where nothing is said.
const RATES: [(&str, Count, Option<Count>); 7] = [
    ("PathForge/Queries per second", Count::Grids(|statistics| statistics.queries), None),
    ("PathForge/Expansions per second", Count::Grids(|statistics| statistics.expanded), None),
    ("PathForge/Microseconds per second", Count::All(Figure::QueryUsec), None),
    ("PathForge/Repairs per second", Count::Grids(|statistics| statistics.repairs), None),
    ("PathForge/Microseconds per crowd step", Count::All(Figure::StepUsec), Some(Count::All(Figure::Steps))),
    (
        "PathForge/Microseconds per field update",
        Count::All(Figure::FieldUsec),
        Some(Count::All(Figure::FieldUpdates)),
    ),
    (
        "PathForge/Cells per field update",
        Count::All(Figure::FieldCells),
        Some(Count::All(Figure::FieldUpdates)),
    ),
];
type Level = fn(&mut PathForgeGrid) -> usize;
/// What there is now, over all grids in the scene tree.
const LEVELS: [(&str, Level); 3] = [
    ("PathForge/Memory bytes", |grid| grid.account().1),
    ("PathForge/Open requests", PathForgeGrid::open_requests),
    ("PathForge/Open preparations", |grid| grid.open_preparations()),
];

#[derive(Clone, Copy)]
enum Count {
    /// What the grids in the scene tree count.
    Grids(fn(Statistics) -> u64),
    All(Figure),
}

/// The grids in the scene tree.
static GRIDS: InTree<PathForgeGrid> = InTree::new();

/// A grid has come into the scene tree.
pub fn enter(grid: InstanceId) {
    if GRIDS.is_empty() {
        // Before the grid is listed, as the engine asks a monitor at once, while the grid is borrowed.
        set_up();
    }
    GRIDS.enter(grid);
}

/// A grid leaves the scene tree.
pub fn exit(grid: InstanceId) {
    GRIDS.exit(grid);
    if GRIDS.is_empty() {
        take_down();
    }
}

fn set_up() {
    let mut performance = Performance::singleton();
    for (name, count, per) in RATES {
        let mut rate = Rate::new(count, per);
        let callable = platform::callable(name, move |_: &[&Variant]| rate.now());
        performance.add_custom_monitor(name, &callable);
    }
    for (name, level) in LEVELS {
        let callable = platform::callable(name, move |_: &[&Variant]| {
            grids().iter_mut().map(|grid| level(&mut grid.bind_mut()) as i64).sum::<i64>()
        });
        performance.add_custom_monitor(name, &callable);
    }
}

fn take_down() {
    let mut performance = Performance::singleton();
    for name in RATES.iter().map(|(name, ..)| *name).chain(LEVELS.iter().map(|(name, _)| *name)) {
        if performance.has_custom_monitor(name) {
            performance.remove_custom_monitor(name);
        }
    }
}

/// How fast a count grows, by the second or by another count, seen over the last window.
struct Rate {
    count: Count,
    per: Option<Count>,
    since: Instant,
    before: [u64; 2],
    latest: f64,
}

impl Rate {
    fn new(count: Count, per: Option<Count>) -> Self {
        let before = [total(count), per.map_or(0, total)];
        Self { count, per, since: Instant::now(), before, latest: 0.0 }
    }

    fn now(&mut self) -> f64 {
        let elapsed = self.since.elapsed();
        if elapsed >= WINDOW {
            let totals = [total(self.count), self.per.map_or(0, total)];
            let [growth, steps] = [0, 1].map(|at| totals[at].saturating_sub(self.before[at]) as f64);
            self.latest = growth / if self.per.is_some() { steps.max(1.0) } else { elapsed.as_secs_f64() };
            (self.since, self.before) = (Instant::now(), totals);
        }
        self.latest
    }
}

fn total(count: Count) -> u64 {
    match count {
        Count::Grids(of) => grids().iter().map(|grid| of(grid.bind().account().0)).sum(),
        Count::All(figure) => clock::total(figure),
    }
}

/// The grids in the scene tree.
pub fn grids() -> Vec<Gd<PathForgeGrid>> {
    GRIDS.all()
}
