//! The step that Godot's editor does: our plugin, used in it.

use anyhow::Result;
use fs_err as fs;

use super::{Context, godot};
use crate::addon;
use crate::process::Limits;
use crate::report::Findings;
use crate::scan;

/// Turns the plugin on that runs the tests; the project in the repository has no plugin, so that it opens as
/// it is.
const TESTS_ENABLED: &str = "\n[editor_plugins]\n\nenabled=PackedStringArray(\"res://editor/plugin.cfg\")\n";
/// Frames that the demo project stays open for: it has been scanned, laid out and drawn many times by then.
const FRAMES: &str = "120";

/// The demo project opens with the plugin and without a word of complaint, and the tests of
/// `tests/godot/editor` pass.
pub fn plugin(context: &Context<'_>) -> Result<Findings> {
    context.debug_build()?;
    let mut findings = if context.filter.is_none() { open_demo(context)? } else { Findings::default() };
    let project = addon::copy_with_debug_build(context.paths, &context.paths.test_project(), "editor")?;
    let settings = project.join("project.godot");
    let text = fs::read_to_string(&settings)? + TESTS_ENABLED;
    fs::write(&settings, text)?;
    context.godot()?.import(&project)?;
    findings.add(godot::read_tests(context, "editor", &project, &["--editor", "--", "--editor-tests"])?);
    Ok(findings)
}

fn open_demo(context: &Context<'_>) -> Result<Findings> {
    let project = addon::copy_with_debug_build(context.paths, &context.paths.demo_project(), "editor-demo")?;
    let settings = project.join("project.godot");
    let before = fs::read_to_string(&settings)?;
    let godot = context.godot()?;
    godot.import(&project)?;
    let args = ["--editor", "--quit-after", FRAMES];
    let finished = godot.run_headless(&project, &args, Limits::seconds(900, 300), &mut |_| ())?;
    let log = context.keep_log("editor with the demo", &finished);

    let mut wrong: Vec<String> =
        scan::troubles(&finished.lines).into_iter().map(|trouble| trouble.text).collect();
    wrong.extend(finished.lines.iter().filter(|line| is_our_warning(line)).cloned());
    if !finished.succeeded() {
        wrong.push(format!("Godot did not end well: {}", finished.ending()));
    }
    if !before.contains("res://addons/pathforge/plugin.cfg") {
        wrong.push("the plugin is not enabled in demo_project/project.godot".to_owned());
    }
    if fs::read_to_string(&settings)? != before {
        wrong.push("opening the demo project changed its project.godot".to_owned());
    }
    Ok(if wrong.is_empty() {
        Findings::passed()
    } else {
        Findings::failed(format!(
            "FAIL the demo project in the editor:\n  {}\nthe whole output: {log}",
            wrong.join("\n  ")
        ))
    })
}

/// Warnings of the engine about things that are not ours are its own.
fn is_our_warning(line: &str) -> bool {
    let plain = scan::without_colours(line);
    plain.starts_with("WARNING:") && plain.to_lowercase().contains("pathforge")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_warnings_count() {
        assert!(is_our_warning("WARNING: PathForge's library for this platform is not there"));
        assert!(is_our_warning("\u{1b}[1;33mWARNING:\u{1b}[0;93m res://addons/pathforge/plugin.gd\u{1b}[0m"));
        assert!(!is_our_warning("WARNING: Could not set V-Sync mode."));
        assert!(!is_our_warning("PathForge WARNING: in the middle"));
    }
}
