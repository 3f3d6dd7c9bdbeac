//! The library, built and put into the addon, and the addon put into our own Godot projects.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::Result;
use fs_err as fs;
use xshell::{Cmd, Shell, cmd};

use crate::files;
use crate::paths::Paths;
use crate::platform::Platform;
use crate::progress::say;

/// The crate that is the library.
pub const PACKAGE: &str = "pathforge-godot";
/// Where the addon is in a game, and in this repository.
const FOLDER: &str = "addons/pathforge";
/// The folder of its libraries.
const BIN: &str = "bin";

/// Builds the library and puts it where [`install`] does.
pub fn build(paths: &Paths, release: bool) -> Result<()> {
    cargo_build(&paths.shell()?, paths, release).quiet().run()?;
    install(paths, release, &[paths.demo_project(), paths.test_project()])
}

/// What rustc is told for a library for users. What it takes to unwind a function with a frame pointer is
/// half as long: 450 KB of 6.5 MB. Searches take 1 to 3 % longer for the register.
pub const RELEASE_FLAGS: &str = "-Cforce-frame-pointers=yes";

/// The command that compiles the library.
pub fn cargo_build<'a>(sh: &'a Shell, paths: &Paths, release: bool) -> Cmd<'a> {
    let options = if release { [&["--release"], &features("threads")[..]].concat() } else { Vec::new() };
    let command =
        cmd!(sh, "cargo build --package {PACKAGE} {options...}").env("CARGO_TARGET_DIR", &paths.target);
    if release { command.env("RUSTFLAGS", RELEASE_FLAGS) } else { command }
}

/// What cargo is told of the features of a library for users: these, and not the help, which lies beside it
/// in files.
pub const fn features(names: &str) -> [&str; 3] {
    ["--no-default-features", "--features", names]
}

/// Puts the library that was built last and the addon into these projects. A release build goes into
/// `addons/pathforge/bin/` as well, and stripped; a debug build never does, since users copy that folder into
/// their games.
pub fn install(paths: &Paths, release: bool, projects: &[PathBuf]) -> Result<()> {
    let profile = if release { "release" } else { "debug" };
    let library = paths.target.join(profile).join(library_of_cargo());
    let bytes = if release { stripped(paths, &library)? } else { fs::read(library)? };
    spread(paths, profile, &bytes, projects)
}

/// A library without what only a debugger needs. The library itself keeps it: with it, addresses of a crash
/// report become lines.
fn stripped(paths: &Paths, library: &Path) -> Result<Vec<u8>> {
    if cfg!(windows) {
        return Ok(fs::read(library)?); // It lies in a file of its own there.
    }
    let copy = paths.scratch().join("stripped").join(library_of_cargo());
    files::put(&copy, &fs::read(library)?)?;
    let sh = Shell::new()?;
    let what = if cfg!(target_os = "macos") { "-x" } else { "--strip-all" };
    cmd!(sh, "strip {what} {copy}").quiet().run()?;
    Ok(fs::read(copy)?)
}

/// Puts a library where [`install`] says.
fn spread(paths: &Paths, profile: &str, bytes: &[u8], projects: &[PathBuf]) -> Result<()> {
    let mut folders: Vec<PathBuf> = projects.iter().map(|project| project.join(FOLDER)).collect();
    for copy in &folders {
        files::mirror_except(&paths.addon(), copy, &[BIN])?;
    }
    if profile == "release" {
        folders.push(paths.addon());
    }
    let library = library_of_addon();
    for folder in &folders {
        files::put(&folder.join(BIN).join(&library), bytes)?;
    }
    let within = folders.iter().map(|folder| folder.strip_prefix(&paths.root).unwrap_or(folder));
    let places: Vec<String> = within.map(|folder| folder.display().to_string()).collect();
    let megabytes = bytes.len() as f64 / 1e6;
    say(format_args!("{library} ({profile}, {megabytes:.1} MB) is in {}", places.join(", ")));
    Ok(())
}

fn library_of_cargo() -> String {
    format!("{}pathforge_godot{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX)
}

/// The name of this platform's library in the addon.
pub fn library_of_addon() -> String {
    let library = |platform: &Platform| platform.library();
    // Elsewhere one can build it, and name it in `pathforge.gdextension`.
    Platform::of_this_machine().map_or_else(library_of_cargo, library)
}

/// A copy of one of our projects. The editor rewrites files of the project that it has open. Other steps run
/// the project meanwhile, the demo on another build of the library.
pub fn copy_with_debug_build(paths: &Paths, project: &Path, name: &str) -> Result<PathBuf> {
    let copy = paths.scratch().join(name);
    files::mirror_except(project, &copy, &[".godot", "addons"])?;
    install(paths, false, std::slice::from_ref(&copy))?;
    Ok(copy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_release_builds_go_where_users_copy_from() {
        let root = env::temp_dir().join(format!("pathforge-install-{}", std::process::id()));
        let paths = Paths { target: root.join("target"), root };
        let library = |folder: PathBuf| fs::read(folder.join(BIN).join(library_of_addon())).ok();
        files::put(&paths.addon().join("plugin.cfg"), b"").unwrap();
        let projects = [paths.demo_project(), paths.test_project()];
        let copies = projects.clone().map(|project| project.join(FOLDER));

        spread(&paths, "debug", b"debug", &projects).unwrap();
        assert_eq!(library(paths.addon()), None);
        spread(&paths, "release", b"release", &projects).unwrap();
        assert_eq!(library(paths.addon()).unwrap(), b"release");
        assert!(copies.iter().all(|copy| library(copy.clone()).unwrap() == b"release"));
        spread(&paths, "debug", b"debug", &projects).unwrap();
        assert_eq!(library(paths.addon()).unwrap(), b"release");
        assert!(copies.iter().all(|copy| library(copy.clone()).unwrap() == b"debug"));
        assert!(copies.iter().all(|copy| copy.join("plugin.cfg").is_file()));
        spread(&paths, "release", b"release", &projects[..1]).unwrap();
        assert_eq!(library(copies[1].clone()).unwrap(), b"debug");
        fs::remove_dir_all(&paths.root).unwrap();
    }
}
