//! Export: a project as a game of its own, with Godot's release template.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use fs_err as fs;
use xshell::{Cmd, Shell, cmd};

use super::Godot;
use crate::debian::{Apt, Sysroot};
use crate::process::Limits;

/// Names a release template of the Godot that the machine has.
const TEMPLATE: &str = "GODOT_TEMPLATE";
/// Debian's, which fits its Godot.
const PACKAGE: &str = "godot-template-release";
/// What the exported program is called.
const PROGRAM: &str = "game.x86_64";

/// See [`Godot::export`]. A project's own presets get the template; a project without any gets one.
pub fn export<'a>(godot: &Godot, sh: &'a Shell, project: &Path, game: &Path) -> Result<Option<Cmd<'a>>> {
    let template = match &godot.sysroot {
        Some(_) => template(sh, &godot.dir)?,
        None => match env::var_os(TEMPLATE) {
            Some(path) => PathBuf::from(path),
            None => return Ok(None),
        },
    };
    let presets = project.join(PRESETS);
    if !presets.is_file() {
        fs::write(presets, PRESET)?;
    }
    let program = game.join(PROGRAM);
    export_with(godot, project, "Linux", &template, &program)?;
    Ok(Some(match &godot.sysroot {
        Some(sysroot) => start_in(sh, sysroot, game)?,
        None => sh.cmd(program),
    }))
}

/// See [`Godot::export_with`].
pub fn export_with(
    godot: &Godot,
    project: &Path,
    preset: &str,
    template: &Path,
    program: &Path,
) -> Result<()> {
    let presets = project.join(PRESETS);
    let text = fs::read_to_string(&presets)?;
    let at = text.find(&format!("name=\"{preset}\"")).with_context(|| format!("no preset {preset}"))?;
    let (before, after) = text.split_at(at);
    let named = format!("{NO_TEMPLATE}{}\"", template.display());
    fs::write(presets, before.to_owned() + &after.replacen(&format!("{NO_TEMPLATE}\""), &named, 1))?;
    fs::create_dir_all(program.parent().context("a program is in a folder")?)?;
    let path = program.display().to_string();
    let args = ["--export-release", preset, &path];
    let finished = godot.run_headless(project, &args, Limits::seconds(900, 600), &mut |_| ())?;
    ensure!(
        program.is_file(),
        "Godot exports nothing ({}):\n  {}",
        finished.ending(),
        finished.tail(10).join("\n  ")
    );
    Ok(())
}

/// The private copy's template, downloaded at the first call.
fn template(sh: &Shell, dir: &Path) -> Result<PathBuf> {
    let folder = dir.join("template");
    let program = folder.join("usr/bin").join(PACKAGE);
    if !program.is_file() {
        println!("Godot: downloading the release template (20 MB)");
        let apt = Apt::set_up(&dir.join("apt-template"), None)?;
        apt.update()?;
        let package = apt.download_alone(PACKAGE)?;
        fs::create_dir_all(&folder)?;
        cmd!(sh, "dpkg-deb --extract {package} {folder}").quiet().run()?;
        apt.clean()?;
    }
    Ok(program)
}

/// Starts the exported program by the private copy's loader. A game looks for its files beside its program,
/// and takes the loader for that: so the loader lies there, under the game's name.
fn start_in<'a>(sh: &'a Shell, sysroot: &Sysroot, game: &Path) -> Result<Cmd<'a>> {
    let (loader, folders, program) = (game.join("game"), sysroot.loader_folders(), game.join(PROGRAM));
    fs::copy(&sysroot.loader, &loader)?;
    Ok(cmd!(sh, "{loader} --library-path {folders} {program}"))
}

/// Where a project's presets are.
const PRESETS: &str = "export_presets.cfg";
/// One preset. Scripts stay text, as the check reads them.
const PRESET: &str = "\
[preset.0]

name=\"Linux\"
platform=\"Linux\"
runnable=true
dedicated_server=false
custom_features=\"\"
export_filter=\"all_resources\"
include_filter=\"\"
exclude_filter=\"\"
export_path=\"\"
script_export_mode=0

[preset.0.options]

custom_template/release=\"\"
binary_format/embed_pck=false
binary_format/architecture=\"x86_64\"
texture_format/s3tc_bptc=true
";
/// How a preset begins to name its template.
const NO_TEMPLATE: &str = "custom_template/release=\"";
