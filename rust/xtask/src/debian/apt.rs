//! Debian's packages, downloaded by apt with a state folder of our own: the system's package lists, caches
//! and installed packages are neither used nor changed, and root is not needed.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use fs_err as fs;
use xshell::{Cmd, Shell, cmd};

use crate::files;
use crate::process::{self, Limits};

/// The suite that has a Godot that is new enough.
const SUITE: &str = "testing";
/// Signatures are checked with the first of these that the machine has.
const KEYRINGS: [&str; 2] =
    ["/usr/share/keyrings/debian-archive-keyring.gpg", "/usr/share/keyrings/debian-archive-keyring.pgp"];

/// apt, told to keep everything in one folder.
pub struct Apt {
    dir: PathBuf,
    sh: Shell,
}

impl Apt {
    /// Writes apt's private configuration into `dir`, for packages of this machine's processor or of another.
    /// The mirror is the machine's own.
    pub fn set_up(dir: &Path, processor: Option<&str>) -> Result<Self> {
        let is_debian = files::on_path("apt-get").is_some() && files::on_path("dpkg-deb").is_some();
        ensure!(is_debian, "only Debian's packages can be set up privately, and apt is not here");
        for folder in ["etc", "state/lists/partial", "cache/archives/partial", "dpkg"] {
            fs::create_dir_all(dir.join(folder))?;
        }
        let apt = Self { dir: dir.to_path_buf(), sh: Shell::new()? };
        let mirror = mirror(&apt.sh)?;
        apt.sh.change_dir(dir);
        apt.sh.set_var("LC_ALL", "C");
        fs::write(dir.join("dpkg/status"), "")?;
        fs::write(dir.join("etc/sources.list"), sources_line(&mirror)?)?;
        fs::write(dir.join("etc/apt.conf"), apt.configuration(processor)?)?;
        Ok(apt)
    }

    /// The machine's own settings for downloading (a proxy, say), then ours. Its hooks stay out, because they
    /// clean up the system's folders, and so do its further kinds of index.
    fn configuration(&self, processor: Option<&str>) -> Result<String> {
        let sh = &self.sh;
        let machine = cmd!(sh, "apt-config dump").read()?;
        let downloads = machine.lines().filter(|line| {
            line.starts_with("Acquire::")
                && !line.starts_with("Acquire::IndexTargets")
                && !line.contains("::Languages")
        });
        let dir = self.dir.display();
        let processor = processor.map_or_else(String::new, |name| {
            format!("APT::Architecture \"{name}\";\nAPT::Architectures {{ \"{name}\"; }};\n")
        });
        let downloads: String = downloads.flat_map(|line| [line, "\n"]).collect();
        Ok(format!(
            "// Written by `cargo xtask`.\n\
             {downloads}\
             Dir::Etc::parts \"{dir}/etc/none\";\n\
             Dir::Etc::main \"{dir}/etc/none\";\n\
             Dir::Etc::sourcelist \"{dir}/etc/sources.list\";\n\
             Dir::Etc::sourceparts \"{dir}/etc/none\";\n\
             Dir::Etc::preferences \"{dir}/etc/none\";\n\
             Dir::Etc::preferencesparts \"{dir}/etc/none\";\n\
             Dir::State \"{dir}/state\";\n\
             Dir::State::status \"{dir}/dpkg/status\";\n\
             Dir::Cache \"{dir}/cache\";\n\
             Dir::Log \"{dir}/state\";\n\
             Acquire::Languages \"none\";\n\
             Acquire::Check-Valid-Until \"false\";\n\
             Acquire::Retries \"3\";\n\
             APT::Sandbox::User \"root\";\n\
             APT::Install-Recommends \"false\";\n\
             APT::Get::Assume-Yes \"true\";\n\
             {processor}"
        ))
    }

    fn get(&self, args: &[&str]) -> Cmd<'_> {
        self.sh.cmd("apt-get").env("APT_CONFIG", self.dir.join("etc/apt.conf")).args(args)
    }

    /// Fetches the suite's package list.
    pub fn update(&self) -> Result<()> {
        let finished = process::watch(self.get(&["update"]), Limits::seconds(600, 180), &mut |_| ())?;
        let trouble: Vec<&str> = finished
            .lines
            .iter()
            .map(String::as_str)
            .filter(|line| line.starts_with("E:") || line.starts_with("W:") || line.starts_with("Err:"))
            .collect();
        let unsigned = trouble.iter().any(|line| line.contains("NO_PUBKEY") || line.contains("not signed"));
        if finished.succeeded() && !unsigned && !trouble.iter().any(|line| line.starts_with("Err:")) {
            return Ok(());
        }
        let advice = if unsigned {
            "the machine's Debian keyring is too old for that suite: update the package debian-archive-keyring"
        } else {
            "check that the machine reaches its Debian mirror (`apt-get update` as root says more), then run this again"
        };
        bail!("Debian's package list could not be fetched ({advice})\n  {}", trouble.join("\n  "))
    }

    /// Downloads the packages and all that they need. A download that was cut off goes on where it stopped.
    pub fn download(&self, packages: &[&str], on_line: &mut dyn FnMut(&str)) -> Result<Vec<PathBuf>> {
        let mut args = vec!["install", "--download-only", "--no-install-recommends"];
        args.extend(packages);
        let finished = process::watch(self.get(&args), Limits::seconds(3600, 300), on_line)?;
        if !finished.succeeded() {
            bail!(
                "Debian's packages could not be downloaded ({}):\n  {}\n  What to do: run this again; what has arrived \
                 is kept",
                finished.ending(),
                finished.tail(8).join("\n  ")
            );
        }
        packages_in(&self.dir.join("cache/archives"))
    }

    /// Downloads one package without what it needs.
    pub fn download_alone(&self, package: &str) -> Result<PathBuf> {
        let download = self.get(&["download", package]);
        let finished = process::watch(download, Limits::seconds(600, 180), &mut |_| ())?;
        packages_in(&self.dir)?.pop().with_context(|| {
            let (ending, said) = (finished.ending(), finished.tail(8).join("\n  "));
            format!("the package {package} could not be downloaded ({ending}):\n  {said}")
        })
    }

    /// Gives back the disk space of the lists and the downloads.
    pub fn clean(&self) -> Result<()> {
        Ok(files::remove_dir(&self.dir)?)
    }
}

fn packages_in(dir: &Path) -> Result<Vec<PathBuf>> {
    let files = files::names_in(dir)?.into_iter().map(|name| dir.join(name));
    Ok(files.filter(|file| file.extension() == Some("deb".as_ref())).collect())
}

fn sources_line(mirror: &str) -> Result<String> {
    let Some(keyring) = KEYRINGS.into_iter().find(|path| Path::new(path).exists()) else {
        bail!("Debian's keys are missing; install the package debian-archive-keyring");
    };
    Ok(format!("deb [signed-by={keyring}] {mirror} {SUITE} main\n"))
}

/// The address that this machine gets Debian's main archive from, in whatever form its sources are written.
fn mirror(sh: &Shell) -> Result<String> {
    let format = "$(REPO_URI) $(COMPONENT) $(RELEASE)";
    let listed = cmd!(sh, "apt-get indextargets --format {format} 'Created-By: Packages'").read()?;
    choose_mirror(&listed)
        .context("the machine's apt sources name no mirror of Debian's main archive (is this Debian?)")
}

/// Of lines `address component release`, the address of the main archive: not its security or backports part,
/// and no other repository.
fn choose_mirror(listed: &str) -> Option<String> {
    let mut addresses = listed.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let (address, component, release) = (words.next()?, words.next()?, words.next().unwrap_or(""));
        let is_debian =
            address.trim_end_matches('/').ends_with("/debian") || address.contains("/archive/debian/");
        let readable = ["http", "https", "file", "copy", "mirror+http", "mirror+https", "tor+http"]
            .into_iter()
            .any(|scheme| address.starts_with(&format!("{scheme}:")));
        (component == "main" && is_debian && readable && !release.contains("security"))
            .then(|| address.to_owned())
    });
    addresses.next()
}

#[cfg(test)]
mod tests {
    use super::choose_mirror;

    #[test]
    fn the_main_archive_is_chosen() {
        let listed = "\
            https://packages.example.org/apt/ main stable\n\
            http://mirror.example.org/debian-security/ main bookworm-security\n\
            cdrom://Debian/debian/ main bookworm\n\
            http://mirror.example.org/debian/ contrib bookworm\n\
            http://mirror.example.org/debian/ main bookworm\n\
            http://mirror.example.org/debian/ main bookworm-updates\n";
        assert_eq!(choose_mirror(listed).as_deref(), Some("http://mirror.example.org/debian/"));
    }

    #[test]
    fn no_other_distribution_is_taken_for_debian() {
        assert_eq!(choose_mirror("http://archive.example.org/ubuntu/ main noble\n"), None);
        assert_eq!(choose_mirror(""), None);
    }
}
