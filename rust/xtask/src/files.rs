//! Files written so that no reader sees half of one, and folders kept equal.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use crate::problem::{Outcome, While};

/// Makes a folder and those above it.
pub fn make_dir(dir: &Path) -> Outcome<()> {
    fs::create_dir_all(dir).while_doing(|| format!("make the folder {}", dir.display()))
}

/// Removes a folder with all that is in it, if it is there.
pub fn remove_dir(dir: &Path) -> Outcome<()> {
    if !dir.exists() {
        return Ok(());
    }
    fs::remove_dir_all(dir).while_doing(|| format!("remove the folder {}", dir.display()))
}

/// Reads a text file.
pub fn read_text(path: &Path) -> Outcome<String> {
    fs::read_to_string(path).while_doing(|| format!("read {}", path.display()))
}

/// Puts `bytes` into `path` in one step, and leaves the file alone when they are there already. A library that a
/// running Godot has mapped stays whole, because the old file is replaced and not overwritten.
pub fn put(path: &Path, bytes: &[u8]) -> Outcome<()> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    if let Some(parent) = path.parent() {
        make_dir(parent)?;
    }
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".new{}", std::process::id()));
    let fresh = path.with_file_name(name);
    let written = fs::write(&fresh, bytes).and_then(|()| fs::rename(&fresh, path));
    written.while_doing(|| format!("write {}", path.display()))
}

/// As [`put`], and makes the file one that can be run.
pub fn put_program(path: &Path, bytes: &[u8]) -> Outcome<()> {
    put(path, bytes)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(path, mode).while_doing(|| format!("make {} executable", path.display()))?;
    }
    Ok(())
}

/// Makes `copy` hold what `original` holds. What Godot adds beside the files (`*.import`, `*.uid`) stays as long as
/// the file that it belongs to does.
pub fn mirror(original: &Path, copy: &Path) -> Outcome<()> {
    mirror_except(original, copy, "")
}

/// As [`mirror`], and leaves what is called `except` in either folder alone.
pub fn mirror_except(original: &Path, copy: &Path, except: &str) -> Outcome<()> {
    make_dir(copy)?;
    for name in names_in(original)?.into_iter().filter(|name| name != except) {
        let (from, to) = (original.join(&name), copy.join(&name));
        if from.is_dir() {
            mirror(&from, &to)?;
        } else if !belongs_to_godot(&from) {
            let bytes = fs::read(&from).while_doing(|| format!("read {}", from.display()))?;
            put(&to, &bytes)?;
        }
    }
    for name in names_in(copy)?.into_iter().filter(|name| name != except) {
        let there = original.join(&name).exists();
        let owner_there =
            belongs_to_godot(Path::new(&name)) && original.join(&name).with_extension("").exists();
        if there || owner_there {
            continue;
        }
        let stale = copy.join(&name);
        let removed = if stale.is_dir() { fs::remove_dir_all(&stale) } else { fs::remove_file(&stale) };
        removed.while_doing(|| format!("remove {}", stale.display()))?;
    }
    Ok(())
}

/// Copies a folder with the times of its files, leaving out what `unwanted` names.
pub fn copy_with_times(original: &Path, copy: &Path, unwanted: &dyn Fn(&str) -> bool) -> std::io::Result<()> {
    fs::create_dir_all(copy)?;
    for entry in fs::read_dir(original)? {
        let entry = entry?;
        if unwanted(&entry.file_name().to_string_lossy()) {
            continue;
        }
        let (from, to) = (entry.path(), copy.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            copy_with_times(&from, &to, unwanted)?;
        } else {
            fs::copy(&from, &to)?;
            let times = fs::FileTimes::new().set_modified(entry.metadata()?.modified()?);
            fs::File::options().write(true).open(&to)?.set_times(times)?;
        }
    }
    Ok(())
}

fn belongs_to_godot(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "import" || extension == "uid")
}

/// The names in a folder, sorted.
pub fn names_in(dir: &Path) -> Outcome<Vec<std::ffi::OsString>> {
    let doing = || format!("list {}", dir.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(dir).while_doing(doing)? {
        names.push(entry.while_doing(doing)?.file_name());
    }
    names.sort();
    Ok(names)
}

/// Finds a program on PATH.
pub fn on_path(program: &str) -> Option<std::path::PathBuf> {
    let file = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(OsStr::new(&file))).find(|candidate| candidate.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mirror_drops_what_is_gone_and_keeps_what_godot_added() {
        let scratch = std::env::temp_dir().join(format!("pathforge-mirror-{}", std::process::id()));
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
