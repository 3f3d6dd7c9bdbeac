//! What is told of nodes is true: on the map of the demo's first scene, all are sent to one cell after another.

use pathforge_core::geometry::Cell;
use pathforge_tests::rng::Rng;
use pathforge_tests::town::Town;

/// Each unit that rests is at the end of its way, or others are named that keep it from there. Returns how many are still on their way.
fn check_told(town: &mut Town, cell: Cell) -> usize {
    // Bodies fill six tenths of the room that they take.
    let (states, reach) = (town.states(), 1.3 * town.reach());
    let mut under_way = 0;
    for (n, state) in states.into_iter().enumerate() {
        let unit = &town.units[n];
        let trace = town.crowd.trace(unit.id).expect("it is there");
        let left = f64::from(trace.left.unwrap_or_default());
        let far = unit.walker.end().map_or(f64::INFINITY, |end| end.distance(unit.position));
        let is_blocked = unit.walker.is_blocked(Some(state));
        let context = format!("{} to {cell:?}, {far:.1} from the end of its way, {state:?}", unit.title);
        // Those that came later may have moved it aside, within the room that all of them fill.
        assert!(!unit.walker.is_finished() || is_blocked || far < reach, "{context}: it is not there");
        if is_blocked {
            // One that settled where another was may rest up to a body short when that has gone.
            let is_beside = unit.walker.is_finished() && left <= unit.longest;
            let blockage = town.blockage(n).unwrap_or_else(|| panic!("{context}: nothing is in its way"));
            assert!(is_beside || !blockage.by.is_empty(), "{context}: none is named");
        } else if !unit.walker.is_finished() {
            under_way += 1;
        }
    }
    under_way
}

#[test]
fn each_is_there_or_blocked_by_named_others() {
    let orders = 200;
    let mut rng = Rng::new(33);
    let mut town = Town::new();
    let cells = town.open_cells();
    let (mut all_under_way, mut slow) = (0, 0);
    for order in 0..orders {
        let cell = rng.pick(&cells);
        town.send(cell);
        let time = town.rest(150);
        let under_way = check_told(&mut town, cell);
        println!("order {order} to {cell:?}: {time:?} s, {under_way} under way");
        all_under_way += under_way;
        slow += usize::from(time.is_none_or(|seconds| seconds > 60.0));
    }
    // Straight across the map takes a hauler 16 seconds; few jams before a gate last for longer than a minute.
    assert!(slow * 50 <= orders, "{slow} orders took more than a minute");
    assert!(all_under_way * 200 <= orders * town.units.len(), "{all_under_way} under way");
}
