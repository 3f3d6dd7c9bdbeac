//! Saved maps come back; broken bytes and broken texts are errors, never panics.

use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::terrain::Terrain;
use pathforge_tests::maps::{any_ground, any_map, any_origin, any_rect};
use pathforge_tests::rng::{Rng, seeds};

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
        copy.set_edge_data(&terrain.edge_data()).expect("one a cell");
        for id in terrain.link_ids() {
            let link = terrain.link(id.into()).expect("a link of the map");
            copy.add_link(link.clone()).expect("a link of the same region");
        }
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

/// As many bytes as `count`, any of them.
fn any_bytes(rng: &mut Rng, count: usize) -> Vec<u8> {
    (0..count).map(|_| rng.bits() as u8).collect()
}

/// Less than `length_max` of `letters`.
fn any_letters(rng: &mut Rng, letters: &[u8], length_max: i32) -> String {
    (0..rng.int(0..length_max)).map(|_| char::from(rng.pick(letters))).collect()
}

#[test]
fn broken_bytes_never_panic() {
    for seed in seeds(610, 400) {
        let mut rng = Rng::new(seed);
        let ground = any_ground(&mut rng);
        let mut bytes = any_map(&mut rng, ground).to_bytes();
        for _ in 0..rng.int(0..6) {
            let place = rng.place(bytes.len());
            bytes[place] = rng.bits() as u8;
        }
        if rng.percent(50) {
            bytes.truncate(rng.place(bytes.len()));
        }
        let tail = rng.place(4);
        bytes.extend(any_bytes(&mut rng, tail));
        read(&bytes);
    }
}

#[test]
fn any_bytes_never_panic() {
    for seed in seeds(611, 400) {
        let mut rng = Rng::new(seed);
        let mut bytes = b"PFG1".to_vec();
        bytes.extend([-3, 9, rng.int(-2..70), rng.int(-2..70)].into_iter().flat_map(i32::to_le_bytes));
        let rest = rng.place(80);
        let rest = any_bytes(&mut rng, rest);
        bytes.extend(&rest);
        read(&bytes);
        read(&rest);
    }
}

#[test]
fn any_text_never_panics() {
    for seed in seeds(612, 400) {
        let mut rng = Rng::new(seed);
        let text = any_letters(&mut rng, b"#.@TGSW~O\n a-c\\PC", 61);
        let _ = Terrain::from_text(&text, Cell::new(rng.bits() as i32, rng.bits() as i32));
    }
}

#[test]
fn any_octile_text_never_panics() {
    for seed in seeds(613, 400) {
        let mut rng = Rng::new(seed);
        let h = rng.pick(&["", "height "]).to_owned() + &any_letters(&mut rng, b"0123456789", 4);
        let w =
            rng.pick(&["", "width ", "width -", "-"]).to_owned() + &any_letters(&mut rng, b"0123456789", 3);
        let mut rows = rng.pick(&["", "map"]).to_owned();
        for _ in 0..rng.int(0..6) {
            rows = rows + "\n" + &any_letters(&mut rng, b".@OTGSW", 5);
        }
        let _ = Terrain::from_text(&format!("type octile\n{h}\n{w}\n{rows}"), Cell::default());
        let _ = Terrain::from_text(&format!("{rows}\ntype octile\n{h}\n{w}"), Cell::default());
    }
}

#[test]
fn a_drawn_map_is_read_as_it_is_drawn() {
    for seed in seeds(614, 400) {
        let mut rng = Rng::new(seed);
        let (w, h) = (rng.int(1..12), rng.int(1..12));
        let letters: Vec<Vec<u8>> = (0..h).map(|_| (0..w).map(|_| rng.pick(b"#@T.GS~W")).collect()).collect();
        let rows: Vec<_> = letters.iter().map(|row| String::from_utf8_lossy(row)).collect();
        let origin = Cell::new(-7, 4);
        let terrain = Terrain::from_text(&rows.join("\n"), origin).expect("letters that mean something");
        for (y, row) in (0..).zip(&letters) {
            for (x, letter) in (0..).zip(row) {
                let cell = origin.offset(x, y);
                assert_eq!(terrain.is_solid(cell), b"#@T".contains(letter), "seed {seed}: {cell:?}");
                assert_eq!(terrain.terrain(cell), u8::from(b"~W".contains(letter)), "seed {seed}: {cell:?}");
            }
        }
    }
}
