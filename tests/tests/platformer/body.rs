//! A body under gravity in a level of cells: what a game's physics does with the buttons that a follower
//! presses.

use pathforge_core::geometry::Cell;
use pathforge_core::terrain::Terrain;
use pathforge_platformer::{
    BodyPhysics, BodyState, Buttons, FollowPlan, FollowState, Follower, JumpProfile, Motion, PlatformerQuery,
};
use pathforge_tests::jumps::Jumps;

/// The body is so much smaller than its cells at each side, so that it does not rub against walls.
const SLACK: f64 = 1.0 / 16.0;
/// It moves in pieces of at most so many cells.
const PIECE: f64 = 0.05;
const TOUCH: f64 = 1e-9;

/// A body of a profile's size. Lengths are in cells, times in seconds.
pub struct Body {
    /// Left and lowest edge of what collides.
    pub left: f64,
    pub feet: f64,
    pub speed: (f64, f64),
    pub on_floor: bool,
    width: f64,
    height: f64,
    run_speed: f64,
    pub jump_speed: f64,
    gravity: f64,
    /// Infinite for at once.
    acceleration: f64,
    /// How much smaller than its cells it is at each side.
    slack: f64,
}

impl Body {
    /// A body that stands with its top-left cell at `cell`.
    pub fn new(cell: Cell, profile: &JumpProfile, physics: &BodyPhysics) -> Self {
        let cells = |px: f64| px / physics.cell_size;
        Self {
            left: f64::from(cell.x) + SLACK,
            feet: f64::from(cell.y + profile.footprint.h()),
            speed: (0.0, 0.0),
            on_floor: true,
            width: f64::from(profile.footprint.w()) - 2.0 * SLACK,
            height: f64::from(profile.footprint.h()) - 2.0 * SLACK,
            run_speed: cells(physics.run_speed),
            jump_speed: cells(physics.jump_speed),
            gravity: cells(physics.gravity),
            acceleration: f64::INFINITY,
            slack: SLACK,
        }
    }

    /// The state that a follower reads.
    pub fn state(&self, delta: f64) -> BodyState {
        BodyState {
            left: self.left - self.slack,
            top: self.feet - self.height - SLACK,
            speed_x: self.speed.0,
            speed_y: self.speed.1,
            on_floor: self.on_floor,
            delta,
        }
    }

    /// One physics frame: the script that the documentation shows.
    pub fn step(&mut self, world: &Terrain, buttons: &Buttons, delta: f64) {
        let change = self.acceleration * delta;
        self.speed.0 += (buttons.axis * self.run_speed - self.speed.0).clamp(-change, change);
        self.speed.1 += self.gravity * delta;
        if buttons.jump && self.on_floor {
            self.speed.1 = -self.jump_speed;
        } else if !buttons.jump && self.speed.1 < 0.0 {
            self.speed.1 = 0.0;
        }
        if buttons.drop && self.on_floor {
            self.feet += 0.125;
        }
        self.on_floor = false;
        let (dx, dy) = (self.speed.0 * delta, self.speed.1 * delta);
        let pieces = (dx.abs().max(dy.abs()) / PIECE).ceil().max(1.0);
        for _ in 0..pieces as u32 {
            self.move_across(world, dx / pieces);
            self.move_along(world, dy / pieces);
        }
    }

    fn move_across(&mut self, world: &Terrain, dx: f64) {
        let wanted = self.left + dx;
        let region = world.region();
        let (least, most) = (f64::from(region.x), f64::from(region.right()) - self.width);
        if self.is_blocked(world, wanted, self.feet) {
            // To the wall, but no farther.
            let wall = if dx > 0.0 { (wanted + self.width).floor() - self.width } else { wanted.ceil() };
            if !self.is_blocked(world, wall, self.feet) && (wall - self.left) * dx >= 0.0 {
                self.left = wall;
            }
            self.speed.0 = 0.0;
        } else {
            self.left = wanted.clamp(least, most);
        }
    }

    fn move_along(&mut self, world: &Terrain, dy: f64) {
        let wanted = self.feet + dy;
        if dy > 0.0 && self.lands(world, wanted) {
            self.feet = wanted.floor();
            (self.speed.1, self.on_floor) = (0.0, true);
        } else if dy < 0.0 && self.is_blocked(world, self.left, wanted) {
            self.speed.1 = 0.0;
        } else {
            self.feet = wanted;
        }
    }

    /// Returns `true` if something supports the feet on their way down to `feet`.
    fn lands(&self, world: &Terrain, feet: f64) -> bool {
        let row = feet.floor();
        let crosses = row >= self.feet - TOUCH && feet >= row;
        crosses
            && self.columns(self.left).any(|x| {
                let cell = Cell::new(x, row as i32);
                is_solid(world, cell) || world.is_one_way(cell)
            })
    }

    fn is_blocked(&self, world: &Terrain, left: f64, feet: f64) -> bool {
        let (top, low) = ((feet - self.height + TOUCH).floor() as i32, (feet - TOUCH).floor() as i32);
        self.columns(left).any(|x| (top..=low).any(|y| is_solid(world, Cell::new(x, y))))
    }

    fn columns(&self, left: f64) -> std::ops::RangeInclusive<i32> {
        (left + TOUCH).floor() as i32..=(left + self.width - TOUCH).floor() as i32
    }
}

/// Nothing beyond the map stops a body, and nothing supports it there.
fn is_solid(world: &Terrain, cell: Cell) -> bool {
    world.region().contains(cell) && world.is_solid(cell)
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    Arrived,
    GaveUp,
    /// It was still walking at the time limit.
    Late,
}

/// A game with one body that follows its path and plans another when it must, as the node does.
pub struct Game {
    pub jumps: Jumps,
    /// The level that the body really moves in.
    pub world: Terrain,
    pub query: PlatformerQuery,
    pub body: Body,
    pub follower: Follower,
    /// The cells of the path that it sets out on.
    pub length: usize,
    repaths: u32,
}

impl Game {
    /// Its body comes to its full speed in so many seconds.
    pub fn with_start_up(mut self, seconds: f64) -> Self {
        self.body.acceleration = self.body.run_speed / seconds;
        self.follower.motion_mut().acceleration = self.body.acceleration;
        self
    }

    /// Its body is narrower than its cells by `slack` cells on each side.
    pub fn with_slack(mut self, slack: f64) -> Self {
        self.body.left += slack - SLACK;
        self.body.width += 2.0 * (SLACK - slack);
        self.body.slack = slack;
        self.follower.motion_mut().slack = slack;
        self
    }

    /// A game with a path; `None` if there is no path.
    pub fn new(mut jumps: Jumps, query: PlatformerQuery, physics: &BodyPhysics) -> Option<Self> {
        let outcome = jumps.find_path(&query);
        if !outcome.is_complete() {
            return None;
        }
        let plan = FollowPlan::new(&outcome, &jumps.layers(query.profile.footprint));
        let motion = Motion {
            run_speed: physics.run_speed / physics.cell_size,
            gravity: physics.gravity / physics.cell_size,
            slack: SLACK,
            ..Motion::default()
        };
        let follower = Follower::new(plan, motion);
        let body = Body::new(query.start, &query.profile, physics);
        let world = jumps.terrain().clone();
        let length = outcome.path.cells.len();
        Some(Self { jumps, world, query, body, follower, length, repaths: 0 })
    }

    /// Plays until the follower is done, for `limit_s` seconds at most. Returns the time it took, too.
    pub fn play(&mut self, ticks: u32, limit_s: f64) -> (End, f64) {
        let delta = 1.0 / f64::from(ticks);
        let mut time_s = 0.0;
        while time_s < limit_s {
            time_s += delta;
            let state = self.body.state(delta);
            let (buttons, follow) = self.follower.step(&state);
            match follow {
                FollowState::Going => {}
                FollowState::Arrived => return (End::Arrived, time_s),
                FollowState::Strayed | FollowState::Stuck(_) => {
                    if !self.plans_again(&state, follow) {
                        return (End::GaveUp, time_s);
                    }
                }
            }
            self.body.step(&self.world, &buttons, delta);
        }
        (End::Late, time_s)
    }

    fn plans_again(&mut self, state: &BodyState, follow: FollowState) -> bool {
        self.repaths += 1;
        if self.repaths > 8 {
            return false;
        }
        let (column, row) = (state.left.floor() as i32, state.top.round() as i32);
        let mut starts = [Cell::new(column, row), Cell::new(column + 1, row)];
        if state.left - state.left.floor() > 0.5 {
            starts.reverse();
        }
        let layers = self.jumps.layers(self.query.profile.footprint);
        starts.sort_by_key(|&cell| !layers.stands_at(cell));
        for start in starts {
            let outcome = self.jumps.find_path(&PlatformerQuery { start, ..self.query });
            if outcome.is_complete() {
                let is_stuck = follow != FollowState::Strayed;
                return self.follower.set_plan(FollowPlan::new(&outcome, &layers), is_stuck);
            }
        }
        false
    }
}
