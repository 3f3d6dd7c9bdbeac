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
    library_name(env::consts::OS, env::consts::ARCH, env::consts::DLL_SUFFIX)
}

fn library_name(os: &str, arch: &str, suffix: &str) -> String {
    match (os, arch) {
        // One file for both processors, as releases have it; a build of one's own holds its own.
        ("macos", _) => format!("libpathforge.macos{suffix}"),
        (_, "aarch64") => format!("libpathforge.{os}.arm64{suffix}"),
        _ => format!("libpathforge.{os}.{arch}{suffix}"),
    }
}

fn within(root: &Path, path: &Path) -> PathBuf {
    path.strip_prefix(root).unwrap_or(path).to_path_buf()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_names_every_library_that_can_be_built() {
        let description = include_str!("../../../addons/pathforge/pathforge.gdextension");
        for (os, arch, suffix) in [
            ("linux", "x86_64", ".so"),
            ("linux", "aarch64", ".so"),
            ("windows", "x86_64", ".dll"),
            ("macos", "x86_64", ".dylib"),
            ("macos", "aarch64", ".dylib"),
        ] {
            let name = library_name(os, arch, suffix);
            assert!(description.contains(&format!("/bin/{name}\"")), "{name}");
        }
        assert!(description.contains(&library_of_addon()), "this machine's");
    }

    #[test]
    fn the_release_builds_every_library_that_the_extension_names() {
        let description = include_str!("../../../addons/pathforge/pathforge.gdextension");
        let release = include_str!("../../../.github/workflows/release.yml");
        let names = description.lines().filter_map(|line| line.split_once("/bin/")?.1.strip_suffix('"'));
        let mut count = 0;
        for name in names {
            assert!(release.contains(&format!("as: {name}\n")), "{name}");
            count += 1;
        }
        assert!(count >= 7);
    }
}
