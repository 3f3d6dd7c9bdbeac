//! Input that makes no sense is an error or an outcome, never a crash or a hang.

use pathforge_core::geometry::{Cell, Footprint};
use pathforge_core::terrain::Terrain;
use pathforge_platformer::{BodyPhysics, JumpProfile, JumpProfileError, PlatformerQuery, PlatformerReason};
use pathforge_tests::jumps::Jumps;

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
    let physics = BodyPhysics { gravity: 980.0, jump_speed: 300.0, run_speed: 100.0, cell_size: 0.0 };
    assert!(JumpProfile::from_physics(Footprint::ONE, &physics).is_err());
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
        JumpProfile { drift: 0x1_0000, ..JumpProfile::default() },
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
