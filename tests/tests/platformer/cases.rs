//! The cases that the source describes in words, drawn in text: `S` start, `G` goal, `#` solid, `=` one-way.

use pathforge_core::cost::Cost;
use pathforge_core::geometry::Cell;
use pathforge_core::terrain::Terrain;
use pathforge_platformer::{
    JumpProfile, KeyKind, PlatformerOutcome, PlatformerQuery, PlatformerReason, StepKind,
};
use pathforge_tests::jumps::Jumps;

use super::levels::draw;
use super::oracle::Oracle;

/// A drawn level with start and goal.
struct Scene {
    map: Terrain,
    start: Cell,
    goal: Cell,
}

impl Scene {
    fn new(text: &str) -> Self {
        let find =
            |letter: char| {
                text.lines().map(str::trim).filter(|line| !line.is_empty()).zip(0..).find_map(|(line, y)| {
                    line.chars().position(|l| l == letter).map(|x| Cell::new(x as i32, y))
                })
            };
        let (start, goal) = (find('S').expect("a start"), find('G').expect("a goal"));
        let plain = text.replace(['S', 'G'], ".");
        let map = Terrain::from_text(&plain, Cell::default()).expect("a drawn level");
        Self { map, start, goal }
    }

    /// The outcome for a body of `w` × `h` cells, which the oracle has checked. Start, goal and the cells of
    /// the path are those of the body's bottom-left cell, as they are drawn.
    fn ask(&self, w: i64, h: i64, jump: i64) -> PlatformerOutcome {
        let profile = JumpProfile::new(w, h, jump).expect("a valid profile");
        let rows = h as i32 - 1;
        let top = |feet: Cell| Cell::new(feet.x, feet.y - rows);
        let (start, goal) = (top(self.start), top(self.goal));
        let mut outcome = Jumps::new(self.map.clone()).find_path(&PlatformerQuery::new(start, goal, profile));
        let oracle = Oracle::new(&self.map, &profile);
        let place = oracle.goal_place(goal, false);
        let cost = place.and_then(|place| oracle.costs(start).get(&place).copied());
        assert_eq!(outcome.cost.map(Cost::units), cost, "{}", self.draw(&outcome));
        if outcome.is_complete() {
            assert_eq!(oracle.walk(start, &outcome.path), Ok(cost.unwrap_or(0)));
        }
        outcome.path.cells.iter_mut().for_each(|cell| cell.y += rows);
        outcome
    }

    fn draw(&self, outcome: &PlatformerOutcome) -> String {
        let marks: Vec<_> = outcome.path.cells.iter().map(|&c| (c, '*')).collect();
        format!("{outcome:?}\n{}", draw(&self.map, &marks))
    }
}

fn kinds(outcome: &PlatformerOutcome) -> Vec<KeyKind> {
    outcome.path.key_points.iter().map(|point| point.kind).collect()
}

#[test]
fn the_goal_is_met_by_the_bottom_left_cell_where_the_body_fits_so() {
    let scene = Scene::new(
        "..........
         ..........
         S....G....
         ##########",
    );
    assert_eq!(scene.ask(3, 3, 3).path.cells.last().copied(), Some(scene.goal));
}

#[test]
fn the_goal_is_met_by_the_bottom_right_cell_when_the_bottom_right_would_be_in_a_wall() {
    let scene = Scene::new(
        ".......#..
         .......#..
         S.....G#..
         ##########",
    );
    assert_eq!(scene.ask(3, 3, 3).path.cells.last().copied(), Some(Cell::new(4, 2)));
}

#[test]
fn the_goal_is_met_by_the_bottom_centre_cell_between_two_walls() {
    let scene = Scene::new(
        "............
         ............
         ............
         S....#...#..
         #########G##
         #########.##",
    );
    // The same with a slot of three: the corners would stand in the walls on either side.
    let slot = Scene::new(
        "............
         ............
         ............
         S...........
         ######.G.###
         ############",
    );
    assert_eq!(slot.ask(3, 3, 3).path.cells.last().copied(), Some(Cell::new(6, 4)));
    // A body of three does not fit into a slot of one, which is known without a search.
    let refused = scene.ask(3, 3, 3);
    assert_eq!((refused.reason, refused.expanded), (Some(PlatformerReason::GoalClearance), 0));
}

#[test]
fn a_wide_body_stands_half_over_an_edge() {
    let scene = Scene::new(
        "........
         .S..G...
         ####....
         ........",
    );
    let profile = JumpProfile::new(3, 2, 3).expect("a valid profile");
    let layers = Jumps::new(scene.map.clone()).layers(profile.footprint);
    for (x, stands) in [(1, true), (2, true), (3, true), (4, false)] {
        assert_eq!(layers.stands_at(Cell::new(x, 0)), stands, "{x}");
    }
    // A body of one cell would fall where the wide one stands; a goal in the air is met in passing.
    let outcome = scene.ask(3, 2, 3);
    assert_eq!(outcome.path.on_ground, [true, true, true, false]);
    assert_eq!(outcome.path.steps[1..], [StepKind::Walk, StepKind::Walk, StepKind::Fall]);
    assert_eq!(outcome.path.jump_values, [0, 0, 0, 1]);
}

#[test]
fn at_the_ceiling_the_jump_is_spent() {
    let low = Scene::new(
        "...........
         ...........
         .########..
         ........G..
         ........#..
         S.......#..
         #########..",
    );
    // Two up along the ceiling: it hits its head after two cells, and what is left of the jump is lost.
    let outcome = low.ask(1, 1, 6);
    let ceiling: Vec<u32> = (0..outcome.path.cells.len())
        .filter(|&at| outcome.path.cells[at].y == 3 && !outcome.path.on_ground[at])
        .map(|at| outcome.path.jump_values[at])
        .collect();
    assert!(!ceiling.is_empty() && ceiling.iter().all(|&value| value >= 12), "{}", low.draw(&outcome));
    // A gap that a jump of four crosses with ease is too wide below a ceiling.
    let open = ".......
                .......
                S...G..
                #...###";
    assert!(Scene::new(open).ask(1, 1, 4).is_complete());
    let shut = open.replacen(".......", "#######", 1);
    assert_eq!(Scene::new(&shut).ask(1, 1, 4).reason, Some(PlatformerReason::NoPath));
}

#[test]
fn sizes_take_different_paths_to_one_goal() {
    let scene = Scene::new(
        "..................
         ..................
         ..................
         ..................
         ....########......
         ....#......#......
         S...#......#......
         ............G.....
         ##################",
    );
    let lowest = |outcome: &PlatformerOutcome| outcome.path.cells.iter().map(|c| c.y).min();
    // Both goals lie behind the hall; the small body walks through, the others climb over.
    let small = Scene { start: Cell::new(0, 7), ..scene };
    assert_eq!(lowest(&small.ask(1, 1, 4)), Some(7));
    assert_eq!(lowest(&small.ask(3, 2, 4)), Some(3));
    assert_eq!(lowest(&small.ask(2, 3, 4)), Some(3));
}

#[test]
fn a_one_way_platform_is_passed_from_below_and_supports_from_above() {
    let scene = Scene::new(
        ".....
         ..G..
         .===.
         .....
         ..S..
         #####",
    );
    let outcome = scene.ask(1, 1, 3);
    let straight_up: Vec<Cell> = (1..5).rev().map(|y| Cell::new(2, y)).collect();
    assert_eq!(outcome.path.cells, straight_up);
    assert_eq!(outcome.path.jump_values, [0, 2, 4, 0]);
    assert_eq!(kinds(&outcome), [KeyKind::Start, KeyKind::TakeOff, KeyKind::Landing, KeyKind::Goal]);
    // A solid platform cannot be passed, and a platform that is too high is not reached.
    assert!(scene.ask(3, 1, 3).is_complete());
    assert_eq!(scene.ask(1, 1, 2).reason, Some(PlatformerReason::NoPath));
}

#[test]
fn a_body_drops_through_a_one_way_platform() {
    let scene = Scene::new(
        "..S..
         #===#
         #...#
         #.G.#
         #####",
    );
    for (w, h) in [(1, 1), (2, 1), (3, 1)] {
        let outcome = scene.ask(w, h, 3);
        let drop = outcome.path.steps.iter().position(|&step| step == StepKind::DropThrough);
        assert!(drop.is_some(), "{}", scene.draw(&outcome));
        assert!(kinds(&outcome).contains(&KeyKind::DropThrough));
        assert!(kinds(&outcome).ends_with(&[KeyKind::Landing, KeyKind::Goal]));
    }
}

#[test]
fn a_jump_of_three_crosses_a_gap_that_a_jump_of_two_fails() {
    // A jump of H comes down at its height 2H cells on, so it crosses a gap of 2H − 1.
    let scene = Scene::new(
        "............
         ............
         ............
         ............
         .S.....G....
         ##.....#####",
    );
    let outcome = scene.ask(1, 1, 3);
    assert!(outcome.is_complete());
    let highest = outcome.path.cells.iter().map(|cell| cell.y).min();
    assert_eq!(highest, Some(scene.start.y - 3), "{}", scene.draw(&outcome));
    assert_eq!(scene.ask(1, 1, 2).reason, Some(PlatformerReason::NoPath));
}

#[test]
fn it_walks_rather_than_jumps() {
    let scene = Scene::new(
        ".......
         .......
         S.....G
         #######",
    );
    let outcome = scene.ask(1, 1, 5);
    assert!(outcome.path.steps.iter().all(|&step| step == StepKind::Walk));
    assert_eq!(kinds(&outcome), [KeyKind::Start, KeyKind::Goal]);
    assert_eq!(outcome.cost.map(Cost::units), Some(6 * 70));
}

#[test]
fn a_corridor_of_its_own_height_is_walked() {
    let scene = Scene::new(
        "#######
         S.....G
         .......
         #######",
    );
    let scene = Scene { start: Cell::new(0, 2), goal: Cell::new(6, 2), ..scene };
    assert!(scene.ask(1, 2, 3).path.steps.iter().all(|&step| step == StepKind::Walk));
}

#[test]
fn a_start_in_the_air_begins_with_a_spent_jump_by_default() {
    let scene = Scene::new(
        "...G.
         .....
         .S...
         .....
         .....
         #####",
    );
    let ask = |air_start_value| {
        let profile = JumpProfile { air_start_value, ..JumpProfile::default() };
        Jumps::new(scene.map.clone()).find_path(&PlatformerQuery::new(scene.start, scene.goal, profile))
    };
    // Falls first, then jumps from the floor: four rows are too high for a jump of three.
    assert_eq!(ask(None).reason, Some(PlatformerReason::NoPath));
    assert_eq!(ask(Some(6)).reason, Some(PlatformerReason::NoPath));
    assert!(ask(Some(0)).is_complete());
    assert_eq!(ask(Some(0)).path.jump_values[0], 0);
}

#[test]
fn limits_on_fall_and_run_hold() {
    let cliff = Scene::new(
        "S.....
         #.....
         #.....
         #....G
         ######",
    );
    let ask = |scene: &Scene, profile: JumpProfile| {
        Jumps::new(scene.map.clone())
            .find_path(&PlatformerQuery::new(scene.start, scene.goal, profile))
            .reason
    };
    let falls =
        |max_fall| ask(&cliff, JumpProfile { max_fall, max_jump_height: 0, ..JumpProfile::default() });
    assert_eq!((falls(3), falls(2)), (None, Some(PlatformerReason::NoPath)));
    let gap = Scene::new(
        "........
         ........
         ........
         S...G...
         #...####",
    );
    let runs = |max_air_run| ask(&gap, JumpProfile { max_air_run, ..JumpProfile::default() });
    assert_eq!((runs(4), runs(3)), (None, Some(PlatformerReason::NoPath)));
}

#[test]
fn key_points_of_a_jump_over_a_gap() {
    let scene = Scene::new(
        "......
         ......
         S....G
         ##..##",
    );
    let outcome = scene.ask(1, 1, 3);
    assert_eq!(
        kinds(&outcome),
        [KeyKind::Start, KeyKind::TakeOff, KeyKind::Apex, KeyKind::Landing, KeyKind::Goal],
        "{}",
        scene.draw(&outcome)
    );
}
