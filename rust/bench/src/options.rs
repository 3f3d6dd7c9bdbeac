//! What the command line asks for.

use std::path::PathBuf;

use serde_json::{Value, json};

/// Settings of a run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// A folder of Moving AI maps and scenarios.
    pub maps: Option<PathBuf>,
    /// Sections whose name contains this.
    pub only: Option<String>,
    /// Fewer rounds and queries.
    pub quick: bool,
    /// The result goes into the repository: BENCHMARKS.md and what it shows.
    pub write: bool,
}

impl Options {
    /// Reads the arguments.
    ///
    /// # Errors
    /// What is wrong with them, in words.
    pub fn from_args(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self::default();
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or(format!("{arg} needs a value"));
            match arg.as_str() {
                "--maps" => options.maps = Some(value()?.into()),
                "--only" => options.only = Some(value()?),
                "--quick" => options.quick = true,
                "--write" => options.write = true,
                _ => {
                    return Err(format!(
                        "unknown argument {arg}; known: --maps DIR, --only NAME, --quick, --write"
                    ));
                }
            }
        }
        if options.write && options.only.is_some() {
            return Err("--write is for whole runs; without it, the result goes to target/bench".into());
        }
        if options.maps.is_none() {
            // As the tests find them.
            let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
            let named = std::env::var_os("PATHFORGE_MAPS");
            let folder = root.join(named.map_or_else(|| PathBuf::from("../shared/movingai"), PathBuf::from));
            options.maps = folder.is_dir().then_some(folder);
        }
        Ok(options)
    }

    /// Returns `true` if the section `name` is to run.
    pub fn wants(&self, name: &str) -> bool {
        self.only.as_ref().is_none_or(|only| name.contains(only.as_str()))
    }

    /// What was typed, without folders.
    pub fn command(&self) -> String {
        let mut words = vec!["cargo xtask bench".to_owned()];
        words.extend(self.maps.is_some().then(|| "--maps DIR".to_owned()));
        words.extend(self.only.as_ref().map(|only| format!("--only {only}")));
        words.extend(self.quick.then(|| "--quick".to_owned()));
        words.extend(self.write.then(|| "--write".to_owned()));
        words.join(" ")
    }

    /// For programs.
    pub fn json(&self) -> Value {
        json!({
            "command": self.command(),
            "maps": if self.maps.is_some() { "Moving AI, and generated ones of fixed seeds" } else { "generated ones of fixed seeds" },
            "rounds": self.rounds(),
            "quick": self.quick,
        })
    }

    /// How often each measurement is repeated.
    pub fn rounds(&self) -> usize {
        if self.quick { 3 } else { 5 }
    }
}
