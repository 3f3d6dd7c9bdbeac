//! A tolerance takes free space away along outlines, adds none, and takes no more than it may.

use pathforge_navmesh::{BakeSettings, Corner, NavMeshError, TOLERANCE_MAX_PX, TileGrid, bake, bake_tile};
use pathforge_tests::rng::{Rng, seeds};

use crate::level::{CELL, Level, number, rect, set};
use crate::mesh::{self, Finder};
use crate::oracle::Oracle;

/// How far off an exact outline may be, in pixels.
const ROUNDING: f64 = 0.16;

/// Circles and boxes: grown by a length on both axes, they hold all places within that length.
fn agent(rng: &mut Rng) -> BakeSettings {
    let half = number(rng, 0.5, 10.0);
    BakeSettings::new([half; 2], rng.pick(&[Corner::Box, Corner::Round, Corner::Round])).unwrap()
}

#[test]
fn free_space_shrinks_by_the_tolerance_at_most() {
    let (mut clear, mut blocked) = (0, 0);
    let [mut corners, mut corners_exact] = [0, 0];
    for seed in seeds(77, 500) {
        let mut rng = Rng::new(seed);
        let tiles = rng.int(1..9);
        let level = Level::random(&mut rng, tiles);
        let exact = agent(&mut rng);
        let tolerance = number(&mut rng, 0.1, 6.0);
        let (floor, colliders) = level.sets();
        let whole = bake(&floor, &colliders, &exact);
        let mesh = bake(&floor, &colliders, &exact.with_tolerance(tolerance).unwrap());
        mesh::check(&mesh);
        corners += mesh.vertices().len();
        corners_exact += whole.vertices().len();
        assert!(mesh.area_px() <= whole.area_px() + 1.0, "seed {seed}: it has grown");
        let (finder, oracle) = (Finder::new(&mesh), Oracle::new(&level, exact.corner()));
        let half = exact.half_extents_px();
        let side = f64::from(tiles) * CELL + 8.0;
        let mut places: Vec<[f64; 2]> =
            (0..80).map(|_| [number(&mut rng, -8.0, side), number(&mut rng, -8.0, side)]).collect();
        let outlines = || mesh.outlines().iter().flat_map(|outline| mesh::sides(&outline.points));
        places.extend(outlines().map(|(a, _)| a.map(f64::from)));
        places.extend(outlines().map(|(a, b)| [0, 1].map(|i| f64::from(f32::midpoint(a[i], b[i])))));
        for place in places {
            let label = format!("seed {seed}: {place:?}, tolerance {tolerance}, {exact:?}");
            if finder.holds(place) {
                let smaller = half.map(|h| (h - ROUNDING).max(0.001));
                assert!(oracle.may_be_clear(place, smaller), "{label}: the agent does not fit");
                clear += 1;
            } else {
                let larger = half.map(|h| h + tolerance + ROUNDING);
                assert!(!oracle.is_clear(place, larger), "{label}: too much is gone");
                blocked += 1;
            }
        }
    }
    assert!(clear > 5000 && blocked > 5000, "{clear} places tried inside, {blocked} outside");
    assert!(corners * 4 < corners_exact * 3, "{corners} corners of {corners_exact}");
}

#[test]
fn a_round_pillar_becomes_a_box_like_any_other() {
    let floor = set(&[rect(0.0, 0.0, 200.0, 200.0)]);
    let colliders = set(&[rect(90.0, 90.0, 20.0, 20.0)]);
    let round = BakeSettings::new([8.0, 8.0], Corner::Round).unwrap();
    let corners = |tolerance: f64| {
        let mesh = bake(&floor, &colliders, &round.with_tolerance(tolerance).unwrap());
        mesh.outlines().iter().map(|outline| outline.points.len()).collect::<Vec<_>>()
    };
    assert!(corners(0.0)[1] > 16);
    // From a quarter circle to its box: 8 · (√2 − 1), or 3.3 pixels.
    assert_eq!(corners(4.0), [4, 4]);
    assert!(corners(1.0)[1] <= 8, "{:?}", corners(1.0));
}

#[test]
fn corners_on_the_borders_of_tiles_stay() {
    let mut corners = 0;
    for seed in seeds(78, 100) {
        let mut rng = Rng::new(seed);
        let (floor, colliders) = Level::random(&mut rng, 8).sets();
        let exact = agent(&mut rng);
        let settings = exact.with_tolerance(number(&mut rng, 0.1, 4.0)).unwrap();
        let grid = TileGrid::new([0.0; 2], [64.0; 2]).unwrap();
        for tile in [[0, 0], [1, 0], [0, 1], [1, 1]] {
            let [want, have] = [exact, settings].map(|settings| {
                let mesh = bake_tile(&floor, &colliders, &settings, &grid, tile).unwrap();
                mesh::check(&mesh);
                let on_border = |v: &mesh::Unit| v.iter().any(|c| c % (64 * 64) == 0);
                let mut corners: Vec<_> = mesh.vertices().iter().map(|&v| mesh::unit(v)).collect();
                corners.retain(on_border);
                corners.sort_unstable();
                corners
            });
            assert_eq!(have, want, "seed {seed}: tile {tile:?}, {settings:?}");
            corners += have.len();
        }
    }
    assert!(corners > 500, "{corners}");
}

#[test]
fn a_bad_tolerance_is_refused() {
    let exact = BakeSettings::default();
    for bad in [f64::NAN, f64::INFINITY, -0.1, TOLERANCE_MAX_PX + 1.0] {
        let answer = exact.with_tolerance(bad);
        assert!(matches!(answer, Err(NavMeshError::BadTolerance { .. })), "{bad}: {answer:?}");
    }
    assert!(exact.with_tolerance(TOLERANCE_MAX_PX).is_ok());
}
