//! Tools that Python's package index has, each kind in a virtual environment of its own under `target/`.

use std::path::PathBuf;

use anyhow::Result;
use fs_err as fs;
use xshell::{Shell, cmd};

use crate::files;
use crate::paths::Paths;
use crate::process::{self, Limits};
use crate::report::Heartbeat;

/// The folder of the programs of `packages`, which are installed into `target/<name>` when they are not
/// there; or why they cannot be.
pub fn tools(paths: &Paths, name: &str, packages: &[&str]) -> Result<Result<PathBuf, String>> {
    let venv = paths.target.join(name);
    let bin = venv.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let (stamp, wanted) = (venv.join("installed"), packages.join(" "));
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(Ok(bin));
    }
    let Some(python) = ["python3", "python"].into_iter().find_map(files::on_path) else {
        return Ok(Err("Python is not here; install python3 with its venv module".to_owned()));
    };
    println!("    installing {wanted} under target/");
    let heartbeat = Heartbeat::start();
    files::remove_dir(&venv)?;
    let sh = Shell::new()?;
    let make = cmd!(sh, "{python} -m venv {venv}");
    if !process::watch(make, Limits::seconds(300, 300), &mut |line| heartbeat.at(line))?.succeeded() {
        files::remove_dir(&venv)?;
        return Ok(
            Err("Python cannot make virtual environments; on Debian, install python3-venv".to_owned()),
        );
    }
    let python = bin.join("python");
    let install = cmd!(sh, "{python} -m pip install --disable-pip-version-check {packages...}");
    let installed = process::watch(install, Limits::seconds(900, 300), &mut |line| heartbeat.at(line))?;
    if !installed.succeeded() {
        let shown = installed.tail(5).join("\n");
        return Ok(Err(format!("pip could not install {wanted} (is there a network?):\n{shown}")));
    }
    fs::write(&stamp, wanted)?;
    Ok(Ok(bin))
}
