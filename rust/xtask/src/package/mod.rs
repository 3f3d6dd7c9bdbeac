//! `cargo xtask package`: the zip that a game developer unpacks into a project, and the demo as a project.

mod licences;

use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use fs_err as fs;
use walkdir::WalkDir;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use crate::godot;
use crate::paths::Paths;
use crate::platform::{self, PLATFORMS, Platform};
use crate::progress::say;
use crate::{addon, files, flags};

/// Where everything is inside the zip.
const INSIDE: &str = "addons/pathforge";
/// The folder of the demo in its zip.
pub const DEMO: &str = "pathforge_demo";
/// What of the demo's folder is of no use to who plays it.
const NOT_IN_DEMO: [&str; 3] = [".godot", "addons", "export_presets.cfg"];
/// The folder of the libraries there.
const BIN: &str = "bin";
/// Where links of the README lead from inside the zip.
const REPOSITORY: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/");
/// The same for pictures, of which the address above gives a page.
const PICTURES: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/raw/main/");

/// The zips.
pub struct Archives {
    /// For a project.
    pub addon: PathBuf,
    /// A project, with the addon.
    pub demo: PathBuf,
}

/// The file that names the libraries.
const EXTENSION: &str = "pathforge.gdextension";

/// Packs as `options` say.
pub fn run(paths: &Paths, options: &flags::Package) -> Result<ExitCode> {
    ensure!(
        options.platform != options.names.is_empty(),
        "platforms are named after --platform: `cargo xtask package --platform linux.x86_64 macos`, or `all`"
    );
    if options.platform {
        return package_for(paths, &options.names);
    }
    addon::build(paths, true)?;
    package(paths).map(|_| ExitCode::SUCCESS)
}

/// Writes the zips with the library for this machine, which was built.
pub fn package(paths: &Paths) -> Result<Archives> {
    let folder = staged(paths);
    files::mirror(&paths.addon(), &folder)?;
    finish(paths, &folder)
}

/// Builds the libraries of these platforms as far as this machine can, and writes the zips with all that were
/// built. Says at the end which failed, and which this machine lacks something for. Fails when one failed,
/// or one was named that could not be built; `all` names none.
fn package_for(paths: &Paths, names: &[String]) -> Result<ExitCode> {
    let (mut built, mut lacking, mut failed) = (Vec::new(), Vec::new(), Vec::new());
    for platform in platform::named(names)? {
        println!("{}", platform.name);
        let start = Instant::now();
        match platform.build(paths) {
            Ok(Ok(library)) => {
                let (size, seconds) = (fs::metadata(&library)?.len() as f64 / 1e6, start.elapsed().as_secs());
                println!("    {}: {size:.2} MB, {} ({seconds} s)", platform.library(), platform.baseline);
                built.push(library);
            }
            Ok(Err(reason)) => {
                println!("    not built, this machine lacks {reason}");
                lacking.push(platform.name);
            }
            Err(error) => {
                println!("    failed: {error:#}");
                failed.push(platform.name);
            }
        }
    }
    ensure!(!built.is_empty(), "no library was built, so there is no zip");
    let folder = staged(paths);
    files::mirror_except(&paths.addon(), &folder, &[BIN])?;
    files::remove_dir(&folder.join(BIN))?;
    for library in &built {
        let name = library.file_name().unwrap_or_default();
        files::put(&folder.join(BIN).join(name), &fs::read(library)?)?;
    }
    finish(paths, &folder)?;
    let is_named =
        |platform: &&&str| names.iter().any(|name| name != "all" && platform.starts_with(name.as_str()));
    let missing: Vec<&str> = lacking.iter().filter(is_named).copied().collect();
    for (why, names) in [("failed", &failed), ("not built", &missing)] {
        if !names.is_empty() {
            println!("not in the zip, {why}: {}", names.join(", "));
        }
    }
    let is_whole = failed.is_empty() && missing.is_empty();
    Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Where what goes into the zip's `addons/pathforge` is put together.
fn staged(paths: &Paths) -> PathBuf {
    paths.scratch().join("package").join(INSIDE)
}

/// Adds to the folder, which has got its libraries, what a release needs beside them, and writes the zips.
fn finish(paths: &Paths, folder: &Path) -> Result<Archives> {
    let libraries: Vec<String> =
        files::names_in(&folder.join(BIN))?.iter().map(|name| name.to_string_lossy().into_owned()).collect();
    let is_there = |platform: &&Platform| libraries.contains(&platform.library());
    let platforms: Vec<&Platform> = PLATFORMS.iter().filter(is_there).collect();
    let extension = fs::read_to_string(paths.addon().join(EXTENSION))?;
    fs::write(folder.join(EXTENSION), naming_only(&extension, &libraries))?;
    let readme = fs::read_to_string(paths.root.join("README.md"))?;
    fs::write(folder.join("README.md"), with_absolute_links(&readme))?;
    fs::copy(paths.root.join("LICENSE"), folder.join("LICENSE"))?;
    let targets: Vec<&str> = platforms.iter().flat_map(|platform| platform.targets).copied().collect();
    fs::write(folder.join("THIRD_PARTY_LICENSES.txt"), licences::of_the_library(paths, &targets)?)?;

    let demo = paths.scratch().join("package_demo").join(DEMO);
    files::mirror_except(&paths.demo_project(), &demo, &NOT_IN_DEMO)?;
    files::mirror(folder, &demo.join(INSIDE))?;
    godot::list_extension(&demo)?;
    let within: Vec<&str> = platforms.iter().map(|platform| platform.name).collect();
    let archives = Archives {
        addon: paths.root.join(concat!("dist/pathforge-", env!("CARGO_PKG_VERSION"), ".zip")),
        demo: paths.root.join(concat!("dist/pathforge-demo-", env!("CARGO_PKG_VERSION"), ".zip")),
    };
    for (archive, folder, inside) in [(&archives.addon, folder, INSIDE), (&archives.demo, &demo, DEMO)] {
        let bytes = zipped(folder, inside)?;
        files::put(archive, &bytes)?;
        let (name, size) = (archive.file_name().unwrap_or_default(), bytes.len() as f64 / 1e6);
        say(format_args!("dist/{}: {size:.1} MB, for {}", name.display(), within.join(", ")));
    }
    Ok(archives)
}

/// The description of the extension without missing libraries. Godot then says that the platform is not
/// supported, and an exported game is not built without its library.
fn naming_only(extension: &str, libraries: &[String]) -> String {
    let names = |line: &str| line.split_once("/bin/").map(|(_, name)| name.trim_end_matches('"').to_owned());
    let is_there = |line: &&str| names(line).is_none_or(|name| libraries.contains(&name));
    extension.lines().filter(is_there).flat_map(|line| [line, "\n"]).collect()
}

/// The README with links that work without the repository around it.
fn with_absolute_links(readme: &str) -> String {
    let mut text = String::with_capacity(readme.len());
    let mut rest = readme;
    while let Some(at) = rest.find("](") {
        let (before, link) = rest.split_at(at + 2);
        text.push_str(before);
        let leads_out = link.starts_with('#') || link.contains("://") && link.find("://") < link.find(')');
        if !leads_out {
            let is_picture = before.rfind('[').is_some_and(|at| before[..at].ends_with('!'));
            text.push_str(if is_picture { PICTURES } else { REPOSITORY });
        }
        rest = link;
    }
    text + rest
}

/// The folder as a zip in which it is called `inside`. The same files give the same bytes.
pub fn zipped(folder: &Path, inside: &str) -> Result<Vec<u8>> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = entry?;
        if entry.file_type().is_file() {
            let name = Path::new(inside).join(entry.path().strip_prefix(folder)?);
            archive.start_file_from_path(&name, options)?;
            archive.write_all(&fs::read(entry.path())?)?;
        }
    }
    Ok(archive.finish()?.into_inner())
}

/// Unpacks a zip into a folder.
pub fn unpack(archive: &Path, folder: &Path) -> Result<()> {
    let unpacked = ZipArchive::new(fs::File::open(archive)?).and_then(|mut archive| archive.extract(folder));
    unpacked.with_context(|| format!("cannot unpack {}", archive.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_out_of_the_zip() {
        let readme = "![x](demo/a.png) [b](https://b.org) [c](#figures) [d](LICENSE)";
        let wanted =
            format!("![x]({PICTURES}demo/a.png) [b](https://b.org) [c](#figures) [d]({REPOSITORY}LICENSE)");
        assert_eq!(with_absolute_links(readme), wanted);
    }

    #[test]
    fn only_libraries_that_are_there_are_named() {
        let extension =
            "[libraries]\n\nmacos = \"res://a/bin/b.dylib\"\nlinux = \"res://a/bin/b.so\"\n[icons]\n";
        assert_eq!(
            naming_only(extension, &["b.so".to_owned()]),
            extension.replace("macos = \"res://a/bin/b.dylib\"\n", "")
        );
    }

    #[test]
    fn what_is_packed_can_be_unpacked() {
        let scratch = std::env::temp_dir().join(format!("pathforge-zip-{}", std::process::id()));
        files::put(&scratch.join("from/bin/library"), &[7; 9999]).unwrap();
        files::put(&scratch.join("from/plugin.cfg"), b"[plugin]").unwrap();
        let archive = scratch.join("x.zip");
        files::put(&archive, &zipped(&scratch.join("from"), INSIDE).unwrap()).unwrap();

        unpack(&archive, &scratch.join("to")).unwrap();

        let unpacked = scratch.join("to").join(INSIDE);
        assert_eq!(fs::read(unpacked.join("bin/library")).unwrap(), [7; 9999]);
        assert_eq!(fs::read(unpacked.join("plugin.cfg")).unwrap(), b"[plugin]");
        assert_eq!(zipped(&scratch.join("from"), INSIDE).unwrap(), fs::read(&archive).unwrap());
        fs::remove_dir_all(&scratch).unwrap();
    }
}
