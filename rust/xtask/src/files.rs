//! Files written so that no reader sees half of one, and folders kept equal.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{env, io};

use anyhow::Result;
use fs_err as fs;
use walkdir::WalkDir;

/// Removes a folder with all that is in it, if it is there.
pub fn remove_dir(dir: &Path) -> io::Result<()> {
    if dir.exists() { fs::remove_dir_all(dir) } else { Ok(()) }
}

/// Puts `bytes` into `path` in one step, and leaves the file alone when they are there already. A library
/// that a running Godot has mapped stays whole, because the old file is replaced and not overwritten.
pub fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".new{}", std::process::id()));
    let fresh = path.with_file_name(name);
    fs::write(&fresh, bytes)?;
    fs::rename(&fresh, path)
}

/// As [`put`], and makes the file executable.
pub fn put_program(path: &Path, bytes: &[u8]) -> io::Result<()> {
    put(path, bytes)?;
    #[cfg(unix)]
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    Ok(())
}

/// Makes `copy` hold what `original` holds. What Godot adds beside the files (`*.import`, `*.uid`) stays as
/// long as the file that it belongs to does.
pub fn mirror(original: &Path, copy: &Path) -> Result<()> {
    mirror_except(original, copy, &[])
}

/// As [`mirror`], and leaves what has one of the names `except` in either folder alone.
pub fn mirror_except(original: &Path, copy: &Path, except: &[&str]) -> Result<()> {
    fs::create_dir_all(copy)?;
    let names = |folder: &Path| -> Result<Vec<OsString>> {
        let mut names = names_in(folder)?;
        names.retain(|name| !except.iter().any(|except| name == except));
        Ok(names)
    };
    for name in names(original)? {
        let (from, to) = (original.join(&name), copy.join(&name));
        if from.is_dir() {
            mirror(&from, &to)?;
        } else if !belongs_to_godot(&from) {
            put(&to, &fs::read(&from)?)?;
        }
    }
    for name in names(copy)? {
        let there = original.join(&name).exists();
        let owner_there =
            belongs_to_godot(Path::new(&name)) && original.join(&name).with_extension("").exists();
        if there || owner_there {
            continue;
        }
        let stale = copy.join(&name);
        if stale.is_dir() { fs::remove_dir_all(&stale)? } else { fs::remove_file(&stale)? }
    }
    Ok(())
}

/// Copies a file, or a folder with all that is in it, with the times of the files. What has the same time
/// already stays.
pub fn copy_with_times(original: &Path, copy: &Path) -> Result<()> {
    for entry in WalkDir::new(original) {
        let entry = entry?;
        let inside = entry.path().strip_prefix(original)?;
        // Joining nothing would make a file's path one of a folder.
        let to = if inside.as_os_str().is_empty() { copy.to_path_buf() } else { copy.join(inside) };
        if entry.file_type().is_dir() {
            fs::create_dir_all(&to)?;
            continue;
        }
        let modified = entry.metadata()?.modified()?;
        if fs::metadata(&to).and_then(|copy| copy.modified()).ok() != Some(modified) {
            fs::copy(entry.path(), &to)?;
            let times = std::fs::FileTimes::new().set_modified(modified);
            std::fs::File::options().write(true).open(&to)?.set_times(times)?;
        }
    }
    Ok(())
}

fn belongs_to_godot(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "import" || extension == "uid")
}

/// The names in a folder, sorted.
pub fn names_in(dir: &Path) -> Result<Vec<OsString>> {
    let entries = WalkDir::new(dir).min_depth(1).max_depth(1).sort_by_file_name();
    entries.into_iter().map(|entry| Ok(entry?.file_name().to_owned())).collect()
}

/// Finds a program on PATH.
pub fn on_path(program: &str) -> Option<PathBuf> {
    let file = format!("{program}{}", env::consts::EXE_SUFFIX);
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|dir| dir.join(&file)).find(|candidate| candidate.is_file())
}

/// The folders in which cargo keeps the source of what it downloaded.
pub fn cargo_registries() -> Result<Vec<PathBuf>> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| env::home_dir().map(|home| home.join(".cargo"))).unwrap_or_default();
    let source = home.join("registry/src");
    if !source.is_dir() {
        return Ok(Vec::new());
    }
    Ok(names_in(&source)?.into_iter().map(|name| source.join(name)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mirror_drops_what_is_gone_and_keeps_what_godot_added() {
        let scratch = env::temp_dir().join(format!("pathforge-mirror-{}", std::process::id()));
        let (original, copy) = (scratch.join("original"), scratch.join("copy"));
        put(&original.join("icons/grid.svg"), b"<svg/>").unwrap();
        put(&original.join("plugin.cfg"), b"1").unwrap();
        put(&copy.join("icons/grid.svg.import"), b"made by Godot").unwrap();
        put(&copy.join("icons/old.svg.import"), b"made by Godot, of a file that is gone").unwrap();
        put(&copy.join("plugin.cfg"), b"0").unwrap();
        put(&copy.join("old/thing.gd"), b"").unwrap();

        mirror(&original, &copy).unwrap();

        assert_eq!(fs::read(copy.join("plugin.cfg")).unwrap(), b"1");
        assert!(copy.join("icons/grid.svg").exists());
        assert!(copy.join("icons/grid.svg.import").exists());
        assert!(!copy.join("icons/old.svg.import").exists());
        assert!(!copy.join("old").exists());
        fs::remove_dir_all(&scratch).unwrap();
    }
}
