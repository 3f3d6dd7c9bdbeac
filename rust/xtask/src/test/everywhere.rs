//! `cargo xtask test everywhere`: the same results on other processors and systems, run on this machine.
//!
//! Each place compiles the tests for its target and runs three things there: the program that compares the committed hashes, the
//! one that exchanges saved bytes with the other places, and the laws.

use std::path::{Path, PathBuf};

use anyhow::Result;
use fs_err as fs;
use xshell::{Shell, cmd};

use super::Context;
use super::cargo::{check, run_tests};
use crate::files;
use crate::paths::Paths;
use crate::platform::{Lacking, rust_targets, zig};
use crate::progress::say;
use crate::report::Findings;

/// Where the tests run.
struct Place {
    name: &'static str,
    target: &'static str,
    runner: Runner,
}

/// What runs a place's programs.
enum Runner {
    /// This machine itself, whose Linux runs programs of 32 bits, too.
    Itself,
    Qemu,
    Wine,
    Node,
}

const PLACES: [Place; 4] = [
    Place { name: "x86 of 32 bits", target: "i686-unknown-linux-musl", runner: Runner::Itself },
    Place { name: "arm64", target: "aarch64-unknown-linux-musl", runner: Runner::Qemu },
    Place { name: "Windows", target: "x86_64-pc-windows-gnu", runner: Runner::Wine },
    Place { name: "WebAssembly", target: "wasm32-wasip1", runner: Runner::Node },
];
/// The tests that hold everywhere: those of the laws.
const TESTS: &str = "laws";
const PACKAGE: [&str; 4] = ["--profile", "optimised", "--package", "pathforge-tests"];

/// Wine 8 has no `bcryptprimitives.dll`, from which Rust's standard library takes random bytes.
const RANDOM_BYTES: &str = "\
#include <stddef.h>
__declspec(dllimport) unsigned char SystemFunction036(void *bytes, unsigned long count);
__declspec(dllexport) int ProcessPrng(unsigned char *bytes, size_t count) { return SystemFunction036(bytes, count); }
";
/// Node, as the runner of a program for WASI: it sees the files that the program's user sees.
const WASI: &str = r#"import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [program, ...args] = process.argv.slice(2);
const preopens = { ".": process.cwd(), "/": "/" };
const wasi = new WASI({ version: "preview1", args: [program, ...args], env: process.env, preopens });
const module = await WebAssembly.compile(await readFile(program));
process.exit(wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject())));
"#;

/// Every place, after this machine has saved what they load; and this machine once more, which loads what they saved.
pub fn places(context: &Context<'_>) -> Result<Findings> {
    let saves = context.paths.scratch().join("saves");
    files::remove_dir(&saves)?;
    fs::create_dir_all(&saves)?;
    let here = || -> Result<Findings> {
        let run = context.sh.cmd("cargo").arg("run").args(PACKAGE).args(["--bin", "saves", "--"]);
        check(
            context,
            "saves",
            run.arg(&saves).arg("here"),
            "cargo run --package pathforge-tests --bin saves",
        )
    };
    let mut findings = here()?;
    for place in &PLACES {
        say(format_args!("{}: {}", place.name, place.target));
        findings.add(place.run(context, &saves)?);
    }
    findings.add(here()?);
    Ok(findings)
}

impl Place {
    /// cargo as it builds for the place, with what runs its programs in the shell's environment; or what this machine lacks.
    fn cargo(&self, sh: &Shell, paths: &Paths) -> Result<Result<PathBuf, Lacking>> {
        if let Err(lacking) = rust_targets(sh, &[self.target])? {
            return Ok(Err(lacking));
        }
        sh.set_var("CARGO_TARGET_DIR", &paths.target);
        let cargo = match self.runner {
            Runner::Node => Ok("cargo".into()), // The target brings its linker.
            _ => zig(sh, paths)?,
        };
        let runner = match self.runner {
            Runner::Itself => return Ok(cargo),
            Runner::Qemu => program(&["qemu-aarch64", "qemu-aarch64-static"], "qemu-user"),
            Runner::Wine => program(&["wine64", "wine"], "wine64"),
            Runner::Node => program(&["node", "nodejs"], "nodejs"),
        };
        let runner = match runner {
            Ok(runner) => runner.display().to_string(),
            Err(lacking) => return Ok(Err(lacking)),
        };
        let folder = paths.scratch().join("everywhere");
        let runner = match self.runner {
            Runner::Wine => {
                make_random_bytes(sh, &folder)?;
                sh.set_var("WINEPREFIX", folder.join("wine"));
                sh.set_var("WINEPATH", &folder);
                sh.set_var("WINEDEBUG", "-all");
                sh.set_var("WINEDLLOVERRIDES", "mscoree=;mshtml=");
                runner
            }
            Runner::Node => {
                let script = folder.join("wasi.mjs");
                files::put(&script, WASI.as_bytes())?;
                format!("{runner} --no-warnings {}", script.display())
            }
            _ => runner,
        };
        let variable = self.target.to_uppercase().replace('-', "_");
        sh.set_var(format!("CARGO_TARGET_{variable}_RUNNER"), runner);
        Ok(cargo)
    }

    /// The digests, the saves and the laws.
    fn run(&self, context: &Context<'_>, saves: &Path) -> Result<Findings> {
        let sh = context.paths.shell()?;
        let cargo = match self.cargo(&sh, context.paths)? {
            Ok(cargo) => cargo,
            Err(lacking) => {
                return Ok(Findings::skipped(format!("{}: this machine lacks {lacking}", self.name)));
            }
        };
        let target = self.target;
        let retry = format!("cargo xtask test everywhere ({})", self.name);
        let hashes = context.paths.root.join("tests/data/digests.txt"); // Whole: WASI knows no current folder.
        let digests = cmd!(sh, "{cargo} run {PACKAGE...} --target {target} --bin digests -- {hashes}");
        let mut findings = check(context, &format!("digests {target}"), digests, &retry)?;
        let exchange = cmd!(sh, "{cargo} run {PACKAGE...} --target {target} --bin saves -- {saves} {target}");
        findings.add(check(context, &format!("saves {target}"), exchange, &retry)?);
        let skipped: &[&str] = match self.runner {
            Runner::Node => &["--", "--skip", "thread"], // WASI has none, and a panic there ends the program.
            _ => &[],
        };
        let laws = cmd!(sh, "{cargo} test {PACKAGE...} --target {target} --test {TESTS} {skipped...}");
        findings.add(run_tests(context, &format!("laws {target}"), laws, &retry)?);
        Ok(findings)
    }
}

/// The first of the programs that is on the PATH.
fn program(names: &[&str], package: &str) -> Result<PathBuf, Lacking> {
    let others = ["/usr/lib/wine"]; // Debian's, which puts its programs there.
    let known = names.iter().filter_map(|name| files::on_path(name));
    let known =
        known.chain(others.iter().flat_map(|folder| names.iter().map(|name| Path::new(folder).join(name))));
    let mut known = known.filter(|program| program.is_file());
    known
        .next()
        .ok_or_else(|| Lacking(format!("{}: install Debian's package {package}, or this system's", names[0])))
}

/// Builds the stand-in for Wine's missing library into the folder. cargo-zigbuild's environment is in the shell.
fn make_random_bytes(sh: &Shell, folder: &Path) -> Result<()> {
    let (source, library) = (folder.join("random_bytes.c"), folder.join("bcryptprimitives.dll"));
    if library.is_file() {
        return Ok(());
    }
    files::put(&source, RANDOM_BYTES.as_bytes())?;
    let compile =
        cmd!(sh, "python -m ziglang cc -target x86_64-windows-gnu -shared -o {library} {source} -ladvapi32");
    Ok(compile.quiet().run()?)
}
