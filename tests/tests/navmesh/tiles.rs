//! Tiles: together they have the area of the whole, and their edges along a shared side are the same.

use std::collections::{BTreeMap, BTreeSet};

use pathforge_navmesh::{
    BakeSettings, Corner, NavMesh, PixelRect, PolygonSet, TileGrid, TileIndex, bake, bake_tile,
};
use pathforge_tests::rng::{Rng, seeds};

use crate::level::{CELL, Level, half_extents, pixel_rect, rect, set};
use crate::mesh::{self, Unit};

/// Cells on the side of a tile in these tests.
const SIDE: i32 = 4;

struct Map {
    level: Level,
    settings: BakeSettings,
    grid: TileGrid,
    tiles: BTreeMap<TileIndex, NavMesh>,
}

impl Map {
    fn random(rng: &mut Rng) -> Self {
        let cells = rng.int(1..14);
        let mut half = half_extents(rng);
        for h in &mut half {
            *h = h.min(20.0);
        }
        let corner = rng.pick(&[Corner::Box, Corner::Round]);
        let size = f64::from(SIDE) * CELL;
        let mut map = Self {
            level: Level::random(rng, cells),
            settings: BakeSettings::new(half, corner).unwrap(),
            grid: TileGrid::new([0.0, 0.0], [size, size]).unwrap(),
            tiles: BTreeMap::new(),
        };
        let all = pixel_rect(&[[-32.0, -32.0], [f64::from(cells) * CELL + 32.0; 2]]);
        let every: Vec<_> = map.grid.touching(all).collect();
        map.rebake(&every);
        map
    }

    /// Bakes these tiles, each from the polygons near it only.
    fn rebake(&mut self, tiles: &[TileIndex]) {
        for &tile in tiles {
            let [x, y] = self.settings.reach_px();
            let window = self.grid.rect(tile).grown(x, y);
            let near = |list: &[Vec<[f64; 2]>]| -> PolygonSet {
                let reaching = list.iter().filter(|polygon| {
                    let b = pixel_rect(polygon);
                    b.x <= window.x + window.w
                        && window.x <= b.x + b.w
                        && b.y <= window.y + window.h
                        && window.y <= b.y + b.h
                });
                set(&reaching.cloned().collect::<Vec<_>>())
            };
            let (floor, colliders) = (near(&self.level.floor), near(&self.level.colliders));
            let mesh = bake_tile(&floor, &colliders, &self.settings, &self.grid, tile).unwrap();
            mesh::check(&mesh);
            self.tiles.insert(tile, mesh);
        }
    }

    fn check(&self, label: &str) {
        let (floor, colliders) = self.level.sets();
        let whole = bake(&floor, &colliders, &self.settings);
        let sum: f64 = self.tiles.values().map(NavMesh::area_px).sum();
        // A border is a unit off at most, and slivers are left out.
        let rim: f64 = whole
            .outlines()
            .iter()
            .flat_map(|o| mesh::sides(&o.points))
            .fold(0.0, |sum, (a, b)| sum + f64::from(b[0] - a[0]).hypot(f64::from(b[1] - a[1])));
        let off = (sum - whole.area_px()).abs();
        assert!(off <= rim / 64.0 + 0.2, "{label}: tiles {sum}, whole {}", whole.area_px());
        for (&[column, row], tile) in &self.tiles {
            let [right, below] = [[column + 1, row], [column, row + 1]];
            for (neighbour, axis) in [(right, 0), (below, 1)] {
                if let Some(other) = self.tiles.get(&neighbour) {
                    let line = ((column + 1) * SIDE * CELL as i32 * 64, (row + 1) * SIDE * CELL as i32 * 64);
                    let at = if axis == 0 { line.0 } else { line.1 };
                    check_border(tile, other, axis, i64::from(at), label);
                }
            }
        }
    }
}

/// More than any map of these tests.
fn everything() -> PixelRect {
    PixelRect::new(-64.0, -64.0, 384.0, 384.0)
}

/// The polygons' edges on a line, as their lower and upper end along it.
fn edges_on(mesh: &NavMesh, axis: usize, at: i64) -> BTreeSet<(i64, i64)> {
    let on = |(a, b): (Unit, Unit)| {
        (a[axis] == at && b[axis] == at).then(|| (a[1 - axis].min(b[1 - axis]), a[1 - axis].max(b[1 - axis])))
    };
    mesh::polygons(mesh).iter().flat_map(|p| mesh::sides(p)).filter_map(on).collect()
}

/// Fails unless edges of both meshes on their line are the same wherever they lie on each other.
fn check_border(a: &NavMesh, b: &NavMesh, axis: usize, at: i64, label: &str) {
    let [a, b] = [edges_on(a, axis, at), edges_on(b, axis, at)];
    for &(low, high) in &a {
        for &(other_low, other_high) in &b {
            let shared = high.min(other_high) - low.max(other_low);
            assert!(
                shared <= 0 || (low, high) == (other_low, other_high),
                "{label}: edges {low}..{high} and {other_low}..{other_high} on {axis}, {at}"
            );
        }
    }
}

#[test]
fn tiles_fit_and_stay_so_after_edits() {
    for seed in seeds(73, 120) {
        let mut rng = Rng::new(seed);
        let mut map = Map::random(&mut rng);
        map.check(&format!("seed {seed}"));
        for edit in 0..3 {
            let (x, y) = (f64::from(rng.int(0..12)) * CELL, f64::from(rng.int(0..12)) * CELL);
            let patch = rect(x, y, CELL, CELL);
            let mut changed = pixel_rect(&patch);
            match rng.int(0..3) {
                0 => map.level.colliders.push(patch),
                1 => map.level.floor.push(patch),
                _ => {
                    let list = rng.pick(&[true, false]);
                    let list = if list { &mut map.level.colliders } else { &mut map.level.floor };
                    if list.is_empty() {
                        continue;
                    }
                    changed = pixel_rect(&list.swap_remove(rng.place(list.len())));
                }
            }
            let tiles: Vec<_> = map.grid.changed_by(changed, &map.settings, everything()).collect();
            map.rebake(&tiles);
            map.check(&format!("seed {seed}, edit {edit}"));
        }
    }
}

#[test]
fn a_tile_of_open_floor_is_one_square() {
    let floor: Vec<_> =
        (0..144).map(|i| rect(f64::from(i % 12) * CELL, f64::from(i / 12) * CELL, CELL, CELL)).collect();
    let settings = BakeSettings::new([3.0, 5.0], Corner::Round).unwrap();
    let grid = TileGrid::new([0.0, 0.0], [64.0, 64.0]).unwrap();
    let mesh = bake_tile(&set(&floor), &PolygonSet::new(), &settings, &grid, [1, 1]).unwrap();
    assert_eq!((mesh.polygons().len(), mesh.vertices().len()), (1, 4));
    assert!((mesh.area_px() - 4096.0).abs() < 1e-9);
    let corner = bake_tile(&set(&floor), &PolygonSet::new(), &settings, &grid, [0, 0]).unwrap();
    assert!((corner.area_px() - 61.0 * 59.0).abs() < 1e-9);
}

#[test]
fn tile_numbers_cover_a_rectangle() {
    let grid = TileGrid::new([-8.0, 4.0], [10.0, 20.0]).unwrap();
    let touched: Vec<_> = grid.touching(pixel_rect(&[[-9.0, 5.0], [3.0, 25.0]])).collect();
    assert_eq!(touched, [[-1, 0], [0, 0], [1, 0], [-1, 1], [0, 1], [1, 1]]);
    assert_eq!(grid.rect([1, -1]), pixel_rect(&[[2.0, -16.0], [12.0, 4.0]]));
}

#[test]
fn a_change_reaches_as_far_as_the_agent() {
    let grid = TileGrid::new([0.0, 0.0], [64.0, 64.0]).unwrap();
    let changed = |half: [f64; 2]| -> Vec<TileIndex> {
        let settings = BakeSettings::new(half, Corner::Box).unwrap();
        grid.changed_by(PixelRect::new(70.0, 70.0, 16.0, 16.0), &settings, everything()).collect()
    };
    assert_eq!(changed([1.0, 1.0]), [[1, 1]]);
    assert_eq!(changed([8.0, 1.0]), [[0, 1], [1, 1]]);
    assert_eq!(changed([1e30, 1e30]).len(), 49);
    let empty = PixelRect::new(0.0, 0.0, 1.0, 1.0).intersection(PixelRect::new(5.0, 0.0, 1.0, 1.0));
    assert_eq!(grid.touching(empty).count(), 0);
    assert_eq!(grid.touching(PixelRect::new(0.0, 0.0, f64::NAN, 1.0)).count(), 0);
}
