//! A map with bodies of one to three cells, and what is seen of them from an order to its end.

use std::collections::HashMap;
use std::time::Instant;

use pathforge_core::crowd::{AgentState, AgentView};
use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::world::Profile;

use super::bound::{Start, bound};
use super::costs::Costs;
use super::measures::{self, Body};
use super::verdict::Verdict;
use crate::bodies;
use crate::game::Game;
use crate::hall::{overlaps, percentile, walks};
use crate::maps::Walls;
use crate::rng::Rng;

/// Steps a second.
pub const STEPS: u32 = 60;
/// The speed of all bodies, in cells a second.
pub const SPEED: f32 = 5.0;
/// The parts of all bodies whose times are measured.
pub const PARTS: [f64; 4] = [0.5, 0.9, 0.99, 1.0];
/// How long bodies rest before they are judged, in seconds.
const REST: u32 = 10;
/// Of so many steps one is looked at for overlaps.
const SAMPLED: u32 = 20;

/// A crowd on a map, under observation.
#[derive(Debug)]
pub struct Arena {
    /// The map and the crowd.
    pub game: Game,
    /// What is known of each body, by its id.
    bodies: Vec<Option<Body>>,
    /// The cells that bodies covered when they were added.
    taken: Vec<bool>,
    /// Steps since the beginning, and at the last order.
    steps: u32,
    ordered: u32,
    bound: Option<f64>,
    overlaps: Vec<f32>,
    seconds: f64,
    body_steps: u64,
}

impl Arena {
    /// A map without bodies.
    pub fn new(walls: Walls) -> Self {
        let taken = vec![false; walls.solid.len()];
        let game = Game::new(walls.into_terrain(Cell::default()));
        Self {
            game,
            bodies: Vec::new(),
            taken,
            steps: 0,
            ordered: 0,
            bound: None,
            overlaps: Vec::new(),
            seconds: 0.0,
            body_steps: 0,
        }
    }

    /// The cells of the map.
    pub fn region(&self) -> CellRect {
        self.game.world.terrain().region()
    }

    /// The costs of paths to a goal for a body of `side` cells.
    pub fn costs(&self, side: i32, goal: Cell) -> Costs {
        Costs::new(self.game.world.terrain(), side, goal)
    }

    /// Adds a body where no other was added before.
    pub fn add(&mut self, anchor: Cell, side: i32) -> Option<u32> {
        let region = self.region();
        let covered = CellRect::new(anchor.x, anchor.y, side, side);
        let index = |cell: Cell| (cell.y * region.w + cell.x) as usize;
        if !covered.cells().all(|cell| region.contains(cell) && !self.taken[index(cell)]) {
            return None;
        }
        let footprint = bodies::footprint(side, side);
        let id = self.game.add(anchor, &Profile { footprint, ..Profile::default() }, SPEED)?;
        for cell in covered.cells() {
            self.taken[index(cell)] = true;
        }
        self.bodies.resize(id as usize + 1, None);
        let view = self.game.crowd.view(id)?;
        self.bodies[id as usize] = Some(Body::new(side, view, self.steps));
        Some(id)
    }

    /// Adds so many bodies of each side anywhere in an area, where they have a path if `costs` are given.
    pub fn scatter(
        &mut self,
        rng: &mut Rng,
        area: CellRect,
        counts: &[(i32, usize)],
        costs: Option<&[Costs; 3]>,
    ) -> Vec<u32> {
        let mut ids = Vec::new();
        for &(side, count) in counts {
            let wanted = ids.len() + count;
            for _ in 0..400_000 {
                if ids.len() == wanted {
                    break;
                }
                let x = rng.int(area.x..area.right() - side + 1);
                let anchor = Cell::new(x, rng.int(area.y..area.bottom() - side + 1));
                if costs.is_none_or(|costs| costs[side as usize - 1].of(anchor).is_some()) {
                    ids.extend(self.add(anchor, side));
                }
            }
        }
        ids
    }

    /// Returns the costs of each side to a cell that the largest bodies reach from most of the map.
    ///
    /// # Panics
    /// Never, as it chooses from a dozen cells.
    pub fn hub(&self, rng: &mut Rng) -> [Costs; 3] {
        let region = self.region();
        let mut cells = Vec::new();
        while cells.len() < 12 {
            let cell = Cell::new(rng.int(0..region.w), rng.int(0..region.h));
            let under = CellRect::new(cell.x, cell.y, 3, 3);
            let terrain = self.game.world.terrain();
            if under.cells().all(|cell| region.contains(cell) && !terrain.is_solid(cell)) {
                cells.push(cell);
            }
        }
        let reached = |&cell: &Cell| self.costs(3, cell).count();
        let hub = cells.into_iter().max_by_key(reached).expect("a dozen");
        [1, 2, 3].map(|side| self.costs(side, hub))
    }

    /// Sends bodies to a cell. What was seen until now no longer counts.
    pub fn order(&mut self, ids: &[u32], goal: Cell) {
        self.note_order(ids, goal);
        self.game.send(ids, goal);
    }

    /// Bodies that something else than [`Arena::order`] sends to a cell.
    pub fn note_order(&mut self, ids: &[u32], goal: Cell) {
        for &id in ids {
            if let Some(body) = &mut self.bodies[id as usize] {
                body.send(goal, self.steps);
            }
        }
        (self.ordered, self.bound) = (self.steps, None);
        (self.seconds, self.body_steps) = (0.0, 0);
        self.overlaps.clear();
    }

    /// Finds by when all bodies are to be told, from where they are, if they have one goal.
    pub fn find_bound(&mut self, goal: Cell) {
        let costs = [1, 2, 3].map(|side| self.costs(side, goal));
        let start = |body: &Body| Start { anchor: body.anchor(), side: body.side, speed: f64::from(SPEED) };
        let starts: Vec<Start> = self.bodies.iter().flatten().map(start).collect();
        let area = self.bodies.iter().flatten().map(Body::area).sum();
        let rim = measures::rim(&costs[0].sorted(), area);
        self.bound = Some(self.time() + bound(self.region(), &costs, &starts, rim));
    }

    /// Makes cells solid or open.
    pub fn edit(&mut self, cells: &[Cell], is_solid: bool) {
        for &cell in cells {
            self.game.world.terrain_mut().fill_solid(CellRect::cell(cell), is_solid);
        }
    }

    /// Removes bodies.
    pub fn remove(&mut self, ids: &[u32]) {
        self.game.crowd.remove(ids);
        for &id in ids {
            self.bodies[id as usize] = None;
        }
    }

    /// The body with this id, unless it was removed.
    pub fn view(&self, id: u32) -> Option<&AgentView> {
        self.bodies.get(id as usize)?.as_ref().map(|body| &body.view)
    }

    /// Seconds since the last order.
    pub fn time(&self) -> f64 {
        f64::from(self.steps - self.ordered) / f64::from(STEPS)
    }

    /// Steps, and looks at all bodies.
    pub fn step(&mut self) {
        let start = Instant::now();
        self.game.step();
        self.seconds += start.elapsed().as_secs_f64();
        self.body_steps += self.game.crowd.len() as u64;
        self.steps += 1;
        for view in self.game.crowd.views_unordered() {
            if let Some(body) = &mut self.bodies[view.id as usize] {
                body.see(view, self.steps);
            }
        }
        if self.steps.is_multiple_of(SAMPLED) {
            self.overlaps.extend(overlaps(&self.views(), walks, |_| true));
        }
    }

    fn views(&self) -> Vec<AgentView> {
        self.bodies.iter().flatten().map(|body| body.view).collect()
    }

    /// Steps until all of some bodies are told, or until so many seconds after the order; returns when half,
    /// nine of ten, 99 of 100 and all of them were.
    pub fn watch(&mut self, ids: &[u32], limit: u32) -> [f64; 4] {
        let mut told = [f64::INFINITY; 4];
        while self.time() < f64::from(limit) && told[3].is_infinite() {
            self.step();
            let is_told = |id: &&u32| self.view(**id).is_none_or(|view| is_told(view.state));
            let count = ids.iter().filter(is_told).count();
            for (told, part) in told.iter_mut().zip(PARTS) {
                if told.is_infinite() && count as f64 >= part * ids.len() as f64 {
                    *told = self.time();
                }
            }
        }
        told
    }

    /// Steps for so many seconds.
    pub fn wait(&mut self, seconds: u32) {
        (0..seconds * STEPS).for_each(|_| self.step());
    }

    /// Watches all bodies for so many seconds after the order at most, lets them rest, and judges them.
    pub fn judge(&mut self, limit: u32) -> Verdict {
        let ids: Vec<u32> =
            (0..self.bodies.len()).filter(|&id| self.bodies[id].is_some()).map(|id| id as u32).collect();
        let told = self.watch(&ids, limit);
        self.judge_told(told)
    }

    /// Lets all bodies rest, and judges them after these times.
    pub fn judge_told(&mut self, told: [f64; 4]) -> Verdict {
        self.wait(REST);
        let before = self.views();
        self.wait(1);
        let has_moved =
            |(a, b): (&AgentView, AgentView)| (a.x - b.x).hypot(a.y - b.y) > 0.05 * f64::from(a.radius);
        let restless = before.iter().zip(self.views()).filter(|&(a, b)| has_moved((a, b))).count();
        let bodies: Vec<&Body> = self.bodies.iter().flatten().collect();
        let count =
            |what: &dyn Fn(AgentState) -> bool| bodies.iter().filter(|body| what(body.view.state)).count();
        let mut resting = overlaps(&self.views(), |_| true, |_| true);
        let goals = self.goals();
        let falsely = goals.iter().map(|(goal, rim)| {
            let costs = self.costs(1, *goal);
            bodies.iter().filter(|body| body.goal == Some(*goal) && body.is_beyond(&costs, *rim)).count()
        });
        let terrain = self.game.world.terrain();
        let longest = bodies.iter().map(|body| f64::from(body.on_one_spot)).fold(0.0, f64::max);
        Verdict {
            told,
            late: self.bound.map(|bound| told[3] / bound),
            arrived: count(&|state| state == AgentState::Arrived),
            blocked: count(&|state| state == AgentState::Blocked),
            stuck: count(&|state| state == AgentState::Stuck),
            under_way: count(&|state| !is_told(state)),
            count: bodies.len(),
            arrived_falsely: falsely.sum(),
            blocked_falsely: measures::falsely_blocked(terrain, &bodies),
            moved_on: bodies.iter().filter(|body| body.has_moved_on()).count(),
            empty: match goals[..] {
                [(goal, rim)] => Some(measures::empty(&self.costs(1, goal).sorted(), rim, &bodies)),
                _ => None,
            },
            overlap_moving: f64::from(percentile(&mut self.overlaps.clone(), 0.999)),
            overlap_resting: [0.999, 1.0].map(|part| f64::from(percentile(&mut resting, part))),
            restless,
            on_one_spot: longest / f64::from(STEPS),
            turning: bodies.iter().filter(|body| body.turns.is_often).count(),
            microseconds: self.seconds * 1e6 / self.body_steps.max(1) as f64,
            ..Verdict::default()
        }
    }

    /// All goals, and within which cost the cells hold the bodies that are sent there, or to goals close by.
    fn goals(&self) -> Vec<(Cell, f64)> {
        let mut areas: HashMap<Cell, f64> = HashMap::new();
        for body in self.bodies.iter().flatten() {
            if let Some(goal) = body.goal {
                *areas.entry(goal).or_default() += body.area();
            }
        }
        let mut goals: Vec<(Cell, f64)> = areas.into_iter().collect();
        goals.sort_unstable_by_key(|(goal, _)| (goal.y, goal.x));
        let costs: Vec<Costs> = goals.iter().map(|&(goal, _)| self.costs(1, goal)).collect();
        let sorted: Vec<Vec<(f64, Cell)>> = costs.iter().map(Costs::sorted).collect();
        let rims: Vec<f64> =
            sorted.iter().zip(&goals).map(|(cells, &(_, area))| measures::rim(cells, area)).collect();
        let with_others = |n: usize| {
            let touches = |&m: &usize| costs[n].of(goals[m].0).is_some_and(|cost| cost < rims[n] + rims[m]);
            let area = (0..goals.len()).filter(touches).map(|m| goals[m].1).sum();
            (goals[n].0, measures::rim(&sorted[n], area))
        };
        (0..goals.len()).map(with_others).collect()
    }
}

/// Whether a body in this state was told what becomes of it.
pub const fn is_told(state: AgentState) -> bool {
    matches!(state, AgentState::Arrived | AgentState::Blocked | AgentState::Stuck)
}
