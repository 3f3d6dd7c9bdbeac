//! Where things are in the repository and under `target/`.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use xshell::Shell;

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
    pub fn of_this_repository() -> Result<Self> {
        let manifest_dir = env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = manifest_dir.ancestors().nth(2).map(Path::to_path_buf);
        let root = root.filter(|root| root.join("addons/pathforge").is_dir());
        let root = root.context("xtask was moved: run it as `cargo xtask` in the repository")?;
        let target = root.join(env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()));
        Ok(Self { root, target })
    }

    /// A shell in the repository's root.
    pub fn shell(&self) -> Result<Shell> {
        let sh = Shell::new()?;
        sh.change_dir(&self.root);
        Ok(sh)
    }

    /// The addon as it is developed.
    pub fn addon(&self) -> PathBuf {
        self.root.join("addons/pathforge")
    }

    /// The demo project.
    pub fn demo_project(&self) -> PathBuf {
        self.root.join("demo_project")
    }

    /// The scripts that play the demo's scenes.
    pub fn demo_drivers(&self) -> PathBuf {
        self.root.join("tests/demo")
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
}
