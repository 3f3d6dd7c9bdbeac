//! What the command line asks for.

use std::path::PathBuf;

/// Settings of a run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// A folder of Moving AI maps and scenarios.
    pub maps: Option<PathBuf>,
    /// Sections whose name contains this.
    pub only: Option<String>,
    /// Fewer rounds and queries.
    pub quick: bool,
}

impl Options {
    /// Reads the arguments.
    pub fn from_args(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self::default();
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or(format!("{arg} needs a value"));
            match arg.as_str() {
                "--maps" => options.maps = Some(value()?.into()),
                "--only" => options.only = Some(value()?),
                "--quick" => options.quick = true,
                _ => return Err(format!("unknown argument {arg}; known: --maps DIR, --only NAME, --quick")),
            }
        }
        if options.maps.is_none() {
            let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/movingai");
            options.maps = beside.is_dir().then_some(beside);
        }
        Ok(options)
    }

    /// Whether the section `name` is to run.
    pub fn wants(&self, name: &str) -> bool {
        self.only.as_ref().is_none_or(|only| name.contains(only.as_str()))
    }

    /// How often each measurement is repeated.
    pub fn rounds(&self) -> usize {
        if self.quick { 3 } else { 7 }
    }
}
