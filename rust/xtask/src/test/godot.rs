//! The steps that Godot does.

use std::path::Path;
use std::thread;

use anyhow::{Result, anyhow};
use fs_err as fs;

use super::Context;
use super::suites::Reader;
use crate::godot::Godot;
use crate::process::{Finished, Limits};
use crate::progress::{Progress, say};
use crate::report::{Findings, Heartbeat};
use crate::scenes::{self, Player, Scene, Stage};
use crate::{addon, files};

/// The name of its only test.
const TORTURE: &str = "torture.everything_at_once";

/// What has to come to its end without workers, too.
const WORKERS_SUITES: &str = "--filter=workers.,threads.,threads_together.,requests.,request_tickets.,preparations.,flow_field,crowd.,\
                              crowd_states.,navigation_baker.";

/// What an exported game's file would have in it with the plugin's scripts and pictures. (Their names are in
/// Godot's list of resources.)
const OF_EDITORS: [&str; 3] = ["extends EditorPlugin", "extends EditorExportPlugin", "path_forge_grid.svg-"];

/// Frames come as fast as they can be made: the tests wait for frames, for minutes of them together.
pub const FAST: &[&str] = &["--fixed-fps", "60"];

/// Finds Godot, or sets it up.
pub fn set_up(context: &Context<'_>) -> Result<Findings> {
    context.godot()?;
    Ok(Findings::passed())
}

/// The suites of `tests/godot`, run on a debug build: its assertions are on.
pub fn suites(context: &Context<'_>) -> Result<Findings> {
    context.test_project()?;
    read_tests(context, "godot suites", &context.paths.test_project(), &[FAST, &["--"]].concat())
}

/// The suites of `tests/godot` except long ones.
pub fn quick_suites(context: &Context<'_>) -> Result<Findings> {
    context.test_project()?;
    read_tests(context, "godot suites", &context.paths.test_project(), &[FAST, &["--", "--quick"]].concat())
}

/// The suites of what workers do elsewhere, where there are none.
pub fn suites_without_threads(context: &Context<'_>) -> Result<Findings> {
    context.test_project()?;
    let project = context.paths.test_project();
    read(
        context,
        "no threads",
        &project,
        &[FAST, &["--", WORKERS_SUITES]].concat(),
        Godot::run_without_threads,
    )
}

/// The suites of `tests/godot` that look at what is drawn, on a virtual display.
pub fn rendered_suites(context: &Context<'_>) -> Result<Findings> {
    if let Err(problem) = context.godot()?.ensure_display() {
        return Ok(Findings::skipped(format!("{problem:#}")));
    }
    context.test_project()?;
    let project = context.paths.test_project();
    read(context, "rendered suites", &project, &[FAST, &["--"]].concat(), Godot::run_rendered)
}

/// The torture of `tests/godot/torture`, for a while.
pub fn torture(context: &Context<'_>) -> Result<Findings> {
    if context.filter.is_some_and(|filter| !TORTURE.contains(filter)) {
        return Ok(Findings::default());
    }
    torture_by(context, &["--seconds=20"])
}

/// The torture with these options, on a debug build.
pub fn torture_by(context: &Context<'_>, options: &[impl AsRef<str>]) -> Result<Findings> {
    context.test_project()?;
    let project = context.paths.test_project();
    let mut args = vec!["res://torture/torture.tscn", "--"];
    args.extend(options.iter().map(AsRef::as_ref));
    read_tests(context, "torture", &project, &args)
}

/// Runs tests inside Godot that print what `tests/godot/runner.gd` prints, and reads it. `args` end with
/// arguments for them.
pub fn read_tests(context: &Context<'_>, step: &str, project: &Path, args: &[&str]) -> Result<Findings> {
    read(context, step, project, args, Godot::run_headless)
}

/// [`Godot::run_headless`] or [`Godot::run_rendered`].
type Run = fn(&Godot, &Path, &[&str], Limits, &mut dyn FnMut(&str)) -> Result<Finished>;

/// [`read_tests`], from a Godot that may take longer.
pub fn read_from(
    context: &Context<'_>,
    godot: &Godot,
    step: &str,
    project: &Path,
    args: &[&str],
    limits: Limits,
) -> Result<Findings> {
    read_by(context, step, args, &mut |args, on_line| godot.run_headless(project, args, limits, on_line))
}

fn read(context: &Context<'_>, step: &str, project: &Path, args: &[&str], run: Run) -> Result<Findings> {
    let godot = context.godot()?;
    let limits = Limits::seconds(3600, 600);
    read_by(context, step, args, &mut |args, on_line| run(&godot, project, args, limits, on_line))
}

/// A run with these arguments, whose lines are handed on.
type Start<'a> = dyn FnMut(&[&str], &mut dyn FnMut(&str)) -> Result<Finished> + 'a;

fn read_by(context: &Context<'_>, step: &str, args: &[&str], start: &mut Start<'_>) -> Result<Findings> {
    let filter = context.filter.map(|filter| format!("--filter={filter}"));
    let mut args = args.to_vec();
    args.extend(filter.as_deref());
    let heartbeat = Heartbeat::start();
    let mut reader = Reader::default();
    let finished = start(&args, &mut |line| {
        if let Some(test) = reader.line(line) {
            heartbeat.at(&test);
        }
    })?;
    drop(heartbeat);
    let log = context.keep_log(step, &finished);
    // The runner's code 1 says that tests have failed, which the reader knows.
    let ending = match finished.code {
        Some(0 | 1) if finished.stopped.is_none() => String::new(),
        _ => finished.ending(),
    };
    let mut findings = reader.finish(&ending);
    if findings.statistics.passed == 1 && findings.statistics.failed == 0 {
        // Only the empty run itself: no test has that name, or there are none at all.
        findings = match context.filter {
            Some(_) => Findings::default(),
            None => Findings::failed("FAIL no test was run"),
        };
    }
    if findings.statistics.failed > 0 {
        findings.problems.push(format!("the whole output: {log}"));
    }
    Ok(findings)
}

/// Every demo scene, played without a window on the library as it is shipped.
pub fn demo_scenes(context: &Context<'_>) -> Result<Findings> {
    let scenes = scenes::list(context.paths, context.filter)?;
    if scenes.is_empty() {
        return Ok(Findings::default());
    }
    let (godot, imported) = (context.godot()?, context.demo_project()?);
    let mut findings = Findings::default();
    let errors = crate::scan::troubles(&imported.lines);
    findings.add(if errors.is_empty() {
        Findings::passed()
    } else {
        let texts: Vec<String> = errors.into_iter().map(|trouble| trouble.text).collect();
        Findings::failed(format!("importing demo_project printed errors:\n  {}", texts.join("\n  ")))
    });
    // Two at a time.
    let (lessons, showcases): (Vec<_>, Vec<_>) = scenes.iter().partition(|scene| scene.is_lesson());
    let player = Player::new(&godot, context.paths, context.paths.demo_project());
    let play = |scenes: &[&Scene]| player.play_all(scenes, &Stage::Headless);
    let here = Progress::here();
    let (first, second) = thread::scope(|scope| {
        let lessons = scope.spawn(|| Progress::of(here, || play(&lessons)));
        (play(&showcases), lessons.join())
    });
    findings.add(first?);
    findings.add(second.map_err(|_| anyhow!("playing the lessons panicked"))??);
    Ok(findings)
}

/// The demo as a game of its own, exported as a player gets it: it starts, and plays a lesson.
pub fn exported_demo(context: &Context<'_>) -> Result<Findings> {
    let (godot, scratch) = (context.godot()?, context.paths.scratch());
    context.demo_project()?;
    let (copy, game) = (scratch.join("demo"), scratch.join("exported_demo"));
    files::remove_dir(&copy)?;
    files::remove_dir(&game)?;
    files::copy_with_times(&context.paths.demo_project(), &copy)?;
    scenes::play_at_start(context.paths, &copy)?;
    say("    no web export: Debian has no template for it, and none is downloaded");
    let Some(start) = godot.export(&context.sh, &copy, &game)? else {
        say("    no export: set GODOT_TEMPLATE to the release template of this Godot");
        return Ok(Findings::default());
    };
    let mut findings = scenes::play_exported(start.arg("--headless"))?;
    findings.add(judge_exported(&game, &addon::library_of_addon())?);
    files::remove_dir(&copy)?;
    files::remove_dir(&game)?;
    Ok(findings)
}

/// Right when an exported game has this library beside it and no other, and nothing of the editor's in it.
pub fn judge_exported(game: &Path, library: &str) -> Result<Findings> {
    let packed = fs::read(game.join("game.pck"))?;
    let has = |part: &str| packed.windows(part.len()).any(|bytes| bytes == part.as_bytes());
    let of_editors: Vec<&str> = OF_EDITORS.into_iter().filter(|part| has(part)).collect();
    let is_library = |name: &String| name.contains("libpathforge");
    let names = files::names_in(game)?.into_iter().map(|name| name.to_string_lossy().into_owned());
    let libraries: Vec<String> = names.filter(is_library).collect();
    if of_editors.is_empty() && libraries == [library] {
        return Ok(Findings::passed());
    }
    Ok(Findings::failed(format!(
        "the exported game has {libraries:?} beside it, where {library} belongs, and of the editor's {of_editors:?}"
    )))
}
