//! Maps that the project's sources draw, with the answers that they give.

use pathforge_core::clearance::ClearanceMetric;
use pathforge_core::cost::Cost;
use pathforge_core::geometry::{Cell, DiagonalMode};
use pathforge_core::terrain::{Capability, Terrain};
use pathforge_core::world::{ClearanceKey, GoalMode, Reason, Status, World};
use pathforge_tests::bodies::Body;
use pathforge_tests::check::{Expectation, Trip};

/// The wall's column, the row of its narrow gap and the first row of its wide one.
const WALL: i32 = 10;
const NARROW: i32 = 3;
const WIDE: i32 = 10;

fn two_gaps() -> World {
    let terrain = Terrain::from_text(include_str!("../data/two_gaps.txt"), Cell::default());
    World::from_terrain(terrain.expect("a drawn map"))
}

fn key(metric: ClearanceMetric) -> ClearanceKey {
    ClearanceKey::new(Capability::ALL, metric, 255)
}

/// The route of a body of `side` cells through the wall at the height of the narrow gap. Returns the rows in
/// which its anchor crosses the wall's column, and its cost in units.
fn crossing(world: &mut World, side: i32) -> (Vec<i32>, u32) {
    let body = Body::new(side, side, DiagonalMode::OnlyIfNoObstacles);
    let trip = Trip { start: Cell::new(2, NARROW), goal: Cell::new(16, NARROW), goal_mode: GoalMode::Exact };
    let outcome = world.find_path(&trip.query(&body));
    let terrain = world.terrain();
    Expectation::new(terrain, &body, trip.start).assert_right(terrain, &body, trip, &outcome, "two gaps");
    assert_eq!(outcome.status, Status::Complete);
    let rows = outcome.route.cells().iter().filter(|c| c.x == WALL).map(|c| c.y).collect();
    (rows, outcome.cost.expect("a complete path has a cost").units())
}

#[test]
fn a_hauler_is_refused_at_the_narrow_gap_and_goes_through_the_wide_one() {
    let mut world = two_gaps();
    let clearance = world.clearance_map(key(ClearanceMetric::True));
    assert_eq!(clearance.get(WALL as u32, NARROW as u32), 1);
    assert_eq!(clearance.get(WALL as u32, WIDE as u32), 3);
    let hauler = Body::new(3, 3, DiagonalMode::OnlyIfNoObstacles);
    assert!(!world.is_placement(Cell::new(WALL, NARROW), &hauler.profile()));
    assert!(world.is_placement(Cell::new(WALL, WIDE), &hauler.profile()));
    let (rows, _) = crossing(&mut world, 3);
    assert_eq!(rows, [WIDE]);
}

#[test]
fn a_scout_goes_through_the_narrow_gap() {
    let mut world = two_gaps();
    assert_eq!(crossing(&mut world, 1), (vec![NARROW], 14 * 70));
}

#[test]
fn a_tank_takes_the_wide_gap_too() {
    let (rows, _) = crossing(&mut two_gaps(), 2);
    assert!(rows.iter().all(|row| (WIDE..WIDE + 2).contains(row)), "{rows:?}");
}

#[test]
fn when_the_wide_gap_is_closed_only_the_scout_crosses() {
    let mut world = two_gaps();
    let before = crossing(&mut world, 3);
    let door = pathforge_core::geometry::CellRect::new(WALL, WIDE + 1, 1, 1);
    world.terrain_mut().fill_solid(door, true);
    let hauler = Body::new(3, 3, DiagonalMode::OnlyIfNoObstacles);
    let trip = Trip { start: Cell::new(2, NARROW), goal: Cell::new(16, NARROW), goal_mode: GoalMode::Exact };
    let outcome = world.find_path(&trip.query(&hauler));
    assert_eq!((outcome.status, outcome.reason), (Status::Unreachable, Some(Reason::Disconnected)));
    assert_eq!(crossing(&mut world, 1), (vec![NARROW], 14 * 70));
    world.terrain_mut().fill_solid(door, false);
    assert_eq!(crossing(&mut world, 3), before);
}

/// In a corridor of two rows every cell lies beside a wall: brushfire says 1 and refuses the tank, clearance
/// says 2.
#[test]
fn brushfire_refuses_a_tank_where_it_fits() {
    let drawn = Terrain::from_text(include_str!("../data/corridor_of_two.txt"), Cell::default());
    let mut world = World::from_terrain(drawn.expect("a drawn map"));
    for x in 5..7 {
        for y in 3..5 {
            assert_eq!(world.clearance_map(key(ClearanceMetric::Brushfire)).get(x, y), 1);
        }
        assert_eq!(world.clearance_map(key(ClearanceMetric::True)).get(x, 3), 2);
    }
    let tank = Body::new(2, 2, DiagonalMode::OnlyIfNoObstacles);
    let trip = Trip { start: Cell::new(1, 3), goal: Cell::new(9, 3), goal_mode: GoalMode::Exact };
    let outcome = world.find_path(&trip.query(&tank));
    assert_eq!((outcome.status, outcome.cost.map(Cost::units)), (Status::Complete, Some(8 * 70)));
    let terrain = world.terrain();
    Expectation::new(terrain, &tank, trip.start).assert_right(terrain, &tank, trip, &outcome, "corridor");
}

/// "A 3×3 body reaches the cell that it overlaps": the goal cell itself lies where the body cannot be
/// anchored.
#[test]
fn a_hauler_covers_a_cell_that_it_cannot_be_anchored_at() {
    let mut world = two_gaps();
    let hauler = Body::new(3, 3, DiagonalMode::OnlyIfNoObstacles);
    let (start, goal) = (Cell::new(16, 0), Cell::new(20, 14));
    let ask = |world: &mut World, goal_mode| world.find_path(&Trip { start, goal, goal_mode }.query(&hauler));
    let exact = ask(&mut world, GoalMode::Exact);
    assert_eq!((exact.status, exact.reason), (Status::Unreachable, Some(Reason::GoalClearance)));
    let cover = ask(&mut world, GoalMode::Cover);
    assert_eq!((cover.status, cover.route.goal()), (Status::Complete, Some(Cell::new(18, 12))));
    let nearest = ask(&mut world, GoalMode::Nearest);
    assert_eq!(nearest.route.goal(), cover.route.goal());
}
