//! One map of ground, water and rock, worked out by hand: three capabilities, three clearance maps, and what
//! each can reach.

use pathforge_core::clearance::ClearanceMetric;
use pathforge_core::cost::Cost;
use pathforge_core::geometry::{Cell, CellRect, Footprint};
use pathforge_core::passability::TerrainCosts;
use pathforge_core::terrain::{Capability, Terrain};
use pathforge_core::world::{ClearanceKey, PathQuery, Profile, Reason, World};

/// `.` ground, `~` water, `#` rock.
const MAP: [&str; 6] = [
    "....~~~..", //
    "....~~~..",
    "..#.~~~..",
    "....~~~#.",
    "....~~...",
    "~~~~~~...",
];
const GROUND: Capability = Capability(0b01);
const WATER: Capability = Capability(0b10);
const BOTH: Capability = Capability(0b11);

/// How large a square fits with its top-left corner at each cell, on ground.
const ON_GROUND: [&str; 6] = [
    "222100021", //
    "211100021",
    "210100011",
    "222100001",
    "111100221",
    "000000111",
];
/// On water.
const ON_WATER: [&str; 6] = [
    "000032100", //
    "000032100",
    "000022100",
    "000021100",
    "000021000",
    "111111000",
];
/// On both.
const ON_BOTH: [&str; 6] = [
    "222433321", //
    "211432221",
    "210432111",
    "333332101",
    "222222221",
    "111111111",
];

fn world() -> World {
    World::from_terrain(Terrain::from_text(&MAP.join("\n"), Cell::default()).expect("a map"))
}

fn clearances(world: &mut World, capability: Capability) -> Vec<String> {
    let key = ClearanceKey::new(capability, ClearanceMetric::True, 9);
    let region = world.terrain().region();
    let map = world.clearance_map(key);
    let digit = |cell: Cell| char::from(b'0' + map.get(cell.x as u32, cell.y as u32));
    (0..region.h).map(|y| CellRect::new(region.x, y, region.w, 1).cells().map(digit).collect()).collect()
}

#[test]
fn three_capabilities_have_three_clearance_maps() {
    let mut world = world();
    assert_eq!(clearances(&mut world, GROUND), ON_GROUND);
    assert_eq!(clearances(&mut world, WATER), ON_WATER);
    assert_eq!(clearances(&mut world, BOTH), ON_BOTH);
}

#[test]
fn bodies_stand_where_their_clearance_map_says() {
    let mut world = world();
    for (capability, drawn) in [(GROUND, ON_GROUND), (WATER, ON_WATER), (BOTH, ON_BOTH)] {
        for cell in world.terrain().region().cells() {
            let clearance = i64::from(drawn[cell.y as usize].as_bytes()[cell.x as usize] - b'0');
            for side in 1..=5 {
                let footprint = Footprint::square(side).expect("a small side");
                let body = Profile { footprint, capability, ..Profile::default() };
                assert_eq!(world.is_placement(cell, &body), clearance >= side, "{cell:?} {side}");
            }
        }
    }
}

#[test]
fn boots_boats_and_hovercraft_each_go_their_own_way() {
    let mut world = world();
    let mut reason = |capability, side, start: (i32, i32), goal: (i32, i32)| {
        let footprint = Footprint::square(side).expect("a small side");
        let profile = Profile { capability, footprint, ..Profile::default() };
        let (start, goal) = (Cell::new(start.0, start.1), Cell::new(goal.0, goal.1));
        world.find_path(&PathQuery::new(start, goal, profile)).reason
    };
    assert_eq!(reason(GROUND, 1, (0, 0), (8, 0)), Some(Reason::Disconnected), "boots do not swim");
    assert_eq!(reason(GROUND, 1, (7, 0), (6, 5)), None, "but they go round a rock");
    assert_eq!(reason(WATER, 1, (0, 5), (6, 0)), None, "a boat goes up the river");
    assert_eq!(reason(WATER, 2, (4, 4), (5, 0)), None, "a barge, too");
    assert_eq!(reason(WATER, 2, (0, 5), (5, 0)), Some(Reason::StartClearance), "but not from the ditch");
    assert_eq!(reason(BOTH, 1, (0, 0), (8, 0)), None, "hovercraft cross");
    assert_eq!(reason(BOTH, 3, (3, 0), (6, 0)), None, "large ones, too");
    assert_eq!(reason(BOTH, 2, (0, 0), (7, 4)), None, "and between the rocks");
}

#[test]
fn terrain_costs_differ_by_profile() {
    let mut world = world();
    let mut cost = |water: f32| {
        let terrain_costs = TerrainCosts::new(&[1.0, water]).expect("valid costs");
        let profile = Profile { terrain_costs, ..Profile::default() };
        let query = PathQuery::new(Cell::new(3, 0), Cell::new(7, 0), profile);
        world.find_path(&query).cost.map(Cost::units)
    };
    assert_eq!(cost(1.0), Some(4 * 70));
    assert_eq!(cost(4.0), Some(3 * 280 + 70), "three steps of water, one of ground");
}
