//! The README's promise: a clone becomes an installed addon by following its commands.

use std::path::{Path, PathBuf};

use anyhow::Result;
use fs_err as fs;
use xshell::cmd;

use super::{Context, game};
use crate::files;
use crate::process::{self, Limits};
use crate::report::{Findings, Heartbeat};

/// The heading, or a part of it, whose first `sh` block is followed.
const HEADING: &str = "From a clone";
/// The variable that the README uses for the game that gets the addon.
const GAME: &str = "MY_GAME";
/// Clones the repository's last commit, follows the README's commands in the clone, and uses the addon in a new game.
pub fn install(context: &Context<'_>) -> Result<Findings> {
    let readme = context.paths.root.join("README.md");
    let Ok(text) = fs::read_to_string(&readme) else {
        return Ok(Findings::failed("README.md is missing, so there are no commands to follow"));
    };
    let Some(block) = commands_under(&text, HEADING) else {
        return Ok(Findings::failed(format!(
            "README.md has no ```sh block under a heading that contains `{HEADING}`, so there are no commands to follow"
        )));
    };
    let scratch = context.paths.scratch().join("install");
    files::remove_dir(&scratch)?;
    let (work, game) = (scratch.join("work"), scratch.join("game"));
    fs::create_dir_all(&work)?;
    game::make(&game, context.paths)?;

    let script = script_of(&block, &context.paths.root);
    let sh = context.sh.clone();
    sh.change_dir(&work);
    let follow = cmd!(sh, "sh -e -x -c {script}")
        .env(GAME, &game)
        .env("CARGO_TARGET_DIR", target_of_clone(context))
        .env_remove("CARGO_MANIFEST_DIR")
        .env_remove("CARGO_MANIFEST_PATH");
    let heartbeat = Heartbeat::start();
    let followed = process::watch(follow, Limits::seconds(3600, 3600), &mut |line| heartbeat.at(line))?;
    if !followed.succeeded() {
        let log = context.keep_log("install", &followed);
        let shown = followed.tail(30).join("\n");
        return Ok(Findings::failed(format!(
            "the README's commands failed in a clone of HEAD ({}):\n{shown}\nthe whole output: {log}\n\
             (what is not committed is not in the clone)",
            followed.ending()
        )));
    }
    heartbeat.at("using the addon in a new game");
    let findings = use_addon(context, &game)?;
    drop(heartbeat);
    files::remove_dir(&scratch)?;
    Ok(findings)
}

/// The clone's target folder. It is not ours: cargo tells crates of two checkouts in one target folder apart by their
/// path inside the checkout only, and would take the clone's older code for ours. Dependencies that we have compiled
/// are copied into it once, so that only our own crates are compiled there.
fn target_of_clone(context: &Context<'_>) -> PathBuf {
    let ours = context.paths.target.join("release");
    let target = context.paths.scratch().join("install-target");
    let theirs = target.join("release");
    if !theirs.is_dir() {
        let unwanted = |name: &str| name.contains("pathforge") || name.contains("xtask");
        for folder in ["deps", "build", ".fingerprint"] {
            if files::copy_with_times(&ours.join(folder), &theirs.join(folder), &unwanted).is_err() {
                // Without it the clone compiles everything, which is slower and as right.
                let _ = files::remove_dir(&theirs);
                break;
            }
        }
    }
    target
}

fn use_addon(context: &Context<'_>, folder: &Path) -> Result<Findings> {
    let installed = folder.join("addons/pathforge/pathforge.gdextension");
    if !installed.is_file() {
        return Ok(Findings::failed(format!(
            "the README's commands left no addons/pathforge in the game (${GAME}, a folder with a project.godot)"
        )));
    }
    game::play(context, folder)
}

/// The first `sh` block under the heading.
fn commands_under(readme: &str, heading: &str) -> Option<String> {
    let mut lines =
        readme.lines().skip_while(|line| !(line.starts_with('#') && line.contains(heading))).skip(1);
    let fence = ["```sh", "```bash", "```shell", "```console"];
    lines.find(|line| fence.contains(&line.trim()))?;
    let block: Vec<&str> = lines.take_while(|line| line.trim() != "```").collect();
    Some(block.join("\n"))
}

/// The block as it is followed: cloning takes this repository instead of its public address, and where the game is
/// has been decided. Without a `git clone` in it, it is followed inside a clone.
fn script_of(block: &str, repository: &Path) -> String {
    let repository = repository.display();
    let mut script = String::new();
    if !block.lines().any(|line| line.trim_start().starts_with("git clone")) {
        script = format!("git clone --quiet '{repository}' clone\ncd clone\n");
    }
    for line in block.lines() {
        let trimmed = line.trim_start();
        if trimmed.starts_with(&format!("{GAME}=")) || trimmed.starts_with(&format!("export {GAME}=")) {
            continue;
        }
        if trimmed.starts_with("git clone") {
            let mut words: Vec<String> = trimmed.split_whitespace().map(str::to_owned).collect();
            if let Some(address) = words.iter_mut().skip(2).find(|word| !word.starts_with('-')) {
                let folder = address.trim_end_matches('/').rsplit('/').next().unwrap_or("clone");
                let folder = folder.trim_end_matches(".git").to_owned();
                *address = format!("'{repository}'");
                let address_is_last = words.last().is_some_and(|last| last.starts_with('\''));
                if address_is_last {
                    words.push(folder);
                }
            }
            script.push_str(&words.join(" "));
        } else {
            script.push_str(line);
        }
        script.push('\n');
    }
    script
}

#[cfg(test)]
mod tests {
    use super::*;

    const README: &str = "# PathForge\n```sh\nnot this\n```\n## Install: From a clone\ntext\n```sh\n\
        git clone https://example.org/somebody/pathforge.git\ncd pathforge\nMY_GAME=~/my_game\n\
        cp -r addons \"$MY_GAME\"\n```\n## More\n";

    #[test]
    fn the_block_under_the_heading_is_followed_with_this_repository() {
        let block = commands_under(README, HEADING).unwrap();
        assert_eq!(
            script_of(&block, Path::new("/repository")),
            "git clone '/repository' pathforge\ncd pathforge\ncp -r addons \"$MY_GAME\"\n"
        );
    }

    #[test]
    fn a_block_without_cloning_is_followed_in_a_clone() {
        let script = script_of("cargo xtask build", Path::new("/repository"));
        assert_eq!(script, "git clone --quiet '/repository' clone\ncd clone\ncargo xtask build\n");
    }

    #[test]
    fn a_readme_without_the_heading_has_no_commands() {
        assert_eq!(commands_under("# PathForge\n```sh\nls\n```\n", HEADING), None);
    }
}
