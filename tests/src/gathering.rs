//! Groups on their way, and what is seen of them until the last rests.

use std::collections::BTreeSet;
use std::time::Instant;

use pathforge_core::crowd::{AgentState, AgentView};
use pathforge_core::geometry::Cell;

use crate::hall::{Hall, percentile, walks};
use crate::halls::{Sizes, fill};
use crate::maps::{Walls, caves};
use crate::rng::Rng;

const STEP: f64 = 1.0 / 60.0;
const GOAL: Cell = Cell { x: 56, y: 20 };

/// A crowd that is sent to one cell.
#[derive(Debug)]
pub struct Gathering {
    /// The map and the crowd.
    pub hall: Hall,
    goal: Cell,
    /// How many agents there are.
    pub count: usize,
}

/// What became of a gathering; times in seconds.
#[derive(Clone, Debug, Default)]
pub struct Arrival {
    /// When 99 % were within 1.25 radii of the disc that all would fill.
    pub packed: Option<f64>,
    /// When the last was reported, as arrived or as blocked.
    pub told: Option<f64>,
    /// The most by which the number of arrived agents fell below its earlier maximum.
    pub fell: usize,
    /// How many moved ten seconds after the last was told.
    pub restless: usize,
    /// Reports of agents that had been reported before.
    pub reported_twice: usize,
    /// The deepest overlap at the end, in parts of the smaller radius.
    pub overlap: f32,
    /// How many reported *blocked* at the end.
    pub blocked: usize,
    /// The distance that 99 % keep to, in radii of the disc.
    pub spread: f64,
    /// What each step took until the last was told, in milliseconds.
    pub steps: Vec<f64>,
}

impl Gathering {
    /// All agents of a hall, to a goal that their fields lead to.
    pub fn of(hall: Hall, goal: Cell) -> Self {
        let count = hall.crowd.len();
        Self { hall, goal, count }
    }

    /// The crowd of the README: through a gate of six cells, or over an open field.
    pub fn readme(seed: u64, sizes: Sizes, count: usize, has_gate: bool) -> Self {
        let mut walls = Walls::filled(72, 40, false);
        if has_gate {
            walls.fill(40, 0, 2, 40, true);
            walls.fill(40, 17, 2, 6, false);
        }
        let mut hall = Hall::new(walls.into_terrain(Cell::default()));
        let fields = [1, 2, 3].map(|side| Some(hall.field(side, &[GOAL], 0)));
        fill(&mut hall, &mut Rng::new(seed), [3, 5, 30, 30], count, sizes, fields);
        Self::of(hall, GOAL)
    }

    /// So many agents of three sizes anywhere in caves of `w` × `h` cells, to the place in the middle where
    /// the largest fits.
    pub fn in_caves(seed: u64, count: usize, w: i32, h: i32) -> Self {
        let mut rng = Rng::new(seed);
        let mut hall = Hall::new(caves(&mut rng, w, h).into_terrain(Cell::default()));
        let layer = hall.placements(3).clone();
        let near = |cell: &Cell| (cell.x - w / 2).abs() + (cell.y - h / 2).abs();
        let is_placement = |cell: &Cell| layer.at(cell.x as u32, cell.y as u32);
        let cells = hall.terrain.region().cells().filter(|cell| cell.x < w - 3 && cell.y < h - 3);
        let goal = cells.filter(is_placement).min_by_key(near).unwrap_or_default();
        let fields = [1, 2, 3].map(|side| hall.field(side, &[goal], 0));
        let mut tries = 0;
        while hall.crowd.len() < count && tries < count * 50 {
            tries += 1;
            let side = rng.pick(&[1, 1, 1, 1, 1, 1, 1, 2, 2, 3]);
            let at = Cell::new(rng.int(0..w - 3), rng.int(0..h - 3));
            let field = fields[side as usize - 1];
            if hall.reaches(field, at) {
                hall.add(at, side, [4.0, 3.5, 3.0][side as usize - 1], Some(field));
            }
        }
        Self::of(hall, goal)
    }

    /// The radius of the disc that all would fill, in cells.
    fn radius(&self) -> f64 {
        let area: f64 = self.hall.crowd.views_unordered().map(|v| f64::from(v.radius).powi(2) * 4.0).sum();
        (area / std::f64::consts::PI).sqrt()
    }

    /// The distance from the goal that 99 % keep to, in radii of that disc.
    fn spread(&self) -> f64 {
        let distance =
            |v: AgentView| (v.x - f64::from(self.goal.x) - 0.5).hypot(v.y - f64::from(self.goal.y) - 0.5);
        let mut distances: Vec<f64> = self.hall.crowd.views_unordered().map(distance).collect();
        distances.sort_by(f64::total_cmp);
        distances[distances.len() * 99 / 100] / self.radius()
    }

    /// Steps until all have been reported, for at most so many seconds, and ten seconds more.
    pub fn watch(&mut self, seconds: u32) -> Arrival {
        let mut arrival = Arrival::default();
        let (mut told, mut arrived_once, mut most) = (BTreeSet::new(), BTreeSet::new(), 0);
        for tick in 0..60 * seconds {
            let now = f64::from(tick + 1) * STEP;
            let start = Instant::now();
            let news = self.hall.step(STEP);
            arrival.steps.push(start.elapsed().as_secs_f64() * 1e3);
            for id in news.arrived {
                arrival.reported_twice += usize::from(!arrived_once.insert(id));
                told.insert(id);
            }
            told.extend(news.blocked);
            let arrived = self.hall.states()[AgentState::Arrived as usize];
            most = most.max(arrived);
            arrival.fell = arrival.fell.max(most - arrived);
            if arrival.packed.is_none() && tick % 15 == 0 && self.spread() <= 1.25 {
                arrival.packed = Some(now);
            }
            if told.len() == self.count {
                arrival.told = Some(now);
                break;
            }
        }
        (0..600).for_each(|_| drop(self.hall.step(STEP)));
        let before: Vec<AgentView> = self.hall.crowd.views().collect();
        (0..60).for_each(|_| drop(self.hall.step(STEP)));
        let has_moved = |(a, b): &(&AgentView, AgentView)| (a.x - b.x).hypot(a.y - b.y) > 0.01;
        arrival.restless = before.iter().zip(self.hall.crowd.views()).filter(has_moved).count();
        arrival.overlap = self.hall.overlaps(|_| true, |_| true).into_iter().fold(0.0, f32::max);
        arrival.spread = self.spread();
        arrival.blocked = self.hall.states()[AgentState::Blocked as usize];
        arrival
    }
}

/// What became of agents until none was on its way.
#[derive(Clone, Debug)]
pub struct Rest {
    /// After how many seconds none was; unset when some still were at the end.
    pub seconds: Option<f64>,
    /// The overlaps of all agents in every tenth step, in parts of the smaller radius.
    pub overlaps: Vec<f32>,
    /// What each step took, in milliseconds.
    pub steps: Vec<f64>,
}

impl Rest {
    /// Drives the bodies with these ids at `speed`, and steps the others, until no agent is on its way.
    ///
    /// # Panics
    /// When a body is in a wall.
    pub fn await_all(hall: &mut Hall, driven: &[u32], speed: f32, seconds: u32) -> Self {
        let mut rest = Self { seconds: None, overlaps: Vec::new(), steps: Vec::new() };
        for tick in 0..seconds * 60 {
            let start = Instant::now();
            hall.drive(driven, speed, STEP);
            rest.steps.push(start.elapsed().as_secs_f64() * 1e3);
            if tick % 10 == 0 {
                assert_eq!(hall.in_a_wall(), None);
                rest.overlaps.extend(hall.overlaps(|_| true, |_| true));
            }
            if !hall.crowd.views_unordered().any(|view| walks(&view)) {
                rest.seconds = Some(f64::from(tick) * STEP);
                break;
            }
        }
        rest
    }

    /// The overlap below which so large a part of all stays.
    pub fn overlap(&mut self, part: f64) -> f32 {
        percentile(&mut self.overlaps, part)
    }
}
