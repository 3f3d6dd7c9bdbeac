//! Walkers on random maps, with random orders, edits, pushes and delays. The body stays where it fits,
//! requests come one at a time, each target ends once, and reachable targets are reached.

use std::collections::BTreeSet;

use pathforge_core::geometry::{Cell, CellRect, DiagonalMode};
use pathforge_core::terrain::Terrain;
use pathforge_core::walker::{Event, Ground, Metric, PathRequest, Point, Settings, Walker};
use pathforge_core::world::{GoalMode, PathQuery, Profile, Status, World};
use pathforge_tests::maps::{any_cell, any_rect, any_walls};
use pathforge_tests::rng::{Rng, seeds};

/// How far a body walks in a frame, in cells.
const STEP: f64 = 0.2;
/// What a body may stick out into a wall, in cells: less than a tenth.
const SLACK: f64 = 0.09;
const FRAME_SECONDS: f64 = 1.0 / 60.0;
/// Frames that a body may take for each cell of the map, when nothing changes any more.
const FRAMES_PER_CELL: usize = 12;

struct Pending {
    query: PathQuery,
    /// Frames until the answer comes.
    delay: i32,
}

struct Game {
    rng: Rng,
    world: World,
    profile: Profile,
    walker: Walker,
    position: Point,
    pending: Option<Pending>,
    /// What was told since the last order or path.
    finished: usize,
    context: String,
}

impl Game {
    fn new(seed: u64) -> Option<Self> {
        let mut rng = Rng::new(seed);
        let (w, h) = (rng.int(8..40), rng.int(8..30));
        let terrain = any_walls(&mut rng, w, h).into_terrain(Cell::new(rng.int(-20..20), 0));
        let (body_w, body_h) = rng.pick(&[(1, 1), (1, 1), (2, 2), (3, 3), (1, 3), (4, 2)]);
        let profile = Profile {
            footprint: pathforge_tests::bodies::footprint(body_w, body_h),
            diagonal_mode: rng.pick(&[DiagonalMode::OnlyIfNoObstacles, DiagonalMode::Never]),
            ..Profile::default()
        };
        let mut walker = Walker::new(rng.bits());
        walker.settings = Settings {
            goal_mode: rng.pick(&[GoalMode::Exact, GoalMode::Exact, GoalMode::Cover, GoalMode::Nearest]),
            path_desired_distance: rng.pick(&[0.1, 1.25, 3.0]),
            target_desired_distance: rng.pick(&[0.05, 0.6]),
            path_max_distance: rng.pick(&[0.5, 6.0]),
            repath_seconds: rng.pick(&[0.0, 0.2, 1.0]),
        };
        let mut game = Self {
            rng,
            world: World::from_terrain(terrain),
            profile,
            walker,
            position: Point::default(),
            pending: None,
            finished: 0,
            context: format!("seed {seed}"),
        };
        game.position = game.any_place()?;
        Some(game)
    }

    fn ground(&self) -> Ground<'_> {
        Ground { terrain: self.world.terrain(), profile: &self.profile, metric: Metric::CELLS }
    }

    fn with<R>(&mut self, work: impl FnOnce(&mut Walker, &Ground<'_>, Point) -> R) -> R {
        let ground = Ground { terrain: self.world.terrain(), profile: &self.profile, metric: Metric::CELLS };
        work(&mut self.walker, &ground, self.position)
    }

    /// A position where the body fits, not always the centre of a placement.
    fn any_place(&mut self) -> Option<Point> {
        let region = self.world.terrain().region();
        for _ in 0..60 {
            let cell = any_cell(&mut self.rng, region);
            let center = self.ground().center(cell);
            let off = |rng: &mut Rng| f64::from(rng.int(-50..51)) / 100.0;
            let position = Point::new(center.x + off(&mut self.rng), center.y + off(&mut self.rng));
            for position in [position, center] {
                if fits(self.world.terrain(), &self.profile, position, 0.0) {
                    return Some(position);
                }
            }
        }
        None
    }

    fn order(&mut self) {
        let region = self.world.terrain().region();
        let cell = any_cell(&mut self.rng, region);
        let target = Point::new(f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.4);
        let target = if self.rng.percent(20) { self.position } else { target };
        self.with(|walker, ground, position| walker.set_target(ground, position, target));
        // Each order is answered, also the same one again.
        self.finished = 0;
    }

    /// An edit that leaves the cells under the body as they are.
    fn edit(&mut self) {
        let rect = any_rect(&mut self.rng, self.world.terrain().region());
        let solid = self.rng.percent(45);
        let under = pathforge_core::walker::covered(self.position, self.profile.footprint);
        if rect.grown(1, 1, 1, 1).intersection(under).is_empty()
            && let Some(changed) = self.world.terrain_mut().fill_solid(rect, solid)
        {
            let rects = [changed];
            let known: Option<&[CellRect]> = if self.rng.percent(10) { None } else { Some(&rects) };
            self.with(|walker, ground, position| walker.edited(ground, position, known));
        }
    }

    /// Some bodies stand on the map, perhaps on the path.
    fn hinder(&mut self) {
        let rect = any_rect(&mut self.rng, self.world.terrain().region());
        let standing: Vec<Cell> = rect.cells().collect();
        self.with(|walker, ground, position| walker.hinder(ground, position, &standing));
    }

    fn push(&mut self) {
        let far = self.rng.percent(40);
        let Some(to) = self.any_place() else { return };
        if far {
            self.position = to;
            return;
        }
        let to = self.position.toward(to, f64::from(self.rng.int(5..150)) / 100.0);
        if fits(self.world.terrain(), &self.profile, to, 0.0) {
            self.position = to;
        }
    }

    fn frame(&mut self) {
        self.walker.frame(FRAME_SECONDS);
        let ask = self.with(Walker::next_request);
        if let Some(PathRequest { start, goal, blocked }) = ask {
            assert!(self.pending.is_none(), "{}: two requests at the same time", self.context);
            let query = PathQuery {
                goal_mode: goal.mode,
                smoothing: true,
                ..PathQuery::new(start, goal.cell, self.profile).past(&blocked)
            };
            self.pending = Some(Pending { query, delay: self.rng.int(0..12) });
        }
        self.answer();
        let next = self.with(Walker::advance);
        self.position = self.position.toward(next, STEP);
        self.come_back();
        let fits = fits(self.world.terrain(), &self.profile, self.position, SLACK);
        assert!(fits, "{}: the body is in a wall at {:?}", self.context, self.position);
        for event in self.walker.take_events() {
            match event {
                Event::PathChanged => self.finished = 0,
                Event::Finished => self.finished += 1,
                _ => {}
            }
        }
        assert!(self.finished <= 1, "{}: it finished twice", self.context);
        // Pushed off where it had finished, it is on its way again.
        if !self.walker.is_finished() && self.walker.end().is_none() {
            self.finished = 0;
        }
        assert_eq!(self.walker.is_finished(), self.finished == 1 || self.walker.target().is_none());
    }

    /// Does what a crowd does with a body that was pushed off its target.
    fn come_back(&mut self) {
        if self.walker.is_finished() {
            self.with(|walker, ground, position| walker.hinder(ground, position, &[]));
        }
        if let Some(end) = self.walker.end().filter(|_| self.walker.is_blocked(None)) {
            self.position = self.position.toward(end, STEP);
        }
    }

    fn answer(&mut self) {
        let Some(pending) = &mut self.pending else { return };
        pending.delay -= 1;
        if pending.delay >= 0 {
            return;
        }
        let outcome = self.world.find_path(&pending.query);
        self.pending = None;
        self.with(|walker, ground, position| walker.answer(ground, position, &outcome));
    }

    /// Lets the body walk until it has finished and nothing is asked or hoped for any more.
    fn rest(&mut self) {
        let region = self.world.terrain().region();
        let frames = 400 + FRAMES_PER_CELL * region.area() as usize;
        let mut quiet = 0;
        for _ in 0..frames {
            self.frame();
            let is_quiet = self.walker.is_finished() && self.pending.is_none() && !self.walker.wants_path();
            quiet = if is_quiet { quiet + 1 } else { 0 };
            // Longer than any interval of hope.
            if quiet > 150 {
                return;
            }
        }
        panic!("{}: it does not come to an end at {:?}", self.context, self.position);
    }

    /// Returns `true` if the body could get to its target from where it is.
    fn can_reach(&mut self) -> bool {
        let ends = self.with(|walker, ground, position| walker.ends(ground, position));
        let Some((start, goal)) = ends else { return false };
        let query = PathQuery { goal_mode: goal.mode, ..PathQuery::new(start, goal.cell, self.profile) };
        self.world.find_path(&query).status == Status::Complete
    }
}

/// Whether the body is clear of closed cells, but for `slack` on each side.
fn fits(terrain: &Terrain, profile: &Profile, position: Point, slack: f64) -> bool {
    let side = |at: f64, side: i32| {
        let half = f64::from(side) / 2.0 - slack - 1e-6;
        (at - half).floor() as i32..=(at + half).floor() as i32
    };
    let (columns, rows) = (side(position.x, profile.footprint.w()), side(position.y, profile.footprint.h()));
    columns
        .flat_map(|x| rows.clone().map(move |y| Cell::new(x, y)))
        .all(|cell| terrain.is_open(cell, profile.capability))
}

#[test]
fn a_body_stays_where_it_fits_and_arrives_where_it_can() {
    let (mut reached, mut refused) = (0, 0);
    for seed in seeds(190, 300) {
        let Some(mut game) = Game::new(seed) else { continue };
        for _ in 0..game.rng.int(1..6) {
            game.order();
            for _ in 0..game.rng.int(1..120) {
                match game.rng.int(0..100) {
                    0 | 1 => game.order(),
                    2 | 3 => game.edit(),
                    4 => game.push(),
                    5 => game.hinder(),
                    _ => {}
                }
                game.frame();
            }
        }
        if game.walker.is_finished() {
            // Pushes and edits since then may have made it untrue.
            game.order();
        }
        game.rest();
        let can = game.can_reach();
        assert_eq!(game.walker.is_target_reached(), can, "{}: at {:?}", game.context, game.position);
        reached += usize::from(can);
        refused += usize::from(!can);
    }
    assert!(reached > 50 && refused > 20, "{reached} reached, {refused} refused");
}

#[test]
fn a_body_that_is_moved_anywhere_still_arrives() {
    let mut returns = 0;
    for seed in seeds(191, 150) {
        let Some(mut game) = Game::new(seed) else { continue };
        game.order();
        for _ in 0..game.rng.int(1..9) {
            for _ in 0..game.rng.int(1..40) {
                game.frame();
            }
            // A walker that was refused a path stays where it is put.
            if game.walker.is_finished() && !game.walker.is_target_reached() {
                break;
            }
            returns += usize::from(game.walker.is_finished());
            if let Some(position) = game.any_place() {
                game.position = position;
            }
        }
        game.rest();
        assert_eq!(game.walker.is_target_reached(), game.can_reach(), "{}", game.context);
        let off = game.walker.end().map_or(0.0, |end| end.distance(game.position));
        let length = f64::from(game.profile.footprint.w().max(game.profile.footprint.h()));
        assert!(!game.walker.is_target_reached() || off <= length, "{}: {off} off", game.context);
    }
    assert!(returns > 20, "{returns} were there already");
}

#[test]
fn the_same_calls_give_the_same_walk() {
    let places = |seed| {
        let mut game = Game::new(seed)?;
        game.order();
        let places = (0..200).map(|_| {
            game.frame();
            (game.position.x.to_bits(), game.position.y.to_bits())
        });
        Some(places.collect::<Vec<_>>())
    };
    let walks: BTreeSet<_> = seeds(192, 20)
        .map(|seed| {
            assert_eq!(places(seed), places(seed));
            places(seed)
        })
        .collect();
    assert!(walks.len() > 5);
}
