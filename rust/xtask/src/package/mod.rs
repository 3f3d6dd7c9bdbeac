//! `cargo xtask package`: the zip that a game developer unpacks into a project.

mod licences;

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::addon;
use crate::files;
use crate::paths::Paths;
use crate::problem::{Outcome, While};
use crate::process;

/// Where everything is inside the zip.
const INSIDE: &str = "addons/pathforge";
/// Where links of the README lead from inside the zip.
const REPOSITORY: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/");

/// Builds the library with optimisation, strips it, and writes `dist/pathforge-<version>.zip`; returns its path.
///
/// The libraries of other platforms that are in `addons/pathforge/bin/` go in too: a release puts them there first.
pub fn package(paths: &Paths) -> Outcome<PathBuf> {
    addon::build(paths, true)?;
    let staged = stage(paths)?;
    let archive = paths.root.join("dist").join(format!("pathforge-{}.zip", env!("CARGO_PKG_VERSION")));
    files::put(&archive, &zipped(&staged)?)?;
    let library = staged.join("bin").join(addon::library_of_addon());
    println!(
        "dist/{}: {:.1} MB, the library for this platform {:.1} MB",
        archive.file_name().unwrap_or_default().display(),
        size_of(&archive)? as f64 / 1e6,
        size_of(&library)? as f64 / 1e6
    );
    Ok(archive)
}

/// Puts what goes into the zip's `addons/pathforge` into a folder, and returns it.
fn stage(paths: &Paths) -> Outcome<PathBuf> {
    let staged = paths.scratch().join("package").join(INSIDE);
    files::mirror(&paths.addon(), &staged)?;
    strip(&staged.join("bin").join(addon::library_of_addon()))?;
    let readme = files::read_text(&paths.root.join("README.md"))?;
    files::put(&staged.join("README.md"), with_absolute_links(&readme).as_bytes())?;
    let licence = files::read_text(&paths.root.join("LICENSE"))?;
    files::put(&staged.join("LICENSE"), licence.as_bytes())?;
    files::put(&staged.join("THIRD_PARTY_LICENSES.txt"), licences::of_the_library(paths)?.as_bytes())?;
    Ok(staged)
}

/// Takes what only a debugger needs out of a library.
pub fn strip(library: &Path) -> Outcome<()> {
    if cfg!(windows) {
        return Ok(()); // It lies in a file of its own there.
    }
    let mut strip = process::command("strip");
    strip.arg(if cfg!(target_os = "macos") { "-x" } else { "--strip-all" }).arg(library);
    process::run_in_view(strip)
}

fn size_of(path: &Path) -> Outcome<u64> {
    Ok(fs::metadata(path).while_doing(|| format!("look at {}", path.display()))?.len())
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
            text.push_str(REPOSITORY);
        }
        rest = link;
    }
    text + rest
}

/// The folder, whose end is [`INSIDE`], as a zip. The same files give the same bytes.
fn zipped(folder: &Path) -> Outcome<Vec<u8>> {
    let mut archive = ZipWriter::new(io::Cursor::new(Vec::new()));
    add(&mut archive, folder, INSIDE)?;
    let bytes = archive.finish().map_err(io::Error::from).while_doing(|| "end the zip".to_owned())?;
    Ok(bytes.into_inner())
}

fn add(archive: &mut ZipWriter<io::Cursor<Vec<u8>>>, folder: &Path, inside: &str) -> Outcome<()> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    for name in files::names_in(folder)? {
        let (path, inside) = (folder.join(&name), format!("{inside}/{}", name.display()));
        let doing = || format!("put {inside} into the zip");
        if path.is_dir() {
            add(archive, &path, &inside)?;
            continue;
        }
        archive.start_file(inside.as_str(), options).map_err(io::Error::from).while_doing(doing)?;
        archive.write_all(&fs::read(&path).while_doing(doing)?).while_doing(doing)?;
    }
    Ok(())
}

/// Unpacks a zip into a folder.
pub fn unpack(archive: &Path, folder: &Path) -> Outcome<()> {
    let doing = || format!("unpack {}", archive.display());
    let file = File::open(archive).while_doing(doing)?;
    let opened = zip::ZipArchive::new(file).and_then(|mut archive| archive.extract(folder));
    opened.map_err(io::Error::from).while_doing(doing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_out_of_the_zip() {
        let readme = "![x](demo/a.png) [b](https://b.org) [c](#figures) [d](LICENSE)";
        let wanted =
            format!("![x]({REPOSITORY}demo/a.png) [b](https://b.org) [c](#figures) [d]({REPOSITORY}LICENSE)");
        assert_eq!(with_absolute_links(readme), wanted);
    }

    #[test]
    fn what_is_packed_can_be_unpacked() {
        let scratch = std::env::temp_dir().join(format!("pathforge-zip-{}", std::process::id()));
        files::put(&scratch.join("from/bin/library"), &[7; 9999]).unwrap();
        files::put(&scratch.join("from/plugin.cfg"), b"[plugin]").unwrap();
        let archive = scratch.join("x.zip");
        files::put(&archive, &zipped(&scratch.join("from")).unwrap()).unwrap();

        unpack(&archive, &scratch.join("to")).unwrap();

        let unpacked = scratch.join("to").join(INSIDE);
        assert_eq!(fs::read(unpacked.join("bin/library")).unwrap(), [7; 9999]);
        assert_eq!(fs::read(unpacked.join("plugin.cfg")).unwrap(), b"[plugin]");
        assert_eq!(zipped(&scratch.join("from")).unwrap(), fs::read(&archive).unwrap());
        fs::remove_dir_all(&scratch).unwrap();
    }
}
