//! Fields on the Moving AI maps, if they are installed.

use std::fs;

use pathforge_core::geometry::{Cell, DiagonalMode};
use pathforge_core::terrain::Terrain;
use pathforge_tests::bodies::Body;
use pathforge_tests::maps::{Ground, dress};
use pathforge_tests::rng::Rng;
use pathforge_tests::scenario;

use crate::scene::{Scene, assert_is};

const BODIES: [(i32, i32); 4] = [(1, 1), (2, 2), (3, 3), (4, 2)];

/// Every map, uniform and weighted, with one goal and with five, for each supported body. That takes many
/// minutes without optimisation, so then each map is tested with one body.
#[test]
fn costs_on_real_maps_equal_those_of_plain_dijkstra() {
    let Some(folder) = scenario::folder() else {
        println!("skipped: no folder with maps, see {}", scenario::FOLDER_VARIABLE);
        return;
    };
    let mut turn = 0;
    for name in scenario::map_names(&folder).expect("a readable folder") {
        let text = fs::read_to_string(folder.join(format!("{name}.map"))).expect("a readable map");
        let plain = Terrain::from_text(&text, Cell::default()).expect("a Moving AI map");
        for weighted in [false, true] {
            let mut terrain = plain.clone();
            if weighted {
                dress(&mut Rng::new(turn), &mut terrain, Ground::Weights);
            }
            let bodies = if cfg!(debug_assertions) { &BODIES[turn as usize % 4..][..1] } else { &BODIES };
            for &(w, h) in bodies {
                let scene = Scene::new(terrain.clone(), Body::new(w, h, DiagonalMode::default()));
                let goals = scene.any_goals(&mut Rng::new(turn), [1, 5][(turn / 2) as usize % 2]);
                let field = scene.build(&goals, None);
                assert_is(&field, &scene, &goals, u64::from(u32::MAX), &format!("{name}, {w}x{h}"));
            }
            turn += 3;
        }
    }
}
