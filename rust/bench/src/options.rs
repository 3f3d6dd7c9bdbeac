//! What the command line asks for.

// What the macro writes is not ours to document.
#![allow(missing_docs, clippy::pedantic)]

use std::path::PathBuf;

use serde_json::{Value, json};

pub use PathforgeBench as Options;

xflags::xflags! {
    /// PathForge measured beside other libraries and beside Godot.
    cmd pathforge-bench {
        /// A folder of Moving AI maps and scenarios.
        optional --maps dir: PathBuf
        /// Sections whose name contains this.
        optional --only name: String
        /// Fewer rounds, queries and sizes.
        optional --quick
        /// Varies the numbers of crowds whose name contains this, or one as `NAME=FACTOR`; nothing else runs.
        optional --vary what: String
        /// The result of a whole run goes into BENCHMARKS.md and docs/bench/.
        optional --write
        /// Writes these pages anew from the JSON of the last whole run; nothing runs.
        optional --pages
    }
}

impl Options {
    /// Reads the command line. Ends the program where it asks for help, or for what there is not.
    pub fn read() -> Self {
        let mut options = Self::from_env_or_exit();
        if options.write && options.only.is_some() {
            let why = "`--write` is for whole runs; without it, the result goes to target/bench";
            xflags::Error::new(why).exit();
        }
        if options.maps.is_none() {
            // As the tests find them.
            let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
            let named = std::env::var_os("PATHFORGE_MAPS");
            let folder = root.join(named.map_or_else(|| PathBuf::from("../shared/movingai"), PathBuf::from));
            options.maps = folder.is_dir().then_some(folder);
        }
        options
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
