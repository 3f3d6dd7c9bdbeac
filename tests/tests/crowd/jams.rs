//! Jams that agents must get out of by themselves.

use pathforge_core::crowd::AgentState;
use pathforge_core::geometry::Cell;
use pathforge_tests::hall::Hall;

const STEP: f64 = 1.0 / 60.0;

/// Where two streets meet. Two bodies of three cells can lean on each other and on both walls, and on the way on there is room
/// for one.
const STREETS: &str = "
    #############################
    #############................
    #############................
    ############.................
    .............................
    .............................
    ...............##############
    ..............###############
    ..............###############
    .............################
    ############.################
";

#[test]
fn two_that_hold_each_other_where_streets_meet_take_turns() {
    for (first, second) in [(0, 1), (1, 0), (0, 3), (3, 0)] {
        let mut hall = Hall::draw(STREETS);
        let field = hall.field(3, &[Cell::new(0, 6)], 0);
        // Ids decide whose turn it is.
        let ids: Vec<u32> = (0..4)
            .map(|n| hall.add(Cell::new(24 - n, 1), 3, 3.0, None).expect("there is room for all"))
            .collect();
        let pair = [(ids[first], [14.4078, 2.4078]), (ids[second], [16.0367, 4.5922])];
        for &id in &ids {
            if id != ids[first] && id != ids[second] {
                hall.crowd.remove(&[id]);
            }
        }
        for (id, [x, y]) in pair {
            hall.with_ground(|crowd, ground| crowd.set_position(id, x, y, ground));
        }
        hall.crowd.assign_field(&ids, field);
        for _ in 0..60 * 40 {
            hall.step(STEP);
        }
        assert_eq!(hall.states()[AgentState::Arrived as usize], 2, "{first} and {second}");
    }
}
