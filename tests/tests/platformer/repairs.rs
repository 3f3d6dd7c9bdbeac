//! Repaired equals rebuilt, for edits of the level itself and of a terrain that it follows.

use pathforge_core::geometry::{Cell, CellRect, Footprint};
use pathforge_core::platformer::{Platformer, PlatformerMap, PlatformerQuery};
use pathforge_core::terrain::Terrain;
use pathforge_core::testing::BodyLayers;
use pathforge_tests::edits::{Wildness, any_edit};
use pathforge_tests::maps::{Ground, any_cell, any_map, any_rect};
use pathforge_tests::rng::{Rng, seeds};

use super::levels::{any_profile, any_rng, draw};

fn any_own_edit(rng: &mut Rng, map: &mut PlatformerMap) {
    let region = map.region();
    let rect = if rng.percent(40) { CellRect::cell(any_cell(rng, region)) } else { any_rect(rng, region) };
    let on = rng.percent(50);
    match rng.int(0..20) {
        0 => {
            let data: Vec<u8> = (0..region.area()).map(|_| u8::from(rng.percent(10))).collect();
            map.set_one_way_data(&data).expect("one element a cell");
        }
        1..8 => drop(map.fill_one_way(rect, on)),
        _ => drop(map.fill_solid(rect, on)),
    }
}

fn compare(seed: u64, rng: &mut Rng, platformer: &mut Platformer, sizes: &[Footprint]) {
    let map = platformer.map().clone();
    for &size in sizes {
        if rng.percent(60) {
            assert!(
                platformer.layers(size).check_invariants(&map),
                "seed {seed} {size:?}\n{}",
                draw(&map, &[])
            );
        }
    }
    let profile = pathforge_core::platformer::JumpProfile { size: rng.pick(sizes), ..any_profile(rng) };
    let (start, goal) = (any_cell(rng, map.region()), any_cell(rng, map.region()));
    let query = PlatformerQuery { goal_on_ground: true, ..PlatformerQuery::new(start, goal, profile) };
    assert_eq!(platformer.find_path(&query), Platformer::new(map).find_path(&query), "seed {seed}");
}

fn any_sizes(rng: &mut Rng) -> Vec<Footprint> {
    (0..rng.int(1..12)).map(|_| any_profile(rng).size).collect()
}

#[test]
fn an_edited_level_equals_a_rebuilt_one() {
    for seed in seeds(53, 150) {
        let mut rng = any_rng(seed);
        let mut platformer = Platformer::new(PlatformerMap::from_terrain(&any_map(&mut rng, Ground::Plain)));
        let sizes = any_sizes(&mut rng);
        for _ in 0..40 {
            for _ in 0..rng.pick(&[1, 1, 2, 5, 200]) {
                any_own_edit(&mut rng, platformer.map_mut());
            }
            compare(seed, &mut rng, &mut platformer, &sizes);
        }
    }
}

#[test]
fn a_level_that_follows_a_terrain_equals_a_rebuilt_one() {
    for seed in seeds(54, 150) {
        let mut rng = any_rng(seed);
        let mut terrain = any_map(&mut rng, Ground::Both);
        let mut platformer = Platformer::new(PlatformerMap::from_terrain(&terrain));
        let sizes = any_sizes(&mut rng);
        for _ in 0..30 {
            for _ in 0..rng.pick(&[1, 1, 2, 5, 200]) {
                any_edit(&mut rng, &terrain, Wildness::Any).apply(&mut terrain);
                if rng.percent(10) {
                    let rect = any_rect(&mut rng, terrain.region());
                    platformer.map_mut().fill_one_way(rect, true);
                }
            }
            if rng.percent(5) {
                let region = terrain.region();
                let grown = CellRect::new(region.x - 1, region.y, region.w + 2, region.h);
                terrain = terrain.resized(grown).unwrap_or(terrain);
            }
            platformer.map_mut().follow(&terrain);
            assert_eq!(platformer.map().solid(), terrain.solid(), "seed {seed}");
            compare(seed, &mut rng, &mut platformer, &sizes);
        }
    }
}

/// The smallest edits at the ends of words and chunks.
#[test]
fn single_cells_beside_the_ends_of_words() {
    let size = Footprint::new(3, 2).expect("a valid size");
    let mut map = PlatformerMap::from_terrain(&Terrain::new(CellRect::new(0, 0, 200, 8)).expect("a map"));
    let mut layers = BodyLayers::build(&map, size);
    for x in [0, 1, 2, 61, 62, 63, 64, 65, 66, 126, 127, 128, 198, 199] {
        for y in [0, 1, 4, 7] {
            let cell = CellRect::cell(Cell::new(x, y));
            map.fill_solid(cell, true);
            layers.repair(&map);
            assert!(layers.check_invariants(&map), "solid {x}, {y}");
            map.fill_solid(cell, false);
            map.fill_one_way(cell, true);
            layers.repair(&map);
            assert!(layers.check_invariants(&map), "one-way {x}, {y}");
        }
    }
}
