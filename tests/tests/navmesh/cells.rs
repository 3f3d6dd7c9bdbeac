//! Baking cells gives what baking their polygons gives.

use pathforge_core::bitgrid::{BitGrid, GridLayout};
use pathforge_navmesh::{BakeSettings, Corner, EmptyReason, NavMeshError, PolygonSet, bake, bake_cells};
use pathforge_tests::rng::{Rng, seeds};

use crate::level::{half_extents, rect};
use crate::mesh::{self, Unit};

fn grid(w: u32, h: u32, open: impl Fn(u32, u32) -> bool) -> BitGrid {
    let mut grid = BitGrid::new(GridLayout::new(w, h));
    for (x, y) in (0..h).flat_map(|y| (0..w).map(move |x| (x, y))) {
        grid.set_at(x, y, open(x, y));
    }
    grid
}

/// No corner of a polygon lies inside of another polygon's edge.
fn check_no_loose_corners(polygons: &[Vec<Unit>], vertices: &[Unit]) {
    for (a, b) in polygons.iter().flat_map(|p| mesh::sides(p)) {
        let inside = |v: &Unit| {
            let axis = usize::from(a[0] == b[0]);
            v[1 - axis] == a[1 - axis] && v[axis] > a[axis].min(b[axis]) && v[axis] < a[axis].max(b[axis])
        };
        assert!(!vertices.iter().any(inside), "a corner lies on {a:?} to {b:?}");
    }
}

#[test]
fn cells_and_polygons_agree() {
    for seed in seeds(74, 300) {
        let mut rng = Rng::new(seed);
        let (w, h) = (rng.int(1..90) as u32, rng.int(1..24) as u32);
        let closed = rng.pick(&[0, 2, 10, 40, 90]);
        let bits: Vec<bool> = (0..w * h).map(|_| !rng.percent(closed)).collect();
        let open = grid(w, h, |x, y| bits[(y * w + x) as usize]);
        let cell = rng.pick(&[[16.0, 16.0], [8.0, 24.0], [1.0, 1.0], [10.0, 7.5]]);
        let is_even = rng.percent(50);
        let even = |i: usize, halves: i32| cell[i] * f64::from(halves) / 2.0;
        let half =
            if is_even { [even(0, rng.int(0..4)), even(1, rng.int(0..4))] } else { half_extents(&mut rng) };
        let settings = BakeSettings::new(half, Corner::Box).unwrap();
        let mesh = bake_cells(&open, [-20.0, 7.0], cell, &settings).unwrap();
        let mut floor = PolygonSet::new();
        for (x, y) in (0..h).flat_map(|y| (0..w).map(move |x| (x, y))) {
            if bits[(y * w + x) as usize] {
                let corner = [f64::from(x).mul_add(cell[0], -20.0), f64::from(y).mul_add(cell[1], 7.0)];
                floor.push(&rect(corner[0], corner[1], cell[0], cell[1])).unwrap();
            }
        }
        let exact = bake(&floor, &PolygonSet::new(), &settings);
        let label = format!("seed {seed}: {w}x{h} cells of {cell:?}, {half:?}");
        // Both leave out slivers of two units; this one necks of such a width too, the other one specks of a
        // 16th.
        let specks = mesh.outlines().len() as f64 / 16.0;
        let slack = if is_even { 1e-6 } else { f64::from(h) * cell[1] / 32.0 + specks };
        let off = (mesh.area_px() - exact.area_px()).abs();
        assert!(off < slack, "{label}: {} {}", mesh.area_px(), exact.area_px());
        let polygons = mesh::polygons(&mesh);
        for polygon in &polygons {
            mesh::check_convex(polygon);
        }
        let covered: i64 = polygons.iter().map(|p| mesh::area_two(p)).sum();
        assert!((covered as f64 / 8192.0 - mesh.area_px()).abs() < 1e-6, "{label}");
        // Where two solids touch at a corner, their outlines may be joined in either way: only corners can be
        // counted.
        let corners =
            |m: &pathforge_navmesh::NavMesh| m.outlines().iter().map(|o| o.points.len()).sum::<usize>();
        assert!(!is_even || corners(&mesh) == corners(&exact), "{label}");
        let vertices: Vec<_> = mesh.vertices().iter().map(|&v| mesh::unit(v)).collect();
        check_no_loose_corners(&polygons, &vertices);
        check_holes_follow_their_solid(&mesh, &label);
    }
}

/// Every hole lies inside of the bounds of the solid that it follows.
fn check_holes_follow_their_solid(mesh: &pathforge_navmesh::NavMesh, label: &str) {
    let bounds = |points: &[[f32; 2]], axis: usize| {
        let values = points.iter().map(|p| p[axis]);
        (values.clone().fold(f32::INFINITY, f32::min), values.fold(f32::NEG_INFINITY, f32::max))
    };
    let mut solid = None;
    for outline in mesh.outlines() {
        let is = [0, 1].map(|axis| bounds(&outline.points, axis));
        if !outline.is_hole {
            solid = Some(is);
        }
        let around = solid.expect("a solid comes first");
        assert!((0..2).all(|i| around[i].0 <= is[i].0 && is[i].1 <= around[i].1), "{label}");
    }
}

#[test]
fn open_cells_are_one_rectangle() {
    let settings = BakeSettings::new([5.0, 3.0], Corner::Box).unwrap();
    let mesh =
        bake_cells(&BitGrid::filled(GridLayout::new(100, 70)), [0.0, 0.0], [16.0, 16.0], &settings).unwrap();
    assert_eq!((mesh.polygons().len(), mesh.vertices().len(), mesh.outlines().len()), (1, 4, 1));
    assert!((mesh.area_px() - 1590.0 * 1114.0).abs() < 1e-6);
}

#[test]
fn cells_that_are_broken_or_empty() {
    let settings = BakeSettings::new([5.0, 3.0], Corner::Box).unwrap();
    let open = BitGrid::filled(GridLayout::new(4, 4));
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let result = bake_cells(&open, [0.0, 0.0], [bad, 16.0], &settings);
        assert!(matches!(result, Err(NavMeshError::BadCellSize { .. })));
    }
    assert!(bake_cells(&open, [f64::NAN, 0.0], [16.0, 16.0], &settings).is_err());
    assert!(bake_cells(&open, [0.0, 0.0], [1e9, 16.0], &settings).is_err());
    let reason = |open: &BitGrid| bake_cells(open, [0.0, 0.0], [2.0, 2.0], &settings).unwrap().empty_reason();
    assert_eq!(reason(&BitGrid::new(GridLayout::new(4, 4))), Some(EmptyReason::NoFloor));
    assert_eq!(reason(&open), Some(EmptyReason::AgentTooLarge));
    assert_eq!(reason(&BitGrid::new(GridLayout::new(0, 0))), Some(EmptyReason::NoFloor));
}
