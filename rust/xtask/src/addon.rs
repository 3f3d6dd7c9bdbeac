//! The library, built and put into the addon, and the addon put into our own Godot projects.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::files;
use crate::paths::Paths;
use crate::problem::{Outcome, While};
use crate::process;

/// The crate that is the library.
pub const PACKAGE: &str = "pathforge-godot";

/// Builds the library, puts it into `addons/pathforge/bin/` and refreshes the copies in the demo and test projects.
pub fn build(paths: &Paths, release: bool) -> Outcome<()> {
    process::run_in_view(cargo_build(paths, release))?;
    install(paths, release)
}

/// The command that compiles the library.
pub fn cargo_build(paths: &Paths, release: bool) -> Command {
    let mut cargo = process::command(Paths::cargo());
    cargo.current_dir(&paths.root).env("CARGO_TARGET_DIR", &paths.target).args([
        "build",
        "--package",
        PACKAGE,
    ]);
    if release {
        cargo.arg("--release");
    }
    cargo
}

/// Puts the library that was built last into the addon, and the addon into our projects.
pub fn install(paths: &Paths, release: bool) -> Outcome<()> {
    let profile = if release { "release" } else { "debug" };
    let built = paths.target.join(profile).join(library_of_cargo());
    let bytes = fs::read(&built).while_doing(|| format!("read the built library {}", built.display()))?;
    let addon = paths.addon();
    let installed = addon.join("bin").join(library_of_addon());
    files::put(&installed, &bytes)?;
    for project in [paths.demo_project(), paths.test_project()] {
        files::mirror(&addon, &project.join("addons/pathforge"))?;
    }
    println!(
        "{} ({profile}, {:.1} MB), copied into demo_project and tests/godot",
        within(&paths.root, &installed).display(),
        bytes.len() as f64 / 1e6
    );
    Ok(())
}

fn library_of_cargo() -> String {
    format!("{}pathforge_godot{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX)
}

/// The name that `pathforge.gdextension` has for this platform's library. Debug and release builds share it, because a
/// distribution's Godot counts as a debug build and would refuse an entry for release only.
pub fn library_of_addon() -> String {
    let arch = match env::consts::ARCH {
        "aarch64" => "arm64",
        arch => arch,
    };
    format!("libpathforge.{}.{arch}{}", env::consts::OS, env::consts::DLL_SUFFIX)
}

fn within(root: &Path, path: &Path) -> PathBuf {
    path.strip_prefix(root).unwrap_or(path).to_path_buf()
}
