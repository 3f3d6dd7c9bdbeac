//! The overlays' colours: one restrained palette for all of them.

use godot::builtin::Color;

/// Solid cells: slate.
pub const SOLID: Color = Color::from_rgba(0.40, 0.45, 0.55, 0.72);
/// One-way cells: sand.
pub const ONE_WAY: Color = Color::from_rgba(0.80, 0.67, 0.42, 0.55);
/// Blocked edges: slate, and opaque, as they are thin.
pub const EDGE: Color = Color::from_rgba(0.66, 0.73, 0.86, 1.0);
/// Edges that are blocked one way: sand.
pub const ONE_WAY_EDGE: Color = Color::from_rgba(0.90, 0.74, 0.44, 1.0);
/// Links: orchid. Disabled ones are fainter.
pub const LINK: Color = Color::from_rgba(0.80, 0.55, 0.95, 0.95);
/// Lines between cells.
pub const LINE: Color = Color::from_rgba(0.75, 0.80, 0.90, 0.13);
/// The outline of the region.
pub const BORDER: Color = Color::from_rgba(0.62, 0.72, 0.88, 0.55);
/// The last path.
pub const PATH: Color = Color::from_rgba(1.0, 0.76, 0.28, 1.0);
/// The goal of an explained path.
pub const GOAL: Color = Color::from_rgba(0.45, 0.82, 0.62, 1.0);
/// What refuses a path: coral.
pub const REFUSED: Color = Color::from_rgba(0.95, 0.38, 0.36, 1.0);
/// The edit that closed the last path: violet.
pub const CLOSED: Color = Color::from_rgba(0.76, 0.56, 1.0, 1.0);
/// Where a wider body would not fit: amber.
pub const TOO_WIDE: Color = Color::from_rgba(1.0, 0.70, 0.30, 1.0);
/// Cells that a detour avoids.
pub const AVOIDED: Color = Color::from_rgba(0.70, 0.50, 0.90, 0.34);
/// Numbers on heat.
pub const NUMBER: Color = Color::from_rgba(1.0, 1.0, 1.0, 0.86);

/// Terrains 1 to 8: water, grass, sand, bog, clay, reed, stone, heather. Others take them again, a little
/// darker.
const TERRAINS: [(u8, u8, u8); 8] = [
    (74, 134, 196),
    (104, 158, 96),
    (205, 170, 106),
    (128, 112, 170),
    (190, 112, 88),
    (72, 156, 150),
    (142, 150, 162),
    (196, 116, 152),
];
/// Regions in their order, neighbours in it far apart: teal, amber, violet, green, rose, blue, lime, brick.
const REGIONS: [(u8, u8, u8); 8] = [
    (64, 190, 170),
    (255, 180, 84),
    (160, 130, 230),
    (124, 200, 100),
    (236, 120, 170),
    (90, 160, 250),
    (206, 214, 90),
    (226, 110, 84),
];
const TERRAIN_ALPHA: u8 = 96;
/// Slow cells are tinted with earth.
const SLOW: (u8, u8, u8) = (96, 62, 28);

/// Four bytes of a texel: red, green, blue, alpha.
pub type Texel = [u8; 4];

/// What the editor's toolbar shows lies over tiles of any colour, so it is stronger. Solid cells: coral, and
/// fainter where something else is the subject.
pub const SHOWN_SOLID: Texel = [236, 92, 92, 150];
/// Solid cells beside the subject.
pub const SHOWN_SOLID_FAINT: Texel = [52, 58, 72, 120];
/// Cells that some body covers.
pub const ROOM: Texel = [64, 190, 170, 110];
/// Open cells that are too tight for every body.
pub const TIGHT: Texel = [255, 176, 72, 165];
/// Open cells whose terrain the body may not enter.
pub const BARRED: Texel = [132, 96, 200, 130];
const REGION_ALPHA: u8 = 120;

/// Cells under an obstacle: between solid and open.
pub const OBSTACLE: Texel = [176, 128, 92, 170];

/// Nothing.
pub const CLEAR: Texel = [0; 4];

/// A colour as a texel.
pub fn texel(color: Color) -> Texel {
    let byte = |part: f32| (part.clamp(0.0, 1.0) * 255.0).round() as u8;
    [byte(color.r), byte(color.g), byte(color.b), byte(color.a)]
}

/// The same with half of what it lets through.
pub fn stronger([r, g, b, a]: Texel) -> Texel {
    [r, g, b, if a == 0 { 0 } else { 255 - (255 - a) / 2 }]
}

/// The colour of a connected component.
pub fn region(number: u32) -> Texel {
    let (r, g, b) = REGIONS[number as usize % REGIONS.len()];
    [r, g, b, REGION_ALPHA]
}

/// The tint of an open cell.
pub fn ground(terrain: u8, weight: f32) -> Texel {
    let slow = if weight > 1.0 { (weight.log2() / 4.0).clamp(0.0, 1.0) } else { 0.0 };
    if terrain == 0 {
        let (r, g, b) = SLOW;
        return if slow > 0.0 { [r, g, b, (40.0 + 110.0 * slow) as u8] } else { CLEAR };
    }
    let place = usize::from(terrain - 1);
    let (r, g, b) = TERRAINS[place % TERRAINS.len()];
    let shade = 1.0 - 0.16 * (place / TERRAINS.len()) as f32;
    let mix = |part: u8, earth: u8| {
        let part = f32::from(part) * shade;
        (part + (f32::from(earth) - part) * slow * 0.6) as u8
    };
    [mix(r, SLOW.0), mix(g, SLOW.1), mix(b, SLOW.2), TERRAIN_ALPHA]
}

/// The heat of a clearance: tight places glow amber, wide ones fade through teal into blue; none is clear.
pub fn heat(clearance: u8) -> Texel {
    /// Clearance and colour; between them the colour runs straight.
    const STOPS: [(f32, [f32; 4]); 5] = [
        (1.0, [233.0, 120.0, 62.0, 168.0]),
        (2.0, [240.0, 180.0, 84.0, 150.0]),
        (4.0, [122.0, 186.0, 136.0, 136.0]),
        (8.0, [58.0, 140.0, 168.0, 132.0]),
        (24.0, [52.0, 82.0, 150.0, 128.0]),
    ];
    if clearance == 0 {
        return CLEAR;
    }
    let value = f32::from(clearance);
    let next = STOPS.iter().position(|(stop, _)| value <= *stop).unwrap_or(STOPS.len() - 1).max(1);
    let ((from, a), (to, b)) = (STOPS[next - 1], STOPS[next]);
    let t = ((value / from).log2() / (to / from).log2()).clamp(0.0, 1.0);
    std::array::from_fn(|part| (a[part] + (b[part] - a[part]) * t).round() as u8)
}

/// The heat of an influence, −1 to 1: above zero from amber to red, below from teal to blue.
pub fn influence(part: f32) -> Texel {
    const ENDS: [[[f32; 3]; 2]; 2] =
        [[[245.0, 190.0, 90.0], [214.0, 58.0, 52.0]], [[92.0, 190.0, 170.0], [58.0, 96.0, 196.0]]];
    let strength = part.abs().min(1.0);
    if strength == 0.0 {
        return CLEAR;
    }
    let [weak, strong] = ENDS[usize::from(part < 0.0)];
    let mix = |n: usize| (weak[n] + (strong[n] - weak[n]) * strength) as u8;
    [mix(0), mix(1), mix(2), (30.0 + 150.0 * strength) as u8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heat_runs_from_amber_to_blue() {
        assert_eq!(heat(0), CLEAR);
        assert_eq!(heat(1), [233, 120, 62, 168]);
        assert_eq!(heat(24), heat(255));
        assert!(heat(3)[0] < heat(2)[0] && heat(3)[0] > heat(4)[0]);
    }

    #[test]
    fn every_terrain_has_a_tint() {
        assert_eq!(ground(0, 1.0), CLEAR);
        assert!((1..32).all(|id| ground(id, 1.0)[3] > 0));
        assert!(ground(0, 8.0)[3] > ground(0, 2.0)[3]);
    }
}
