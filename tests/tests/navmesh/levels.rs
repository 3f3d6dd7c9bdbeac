//! Laws on random levels.

use pathforge_navmesh::{BakeSettings, Corner, NavMesh, bake};
use pathforge_tests::rng::{Rng, seeds};

use crate::level::{CELL, Level, half_extents, number};
use crate::mesh::{self, Finder};
use crate::oracle::Oracle;

/// How far off a border may be, in pixels: a hundredth of a tile.
const TOLERANCE: f64 = 0.01 * CELL;

fn agent(rng: &mut Rng) -> BakeSettings {
    BakeSettings::new(half_extents(rng), rng.pick(&[Corner::Box, Corner::Box, Corner::Round])).unwrap()
}

/// The places that say most: corners, the middles of edges, and beside them; and some anywhere.
fn places(mesh: &NavMesh, rng: &mut Rng, side: f64) -> Vec<[f64; 2]> {
    let mut places = Vec::new();
    let rims: Vec<_> = mesh.outlines().iter().flat_map(|o| mesh::sides(&o.points)).collect();
    for _ in 0..40.min(rims.len()) {
        let (a, b) = rims[rng.place(rims.len())];
        let (a, b) = (a.map(f64::from), b.map(f64::from));
        let middle = [f64::midpoint(a[0], b[0]), f64::midpoint(a[1], b[1])];
        for place in [a, middle] {
            places.push(place);
            places.push([0, 1].map(|i| place[i] + number(rng, -2.0, 2.0) * TOLERANCE));
        }
    }
    places.extend((0..40).map(|_| [number(rng, -8.0, side), number(rng, -8.0, side)]));
    places
}

#[test]
fn no_place_is_wrong_and_none_is_missing() {
    let (mut clear, mut blocked) = (0, 0);
    for seed in seeds(70, 1000) {
        let mut rng = Rng::new(seed);
        let tiles = rng.int(1..11);
        let level = Level::random(&mut rng, tiles);
        let settings = agent(&mut rng);
        let (floor, colliders) = level.sets();
        let mesh = bake(&floor, &colliders, &settings);
        mesh::check(&mesh);
        let (finder, oracle) = (Finder::new(&mesh), Oracle::new(&level, settings.corner()));
        let half = settings.half_extents_px();
        for place in places(&mesh, &mut rng, f64::from(tiles) * CELL + 8.0) {
            let label = format!("seed {seed}: {place:?}, {settings:?}");
            if finder.holds(place) {
                let smaller = half.map(|h| (h - TOLERANCE).max(0.0));
                // An agent without a size may stand on an edge.
                if smaller[0] > 0.0 && smaller[1] > 0.0 {
                    assert!(oracle.may_be_clear(place, smaller), "{label}: the agent does not fit");
                }
                clear += 1;
            } else {
                assert!(!oracle.is_clear(place, half.map(|h| h + TOLERANCE)), "{label}: a place is missing");
                blocked += 1;
            }
        }
    }
    assert!(clear > 10_000 && blocked > 10_000, "{clear} places tried inside, {blocked} outside");
}

#[test]
fn no_order_matters() {
    for seed in seeds(71, 150) {
        let mut rng = Rng::new(seed);
        let level = Level::random(&mut rng, 8);
        let settings = agent(&mut rng);
        let [a, b] = [level.sets(), level.shuffled(&mut rng).sets()].map(|(f, c)| bake(&f, &c, &settings));
        assert_eq!(a, b, "seed {seed}");
    }
}

#[test]
fn a_smaller_agent_has_more_room() {
    for seed in seeds(72, 60) {
        let mut rng = Rng::new(seed);
        let (floor, colliders) = Level::random(&mut rng, 8).sets();
        let half = half_extents(&mut rng);
        let area = |half: [f64; 2], corner| {
            bake(&floor, &colliders, &BakeSettings::new(half, corner).unwrap()).area_px()
        };
        let (boxed, round) = (area(half, Corner::Box), area(half, Corner::Round));
        assert!(round >= boxed - 1.0, "seed {seed}: round {round}, box {boxed}");
        let smaller = area(half.map(|h| h * 0.7), Corner::Box);
        assert!(smaller >= boxed - 1.0, "seed {seed}: smaller {smaller}, larger {boxed}");
    }
}

#[test]
fn outlines_are_tidy() {
    let (mut corners, mut needless) = (0, 0);
    for seed in seeds(76, 200) {
        let mut rng = Rng::new(seed);
        let (floor, colliders) = Level::random(&mut rng, 8).sets();
        let mesh = bake(&floor, &colliders, &agent(&mut rng));
        for outline in mesh.outlines() {
            let points: Vec<_> = outline.points.iter().map(|&p| mesh::unit(p)).collect();
            let n = points.len();
            let area = mesh::area_two(&points).abs();
            assert!(area >= 512, "seed {seed}: a speck at {:?}", points[0]);
            for i in 0..n {
                let (a, b, c) = (points[i], points[(i + 1) % n], points[(i + 2) % n]);
                let length =
                    |a: mesh::Unit, b: mesh::Unit| ((b[0] - a[0]) as f64).hypot((b[1] - a[1]) as f64);
                corners += 1;
                let off = mesh::cross(a, b, c).abs() as f64 / length(a, c).max(1.0);
                needless += i32::from(length(a, b) < 2.0 || off < 0.5);
            }
        }
    }
    // Only where outlines touch or pass each other by less than a unit is such a corner needed.
    assert!(corners > 5_000 && needless * 200 < corners, "{needless} of {corners} corners are not needed");
}
