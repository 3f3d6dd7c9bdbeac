//! The committed hashes, on one thread and on three. `cargo xtask test` compares them in an optimised build
//! as well.

use pathforge_tests::digests;

/// When behaviour changes on purpose: `cargo run -p pathforge-tests --bin digests > tests/data/digests.txt`.
const COMMITTED: &str = include_str!("../data/digests.txt");

#[test]
fn everything_comes_out_as_committed_on_any_number_of_threads() {
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        let lines = pool.install(digests::lines);
        let differing = digests::differing(&lines, COMMITTED);
        assert!(differing.is_empty(), "{threads} threads: {differing:#?}");
    }
}
