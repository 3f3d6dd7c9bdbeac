//! Formatting and lints of the scripts, by gdtoolkit in a virtual environment under `target/`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::Context;
use crate::files;
use crate::problem::Outcome;
use crate::process::{self, Limits};
use crate::report::{Findings, Heartbeat};

/// The version that the scripts are formatted with; another one may disagree about a line break.
const TOOLKIT: &str = "gdtoolkit==4.5.0";
/// Where our scripts are.
const FOLDERS: [&str; 3] = ["addons", "demo_project", "tests/godot"];

/// Formatting.
pub fn gdformat(context: &Context<'_>) -> Outcome<Findings> {
    run(context, "gdformat", &["--check", "--line-length", "100"], "gdformat --line-length 100")
}

/// Lints; their settings are in `gdlintrc`.
pub fn gdlint(context: &Context<'_>) -> Outcome<Findings> {
    run(context, "gdlint", &[], "gdlint")
}

fn run(context: &Context<'_>, tool: &str, args: &[&str], retry: &str) -> Outcome<Findings> {
    let tools = match tools(context)? {
        Ok(tools) => tools,
        Err(reason) => return Ok(Findings::skipped(reason)),
    };
    let mut scripts = Vec::new();
    for folder in FOLDERS {
        collect(&context.paths.root, Path::new(folder), &mut scripts)?;
    }
    if scripts.is_empty() {
        return Ok(Findings::failed("no GDScript file was found"));
    }
    let program = tools.join(tool);
    let mut command = process::command(&program);
    command.current_dir(&context.paths.root).args(args).args(&scripts);
    let finished = process::watch(command, Limits::seconds(600, 600), &mut |_| ())?;
    if finished.succeeded() {
        return Ok(Findings::passed());
    }
    let program = program.strip_prefix(&context.paths.root).unwrap_or(&program).with_file_name(retry);
    let shown = finished.tail(60).join("\n");
    Ok(Findings::failed(format!("{shown}\ntry: {} {}", program.display(), FOLDERS.join(" "))))
}

/// The folder of gdtoolkit's programs, installed when it is not there, or why it cannot be.
fn tools(context: &Context<'_>) -> Outcome<Result<PathBuf, String>> {
    let venv = context.paths.target.join("gdtoolkit");
    let bin = venv.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let stamp = venv.join("installed");
    if files::read_text(&stamp).is_ok_and(|installed| installed == TOOLKIT) {
        return Ok(Ok(bin));
    }
    let Some(python) = ["python3", "python"].into_iter().find_map(files::on_path) else {
        return Ok(Err("Python is not here; install python3 with its venv module".to_owned()));
    };
    println!("    installing {TOOLKIT} under target/");
    let heartbeat = Heartbeat::start();
    files::remove_dir(&venv)?;
    let mut make = process::command(&python);
    make.args([OsStr::new("-m"), OsStr::new("venv"), venv.as_os_str()]);
    if !process::watch(make, Limits::seconds(300, 300), &mut |line| heartbeat.at(line))?.succeeded() {
        files::remove_dir(&venv)?;
        return Ok(
            Err("Python cannot make virtual environments; on Debian, install python3-venv".to_owned()),
        );
    }
    let mut install = process::command(bin.join("python"));
    install.args(["-m", "pip", "install", "--disable-pip-version-check", TOOLKIT]);
    let installed = process::watch(install, Limits::seconds(900, 300), &mut |line| heartbeat.at(line))?;
    if !installed.succeeded() {
        let shown = installed.tail(5).join("\n");
        return Ok(Err(format!("pip could not install {TOOLKIT} (is there a network?):\n{shown}")));
    }
    files::put(&stamp, TOOLKIT.as_bytes())?;
    Ok(Ok(bin))
}

/// Our scripts below `folder`: not Godot's caches and not the installed copies of the addon.
fn collect(root: &Path, folder: &Path, scripts: &mut Vec<PathBuf>) -> Outcome<()> {
    for name in files::names_in(&root.join(folder))? {
        let path = folder.join(&name);
        if root.join(&path).is_dir() {
            let is_copy = path.ends_with("addons/pathforge") && path != Path::new("addons/pathforge");
            if name != ".godot" && !is_copy {
                collect(root, &path, scripts)?;
            }
        } else if path.extension() == Some(OsStr::new("gd")) {
            scripts.push(path);
        }
    }
    Ok(())
}
