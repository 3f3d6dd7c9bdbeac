//! Input that makes no sense is an error or an outcome, never a crash or a hang.

use pathforge_core::geometry::Cell;
use pathforge_core::terrain::Terrain;
use pathforge_platformer::motion::{Body, FlightCosts, Motion};
use pathforge_platformer::{
    BodyPlace, Character, FlightQuery, FlightStart, Follower, JumpProfile, JumpProfileError, PlatformerQuery,
    PlatformerReason,
};
use pathforge_tests::jumps::Jumps;

use super::body::character;

fn ask(text: &str, start: Cell, goal: Cell, profile: JumpProfile) -> Option<PlatformerReason> {
    let map = Terrain::from_text(text, Cell::default()).expect("a drawn level");
    Jumps::new(map).find_path(&PlatformerQuery::new(start, goal, profile)).reason
}

#[test]
fn sizes_and_heights_out_of_their_limits_are_errors() {
    for (w, h) in [(0, 1), (1, 0), (0, 0), (-3, 2), (65, 1), (i64::MIN, i64::MAX)] {
        assert!(matches!(JumpProfile::new(w, h, 3), Err(JumpProfileError::Footprint(_))), "{w}x{h}");
    }
    for height in [-1, i64::MIN, 65, 1 << 40] {
        assert!(
            matches!(JumpProfile::new(1, 1, height), Err(JumpProfileError::OutOfRange { .. })),
            "{height}"
        );
    }
}

#[test]
fn characters_that_make_no_sense_have_no_path() {
    let sound = character((14.0, 30.0), Motion { jump_speed: 330.0, ..Motion::new(180.0, 980.0) });
    let with = |motion: Motion| Character { motion, ..sound };
    let mut bad = vec![
        Character { cell: (0.0, 16.0), ..sound },
        Character { cell: (16.0, f64::NAN), ..sound },
        Character { body: Body::rectangle(-1.0, 4.0), ..sound },
        Character { body: Body::rectangle(4.0, 1e9), ..sound },
        Character { costs: FlightCosts { jump: 7001, ..FlightCosts::default() }, ..sound },
        with(Motion { jump_speed: 1e9, ..sound.motion }),
        with(Motion { gravity: 1e-9, ..sound.motion }),
        with(Motion { jump_cut: 2.0, ..sound.motion }),
    ];
    for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        bad.push(with(Motion { gravity: wrong, ..sound.motion }));
        bad.push(with(Motion { run_speed: wrong, ..sound.motion }));
        bad.push(with(Motion { tick: wrong, ..sound.motion }));
    }
    let map = || Terrain::from_text("...\n...\n###", Cell::default()).expect("a drawn level");
    let ask = |character, goal| {
        let start = FlightStart::Cell(Cell::default());
        let query = FlightQuery { start, goal, character, expansions_max: u32::MAX };
        Jumps::new(map()).find_flights(&query).outcome.reason
    };
    assert_eq!(ask(sound, Cell::new(2, 0)), None);
    assert_eq!(ask(sound, Cell::new(9, 0)), Some(PlatformerReason::GoalOutOfBounds));
    for character in bad {
        let reason = ask(character, Cell::new(2, 0));
        assert!(matches!(reason, Some(PlatformerReason::BadProfile(_))), "{character:?}: {reason:?}");
    }
    let places = [f64::NAN, f64::INFINITY, -1e9, -1e300, 1e300];
    for (x, place) in places.into_iter().flat_map(|place| [(place, place), (8.0, place)]) {
        let body = BodyPlace { x, y: place, vx: place, vy: place, on_floor: true };
        let start = FlightStart::Body(body);
        let query = FlightQuery { start, goal: Cell::new(2, 0), character: sound, expansions_max: u32::MAX };
        let mut follower = Follower::new(Jumps::new(map()).find_flights(&query).plan);
        follower.step(&body, 1.0 / 60.0);
        let start = FlightStart::Cell(Cell::default());
        let plan = Jumps::new(map()).find_flights(&FlightQuery { start, ..query }).plan;
        let mut follower = Follower::new(plan);
        for delta in [1.0 / 60.0, 1e-9, 1e9] {
            for on_floor in [true, false] {
                follower.step(&BodyPlace { on_floor, ..body }, delta);
            }
        }
    }
}

#[test]
fn a_profile_with_fields_set_by_hand_is_checked() {
    let level = "...\n###";
    let bad = [
        JumpProfile { max_jump_height: u32::MAX, ..JumpProfile::default() },
        JumpProfile { max_air_run: u32::MAX, ..JumpProfile::default() },
        JumpProfile { max_fall: 4096, ..JumpProfile::default() },
        JumpProfile { jump_cost: u32::MAX, ..JumpProfile::default() },
        JumpProfile { air_cost: 7001, ..JumpProfile::default() },
        JumpProfile { fall_cost: 7001, ..JumpProfile::default() },
    ];
    for profile in bad {
        let reason = ask(level, Cell::new(0, 0), Cell::new(2, 0), profile);
        assert!(matches!(reason, Some(PlatformerReason::BadProfile(_))), "{profile:?}: {reason:?}");
    }
    let extreme = JumpProfile {
        max_jump_height: 64,
        max_air_run: 4095,
        max_fall: 4095,
        jump_cost: 7000,
        air_cost: 7000,
        fall_cost: 7000,
        air_start_value: Some(u32::MAX),
        ..JumpProfile::default()
    };
    assert_eq!(ask(level, Cell::new(0, 0), Cell::new(2, 0), extreme), None);
}

#[test]
fn impossible_starts_and_goals_are_known_without_a_search() {
    let level = "....\n.#..\n####";
    let one = JumpProfile::default();
    let tall = JumpProfile::new(1, 2, 3).expect("a valid profile");
    let cases = [
        (Cell::new(-1, 0), Cell::new(0, 0), one, PlatformerReason::StartOutOfBounds),
        (Cell::new(i32::MAX, i32::MIN), Cell::new(0, 0), one, PlatformerReason::StartOutOfBounds),
        (Cell::new(1, 1), Cell::new(9, 9), one, PlatformerReason::StartSolid),
        (Cell::new(1, 0), Cell::new(9, 9), tall, PlatformerReason::StartClearance),
        (Cell::new(0, 1), Cell::new(4, 0), one, PlatformerReason::GoalOutOfBounds),
        (Cell::new(0, 1), Cell::new(i32::MIN, i32::MAX), one, PlatformerReason::GoalOutOfBounds),
        (Cell::new(0, 1), Cell::new(1, 1), one, PlatformerReason::GoalSolid),
        (Cell::new(0, 0), Cell::new(2, 1), tall, PlatformerReason::GoalClearance),
        (Cell::new(0, 0), Cell::new(3, 0), tall, PlatformerReason::Disconnected),
    ];
    for (start, goal, profile, reason) in cases {
        assert_eq!(ask(level, start, goal, profile), Some(reason), "{start:?} {goal:?}");
    }
}

#[test]
fn levels_of_one_cell_and_of_none() {
    let here = Cell::default();
    assert_eq!(ask(".", here, here, JumpProfile::default()), None);
    assert_eq!(ask("=", here, here, JumpProfile::default()), None);
    assert_eq!(ask("#", here, here, JumpProfile::default()), Some(PlatformerReason::StartSolid));
    assert_eq!(ask("", here, here, JumpProfile::default()), Some(PlatformerReason::EmptyMap));
    let big = JumpProfile::new(64, 64, 64).expect("a valid profile");
    assert_eq!(ask(".", here, here, big), Some(PlatformerReason::StartClearance));
}

#[test]
fn a_goal_over_a_pit_has_no_ground() {
    let map = Terrain::from_text("....\n....\n##..", Cell::default()).expect("a drawn level");
    let mut platformer = Jumps::new(map);
    let query = PlatformerQuery::new(Cell::new(0, 1), Cell::new(3, 0), JumpProfile::default());
    assert_eq!(platformer.find_path(&query).reason, None);
    let query = PlatformerQuery { goal_on_ground: true, ..query };
    assert_eq!(platformer.find_path(&query).reason, Some(PlatformerReason::GoalWithoutGround));
}
