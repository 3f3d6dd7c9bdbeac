//! The suites and the demo in a Godot of another platform, on this machine: in qemu, in Wine, in a browser.

use std::path::{Path, PathBuf};

use anyhow::Result;
use fs_err as fs;

use super::everywhere::{SLOW, program};
use super::{Context, godot};
use crate::godot::{self as engine, Godot};
use crate::platform::{self, Platform};
use crate::report::Findings;
use crate::scenes::{self, Player, Scene, Stage};
use crate::{addon, files};

/// The tests of every class.
pub const SMOKE: &str = "--filter=smoke.";
/// What reads pages of the repository, which are not beside a copy.
const IN_WINE: &str = "--without=help.,moving_over.,grammar.verbs_of_astargrid2d";
/// The same; threads and programs that tests start; files that an export has not; clocks of single
/// microseconds.
const IN_BROWSER: &str = "--without=help.,moving_over.,grammar.verbs_of_astargrid2d,thread,map_doctor.the_command,\
                          addon.,request_tickets.each_path_tells_its_own_time,workers.they_are_there";
/// Where a project's presets for export are.
const PRESETS: &str = "export_presets.cfg";

/// Wine's folder, and what it needs to be quiet.
pub fn wine_variables(folder: &Path) -> [(&'static str, String); 3] {
    [
        ("WINEPREFIX", folder.join("wine").display().to_string()),
        ("WINEDEBUG", "-all".to_owned()),
        ("WINEDLLOVERRIDES", "mscoree=;mshtml=".to_owned()),
    ]
}

/// The suites, and all plays of the demo, which was exported before, in a Godot for Windows.
pub fn in_wine(context: &Context<'_>, wine: &Path, platform: &Platform, library: &Path) -> Result<Findings> {
    let folder = context.paths.scratch().join("everywhere");
    let Some(godot) = engine::locate_windows(context.paths, wine, &wine_variables(&folder))? else {
        let lacks = format!("{}: not played; set {} to a Godot for it", platform.name, engine::WINDOWS);
        return Ok(Findings::skipped(lacks));
    };
    let mut findings = suites(context, &godot, platform, library, &[godot::FAST, &["--", IN_WINE]].concat())?;
    platform::put_library(&folder.join("demo"), library)?;
    findings.add(plays(context, &godot, folder.join("demo"), &Stage::Headless)?);
    Ok(findings)
}

/// The suites, and all plays of the demo, exported for the web and played in Chromium.
pub fn in_browser(
    context: &Context<'_>,
    platform: &Platform,
    preset: &str,
    library: &Path,
) -> Result<Findings> {
    let lacking = |lacks: &str| Ok(Findings::skipped(format!("{}: not played; {lacks}", platform.name)));
    let (node, chromium) = match (platform::node(context.paths)?, program(&["chromium"], "chromium")) {
        (Ok(node), Ok(chromium)) => (node, chromium),
        (Err(lacks), _) | (_, Err(lacks)) => return lacking(&lacks.0),
    };
    let Some((browser, template)) = engine::locate_web(context.paths, &node, &chromium)? else {
        return lacking(&format!("set {} to a template without threads", engine::WEB));
    };
    let folder = context.paths.scratch().join("everywhere");
    let export = |project: &Path, name: &str| -> Result<PathBuf> {
        let game = folder.join(name);
        files::remove_dir(&game)?;
        context.godot()?.import(project)?;
        context.godot()?.export_with(project, preset, &template, &game.join("index.html"))?;
        Ok(game)
    };
    let tests = copy_of_tests(context, library)?;
    fs::copy(context.paths.demo_project().join(PRESETS), tests.join(PRESETS))?;
    let args = [godot::FAST, &["--", IN_BROWSER]].concat();
    let tests = export(&tests, "web_tests")?;
    let mut findings =
        godot::read_from(context, &browser, &format!("suites {}", platform.name), &tests, &args, SLOW)?;
    let demo = addon::copy_with_debug_build(context.paths, &context.paths.demo_project(), "everywhere/demo")?;
    platform::put_library(&demo, library)?;
    scenes::play_at_start(context.paths, &demo)?;
    findings.add(plays(context, &browser, export(&demo, "web_demo")?, &Stage::Page)?);
    Ok(findings)
}

/// All plays of the demo in a project.
fn plays(context: &Context<'_>, godot: &Godot, project: PathBuf, stage: &Stage<'_>) -> Result<Findings> {
    let scenes = scenes::list(context.paths, None)?;
    let scenes: Vec<&Scene> = scenes.iter().collect();
    Player::new(godot, context.paths, project).play_all(&scenes, stage)
}

/// Tests of the test project, in a copy of it that has this library, too. The native Godot imports it:
/// emulated, that takes many minutes.
pub fn suites(
    context: &Context<'_>,
    emulated: &Godot,
    platform: &Platform,
    library: &Path,
    args: &[&str],
) -> Result<Findings> {
    let copy = copy_of_tests(context, library)?;
    godot::read_from(context, emulated, &format!("suites {}", platform.name), &copy, args, SLOW)
}

/// A copy of the test project that has this library, too.
fn copy_of_tests(context: &Context<'_>, library: &Path) -> Result<PathBuf> {
    context.test_project()?;
    let copy = context.paths.scratch().join("everywhere/project");
    files::remove_dir(&copy)?;
    files::copy_with_times(&context.paths.test_project(), &copy)?;
    platform::put_library(&copy, library)?;
    Ok(copy)
}

/// The demo, exported for another platform, has its library and nothing of the editor's. No template of that
/// platform is here: the library stands in for it, a file of the same processor, which Godot copies as it is.
pub fn export(context: &Context<'_>, platform: &Platform, preset: &str, library: &Path) -> Result<Findings> {
    context.debug_build()?;
    let godot = context.godot()?;
    let demo = addon::copy_with_debug_build(context.paths, &context.paths.demo_project(), "everywhere/demo")?;
    platform::put_library(&demo, library)?;
    godot.import(&demo)?;
    let game = context.paths.scratch().join("everywhere/exported");
    files::remove_dir(&game)?;
    godot.export_with(&demo, preset, library, &game.join("game.exe"))?;
    godot::judge_exported(&game, &platform.library())
}
