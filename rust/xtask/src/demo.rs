//! `cargo xtask demo`: the demo project in a window, without one, or as pictures.

use std::process::ExitCode;

use crate::addon;
use crate::args::DemoOptions;
use crate::godot::{self, Godot};
use crate::paths::Paths;
use crate::problem::{Outcome, Problem};
use crate::report::Findings;
use crate::scenes::{self, Stage};

/// Builds and installs the addon, and shows the demo as the options say.
pub fn run(paths: &Paths, options: &DemoOptions) -> Outcome<ExitCode> {
    if !paths.demo_project().join("project.godot").is_file() {
        return Err(Problem::new("demo_project/project.godot is missing"));
    }
    println!("demo 1/4: finding Godot");
    let godot = godot::locate(paths)?;
    println!("demo 2/4: building the library (release)");
    addon::build(paths, true)?;
    println!("demo 3/4: importing the project");
    godot.import(&paths.demo_project())?;

    if let Some(dir) = &options.screenshot {
        let dir = scenes::absolute_dir(dir)?;
        println!("demo 4/4: drawing every scene into {}", dir.display());
        return play_all(&godot, paths, options, &Stage::Rendered(&dir));
    }
    if options.headless || !godot::has_display() {
        if !options.headless {
            println!(
                "demo: there is no display here (DISPLAY and WAYLAND_DISPLAY are empty), so it runs without one"
            );
        }
        println!("demo 4/4: playing every scene without a window");
        return play_all(&godot, paths, options, &Stage::Headless);
    }
    println!("demo 4/4: starting it");
    let mut args = vec!["--path".to_owned(), paths.demo_project().display().to_string()];
    if options.scene.is_some() {
        let scenes = scenes::list(paths, options.scene.as_deref())?;
        let scene = scenes.first().ok_or_else(|| no_such_scene(options))?;
        args.push(scene.resource.clone());
    }
    godot.run_in_foreground(&args)
}

fn play_all(godot: &Godot, paths: &Paths, options: &DemoOptions, stage: &Stage<'_>) -> Outcome<ExitCode> {
    let scenes = scenes::list(paths, options.scene.as_deref())?;
    if scenes.is_empty() {
        return Err(no_such_scene(options));
    }
    let mut findings = Findings::default();
    for scene in &scenes {
        findings.add(scenes::play(godot, paths, scene, stage)?);
    }
    for problem in &findings.problems {
        eprintln!("\n{problem}");
    }
    println!("{}", findings.statistics);
    Ok(if findings.statistics.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn no_such_scene(options: &DemoOptions) -> Problem {
    let choice = options.scene.as_deref().unwrap_or_default();
    Problem::new(format!(
        "no demo scene has the number or name `{choice}`; they are the folders of demo_project/scenes"
    ))
}
