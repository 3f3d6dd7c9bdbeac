//! Repaired equals rebuilt, whatever was edited.

use pathforge_core::geometry::{Cell, CellRect, Footprint};
use pathforge_core::terrain::{ObstacleLayers, Terrain};
use pathforge_platformer::{JumpProfile, PlatformerQuery};
use pathforge_tests::edits::{Wildness, any_edit};
use pathforge_tests::fuzz::assert_layers_as_new;
use pathforge_tests::jumps::Jumps;
use pathforge_tests::maps::{Ground, any_cell, any_map, any_rect};
use pathforge_tests::rng::{Rng, seeds};

use super::levels::{any_profile, any_rng};

/// An edit of any kind, or an obstacle that comes or goes.
fn edit(rng: &mut Rng, terrain: &mut Terrain) {
    let region = terrain.region();
    match rng.int(0..10) {
        0 => drop(terrain.add_obstacle(any_rect(rng, region), ObstacleLayers::FIRST)),
        1 => drop(terrain.remove_obstacles_in(any_rect(rng, region))),
        2..5 => drop(terrain.fill_one_way(any_rect(rng, region), rng.percent(50))),
        _ => drop(any_edit(rng, terrain, Wildness::Any).apply(terrain)),
    }
}

#[test]
fn an_edited_map_equals_a_new_one() {
    for seed in seeds(53, 300) {
        let mut rng = any_rng(seed);
        let mut jumps = Jumps::new(any_map(&mut rng, Ground::Both));
        let profiles: Vec<JumpProfile> = (0..rng.int(1..12)).map(|_| any_profile(&mut rng)).collect();
        for _ in 0..30 {
            for _ in 0..rng.pick(&[1, 1, 2, 5, 200]) {
                edit(&mut rng, jumps.world.terrain_mut());
            }
            if rng.percent(5) {
                let region = jumps.terrain().region();
                let grown = CellRect::new(region.x - 1, region.y, region.w + 2, region.h);
                // A map at the end of the range of cells does not grow.
                let _ = jumps.world.set_region(grown);
            }
            for profile in profiles.iter().filter(|_| rng.percent(60)) {
                assert_layers_as_new(&mut jumps, profile);
            }
            let region = jumps.terrain().region();
            let (start, goal) = (any_cell(&mut rng, region), any_cell(&mut rng, region));
            let query = PlatformerQuery::new(start, goal, rng.pick(&profiles));
            let query = PlatformerQuery { goal_on_ground: true, ..query };
            let anew = Jumps::new(jumps.terrain().clone()).find_path(&query);
            assert_eq!(jumps.find_path(&query), anew, "seed {seed}");
        }
    }
}

/// The smallest edits at the ends of words and chunks.
#[test]
fn single_cells_beside_the_ends_of_words() {
    let profile = JumpProfile::new(3, 2, 3).expect("a valid profile");
    let mut jumps = Jumps::new(Terrain::new(CellRect::new(0, 0, 200, 8)).expect("a map"));
    for x in [0, 1, 2, 61, 62, 63, 64, 65, 66, 126, 127, 128, 198, 199] {
        for y in [0, 1, 4, 7] {
            let cell = CellRect::cell(Cell::new(x, y));
            jumps.world.terrain_mut().fill_solid(cell, true);
            assert_layers_as_new(&mut jumps, &profile);
            jumps.world.terrain_mut().fill_solid(cell, false);
            jumps.world.terrain_mut().fill_one_way(cell, true);
            assert_layers_as_new(&mut jumps, &profile);
        }
    }
}

/// A one-way cell is open to every body that does not jump.
#[test]
fn one_way_cells_mean_nothing_to_paths_that_walk() {
    use pathforge_core::world::{PathQuery, Profile, World};
    let draw = |row: &str| Terrain::from_text(&format!(".....\n{row}\n....."), Cell::default());
    let ask = |row: &str| {
        let mut world = World::from_terrain(draw(row).expect("a map"));
        let profile = Profile { footprint: Footprint::ONE, ..Profile::default() };
        world.find_path(&PathQuery::new(Cell::new(0, 0), Cell::new(4, 2), profile)).cost
    };
    assert_eq!(ask("====="), ask("....."));
    assert!(ask("=====").is_some() && ask("#####").is_none());
}
