use super::*;
use crate::bitgrid::BitGrid;
use crate::geometry::Cell;
use crate::terrain::{Capability, Terrain};

fn open_of(text: &str) -> Placements {
    let terrain = Terrain::from_text(text, Cell::default()).unwrap();
    crate::passability::open_grid(&terrain, Capability::ALL).into()
}

fn values(map: &ClearanceMap, height: u32) -> Vec<Vec<u8>> {
    (0..height).map(|y| map.row(y).to_vec()).collect()
}

#[test]
fn true_clearance_is_the_largest_square_from_the_top_left() {
    let open = open_of("....\n.#..\n....\n....");
    let map = ClearanceMap::build(&open, (ClearanceMetric::True, 255));
    assert_eq!(values(&map, 4), [[1, 1, 2, 1], [1, 0, 2, 1], [2, 2, 2, 1], [1, 1, 1, 1]]);
    for y in 0..4 {
        for x in 0..4 {
            assert_eq!(clearance_at(&open, x, y), u32::from(map.get(x, y)), "{x},{y}");
        }
    }
}

#[test]
fn brushfire_refuses_a_body_that_true_clearance_lets_stand() {
    // A corridor two cells wide: a 2x2 body fits along it, but every cell is beside a wall.
    let open = open_of("#####\n.....\n.....\n#####");
    let true_map = ClearanceMap::build(&open, (ClearanceMetric::True, 255));
    let brushfire = ClearanceMap::build(&open, (ClearanceMetric::Brushfire, 255));
    assert_eq!(true_map.row(1), [2, 2, 2, 2, 1]);
    assert!(values(&brushfire, 4).iter().flatten().all(|&v| v <= 1));
}

#[test]
fn values_saturate() {
    let open = Placements::from(BitGrid::filled(GridLayout::new(600, 300)));
    let map = ClearanceMap::build(&open, (ClearanceMetric::True, 255));
    assert_eq!((map.get(0, 0), map.get(345, 45), map.get(346, 44), map.get(599, 299)), (255, 255, 254, 1));
    let low = ClearanceMap::build(&open, (ClearanceMetric::True, 7));
    assert_eq!((low.get(0, 0), low.get(594, 0)), (7, 6));
    assert_eq!(clearance_at(&open, 0, 0), 300);
    let brushfire = ClearanceMap::build(&open, (ClearanceMetric::Brushfire, 100));
    assert_eq!((brushfire.get(300, 150), brushfire.get(0, 5), brushfire.get(40, 150)), (100, 1, 41));
}
