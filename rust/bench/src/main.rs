//! The program behind `cargo xtask bench`.

use std::process::ExitCode;

fn main() -> ExitCode {
    pathforge_bench::run(std::env::args().skip(1))
}
