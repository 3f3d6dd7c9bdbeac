//! Orders that come while others are carried out leave nothing of those behind: after the last, every agent
//! arrives, is blocked by named others, or is refused.

use pathforge_core::crowd::{AgentState, AgentView, MarchShape};
use pathforge_core::geometry::Cell;
use pathforge_core::world::{PathQuery, Profile};
use pathforge_tests::bodies::footprint;
use pathforge_tests::game::Game;
use pathforge_tests::maps;
use pathforge_tests::rng::Rng;

use crate::is_long;

/// When orders are given, in ticks.
const ORDERS: [u32; 4] = [0, 6 * 60, 12 * 60, 18 * 60];
/// The speeds of bodies of one, two and three cells, in cells a second.
const SPEEDS: [f32; 3] = [4.0, 3.5, 3.0];

struct Scene {
    game: Game,
    rng: Rng,
    ids: Vec<(u32, usize)>,
    profiles: [Profile; 3],
}

impl Scene {
    fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let (w, h) = (rng.int(24..64), rng.int(20..44));
        let walls = match seed % 5 {
            0 => maps::Walls::filled(w, h, false),
            1 => maps::rooms(&mut rng, w, h, 9),
            2 => maps::caves(&mut rng, w, h),
            3 => maps::city(&mut rng, w, h),
            _ => maps::boxes(&mut rng, w, h),
        };
        let mut game = Game::new(walls.into_terrain(Cell::default()));
        let profiles =
            [1, 2, 3].map(|side| Profile { footprint: footprint(side, side), ..Profile::default() });
        let mut ids = Vec::new();
        for _ in 0..400 {
            if ids.len() == 40 {
                break;
            }
            let size = rng.pick(&[0, 0, 0, 0, 0, 1, 1, 2]);
            let at = Cell::new(rng.int(0..w - 2), rng.int(0..h - 2));
            let is_free = |game: &Game| {
                let far = |view: AgentView| (view.x - f64::from(at.x)).hypot(view.y - f64::from(at.y));
                game.crowd.views_unordered().all(|view| far(view) > 3.0)
            };
            if game.world.is_placement(at, &profiles[size]) && is_free(&game) {
                let id = game.add(at, &profiles[size], SPEEDS[size]);
                ids.extend(id.map(|id| (id, size)));
            }
        }
        Self { game, rng, ids, profiles }
    }

    /// Sends some agents somewhere, some way or other; returns the longest time that one of them needs on an
    /// empty map.
    fn order(&mut self) -> f64 {
        let region = self.game.world.terrain().region();
        let mut longest = 0.0_f64;
        let parts = self.rng.int(1..4);
        for part in 0..parts {
            let cell = maps::any_cell(&mut self.rng, region);
            let some: Vec<(u32, usize)> =
                self.ids.iter().copied().filter(|(id, _)| *id as i32 % parts == part).collect();
            let ids: Vec<u32> = some.iter().map(|&(id, _)| id).collect();
            match self.rng.int(0..4) {
                0 => {
                    let shapes = [MarchShape::Block, MarchShape::Column, MarchShape::Wedge];
                    let shape = self.rng.pick(&shapes);
                    self.game.march(&ids, cell, shape);
                }
                _ => {
                    self.game.send(&ids, cell);
                }
            }
            for (id, size) in some {
                let view = self.game.crowd.view(id).expect("it is there");
                let half = f64::from(size as u32 + 1) / 2.0;
                let start = Cell::new((view.x - half).round() as i32, (view.y - half).round() as i32);
                let path = self.game.world.find_path(&PathQuery::new(start, cell, self.profiles[size]));
                longest = longest.max(path.cost.map_or(0.0, |cost| cost.cells() / f64::from(SPEEDS[size])));
            }
        }
        longest
    }

    /// Returns `true` if an agent has arrived, is refused, or is blocked by others that are named.
    fn is_right(&mut self, id: u32) -> bool {
        let view = self.game.crowd.view(id).expect("it is there");
        match view.state {
            AgentState::Arrived => true,
            AgentState::Stuck if view.is_cut_off => true,
            AgentState::Blocked | AgentState::Stuck => {
                self.game.blockage(id).is_some_and(|blockage| !blockage.by.is_empty())
            }
            AgentState::Idle | AgentState::Moving | AgentState::Waiting => false,
        }
    }

    /// Returns the troubles of agents that last through all of these seconds: a blocked agent tries again now
    /// and then.
    fn troubles(&mut self, seconds: u32) -> Vec<String> {
        let mut wrong: Vec<u32> = self.ids.iter().map(|&(id, _)| id).collect();
        for _ in 0..seconds {
            wrong.retain(|&id| !self.is_right(id));
            (0..60).for_each(|_| drop(self.game.step()));
        }
        let line = |id| {
            let trace = self.game.crowd.trace(id).expect("it is there");
            let AgentView { x, y, radius, state, .. } = trace.view;
            let (guide, timers) = (trace.guide, &trace.timers);
            format!("{id} of {radius} at ({x:.1}, {y:.1}): {state:?}, {trace}, {guide:?}, {timers:?}")
        };
        wrong.into_iter().map(line).collect()
    }
}

#[test]
fn after_the_last_order_each_arrives_or_is_blocked_by_named_others_or_is_refused() {
    let seeds = if is_long() { 100 } else { 15 };
    let (mut count, mut all) = (0, 0);
    for seed in 0..seeds {
        let mut scene = Scene::new(seed);
        let mut way = 0.0;
        for tick in 0..=ORDERS[3] {
            if ORDERS.contains(&tick) {
                way = scene.order();
            }
            scene.game.step();
        }
        // Twice the straight way, and as long as it takes all to pass a gate one after the other.
        let seconds = 20.0 + 2.0 * way + scene.ids.len() as f64;
        (0..(seconds * 60.0) as u32).for_each(|_| drop(scene.game.step()));
        let troubles = scene.troubles(15);
        println!("seed {seed}: {} agents, {seconds:.0} s, {} troubles", scene.ids.len(), troubles.len());
        for line in &troubles {
            println!("    {line}");
        }
        (count, all) = (count + scene.ids.len(), all + troubles.len());
    }
    // Some of those before a jam try again and again for longer.
    println!("{all} of {count}");
    assert!(all * 100 <= count, "{all} of {count}");
}
