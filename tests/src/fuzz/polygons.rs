//! Polygons: any order gives the same, and tiles together have the area of the whole.

use pathforge_navmesh::{BakeSettings, Corner, NavMesh, PixelRect, PolygonSet, TileGrid, bake, bake_tile};

use crate::rng::Rng;

type Polygon = Vec<[f64; 2]>;

/// The side of the place where polygons are, in pixels.
const SIDE: i32 = 128;

/// Polygons of any kind, self-crossing and flat ones among them.
fn any_polygons(rng: &mut Rng, count: i32) -> Vec<Polygon> {
    let number = |rng: &mut Rng| f64::from(rng.int(0..SIDE * 8 + 1)) / 8.0;
    let polygon = |rng: &mut Rng| -> Polygon {
        if rng.percent(50) {
            let [x, y] = [0, 1].map(|_| f64::from(rng.int(0..8) * 16));
            return vec![[x, y], [x + 16.0, y], [x + 16.0, y + 16.0], [x, y + 16.0]];
        }
        (0..rng.int(0..9)).map(|_| [number(rng), number(rng)]).collect()
    };
    (0..count).map(|_| polygon(rng)).collect()
}

fn set<'a>(polygons: impl IntoIterator<Item = &'a Polygon>) -> PolygonSet {
    let mut set = PolygonSet::new();
    for polygon in polygons {
        set.push(polygon).expect("numbers within the limits");
    }
    set
}

/// A floor with colliders, whole and in tiles.
pub fn baked(rng: &mut Rng) {
    let count = [rng.int(0..24), rng.int(0..12)];
    let [floor, colliders] = count.map(|count| any_polygons(rng, count));
    let half = [0, 1].map(|_| rng.pick(&[0.0, 0.5, 3.0, 8.0, 20.0]));
    let corner = rng.pick(&[Corner::Box, Corner::Round]);
    let settings = BakeSettings::new(half, corner).expect("valid half-extents");
    let (floor_set, collider_set) = (set(&floor), set(&colliders));
    let whole = bake(&floor_set, &collider_set, &settings);
    let turned = bake(&set(floor.iter().rev()), &set(colliders.iter().rev()), &settings);
    assert!(whole == turned, "the order matters: {floor:?}, {colliders:?}, {settings:?}");

    let grid = TileGrid::new([0.0, 0.0], [64.0, 64.0]).expect("a valid grid");
    let all = PixelRect::new(-32.0, -32.0, f64::from(SIDE) + 64.0, f64::from(SIDE) + 64.0);
    let tiles = grid
        .touching(all)
        .map(|tile| bake_tile(&floor_set, &collider_set, &settings, &grid, tile).expect("valid polygons"));
    let sum: f64 = tiles.map(|tile| tile.area_px()).sum();
    // A border is a unit off at most, and slivers are left out.
    let allowed = rim(&whole) / 64.0 + 0.5;
    let off = (sum - whole.area_px()).abs();
    assert!(off <= allowed, "tiles {sum}, whole {}: {floor:?}, {colliders:?}, {settings:?}", whole.area_px());
}

/// The length of all outlines, in pixels.
fn rim(mesh: &NavMesh) -> f64 {
    let length = |points: &[[f32; 2]]| -> f64 {
        let next = points.iter().cycle().skip(1);
        points.iter().zip(next).map(|(a, b)| f64::from((b[0] - a[0]).hypot(b[1] - a[1]))).sum()
    };
    mesh.outlines().iter().map(|outline| length(&outline.points)).sum()
}
