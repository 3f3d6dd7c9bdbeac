//! Bytes and texts that may be anything: an error, or something that can be used and saved.

use pathforge_core::bitgrid::{BitGrid, GridLayout};
use pathforge_core::crowd::{Crowd, CrowdGround};
use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::passability::Placements;
use pathforge_core::terrain::Terrain;

use crate::hall::Hall;

/// Larger maps would be read just as well, but not as fast.
const SIDE_MAX: i32 = 2_000;

/// A saved map.
pub fn map_bytes(bytes: &[u8]) {
    // The head is given, so that bytes need not guess it.
    let headed = [b"PFG2".as_slice(), bytes].concat();
    for bytes in [bytes, &headed] {
        let side =
            |at: usize| bytes.get(at..at + 4).map(|b| i32::from_le_bytes(b.try_into().expect("four bytes")));
        if [12, 16].into_iter().filter_map(side).any(|side| (SIDE_MAX..=16_384).contains(&side)) {
            continue;
        }
        if let Ok(terrain) = Terrain::from_bytes(bytes) {
            let back = Terrain::from_bytes(&terrain.to_bytes()).expect("its own bytes");
            assert_eq!(back.to_bytes(), terrain.to_bytes());
        }
    }
}

/// A drawn map.
pub fn map_text(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let octile = format!("type octile\n{text}");
    for text in [text.as_ref(), octile.as_str()] {
        if let Ok(terrain) = Terrain::from_text(text, Cell::default()) {
            assert!(terrain.region().area() <= 1 << 27);
        }
    }
}

/// A saved crowd, whose bytes are those of a real one with some put in their place.
pub fn crowd_bytes(bytes: &[u8]) {
    let mut hall = Hall::draw("......\n..##..\n......\n......");
    let field = hall.field(1, &[Cell::new(5, 3)], 0);
    hall.add(Cell::new(0, 0), 1, 2.0, Some(field));
    hall.add(Cell::new(0, 3), 1, 2.0, None);
    hall.crowd.assign_path(&[1], &[[1.5, 0.5], [2.5, 0.5]], 3);
    hall.step(0.1);
    let mut broken = hall.crowd.to_bytes();
    for change in bytes.chunks_exact(3) {
        let place = usize::from(u16::from_le_bytes([change[0], change[1]])) % broken.len();
        broken[place] = change[2];
    }
    for bytes in [bytes, &broken] {
        let Ok(mut crowd) = Crowd::from_bytes(bytes) else { continue };
        assert_eq!(Crowd::from_bytes(&crowd.to_bytes()).expect("its own bytes").to_bytes(), crowd.to_bytes());
        if crowd.kinds() == hall.crowd.kinds() {
            let mut copy = hall.clone();
            copy.crowd = crowd;
            copy.step(0.05);
            copy.crowd.views_in_rect(-5.0, -5.0, 5.0, 5.0);
        } else {
            let nowhere = Placements::from(BitGrid::new(GridLayout::new(0, 0)));
            let layers = vec![nowhere; crowd.kinds().len()];
            let layers: Vec<&Placements> = layers.iter().collect();
            let ground = CrowdGround {
                region: CellRect::default(),
                revision: 1,
                layers: &layers,
                costs: &[],
                fields: &[],
            };
            let _ = crowd.step(0.05, &ground);
        }
    }
}
