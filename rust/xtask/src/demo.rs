//! `cargo xtask demo`: the demo project in a window, without one, or as pictures.

use std::process::ExitCode;

use anyhow::{Result, ensure};

use crate::addon;
use crate::flags::Demo;
use crate::godot;
use crate::paths::Paths;
use crate::scenes::{self, Player, Scene, Stage};

/// Builds and installs the addon, and shows the demo as the options say.
pub fn run(paths: &Paths, options: &Demo) -> Result<ExitCode> {
    let project = paths.demo_project();
    ensure!(project.join("project.godot").is_file(), "demo_project/project.godot is missing");
    let scenes = chosen(paths, options)?;
    println!("demo 1/4: finding Godot");
    let godot = godot::locate(paths)?;
    println!("demo 2/4: building the library (release)");
    addon::build(paths, true)?;
    println!("demo 3/4: importing the project");
    godot.import(&project)?;
    let player = Player::new(&godot, paths, project);

    if let Some(dir) = &options.screenshot {
        fs_err::create_dir_all(dir)?;
        let dir = std::path::absolute(dir)?; // Godot's own folder is the project's.
        println!("demo 4/4: drawing every scene into {}", dir.display());
        return play_all(&player, &scenes, &Stage::Rendered(&dir));
    }
    if options.headless || !godot::has_display() {
        if !options.headless {
            println!(
                "demo: there is no display here (DISPLAY and WAYLAND_DISPLAY are empty), so it runs without one"
            );
        }
        println!("demo 4/4: playing every scene without a window");
        return play_all(&player, &scenes, &Stage::Headless);
    }
    println!("demo 4/4: starting it");
    let mut args = vec!["--path".into(), player.project.into_os_string()];
    args.extend(options.scene.is_some().then(|| scenes[0].resource.clone().into()));
    godot.run_in_foreground(&args)
}

/// The scenes that the options mean, at least one.
fn chosen(paths: &Paths, options: &Demo) -> Result<Vec<Scene>> {
    let choice = options.scene.as_deref();
    let scenes = scenes::list(paths, choice)?;
    ensure!(
        !scenes.is_empty(),
        "no demo scene has the number or name `{}`; they are the folders of demo_project/scenes",
        choice.unwrap_or_default()
    );
    Ok(scenes)
}

fn play_all(player: &Player<'_>, scenes: &[Scene], stage: &Stage<'_>) -> Result<ExitCode> {
    let scenes: Vec<&Scene> = scenes.iter().collect();
    let findings = player.play_all(&scenes, stage)?;
    for problem in &findings.problems {
        eprintln!("\n{problem}");
    }
    println!("{}", findings.statistics);
    Ok(findings.statistics.exit_code())
}
