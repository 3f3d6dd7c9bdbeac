//! `cargo xtask package`: the zip that a game developer unpacks into a project.

mod licences;

use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use fs_err as fs;
use walkdir::WalkDir;
use xshell::{Shell, cmd};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use crate::paths::Paths;
use crate::{addon, files};

/// Where everything is inside the zip.
const INSIDE: &str = "addons/pathforge";
/// Where links of the README lead from inside the zip.
const REPOSITORY: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/");

/// Builds the library with optimisation, strips it, and writes `dist/pathforge-<version>.zip`; returns its path.
///
/// The libraries of other platforms that are in `addons/pathforge/bin/` go in too: a release puts them there first.
pub fn package(paths: &Paths) -> Result<PathBuf> {
    addon::build(paths, true)?;
    let staged = stage(paths)?;
    let archive = paths.root.join(concat!("dist/pathforge-", env!("CARGO_PKG_VERSION"), ".zip"));
    files::put(&archive, &zipped(&staged)?)?;
    let library = staged.join("bin").join(addon::library_of_addon());
    println!(
        "dist/{}: {:.1} MB, the library for this platform {:.1} MB",
        archive.file_name().unwrap_or_default().display(),
        fs::metadata(&archive)?.len() as f64 / 1e6,
        fs::metadata(&library)?.len() as f64 / 1e6
    );
    Ok(archive)
}

/// Puts what goes into the zip's `addons/pathforge` into a folder, and returns it.
fn stage(paths: &Paths) -> Result<PathBuf> {
    let staged = paths.scratch().join("package").join(INSIDE);
    files::mirror(&paths.addon(), &staged)?;
    strip(&staged.join("bin").join(addon::library_of_addon()))?;
    let readme = fs::read_to_string(paths.root.join("README.md"))?;
    fs::write(staged.join("README.md"), with_absolute_links(&readme))?;
    fs::copy(paths.root.join("LICENSE"), staged.join("LICENSE"))?;
    fs::write(staged.join("THIRD_PARTY_LICENSES.txt"), licences::of_the_library(paths)?)?;
    Ok(staged)
}

/// Takes what only a debugger needs out of a library.
pub fn strip(library: &Path) -> Result<()> {
    if cfg!(windows) {
        return Ok(()); // It lies in a file of its own there.
    }
    let sh = Shell::new()?;
    let what = if cfg!(target_os = "macos") { "-x" } else { "--strip-all" };
    Ok(cmd!(sh, "strip {what} {library}").quiet().run()?)
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
fn zipped(folder: &Path) -> Result<Vec<u8>> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = entry?;
        if entry.file_type().is_file() {
            let inside = Path::new(INSIDE).join(entry.path().strip_prefix(folder)?);
            archive.start_file_from_path(&inside, options)?;
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
