//! Fuzz targets: each spells a map, edits and questions out of bytes, and compares every answer with that of
//! a rebuild or of an oracle. [`Rng::of_bytes`] makes choices of bytes, so a fuzzer that watches which code
//! runs steers them.
//!
//! A short round of each is a test (`tests/tests/fuzz.rs`); `cargo xtask fuzz` lets libFuzzer look for as
//! long as one likes. What it finds goes to `tests/data/fuzz/TARGET/`, which the test replays.

mod bodies;
mod crowd;
mod fields;
mod maps;
mod paths;
mod polygons;
mod raw;

pub use bodies::assert_as_new as assert_layers_as_new;

use crate::rng::Rng;

/// Something to throw bytes at.
#[derive(Clone, Copy)]
pub struct Target {
    /// What it is called on the command line.
    pub name: &'static str,
    run: Run,
}

#[derive(Clone, Copy)]
enum Run {
    Choices(fn(&mut Rng)),
    Bytes(fn(&[u8])),
}

/// Every target.
pub const TARGETS: [Target; 13] = [
    choices("map", maps::edits),
    choices("layers", maps::layers),
    choices("labels", maps::labels),
    choices("paths", paths::flat),
    choices("searches", paths::searches),
    choices("hierarchy", paths::hierarchical),
    choices("fields", fields::exact),
    choices("crowd", crowd::steps),
    choices("platformer", bodies::that_jump),
    choices("polygons", polygons::baked),
    bytes("map-bytes", raw::map_bytes),
    bytes("map-text", raw::map_text),
    bytes("crowd-bytes", raw::crowd_bytes),
];

const fn choices(name: &'static str, run: fn(&mut Rng)) -> Target {
    Target { name, run: Run::Choices(run) }
}

const fn bytes(name: &'static str, run: fn(&[u8])) -> Target {
    Target { name, run: Run::Bytes(run) }
}

impl Target {
    /// The target of this name.
    pub fn named(name: &str) -> Option<Self> {
        TARGETS.into_iter().find(|target| target.name == name)
    }

    /// Throws `bytes` at it.
    ///
    /// # Panics
    /// When it finds a fault.
    pub fn run(self, bytes: &[u8]) {
        match self.run {
            Run::Choices(run) => run(&mut Rng::of_bytes(bytes)),
            Run::Bytes(run) => run(bytes),
        }
    }
}
