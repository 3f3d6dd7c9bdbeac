//! Where things are in the repository and under `target/`.

use std::env;
use std::path::{Path, PathBuf};

use crate::problem::{Outcome, Problem};

/// The folders that xtask works in.
#[derive(Debug, Clone)]
pub struct Paths {
    /// The repository's root.
    pub root: PathBuf,
    /// Cargo's target folder; everything that xtask makes for itself is in it too.
    pub target: PathBuf,
}

impl Paths {
    /// The repository that this xtask was built from.
    pub fn of_this_repository() -> Outcome<Self> {
        let manifest_dir = env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = manifest_dir.ancestors().nth(2).map(Path::to_path_buf);
        let root = root.filter(|root| root.join("addons/pathforge").is_dir());
        let root =
            root.ok_or_else(|| Problem::new("xtask was moved: run it as `cargo xtask` in the repository"))?;
        let target = match env::var_os("CARGO_TARGET_DIR") {
            Some(dir) => root.join(dir),
            None => root.join("target"),
        };
        Ok(Self { root, target })
    }

    /// The addon as it is developed.
    pub fn addon(&self) -> PathBuf {
        self.root.join("addons/pathforge")
    }

    /// The demo project.
    pub fn demo_project(&self) -> PathBuf {
        self.root.join("demo_project")
    }

    /// The headless test project.
    pub fn test_project(&self) -> PathBuf {
        self.root.join("tests/godot")
    }

    /// Where a private Godot and the scripts that start Godot are.
    pub fn godot(&self) -> PathBuf {
        self.target.join("godot")
    }

    /// Logs of the last run and other scratch files.
    pub fn scratch(&self) -> PathBuf {
        self.target.join("xtask")
    }

    /// The cargo that runs us, so that a toolchain chosen on the command line stays chosen.
    pub fn cargo() -> PathBuf {
        env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from)
    }
}
