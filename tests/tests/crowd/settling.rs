//! Arriving, settling around a goal, taking places in a formation.

use pathforge_core::crowd::AgentState;
use pathforge_core::geometry::Cell;
use pathforge_tests::hall::Hall;
use pathforge_tests::halls::{Sizes, fill};
use pathforge_tests::maps::Walls;
use pathforge_tests::rng::Rng;

const STEP: f64 = 1.0 / 60.0;

fn square(side: i32) -> Hall {
    Hall::new(Walls::filled(side, side, false).into_terrain(Cell::default()))
}

#[test]
fn a_crowd_settles_around_its_goal_and_stands_still() {
    let mut hall = square(60);
    let fields = [1, 2, 3].map(|side| Some(hall.field(side, &[Cell::new(40, 30)], 0)));
    let count = fill(&mut hall, &mut Rng::new(3), [2, 2, 20, 50], 90, Sizes::Mixed, fields);
    let mut arrived = Vec::new();
    for _ in 0..60 * 60 {
        arrived.extend(hall.step(STEP).arrived);
        if hall.states()[AgentState::Arrived as usize] == count {
            break;
        }
    }
    (0..600).for_each(|_| drop(hall.step(STEP)));
    assert_eq!(hall.states()[AgentState::Arrived as usize], count, "{:?}", hall.states());
    arrived.sort_unstable();
    assert_eq!(arrived, hall.crowd.ids().collect::<Vec<_>>(), "each arrives once");
    let overlap = hall.overlaps(|_| true, |_| true).into_iter().fold(0.0, f32::max);
    assert!(overlap <= 0.01, "overlap {overlap}");
    let before: Vec<_> = hall.crowd.views().collect();
    hall.step(STEP);
    assert_eq!(before, hall.crowd.views().collect::<Vec<_>>(), "they stand still");
    // Within a disc that is not much wider than the disc that their bodies fill.
    let area: f64 = before.iter().map(|v| f64::from(v.radius).powi(2) * 4.0).sum();
    let ideal = (area / std::f64::consts::PI).sqrt();
    let mut distances: Vec<f64> = before.iter().map(|v| (v.x - 40.5).hypot(v.y - 30.5)).collect();
    distances.sort_by(f64::total_cmp);
    let p95 = distances[distances.len() * 95 / 100];
    println!("p95 of the distance is {:.2} of the ideal disc's radius", p95 / ideal);
    assert!(p95 < ideal * 2.0, "{p95} of {ideal}");
}

#[test]
fn places_of_a_formation_are_taken() {
    let mut hall = square(60);
    let field = hall.field(1, &[Cell::new(45, 30)], 0);
    let count =
        fill(&mut hall, &mut Rng::new(4), [2, 10, 10, 10], 60, Sizes::Small, [Some(field), None, None]);
    let ids: Vec<u32> = hall.crowd.ids().collect();
    let places: Vec<[f64; 2]> =
        (0..count).map(|n| [40.5 + (n % 6) as f64 * 1.5, 22.5 + (n / 6) as f64 * 1.5]).collect();
    hall.crowd.assign_places(&ids, &places);
    (0..60 * 40).for_each(|_| drop(hall.step(STEP)));
    assert_eq!(hall.states()[AgentState::Arrived as usize], count, "{:?}", hall.states());
    // They may swap, as they are alike.
    let mut crowd = hall.crowd;
    let views: Vec<_> = crowd.views().collect();
    let is_taken = |place: &&[f64; 2]| views.iter().any(|v| (v.x - place[0]).hypot(v.y - place[1]) < 0.1);
    assert_eq!(places.iter().filter(is_taken).count(), count, "every place is taken");
}

#[test]
fn who_is_stopped_stands_and_who_has_no_way_is_stuck() {
    let mut hall = Hall::draw("....#...\n....#...\n....#...");
    let field = hall.field(1, &[Cell::new(7, 1)], 0);
    let lost = hall.add(Cell::new(1, 1), 1, 3.0, Some(field)).expect("room");
    let idle = hall.add(Cell::new(3, 2), 1, 3.0, None).expect("room");
    let mut stuck = Vec::new();
    (0..120).for_each(|_| stuck.extend(hall.step(STEP).stuck));
    assert_eq!(stuck, [lost], "once");
    assert_eq!(hall.crowd.view(lost).map(|v| v.state), Some(AgentState::Stuck));
    assert_eq!(hall.crowd.view(idle).map(|v| (v.state, v.x)), Some((AgentState::Idle, 3.5)));
    hall.crowd.stop(&[lost, lost, 77]);
    hall.step(STEP);
    assert_eq!(hall.crowd.view(lost).map(|v| v.state), Some(AgentState::Idle));
}

#[test]
fn who_rests_makes_way_and_comes_back() {
    let mut hall = square(40);
    hall.crowd.settings_mut().frees_stuck = false;
    let field = hall.field(1, &[Cell::new(37, 20)], 0);
    // One in the middle of four rings of others, so tight that no agent passes between them.
    let inner = hall.add(Cell::new(15, 20), 1, 3.0, Some(field)).expect("room");
    let ring = |x: i32, y: i32| (1..=4).contains(&(x - 15).abs().max((y - 20).abs()));
    let cells = (16..25).flat_map(|y| (11..20).map(move |x| (x, y)));
    for (x, y) in cells.filter(|&(x, y)| ring(x, y)) {
        hall.add(Cell::new(x, y), 1, 3.0, None).expect("room");
    }
    for _ in 0..60 * 30 {
        hall.step(STEP);
        assert_eq!(hall.in_a_wall(), None);
    }
    let view = hall.crowd.view(inner).expect("it is there");
    assert_eq!(view.state, AgentState::Arrived);
    assert!((view.x - 37.5).abs() < 0.1, "it came through: {view:?}");
    assert_eq!(hall.states(), [80, 0, 0, 1, 0, 0], "the others rest again");
    let at_home = |v: &&pathforge_core::crowd::AgentView| (v.x - 15.5).abs().max((v.y - 20.5).abs()) < 5.5;
    let views: Vec<_> = hall.crowd.views().collect();
    assert!(views.iter().filter(at_home).count() >= 78, "and about where they were");
}
