//! Godot: found on the machine or set up under `target/`, and started.

mod find;
mod import;
mod install;
mod launcher;
mod template;
pub mod version;

pub use import::list_extension;

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Error, Result, anyhow};
use fs_err as fs;
use xshell::{Cmd, Shell, cmd};

use crate::debian::Sysroot;
use crate::paths::Paths;
use crate::process::{self, Finished, Limits};

/// Names a Godot for Windows, for machines that have Wine.
pub const WINDOWS: &str = "GODOT_WINDOWS";

/// Names a template for the web without threads, for machines that have Chromium.
pub const WEB: &str = "GODOT_WEB_TEMPLATE";

/// A Godot that can be started.
#[derive(Debug)]
pub struct Godot {
    /// Where its scripts and its private home are.
    dir: PathBuf,
    /// Starts Godot and hands on the arguments.
    launcher: PathBuf,
    /// The packages that it came in, when it is the private copy.
    sysroot: Option<Sysroot>,
}

/// Finds Godot, or sets up a private copy (see the design: `$GODOT`, PATH, then Debian's newer suite).
pub fn locate(paths: &Paths) -> Result<Godot> {
    let dir = paths.godot();
    if let Some(program) = find::on_this_machine()? {
        let launcher = launcher::for_program(&dir, &program)?;
        return Ok(Godot { dir, launcher, sysroot: None });
    }
    let sysroot = install::ensure(&dir)?;
    let launcher = launcher::for_sysroot(&dir, &sysroot)?;
    Ok(Godot { dir, launcher, sysroot: Some(sysroot) })
}

/// A Godot for arm64 that `emulator` runs, and a script that starts any program as it is started.
pub fn locate_arm64(paths: &Paths, emulator: &Path) -> Result<(Godot, PathBuf)> {
    let dir = paths.target.join("godot-arm64");
    let (launcher, start) = install::ensure_arm64(&dir, emulator)?;
    Ok((Godot { dir, launcher, sysroot: None }, start))
}

/// The Godot for Windows that `$GODOT_WINDOWS` names, which Wine runs with these variables; `None` if none
/// is named.
pub fn locate_windows(paths: &Paths, wine: &Path, variables: &[(&str, String)]) -> Result<Option<Godot>> {
    let Some(program) = env::var_os(WINDOWS).filter(|value| !value.is_empty()) else { return Ok(None) };
    let dir = paths.target.join("godot-windows");
    let launcher = launcher::for_wine(&dir, wine, Path::new(&program), variables)?;
    Ok(Some(Godot { dir, launcher, sysroot: None }))
}

/// What plays games that were exported for the web, and the template of `$GODOT_WEB_TEMPLATE`; `None` if none
/// is named.
pub fn locate_web(paths: &Paths, node: &Path, chromium: &Path) -> Result<Option<(Godot, PathBuf)>> {
    let Some(template) = web_template()? else { return Ok(None) };
    let dir = paths.target.join("godot-web");
    let launcher = launcher::for_browser(&dir, node, chromium)?;
    Ok(Some((Godot { dir, launcher, sysroot: None }, template)))
}

/// The template that `$GODOT_WEB_TEMPLATE` names.
pub fn web_template() -> Result<Option<PathBuf>> {
    Ok(env::var_os(WEB).filter(|value| !value.is_empty()).map(fs::canonicalize).transpose()?)
}

impl Godot {
    /// The script that starts Godot, for programs that start it themselves.
    pub fn launcher(&self) -> &Path {
        &self.launcher
    }

    /// Runs Godot with the terminal as its output, and returns its exit code.
    pub fn run_in_foreground(&self, args: &[OsString]) -> Result<ExitCode> {
        process::run_in_foreground(Shell::new()?.cmd(&self.launcher).args(args))
    }

    /// Runs Godot without a window in `project`, within the limits.
    pub fn run_headless(
        &self,
        project: &Path,
        args: &[&str],
        limits: Limits,
        on_line: &mut dyn FnMut(&str),
    ) -> Result<Finished> {
        let sh = Shell::new()?;
        let command = self.quiet(&sh, &self.launcher, project).arg("--headless").args(args);
        process::watch(command, limits, on_line)
    }

    /// Runs a game that was exported for the web in a browser, within the limits.
    pub fn run_page(&self, game: &Path, args: &[&str], limits: Limits) -> Result<Finished> {
        let sh = Shell::new()?;
        process::watch(self.quiet(&sh, &self.launcher, game).args(args), limits, &mut |_| ())
    }

    /// The same as [`Self::run_headless`] where PathForge has no worker threads.
    pub fn run_without_threads(
        &self,
        project: &Path,
        args: &[&str],
        limits: Limits,
        on_line: &mut dyn FnMut(&str),
    ) -> Result<Finished> {
        let sh = Shell::new()?;
        let _threads = sh.push_env("PATHFORGE_THREADS", "0");
        let command = self.quiet(&sh, &self.launcher, project).arg("--headless").args(args);
        process::watch(command, limits, on_line)
    }

    /// Runs Godot in `project` on a virtual display, within the limits.
    pub fn run_rendered(
        &self,
        project: &Path,
        args: &[&str],
        limits: Limits,
        on_line: &mut dyn FnMut(&str),
    ) -> Result<Finished> {
        let sh = Shell::new()?;
        let command = if cfg!(target_os = "linux") {
            self.quiet(&sh, &launcher::with_display(&self.dir, &self.launcher)?, project)
        } else {
            // Elsewhere a display is always there, and a window appears on it.
            let drivers = ["--rendering-method", "gl_compatibility", "--audio-driver", "Dummy"];
            self.quiet(&sh, &self.launcher, project).args(drivers)
        };
        process::watch(command.args(args), limits, on_line)
    }

    /// Returns `true` if there is what [`Self::run_rendered`] needs, which is set up if it can be.
    pub fn ensure_display(&self) -> Result<()> {
        if cfg!(target_os = "linux") {
            launcher::with_display(&self.dir, &self.launcher)?;
        }
        Ok(())
    }

    /// Imports `project`, so that its classes and resources are known to the runs after it.
    pub fn import(&self, project: &Path) -> Result<Finished> {
        import::import(self, project)
    }

    /// Exports `project`, whose first preset is this system's, as a release, and returns a command that
    /// starts the game; `None` when there is no export template for this Godot.
    pub fn export<'a>(&self, sh: &'a Shell, project: &Path, game: &Path) -> Result<Option<Cmd<'a>>> {
        template::export(self, sh, project, game)
    }

    /// Exports `project` by one of its presets, with this template, as this program.
    pub fn export_with(&self, project: &Path, preset: &str, template: &Path, program: &Path) -> Result<()> {
        template::export_with(self, project, preset, template, program)
    }

    /// A run apart from the settings and saved games of the person who runs it, and from runs in another
    /// project, which may go on beside it.
    fn quiet<'a>(&self, sh: &'a Shell, launcher: &Path, project: &Path) -> Cmd<'a> {
        let home = self.dir.join("home").join(project.file_name().unwrap_or_default());
        let command = cmd!(sh, "{launcher} --path {project}");
        launcher::HOME_FOLDERS
            .iter()
            .fold(command, |command, (variable, folder)| command.env(variable, home.join(folder)))
    }
}

/// True when there is a screen to open a window on.
pub fn has_display() -> bool {
    let set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

/// The problem of a machine on which Godot is not and cannot be set up.
fn nowhere(why: &str) -> Error {
    anyhow!(
        "there is no Godot {minimum} or later here, and none can be set up: {why}.\n  \
         Looked at: the environment variable GODOT (a program's path), then `godot` and `godot4` on PATH.\n  \
         What to do: install Godot {minimum} or later from https://godotengine.org/download and either put it on \
         PATH or run this again with GODOT=/path/to/godot",
        minimum = version::Version::MINIMUM
    )
}
