//! Export: a project as a game of its own, with Godot's release template.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Godot;
use super::apt::Apt;
use super::sysroot::Sysroot;
use crate::files;
use crate::problem::{Outcome, Problem, While};
use crate::process::{self, Limits};

/// Names a release template of the Godot that the machine has.
const TEMPLATE: &str = "GODOT_TEMPLATE";
/// Debian's, which fits its Godot.
const PACKAGE: &str = "godot-template-release";
/// What the exported program is called.
const PROGRAM: &str = "game.x86_64";

/// See [`Godot::export`].
pub fn export(godot: &Godot, project: &Path, game: &Path) -> Outcome<Option<Command>> {
    let template = match &godot.sysroot {
        Some(_) => ensure(&godot.dir)?,
        None => match env::var_os(TEMPLATE) {
            Some(path) => PathBuf::from(path),
            None => return Ok(None),
        },
    };
    files::put(&project.join("export_presets.cfg"), preset(&template).as_bytes())?;
    files::make_dir(game)?;
    let program = game.join(PROGRAM);
    let path = program.display().to_string();
    let args = ["--export-release", "Linux", &path];
    let finished = godot.run_headless(project, &args, Limits::seconds(300, 120), &mut |_| ())?;
    if !program.is_file() {
        return Err(Problem::new(format!(
            "Godot exports nothing ({}):\n  {}",
            finished.ending(),
            finished.tail(10).join("\n  ")
        )));
    }
    Ok(Some(match &godot.sysroot {
        Some(sysroot) => start_in(sysroot, game)?,
        None => process::command(program),
    }))
}

/// The private copy's template, downloaded at the first call.
fn ensure(dir: &Path) -> Outcome<PathBuf> {
    let folder = dir.join("template");
    let program = folder.join("usr/bin").join(PACKAGE);
    if !program.is_file() {
        println!("Godot: downloading the release template (20 MB)");
        let apt = Apt::set_up(&dir.join("apt-template"))?;
        apt.update()?;
        let package = apt.download_alone(PACKAGE)?;
        files::make_dir(&folder)?;
        let mut unpack = Command::new("dpkg-deb");
        unpack.arg("--extract").arg(package).arg(&folder);
        process::output_of(unpack)?;
        apt.clean()?;
    }
    Ok(program)
}

/// Starts the exported program by the private copy's loader. A game looks for its files beside its program, and takes
/// the loader for that: so the loader lies there, under the game's name.
fn start_in(sysroot: &Sysroot, game: &Path) -> Outcome<Command> {
    let loader = game.join("game");
    fs::copy(&sysroot.loader, &loader).while_doing(|| "copy the loader".to_owned())?;
    let mut command = process::command(&loader);
    command.arg("--library-path").arg(sysroot.loader_folders()).arg(game.join(PROGRAM));
    Ok(command)
}

/// One preset. Scripts stay text, as the check reads them.
fn preset(template: &Path) -> String {
    format!(
        "[preset.0]\n\n\
         name=\"Linux\"\nplatform=\"Linux\"\nrunnable=true\ndedicated_server=false\ncustom_features=\"\"\n\
         export_filter=\"all_resources\"\ninclude_filter=\"\"\nexclude_filter=\"\"\nexport_path=\"\"\n\
         script_export_mode=0\n\n\
         [preset.0.options]\n\n\
         custom_template/release=\"{}\"\nbinary_format/embed_pck=false\nbinary_format/architecture=\"x86_64\"\n\
         texture_format/s3tc_bptc=true\n",
        template.display()
    )
}
