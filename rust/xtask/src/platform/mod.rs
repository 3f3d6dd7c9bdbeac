//! The platforms that the library is built for: their names, what each promises, and what builds them.

mod baseline;
mod emscripten;
mod rust;
mod tools;

use std::env;
use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use fs_err as fs;

use crate::files;
use crate::paths::Paths;
use crate::process::{self, Limits};
use crate::report::Heartbeat;

use baseline::Baseline;
pub use emscripten::node;
pub use rust::{Std, for_target};
pub use tools::zig;
use tools::{Tool, universal};

/// The largest that a library may be, in bytes: what a player's download grows by.
pub const LIBRARY_MAX: u64 = 13 << 19;
/// As [`LIBRARY_MAX`], for the web, where players wait for it.
const WEB_LIBRARY_MAX: u64 = 5 << 20;
/// A build of everything with optimisation, on a small machine.
const LIMITS: Limits = Limits::seconds(3600, 3600);

/// A platform that the addon has a library for.
#[derive(Debug)]
pub struct Platform {
    /// Godot's feature tags for it: the key in `pathforge.gdextension`.
    pub name: &'static str,
    /// The end of its library's file.
    suffix: &'static str,
    /// What rustc calls it; macOS has one library for two processors.
    pub targets: &'static [&'static str],
    /// What compiles and links it.
    tool: Tool,
    /// The oldest system that loads it.
    pub baseline: Baseline,
}

/// All of them.
pub const PLATFORMS: [Platform; 9] = [
    Platform {
        name: "linux.x86_64",
        suffix: "so",
        targets: &["x86_64-unknown-linux-gnu"],
        tool: Tool::Zig { target: "x86_64-unknown-linux-gnu.2.28" },
        baseline: Baseline::Glibc(2, 28),
    },
    Platform {
        name: "linux.arm64",
        suffix: "so",
        targets: &["aarch64-unknown-linux-gnu"],
        tool: Tool::Zig { target: "aarch64-unknown-linux-gnu.2.28" },
        baseline: Baseline::Glibc(2, 28),
    },
    Platform {
        name: "windows.x86_64",
        suffix: "dll",
        targets: &["x86_64-pc-windows-gnu"],
        tool: Tool::Zig { target: "x86_64-pc-windows-gnu" },
        baseline: Baseline::Windows10,
    },
    Platform {
        name: "windows.arm64",
        suffix: "dll",
        targets: &["aarch64-pc-windows-gnullvm"],
        tool: Tool::Zig { target: "aarch64-pc-windows-gnullvm" },
        baseline: Baseline::Windows10,
    },
    Platform {
        name: "macos",
        suffix: "dylib",
        targets: &["aarch64-apple-darwin", "x86_64-apple-darwin"],
        tool: Tool::MacOs { oldest: "11.0" },
        baseline: Baseline::MacOs(11, 0),
    },
    Platform {
        name: "android.arm64",
        suffix: "so",
        targets: &["aarch64-linux-android"],
        tool: Tool::Android,
        baseline: Baseline::Android(24),
    },
    Platform {
        name: "android.x86_64",
        suffix: "so",
        targets: &["x86_64-linux-android"],
        tool: Tool::Android,
        baseline: Baseline::Android(24),
    },
    Platform {
        name: "web.threads.wasm32",
        suffix: "wasm",
        targets: &["wasm32-unknown-emscripten"],
        tool: Tool::Emscripten { threads: true },
        baseline: Baseline::SideModule,
    },
    Platform {
        name: "web.wasm32",
        suffix: "wasm",
        targets: &["wasm32-unknown-emscripten"],
        tool: Tool::Emscripten { threads: false },
        baseline: Baseline::SideModule,
    },
];

/// What is not on this machine, and how to get it.
#[derive(Debug)]
pub struct Lacking(pub String);

impl fmt::Display for Lacking {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl Platform {
    /// The platform that this program was built for, if it is among [`PLATFORMS`].
    pub fn of_this_machine() -> Option<&'static Self> {
        let architecture = if env::consts::ARCH == "aarch64" { "arm64" } else { env::consts::ARCH };
        let name = format!("{}.{architecture}", env::consts::OS);
        PLATFORMS.iter().find(|platform| platform.name == name || platform.name == env::consts::OS)
    }

    /// The platform of this name.
    pub fn of_name(name: &str) -> Option<&'static Self> {
        PLATFORMS.iter().find(|platform| platform.name == name)
    }

    /// The name of its library in the addon. Debug and release builds share it, because a distribution's
    /// Godot counts as a debug build and would refuse an entry for release only.
    pub fn library(&self) -> String {
        format!("libpathforge.{}.{}", self.name, self.suffix)
    }

    /// The most bytes that its library may have.
    pub fn library_max(&self) -> u64 {
        match self.tool {
            Tool::Emscripten { .. } => WEB_LIBRARY_MAX,
            // Two in one.
            _ => LIBRARY_MAX * self.targets.len() as u64,
        }
    }

    /// Builds its library, stripped, and checks it against its baseline and its size. Returns its file.
    pub fn build(&self, paths: &Paths) -> Result<Result<PathBuf, Lacking>> {
        let mut built = Vec::new();
        for target in self.targets {
            let sh = paths.shell()?;
            let (command, file) = match self.tool.build(&sh, paths, target)? {
                Ok(build) => build,
                Err(lacking) => return Ok(Err(lacking)),
            };
            let heartbeat = Heartbeat::start();
            let finished = process::watch(command, LIMITS, &mut |line| heartbeat.at(line))?;
            drop(heartbeat);
            ensure!(
                finished.succeeded(),
                "the library for {target} does not build ({}):\n  {}",
                finished.ending(),
                finished.tail(30).join("\n  ")
            );
            built.push(fs::read(file)?);
        }
        let bytes = match <[Vec<u8>; 1]>::try_from(built) {
            Ok([library]) => library,
            Err(libraries) => universal(&libraries)?,
        };
        self.check(&bytes)?;
        let library = paths.scratch().join("libraries").join(self.library());
        files::put(&library, &bytes)?;
        Ok(Ok(library))
    }

    /// Holds a library to what the platform promises.
    pub fn check(&self, library: &[u8]) -> Result<()> {
        self.baseline.check(library).with_context(|| format!("{} is not as promised", self.library()))?;
        let (size, limit) = (library.len() as u64, self.library_max());
        ensure!(size <= limit, "{} has {size} bytes, the limit is {limit}", self.library());
        Ok(())
    }
}

/// Puts a library, as [`Platform::build`] returns it, into a project that has the addon.
pub fn put_library(project: &Path, library: &Path) -> Result<()> {
    let name = library.file_name().context("a library has a name")?;
    Ok(files::put(&project.join("addons/pathforge/bin").join(name), &fs::read(library)?)?)
}

/// The platforms of these names. A name stands for all that begin with it (`web`, `linux`); `all` for every
/// one.
pub fn named(names: &[String]) -> Result<Vec<&'static Platform>> {
    let is_meant = |platform: &Platform, name: &str| {
        name == "all"
            || platform.name.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    for name in names {
        if !PLATFORMS.iter().any(|platform| is_meant(platform, name)) {
            let known = PLATFORMS.map(|platform| platform.name).join(", ");
            bail!("there is no platform `{name}`; there are {known}, their beginnings (`web`), and `all`");
        }
    }
    Ok(PLATFORMS.iter().filter(|platform| names.iter().any(|name| is_meant(platform, name))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_for_all_that_begin_with_it() {
        let names = |asked: &str| -> Vec<&str> {
            let asked: Vec<String> = asked.split(' ').map(str::to_owned).collect();
            named(&asked).unwrap().iter().map(|platform| platform.name).collect()
        };
        assert_eq!(names("web"), ["web.threads.wasm32", "web.wasm32"]);
        assert_eq!(names("macos linux.x86_64"), ["linux.x86_64", "macos"]);
        assert_eq!(names("all").len(), PLATFORMS.len());
        let error = named(&["linux.x86".to_owned()]).unwrap_err().to_string();
        assert!(error.contains("`linux.x86`") && error.contains("windows.arm64"), "{error}");
    }

    #[test]
    fn the_extension_names_every_library() {
        let description = include_str!("../../../../addons/pathforge/pathforge.gdextension");
        for platform in &PLATFORMS {
            let line =
                format!("\n{} = \"res://addons/pathforge/bin/{}\"\n", platform.name, platform.library());
            assert!(description.contains(&line), "{line}");
        }
        assert_eq!(description.matches("/bin/").count(), PLATFORMS.len());
    }
}
