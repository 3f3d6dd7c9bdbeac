//! Formatting and lints of the scripts, by gdtoolkit in a virtual environment under `target/`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::Result;
use fs_err as fs;
use walkdir::{DirEntry, WalkDir};
use xshell::cmd;

use super::Context;
use crate::files;
use crate::process::{self, Limits};
use crate::report::{Findings, Heartbeat};

/// The version that the scripts are formatted with; another one may disagree about a line break.
const TOOLKIT: &str = "gdtoolkit==4.5.0";
/// Where our scripts are.
const FOLDERS: [&str; 3] = ["addons", "demo_project", "tests/godot"];

/// Formatting.
pub fn gdformat(context: &Context<'_>) -> Result<Findings> {
    run(context, "gdformat", &["--check", "--line-length", "100"], "gdformat --line-length 100")
}

/// Lints; their settings are in `gdlintrc`.
pub fn gdlint(context: &Context<'_>) -> Result<Findings> {
    run(context, "gdlint", &[], "gdlint")
}

fn run(context: &Context<'_>, tool: &str, args: &[&str], retry: &str) -> Result<Findings> {
    let tools = match tools(context)? {
        Ok(tools) => tools,
        Err(reason) => return Ok(Findings::skipped(reason)),
    };
    let scripts = scripts(&context.paths.root)?;
    if scripts.is_empty() {
        return Ok(Findings::failed("no GDScript file was found"));
    }
    let (sh, program) = (&context.sh, tools.join(tool));
    let command = cmd!(sh, "{program} {args...} {scripts...}");
    let finished = process::watch(command, Limits::seconds(600, 600), &mut |_| ())?;
    if finished.succeeded() {
        return Ok(Findings::passed());
    }
    let program = program.strip_prefix(&context.paths.root).unwrap_or(&program).with_file_name(retry);
    let shown = finished.tail(60).join("\n");
    Ok(Findings::failed(format!("{shown}\ntry: {} {}", program.display(), FOLDERS.join(" "))))
}

/// The folder of gdtoolkit's programs, installed when it is not there, or why it cannot be.
fn tools(context: &Context<'_>) -> Result<Result<PathBuf, String>> {
    let venv = context.paths.target.join("gdtoolkit");
    let bin = venv.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let stamp = venv.join("installed");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == TOOLKIT) {
        return Ok(Ok(bin));
    }
    let Some(python) = ["python3", "python"].into_iter().find_map(files::on_path) else {
        return Ok(Err("Python is not here; install python3 with its venv module".to_owned()));
    };
    println!("    installing {TOOLKIT} under target/");
    let heartbeat = Heartbeat::start();
    files::remove_dir(&venv)?;
    let sh = &context.sh;
    let make = cmd!(sh, "{python} -m venv {venv}");
    if !process::watch(make, Limits::seconds(300, 300), &mut |line| heartbeat.at(line))?.succeeded() {
        files::remove_dir(&venv)?;
        return Ok(
            Err("Python cannot make virtual environments; on Debian, install python3-venv".to_owned()),
        );
    }
    let python = bin.join("python");
    let install = cmd!(sh, "{python} -m pip install --disable-pip-version-check {TOOLKIT}");
    let installed = process::watch(install, Limits::seconds(900, 300), &mut |line| heartbeat.at(line))?;
    if !installed.succeeded() {
        let shown = installed.tail(5).join("\n");
        return Ok(Err(format!("pip could not install {TOOLKIT} (is there a network?):\n{shown}")));
    }
    fs::write(&stamp, TOOLKIT)?;
    Ok(Ok(bin))
}

/// Our scripts: neither in Godot's caches nor in the installed copies of the addon.
fn scripts(root: &Path) -> Result<Vec<PathBuf>> {
    let addon = root.join("addons/pathforge");
    let is_ours = |entry: &DirEntry| {
        let is_copy = entry.path().ends_with("addons/pathforge") && entry.path() != addon;
        entry.file_name() != ".godot" && !is_copy
    };
    let mut scripts = Vec::new();
    for folder in FOLDERS {
        for entry in WalkDir::new(root.join(folder)).sort_by_file_name().into_iter().filter_entry(is_ours) {
            let path = entry?.into_path();
            if path.extension() == Some(OsStr::new("gd")) {
                scripts.push(path.strip_prefix(root)?.to_path_buf());
            }
        }
    }
    Ok(scripts)
}
