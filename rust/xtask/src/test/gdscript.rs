//! Formatting and lints of the scripts, by gdtoolkit in a virtual environment under `target/`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use walkdir::{DirEntry, WalkDir};
use xshell::cmd;

use super::Context;
use crate::process::{self, Limits};
use crate::python;
use crate::report::Findings;

/// The version that the scripts are formatted with; another one may disagree about a line break.
const TOOLKIT: &str = "gdtoolkit==4.5.0";
/// Where our scripts are.
const FOLDERS: [&str; 4] = ["addons", "demo_project", "tests/demo", "tests/godot"];

/// Formatting.
pub fn gdformat(context: &Context<'_>) -> Result<Findings> {
    run(context, "gdformat", &["--check", "--line-length", "100"], "gdformat --line-length 100")
}

/// Lints; their settings are in `gdlintrc`.
pub fn gdlint(context: &Context<'_>) -> Result<Findings> {
    run(context, "gdlint", &[], "gdlint")
}

impl Context<'_> {
    /// The folder of the toolkit's programs, or why it cannot be set up.
    fn gdtoolkit(&self) -> Result<Arc<Result<PathBuf, String>>> {
        self.shared.gdtoolkit.get(|| python::tools(self.paths, "gdtoolkit", &[TOOLKIT]))
    }
}

fn run(context: &Context<'_>, tool: &str, args: &[&str], retry: &str) -> Result<Findings> {
    let tools = match context.gdtoolkit()?.as_ref() {
        Ok(tools) => tools.clone(),
        Err(reason) => return Ok(Findings::skipped(reason.clone())),
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
