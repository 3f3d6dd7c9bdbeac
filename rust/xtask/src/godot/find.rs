//! A Godot that the machine already has.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use xshell::{Shell, cmd};

use super::version::Version;
use crate::files;
use crate::process::{self, Limits};

/// `$GODOT`, else `godot` or `godot4` on PATH when it is new enough. A `$GODOT` that cannot be used is an
/// error and not passed over, because it was chosen.
pub fn on_this_machine() -> Result<Option<PathBuf>> {
    if let Some(chosen) = env::var_os("GODOT").filter(|value| !value.is_empty()) {
        let program = PathBuf::from(chosen);
        return match version_of(&program) {
            Ok(version) if version >= Version::MINIMUM => Ok(Some(program)),
            Ok(version) => Err(anyhow!(
                "GODOT={} is version {version}; PathForge needs {} or later",
                program.display(),
                Version::MINIMUM
            )),
            Err(problem) => Err(anyhow!(
                "GODOT={} cannot be used: {problem:#}.\n  What to do: set GODOT to the Godot program itself, or unset it",
                program.display()
            )),
        };
    }
    for name in ["godot", "godot4"] {
        let Some(program) = files::on_path(name) else { continue };
        match version_of(&program) {
            Ok(version) if version >= Version::MINIMUM => return Ok(Some(program)),
            Ok(version) => eprintln!(
                "xtask: passing over {}, which is version {version}; PathForge needs {} or later",
                program.display(),
                Version::MINIMUM
            ),
            Err(problem) => eprintln!("xtask: passing over {}: {problem:#}", program.display()),
        }
    }
    Ok(None)
}

/// What `program --version` says.
pub fn version_of(program: &Path) -> Result<Version> {
    let sh = Shell::new()?;
    let command = cmd!(sh, "{program} --headless --version");
    let finished = process::watch(command, Limits::seconds(120, 60), &mut |_| ())?;
    let said = finished.lines.join("\n");
    Version::parse(&said).with_context(|| format!("it does not say its version ({})", finished.ending()))
}
