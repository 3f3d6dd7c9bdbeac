//! A follower with a body under gravity arrives or gives up; it never goes on for ever.

use pathforge_core::geometry::{Cell, CellRect, Footprint};
use pathforge_core::terrain::Terrain;
use pathforge_platformer::{BodyPhysics, JumpProfile, PlatformerQuery};
use pathforge_tests::jumps::Jumps;
use pathforge_tests::rng::{Rng, seeds};

use super::body::{End, Game};
use super::levels::{any_rng, draw};

const PHYSICS: BodyPhysics =
    BodyPhysics { gravity: 980.0, jump_speed: 330.0, run_speed: 180.0, cell_size: 16.0 };
/// Seconds that a walk may take. Giving up comes long before.
const LIMIT_S: f64 = 120.0;

/// A game on a drawn level: `S` start, `G` goal.
fn game(text: &str, size: (i64, i64), physics: &BodyPhysics) -> Game {
    let rows: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let find = |letter: char| {
        let place = |(y, row): (usize, &&str)| row.find(letter).map(|x| Cell::new(x as i32, y as i32));
        rows.iter().enumerate().find_map(place).expect("start and goal are drawn")
    };
    let map = Terrain::from_text(&text.replace(['S', 'G'], "."), Cell::default()).expect("a level");
    let footprint = Footprint::new(size.0, size.1).expect("a small size");
    let profile = JumpProfile::from_physics(footprint, physics).expect("sound physics");
    // Start and goal are drawn at the feet.
    let top = |feet: Cell| Cell::new(feet.x, feet.y - (footprint.h() - 1));
    let query = PlatformerQuery::new(top(find('S')), top(find('G')), profile);
    Game::new(Jumps::new(map), query, physics).expect("there is a path")
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

/// A body with somewhere to go, on a level of its own.
fn any_game(rng: &mut Rng) -> Game {
    loop {
        let size = rng.pick(&[(1, 1), (3, 2), (2, 3), (1, 2), (4, 3)]);
        let physics = BodyPhysics {
            jump_speed: f64::from(rng.int(280..420)),
            run_speed: f64::from(rng.int(130..240)),
            ..PHYSICS
        };
        let footprint = Footprint::new(size.0, size.1).expect("a small size");
        let profile = JumpProfile::from_physics(footprint, &physics).expect("sound physics");
        let mut jumps = Jumps::new(level(rng));
        let stands = jumps.stands(footprint);
        if stands.is_empty() {
            continue;
        }
        let query = PlatformerQuery::new(rng.pick(&stands), rng.pick(&stands), profile);
        if let Some(game) = Game::new(jumps, query, &physics)
            && game.length >= 12
        {
            return game;
        }
    }
}

#[test]
fn it_arrives_in_99_of_100_and_gives_up_in_the_rest() {
    const GAMES: u64 = 1000;
    for ticks in [60, 120] {
        let mut arrived = 0;
        for seed in seeds(60 + u64::from(ticks), GAMES) {
            let mut game = any_game(&mut any_rng(seed));
            let (end, time_s) = game.play(ticks, LIMIT_S);
            assert_ne!(end, End::Late, "seed {seed} after {time_s:.0} s");
            arrived += u64::from(end == End::Arrived);
            if end != End::Arrived && std::env::var_os("PATHFORGE_SHOW").is_some() {
                let cells = game.jumps.find_path(&game.query).path.cells;
                let body = Cell::new(game.body.left as i32, game.body.feet as i32 - 1);
                let marks: Vec<_> = cells.iter().map(|&c| (c, '*')).chain([(body, '@')]).collect();
                println!("seed {seed} {ticks} {:?}\n{}", game.query, draw(&game.world, &marks));
            }
        }
        println!("{arrived} of {GAMES} arrived at {ticks} ticks");
        assert!(arrived * 100 >= GAMES * 99, "{arrived} of {GAMES} at {ticks} ticks");
    }
}

/// Arrive in `percent` of 1,000 games, and give up in the rest.
fn arrives_in(percent: u64, seed: u64, what: &str, change: impl Fn(Game) -> Game) {
    const GAMES: u64 = 1000;
    let mut arrived = 0;
    for seed in seeds(seed, GAMES) {
        let mut game = change(any_game(&mut any_rng(seed)));
        let (end, time_s) = game.play(60, LIMIT_S);
        assert_ne!(end, End::Late, "{what}, seed {seed} after {time_s:.0} s");
        arrived += u64::from(end == End::Arrived);
    }
    println!("{arrived} of {GAMES} arrived, {what}");
    assert!(arrived * 100 >= GAMES * percent, "{arrived} of {GAMES}, {what}");
}

#[test]
fn bodies_that_need_time_to_their_full_speed_arrive() {
    for (at, seconds) in (0..).zip([0.05, 0.15, 0.3]) {
        arrives_in(97, 63 + at, &format!("full speed after {seconds} s"), |game| game.with_start_up(seconds));
    }
}

#[test]
fn bodies_narrower_than_their_cells_arrive() {
    for (at, slack) in (0..).zip([0.02, 0.2, 0.3, 0.4]) {
        arrives_in(98, 66 + at, &format!("{slack} cells narrower on each side"), |game| {
            game.with_slack(slack)
        });
    }
}

#[test]
fn the_same_game_ends_the_same() {
    for seed in seeds(62, 20) {
        let play = || {
            let mut game = any_game(&mut any_rng(seed));
            (game.play(60, LIMIT_S), game.body.left, game.body.feet)
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
    let mut over = game(text, (1, 1), &PHYSICS);
    assert_eq!(over.play(60, LIMIT_S).0, End::Arrived);
    let text = "
        .......
        ...S...
        .=====.
        .......
        .=====.
        ......G
        #######";
    let mut down = game(text, (2, 2), &PHYSICS);
    assert_eq!(down.play(120, LIMIT_S).0, End::Arrived);
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
        let mut game = game(text, (1, 2), &BodyPhysics { jump_speed: 294.2, run_speed: 199.6, ..PHYSICS });
        assert_eq!(game.play(ticks, LIMIT_S).0, End::Arrived, "{ticks} ticks");
    }
}

const PLAIN: &str = "
    ..............
    ..............
    S............G
    ##############";

#[test]
fn it_gives_up_at_a_wall_that_is_not_in_its_plan() {
    let mut game = game(PLAIN, (1, 1), &PHYSICS);
    game.world.fill_solid(CellRect::new(6, 0, 1, 3), true);
    let (end, time_s) = game.play(60, LIMIT_S);
    assert_eq!(end, End::GaveUp);
    assert!(time_s < 10.0, "{time_s}");
}

#[test]
fn it_gives_up_when_it_falls_out_of_the_level() {
    let mut game = game(PLAIN, (1, 1), &PHYSICS);
    game.world.fill_solid(CellRect::new(4, 3, 3, 1), false);
    let (end, time_s) = game.play(60, LIMIT_S);
    assert_eq!(end, End::GaveUp);
    assert!(time_s < 3.0, "it falls for {time_s} s");
    assert!(game.body.feet < 20.0, "it fell to row {}", game.body.feet);
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
    let mut game = game(text, (1, 1), &PHYSICS);
    game.body.jump_speed *= 0.4;
    let (end, time_s) = game.play(60, LIMIT_S);
    assert_eq!(end, End::GaveUp);
    assert!(time_s < 20.0, "{time_s}");
}

#[test]
fn it_gives_up_with_a_body_that_hangs_or_flies() {
    for (speed_y, start_row) in [(0.0, 2.0), (-5.0, 2.0), (5.0, -1e6), (0.3, 2.0)] {
        let mut game = game(PLAIN, (1, 1), &PHYSICS);
        let mut body = game.body.state(1.0 / 60.0);
        (body.on_floor, body.top, body.speed_y) = (false, start_row, speed_y);
        let mut frames = 0;
        while game.follower.step(&body).1 == pathforge_platformer::FollowState::Going {
            body.top += speed_y / 60.0;
            frames += 1;
            assert!(frames < 60 * 30, "speed {speed_y} from row {start_row}");
        }
    }
}
