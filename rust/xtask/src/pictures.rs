//! `cargo xtask pictures`: the pictures of the pages and of the demo's menu, made anew from the running demo.
//!
//! Pictures of Godot's editor are taken by hand.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use fs_err as fs;
use xshell::{Shell, cmd};

use crate::flags::Pictures;
use crate::godot;
use crate::paths::Paths;
use crate::process::{self, Limits};
use crate::report::{Findings, Heartbeat};
use crate::scenes::{self, Player, Scene, Stage};
use crate::{addon, files, python};

/// The scene of the moving picture, and the file.
const MOVIE: (&str, &str) = ("01_units_of_every_size", "docs/pictures/units.webp");
/// The most bytes that it may have: a reader loads it with the README.
const MOVIE_BYTES_MAX: u64 = 1_500_000;
/// Frames a second of the movie, as `DemoMovie` takes them.
const MOVIE_RATE: &str = "15";
/// Lessons that guides show, and the files.
const LESSONS: [(&str, &str); 3] = [
    ("lesson_01_path", "docs/pictures/path.png"),
    ("lesson_07_danger", "docs/pictures/danger.png"),
    ("lesson_15_navigation_polygons", "docs/pictures/navigation_polygons.png"),
];
/// Writes animated WebP.
const PILLOW: &str = "pillow==13.0.0";

/// Makes every picture, or those of the scenes that are named.
pub fn run(paths: &Paths, options: &Pictures) -> Result<ExitCode> {
    let scenes = scenes::list(paths, options.scene.as_deref())?;
    ensure!(!scenes.is_empty(), "no demo scene has that number or name");
    println!("pictures 1/4: finding Godot");
    let godot = godot::locate(paths)?;
    println!("pictures 2/4: building the library");
    addon::build(paths, false)?;
    println!("pictures 3/4: importing the demo");
    godot.import(&paths.demo_project())?;
    let player = Player::new(&godot, paths, paths.demo_project());
    println!("pictures 4/4: drawing");
    let mut findings = Findings::default();
    for scene in &scenes {
        let drawn = draw(&player, paths, scene);
        findings.add(drawn.unwrap_or_else(|error| Findings::failed(format!("{}: {error:#}", scene.name))));
    }
    for problem in &findings.problems {
        eprintln!("\n{problem}");
    }
    println!("{}", findings.statistics);
    Ok(findings.statistics.exit_code())
}

/// The pictures that one scene is on.
fn draw(player: &Player<'_>, paths: &Paths, scene: &Scene) -> Result<Findings> {
    let mut findings = Findings::default();
    if let Some((_, file)) = LESSONS.iter().find(|(name, _)| *name == scene.name) {
        let folder = paths.scratch().join("pictures");
        fs::create_dir_all(&folder)?;
        findings.add(player.play(scene, &Stage::Rendered(&folder))?);
        let picture = folder.join(format!("{}.png", scene.name));
        files::put(&paths.root.join(file), &fs::read(picture)?)?;
    }
    if let Some(thumbnail) = thumbnail(scene) {
        let picture = paths.root.join(thumbnail);
        findings.add(player.play(scene, &Stage::Map(&picture))?);
    }
    if scene.name == MOVIE.0 {
        let frames = paths.scratch().join("movie");
        files::remove_dir(&frames)?;
        fs::create_dir_all(&frames)?;
        findings.add(player.play(scene, &Stage::Movie(&frames))?);
        join(paths, &frames, &paths.root.join(MOVIE.1))?;
    }
    Ok(findings)
}

/// The file in which the demo's menu shows a lesson or a showcase, relative to the repository.
fn thumbnail(scene: &Scene) -> Option<String> {
    let (folder, file) = scene.resource.strip_prefix("res://")?.rsplit_once('/')?;
    match folder {
        "menu" => None,
        "lessons" => Some(format!("demo_project/lessons/{}", file.replace(".tscn", ".png"))),
        _ => Some(format!("demo_project/{folder}/thumbnail.png")),
    }
}

/// Makes one moving picture of numbered frames.
fn join(paths: &Paths, frames: &Path, movie: &Path) -> Result<()> {
    let bin = match python::tools(paths, "pillow", &[PILLOW])? {
        Ok(bin) => bin,
        Err(why) => anyhow::bail!("the moving picture needs Pillow: {why}"),
    };
    let (python, script) = (bin.join("python"), include_str!("movie.py"));
    let heartbeat = Heartbeat::start();
    let sh = Shell::new()?;
    let join = cmd!(sh, "{python} -c {script} {frames} {movie} {MOVIE_RATE}");
    let joined = process::watch(join, Limits::seconds(1800, 1800), &mut |line| heartbeat.at(line))?;
    ensure!(joined.succeeded(), "Pillow cannot join the frames:\n  {}", joined.tail(8).join("\n  "));
    let bytes = fs::metadata(movie)?.len();
    ensure!(
        bytes <= MOVIE_BYTES_MAX,
        "{} has {bytes} bytes; {MOVIE_BYTES_MAX} are the most: lower QUALITY in movie.py or shorten the script in tests/demo/movies",
        movie.display()
    );
    println!("    {}: {:.2} MB", MOVIE.1, bytes as f64 / 1e6);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Drawn by hand, or taken by hand from Godot's editor.
    const BY_HAND: [&str; 3] = ["create_node.png", "grid_in_editor.png", "editor.png"];

    #[test]
    fn every_picture_on_a_page_is_there_and_made_here() {
        let paths = Paths::of_this_repository().unwrap();
        let mut made: Vec<String> =
            scenes::list(&paths, None).unwrap().iter().filter_map(thumbnail).collect();
        made.extend(LESSONS.iter().map(|(_, file)| (*file).to_owned()));
        made.extend(BY_HAND.iter().map(|name| format!("docs/pictures/{name}")));
        made.push(MOVIE.1.to_owned());

        let shown = crate::guides::pictures(&paths.root).unwrap();

        assert!(shown.len() > 10, "{shown:?}");
        for picture in shown {
            let is_plot = picture.starts_with("docs/bench/"); // `cargo xtask bench` draws them.
            assert!(is_plot || made.contains(&picture), "no command makes {picture}");
            assert!(paths.root.join(&picture).is_file(), "{picture} is not there");
        }
    }

    #[test]
    fn the_readme_opens_with_a_small_moving_picture_and_three_others() {
        let paths = Paths::of_this_repository().unwrap();
        let movie = fs::read(paths.root.join(MOVIE.1)).unwrap();
        assert!(movie.len() as u64 <= MOVIE_BYTES_MAX);
        let frames = movie.windows(4).filter(|bytes| bytes == b"ANMF").count();
        assert!((60..=120).contains(&frames), "4 to 8 seconds, not {frames} frames");

        let readme = fs::read_to_string(paths.root.join("README.md")).unwrap();
        let pictures = crate::guides::pictures_on(&readme);
        assert_eq!(pictures.len(), 4, "{pictures:?}");
        assert_eq!(pictures[0], MOVIE.1);
    }
}
