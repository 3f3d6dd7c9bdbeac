//! The program that libFuzzer runs: throws bytes at the target that `PATHFORGE_FUZZ_TARGET` names; lists
//! targets when it names none.
#![no_main]

use std::sync::LazyLock;

use pathforge_tests::fuzz::{TARGETS, Target};

static TARGET: LazyLock<Option<Target>> =
    LazyLock::new(|| Target::named(&std::env::var("PATHFORGE_FUZZ_TARGET").ok()?));

libfuzzer_sys::fuzz_target!(
    init: {
        if TARGET.is_none() {
            TARGETS.iter().for_each(|target| println!("{}", target.name));
            std::process::exit(0);
        }
    },
    |bytes: &[u8]| {
        if let Some(target) = *TARGET {
            target.run(bytes);
        }
    }
);
