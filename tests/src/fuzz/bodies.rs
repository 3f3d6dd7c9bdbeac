//! Bodies that jump: layers and paths on an edited map are those on a new one.

use pathforge_core::terrain::ObstacleLayers;
use pathforge_platformer::{JumpProfile, PlatformerQuery};

use crate::edits::{Wildness, any_edit};
use crate::jumps::Jumps;
use crate::maps::{any_cell, any_rect};
use crate::rng::Rng;

use super::maps;

/// A map with obstacles that come and go, and paths of one body on it.
pub fn that_jump(rng: &mut Rng) {
    let mut jumps = Jumps::new(maps::any(rng));
    let (w, h, jump) = (rng.int(1..5), rng.int(1..5), rng.int(0..8));
    let Ok(profile) = JumpProfile::new(i64::from(w), i64::from(h), i64::from(jump)) else { return };
    for _ in 0..6 {
        let region = jumps.terrain().region();
        let (start, goal) = (any_cell(rng, region), any_cell(rng, region));
        let query =
            PlatformerQuery { goal_on_ground: rng.percent(50), ..PlatformerQuery::new(start, goal, profile) };
        let layers = jumps.layers(profile.footprint);
        assert_as_new(&mut jumps, &profile);
        let outcome = jumps.find_path(&query);
        assert_eq!(outcome, Jumps::new(jumps.terrain().clone()).find_path(&query), "{query:?}");
        assert!(outcome.path.cells.iter().all(|&cell| layers.fits_at(cell)), "{outcome:?}");
        let terrain = jumps.world.terrain_mut();
        any_edit(rng, terrain, Wildness::Any).apply(terrain);
        if rng.percent(30) {
            let _ = terrain.add_obstacle(any_rect(rng, region), ObstacleLayers::FIRST);
        }
        let rect = any_rect(rng, region);
        terrain.fill_one_way(rect, rng.percent(60));
    }
}

/// Checks that the layers of a body equal new ones.
///
/// # Panics
/// Where they differ.
pub fn assert_as_new(jumps: &mut Jumps, profile: &JumpProfile) {
    let layers = jumps.layers(profile.footprint);
    let anew = Jumps::new(jumps.terrain().clone()).layers(profile.footprint);
    assert!(layers.fits() == anew.fits(), "{profile:?}: where it fits");
    assert!(layers.ground() == anew.ground(), "{profile:?}: where it stands");
    assert!(layers.ceiling() == anew.ceiling(), "{profile:?}: where it is at the ceiling");
}
