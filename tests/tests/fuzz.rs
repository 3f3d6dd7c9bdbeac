//! A short round of every fuzz target: what was found once, and some bytes that are the same every time.

use std::panic::catch_unwind;
use std::path::Path;

use pathforge_tests::fuzz::TARGETS;
use pathforge_tests::rng::{Rng, seeds};

/// Bytes of many lengths: short ones leave most to the stream that they seed.
fn any_bytes(seed: u64) -> Vec<u8> {
    let mut rng = Rng::new(seed);
    let len = rng.pick(&[0, 2, 10, 60, 300, 900]);
    // Small numbers choose what comes first, large ones what is rare.
    let high = rng.pick(&[4, 32, 256]);
    (0..len).map(|_| rng.int(0..high) as u8).collect()
}

#[test]
fn a_short_round_of_every_target() {
    for (block, target) in (500..).zip(TARGETS) {
        for seed in seeds(block, 100) {
            let bytes = any_bytes(seed);
            let run = catch_unwind(|| target.run(&bytes));
            assert!(run.is_ok(), "{} falls at seed {seed}, {bytes:?}", target.name);
        }
    }
}

#[test]
fn what_was_found_once_stays_mended() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/fuzz");
    for target in TARGETS {
        let Ok(files) = folder.join(target.name).read_dir() else { continue };
        for file in files {
            let path = file.expect("a file").path();
            let bytes = std::fs::read(&path).expect("a file that can be read");
            let run = catch_unwind(|| target.run(&bytes));
            assert!(run.is_ok(), "{} falls at {}", target.name, path.display());
        }
    }
}
