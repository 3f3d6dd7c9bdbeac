//! Saved maps come back; broken bytes and broken texts are errors, never panics.

use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::terrain::Terrain;
use pathforge_tests::maps::{any_ground, any_map, any_origin, any_rect};
use pathforge_tests::rng::{Rng, seeds};
use proptest::prelude::*;

/// Everything that a map says.
fn look(terrain: &Terrain) -> (CellRect, Vec<(bool, u8, u32)>) {
    let region = terrain.region();
    let cells =
        region.cells().map(|c| (terrain.is_solid(c), terrain.terrain(c), terrain.weight(c).to_bits()));
    (region, cells.collect())
}

#[test]
fn saved_maps_come_back() {
    for seed in seeds(60, 300) {
        let mut rng = Rng::new(seed);
        let ground = any_ground(&mut rng);
        let terrain = any_map(&mut rng, ground);
        let back = Terrain::from_bytes(&terrain.to_bytes()).expect("its own bytes");
        assert_eq!(look(&back), look(&terrain), "seed {seed}");
        assert_eq!(back.state_hash(), terrain.state_hash(), "seed {seed}");
        // A map whose weights were all set back to 1 may save them; what was read from bytes does not.
        let again = Terrain::from_bytes(&back.to_bytes()).expect("its own bytes");
        assert_eq!(again.to_bytes(), back.to_bytes(), "seed {seed}");
    }
}

#[test]
fn bulk_arrays_come_back() {
    for seed in seeds(61, 60) {
        let mut rng = Rng::new(seed);
        let ground = any_ground(&mut rng);
        let terrain = any_map(&mut rng, ground);
        let mut copy = Terrain::new(terrain.region()).expect("the same region");
        copy.set_solid_data(&terrain.solid_data()).expect("one a cell");
        copy.set_terrain_data(&terrain.terrain_data()).expect("one a cell");
        copy.set_weight_data(&terrain.weight_data()).expect("one a cell");
        assert_eq!(look(&copy), look(&terrain), "seed {seed}");
        assert_eq!(copy.state_hash(), terrain.state_hash(), "seed {seed}: equal maps have equal hashes");
    }
}

#[test]
fn different_maps_have_different_hashes() {
    let mut seen = std::collections::HashMap::new();
    for seed in seeds(62, 400) {
        let mut rng = Rng::new(seed);
        let ground = any_ground(&mut rng);
        let terrain = any_map(&mut rng, ground);
        let said = look(&terrain);
        let before = seen.insert(terrain.state_hash(), said.clone());
        assert!(before.is_none_or(|before| before == said), "seed {seed}: two maps, one hash");
    }
}

#[test]
fn another_region_keeps_the_cells_that_both_share() {
    for seed in seeds(63, 100) {
        let mut rng = Rng::new(seed);
        let ground = any_ground(&mut rng);
        let terrain = any_map(&mut rng, ground);
        let near = any_rect(&mut rng, terrain.region()).grown(rng.int(0..90), rng.int(0..90), 3, 70);
        let far = {
            let at = any_origin(&mut rng);
            CellRect::new(at.x, at.y, 5, 5)
        };
        for region in [near, far, terrain.region(), CellRect::default()] {
            let Ok(resized) = terrain.resized(region) else {
                assert!(pathforge_core::terrain::check_region(region).is_err(), "seed {seed}: {region:?}");
                continue;
            };
            assert_eq!(resized.region(), region);
            for cell in region.cells() {
                let kept = (resized.is_solid(cell), resized.terrain(cell), resized.weight(cell).to_bits());
                let said = (terrain.is_solid(cell), terrain.terrain(cell), terrain.weight(cell).to_bits());
                let new = (false, 0, 1.0_f32.to_bits());
                let expected = if terrain.region().contains(cell) { said } else { new };
                assert_eq!(kept, expected, "seed {seed}: {cell:?} of {region:?}");
            }
        }
    }
}

/// Reads bytes that may be anything; a map that comes out must be fit to be saved.
fn read(bytes: &[u8]) {
    // Larger maps would be read just as well, but not as fast.
    let side =
        |at: usize| bytes.get(at..at + 4).map(|b| i32::from_le_bytes(b.try_into().expect("four bytes")));
    if [12, 16].into_iter().filter_map(side).any(|side| (2_000..=16_384).contains(&side)) {
        return;
    }
    if let Ok(terrain) = Terrain::from_bytes(bytes) {
        let back = Terrain::from_bytes(&terrain.to_bytes()).expect("its own bytes");
        assert_eq!(back.region(), terrain.region());
        assert_eq!(back.to_bytes(), terrain.to_bytes());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn broken_bytes_never_panic(
        seed in 0_u64..1000,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        cut in any::<prop::sample::Index>(),
        is_cut in any::<bool>(),
        tail in prop::collection::vec(any::<u8>(), 0..4),
    ) {
        let mut rng = Rng::new(seed);
        let ground = any_ground(&mut rng);
        let mut bytes = any_map(&mut rng, ground).to_bytes();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if is_cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        bytes.extend(tail);
        read(&bytes);
    }

    #[test]
    fn any_bytes_never_panic(rest in prop::collection::vec(any::<u8>(), 0..80), w in -2_i32..70, h in -2_i32..70) {
        let mut bytes = b"PFG1".to_vec();
        bytes.extend([-3, 9, w, h].into_iter().flat_map(i32::to_le_bytes));
        bytes.extend(&rest);
        read(&bytes);
        read(&rest);
    }

    #[test]
    fn any_text_never_panics(text in "[#.@TGSW~O\n a-c\\PC]{0,60}", x in any::<i32>(), y in any::<i32>()) {
        let _ = Terrain::from_text(&text, Cell::new(x, y));
    }

    #[test]
    fn any_octile_text_never_panics(
        h in "(height )?[0-9]{0,3}",
        w in "(width )?-?[0-9]{0,2}",
        rows in "(map)?(\n[.@OTGSW]{0,4}){0,5}",
    ) {
        let _ = Terrain::from_text(&format!("type octile\n{h}\n{w}\n{rows}"), Cell::default());
        let _ = Terrain::from_text(&format!("{rows}\ntype octile\n{h}\n{w}"), Cell::default());
    }

    #[test]
    fn a_drawn_map_is_read_as_it_is_drawn(
        rows in (1_usize..12).prop_flat_map(|width| {
            prop::collection::vec(prop::collection::vec(prop::sample::select(b"#@T.GS~W".to_vec()), width), 1..12)
        }),
    ) {
        let text: Vec<String> = rows.iter().map(|row| String::from_utf8_lossy(row).into_owned()).collect();
        let origin = Cell::new(-7, 4);
        let terrain = Terrain::from_text(&text.join("\n"), origin).expect("letters that mean something");
        for (y, row) in (0..).zip(&rows) {
            for (x, letter) in (0..).zip(row) {
                let cell = origin.offset(x, y);
                prop_assert_eq!(terrain.is_solid(cell), b"#@T".contains(letter));
                prop_assert_eq!(terrain.terrain(cell), u8::from(b"~W".contains(letter)));
            }
        }
    }
}
