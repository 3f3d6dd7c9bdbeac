//! A body under gravity in a level of cells: what a game's physics does with the buttons that a follower
//! presses.

use pathforge_core::geometry::{Cell, Footprint};
use pathforge_core::terrain::Terrain;
use pathforge_platformer::motion::{self, FlightCosts, Motion};
use pathforge_platformer::{BodyPlace, Buttons, Character, FlightQuery, FlightStart, FollowState, Follower};
use pathforge_tests::jumps::Jumps;

/// The side of a cell, in px.
pub const CELL: f64 = 16.0;
/// It moves in pieces of at most so many px.
const PIECE: f64 = 0.8;
const TOUCH: f64 = 1e-9;

/// A box of `size` px that moves by `motion`.
pub fn character(size: (f64, f64), motion: Motion) -> Character {
    let body = motion::Body::rectangle(size.0, size.1);
    Character {
        body,
        motion,
        costs: FlightCosts { jump: 140, air: 14, ..FlightCosts::default() },
        cell: (CELL, CELL),
        climb_mask: 0,
    }
}

/// The centre of the feet of a body that stands with its top-left cell at `cell`.
fn feet(cell: Cell, footprint: Footprint) -> (f64, f64) {
    let x = f64::from(cell.x) + f64::from(footprint.w()) / 2.0;
    (x * CELL, f64::from(cell.y + footprint.h()) * CELL)
}

/// A body of a character. Lengths are in px, times in seconds.
pub struct Body {
    /// The centre of the feet, and their height.
    pub x: f64,
    pub feet: f64,
    pub speed: (f64, f64),
    pub on_floor: bool,
    pub shape: motion::Body,
    pub motion: Motion,
    /// The button is held since the take-off.
    held: bool,
}

impl Body {
    fn new((x, feet): (f64, f64), character: &Character) -> Self {
        let Character { body: shape, motion, .. } = *character;
        Self { x, feet, speed: (0.0, 0.0), on_floor: true, shape, motion, held: false }
    }

    /// The state that a follower reads.
    pub fn state(&self) -> BodyPlace {
        let (vx, vy) = self.speed;
        BodyPlace { x: self.x, y: self.feet, vx, vy, on_floor: self.on_floor }
    }

    /// One physics frame, as games write it.
    pub fn step(&mut self, world: &Terrain, buttons: &Buttons, delta: f64) {
        let motion = self.motion;
        let or = |value: f64, otherwise: f64| if value == 0.0 { otherwise } else { value };
        let rate = match (self.on_floor, buttons.axis == 0.0) {
            (true, true) => or(motion.friction, motion.acceleration),
            (true, false) => motion.acceleration,
            (false, _) => or(motion.air_acceleration, motion.acceleration),
        };
        let change = or(rate, f64::INFINITY) * delta;
        self.speed.0 += (buttons.axis * motion.run_speed - self.speed.0).clamp(-change, change);
        let gravity =
            if self.speed.1 < 0.0 { motion.gravity } else { or(motion.gravity_down, motion.gravity) };
        let fallen = (self.speed.1 + gravity * delta).min(or(motion.terminal_speed, f64::INFINITY));
        self.speed.1 = fallen;
        if buttons.jump && self.on_floor {
            let first = if motion.full_first_step { 0.0 } else { motion.gravity * delta };
            self.speed.1 = first - motion.jump_speed;
            self.held = true;
        } else if !buttons.jump && self.held {
            self.held = false;
            self.speed.1 *= if self.speed.1 < 0.0 { motion.jump_cut } else { 1.0 };
        }
        if buttons.climb != 0.0 {
            self.speed.1 = buttons.climb * motion.climb_speed;
        }
        if buttons.drop && self.on_floor {
            self.feet += 2.0;
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
        let wanted = self.x + dx;
        let region = world.region();
        let half = self.shape.half_width;
        let (least, most) = (f64::from(region.x) * CELL + half, f64::from(region.right()) * CELL - half);
        if self.is_blocked(world, wanted, self.feet) {
            // To the wall, but no farther.
            let wall = if dx > 0.0 {
                ((wanted + half) / CELL).floor() * CELL - half
            } else {
                ((wanted - half) / CELL).ceil() * CELL + half
            };
            if !self.is_blocked(world, wall, self.feet) && (wall - self.x) * dx >= 0.0 {
                self.x = wall;
            }
            self.speed.0 = 0.0;
        } else {
            self.x = wanted.clamp(least, most);
        }
    }

    fn move_along(&mut self, world: &Terrain, dy: f64) {
        let wanted = self.feet + dy;
        if dy > 0.0 && self.lands(world, wanted) {
            self.feet = (wanted / CELL).floor() * CELL;
            (self.speed.1, self.on_floor, self.held) = (0.0, true, false);
        } else if dy < 0.0 && self.is_blocked(world, self.x, wanted) {
            // To the ceiling, but no farther.
            let ceiling = ((wanted - self.shape.height) / CELL).ceil() * CELL + self.shape.height;
            self.feet = self.feet.min(ceiling.max(wanted));
            self.speed.1 = 0.0;
        } else if dy > 0.0 && self.is_blocked(world, self.x, wanted) {
            // A round end slips off the edge that it does not stand on.
            let clears = |by: f64| !self.is_blocked(world, self.x + by, wanted);
            let side = (0..40).flat_map(|by| [f64::from(by), -f64::from(by)]).find(|&by| clears(by));
            self.x += side.unwrap_or(0.0).clamp(-PIECE, PIECE);
        } else {
            self.feet = wanted;
        }
    }

    /// Returns `true` if something supports the feet on their way down to `feet`.
    fn lands(&self, world: &Terrain, feet: f64) -> bool {
        let row = (feet / CELL).floor();
        let crosses = row * CELL >= self.feet - TOUCH && feet >= row * CELL;
        crosses
            && columns(self.x, self.shape.support_half_width).any(|x| {
                let cell = Cell::new(x, row as i32);
                is_solid(world, cell) || world.is_one_way(cell)
            })
    }

    fn is_blocked(&self, world: &Terrain, x: f64, feet: f64) -> bool {
        let row = |y: f64| (y / CELL).floor() as i32;
        let (top, low) = (row(feet - self.shape.height + TOUCH), row(feet - TOUCH));
        columns(x, self.shape.half_width).any(|x| (top..=low).any(|y| is_solid(world, Cell::new(x, y))))
    }
}

fn columns(x: f64, half: f64) -> std::ops::RangeInclusive<i32> {
    ((x - half + TOUCH) / CELL).floor() as i32..=((x + half - TOUCH) / CELL).floor() as i32
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
    pub query: FlightQuery,
    pub body: Body,
    pub follower: Follower,
    /// The cells of the path that it sets out on.
    pub length: usize,
    repaths: u32,
}

impl Game {
    /// A game with a path; `None` if there is no path.
    pub fn new(mut jumps: Jumps, (start, goal): (Cell, Cell), character: &Character) -> Option<Self> {
        let query = FlightQuery {
            start: FlightStart::Cell(start),
            goal,
            character: *character,
            expansions_max: u32::MAX,
        };
        let found = jumps.find_flights(&query);
        let length = found.outcome.path.cells.len();
        let follower = Follower::new(Some(found.plan?));
        let body = Body::new(feet(start, character.footprint().ok()?), character);
        let world = jumps.terrain().clone();
        Some(Self { jumps, world, query, body, follower, length, repaths: 0 })
    }

    /// Plays until the follower is done, for `limit_s` seconds at most. Returns the time it took, too.
    pub fn play(&mut self, limit_s: f64) -> (End, f64) {
        let delta = self.body.motion.tick;
        let mut time_s = 0.0;
        while time_s < limit_s {
            time_s += delta;
            let (buttons, follow) = self.follower.step(&self.body.state(), delta);
            match follow {
                FollowState::Going => {}
                FollowState::Arrived => return (End::Arrived, time_s),
                FollowState::Strayed | FollowState::Stuck(_) => {
                    if !self.plans_again(follow) {
                        return (End::GaveUp, time_s);
                    }
                }
            }
            self.body.step(&self.world, &buttons, delta);
        }
        (End::Late, time_s)
    }

    fn plans_again(&mut self, follow: FollowState) -> bool {
        self.repaths += 1;
        let start = FlightStart::Body(self.body.state());
        let plan = self.jumps.find_flights(&FlightQuery { start, ..self.query }).plan;
        let is_stuck = follow != FollowState::Strayed;
        self.repaths <= 8 && plan.is_some_and(|plan| self.follower.set_plan(plan, is_stuck))
    }
}
