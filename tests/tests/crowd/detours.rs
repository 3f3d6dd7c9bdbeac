//! Bodies that stand are ground of others: ways lead round them.

use pathforge_tests::judge::passing;

#[test]
fn single_bodies_go_round_settled_groups() {
    for seed in 71..if crate::is_long() { 91 } else { 75 } {
        let verdict = passing::detour(seed);
        let [median, worst] = verdict.detours.expect("it is measured");
        println!("seed {seed}: {median:.2} {worst:.2}");
        assert!(median <= 1.08 && worst <= 1.15, "seed {seed}: {median} {worst}");
    }
}
