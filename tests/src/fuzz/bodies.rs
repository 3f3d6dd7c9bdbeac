//! Bodies that jump: layers and paths of an edited level are those of a new one.

use pathforge_core::geometry::CellRect;
use pathforge_core::platformer::{JumpProfile, Platformer, PlatformerMap, PlatformerQuery};

use crate::edits::{Wildness, any_edit};
use crate::maps::{any_cell, any_rect};
use crate::rng::Rng;

use super::maps;

/// A level of its own, or one that follows a map.
pub fn that_jump(rng: &mut Rng) {
    let mut terrain = maps::any(rng);
    let mut platformer = Platformer::new(PlatformerMap::from_terrain(&terrain));
    let (w, h, jump) = (rng.int(1..5), rng.int(1..5), rng.int(0..8));
    let Ok(plain) = JumpProfile::new(i64::from(w), i64::from(h), i64::from(jump)) else { return };
    let profile = JumpProfile {
        late_take_off: rng.percent(50),
        tight_falls: rng.percent(50),
        drift_rows: rng.int(0..3) as _,
        ..plain
    };
    for _ in 0..6 {
        let region = terrain.region();
        let (start, goal) = (any_cell(rng, region), any_cell(rng, region));
        let query =
            PlatformerQuery { goal_on_ground: rng.percent(50), ..PlatformerQuery::new(start, goal, profile) };
        let map = platformer.map().clone();
        assert!(platformer.layers(profile.size).check_invariants(&map), "{profile:?}");
        let outcome = platformer.find_path(&query);
        assert_eq!(outcome, Platformer::new(map).find_path(&query), "{query:?}");
        if outcome.is_complete() {
            assert!(
                outcome.path.cells.iter().all(|&cell| platformer.fits(cell, profile.size)),
                "{outcome:?}"
            );
        }
        any_edit(rng, &terrain, Wildness::Any).apply(&mut terrain);
        platformer.map_mut().follow(&terrain);
        let rect =
            if rng.percent(50) { CellRect::cell(any_cell(rng, region)) } else { any_rect(rng, region) };
        platformer.map_mut().fill_one_way(rect, rng.percent(60));
    }
}
