//! The position closest to a point or a segment, against a look at many positions; and positions at random.

use std::collections::HashMap;

use pathforge_core::geometry::{Cell, CellRect, Footprint, Side};
use pathforge_core::terrain::Terrain;
use pathforge_core::world::{Profile, World};
use pathforge_tests::bodies::footprint;
use pathforge_tests::draw::draw;
use pathforge_tests::oracle::{distance_to_segment, fits_at, sampled_corners};
use pathforge_tests::rng::{Rng, seeds};

type Sides = [[f64; 3]; 3];

/// Square cells, wide ones, diamonds, and a plane that leans.
const SPACES: [Sides; 4] = [
    [[16.0, 0.0, 0.0], [0.0, 16.0, 0.0], [0.0, 0.0, 1.0]],
    [[3.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    [[16.0, -8.0, 0.0], [16.0, 8.0, 0.0], [0.0, 0.0, 1.0]],
    [[1.0, 0.0, 0.3], [0.5, 0.2, 1.2], [-0.3, 1.0, 0.1]],
];

fn any_terrain(rng: &mut Rng) -> Terrain {
    let (w, h) = rng.pick(&[(1, 1), (5, 4), (9, 7), (12, 8), (70, 3), (3, 66), (130, 2)]);
    let mut terrain = Terrain::new(CellRect::new(rng.int(-9..9), rng.int(-9..9), w, h)).expect("small");
    let percent = rng.pick(&[0, 10, 40, 70, 97, 100]);
    for cell in terrain.region().cells() {
        terrain.fill_solid(CellRect::cell(cell), rng.percent(percent));
    }
    if rng.percent(50) {
        let percent = rng.pick(&[5, 20, 60]);
        for cell in terrain.region().cells().filter(|_| rng.percent(percent)).collect::<Vec<_>>() {
            let side = rng.pick(&[Side::Right, Side::Bottom]);
            terrain.fill_edges(CellRect::cell(cell), side, true, rng.percent(20));
        }
    }
    terrain
}

fn any_body(rng: &mut Rng) -> Profile {
    let (w, h) = rng.pick(&[(1, 1), (1, 1), (2, 2), (3, 1), (1, 2), (3, 3)]);
    Profile { footprint: footprint(w, h), ..Profile::default() }
}

/// A point on the map or around it, often on a line between cells or at the middle of a cell.
fn any_point(rng: &mut Rng, region: CellRect) -> (f64, f64) {
    let mut along = |from: i32, length: i32| {
        let at = rng.int((from - 4) * 64..(from + length + 4) * 64);
        f64::from(if rng.percent(40) { at / 32 * 32 } else { at }) / 64.0
    };
    (along(region.x, region.w), along(region.y, region.h))
}

fn corner((x, y): (f64, f64), footprint: Footprint) -> (f64, f64) {
    (x - f64::from(footprint.w()) / 2.0, y - f64::from(footprint.h()) / 2.0)
}

#[test]
fn no_position_is_closer_to_a_segment() {
    for seed in seeds(46, 120) {
        let mut rng = Rng::new(seed);
        let terrain = any_terrain(&mut rng);
        let body = any_body(&mut rng);
        let corners = sampled_corners(&terrain, body.footprint);
        let mut world = World::from_terrain(terrain.clone());
        for _ in 0..8 {
            let sides = rng.pick(&SPACES);
            let (from, to) = (any_point(&mut rng, terrain.region()), any_point(&mut rng, terrain.region()));
            let to = if rng.percent(40) { from } else { to };
            let mut height = || if rng.percent(50) { 0.0 } else { f64::from(rng.int(-30..30)) };
            let ends = [[from.0, from.1, height()], [to.0, to.1, height()]];
            let label = format!("seed {seed}: {body:?}, {ends:?}, {sides:?}\n{}", draw(&terrain, &[]));
            let Some(found) = world.closest_position(&body, sides, ends) else {
                assert!(corners.is_empty(), "none, {label}");
                continue;
            };
            let at = corner(found, body.footprint);
            assert!(fits_at(&terrain, body.footprint, at), "{at:?} does not fit, {label}");
            let ends = ends.map(|[x, y, up]| {
                let (x, y) = corner((x, y), body.footprint);
                [x, y, up]
            });
            let distance = distance_to_segment(sides, at, ends);
            for &other in &corners {
                let others = distance_to_segment(sides, other, ends);
                assert!(distance <= others + 1e-6, "{at:?} at {distance}, {other:?} at {others}, {label}");
            }
        }
    }
}

#[test]
fn a_segment_in_the_plane_is_left_at_the_first_position_on_it() {
    let mut crossed = 0;
    for seed in seeds(47, 250) {
        let mut rng = Rng::new(seed);
        let terrain = any_terrain(&mut rng);
        let body = any_body(&mut rng);
        let mut world = World::from_terrain(terrain.clone());
        for _ in 0..8 {
            let (from, to) = (any_point(&mut rng, terrain.region()), any_point(&mut rng, terrain.region()));
            let on_line = |share: f64| (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share);
            let shares = (0..=500).map(|n| f64::from(n) / 500.0);
            let fits =
                |&share: &f64| fits_at(&terrain, body.footprint, corner(on_line(share), body.footprint));
            let Some(first) = shares.into_iter().find(fits) else { continue };
            let ends = [[from.0, from.1, 0.0], [to.0, to.1, 0.0]];
            let found = world.closest_position(&body, SPACES[0], ends).expect("there is one on it");
            let label = format!("seed {seed}: {body:?}, {ends:?}, {found:?}\n{}", draw(&terrain, &[]));
            let far = |(x, y): (f64, f64)| (x - from.0).hypot(y - from.1);
            assert!(far(found) <= far(on_line(first)) + 1e-6, "{label}");
            let flat = ends.map(|[x, y, _]| [x, y, 0.0]);
            assert!(distance_to_segment(SPACES[0], found, flat) < 1e-6, "{label}");
            if first == 0.0 {
                assert_eq!(found, from, "{label}");
            }
            crossed += 1;
        }
    }
    assert!(crossed > 100, "{crossed} segments came by a position");
}

/// Every placement comes up, each as often as any other within what chance does, and the same draw gives the
/// same one.
#[test]
fn random_placements_are_all_placements_alike() {
    for seed in seeds(48, 12) {
        let mut rng = Rng::new(seed);
        let terrain = any_terrain(&mut rng);
        let body = any_body(&mut rng);
        let mut world = World::from_terrain(terrain.clone());
        let region = terrain.region();
        let placements: Vec<Cell> = region.cells().filter(|&cell| world.is_placement(cell, &body)).collect();
        let mut counts: HashMap<Cell, usize> = HashMap::new();
        // Draws that are evenly spread give each placement its share, but for the one at its ends.
        let draws = placements.len().max(1) as u64 * 16;
        for n in 0..draws {
            let draw = u64::MAX / draws * n;
            let found = world.random_placement(&body, draw);
            assert_eq!(found, world.random_placement(&body, draw), "seed {seed}");
            let Some(found) = found else { continue };
            *counts.entry(found).or_default() += 1;
        }
        assert_eq!(counts.len(), placements.len(), "seed {seed}");
        for cell in placements {
            let count = counts.get(&cell).copied().unwrap_or(0);
            assert!((15..=17).contains(&count), "seed {seed}: {cell:?} came up {count} times");
        }
        assert_eq!(world.random_placement(&body, u64::MAX).is_some(), !counts.is_empty());
    }
}
