//! A follower with a body under gravity arrives or gives up; it never goes on for ever.

use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::terrain::Terrain;
use pathforge_platformer::motion::{Body, Motion};
use pathforge_platformer::{Character, FlightStart, FollowState};
use pathforge_tests::jumps::Jumps;
use pathforge_tests::rng::{Rng, seeds};

use super::body::{CELL, End, Game, character};
use super::levels::{any_rng, draw};

/// Seconds that a walk may take. Giving up comes long before.
const LIMIT_S: f64 = 120.0;

fn motion() -> Motion {
    Motion { jump_speed: 330.0, jump_cut: 0.0, ..Motion::new(180.0, 980.0) }
}

/// A game on a drawn level: `S` start, `G` goal, both at the feet.
fn game(text: &str, size: (f64, f64), motion: Motion) -> Game {
    let rows: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let find = |letter: char| {
        let place = |(y, row): (usize, &&str)| row.find(letter).map(|x| Cell::new(x as i32, y as i32));
        rows.iter().enumerate().find_map(place).expect("start and goal are drawn")
    };
    let map = Terrain::from_text(&text.replace(['S', 'G'], "."), Cell::default()).expect("a level");
    let character = character(size, motion);
    let footprint = character.footprint().expect("a small size");
    let top = |feet: Cell| Cell::new(feet.x, feet.y - (footprint.h() - 1));
    Game::new(Jumps::new(map), (top(find('S')), top(find('G'))), &character).expect("there is a path")
}

/// Ground with pits and steps, blocks, and one-way platforms.
fn level(rng: &mut Rng) -> Terrain {
    let (w, h) = (44, 24);
    let mut map = Terrain::new(CellRect::new(0, 0, w, h)).expect("a small level");
    let mut height = 3;
    for x in 0..w {
        if rng.percent(25) {
            height = (height + rng.int(-3..4)).clamp(0, 7);
        }
        map.fill_solid(CellRect::new(x, h - height, 1, height), true);
    }
    for _ in 0..14 {
        let rect = CellRect::new(rng.int(0..w), rng.int(2..h), rng.int(1..10), rng.int(1..4));
        map.fill_solid(rect, true);
    }
    for _ in 0..10 {
        map.fill_one_way(CellRect::new(rng.int(0..w), rng.int(2..h), rng.int(1..11), 1), true);
    }
    map
}

/// What the bodies of many games have in common.
#[derive(Clone, Copy, Debug)]
struct Kind {
    ticks: u32,
    /// How long a body takes to its full speed, in seconds; 0: it has it at once.
    start_up_s: f64,
    /// Its air control and its brakes differ from its start, some jumps are cut to a half, falls are faster.
    is_varied: bool,
}

fn any_motion(rng: &mut Rng, kind: Kind) -> Motion {
    let mut motion = Motion {
        jump_speed: f64::from(rng.int(280..420)),
        run_speed: f64::from(rng.int(130..240)),
        tick: 1.0 / f64::from(kind.ticks),
        ..motion()
    };
    if kind.start_up_s > 0.0 {
        motion.acceleration = motion.run_speed / kind.start_up_s;
    }
    if kind.is_varied {
        motion.air_acceleration = motion.acceleration * f64::from(rng.pick(&[0.0_f32, 0.5, 1.0]));
        motion.friction = motion.acceleration * f64::from(rng.pick(&[0.0_f32, 0.6, 1.5]));
        motion.jump_cut = f64::from(rng.pick(&[0.0_f32, 0.5, 1.0]));
        motion.gravity_down = f64::from(rng.pick(&[0_i16, 0, 1500]));
        motion.terminal_speed = f64::from(rng.pick(&[0_i16, 0, 400]));
        motion.full_first_step = rng.percent(50);
    }
    motion
}

fn any_shape(rng: &mut Rng) -> Body {
    let width = f64::from(rng.pick(&[4, 8, 10, 12, 14, 14, 16, 20, 28, 30, 46, 62]));
    let height = f64::from(rng.pick(&[6, 10, 14, 14, 16, 24, 30, 30, 32, 46, 62]));
    // A capsule is at least as high as it is wide.
    if rng.percent(40) {
        Body::capsule(width / 2.0, height.max(width))
    } else {
        Body::rectangle(width, height)
    }
}

/// A body with somewhere to go, on a level of its own.
fn any_game(rng: &mut Rng, kind: Kind) -> Game {
    loop {
        let character = Character { body: any_shape(rng), ..character((1.0, 1.0), any_motion(rng, kind)) };
        let mut jumps = Jumps::new(level(rng));
        let stands = jumps.stands(character.footprint().expect("a small body"));
        if stands.is_empty() {
            continue;
        }
        let ends = (rng.pick(&stands), rng.pick(&stands));
        if let Some(game) = Game::new(jumps, ends, &character)
            && game.length >= 12
        {
            return game;
        }
    }
}

/// Arrive in `permille` of so many games, and give up in the rest.
fn arrives_in(permille: u64, block: u64, kind: Kind) {
    let seeds = seeds(block, 200);
    let games = seeds.end - seeds.start;
    let mut arrived = 0;
    for seed in seeds {
        let mut game = any_game(&mut any_rng(seed), kind);
        let (end, time_s) = game.play(LIMIT_S);
        assert_ne!(end, End::Late, "{kind:?}, seed {seed} after {time_s:.0} s");
        arrived += u64::from(end == End::Arrived);
        if end != End::Arrived && std::env::var_os("PATHFORGE_SHOW").is_some() {
            let cells = game.jumps.find_flights(&game.query).outcome.path.cells;
            let body = Cell::new((game.body.x / CELL) as i32, (game.body.feet / CELL) as i32 - 1);
            let marks: Vec<_> = cells.iter().map(|&c| (c, '*')).chain([(body, '@')]).collect();
            println!("seed {seed} {:?}\n{}", game.query, draw(&game.world, &marks));
        }
    }
    println!("{arrived} of {games} arrived, {kind:?}");
    assert!(arrived * 1000 >= games * permille, "{arrived} of {games}, {kind:?}");
}

#[test]
fn bodies_of_all_shapes_arrive() {
    for (at, ticks) in (0..).zip([60, 120]) {
        arrives_in(985, 60 + at, Kind { ticks, start_up_s: 0.0, is_varied: false });
    }
}

#[test]
fn bodies_that_need_time_to_their_full_speed_arrive() {
    for (at, start_up_s) in (0..).zip([0.05, 0.15, 0.3]) {
        arrives_in(960, 63 + at, Kind { ticks: 60, start_up_s, is_varied: false });
    }
}

#[test]
fn bodies_that_move_as_games_write_it_arrive() {
    for (at, start_up_s) in (0..).zip([0.0, 0.15]) {
        arrives_in(960, 66 + at, Kind { ticks: 60, start_up_s, is_varied: true });
    }
}

#[test]
fn the_same_game_ends_the_same() {
    for seed in seeds(62, 20) {
        let play = || {
            let mut game = any_game(&mut any_rng(seed), Kind { ticks: 60, start_up_s: 0.0, is_varied: true });
            (game.play(LIMIT_S), game.body.x, game.body.feet)
        };
        assert_eq!(play(), play(), "seed {seed}");
    }
}

#[test]
fn it_runs_jumps_and_drops() {
    let text = "
        ..................
        ..................
        S......====....G..
        ####...........###
        ####...........###
        ##################";
    let mut over = game(text, (14.0, 14.0), motion());
    assert_eq!(over.play(LIMIT_S).0, End::Arrived);
    let text = "
        .......
        ...S...
        .=====.
        .......
        .=====.
        ......G
        #######";
    let mut down = game(text, (30.0, 30.0), Motion { tick: 1.0 / 120.0, ..motion() });
    assert_eq!(down.play(LIMIT_S).0, End::Arrived);
}

/// Found by the suite in Godot: the body must move under the block in the frame in which it is low enough, or
/// it falls into the pit.
#[test]
fn it_moves_under_a_block_while_it_falls() {
    let text = "
        #######.....
        .......#....
        ........S...
        .=========..
        ....G.......
        #...###..###";
    for ticks in [60, 120] {
        let motion = Motion { jump_speed: 294.2, run_speed: 199.6, tick: 1.0 / f64::from(ticks), ..motion() };
        let mut game = game(text, (14.0, 30.0), motion);
        assert_eq!(game.play(LIMIT_S).0, End::Arrived, "{ticks} ticks");
    }
}

const PLAIN: &str = "
    ..............
    ..............
    S............G
    ##############";

#[test]
fn it_gives_up_at_a_wall_that_is_not_in_its_plan() {
    let mut game = game(PLAIN, (14.0, 14.0), motion());
    game.world.fill_solid(CellRect::new(6, 0, 1, 3), true);
    let (end, time_s) = game.play(LIMIT_S);
    assert_eq!(end, End::GaveUp);
    assert!(time_s < 10.0, "{time_s}");
}

#[test]
fn it_gives_up_when_it_falls_out_of_the_level() {
    let mut game = game(PLAIN, (14.0, 14.0), motion());
    game.world.fill_solid(CellRect::new(4, 3, 3, 1), false);
    let (end, time_s) = game.play(LIMIT_S);
    assert_eq!(end, End::GaveUp);
    assert!(time_s < 3.0, "it falls for {time_s} s");
    assert!(game.body.feet < 20.0 * CELL, "it fell to {}", game.body.feet);
}

#[test]
fn it_gives_up_when_its_jump_is_not_what_the_profile_says() {
    let text = "
        ............
        ............
        ............
        .....####..G
        S....#######
        ############";
    let mut game = game(text, (14.0, 14.0), motion());
    game.body.motion.jump_speed *= 0.4;
    let (end, time_s) = game.play(LIMIT_S);
    assert_eq!(end, End::GaveUp);
    assert!(time_s < 20.0, "{time_s}");
}

#[test]
fn it_gives_up_with_a_body_that_hangs_or_flies() {
    for (vy, start) in [(0.0, 32.0), (-80.0, 32.0), (80.0, -1e7), (5.0, 32.0)] {
        let mut game = game(PLAIN, (14.0, 14.0), motion());
        let mut body = game.body.state();
        (body.on_floor, body.y, body.vy) = (false, start, vy);
        let mut frames = 0;
        while game.follower.step(&body, 1.0 / 60.0).1 == FollowState::Going {
            body.y += vy / 60.0;
            frames += 1;
            assert!(frames < 60 * 30, "speed {vy} from {start}");
        }
    }
}

/// A body that is in the air when it is told where to go.
#[test]
fn it_begins_in_the_air() {
    let mut game = game(PLAIN, (14.0, 14.0), motion());
    (game.body.feet, game.body.on_floor, game.body.speed) = (20.0, false, (-90.0, 40.0));
    let start = FlightStart::Body(game.body.state());
    let plan = game.jumps.find_flights(&pathforge_platformer::FlightQuery { start, ..game.query }).plan;
    assert!(game.follower.set_plan(plan.expect("a path"), false));
    assert_eq!(game.play(LIMIT_S).0, End::Arrived);
}
