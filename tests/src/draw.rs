//! Maps as text, for failures.

use pathforge_core::geometry::Cell;
use pathforge_core::terrain::Terrain;

/// The map in letters: `#` solid, `.` open, `~` another terrain; marks on top, the last one wins.
pub fn draw(terrain: &Terrain, marks: &[(Cell, char)]) -> String {
    let region = terrain.region();
    let mut text = format!("region {region:?}\n");
    for cell in region.cells() {
        let mark = marks.iter().rev().find(|(at, _)| *at == cell).map(|&(_, letter)| letter);
        let ground = if terrain.is_solid(cell) {
            '#'
        } else if terrain.terrain(cell) > 0 {
            '~'
        } else {
            '.'
        };
        text.push(mark.unwrap_or(ground));
        if cell.x + 1 == region.right() {
            text.push('\n');
        }
    }
    let heavy = |c: &Cell| terrain.weight(*c).to_bits() != 1.0_f32.to_bits();
    let weights: Vec<_> =
        region.cells().filter(heavy).take(40).map(|c| (c.x, c.y, terrain.weight(c))).collect();
    if !weights.is_empty() {
        text.push_str("weights (x, y, weight), at most 40: ");
        text.extend(weights.iter().map(|weight| format!("{weight:?} ")));
        text.push('\n');
    }
    text
}
