//! The promise of the zips: unpacked into a project, the addon works, and the demo is a project that runs.

use std::fs;

use anyhow::Result;

use super::{Context, game};
use crate::platform::LIBRARY_MAX;
use crate::report::{Findings, Heartbeat};
use crate::{addon, files, package};

/// What else has to be in the addon's folder.
const WANTED: [&str; 5] =
    ["LICENSE", "README.md", "THIRD_PARTY_LICENSES.txt", "plugin.cfg", "pathforge.gdextension"];

/// Makes the zips. Unpacks the addon's into a new game, and runs the scripts of the README and of its pages
/// there. Starts the demo.
pub fn package(context: &Context<'_>) -> Result<Findings> {
    let heartbeat = Heartbeat::start();
    context.release_build()?;
    heartbeat.at("packing");
    let archives = package::package(context.paths)?;
    let folder = context.paths.scratch().join("unpacked");
    files::remove_dir(&folder)?;
    game::make(&folder, context.paths)?;
    package::unpack(&archives.addon, &folder)?;

    let installed = folder.join("addons/pathforge");
    let mut findings = Findings::default();
    for name in WANTED {
        findings.add(if installed.join(name).is_file() {
            Findings::passed()
        } else {
            Findings::failed(format!("{name} is not in the zip"))
        });
    }
    let size =
        fs::metadata(installed.join("bin").join(addon::library_of_addon())).map_or(0, |file| file.len());
    findings.add(if (1..=LIBRARY_MAX).contains(&size) {
        Findings::passed()
    } else {
        Findings::failed(format!("the stripped library has {size} bytes, the limit is {LIBRARY_MAX}"))
    });
    heartbeat.at("using the unpacked addon in a new game");
    findings.add(game::play(context, &folder)?);
    heartbeat.at("exporting that game and running it");
    findings.add(game::play_exported(context, &folder)?);
    heartbeat.at("reading what F1 shows of it");
    findings.add(game::show_help(context, &folder)?);
    heartbeat.at("starting the unpacked demo");
    files::remove_dir(&folder)?;
    package::unpack(&archives.demo, &folder)?;
    findings.add(game::start(context, &folder.join(package::DEMO))?);
    drop(heartbeat);
    files::remove_dir(&folder)?;
    Ok(findings)
}
