//! `cargo xtask export web`: the demo as a page that any server of files serves.

use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};

use crate::paths::Paths;
use crate::platform::{self, Platform};
use crate::{addon, files, flags, godot, package};

/// The export that needs nothing of the server: the library, and the preset.
const WEB: (&str, &str) = ("web.wasm32", "Web without threads");
/// The most that a visitor downloads before the menu is there, in bytes, compressed.
const DOWNLOAD_MAX: usize = 25_000_000;

/// Exports the demo into `dist/web`.
pub fn run(paths: &Paths, options: &flags::Export) -> Result<ExitCode> {
    ensure!(options.platform == "web", "the demo is exported for `web`, not for `{}`", options.platform);
    let template = godot::web_template()?.with_context(|| {
        format!("{}: set it to web_dlink_nothreads_release.zip of Godot's export templates", godot::WEB)
    })?;
    let (name, preset) = WEB;
    println!("export 1/3: building the library");
    let library = match Platform::of_name(name).context("the platform is known")?.build(paths)? {
        Ok(library) => library,
        Err(lacking) => bail!("this machine lacks {lacking}"),
    };
    addon::build(paths, false)?;
    println!("export 2/3: importing the demo");
    let godot = godot::locate(paths)?;
    let demo = addon::copy_with_debug_build(paths, &paths.demo_project(), "export")?;
    platform::put_library(&demo, &library)?;
    godot.import(&demo)?;
    println!("export 3/3: exporting");
    let page = paths.root.join("dist/web");
    files::remove_dir(&page)?;
    godot.export_with(&demo, preset, &template, &page.join("index.html"))?;
    let size = package::zipped(&page, "")?.len();
    println!(
        "dist/web: {:.1} MB, compressed; `python3 -m http.server -d dist/web` serves it",
        size as f64 / 1e6
    );
    ensure!(size <= DOWNLOAD_MAX, "that is more than {} MB", DOWNLOAD_MAX / 1_000_000);
    Ok(ExitCode::SUCCESS)
}
