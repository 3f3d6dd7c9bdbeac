//! What several steps need, made once and by the first that asks: Godot, and our projects with the library in
//! them.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, Result};

use super::{Context, cargo};
use crate::addon;
use crate::godot::{self, Godot};
use crate::process::Finished;

/// What has been made.
#[derive(Default)]
pub struct Shared {
    godot: Made<Godot>,
    pub(super) gdtoolkit: Made<Result<PathBuf, String>>,
    debug: Made<()>,
    release: Made<()>,
    test_project: Made<Finished>,
    demo_project: Made<Finished>,
}

impl Context<'_> {
    /// Godot, found or set up.
    pub fn godot(&self) -> Result<Arc<Godot>> {
        self.shared.godot.get(|| godot::locate(self.paths))
    }

    /// Builds the library with its assertions, and puts it into the test project.
    pub fn debug_build(&self) -> Result<()> {
        self.shared.debug.get(|| self.build(false))?;
        Ok(())
    }

    /// Builds the library with optimisation, and puts it into the demo project and where users copy it from.
    pub fn release_build(&self) -> Result<()> {
        self.shared.release.get(|| self.build(true))?;
        Ok(())
    }

    /// Imports the test project with the debug build in it, and returns what Godot said.
    pub fn test_project(&self) -> Result<Arc<Finished>> {
        self.debug_build()?;
        self.shared.test_project.get(|| self.godot()?.import(&self.paths.test_project()))
    }

    /// Imports the demo project with the release build in it, and returns what Godot said.
    pub fn demo_project(&self) -> Result<Arc<Finished>> {
        self.release_build()?;
        self.shared.demo_project.get(|| self.godot()?.import(&self.paths.demo_project()))
    }

    fn build(&self, release: bool) -> Result<()> {
        cargo::library(self, release)
            .context("the library does not build, so nothing inside Godot can be checked")?;
        let project = if release { self.paths.demo_project() } else { self.paths.test_project() };
        addon::install(self.paths, release, &[project])
    }
}

/// A thing that the first caller makes while others wait for it. What cannot be made is tried again.
pub(super) struct Made<T>(Mutex<Option<Arc<T>>>);

impl<T> Default for Made<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<T> Made<T> {
    pub(super) fn get(&self, make: impl FnOnce() -> Result<T>) -> Result<Arc<T>> {
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = &*made {
            return Ok(Arc::clone(made));
        }
        let fresh = Arc::new(make()?);
        *made = Some(Arc::clone(&fresh));
        Ok(fresh)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thing_is_made_once_and_a_failure_is_tried_again() {
        let made = Made::default();
        assert!(made.get(|| anyhow::bail!("no")).is_err());
        assert_eq!(*made.get(|| Ok(1)).unwrap(), 1);
        assert_eq!(*made.get(|| Ok(2)).unwrap(), 1);
    }
}
