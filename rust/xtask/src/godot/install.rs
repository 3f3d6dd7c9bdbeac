//! A private copy of Godot, with what it takes to draw without a screen, from Debian's packages.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use fs_err as fs;
use xshell::{Shell, cmd};

use super::apt::Apt;
use super::launcher;
use super::nowhere;
use super::sysroot::Sysroot;
use crate::files;

/// Godot, an X server that needs no screen, and Mesa's software renderer. Everything else comes as their dependencies.
const PACKAGES: [&str; 8] = [
    "godot",
    "xvfb",
    "xkb-data",
    "x11-xkb-utils",
    "libgl1",
    "libgl1-mesa-dri",
    "libglx-mesa0",
    "libegl-mesa0",
];
/// Changes with the list above and with what is done to the packages, so that an older copy is set up anew.
const RECIPE: &str = "1";
/// Parts of packages that no program here reads.
const UNREAD: [&str; 5] =
    ["usr/share/doc", "usr/share/man", "usr/share/locale", "usr/share/lintian", "usr/share/bash-completion"];

/// Sets the private copy up if it is not there, and returns it. Each step that is done stays done: when one fails, the
/// next call goes on from there.
pub fn ensure(dir: &Path) -> Result<Sysroot> {
    let (root, stamp) = (dir.join("sysroot"), dir.join("installed"));
    let ready = || fs::read_to_string(&stamp).is_ok_and(|recipe| recipe == RECIPE);
    if ready() {
        return Sysroot::open(&root);
    }
    if !cfg!(target_os = "linux") {
        return Err(nowhere("a private copy is only made on Debian-like Linux systems"));
    }
    fs::create_dir_all(dir)?;
    let lock = std::fs::File::create(dir.join("lock"))?;
    if lock.try_lock().is_err() {
        println!("Godot: another xtask is setting it up; waiting for it");
        lock.lock()?;
    }
    if ready() {
        return Sysroot::open(&root);
    }

    let start = Instant::now();
    println!("Godot: none found on this machine; setting up a private copy in {}", dir.display());
    println!("Godot 1/4: fetching Debian's package list");
    let apt = Apt::set_up(&dir.join("apt"))?;
    apt.update()?;
    println!("Godot 2/4: downloading the packages (about 170 MB)");
    let packages = download(&apt)?;
    println!("Godot 3/4: unpacking {} packages (about 550 MB)", packages.len());
    files::remove_dir(&root)?;
    unpack(&packages, &root)?;
    println!("Godot 4/4: starting it once");
    let sysroot = Sysroot::open(&root)?;
    let script = launcher::for_sysroot(dir, &sysroot)?;
    let version = super::find::version_of(&script).context("the private copy of Godot does not start")?;
    apt.clean()?;
    fs::write(&stamp, RECIPE)?;
    println!("Godot: {version} is ready after {} s", start.elapsed().as_secs());
    Ok(sysroot)
}

fn download(apt: &Apt) -> Result<Vec<PathBuf>> {
    let (mut count, mut told) = (0, Instant::now());
    let packages = apt.download(&PACKAGES, &mut |line| {
        count += usize::from(line.starts_with("Get:"));
        if line.starts_with("Need to get") || line.starts_with("Fetched") {
            println!("    {line}");
        } else if told.elapsed().as_secs() >= 5 {
            told = Instant::now();
            println!("    {count} packages asked for");
        }
    })?;
    ensure!(
        !packages.is_empty(),
        "apt downloaded nothing; remove the folder `godot` under target/ and run this again"
    );
    Ok(packages)
}

fn unpack(packages: &[PathBuf], root: &Path) -> Result<()> {
    let sh = Shell::new()?;
    fs::create_dir_all(root)?;
    for (done, package) in packages.iter().enumerate() {
        if done % 40 == 0 && done > 0 {
            println!("    {done} of {}", packages.len());
        }
        let unpacked = cmd!(sh, "dpkg-deb --extract {package} {root}").quiet().run();
        if unpacked.is_err() {
            // A damaged download would be taken for a good one by the next call.
            let _ = fs::remove_file(package);
        }
        unpacked.context("a package cannot be unpacked; run this again, and it is downloaded anew")?;
    }
    UNREAD.iter().try_for_each(|folder| Ok(files::remove_dir(&root.join(folder))?))
}
