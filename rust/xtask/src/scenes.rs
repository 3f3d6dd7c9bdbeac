//! The demo project's scenes, and one of them played by `scene_runner.gd` of `tests/demo`.
//!
//! The runner is loaded from outside the project, which therefore holds no driver.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;
use fs_err as fs;
use xshell::Cmd;

use crate::files;
use crate::godot::Godot;
use crate::paths::Paths;
use crate::process::{self, Limits};
use crate::progress::{Progress, say};
use crate::report::Findings;
use crate::scan::{self, Kind, Trouble};

/// Seconds that every scene runs for at least.
const SECONDS: &str = "3";
/// What the runner prints when it has come to its end.
const DONE: &str = "SCENE_DONE";
const RUNNER: &str = "scene_runner.gd";
/// Pictures of the map alone are drawn larger and made smaller, which smooths them.
const MAP_WINDOW: &str = "1600x900";

/// One scene of the demo project.
#[derive(Debug, PartialEq, Eq)]
pub struct Scene {
    /// `menu`, a lesson's `lesson_01_path`, or a showcase's folder: `01_units_of_every_size`.
    pub name: String,
    /// Its path inside the project.
    pub resource: String,
}

impl Scene {
    /// It is a lesson: one script.
    pub fn is_lesson(&self) -> bool {
        self.resource.starts_with("res://lessons/")
    }

    /// Chosen by number (`1`, `01`: a showcase) or by a part of its name.
    fn is_meant_by(&self, choice: &str) -> bool {
        let number = self.name.split('_').next().and_then(|digits| digits.parse::<u32>().ok());
        match choice.parse::<u32>() {
            Ok(wanted) => number == Some(wanted),
            Err(_) => self.name.contains(choice),
        }
    }
}

/// The menu, every lesson and every showcase, or the scenes that `choice` names.
pub fn list(paths: &Paths, choice: Option<&str>) -> Result<Vec<Scene>> {
    let project = paths.demo_project();
    let mut scenes = vec![Scene { name: "menu".to_owned(), resource: "res://menu/menu.tscn".to_owned() }];
    let names = |folder: &str| -> Result<Vec<String>> {
        let folder = project.join(folder);
        let names = if folder.is_dir() { files::names_in(&folder)? } else { Vec::new() };
        Ok(names.into_iter().map(|name| name.to_string_lossy().into_owned()).collect())
    };
    for name in names("lessons")? {
        if let Some(name) = name.strip_suffix(".tscn") {
            let resource = format!("res://lessons/{name}.tscn");
            scenes.push(Scene { name: format!("lesson_{name}"), resource });
        }
    }
    for name in names("scenes")? {
        if name.starts_with(|first: char| first.is_ascii_digit()) {
            scenes.push(Scene { resource: format!("res://scenes/{name}/{name}.tscn"), name });
        }
    }
    scenes.retain(|scene| choice.is_none_or(|choice| scene.is_meant_by(choice)));
    Ok(scenes)
}

/// How a scene is shown.
pub enum Stage<'a> {
    /// Without a window.
    Headless,
    /// By a browser, which draws it by itself.
    Page,
    /// Drawn on a virtual display, with pictures into this folder.
    Rendered(&'a Path),
    /// Only its main picture, of the map without the frame, into this file.
    Map(&'a Path),
    /// Only its movie, as numbered frames into this folder.
    Movie(&'a Path),
}

/// A lesson that an exported demo plays.
const EXPORTED: &str = "res://lessons/01_path.tscn";

/// Debian's release template prints this of every child that leaves a container, in games without the addon,
/// too.
const OF_TEMPLATE: [&str; 2] = ["Attempt to disconnect a nonexistent connection from", "callable: ''."];

/// Has a copy of the demo start as a play: exported games take no script from the command line, and none
/// from outside.
pub fn play_at_start(paths: &Paths, copy: &Path) -> Result<()> {
    let (drivers, project) = (copy.join("drivers"), copy.join("project.godot"));
    files::copy_with_times(&paths.demo_drivers(), &drivers)?;
    let runner = drivers.join(RUNNER);
    let script = fs::read_to_string(&runner)?;
    fs::write(runner, format!("class_name SceneRunner\n{script}"))?;
    let settings = fs::read_to_string(&project)?;
    let named = "[application]\n\nrun/main_loop_type=\"SceneRunner\"\n";
    Ok(fs::write(project, settings.replacen("[application]\n\n", named, 1))?)
}

/// Has an exported demo, which the command starts, play a lesson.
pub fn play_exported(start: Cmd<'_>) -> Result<Findings> {
    let scene = format!("--scene={EXPORTED}");
    let command = start.args(["--fixed-fps", "60", "--"]).arg(scene);
    let finished = process::watch(command, Limits::seconds(600, 300), &mut |_| ())?;
    let mut wrong: Vec<String> =
        scan::troubles(&finished.lines).into_iter().map(|trouble| trouble.text).collect();
    wrong.retain(|text| !OF_TEMPLATE.iter().all(|part| text.contains(part)));
    if finished.succeeded() && wrong.is_empty() && finished.lines.iter().any(|line| line == DONE) {
        return Ok(Findings::passed());
    }
    let (ending, tail) = (finished.ending(), finished.tail(10).join("\n  "));
    Ok(Findings::failed(format!(
        "the exported demo does not play ({ending}):\n  {}\n  {tail}",
        wrong.join("\n  ")
    )))
}

/// Plays scenes of the demo, or of a copy of it, in a Godot.
pub struct Player<'a> {
    /// That Godot.
    pub godot: &'a Godot,
    /// The project.
    pub project: PathBuf,
    /// What drives a scene.
    runner: String,
}

impl<'a> Player<'a> {
    /// Plays in this project.
    pub fn new(godot: &'a Godot, paths: &Paths, project: PathBuf) -> Self {
        Self { godot, project, runner: paths.demo_drivers().join(RUNNER).display().to_string() }
    }

    /// Plays these scenes, one after the other.
    pub fn play_all(&self, scenes: &[&Scene], stage: &Stage<'_>) -> Result<Findings> {
        let mut findings = Findings::default();
        for scene in scenes {
            findings.add(self.play(scene, stage)?);
        }
        Ok(findings)
    }

    /// Plays one scene and tells what went wrong. Prints a line about it.
    pub fn play(&self, scene: &Scene, stage: &Stage<'_>) -> Result<Findings> {
        if let Some(progress) = Progress::here() {
            progress.set_at(&scene.name);
        }
        let start = Instant::now();
        let (scene_arg, seconds) = (format!("--scene={}", scene.resource), format!("--seconds={SECONDS}"));
        let picture = match stage {
            Stage::Headless | Stage::Page | Stage::Movie(_) => None,
            Stage::Rendered(dir) => Some(dir.join(format!("{}.png", scene.name))),
            Stage::Map(file) => Some(file.to_path_buf()),
        };
        let picture_arg = picture.as_ref().map(|path| format!("--picture={}", path.display()));
        let (window, stage_args) = match stage {
            Stage::Headless | Stage::Page | Stage::Rendered(_) => ("1280x720", Vec::new()),
            Stage::Map(_) => (MAP_WINDOW, vec!["--part=720x405".to_owned()]),
            Stage::Movie(dir) => {
                (MAP_WINDOW, vec!["--part=800x450".to_owned(), format!("--movie={}", dir.display())])
            }
        };
        let size_arg = format!("--size={window}");
        // Frames follow each other as fast as they can. What a scene shows then depends little on how busy the
        // machine is.
        let mut args = vec!["--fixed-fps", "60", "--resolution", window, "-s", &self.runner];
        args.extend(["--", &scene_arg, &seconds, &size_arg]);
        args.extend(picture_arg.as_deref());
        args.extend(stage_args.iter().map(String::as_str));
        // A play ends itself when its scene comes no further. What threads do is waited for without a limit
        // there.
        let limits = Limits::seconds(1800, 300);
        let finished = match stage {
            Stage::Headless => self.godot.run_headless(&self.project, &args, limits, &mut |_| ())?,
            Stage::Page => self.godot.run_page(&self.project, &args, limits)?,
            _ => self.godot.run_rendered(&self.project, &args, limits, &mut |_| ())?,
        };

        // Only the play of a picture is cut off in the middle, with what it holds.
        let is_cut_off = matches!(stage, Stage::Map(_));
        let counts = |trouble: &Trouble| !is_cut_off || trouble.kind != Kind::Leak;
        let mut wrong: Vec<String> =
            scan::troubles(&finished.lines).into_iter().filter(counts).map(|trouble| trouble.text).collect();
        if !finished.succeeded() {
            let last = finished.tail(1).first().map_or("nothing", String::as_str);
            wrong.push(format!("Godot did not end well: {}; its last line: {last}", finished.ending()));
        }
        if !finished.lines.iter().any(|line| line == DONE) {
            wrong.push("the scene's run did not come to its end".to_owned());
        }
        if let Some(missing) = picture.filter(|path| !path.is_file()) {
            wrong.push(format!("no picture was written to {}", missing.display()));
        }
        let seconds = start.elapsed().as_secs_f32();
        if wrong.is_empty() {
            say(format_args!("    {:<32} ok    {seconds:.1} s", scene.name));
            return Ok(Findings::passed());
        }
        say(format_args!("    {:<32} FAIL  {seconds:.1} s", scene.name));
        wrong.dedup();
        let retry = format!("try: cargo xtask demo --headless --scene {}", scene.name);
        Ok(Findings::failed(format!("{}:\n  {}\n  {retry}", scene.name, wrong.join("\n  "))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_is_chosen_by_number_or_name() {
        let scene = Scene { name: "01_units_of_every_size".to_owned(), resource: String::new() };
        assert!(scene.is_meant_by("1") && scene.is_meant_by("01") && scene.is_meant_by("units"));
        assert!(!scene.is_meant_by("10") && !scene.is_meant_by("menu"));
        let menu = Scene { name: "menu".to_owned(), resource: String::new() };
        assert!(menu.is_meant_by("menu") && !menu.is_meant_by("0"));
    }
}
