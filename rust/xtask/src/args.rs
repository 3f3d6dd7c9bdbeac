//! The command line, parsed.

use std::path::PathBuf;

use crate::problem::{Outcome, Problem};

/// One `cargo xtask` command with its options.
#[derive(Debug, PartialEq, Eq)]
pub enum Command {
    /// Print the usage.
    Help,
    /// Build the library and refresh the addon's copies.
    Build {
        /// With optimisation.
        release: bool,
    },
    /// Run the demo project.
    Demo(DemoOptions),
    /// Run the checks.
    Test {
        /// Part of a step's or a test's name.
        filter: Option<String>,
    },
    /// Run the benchmarks.
    Bench {
        /// Handed on to the benchmark program.
        args: Vec<String>,
    },
    /// Look for inputs that break a law.
    Fuzz(FuzzOptions),
    /// Write the class reference.
    Reference,
    /// Run the torture inside Godot.
    Torture {
        /// Handed on to it: `--seconds=N` and the like.
        args: Vec<String>,
    },
    /// Write the zip that is installed.
    Package,
    /// Run Godot.
    Godot {
        /// Handed on to Godot.
        args: Vec<String>,
    },
}

/// How long `cargo xtask torture` goes on unless told otherwise.
const TORTURE_SECONDS: u32 = 120;

/// How `cargo xtask demo` shows the demo.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct DemoOptions {
    /// Every scene for a few seconds, without a window.
    pub headless: bool,
    /// Every scene as a picture into this folder.
    pub screenshot: Option<PathBuf>,
    /// Only the scene with this number, or whose name contains this text.
    pub scene: Option<String>,
}

/// What `cargo xtask fuzz` looks at, and for how long.
#[derive(Debug, PartialEq, Eq)]
pub struct FuzzOptions {
    /// One target; none is all.
    pub target: Option<String>,
    /// For each target.
    pub seconds: u32,
    /// Look for nothing, but keep in the tests what earlier runs found worth keeping.
    pub keep: bool,
}

/// Reads the arguments after the program's name.
pub fn parse(args: impl Iterator<Item = String>) -> Outcome<Command> {
    let mut args = args.peekable();
    let Some(name) = args.next() else {
        return Ok(Command::Help);
    };
    match name.as_str() {
        "help" | "--help" | "-h" => Ok(Command::Help),
        "build" => {
            let mut release = false;
            for arg in args {
                match arg.as_str() {
                    "--release" => release = true,
                    _ => return Err(unknown("build", &arg)),
                }
            }
            Ok(Command::Build { release })
        }
        "demo" => parse_demo(args).map(Command::Demo),
        "test" => {
            let filter = args.next();
            match args.next() {
                Some(more) => Err(unknown("test", &more)),
                None => Ok(Command::Test { filter }),
            }
        }
        "fuzz" => parse_fuzz(args).map(Command::Fuzz),
        "package" | "reference" => match args.next() {
            Some(more) => Err(unknown(&name, &more)),
            None if name == "package" => Ok(Command::Package),
            None => Ok(Command::Reference),
        },
        "torture" => parse_torture(args).map(|args| Command::Torture { args }),
        "bench" | "godot" => {
            if args.peek().is_some_and(|arg| arg == "--") {
                args.next();
            }
            let args = args.collect();
            Ok(if name == "bench" { Command::Bench { args } } else { Command::Godot { args } })
        }
        _ => Err(Problem::new(format!("there is no command `{name}`"))),
    }
}

fn parse_demo(mut args: impl Iterator<Item = String>) -> Outcome<DemoOptions> {
    let mut options = DemoOptions::default();
    while let Some(arg) = args.next() {
        let mut value = |what: &str| args.next().ok_or_else(|| Problem::new(format!("`{arg}` needs {what}")));
        match arg.as_str() {
            "--headless" => options.headless = true,
            "--screenshot" => options.screenshot = Some(PathBuf::from(value("a folder")?)),
            "--scene" => options.scene = Some(value("a scene's number or name")?),
            _ => return Err(unknown("demo", &arg)),
        }
    }
    Ok(options)
}

fn parse_fuzz(mut args: impl Iterator<Item = String>) -> Outcome<FuzzOptions> {
    let mut options = FuzzOptions { target: None, seconds: 60, keep: false };
    while let Some(arg) = args.next() {
        if arg == "--seconds" {
            let seconds = args.next().and_then(|seconds| seconds.parse().ok());
            options.seconds = seconds.ok_or_else(|| Problem::new("`--seconds` needs a whole number"))?;
        } else if arg == "--keep" {
            options.keep = true;
        } else if arg.starts_with('-') || options.target.is_some() {
            return Err(unknown("fuzz", &arg));
        } else {
            options.target = Some(arg);
        }
    }
    Ok(options)
}

fn parse_torture(mut args: impl Iterator<Item = String>) -> Outcome<Vec<String>> {
    let mut options = vec![format!("--seconds={TORTURE_SECONDS}")];
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--seconds" | "--seed" | "--rounds" => {
                let number = args.next().filter(|number| number.parse::<u32>().is_ok());
                let number = number.ok_or_else(|| Problem::new(format!("`{arg}` needs a whole number")))?;
                options.push(format!("{arg}={number}"));
            }
            "--verbose" => options.push(arg),
            _ => return Err(unknown("torture", &arg)),
        }
    }
    Ok(options)
}

fn unknown(command: &str, arg: &str) -> Problem {
    Problem::new(format!("`cargo xtask {command}` does not know `{arg}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Outcome<Command> {
        parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn options_of_the_demo_are_read() {
        let wanted =
            DemoOptions { headless: true, screenshot: Some("shots".into()), scene: Some("1".into()) };
        assert_eq!(parsed("demo --headless --screenshot shots --scene 1").unwrap(), Command::Demo(wanted));
    }

    #[test]
    fn what_follows_the_dashes_goes_to_godot() {
        let args = vec!["--version".to_owned(), "--".to_owned(), "x".to_owned()];
        assert_eq!(parsed("godot -- --version -- x").unwrap(), Command::Godot { args });
    }

    #[test]
    fn a_target_and_its_time_are_read() {
        let wanted = FuzzOptions { target: Some("paths".to_owned()), seconds: 5, keep: false };
        assert_eq!(parsed("fuzz paths --seconds 5").unwrap(), Command::Fuzz(wanted));
        assert!(parsed("fuzz --seconds soon").is_err());
    }

    #[test]
    fn the_torture_takes_numbers() {
        let args = ["--seconds=120", "--seconds=300", "--seed=7"].map(str::to_owned).to_vec();
        assert_eq!(parsed("torture --seconds 300 --seed 7").unwrap(), Command::Torture { args });
        assert!(parsed("torture --seed x").is_err());
        assert!(parsed("torture --forever").is_err());
    }

    #[test]
    fn unknown_words_are_refused() {
        assert!(parsed("demo --windowed").is_err());
        assert!(parsed("demo --screenshot").is_err());
        assert!(parsed("bulid").is_err());
        assert!(parsed("test a b").is_err());
    }
}
