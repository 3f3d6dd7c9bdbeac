//! Bodies: the footprints that the project promises, capabilities, terrain costs and diagonal modes.

use pathforge_core::geometry::{DiagonalMode, Footprint};
use pathforge_core::passability::{Placements, TerrainCosts};
use pathforge_core::terrain::{Capability, ClimbLimit, Terrain};
use pathforge_core::testing::Derived;
use pathforge_core::world::Profile;

use crate::rng::Rng;

/// The footprints that every promise names.
pub const FOOTPRINTS: [(i32, i32); 6] = [(1, 1), (2, 2), (3, 3), (5, 5), (4, 2), (1, 3)];

/// A body in plain numbers, so that an oracle can read it without asking the code under test.
#[derive(Clone, PartialEq, Debug)]
pub struct Body {
    /// Width in cells.
    pub w: i32,
    /// Height in cells.
    pub h: i32,
    /// A bit for each terrain id that it may enter.
    pub capability: u32,
    /// What terrains multiply weights by; missing ones by 1.
    pub terrain_costs: Vec<f32>,
    /// When it steps diagonally.
    pub mode: DiagonalMode,
    /// The height and the tangent of the slope that it climbs; without both, any.
    pub climb: [f32; 2],
}

impl Body {
    /// A body of `w` × `h` cells that may go everywhere.
    pub const fn new(w: i32, h: i32, mode: DiagonalMode) -> Self {
        Self { w, h, capability: u32::MAX, terrain_costs: Vec::new(), mode, climb: [0.0; 2] }
    }

    /// The body's footprint.
    ///
    /// # Panics
    /// When a side is not within the limits.
    pub fn footprint(&self) -> Footprint {
        footprint(self.w, self.h)
    }

    /// The terrains that it may enter.
    pub const fn capability(&self) -> Capability {
        Capability(self.capability)
    }

    /// The body as queries name it.
    ///
    /// # Panics
    /// When a value is not within its limits.
    pub fn profile(&self) -> Profile {
        Profile {
            footprint: self.footprint(),
            capability: self.capability(),
            terrain_costs: TerrainCosts::new(&self.terrain_costs).expect("valid terrain costs"),
            diagonal_mode: self.mode,
            climb: ClimbLimit::new(self.climb[0], self.climb[1]).expect("a valid limit"),
            ..Profile::default()
        }
    }

    /// Where it fits, and the edges around.
    pub fn placements(&self, terrain: &Terrain) -> Placements {
        let key = self.profile().layer_key();
        let open = Placements::build((terrain, None), key.of_one_cell());
        Placements::build((terrain, Some(&open)), key)
    }
}

/// A footprint of `w` × `h` cells.
///
/// # Panics
/// When a side is not within the limits.
pub fn footprint(w: i32, h: i32) -> Footprint {
    Footprint::new(i64::from(w), i64::from(h)).expect("a valid footprint")
}

/// A footprint: one of the promised ones, or any small one, seldom a large one.
pub fn any_footprint(rng: &mut Rng) -> (i32, i32) {
    match rng.int(0..10) {
        0..7 => rng.pick(&FOOTPRINTS),
        7 | 8 => (rng.int(1..7), rng.int(1..7)),
        _ => rng.pick(&[(64, 1), (1, 64), (33, 2), (9, 17), (64, 64)]),
    }
}

/// A body of any kind. Terrain costs other than 1 only where `costly`.
pub fn any_body(rng: &mut Rng, costly: bool) -> Body {
    let (w, h) = any_footprint(rng);
    let mode = rng.pick(&DiagonalMode::ALL);
    let capability = match rng.int(0..6) {
        0 => 1,
        1 => 0b10,
        2 => 0b111,
        3 => !0b10,
        _ => u32::MAX,
    };
    let terrain_costs = if costly && rng.percent(60) {
        (0..rng.int(1..5)).map(|_| rng.pick(&[0.0, 0.25, 0.5, 1.0, 1.5, 3.0, 10.0])).collect()
    } else {
        Vec::new()
    };
    Body { w, h, capability, terrain_costs, mode, climb: [0.0; 2] }
}
