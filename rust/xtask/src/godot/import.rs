//! A project's first step: Godot scans it, learns its classes and converts its resources.

use std::path::Path;

use anyhow::{Result, ensure};

use super::Godot;
use crate::files;
use crate::process::{Finished, Limits};

/// The extension's description inside a project that has the addon.
const EXTENSION: &str = "addons/pathforge/pathforge.gdextension";

/// Imports `project` and fails when Godot does.
pub fn import(godot: &Godot, project: &Path) -> Result<Finished> {
    if project.join(EXTENSION).is_file() {
        list_extension(project)?;
    }
    let finished = godot.run_headless(project, &["--import"], Limits::seconds(900, 600), &mut |_| ())?;
    ensure!(
        finished.succeeded(),
        "Godot cannot import {} ({}):\n  {}",
        project.display(),
        finished.ending(),
        finished.tail(30).join("\n  ")
    );
    Ok(finished)
}

/// Writes the list of extensions of a project that has the addon. Without it, the first import of a project
/// with an extension aborts when Godot ends (its issue 111048).
pub fn list_extension(project: &Path) -> Result<()> {
    let list = format!("res://{EXTENSION}\n");
    Ok(files::put(&project.join(".godot/extension_list.cfg"), list.as_bytes())?)
}
