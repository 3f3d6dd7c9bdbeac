//! A private copy of Godot, with what it takes to draw without a screen, from Debian's packages.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::{find, launcher, nowhere};
use crate::debian::{Packages, Sysroot};
use crate::files;

/// Godot, an X server that needs no screen, and Mesa's software renderer.
const GODOT: Packages = Packages {
    name: "Godot",
    wanted: &[
        "godot",
        "xvfb",
        "xkb-data",
        "x11-xkb-utils",
        "libgl1",
        "libgl1-mesa-dri",
        "libglx-mesa0",
        "libegl-mesa0",
    ],
    processor: None,
    recipe: "1",
    megabytes: (170, 550),
};

/// Godot for another processor, without a screen.
const GODOT_ARM64: Packages = Packages {
    name: "Godot for arm64",
    wanted: &["godot"],
    processor: Some("arm64"),
    recipe: "1",
    megabytes: (100, 480),
};

/// Sets up a Godot for arm64, which `emulator` runs. Returns the scripts that start it, and any program of
/// its system.
pub fn ensure_arm64(dir: &Path, emulator: &Path) -> Result<(PathBuf, PathBuf)> {
    let (launcher, start) = (dir.join("godot.sh"), dir.join("start.sh"));
    let write = |sysroot: &Sysroot| -> Result<String> {
        let (emulator, loader, folders) =
            (emulator.display(), sysroot.loader.display(), sysroot.loader_folders());
        let script = format!("#!/bin/sh\nexec '{emulator}' '{loader}' --library-path '{folders}' \"$@\"\n");
        files::put_program(&start, script.as_bytes())?;
        let godot = sysroot.root.join("usr/bin/godot");
        let script = format!("#!/bin/sh\nexec '{}' '{}' \"$@\"\n", start.display(), godot.display());
        files::put_program(&launcher, script.as_bytes())?;
        Ok(find::version_of(&launcher)?.to_string())
    };
    GODOT_ARM64.ensure(dir, &write)?;
    Ok((launcher, start))
}

/// Sets the private copy up if it is not there, and returns it.
pub fn ensure(dir: &Path) -> Result<Sysroot> {
    let version = |sysroot: &Sysroot| -> Result<String> {
        Ok(find::version_of(&launcher::for_sysroot(dir, sysroot)?)?.to_string())
    };
    GODOT.ensure(dir, &version).map_err(|error| nowhere(&format!("{error:#}")))
}
