//! What grids do, as monitors of Godot's debugger. They are there while a grid is in the scene tree.

use std::time::{Duration, Instant};

use godot::classes::Performance;
use godot::obj::Singleton;
use godot::prelude::*;

use crate::engine::in_tree::InTree;
use crate::engine::{clock, platform};
use crate::map::grid::PathForgeGrid;

/// Rates are taken over so much time at least.
const WINDOW: Duration = Duration::from_secs(1);
/// The debugger's names of what is counted, with what each is.
const RATES: [(&str, Count); 4] = [
    ("PathForge/Queries per second", Count::Queries),
    ("PathForge/Expansions per second", Count::Expanded),
    ("PathForge/Microseconds per second", Count::Usec),
    ("PathForge/Repairs per second", Count::Repairs),
];
const MEMORY: &str = "PathForge/Memory bytes";

#[derive(Clone, Copy)]
enum Count {
    Queries,
    Expanded,
    Usec,
    Repairs,
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
    for (name, count) in RATES {
        let mut rate = Rate::new(count);
        let callable = platform::callable(name, move |_: &[&Variant]| rate.now());
        performance.add_custom_monitor(name, &callable);
    }
    let memory = platform::callable(MEMORY, |_: &[&Variant]| {
        grids().iter().map(|grid| grid.bind().account().1 as i64).sum::<i64>()
    });
    performance.add_custom_monitor(MEMORY, &memory);
}

fn take_down() {
    let mut performance = Performance::singleton();
    for name in RATES.iter().map(|(name, _)| *name).chain([MEMORY]) {
        if performance.has_custom_monitor(name) {
            performance.remove_custom_monitor(name);
        }
    }
}

/// How fast a count grows, seen over the last window.
struct Rate {
    count: Count,
    since: Instant,
    before: u64,
    latest: f64,
}

impl Rate {
    fn new(count: Count) -> Self {
        Self { count, since: Instant::now(), before: total(count), latest: 0.0 }
    }

    fn now(&mut self) -> f64 {
        let elapsed = self.since.elapsed();
        if elapsed >= WINDOW {
            let total = total(self.count);
            self.latest = total.saturating_sub(self.before) as f64 / elapsed.as_secs_f64();
            (self.since, self.before) = (Instant::now(), total);
        }
        self.latest
    }
}

fn total(count: Count) -> u64 {
    let statistics = |of: fn(pathforge_core::world::Statistics) -> u64| {
        grids().iter().map(|grid| of(grid.bind().account().0)).sum()
    };
    match count {
        Count::Usec => clock::usec_spent(),
        Count::Queries => statistics(|statistics| statistics.queries),
        Count::Expanded => statistics(|statistics| statistics.expanded),
        Count::Repairs => statistics(|statistics| statistics.repairs),
    }
}

/// The grids in the scene tree.
pub fn grids() -> Vec<Gd<PathForgeGrid>> {
    GRIDS.all()
}
