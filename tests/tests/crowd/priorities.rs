//! For whom agents at rest make way: for those of at least their own priority, and for none while they hold
//! their position.

use pathforge_core::crowd::{AgentState, Crowd};
use pathforge_core::geometry::Cell;
use pathforge_tests::hall::Hall;
use pathforge_tests::maps::Walls;

const STEP: f64 = 1.0 / 60.0;
const SPEED: f32 = 4.0;

/// A lane of 40 cells, some wide, with agents at rest in its middle.
struct Lane {
    hall: Hall,
    resting: Vec<u32>,
    homes: Vec<f64>,
    farthest: Vec<f64>,
    /// The driven agents.
    driven: Vec<u32>,
}

impl Lane {
    fn new(height: i32, resting: &[Cell]) -> Self {
        let mut hall = Hall::new(Walls::filled(40, height, false).into_terrain(Cell::default()));
        let add = |cell: &Cell| hall.add(*cell, 1, SPEED, None).expect("room");
        let resting: Vec<u32> = resting.iter().map(add).collect();
        let homes = resting.iter().map(|&id| hall.crowd.view(id).expect("an agent").x).collect();
        let farthest = vec![0.0; resting.len()];
        Self { hall, resting, homes, farthest, driven: Vec::new() }
    }

    /// Sends agents of a priority through from the left for 15 seconds. They are moved by the crowd or,
    /// `is_driven`, from outside.
    fn send(&mut self, count: i32, priority: f32, is_driven: bool) -> Vec<u32> {
        let rows = self.hall.terrain.region().h;
        let field = self.hall.field(1, &[Cell::new(38, 0)], 1);
        let mut add = |n: i32| {
            let cell = Cell::new(14 - n / rows, n % rows);
            if is_driven {
                self.hall.add_driven(cell, 1, Some(field))
            } else {
                self.hall.add(cell, 1, SPEED, Some(field)).expect("room")
            }
        };
        let ids: Vec<u32> = (0..count).map(&mut add).collect();
        for &id in &ids {
            assert!(self.hall.crowd.set_priority(id, priority));
        }
        self.driven = if is_driven { ids.clone() } else { Vec::new() };
        self.run();
        ids
    }

    fn run(&mut self) {
        for _ in 0..60 * 15 {
            self.hall.drive(&self.driven, SPEED, STEP);
            for (n, &id) in self.resting.iter().enumerate() {
                let x = self.hall.crowd.view(id).expect("an agent").x;
                self.farthest[n] = self.farthest[n].max((x - self.homes[n]).abs());
            }
        }
    }

    fn each(&mut self, change: impl Fn(&mut Crowd, u32) -> bool) {
        self.resting.iter().for_each(|&id| assert!(change(&mut self.hall.crowd, id)));
    }
}

#[test]
fn one_at_rest_makes_way_only_for_those_of_at_least_its_priority() {
    for (own, other, makes_way) in
        [(0.5, 0.5, true), (0.5, 1.0, true), (1.0, 1.0, true), (1.0, 0.5, false), (0.5, 0.0, false)]
    {
        for is_driven in [false, true] {
            let mut lane = Lane::new(2, &[Cell::new(20, 0), Cell::new(20, 1)]);
            lane.each(|crowd, id| crowd.set_priority(id, own));
            lane.send(6, other, is_driven);
            let scene = format!("{own} rests, {other} comes, driven {is_driven}: {:?}", lane.farthest);
            if makes_way {
                assert!(lane.farthest.iter().any(|&far| far > 0.5), "{scene}");
            } else {
                assert!(lane.farthest.iter().all(|&far| far < 1e-3), "{scene}");
            }
        }
    }
}

/// An agent behind an agent that makes way, in a lane as wide as both, hears the push with the priority that
/// it began with.
#[test]
fn a_push_that_is_passed_on_keeps_its_priority() {
    for (comes, makes_way) in [(1.0, true), (0.5, false)] {
        let mut lane = Lane::new(1, &[Cell::new(20, 0), Cell::new(21, 0)]);
        let last = lane.resting[1];
        assert!(lane.hall.crowd.set_priority(last, 1.0));
        lane.send(1, comes, false);
        assert_eq!(lane.farthest[1] > 1.0, makes_way, "{comes} comes: {:?}", lane.farthest);
        if !makes_way {
            assert!(lane.farthest[1] < 1e-3, "contact moves it: {:?}", lane.farthest);
        }
    }
}

#[test]
fn one_that_holds_its_position_makes_way_for_none() {
    for is_driven in [false, true] {
        let mut lane = Lane::new(2, &[Cell::new(20, 0), Cell::new(20, 1)]);
        lane.each(|crowd, id| crowd.set_priority(id, 0.0) && crowd.set_holds_position(id, true));
        let ids = lane.send(6, 1.0, is_driven);
        assert!(lane.farthest.iter().all(|&far| far < 1e-6), "driven {is_driven}: {:?}", lane.farthest);
        let by: Vec<u32> = ids
            .iter()
            .filter_map(|&id| lane.hall.with_ground(|crowd, ground| crowd.blockage(ground, id)))
            .flat_map(|blockage| blockage.by)
            .collect();
        assert!(lane.resting.iter().all(|id| by.contains(id)), "driven {is_driven}: kept off by {by:?}");
        // Let go, it makes way again.
        lane.each(|crowd, id| crowd.set_holds_position(id, false));
        lane.run();
        assert!(lane.farthest.iter().any(|&far| far > 0.5), "driven {is_driven}: {:?}", lane.farthest);
    }
}

#[test]
fn others_go_round_one_that_holds_its_position() {
    let mut lane = Lane::new(9, &[Cell::new(20, 4), Cell::new(24, 2), Cell::new(24, 6)]);
    lane.each(|crowd, id| crowd.set_holds_position(id, true));
    lane.send(9, 0.5, false);
    assert!(lane.farthest.iter().all(|&far| far < 1e-6), "{:?}", lane.farthest);
    assert!(lane.hall.states()[AgentState::Arrived as usize] > 5, "{:?}", lane.hall.states());
}

/// It goes where it is sent, rests there, and holds that place; a crowd that is saved meanwhile goes on the
/// same.
#[test]
fn one_that_holds_its_position_still_follows_orders() {
    let mut lane = Lane::new(3, &[Cell::new(20, 1)]);
    let id = lane.resting[0];
    assert!(lane.hall.crowd.set_holds_position(id, true) && lane.hall.crowd.holds_position(id));
    assert!(!lane.hall.crowd.set_holds_position(99, true) && !lane.hall.crowd.holds_position(99));
    let field = lane.hall.field(1, &[Cell::new(30, 1)], 0);
    lane.hall.crowd.assign_field(&[id], field);
    let steps = |hall: &mut Hall, seconds: u32| (0..60 * seconds).for_each(|_| drop(hall.step(STEP)));
    steps(&mut lane.hall, 1);
    lane.hall.crowd = Crowd::from_bytes(&lane.hall.crowd.to_bytes()).expect("it was saved");
    assert!(lane.hall.crowd.holds_position(id) && !lane.hall.crowd.is_paused(id), "saved");
    steps(&mut lane.hall, 5);
    let view = lane.hall.crowd.view(id).expect("an agent");
    assert_eq!(view.state, AgentState::Arrived);
    lane.homes = vec![view.x];
    lane.send(9, 1.0, false);
    assert!(lane.farthest[0] < 1e-6, "{:?}", lane.farthest);
}
