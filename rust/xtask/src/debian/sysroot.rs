//! The unpacked packages: a small Debian beside the machine's own system.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::files;

/// Where things are in the unpacked packages.
#[derive(Debug)]
pub struct Sysroot {
    /// The folder in place of `/`.
    pub root: PathBuf,
    /// The folder of its libraries, `usr/lib/<triplet>`.
    pub libraries: PathBuf,
    /// Its own dynamic loader. A program that needs newer libraries than the machine's must be started by it.
    pub loader: PathBuf,
}

impl Sysroot {
    /// Finds the loader in an unpacked sysroot.
    pub fn open(root: &Path) -> Result<Self> {
        let lib = root.join("usr/lib");
        for folder in files::names_in(&lib)? {
            let libraries = lib.join(folder);
            if !libraries.is_dir() || !libraries.join("libc.so.6").exists() {
                continue;
            }
            let loader = files::names_in(&libraries)?
                .into_iter()
                .find(|name| name.to_string_lossy().starts_with("ld-linux"));
            if let Some(name) = loader {
                return Ok(Self { root: root.to_path_buf(), loader: libraries.join(name), libraries });
            }
        }
        bail!("no dynamic loader in {}; remove that folder and run this again", root.display())
    }

    /// The folders that the loader looks for libraries in.
    pub fn loader_folders(&self) -> String {
        let libraries = self.libraries.display();
        format!("{libraries}:{libraries}/pulseaudio")
    }

    /// A shell command that starts one of its programs, to be followed by arguments.
    pub fn start(&self, program: &Path) -> String {
        format!(
            "'{}' --library-path '{}' '{}'",
            self.loader.display(),
            self.loader_folders(),
            program.display()
        )
    }
}
