//! The source's stages: each by hand on one level, and what they must have in common on random ones.

use pathforge_core::navmesh::{BakeSettings, BakeStage, Corner, Outline, bake, bake_stage};
use pathforge_tests::rng::{Rng, seeds};

use crate::level::{Level, rect, set, tiles};
use crate::mesh::{area_two, unit};

/// The area of outlines: solids less holes.
fn area(outlines: &[Outline]) -> f64 {
    let signed = outlines.iter().map(|o| {
        let area = area_two(&o.points.iter().map(|&p| unit(p)).collect::<Vec<_>>());
        assert_eq!(area < 0, o.is_hole);
        area
    });
    signed.sum::<i64>() as f64 / 8192.0
}

fn counts(outlines: &[Outline]) -> (usize, usize) {
    let holes = outlines.iter().filter(|o| o.is_hole).count();
    (outlines.len() - holes, holes)
}

#[test]
fn an_island_stays_in_every_stage() {
    // A floor in a hole of the floor, with a pillar. Once grown, the hole cuts the floor around it into two
    // bars.
    let drawing = [".........", ".#######.", ".#.....#.", ".#.....#.", ".#.....#.", ".#######.", "........."];
    let level = Level { floor: tiles(&drawing), colliders: vec![rect(60.0, 50.0, 8.0, 8.0)] };
    let [adjusted, clipped, merged, result] =
        [BakeStage::NavAdjusted, BakeStage::NavClipped, BakeStage::NavHolesMerged, BakeStage::Result]
            .map(|which| stage(&level, [3.0, 9.0], which));
    let (bars, island) = (2.0 * 10.0 * 94.0, 74.0 * 30.0);
    assert_eq!((adjusted.1, adjusted.2), (2, 1));
    for (area, solids, holes) in [clipped, merged] {
        assert!((area - bars - island).abs() < 1e-6 && (solids, holes) == (3, 0), "{area} {solids} {holes}");
    }
    assert!((result.0 - (bars + island - 14.0 * 26.0)).abs() < 1e-6, "{result:?}");
}

/// Area, solids and holes of one stage.
fn stage(level: &Level, half: [f64; 2], stage: BakeStage) -> (f64, usize, usize) {
    let (floor, colliders) = level.sets();
    let outlines = bake_stage(&floor, &colliders, &BakeSettings::new(half, Corner::Box).unwrap(), stage);
    let (solids, holes) = counts(&outlines);
    (area(&outlines), solids, holes)
}

#[test]
fn every_stage_of_one_level() {
    // A floor of 160 by 96 with two holes next to each other and one at the edge, a table in the middle of
    // nothing, a wall over the right edge, and a pen that is open to no side.
    let floor = tiles(&["..........", ".#.#......", "..........", "..........", "..........", "....#....."]);
    let (pen_x, pen_y) = (92.0, 20.0);
    let pen = vec![
        rect(pen_x, pen_y, 40.0, 4.0),
        rect(pen_x, pen_y + 26.0, 40.0, 4.0),
        rect(pen_x, pen_y, 4.0, 30.0),
        rect(pen_x + 36.0, pen_y, 4.0, 30.0),
    ];
    let mut colliders = vec![rect(20.0, 60.0, 10.0, 10.0), rect(140.0, 60.0, 40.0, 10.0)];
    colliders.extend(pen);
    let level = Level { floor, colliders };
    let half = [9.0, 4.0];
    let expect = |which: BakeStage, wanted: (f64, usize, usize)| {
        let found = stage(&level, half, which);
        assert!((found.0 - wanted.0).abs() < 1e-6, "{}: {found:?} instead of {wanted:?}", which.name());
        assert_eq!((found.1, found.2), (wanted.1, wanted.2), "{}", which.name());
    };
    let merged = 160.0 * 96.0 - 3.0 * 256.0;
    expect(BakeStage::NavCollected, (merged, 57, 0));
    // The third hole is open to the edge, so it is none.
    expect(BakeStage::NavMerged, (merged, 1, 2));
    // The solid by itself: its frame, and the notch below; the holes are 34 by 24 each.
    let solid = 142.0 * 88.0 - 34.0 * (16.0 + 4.0 - 4.0);
    expect(BakeStage::NavAdjusted, (solid - 2.0 * 34.0 * 24.0, 1, 2));
    // The left hole reaches from 7 on over the edge at 9; the other begins at 39 and overlaps it.
    let clipped = solid - 32.0 * 24.0;
    expect(BakeStage::NavClipped, (clipped - 34.0 * 24.0, 1, 1));
    let nav = clipped - (34.0 - 2.0) * 24.0;
    expect(BakeStage::NavHolesMerged, (nav, 1, 0));
    let frame = 40.0 * 30.0 - 32.0 * 22.0;
    expect(BakeStage::CollidersCollected, (100.0 + 400.0 + 160.0 * 2.0 + 120.0 * 2.0, 6, 0));
    expect(BakeStage::CollidersMerged, (100.0 + 400.0 + frame, 3, 1));
    let grown = 28.0 * 18.0 + 58.0 * 18.0 + 58.0 * 38.0 - 14.0 * 14.0;
    expect(BakeStage::CollidersAdjusted, (grown, 3, 1));
    expect(BakeStage::CollidersHolesReduced, (grown, 3, 1));
    // The wall begins at 131 and cuts the edge at 151; the table and the pen become holes, with the pen's
    // inside free.
    let result = nav - 28.0 * 18.0 - 20.0 * 18.0 - (58.0 * 38.0 - 14.0 * 14.0);
    let found = stage(&level, half, BakeStage::Subtracted);
    assert!(found.1 == 2 && found.2 == 2, "{found:?}");
    assert!((found.0 - result).abs() < 1e-6, "{found:?} {result}");
    expect(BakeStage::Result, (result, 2, 2));
}

#[test]
fn the_last_stage_is_the_bake() {
    for seed in seeds(75, 80) {
        let mut rng = Rng::new(seed);
        let level = Level::random(&mut rng, 7);
        let half = [f64::from(rng.int(0..12)), f64::from(rng.int(0..12))];
        let settings = BakeSettings::new(half, rng.pick(&[Corner::Box, Corner::Round])).unwrap();
        let (floor, colliders) = level.sets();
        let outlines = |stage| bake_stage(&floor, &colliders, &settings, stage);
        let mesh = bake(&floor, &colliders, &settings);
        assert_eq!(outlines(BakeStage::Result), mesh.outlines());
        // The bare floor's last stage is a bake without colliders, but for slivers and rounding.
        let bare = bake(&floor, &set(&[]), &settings);
        let nav = area(&outlines(BakeStage::NavHolesMerged));
        assert!(
            (nav - bare.area_px()).abs() < 0.002f64.mul_add(nav, 1.0),
            "seed {seed}: {nav} {}",
            bare.area_px()
        );
        // What is left of it outside of the grown colliders is the result: the two orders of working are the
        // same.
        let holes = outlines(BakeStage::CollidersHolesReduced);
        let as_set = |outlines: &[Outline], holes: bool| {
            let wanted = outlines.iter().filter(|o| o.is_hole == holes);
            set(&wanted.map(|o| o.points.iter().map(|p| p.map(f64::from)).collect()).collect::<Vec<_>>())
        };
        if counts(&holes).1 == 0 && counts(&outlines(BakeStage::NavHolesMerged)).1 == 0 {
            let point = BakeSettings::new([0.0, 0.0], Corner::Box).unwrap();
            let left =
                bake(&as_set(&outlines(BakeStage::NavHolesMerged), false), &as_set(&holes, false), &point);
            let off = (left.area_px() - mesh.area_px()).abs();
            assert!(off < 0.002f64.mul_add(nav, 1.0), "seed {seed}: {} {}", left.area_px(), mesh.area_px());
        }
    }
}

#[test]
fn stages_have_the_names_of_the_interface() {
    let names: Vec<_> = BakeStage::ALL.map(BakeStage::name).to_vec();
    assert_eq!(names.len(), 11);
    assert!(BakeStage::ALL.iter().all(|s| BakeStage::from_name(s.name()) == Some(*s)));
    assert_eq!(BakeStage::from_name("nothing"), None);
}
