//! Smaller maps that still fail, to be drawn in a named test.

use pathforge_core::geometry::CellRect;
use pathforge_core::terrain::Terrain;

/// A small map for which `fails` holds, made from a map for which it does. Rows and columns are cut off,
/// cells opened, terrains and weights taken away, as long as it still fails.
pub fn shrink(terrain: &Terrain, mut fails: impl FnMut(&Terrain) -> bool) -> Terrain {
    let mut small = terrain.clone();
    loop {
        let before = small.state_hash();
        let mut side = 0;
        while side < 4 {
            let mut cut = small.region();
            match side {
                0 => (cut.x, cut.w) = (cut.x + 1, cut.w - 1),
                1 => cut.w -= 1,
                2 => (cut.y, cut.h) = (cut.y + 1, cut.h - 1),
                _ => cut.h -= 1,
            }
            match small.resized(cut) {
                Ok(smaller) if fails(&smaller) => small = smaller,
                _ => side += 1,
            }
        }
        for cell in small.region().cells() {
            let mut plainer = small.clone();
            plainer.fill_solid(CellRect::cell(cell), false);
            try_it(&mut small, plainer, &mut fails);
            let mut plainer = small.clone();
            if plainer.fill_terrain(CellRect::cell(cell), 0).is_ok() {
                try_it(&mut small, plainer, &mut fails);
            }
            let mut plainer = small.clone();
            if plainer.fill_weight(CellRect::cell(cell), 1.0).is_ok() {
                try_it(&mut small, plainer, &mut fails);
            }
        }
        if small.state_hash() == before {
            return small;
        }
    }
}

fn try_it(small: &mut Terrain, plainer: Terrain, fails: &mut impl FnMut(&Terrain) -> bool) {
    if plainer.state_hash() != small.state_hash() && fails(&plainer) {
        *small = plainer;
    }
}
