//! Fuzzing for as long as one likes: the targets of the tests, steered by LLVM's libFuzzer towards code that has not run.

use std::fmt::Write;
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::args::FuzzOptions;
use crate::paths::Paths;
use crate::problem::{Outcome, Problem, While};
use crate::process::Limits;
use crate::report::Findings;
use crate::{files, process};

/// What makes the compiler count which branches run; stable options of rustc, which hands them to LLVM.
const COVERAGE: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
     -Cllvm-args=-sanitizer-coverage-trace-compares -Cdebug-assertions --cfg fuzzing";
/// Bytes of an input at most.
const LEN_MAX: u32 = 2000;
/// Seconds for one input, beyond which it hangs.
const INPUT_SECONDS: u32 = 60;
/// Bytes of an input that the tests keep, at most.
const KEPT_LEN_MAX: u32 = 300;
/// Seconds for each target in a round of the gate.
const ROUND_SECONDS: u32 = 20;
/// The fuzzer ends by itself; the input that it is at may hang.
const ROUND_LIMITS: Limits =
    Limits::seconds(ROUND_SECONDS as u64 + 3 * INPUT_SECONDS as u64, 2 * INPUT_SECONDS as u64);
const BUILD_LIMITS: Limits = Limits::seconds(1800, 1800);

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
        let folders = Folders::new(paths, "corpus", name)?;
        if options.keep {
            folders.keep(&program, name)?;
            continue;
        }
        println!("fuzz: {name}, {} s", options.seconds);
        let mut fuzzer = fuzzer(&program, name, &folders, options.seconds);
        if !fuzzer.status().while_doing(|| "start the fuzzer".to_owned())?.success() {
            println!("{}", folders.what_to_do(name));
            is_sound = false;
        }
    }
    Ok(if is_sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Looks into every target for [`ROUND_SECONDS`], as many at once as there are cores, from what the tests keep and with
/// seeds of its own each time.
pub fn round(paths: &Paths) -> Outcome<Findings> {
    let mut compiler = process::command("c++");
    compiler.arg("--version");
    if process::output_of(compiler).is_err() {
        return Ok(Findings::skipped("libFuzzer is built with a C++ compiler, and there is no `c++`"));
    }
    let cargo = build_command(paths, &host()?);
    let built = process::watch(cargo, BUILD_LIMITS, &mut |_| ())?;
    if !built.succeeded() {
        return Ok(Findings::failed(format!("{}\n{}", built.ending(), built.tail(20).join("\n"))));
    }
    let program = program(paths, &host()?);
    let queue = Mutex::new(targets(&program)?.into_iter());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || -> Outcome<Findings> {
        let mut findings = Findings::default();
        while let Some(name) = next() {
            let folders = Folders::new(paths, "round", &name)?;
            let finished =
                process::watch(fuzzer(&program, &name, &folders, ROUND_SECONDS), ROUND_LIMITS, &mut |_| ())?;
            findings.add(if finished.succeeded() {
                Findings::passed()
            } else {
                let said = finished.tail(30).join("\n");
                Findings::failed(format!("{}\n{said}\n{}", finished.ending(), folders.what_to_do(&name)))
            });
        }
        Ok(findings)
    };
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let mut sum = Findings::default();
        for worker in workers {
            sum.add(worker.join().map_err(|_| Problem::new("a worker of the fuzzing round panicked"))??);
        }
        Ok(sum)
    })
}

/// Where a target's inputs lie.
struct Folders {
    /// What the fuzzer starts from and adds to.
    corpus: PathBuf,
    /// Inputs that the tests keep, one a line, in hexadecimal digits: a file a target instead of hundreds.
    kept: PathBuf,
    /// Where the fuzzer writes what breaks a law.
    found: PathBuf,
}

impl Folders {
    /// A corpus grows from run to run; that of a round starts with what is kept.
    fn new(paths: &Paths, corpus: &str, name: &str) -> Outcome<Self> {
        let folders = Self {
            corpus: paths.target.join("fuzz").join(corpus).join(name),
            kept: paths.root.join("tests/data/fuzz").join(format!("{name}.corpus")),
            found: paths.target.join("fuzz/found").join(name),
        };
        if corpus == "round" {
            files::remove_dir(&folders.corpus)?;
        }
        files::make_dir(&folders.corpus)?;
        files::make_dir(&folders.found)?;
        if folders.kept.exists() {
            for (number, line) in files::read_text(&folders.kept)?.lines().enumerate() {
                files::put(&folders.corpus.join(format!("kept-{number}")), &from_digits(line)?)?;
            }
        }
        Ok(folders)
    }

    /// Keeps the fewest short inputs that reach what the corpus reaches.
    fn keep(&self, program: &Path, name: &str) -> Outcome<()> {
        let fewest = self.corpus.with_extension("fewest");
        files::remove_dir(&fewest)?;
        files::make_dir(&fewest)?;
        let mut merge = process::command(program);
        merge
            .env("PATHFORGE_FUZZ_TARGET", name)
            .arg("-set_cover_merge=1")
            .arg(format!("-max_len={KEPT_LEN_MAX}"))
            .args([&fewest, &self.corpus]);
        process::output_of(merge)?;
        let mut lines = Vec::new();
        for file in fs::read_dir(&fewest).while_doing(|| format!("list {}", fewest.display()))?.flatten() {
            let path = file.path();
            let bytes = fs::read(&path).while_doing(|| format!("read {}", path.display()))?;
            let mut line = String::new();
            for byte in bytes {
                let _ = write!(line, "{byte:02x}");
            }
            lines.push(line);
        }
        lines.sort_by_key(|line| (line.len(), line.clone()));
        files::put(&self.kept, (lines.join("\n") + "\n").as_bytes())
    }

    fn what_to_do(&self, name: &str) -> String {
        let found = self.found.display();
        format!(
            "fuzz: {name} falls. The bytes are in {found}. Copied to tests/data/fuzz/{name}/, they are a test."
        )
    }
}

fn from_digits(line: &str) -> Outcome<Vec<u8>> {
    let byte = |at: usize| line.get(at..at + 2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
    let bytes: Option<Vec<u8>> = (0..line.len()).step_by(2).map(byte).collect();
    bytes.ok_or_else(|| Problem::new(format!("`{line}` is not a list of hexadecimal bytes")))
}

/// The names of the targets, as the program lists them.
fn targets(program: &Path) -> Outcome<Vec<String>> {
    let listed = process::output_of(process::command(program))?;
    Ok(listed.lines().map(str::to_owned).collect())
}

/// Builds the program with counters in it, apart from everything else.
fn build(paths: &Paths) -> Outcome<PathBuf> {
    let host = host()?;
    process::run_in_view(build_command(paths, &host))?;
    Ok(program(paths, &host))
}

fn build_command(paths: &Paths, host: &str) -> Command {
    let mut cargo = process::command(Paths::cargo());
    // A named target keeps the counters out of build scripts.
    cargo
        .current_dir(&paths.root)
        .args(["build", "--release", "--package", "pathforge-tests", "--bin", "pathforge-fuzz"])
        .args(["--features", "libfuzzer", "--target", host, "--target-dir"])
        .arg(paths.target.join("fuzz"))
        .env("RUSTFLAGS", COVERAGE)
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
    cargo
}

fn program(paths: &Paths, host: &str) -> PathBuf {
    paths.target.join("fuzz").join(host).join("release/pathforge-fuzz")
}

fn host() -> Outcome<String> {
    let mut rustc = process::command("rustc");
    rustc.arg("-vV");
    let said = process::output_of(rustc)?;
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| Problem::new("`rustc -vV` names no host"))
}

fn fuzzer(program: &Path, name: &str, folders: &Folders, seconds: u32) -> Command {
    let mut fuzzer = process::command(program);
    fuzzer
        .env("PATHFORGE_FUZZ_TARGET", name)
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-max_len={LEN_MAX}"))
        .arg(format!("-timeout={INPUT_SECONDS}"))
        .arg(format!("-artifact_prefix={}/", folders.found.display()))
        .args(["-print_final_stats=1", "-print_funcs=0", "-len_control=20"])
        .arg(&folders.corpus);
    fuzzer
}
