//! `cargo xtask test everywhere`: the same results on other processors and systems, run on this machine.
//!
//! Each place compiles the tests for its target and runs three things there: the program that compares the
//! committed hashes, the program that exchanges saved bytes with the other places, and the laws. If the addon
//! has a library for it, that is loaded, too: by a host without an engine, and by Godot where there is one.
//! `$GODOT_WINDOWS` names a Godot for Windows, and `$GODOT_WEB_TEMPLATE` a template for the web: they run the
//! suites and play the demo, in Wine and in Chromium.

use std::path::{Path, PathBuf};

use anyhow::Result;
use fs_err as fs;
use xshell::{Shell, cmd};

use super::cargo::{check, run_tests};
use super::{Context, played};
use crate::files;
use crate::paths::Paths;
use crate::platform::{self, Lacking, Platform, Std};
use crate::process::{self, Limits};
use crate::progress::say;
use crate::report::Findings;

/// Where the tests run.
struct Place {
    name: &'static str,
    target: &'static str,
    runner: Runner,
    /// The addon's platform, and the demo's export preset for it.
    library: Option<(&'static str, &'static str)>,
}

/// What runs a place's programs.
#[derive(Clone, Copy)]
enum Runner {
    /// This machine, whose Linux runs programs of 32 bits, too.
    Itself,
    Qemu,
    Wine,
    Node,
}

const PLACES: [Place; 4] = [
    Place {
        name: "x86 of 32 bits",
        target: "i686-unknown-linux-musl",
        runner: Runner::Itself,
        library: None,
    },
    Place {
        name: "arm64",
        target: "aarch64-unknown-linux-musl",
        runner: Runner::Qemu,
        library: Some(("linux.arm64", "Linux arm64")),
    },
    Place {
        name: "Windows",
        target: "x86_64-pc-windows-gnu",
        runner: Runner::Wine,
        library: Some(("windows.x86_64", "Windows")),
    },
    Place {
        name: "WebAssembly",
        target: "wasm32-wasip1",
        runner: Runner::Node,
        library: Some(("web.wasm32", "Web without threads")),
    },
];
/// The tests that hold everywhere: those of the laws.
const TESTS: &str = "laws";
const PACKAGE: [&str; 4] = ["--profile", "optimised", "--package", "pathforge-tests"];
/// Loads a library as Godot does, without an engine.
const HOST: &str = include_str!("host.c");
/// For programs whose processor is emulated.
pub const SLOW: Limits = Limits::seconds(1800, 900);

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

/// Every place, after this machine has saved what they load; and this machine once more, which loads what
/// they saved.
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

/// What runs things at a place.
struct Tools {
    /// cargo, or what links for cargo.
    cargo: PathBuf,
    /// Options of cargo for the target.
    args: Vec<&'static str>,
    /// What runs the place's programs, if this machine does not.
    program: Option<PathBuf>,
}

impl Place {
    /// What builds for the place, with what runs its programs in the shell's environment; or what this
    /// machine lacks.
    fn tools(&self, sh: &Shell, paths: &Paths) -> Result<Result<Tools, Lacking>> {
        sh.set_var("CARGO_TARGET_DIR", &paths.target);
        let program = match self.runner {
            Runner::Itself => None,
            Runner::Qemu => Some(program(&["qemu-aarch64", "qemu-aarch64-static"], "qemu-user")),
            Runner::Wine => Some(program(&["wine64", "wine"], "wine64")),
            Runner::Node => Some(platform::node(paths)?),
        };
        let program = match program.transpose() {
            Ok(program) => program,
            Err(lacking) => return Ok(Err(lacking)),
        };
        let options = match platform::for_target(sh, paths, self.target, Std::Ready)? {
            Ok(options) => options,
            Err(lacking) => return Ok(Err(lacking)),
        };
        if !options.flags.is_empty() {
            sh.set_var("CARGO_ENCODED_RUSTFLAGS", options.flags.join("\x1f"));
        }
        // rustup's target for WebAssembly brings its linker.
        let links_itself = matches!(self.runner, Runner::Node) && options.flags.is_empty();
        let cargo = if links_itself { Ok("cargo".into()) } else { platform::zig(sh, paths)? };
        let cargo = match cargo {
            Ok(cargo) => cargo,
            Err(lacking) => return Ok(Err(lacking)),
        };
        let folder = paths.scratch().join("everywhere");
        if let Some(program) = &program {
            let mut runner = program.display().to_string();
            if matches!(self.runner, Runner::Wine) {
                make_random_bytes(sh, &folder)?;
                for (name, value) in played::wine_variables(&folder) {
                    sh.set_var(name, value);
                }
            } else if matches!(self.runner, Runner::Node) {
                let script = folder.join("wasi.mjs");
                files::put(&script, WASI.as_bytes())?;
                runner = format!("{runner} --no-warnings {}", script.display());
            }
            let variable = self.target.to_uppercase().replace('-', "_");
            sh.set_var(format!("CARGO_TARGET_{variable}_RUNNER"), runner);
        }
        Ok(Ok(Tools { cargo, args: options.args, program }))
    }

    /// The digests, the saves and the laws, and the addon's library.
    fn run(&self, context: &Context<'_>, saves: &Path) -> Result<Findings> {
        let sh = context.paths.shell()?;
        let tools = match self.tools(&sh, context.paths)? {
            Ok(tools) => tools,
            Err(lacking) => {
                return Ok(Findings::skipped(format!("{}: this machine lacks {lacking}", self.name)));
            }
        };
        let Tools { cargo, args, .. } = &tools;
        let target = self.target;
        let retry = format!("cargo xtask test everywhere ({})", self.name);
        let hashes = context.paths.root.join("tests/data/digests.txt"); // Whole: WASI knows no current folder.
        let digests =
            cmd!(sh, "{cargo} run {args...} {PACKAGE...} --target {target} --bin digests -- {hashes}");
        let mut findings = check(context, &format!("digests {target}"), digests, &retry)?;
        let exchange =
            cmd!(sh, "{cargo} run {args...} {PACKAGE...} --target {target} --bin saves -- {saves} {target}");
        findings.add(check(context, &format!("saves {target}"), exchange, &retry)?);
        let skipped: &[&str] = match self.runner {
            Runner::Node => &["--", "--skip", "thread"], // WASI has none, and a panic there ends the program.
            _ => &[],
        };
        let laws =
            cmd!(sh, "{cargo} test {args...} {PACKAGE...} --target {target} --test {TESTS} {skipped...}");
        findings.add(run_tests(context, &format!("laws {target}"), laws, &retry)?);
        if let Some((name, preset)) = self.library
            && let Some(platform) = Platform::of_name(name)
        {
            findings.add(self.load(context, &sh, &tools, platform, preset)?);
        }
        Ok(findings)
    }

    /// Builds the addon's library as players get it, exports the demo with it, and has it loaded.
    fn load(
        &self,
        context: &Context<'_>,
        sh: &Shell,
        tools: &Tools,
        platform: &Platform,
        preset: &str,
    ) -> Result<Findings> {
        let library = match platform.build(context.paths)? {
            Ok(library) => library,
            Err(lacking) => return Ok(Findings::skipped(format!("{}: {lacking}", platform.name))),
        };
        if matches!(self.runner, Runner::Node) {
            return played::in_browser(context, platform, preset, &library);
        }
        let mut findings = played::export(context, platform, preset, &library)?;
        let Some(emulator) = &tools.program else { return Ok(findings) };
        if matches!(self.runner, Runner::Wine) {
            let host = make_host(sh, context.paths, "x86_64-windows-gnu", "host.exe")?;
            // By its name, in the host's folder: the emulated system has other paths.
            files::put(&host.with_file_name(platform.library()), &fs::read(&library)?)?;
            sh.change_dir(host.with_file_name(""));
            let name = platform.library();
            findings.add(judge_host(context, platform, cmd!(sh, "{emulator} host.exe {name}"))?);
            findings.add(played::in_wine(context, emulator, platform, &library)?);
            return Ok(findings);
        }
        match crate::godot::locate_arm64(context.paths, emulator) {
            Ok((godot, start)) => {
                let host = make_host(sh, context.paths, "aarch64-linux-gnu", "host.arm64")?;
                findings.add(judge_host(context, platform, sh.cmd(start).arg(host).arg(&library))?);
                findings.add(played::suites(context, &godot, platform, &library, &["--", played::SMOKE])?);
            }
            Err(error) => findings.add(Findings::skipped(format!("{}: {error:#}", platform.name))),
        }
        Ok(findings)
    }
}

/// The host, compiled for a target as Zig names it. cargo-zigbuild's environment is in the shell.
fn make_host(sh: &Shell, paths: &Paths, target: &str, name: &str) -> Result<PathBuf> {
    let folder = paths.scratch().join("everywhere");
    let (source, program) = (folder.join("host.c"), folder.join(name));
    files::put(&source, HOST.as_bytes())?;
    cmd!(sh, "python -m ziglang cc -target {target} -o {program} {source}").quiet().run()?;
    Ok(program)
}

/// Right when the host comes to its end, and every class of the addon has registered.
fn judge_host(context: &Context<'_>, platform: &Platform, command: xshell::Cmd<'_>) -> Result<Findings> {
    let finished = process::watch(command, SLOW, &mut |_| ())?;
    let log = context.keep_log(&format!("host {}", platform.name), &finished);
    let description = fs::read_to_string(context.paths.addon().join("pathforge.gdextension"))?;
    let (_, icons) = description.split_once("[icons]").unwrap_or_default();
    let classes = icons.lines().filter_map(|line| line.split_once(" = ")).map(|(class, _)| class);
    let has = |line: &str| finished.lines.iter().any(|said| said == line);
    let missing: Vec<&str> = classes.filter(|class| !has(&format!("class {class}"))).collect();
    if finished.succeeded() && missing.is_empty() && has("ended") {
        return Ok(Findings::passed());
    }
    let (name, ending, said) = (platform.name, finished.ending(), finished.tail(20).join("\n  "));
    Ok(Findings::failed(format!(
        "a host cannot use the library for {name} ({ending}); classes that did not register: {missing:?}\n  {said}\n\
         the whole output: {log}"
    )))
}

/// The first of the programs that is on the PATH.
pub fn program(names: &[&str], package: &str) -> Result<PathBuf, Lacking> {
    let others = ["/usr/lib/wine"]; // Debian's, which puts its programs there.
    let known = names.iter().filter_map(|name| files::on_path(name));
    let known =
        known.chain(others.iter().flat_map(|folder| names.iter().map(|name| Path::new(folder).join(name))));
    let mut known = known.filter(|program| program.is_file());
    known
        .next()
        .ok_or_else(|| Lacking(format!("{}: install Debian's package {package}, or this system's", names[0])))
}

/// Builds the stand-in for Wine's missing library, among those of Wine's folder. cargo-zigbuild's environment
/// is in the shell.
fn make_random_bytes(sh: &Shell, folder: &Path) -> Result<()> {
    let system = folder.join("wine/drive_c/windows/system32");
    let (source, library) = (folder.join("random_bytes.c"), system.join("bcryptprimitives.dll"));
    if library.is_file() {
        return Ok(());
    }
    fs::create_dir_all(system)?;
    files::put(&source, RANDOM_BYTES.as_bytes())?;
    let compile =
        cmd!(sh, "python -m ziglang cc -target x86_64-windows-gnu -shared -o {library} {source} -ladvapi32");
    Ok(compile.quiet().run()?)
}
