//! Fuzzing for as long as one likes: the targets of the tests, steered by LLVM's libFuzzer towards code that
//! has not run.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result, anyhow, ensure};
use fs_err as fs;
use xshell::{Cmd, Shell, cmd};

use crate::paths::Paths;
use crate::process::Limits;
use crate::report::Findings;
use crate::{files, flags, process};

/// What makes the compiler count which branches run; stable options of rustc, which hands them to LLVM.
const COVERAGE: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
     -Cllvm-args=-sanitizer-coverage-trace-compares -Cdebug-assertions --cfg fuzzing";
/// Tells the program which target to run; without it, the program lists them.
const TARGET: &str = "PATHFORGE_FUZZ_TARGET";
/// Bytes of an input at most.
const LEN_MAX: u32 = 2000;
/// Seconds for one input, beyond which it hangs.
const INPUT_SECONDS: u32 = 60;
/// Bytes of an input that the tests keep, at most.
const KEPT_LEN_MAX: u32 = 300;
/// Seconds for each target unless told otherwise.
const SECONDS: u32 = 60;
/// Seconds for each target in a round of the gate.
const ROUND_SECONDS: u32 = 20;
/// The fuzzer ends by itself; the input that it is at may hang.
const ROUND_LIMITS: Limits =
    Limits::seconds(ROUND_SECONDS as u64 + 3 * INPUT_SECONDS as u64, 2 * INPUT_SECONDS as u64);
const BUILD_LIMITS: Limits = Limits::seconds(1800, 1800);

/// Looks into one target, or into each in turn, and tells what breaks.
pub fn run(paths: &Paths, options: &flags::Fuzz) -> Result<ExitCode> {
    let sh = paths.shell()?;
    let host = host(&sh)?;
    build(&sh, paths, &host).quiet().run()?;
    let program = program(paths, &host);
    let names = targets(&sh, &program)?;
    let chosen: Vec<&String> =
        names.iter().filter(|&name| options.target.as_ref().is_none_or(|target| target == name)).collect();
    let asked = options.target.as_deref().unwrap_or_default();
    ensure!(!chosen.is_empty(), "there is no target `{asked}`; there are {}", names.join(", "));
    let seconds = options.seconds.unwrap_or(SECONDS);
    let mut is_sound = true;
    for name in chosen {
        let folders = Folders::new(paths, "corpus", name)?;
        if options.keep {
            folders.keep(&sh, &program, name)?;
            continue;
        }
        println!("fuzz: {name}, {seconds} s");
        if let Err(error) = fuzzer(&sh, &program, name, &folders, seconds).quiet().run() {
            println!("{error}\n{}", folders.what_to_do(name));
            is_sound = false;
        }
    }
    Ok(if is_sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Looks into every target for [`ROUND_SECONDS`], as many at once as there are cores, from what the tests
/// keep and with seeds of its own each time.
pub fn round(paths: &Paths) -> Result<Findings> {
    if files::on_path("c++").is_none() {
        return Ok(Findings::skipped("libFuzzer is built with a C++ compiler, and there is no `c++`"));
    }
    let sh = paths.shell()?;
    let host = host(&sh)?;
    let built = process::watch(build(&sh, paths, &host), BUILD_LIMITS, &mut |_| ())?;
    if !built.succeeded() {
        return Ok(Findings::failed(format!("{}\n{}", built.ending(), built.tail(20).join("\n"))));
    }
    let program = program(paths, &host);
    let queue = Mutex::new(targets(&sh, &program)?.into_iter());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || -> Result<Findings> {
        let (sh, mut findings) = (Shell::new()?, Findings::default());
        while let Some(name) = next() {
            let folders = Folders::new(paths, "round", &name)?;
            let fuzzer = fuzzer(&sh, &program, &name, &folders, ROUND_SECONDS);
            let finished = process::watch(fuzzer, ROUND_LIMITS, &mut |_| ())?;
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
            sum.add(worker.join().map_err(|_| anyhow!("a worker of the fuzzing round panicked"))??);
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
    fn new(paths: &Paths, corpus: &str, name: &str) -> Result<Self> {
        let folders = Self {
            corpus: paths.target.join("fuzz").join(corpus).join(name),
            kept: paths.root.join("tests/data/fuzz").join(format!("{name}.corpus")),
            found: paths.target.join("fuzz/found").join(name),
        };
        if corpus == "round" {
            files::remove_dir(&folders.corpus)?;
        }
        fs::create_dir_all(&folders.corpus)?;
        fs::create_dir_all(&folders.found)?;
        if folders.kept.exists() {
            for (number, line) in fs::read_to_string(&folders.kept)?.lines().enumerate() {
                files::put(&folders.corpus.join(format!("kept-{number}")), &from_digits(line)?)?;
            }
        }
        Ok(folders)
    }

    /// Keeps the fewest short inputs that reach what the corpus reaches.
    fn keep(&self, sh: &Shell, program: &Path, name: &str) -> Result<()> {
        let (corpus, fewest) = (&self.corpus, self.corpus.with_extension("fewest"));
        files::remove_dir(&fewest)?;
        fs::create_dir_all(&fewest)?;
        let len_max = KEPT_LEN_MAX.to_string();
        cmd!(sh, "{program} -set_cover_merge=1 -max_len={len_max} {fewest} {corpus}")
            .env(TARGET, name)
            .ignore_stderr()
            .read()?;
        let mut lines = Vec::new();
        for file in fs::read_dir(&fewest)? {
            let digits: Vec<_> = fs::read(file?.path())?.iter().map(|byte| format!("{byte:02x}")).collect();
            lines.push(digits.concat());
        }
        lines.sort_by_key(|line| (line.len(), line.clone()));
        Ok(files::put(&self.kept, (lines.join("\n") + "\n").as_bytes())?)
    }

    fn what_to_do(&self, name: &str) -> String {
        let found = self.found.display();
        format!(
            "fuzz: {name} falls. The bytes are in {found}. Copied to tests/data/fuzz/{name}/, they are a test."
        )
    }
}

fn from_digits(line: &str) -> Result<Vec<u8>> {
    let byte = |at: usize| line.get(at..at + 2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
    let bytes: Option<Vec<u8>> = (0..line.len()).step_by(2).map(byte).collect();
    bytes.with_context(|| format!("`{line}` is not a list of hexadecimal bytes"))
}

/// The names of the targets, as the program lists them.
fn targets(sh: &Shell, program: &Path) -> Result<Vec<String>> {
    Ok(cmd!(sh, "{program}").read()?.lines().map(str::to_owned).collect())
}

/// The command that builds the program with counters in it, apart from everything else. That it names a
/// target keeps the counters out of build scripts.
fn build<'a>(sh: &'a Shell, paths: &Paths, host: &str) -> Cmd<'a> {
    let folder = paths.target.join("fuzz");
    let program = ["--package", "pathforge-tests", "--bin", "pathforge-fuzz", "--features", "libfuzzer"];
    cmd!(sh, "cargo build --release {program...} --target {host} --target-dir {folder}")
        .env("RUSTFLAGS", COVERAGE)
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
}

fn program(paths: &Paths, host: &str) -> PathBuf {
    paths.target.join("fuzz").join(host).join("release/pathforge-fuzz")
}

fn host(sh: &Shell) -> Result<String> {
    let said = cmd!(sh, "rustc -vV").read()?;
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("`rustc -vV` names no host")
}

fn fuzzer<'a>(sh: &'a Shell, program: &Path, name: &str, folders: &Folders, seconds: u32) -> Cmd<'a> {
    cmd!(sh, "{program} -print_final_stats=1 -print_funcs=0 -len_control=20")
        .env(TARGET, name)
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-max_len={LEN_MAX}"))
        .arg(format!("-timeout={INPUT_SECONDS}"))
        .arg(format!("-artifact_prefix={}/", folders.found.display()))
        .arg(&folders.corpus)
}
