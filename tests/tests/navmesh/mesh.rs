//! What must be true of every mesh, and questions to one.

use std::collections::HashMap;

use pathforge_navmesh::NavMesh;

/// A corner in 64ths of a pixel.
pub type Unit = [i64; 2];

pub fn unit(point: [f32; 2]) -> Unit {
    point.map(|v| {
        let units = f64::from(v) * 64.0;
        assert!((units - units.round()).abs() < 1e-9, "{v} is no 64th");
        units.round() as i64
    })
}

pub fn cross(o: Unit, a: Unit, b: Unit) -> i64 {
    (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])
}

/// Twice the area in square units.
pub fn area_two(points: &[Unit]) -> i64 {
    let next = points.iter().cycle().skip(1);
    points.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum()
}

pub fn polygons(mesh: &NavMesh) -> Vec<Vec<Unit>> {
    mesh.polygons().map(|p| p.iter().map(|&i| unit(mesh.vertices()[i as usize])).collect()).collect()
}

pub fn sides<T: Copy>(points: &[T]) -> impl Iterator<Item = (T, T)> {
    points.iter().copied().zip(points.iter().copied().cycle().skip(1))
}

/// Fails unless polygons are convex, connect by whole edges only, and fill the outlines.
pub fn check(mesh: &NavMesh) {
    let polygons = polygons(mesh);
    let mut vertices: Vec<_> = mesh.vertices().iter().map(|&v| unit(v)).collect();
    vertices.sort_unstable();
    assert!(vertices.windows(2).all(|w| w[0] != w[1]), "a corner is there twice");
    for polygon in &polygons {
        check_convex(polygon);
    }
    let outlines: Vec<Vec<Unit>> =
        mesh.outlines().iter().map(|o| o.points.iter().map(|&p| unit(p)).collect()).collect();
    for (outline, given) in outlines.iter().zip(mesh.outlines()) {
        assert_eq!(area_two(outline) < 0, given.is_hole);
        assert!(sides(outline).all(|(a, b)| a != b), "a corner twice in a row");
    }
    let covered: i64 = polygons.iter().map(|p| area_two(p)).sum();
    let outlined: i64 = outlines.iter().map(|o| area_two(o)).sum();
    assert_eq!(covered, outlined, "polygons and outlines have different areas");
    assert!((mesh.area_px() - outlined as f64 / 8192.0).abs() < 1e-6);
    assert_eq!(mesh.is_empty(), mesh.empty_reason().is_some());
    check_edges(&polygons, &outlines);
}

pub fn check_convex(polygon: &[Unit]) {
    assert!(polygon.len() >= 3 && area_two(polygon) > 0, "{polygon:?}");
    let n = polygon.len();
    let mut turns = 0;
    for i in 0..n {
        let (a, b, c) = (polygon[i], polygon[(i + 1) % n], polygon[(i + 2) % n]);
        let turn = cross(a, b, c);
        assert!(turn >= 0, "not convex at {b:?}: {polygon:?}");
        turns += i32::from(turn > 0);
        let forward = (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]);
        assert!(turn > 0 || forward > 0, "a spike at {b:?}: {polygon:?}");
    }
    assert!(turns >= 3);
}

/// Each edge belongs to two polygons that walk it in opposite directions, or to one and to an outline.
fn check_edges(polygons: &[Vec<Unit>], outlines: &[Vec<Unit>]) {
    let mut edges: HashMap<(Unit, Unit), i32> = HashMap::new();
    for edge in polygons.iter().flat_map(|p| sides(p)) {
        let count = edges.entry(edge).or_default();
        *count += 1;
        assert_eq!(*count, 1, "two polygons lie on the same side of {edge:?}");
    }
    let mut rims: Vec<_> = edges.keys().filter(|(a, b)| !edges.contains_key(&(*b, *a))).copied().collect();
    let mut outlined: Vec<_> = outlines.iter().flat_map(|o| sides(o)).collect();
    rims.sort_unstable();
    outlined.sort_unstable();
    assert_eq!(rims, outlined, "an edge without a neighbour is not on an outline, or the other way round");
}

/// Returns `true` if a polygon of the mesh holds the place, edges included.
pub struct Finder {
    polygons: Vec<(Vec<[f64; 2]>, [f64; 4])>,
}

impl Finder {
    pub fn new(mesh: &NavMesh) -> Self {
        let polygons = mesh.polygons().map(|polygon| {
            let corners: Vec<_> =
                polygon.iter().map(|&i| mesh.vertices()[i as usize].map(f64::from)).collect();
            let none = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
            let bounds = corners
                .iter()
                .fold(none, |b, p| [b[0].min(p[0]), b[1].min(p[1]), b[2].max(p[0]), b[3].max(p[1])]);
            (corners, bounds)
        });
        Self { polygons: polygons.collect() }
    }

    pub fn holds(&self, [x, y]: [f64; 2]) -> bool {
        self.polygons.iter().any(|(corners, b)| {
            x >= b[0]
                && y >= b[1]
                && x <= b[2]
                && y <= b[3]
                && sides(corners).all(|(a, b)| (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) >= 0.0)
        })
    }
}
