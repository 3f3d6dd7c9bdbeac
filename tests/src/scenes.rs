//! Seven scenes in which groups meet, and what is seen of them until the last is told: when, where, and how
//! still all are afterwards.

use std::collections::BTreeMap;

use pathforge_core::crowd::{AgentState, AgentView};
use pathforge_core::geometry::{Cell, CellRect};

use crate::hall::{Hall, percentile, walks};
use crate::halls::{SPEED, Sizes, fill};
use crate::maps::{Walls, city, rooms};
use crate::rng::Rng;
use crate::truth::Sent;

/// The names of the scenes.
pub const SCENES: [&str; 7] = [
    "crossing of 306 and 306",
    "swap of 240, a gate of five",
    "rooms, 420",
    "pocket, 100 in and 40 out",
    "serpent with a door, 200",
    "12 of 3 × 3 against 150, a lane of four",
    "990 sent anew after 6, 12 and 18 s",
];
const STEP: f64 = 1.0 / 60.0;
/// The parts of all whose times are told.
const PARTS: [f64; 4] = [0.5, 0.9, 0.99, 1.0];
/// An agent is close within so many radii of the disc that its group would fill.
const CLOSE: f64 = 1.25;

/// A scene: agents on a map, what is changed on the way, and when the last order is given.
#[derive(Debug)]
pub struct Scene {
    /// The map and the crowd.
    pub hall: Hall,
    /// The goal of each field.
    goals: Vec<Cell>,
    /// Orders after the first: seconds, and the goal of all.
    orders: Vec<(u32, Cell)>,
    /// A door: its cells, and when it closes and opens again, in seconds.
    door: Option<([i32; 4], [u32; 2])>,
}

/// What was seen of a scene; times in seconds from the last order.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// When half, nine of ten, 99 of 100 and all were told: as arrived or blocked.
    pub told: [Option<f64>; 4],
    /// When so many were within 1.25 radii of the disc that their group would fill.
    pub close: [Option<f64>; 4],
    /// The overlap that 99.9 % stay below: on the way, and ten seconds after the last was told; in parts of
    /// the smaller radius.
    pub overlaps: [f64; 2],
    /// How many moved by more than 0.05 of their radius from five to ten seconds after the last was told.
    pub restless: usize,
    /// How often the state of an agent that was on its way changed within a tenth of a second, for each
    /// agent.
    pub flickers: f64,
    /// The longest time that an agent reported *moving* within a fifth of a cell, in seconds.
    pub on_one_spot: f64,
    /// Where all are sent to one goal: by when all are to be told, see [`Sent::bound`].
    pub bound: Option<f64>,
}

impl Scene {
    /// The scene at a place in the list of names, for one seed.
    pub fn new(number: usize, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        match number {
            0 => Self::two_groups(Walls::filled(130, 50, false), &mut rng, [306, 306], [18, 17]),
            1 => {
                let mut walls = Walls::filled(82, 40, false);
                walls.fill(40, 0, 2, 40, true);
                walls.fill(40, 17, 2, 5, false);
                Self::two_groups(walls, &mut rng, [120, 120], [10, 12])
            }
            2 => {
                let walls = rooms(&mut rng, 84, 63, 20);
                let mut scene = Self::of(walls, &[Cell::new(31, 31)]);
                scene.spread(&mut rng, 420, true);
                scene
            }
            3 => {
                let mut walls = Walls::filled(70, 40, false);
                walls.fill(40, 10, 18, 18, true);
                walls.fill(42, 12, 14, 14, false);
                walls.fill(40, 17, 2, 4, false);
                let mut scene = Self::of(walls, &[Cell::new(54, 19), Cell::new(10, 19)]);
                let (inwards, outwards) = ([Some(0), None, None], [Some(3), None, None]);
                fill(&mut scene.hall, &mut rng, [5, 10, 10, 20], 100, Sizes::Small, inwards);
                fill(&mut scene.hall, &mut rng, [50, 14, 4, 10], 40, Sizes::Small, outwards);
                scene
            }
            4 => {
                let mut walls = Walls::filled(60, 34, false);
                for n in 0..3 {
                    walls.fill(if n % 2 == 0 { 16 } else { 0 }, 10 + n * 5, 44, 1, true);
                }
                let door = [26, 11, 1, 4];
                let mut scene = Self::of(walls, &[Cell::new(40, 28)]);
                fill(&mut scene.hall, &mut rng, [30, 0, 22, 9], 200, Sizes::Small, [Some(0), None, None]);
                scene.door = Some((door, [5, 15]));
                scene
            }
            5 => {
                let mut walls = Walls::filled(110, 30, false);
                walls.fill(40, 0, 30, 30, true);
                walls.fill(40, 13, 30, 4, false);
                let mut scene = Self::of(walls, &[Cell::new(90, 14), Cell::new(16, 14)]);
                for n in 0..12 {
                    scene.hall.add(Cell::new(24 + n % 3 * 4, 7 + n / 3 * 4), 3, SPEED * 0.75, Some(2));
                }
                fill(&mut scene.hall, &mut rng, [80, 7, 10, 15], 150, Sizes::Small, [Some(3), None, None]);
                scene
            }
            _ => {
                let mut scene = Self::of(city(&mut rng, 120, 90), &[Cell::default()]);
                let goals: Vec<Cell> = (0..4).map(|_| scene.open(&mut rng)).collect();
                scene.send(goals[0]);
                scene.spread(&mut rng, 990, false);
                scene.orders = [6, 12, 18].into_iter().zip(goals[1..].iter().copied()).collect();
                scene
            }
        }
    }

    /// A map with three fields, one a size, to each goal.
    fn of(walls: Walls, goals: &[Cell]) -> Self {
        let mut hall = Hall::new(walls.into_terrain(Cell::default()));
        for (group, &goal) in goals.iter().enumerate() {
            for side in 1..=3 {
                hall.field(side, &[goal], group as u32);
            }
        }
        Self { hall, goals: goals.to_vec(), orders: Vec::new(), door: None }
    }

    /// Two blocks of small bodies at both ends of a map, each with its goal where the other begins.
    fn two_groups(walls: Walls, rng: &mut Rng, counts: [usize; 2], [w, h]: [i32; 2]) -> Self {
        let (width, top) = (walls.w, walls.h / 2 - h / 2);
        let lefts = [10, width - 10 - w];
        let mut scene = Self::of(walls, &lefts.map(|left| Cell::new(width - left - w / 2, top + h / 2)));
        for (group, (left, count)) in lefts.into_iter().zip(counts).enumerate() {
            let fields = [Some(group as u32 * 3), None, None];
            fill(&mut scene.hall, rng, [left, top, w, h], count, Sizes::Small, fields);
        }
        scene
    }

    /// Sends all to another goal.
    fn send(&mut self, goal: Cell) {
        for side in 1..=3 {
            self.hall.rebuild_field(side as u32 - 1, side, &[goal]);
        }
        for side in 0..3 {
            let is_its = |view: &AgentView| u32::from(view.kind) == side;
            let ids: Vec<u32> = self.hall.crowd.views().filter(is_its).map(|view| view.id).collect();
            self.hall.crowd.assign_field(&ids, side);
        }
        self.goals[0] = goal;
    }

    /// Of some cells, the cell that the largest body reaches from the most others.
    fn open(&mut self, rng: &mut Rng) -> Cell {
        let region = self.hall.terrain.region();
        let cells: Vec<Cell> =
            (0..30).map(|_| Cell::new(rng.int(3..region.w - 3), rng.int(3..region.h - 3))).collect();
        let reached = |cell: &Cell| {
            self.hall.rebuild_field(2, 3, &[*cell]);
            region.cells().filter(|&at| self.hall.reaches(2, at)).count()
        };
        cells.into_iter().max_by_key(reached).expect("some cells")
    }

    /// So many bodies anywhere from where they reach their goal, to each goal in turn; all small, or of three
    /// sizes.
    fn spread(&mut self, rng: &mut Rng, count: usize, is_small: bool) {
        let region = self.hall.terrain.region();
        for _ in 0..count * 200 {
            let group = self.hall.crowd.len() % self.goals.len();
            let side = if is_small { 1 } else { rng.pick(&[1, 1, 1, 1, 1, 1, 1, 2, 2, 3]) };
            let field = group as u32 * 3 + side as u32 - 1;
            let at = Cell::new(rng.int(0..region.w - 3), rng.int(0..region.h - 3));
            if self.hall.crowd.len() < count && self.hall.reaches(field, at) && self.is_free(at, side) {
                self.hall.add(at, side, [4.0, 3.5, 3.0][side as usize - 1], Some(field));
            }
        }
    }

    /// Returns `true` if a body of `side` cells at a place touches none that is there.
    fn is_free(&self, at: Cell, side: i32) -> bool {
        let [x, y] = [at.x, at.y].map(|v| f64::from(v) + f64::from(side) * 0.5);
        let touches = |view: AgentView| {
            (view.x - x).hypot(view.y - y) < f64::from(view.radius) + f64::from(Hall::radius(side))
        };
        !self.hall.crowd.views_unordered().any(touches)
    }

    /// Does what is due at a time.
    pub fn act(&mut self, seconds: u32) {
        let goal = self.orders.iter().find(|order| order.0 == seconds).map(|order| order.1);
        if let Some(goal) = goal {
            self.send(goal);
        }
        if let Some(([x, y, w, h], [closes, _])) = self.door.filter(|door| door.1.contains(&seconds)) {
            self.hall.edit(|terrain| _ = terrain.fill_solid(CellRect::new(x, y, w, h), seconds == closes));
            let goal = self.goals[0];
            (1..=3).for_each(|side| self.hall.rebuild_field(side as u32 - 1, side, &[goal]));
        }
    }

    /// How far an agent is from its goal, in radii of the disc that its group would fill.
    fn distances(&self) -> Vec<f64> {
        let views: Vec<AgentView> = self.hall.crowd.views_unordered().collect();
        let group = |view: &AgentView| view.field.unwrap_or(0) as usize / 3;
        let mut areas = vec![0.0; self.goals.len()];
        for view in &views {
            areas[group(view)] += 4.0 * f64::from(view.radius).powi(2);
        }
        let distance = |view: &AgentView| {
            let goal = self.goals[group(view)];
            let far = (view.x - f64::from(goal.x) - 0.5).hypot(view.y - f64::from(goal.y) - 0.5);
            far / (areas[group(view)] / std::f64::consts::PI).sqrt()
        };
        views.iter().map(distance).collect()
    }

    /// Steps until all are told, for at most so many seconds, and ten seconds more.
    pub fn watch(&mut self, limit: u32) -> Seen {
        let mut seen = Seen::default();
        let (mut moving, mut changed, mut flickers) = (Vec::new(), BTreeMap::new(), 0);
        let mut spots = BTreeMap::new();
        let count = self.hall.crowd.len();
        let begin = self.orders.last().map_or(0, |order| order.0);
        for tick in 0..limit * 60 {
            if tick % 60 == 0 {
                self.act(tick / 60);
            }
            self.hall.step(STEP);
            for view in self.hall.crowd.views_unordered() {
                let (state, at) = changed.entry(view.id).or_insert((view.state, 0));
                if *state != view.state {
                    let is_on_way = |state| matches!(state, AgentState::Moving | AgentState::Waiting);
                    flickers += usize::from(tick - *at < 6 && is_on_way(*state) && is_on_way(view.state));
                    (*state, *at) = (view.state, tick);
                }
                let (x, y, since) = spots.entry(view.id).or_insert((view.x, view.y, tick));
                if view.state != AgentState::Moving || (view.x - *x).hypot(view.y - *y) > 0.2 {
                    (*x, *y, *since) = (view.x, view.y, tick);
                }
                seen.on_one_spot = seen.on_one_spot.max(f64::from(tick - *since) * STEP);
            }
            if tick < begin * 60 {
                continue;
            }
            if tick == begin * 60 && self.goals.len() == 1 {
                seen.bound = Some(Sent { hall: &self.hall, fields: [0, 1, 2] }.bound());
            }
            let now = f64::from(tick + 1) * STEP - f64::from(begin);
            let walking = self.hall.crowd.views_unordered().filter(walks).count();
            note(&mut seen.told, now, (count - walking) as f64 / count as f64);
            if tick % 30 == 0 {
                let close = self.distances().into_iter().filter(|&distance| distance <= CLOSE).count();
                note(&mut seen.close, now, close as f64 / count as f64);
            }
            if tick % 120 == 0 {
                moving.extend(self.hall.overlaps(walks, |_| true));
            }
            if walking == 0 {
                break;
            }
        }
        seen.flickers = flickers as f64 / count as f64;
        (0..300).for_each(|_| drop(self.hall.step(STEP)));
        let before: Vec<AgentView> = self.hall.crowd.views().collect();
        (0..300).for_each(|_| drop(self.hall.step(STEP)));
        let has_moved =
            |(a, b): &(&AgentView, AgentView)| (a.x - b.x).hypot(a.y - b.y) > 0.05 * f64::from(a.radius);
        seen.restless = before.iter().zip(self.hall.crowd.views()).filter(has_moved).count();
        let mut resting = self.hall.overlaps(|_| true, |_| true);
        seen.overlaps = [&mut moving, &mut resting].map(|all| f64::from(percentile(all, 0.999)));
        let close = self.distances().into_iter().filter(|&distance| distance <= CLOSE).count();
        note(&mut seen.close, f64::from(limit), close as f64 / count as f64);
        seen
    }
}

/// Notes when so large a part was there first.
fn note(times: &mut [Option<f64>; 4], now: f64, part: f64) {
    for (time, least) in times.iter_mut().zip(PARTS) {
        if time.is_none() && part >= least {
            *time = Some(now);
        }
    }
}
