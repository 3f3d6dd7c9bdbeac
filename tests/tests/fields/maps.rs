//! Fields on the Moving AI maps, where they are at hand.

use std::fs;

use pathforge_core::{Cell, DiagonalMode, Terrain};
use pathforge_tests::bodies::Body;
use pathforge_tests::maps::{Ground, dress};
use pathforge_tests::rng::Rng;
use pathforge_tests::scenario;

use crate::scene::{Scene, assert_is};

/// Every map, with bodies of every promised size in turn, one goal and many, plain and weighted.
#[test]
fn costs_on_real_maps_are_the_plain_ones() {
    let Some(folder) = scenario::folder() else {
        println!("skipped: no folder with maps, see {}", scenario::FOLDER_VARIABLE);
        return;
    };
    let mut turn = 0;
    for name in scenario::map_names(&folder).expect("a readable folder") {
        let text = fs::read_to_string(folder.join(format!("{name}.map"))).expect("a readable map");
        let plain = Terrain::from_text(&text, Cell::default()).expect("a Moving AI map");
        for weighted in [false, true] {
            let mut rng = Rng::new(turn);
            let mut terrain = plain.clone();
            if weighted {
                dress(&mut rng, &mut terrain, Ground::Weights);
            }
            let (w, h) = [(1, 1), (2, 2), (3, 3), (4, 2)][turn as usize % 4];
            let scene = Scene::new(terrain, Body::new(w, h, DiagonalMode::default()));
            let goals = scene.any_goals(&mut rng, [1, 5][(turn / 2) as usize % 2]);
            let field = scene.build(&goals, None);
            assert_is(&field, &scene, &goals, u64::from(u32::MAX), &format!("{name}, {w}x{h}"));
            turn += 3;
        }
    }
}
