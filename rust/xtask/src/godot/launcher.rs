//! The scripts that start Godot: `godot.sh`, and `godot-xvfb.sh` with a display of its own.
//!
//! Scripts rather than code, so that people, benchmarks and other tools start the same Godot in the same way.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use fs_err as fs;

use super::install;
use crate::debian::Sysroot;
use crate::files;

/// The folders that Godot keeps settings, saved games and caches in: the variable that names each, and its
/// name below our private home.
pub const HOME_FOLDERS: [(&str, &str); 3] =
    [("XDG_DATA_HOME", "data"), ("XDG_CONFIG_HOME", "config"), ("XDG_CACHE_HOME", "cache")];

/// The X server looks for its keyboard compiler here; the packaged path is not on this machine.
const PACKAGED_XKB_DIR: &[u8] = b"/usr/bin\0";
/// As long as the packaged path, and relative to the folder that the X server is started in.
const PRIVATE_XKB_DIR: &[u8] = b"./xkbbin\0";

/// Writes `godot.sh` for a Godot that the machine has.
pub fn for_program(dir: &Path, program: &Path) -> Result<PathBuf> {
    let program = fs::canonicalize(program)?;
    if !cfg!(unix) {
        return Ok(program);
    }
    let script = format!("{HEADER}\nunset LD_LIBRARY_PATH\nexec '{}' \"$@\"\n", program.display());
    write(dir, "godot.sh", &script)
}

/// Writes `godot.sh` for the private copy.
pub fn for_sysroot(dir: &Path, sysroot: &Sysroot) -> Result<PathBuf> {
    let (root, libraries) = (sysroot.root.display(), sysroot.libraries.display());
    let home = HOME_FOLDERS.map(|(variable, folder)| {
        let folder = dir.join("home").join(folder);
        format!("export {variable}=\"${{{variable}:-{}}}\"\n", folder.display())
    });
    let script = format!(
        "{HEADER}\n\
         unset LD_LIBRARY_PATH LD_PRELOAD\n\
         {}\
         export LIBGL_DRIVERS_PATH='{libraries}/dri'\n\
         export __EGL_VENDOR_LIBRARY_DIRS='{root}/usr/share/glvnd/egl_vendor.d'\n\
         export FONTCONFIG_SYSROOT='{root}'\n\
         export XKB_CONFIG_ROOT='{root}/usr/share/X11/xkb'\n\
         export XLOCALEDIR='{root}/usr/share/X11/locale'\n\
         exec {} \"$@\"\n",
        home.concat(),
        sysroot.start(&sysroot.root.join("usr/bin/godot"))
    );
    let path = write(dir, "godot.sh", &script)?;
    if files::on_path("Xvfb").is_none() {
        write_display_script(dir, &path, &private_xvfb(dir, sysroot)?)?;
    }
    Ok(path)
}

/// Writes `godot.sh` for a Godot for Windows that Wine runs, with these variables. It finds this machine's
/// files on its drive `Z:`.
pub fn for_wine(dir: &Path, wine: &Path, program: &Path, variables: &[(&str, String)]) -> Result<PathBuf> {
    let exports: Vec<String> =
        variables.iter().map(|(name, value)| format!("export {name}='{value}'\n")).collect();
    let start = format!("exec '{}' '{}' \"$@\"\n", wine.display(), fs::canonicalize(program)?.display());
    write(dir, "godot.sh", &format!("{HEADER}\n{}{ON_DRIVE}{start}", exports.concat()))
}

/// Writes `godot.sh` for games that were exported for the web, which Chromium plays: a project's folder is
/// that of the export.
pub fn for_browser(dir: &Path, node: &Path, chromium: &Path) -> Result<PathBuf> {
    let driver = dir.join("browser.mjs");
    files::put(&driver, BROWSER.as_bytes())?;
    let programs = [node, &driver, chromium].map(|path| path.display());
    let [node, driver, chromium] = programs;
    let start =
        format!("exec '{node}' --experimental-websocket --no-warnings '{driver}' '{chromium}' \"$@\"\n");
    write(dir, "godot.sh", &format!("{HEADER}\n{start}"))
}

/// Writes `godot-xvfb.sh`, which starts an X server without a screen, Godot on it, and ends both together.
/// The machine's own Xvfb comes first; failing that, the private copy's.
pub fn with_display(dir: &Path, launcher: &Path) -> Result<PathBuf> {
    let xvfb = match files::on_path("Xvfb") {
        Some(program) => format!("'{}'", program.display()),
        None => private_xvfb(dir, &install::ensure(dir)?)
            .context("pictures without a display need Xvfb: install it, or leave them out")?,
    };
    write_display_script(dir, launcher, &xvfb)
}

/// Makes the private X server able to start. Its path to the keyboard compiler is compiled in, and replaced
/// here by a path of the same length. Returns the shell command that starts it.
fn private_xvfb(dir: &Path, sysroot: &Sysroot) -> Result<String> {
    let x11 = dir.join("x11");
    let mut program = fs::read(sysroot.root.join("usr/bin/Xvfb"))?;
    if let Some(at) = find(&program, PACKAGED_XKB_DIR) {
        program[at..at + PRIVATE_XKB_DIR.len()].copy_from_slice(PRIVATE_XKB_DIR);
    }
    files::put_program(&x11.join("Xvfb"), &program)?;
    let compiler = sysroot.start(&sysroot.root.join("usr/bin/xkbcomp"));
    write(&x11.join("xkbbin"), "xkbcomp", &format!("{HEADER}\nexec {compiler} \"$@\"\n"))?;
    let (root, libraries) = (sysroot.root.display(), sysroot.libraries.display());
    Ok(format!(
        "cd '{}' && LIBGL_DRIVERS_PATH='{libraries}/dri' exec {} -xkbdir '{root}/usr/share/X11/xkb'",
        x11.display(),
        sysroot.start(Path::new("./Xvfb"))
    ))
}

fn write_display_script(dir: &Path, launcher: &Path, xvfb: &str) -> Result<PathBuf> {
    let xvfb = if xvfb.starts_with("cd ") { xvfb.to_owned() } else { format!("exec {xvfb}") };
    let script = DISPLAY_SCRIPT.replace("@XVFB@", &xvfb).replace("@GODOT@", &launcher.display().to_string());
    write(dir, "godot-xvfb.sh", &format!("{HEADER}\n{script}"))
}

fn write(dir: &Path, name: &str, script: &str) -> Result<PathBuf> {
    let path = dir.join(name);
    files::put_program(&path, script.as_bytes())?;
    Ok(path)
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

const HEADER: &str = "#!/bin/sh\n# Written by `cargo xtask`.";

/// Plays an exported game in a browser.
const BROWSER: &str = include_str!("browser.mjs");

const ON_DRIVE: &str = r#"for argument; do
    shift
    case "$argument" in
        /*) argument="Z:$argument" ;;
        --*=/*) argument="${argument%%=*}=Z:${argument#*=}" ;;
    esac
    set -- "$@" "$argument"
done
"#;

const DISPLAY_SCRIPT: &str = r#"
unset LD_LIBRARY_PATH LD_PRELOAD WAYLAND_DISPLAY
scratch=$(mktemp -d) || exit 70
server= client=
end() {
    [ -n "$client" ] && kill "$client" 2>/dev/null
    [ -n "$server" ] && kill "$server" 2>/dev/null && wait "$server" 2>/dev/null
    rm -rf "$scratch"
}
trap end EXIT
trap 'exit 143' INT TERM HUP
(@XVFB@ -displayfd 3 -screen 0 1920x1080x24 -nolisten tcp +extension GLX) 3>"$scratch/display" >"$scratch/log" 2>&1 &
server=$!
tries=0
while [ ! -s "$scratch/display" ]; do
    tries=$((tries + 1))
    if [ "$tries" -gt 200 ] || ! kill -0 "$server" 2>/dev/null; then
        echo "ERROR: the X server without a screen (Xvfb) does not start:" >&2
        cat "$scratch/log" >&2
        exit 70
    fi
    sleep 0.1
done
DISPLAY=":$(cat "$scratch/display")"
export DISPLAY
'@GODOT@' --display-driver x11 --rendering-method gl_compatibility --audio-driver Dummy "$@" 3>&- &
client=$!
wait "$client"
code=$?
client=
exit "$code"
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn wine_finds_files_on_its_drive() {
        let dir = std::env::temp_dir().join(format!("pathforge_wine_{}", std::process::id()));
        let script =
            for_wine(&dir, Path::new("/bin/echo"), Path::new("/bin/sh"), &[("A", "b".to_owned())]).unwrap();
        let said =
            std::process::Command::new(script).args(["--path", "/a b", "--picture=/c", "-s", "d/e"]).output();
        let said = String::from_utf8(said.unwrap().stdout).unwrap();
        assert!(said.ends_with(" --path Z:/a b --picture=Z:/c -s d/e\n"), "{said}");
        fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn the_private_keyboard_folder_fits_where_the_packaged_one_was() {
        assert_eq!(PACKAGED_XKB_DIR.len(), PRIVATE_XKB_DIR.len());
        assert_eq!(find(b"ab/usr/bin\0c", PACKAGED_XKB_DIR), Some(2));
        assert_eq!(find(b"/usr/bin/env\0", PACKAGED_XKB_DIR), None);
    }
}
