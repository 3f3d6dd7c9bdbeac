//! Programs of Debian's newer suite, unpacked below `target/` with all that they need: the system is not
//! changed, and root is not needed. They are started by their own dynamic loader.

mod apt;
mod sysroot;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use fs_err as fs;
use xshell::{Shell, cmd};

use crate::files;

pub use apt::Apt;
pub use sysroot::Sysroot;

/// Parts of packages that no program here reads.
const UNREAD: [&str; 5] =
    ["usr/share/doc", "usr/share/man", "usr/share/locale", "usr/share/lintian", "usr/share/bash-completion"];

/// Packages that are set up together.
pub struct Packages {
    /// What they are called in messages.
    pub name: &'static str,
    /// The packages. Everything else comes as their dependencies.
    pub wanted: &'static [&'static str],
    /// The processor that they are for, as Debian calls it, if it is not this machine's.
    pub processor: Option<&'static str>,
    /// Changes with the list and with what is done to the packages, so that an older copy is set up anew.
    pub recipe: &'static str,
    /// What is downloaded and what it unpacks to, in MB.
    pub megabytes: (u32, u32),
}

impl Packages {
    /// Sets the packages up in `dir` if they are not there, looks whether they work by `try_out`, which says
    /// what they are, and returns where they lie. Each step that is done stays done: when one fails, the next
    /// call goes on from there.
    pub fn ensure(&self, dir: &Path, try_out: &dyn Fn(&Sysroot) -> Result<String>) -> Result<Sysroot> {
        let (root, stamp) = (dir.join("sysroot"), dir.join("installed"));
        let ready = || fs::read_to_string(&stamp).is_ok_and(|recipe| recipe == self.recipe);
        if ready() {
            return Sysroot::open(&root);
        }
        ensure!(cfg!(target_os = "linux"), "a private copy is only made on Debian-like Linux systems");
        fs::create_dir_all(dir)?;
        let lock = std::fs::File::create(dir.join("lock"))?;
        let name = self.name;
        if lock.try_lock().is_err() {
            println!("{name}: another xtask is setting it up; waiting for it");
            lock.lock()?;
        }
        if ready() {
            return Sysroot::open(&root);
        }

        let start = Instant::now();
        println!("{name}: none found on this machine; setting up a private copy in {}", dir.display());
        println!("{name} 1/4: fetching Debian's package list");
        let apt = Apt::set_up(&dir.join("apt"), self.processor)?;
        apt.update()?;
        println!("{name} 2/4: downloading the packages (about {} MB)", self.megabytes.0);
        let packages = self.download(&apt)?;
        println!("{name} 3/4: unpacking {} packages (about {} MB)", packages.len(), self.megabytes.1);
        files::remove_dir(&root)?;
        unpack(&packages, &root)?;
        println!("{name} 4/4: starting it once");
        let sysroot = Sysroot::open(&root)?;
        let version =
            try_out(&sysroot).with_context(|| format!("the private copy of {name} does not start"))?;
        apt.clean()?;
        fs::write(&stamp, self.recipe)?;
        println!("{name}: {version} is ready after {} s", start.elapsed().as_secs());
        Ok(sysroot)
    }

    fn download(&self, apt: &Apt) -> Result<Vec<PathBuf>> {
        let (mut count, mut told) = (0, Instant::now());
        let packages = apt.download(self.wanted, &mut |line| {
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
            "apt downloaded nothing; remove the folder of {} under target/",
            self.name
        );
        Ok(packages)
    }
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
