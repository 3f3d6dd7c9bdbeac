//! Fuzzing for as long as one likes: the targets of the tests, steered by LLVM's libFuzzer towards code that has not run.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::args::FuzzOptions;
use crate::paths::Paths;
use crate::problem::{Outcome, Problem, While};
use crate::{files, process};

/// What makes the compiler count which branches run; stable options of rustc, which hands them to LLVM.
const COVERAGE: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
     -Cllvm-args=-sanitizer-coverage-trace-compares -Cdebug-assertions --cfg fuzzing";
/// Bytes of an input at most.
const LEN_MAX: u32 = 2000;
/// Seconds for one input, beyond which it hangs.
const INPUT_SECONDS: u32 = 60;

/// Looks into one target, or into each in turn, and tells what breaks.
pub fn run(paths: &Paths, options: &FuzzOptions) -> Outcome<ExitCode> {
    let program = build(paths)?;
    let names = targets(&program)?;
    let chosen: Vec<&String> =
        names.iter().filter(|&name| options.target.as_ref().is_none_or(|target| target == name)).collect();
    if chosen.is_empty() {
        let asked = options.target.as_deref().unwrap_or_default();
        return Err(Problem::new(format!("there is no target `{asked}`; there are {}", names.join(", "))));
    }
    let mut is_sound = true;
    for name in chosen {
        println!("fuzz: {name}, {} s", options.seconds);
        is_sound &= look_into(paths, &program, name, options.seconds)?;
    }
    Ok(if is_sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The names of the targets, as the program lists them.
fn targets(program: &Path) -> Outcome<Vec<String>> {
    let listed = process::output_of(process::command(program))?;
    Ok(listed.lines().map(str::to_owned).collect())
}

/// Builds the program with counters in it, apart from everything else.
fn build(paths: &Paths) -> Outcome<PathBuf> {
    let host = host()?;
    let target = paths.target.join("fuzz");
    let mut cargo = process::command(Paths::cargo());
    // A named target keeps the counters out of build scripts.
    cargo
        .current_dir(&paths.root)
        .args(["build", "--release", "--package", "pathforge-tests", "--bin", "pathforge-fuzz"])
        .args(["--features", "libfuzzer", "--target", &host, "--target-dir"])
        .arg(&target)
        .env("RUSTFLAGS", COVERAGE)
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
    process::run_in_view(cargo)?;
    Ok(target.join(host).join("release/pathforge-fuzz"))
}

fn host() -> Outcome<String> {
    let mut rustc = process::command("rustc");
    rustc.arg("-vV");
    let said = process::output_of(rustc)?;
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| Problem::new("`rustc -vV` names no host"))
}

/// Returns whether nothing was found.
fn look_into(paths: &Paths, program: &Path, name: &str, seconds: u32) -> Outcome<bool> {
    let corpus = paths.target.join("fuzz/corpus").join(name);
    let found = paths.target.join("fuzz/found").join(name);
    files::make_dir(&corpus)?;
    files::make_dir(&found)?;
    let mut fuzzer = process::command(program);
    fuzzer
        .env("PATHFORGE_FUZZ_TARGET", name)
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-max_len={LEN_MAX}"))
        .arg(format!("-timeout={INPUT_SECONDS}"))
        .arg(format!("-artifact_prefix={}/", found.display()))
        .args(["-print_final_stats=1", "-print_funcs=0", "-len_control=20"])
        .arg(&corpus);
    let status = fuzzer.status().while_doing(|| "start the fuzzer".to_owned())?;
    if !status.success() {
        println!(
            "fuzz: {name} falls. The bytes are in {}. Copied to tests/data/fuzz/{name}/, they are a test.",
            found.display()
        );
    }
    Ok(status.success())
}
