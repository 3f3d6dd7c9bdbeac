//! The command line: what each command takes, and what its help says.

// What the macro writes is not ours to document.
#![allow(missing_docs, clippy::pedantic)]

use std::ffi::OsString;
use std::path::PathBuf;

xflags::xflags! {
    /// Everything that this repository does to itself.
    cmd xtask {
        /// Builds the library into demo_project and tests/godot.
        cmd build {
            /// Optimised, and into addons/pathforge/bin/, too.
            optional --release
        }
        /// Runs the demo project.
        cmd demo {
            /// Only the scene with this number or name.
            optional --scene scene: String
            /// Plays every scene for a few seconds without a window and reports.
            optional --headless
            /// Renders every scene to dir/NN_name.png.
            optional --screenshot dir: PathBuf
        }
        /// Runs every check, those that wait beside those that compute, and prints each one's time.
        cmd test {
            /// Part of a step's name or of a test's; `quick` for formatting, clippy, unit tests and quick
            /// laws and suites.
            optional filter: String
        }
        /// Runs the measured comparisons, into target/bench/.
        cmd bench {
            /// A folder of Moving AI maps and scenarios.
            optional --maps dir: PathBuf
            /// Sections whose name contains this.
            optional --only name: String
            /// Fewer rounds, queries and sizes.
            optional --quick
            /// What becomes of crowds when the numbers whose name contains this are halved and doubled;
            /// nothing else runs.
            optional --vary what: String
            /// A whole run, into BENCHMARKS.md and docs/bench/.
            optional --write
            /// Writes these pages anew from docs/bench/report.json; nothing runs.
            optional --pages
        }
        /// Replays a crowd and records what agents do and why, as text and as a picture, into
        /// target/records/.
        cmd record {
            /// A scene of the tests such as `crossing`; what to call the record where a map is given.
            required scene: String
            /// Their ids, with commas; else the six whose behaviour changes most often.
            optional --agents ids: String
            /// For so long instead of 20.
            optional --seconds count: u32
            /// From so many seconds on.
            optional --after count: u32
            /// Bytes of a crowd that was saved in the scene, or on the map.
            optional --crowd file: PathBuf
            /// Bytes of a grid, where a game has saved both.
            optional --map file: PathBuf
        }
        /// Looks for bytes that break a law, in one target of the tests or in all.
        cmd fuzz {
            /// One target.
            optional target: String
            /// For so long each instead of 60.
            optional --seconds count: u32
            /// Keeps in the tests the fewest inputs that reach what earlier runs reached.
            optional --keep
        }
        /// Writes docs/reference/ from the help that F1 shows, and puts lessons into other pages.
        cmd reference {}
        /// Writes the part of Godot's API that the binding is made from, by rust/godot/api/classes.txt.
        cmd godot-api {}
        /// Makes the pictures of the pages and of the demo's menu anew from the running demo.
        cmd pictures {
            /// Only those of the scene with this number or name.
            optional --scene scene: String
        }
        /// Does everything at once to every class inside Godot.
        cmd torture {
            /// For so long instead of 120.
            optional --seconds count: u32
            /// From another seed; it prints that of each round.
            optional --seed number: u32
            /// So many rounds; one repeats the round of its seed.
            optional --rounds count: u32
            /// Prints each action.
            optional --verbose
        }
        /// Writes dist/pathforge-<version>.zip and the demo's, with this machine's library.
        cmd package {
            /// With the libraries of the platforms that follow instead: `all`, or names from
            /// pathforge.gdextension.
            optional --platform
            /// The platforms.
            repeated names: String
        }
        /// Writes the demo into dist/web/, as a page that any server of files serves. $GODOT_WEB_TEMPLATE
        /// names Godot's web template without threads.
        cmd export {
            /// `web`.
            required platform: String
        }
        /// Runs the Godot that the other commands use; its arguments follow two dashes.
        cmd godot {
            /// Handed on to Godot.
            repeated args: OsString
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> xflags::Result<XtaskCmd> {
        let args = line.split_whitespace().map(OsString::from).collect();
        Xtask::from_vec(args).map(|xtask| xtask.subcommand)
    }

    #[test]
    fn what_follows_the_dashes_goes_to_godot() {
        let Ok(XtaskCmd::Godot(godot)) = parsed("godot -- --version -- x") else { panic!("not parsed") };
        assert_eq!(godot.args, ["--version", "--", "x"]);
    }

    #[test]
    fn platforms_follow_their_word() {
        let Ok(XtaskCmd::Package(package)) = parsed("package --platform macos web") else {
            panic!("not parsed")
        };
        assert!(package.platform && package.names == ["macos", "web"]);
    }

    #[test]
    fn unknown_words_are_refused() {
        for line in ["demo --windowed", "demo --screenshot", "bulid", "test a b", "fuzz --seconds soon"] {
            assert!(parsed(line).is_err(), "{line}");
        }
        assert!(parsed("fuzz paths --seconds 5").is_ok());
    }
}
