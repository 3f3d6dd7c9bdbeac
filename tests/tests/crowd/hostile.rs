//! What cannot be: refused, with nothing changed.

use pathforge_core::bitgrid::{BitGrid, GridLayout};
use pathforge_core::crowd::{AgentSpec, Crowd, CrowdGround};
use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::passability::Placements;
use pathforge_tests::hall::Hall;
use pathforge_tests::rng::Rng;

fn hall() -> Hall {
    let mut hall = Hall::draw("......\n..##..\n......\n......");
    let field = hall.field(1, &[Cell::new(5, 3)], 0);
    hall.add(Cell::new(0, 0), 1, 2.0, Some(field));
    hall.add(Cell::new(0, 3), 1, 2.0, Some(field));
    hall
}

#[test]
fn times_that_are_none_are_refused() {
    let mut hall = hall();
    let hash = hall.crowd.state_hash();
    for delta in [f64::NAN, -1.0, -1e-9, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(hall.with_ground(|crowd, ground| crowd.step(delta, ground)).is_err(), "{delta}");
    }
    assert_eq!(hall.crowd.state_hash(), hash);
    // However long a step is, the work is bounded.
    hall.step(1e300);
    hall.step(f64::MIN_POSITIVE);
}

#[test]
fn agents_that_cannot_be_are_not_added() {
    let mut hall = hall();
    let good = AgentSpec { x: 4.5, y: 0.5, kind: 0, speed: 1.0, radius: 0.4 };
    let bad = [
        AgentSpec { x: f64::NAN, ..good },
        AgentSpec { x: 1e300, ..good },
        AgentSpec { x: 2.5, y: 1.5, ..good },
        AgentSpec { x: -0.6, ..good },
        AgentSpec { speed: 0.0, ..good },
        AgentSpec { speed: f32::INFINITY, ..good },
        AgentSpec { radius: f32::NAN, ..good },
        AgentSpec { radius: -0.4, ..good },
        AgentSpec { kind: 2, ..good },
    ];
    let added = hall.with_ground(|crowd, ground| crowd.add(ground, &bad));
    assert_eq!(added, [None; 9]);
    assert_eq!(hall.crowd.len(), 2);
    assert_eq!(hall.with_ground(|crowd, ground| crowd.add(ground, &[good])), [Some(2)]);
}

#[test]
fn removing_twice_and_strangers_do_nothing() {
    let mut hall = hall();
    assert_eq!(hall.crowd.remove(&[0, 0, 9]), 1);
    assert_eq!(hall.crowd.remove(&[0]), 0);
    assert_eq!(hall.crowd.assign_field(&[0, 1, 50], 0), 1);
    hall.crowd.assign_path(&[1, 1], &[[1.5, 0.5]], 3);
    hall.step(0.1);
    assert_eq!(hall.crowd.remove(&[1]), 1);
    assert!(hall.crowd.is_empty());
    hall.step(0.1);
    let added = hall.add(Cell::new(0, 0), 1, 1.0, None);
    assert_eq!(added, Some(2), "ids are not given again");
}

#[test]
fn a_field_that_is_gone_and_a_map_that_is_empty_are_survived() {
    let mut hall = hall();
    hall.crowd.assign_field(&[0], 99);
    hall.step(0.5);
    let layers = vec![Placements::from(BitGrid::new(GridLayout::new(0, 0))); 3];
    let layers: Vec<&Placements> = layers.iter().collect();
    let ground =
        CrowdGround { region: CellRect::default(), revision: 9, layers: &layers, costs: &[], fields: &[] };
    assert!(hall.crowd.step(0.5, &ground).is_ok());
    hall.step(0.5);
    assert_eq!(hall.in_a_wall(), None);
}

#[test]
fn bytes_that_are_no_crowd_are_refused() {
    let mut hall = hall();
    hall.crowd.assign_path(&[1], &[[1.5, 0.5], [2.5, 0.5]], 3);
    hall.step(0.1);
    let bytes = hall.crowd.to_bytes();
    for cut in 0..bytes.len() {
        assert!(Crowd::from_bytes(&bytes[..cut]).is_err(), "cut after {cut}");
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(Crowd::from_bytes(&longer).is_err());
    let mut rng = Rng::new(8);
    for _ in 0..3000 {
        let mut broken = bytes.clone();
        for _ in 0..rng.int(1..4) {
            let place = rng.place(broken.len());
            broken[place] = rng.bits() as u8;
        }
        // What is not refused must not hurt.
        if let Ok(crowd) = Crowd::from_bytes(&broken)
            && crowd.kinds() == hall.crowd.kinds()
        {
            let mut copy = hall.clone();
            copy.crowd = crowd;
            copy.step(0.05);
            copy.crowd.views_in_rect(-5.0, -5.0, 5.0, 5.0);
        }
    }
}
