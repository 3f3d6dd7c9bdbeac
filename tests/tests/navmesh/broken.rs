//! Broken input: an error with the value, or an empty mesh with its reason.

use pathforge_navmesh::{
    BakeSettings, COORDINATE_MAX_PX, Corner, EmptyReason, NavMesh, NavMeshError, PixelRect, PolygonSet,
    TileGrid, bake, bake_rect,
};

use crate::level::{rect, set, tiles};
use crate::mesh;

fn baked(floor: &PolygonSet, colliders: &PolygonSet) -> NavMesh {
    let mesh = bake(floor, colliders, &BakeSettings::new([2.0, 2.0], Corner::Box).unwrap());
    mesh::check(&mesh);
    mesh
}

#[test]
fn nothing_gives_nothing() {
    let empty = PolygonSet::new();
    assert_eq!(baked(&empty, &empty).empty_reason(), Some(EmptyReason::NoFloor));
    assert_eq!(baked(&empty, &set(&tiles(&["."]))).empty_reason(), Some(EmptyReason::NoFloor));
    let floor = set(&tiles(&[".."]));
    assert_eq!(baked(&floor, &floor).empty_reason(), Some(EmptyReason::FloorCovered));
    let huge = BakeSettings::new([1e300, 0.0], Corner::Round).unwrap();
    assert_eq!(bake(&floor, &empty, &huge).empty_reason(), Some(EmptyReason::AgentTooLarge));
}

#[test]
fn numbers_that_are_none_are_errors() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut floor = set(&tiles(&[".."]));
        assert!(matches!(
            floor.push(&[[0.0, 0.0], [bad, 1.0], [1.0, 1.0]]),
            Err(NavMeshError::NotFinite { .. })
        ));
        assert_eq!(floor.len(), 2);
        assert!(BakeSettings::new([bad, 1.0], Corner::Box).is_err());
        let settings = BakeSettings::new([1.0, 1.0], Corner::Box).unwrap();
        let target = PixelRect::new(0.0, bad, 1.0, 1.0);
        assert!(matches!(bake_rect(&floor, &floor, &settings, target), Err(NavMeshError::NotFinite { .. })));
        assert!(TileGrid::new([0.0, bad], [16.0, 16.0]).is_err());
        assert!(TileGrid::new([0.0, 0.0], [16.0, bad]).is_err());
    }
    assert!(BakeSettings::new([-1.0, 1.0], Corner::Box).is_err());
    assert!(TileGrid::new([0.0, 0.0], [0.0, 16.0]).is_err());
    let far = COORDINATE_MAX_PX * 2.0;
    let error = PolygonSet::new().push(&[[far, 0.0]]).unwrap_err();
    assert!(error.to_string().contains("further out"), "{error}");
}

#[test]
fn polygons_without_an_area_are_skipped() {
    let mut floor = set(&tiles(&["...", "..."]));
    for flat in [
        vec![],
        vec![[4.0, 4.0]],
        vec![[4.0, 4.0]; 5],
        vec![[0.0, 0.0], [30.0, 30.0]],
        vec![[0.0, 0.0], [30.0, 0.0], [12.0, 0.0]],
        vec![[0.0, 0.0], [9.0, 9.0], [18.0, 0.0], [9.0, 9.0]],
    ] {
        assert_eq!(floor.push(&flat), Ok(false), "{flat:?}");
    }
    assert!((baked(&floor, &PolygonSet::new()).area_px() - 44.0 * 28.0).abs() < 1e-9);
}

#[test]
fn winding_and_repetition_do_not_matter() {
    let mut floor = tiles(&["....", "....", "...."]);
    let post = rect(24.0, 20.0, 8.0, 8.0);
    let plain = baked(&set(&floor), &set(std::slice::from_ref(&post)));
    for polygon in floor.iter_mut().step_by(2) {
        polygon.reverse();
    }
    floor.extend_from_within(3..8);
    let turned: Vec<_> = post.iter().rev().copied().collect();
    // Twice the same place in a row, and the first again at the end.
    let doubled: Vec<_> = post.iter().flat_map(|&p| [p, p]).chain([post[0]]).collect();
    assert_eq!(plain, baked(&set(&floor), &set(&[post, turned, doubled])));
}

#[test]
fn what_crosses_itself_is_taken_by_its_winding() {
    let floor = set(&tiles(&["......"; 6]));
    let tie = vec![[30.0, 30.0], [60.0, 60.0], [60.0, 30.0], [30.0, 60.0]];
    let point = BakeSettings::new([0.0, 0.0], Corner::Box).unwrap();
    let area = |collider: &[[f64; 2]]| {
        let mesh = bake(&floor, &set(&[collider.to_vec()]), &point);
        mesh::check(&mesh);
        96.0 * 96.0 - mesh.area_px()
    };
    assert!((area(&tie) - 450.0).abs() < 1e-6);
    // Around twice: what is wound around twice is inside as well.
    let square = rect(30.0, 30.0, 20.0, 20.0);
    let twice: Vec<_> = square.iter().chain(&square).copied().collect();
    assert!((area(&twice) - 400.0).abs() < 1e-6);
}

#[test]
fn a_target_without_a_size_is_empty() {
    let (floor, none) = (set(&tiles(&[".."])), PolygonSet::new());
    let settings = BakeSettings::new([1.0, 1.0], Corner::Box).unwrap();
    for target in [PixelRect::new(4.0, 4.0, 0.0, 8.0), PixelRect::new(4.0, 4.0, 8.0, -8.0)] {
        assert!(bake_rect(&floor, &none, &settings, target).unwrap().is_empty());
    }
}
