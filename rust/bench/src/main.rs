//! The program behind `cargo xtask bench`.

fn main() -> std::process::ExitCode {
    pathforge_bench::run()
}
