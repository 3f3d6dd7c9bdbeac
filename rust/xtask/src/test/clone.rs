//! The README's promise: a clone becomes an installed addon by following its commands.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Result;
use fs_err as fs;
use xshell::cmd;

use super::{Context, game};
use crate::process::{self, Limits};
use crate::report::{Findings, Heartbeat};
use crate::{addon, files, godot_api};

/// The heading, or a part of it, whose first `sh` block is followed.
const HEADING: &str = "From a clone";
/// The variable that the README uses for the game that gets the addon.
const GAME: &str = "MY_GAME";
/// Clones the repository's last commit, follows the README's commands in the clone, and uses the addon in a
/// new game.
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

    context.release_build()?;
    let target = target_of_clone(context)?;
    let script = script_of(&block, &context.paths.root);
    let sh = context.sh.clone();
    sh.change_dir(&work);
    let follow = cmd!(sh, "sh -e -x -c {script}")
        .env(GAME, &game)
        .env("CARGO_TARGET_DIR", target)
        .env_remove("CARGO_MANIFEST_DIR")
        .env_remove("CARGO_MANIFEST_PATH");
    let follow = match godot_api::as_committed(context.paths)? {
        Some(file) => follow.env(godot_api::VARIABLE, file),
        None => follow.env_remove(godot_api::VARIABLE),
    };
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

/// The clone's target folder, with our compiled files of the library and of xtask copied into it with their
/// times. It is not ours: cargo tells crates of two checkouts in one target folder apart only by their path
/// inside the checkout, and would write over ours.
///
/// Cargo itself decides what of it fits. A crate of ours whose files in the clone have the same times is as
/// fresh there as it is here; the script gives files with the same content the same times. A file that
/// differs, or is not in the clone, has its crate compiled anew.
fn target_of_clone(context: &Context<'_>) -> Result<PathBuf> {
    let target = context.paths.scratch().join("install-target");
    for (profile, package) in [("release", addon::PACKAGE), ("debug", "xtask")] {
        let crates = crates_below(context, package)?;
        let (ours, theirs) = (context.paths.target.join(profile), target.join(profile));
        for folder in ["deps", "build", ".fingerprint"] {
            fs::create_dir_all(theirs.join(folder))?;
            for name in files::names_in(&ours.join(folder)).unwrap_or_default() {
                if is_of(&name.to_string_lossy(), &crates) {
                    // Another step may be compiling there. What is not copied is compiled anew, which is
                    // slower and as right.
                    let _ = files::copy_with_times(
                        &ours.join(folder).join(&name),
                        &theirs.join(folder).join(&name),
                    );
                }
            }
        }
    }
    Ok(target)
}

/// The names of a package and of all that it is built from, as [`is_of`] wants them.
fn crates_below(context: &Context<'_>, package: &str) -> Result<BTreeSet<String>> {
    let sh = &context.sh;
    let form = ["--prefix", "none", "--format", "{p}", "--edges", "normal,build"];
    let tree = cmd!(sh, "cargo tree --locked --package {package} {form...}").read()?;
    Ok(tree.lines().filter_map(|line| line.split(' ').next()).map(dashed).collect())
}

/// Some files of a crate have its name with `_` for `-`, and some packages have `_` in their own.
fn dashed(name: &str) -> String {
    name.replace('_', "-")
}

/// True for what cargo calls `name-hash`, `name-hash.d` or `libname-hash.rlib`, of one of these crates,
/// [dashed].
fn is_of(file: &str, crates: &BTreeSet<String>) -> bool {
    let Some((name, _)) = file.rsplit_once('-') else {
        // The library's own file.
        return crates.contains(&package_of(file.split('.').next().unwrap_or_default()));
    };
    crates.contains(&package_of(name)) || crates.contains(&dashed(name))
}

/// The package of a crate's file, whose name may begin with `lib`.
fn package_of(name: &str) -> String {
    dashed(name.strip_prefix("lib").unwrap_or(name))
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

/// The block as it is followed: cloning takes this repository instead of its public address, and where the
/// game is has been decided. Without a `git clone` in it, it is followed inside a clone.
fn script_of(block: &str, repository: &Path) -> String {
    let repository = repository.display();
    let mut script = String::new();
    if !block.lines().any(|line| line.trim_start().starts_with("git clone")) {
        script = format!("git clone --quiet '{repository}' clone\n{}cd clone\n", with_our_times("clone"));
    }
    for line in block.lines() {
        let trimmed = line.trim_start();
        if trimmed.starts_with(&format!("{GAME}=")) || trimmed.starts_with(&format!("export {GAME}=")) {
            continue;
        }
        let followed = if trimmed.starts_with("git clone") {
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
            let folder = words.last().map_or("", String::as_str);
            format!("{}\n{}", words.join(" "), with_our_times(folder))
        } else {
            format!("{line}\n")
        };
        script.push_str(&followed);
    }
    script
}

/// The command that gives those files of the clone that are as ours the times of ours.
fn with_our_times(clone: &str) -> String {
    format!(
        "(set +x; cd '{clone}'; ours=$(git config remote.origin.url); git ls-files | while IFS= read -r file; do \
         if cmp -s \"$ours/$file\" \"$file\"; then touch -r \"$ours/$file\" \"$file\"; fi; done)\n"
    )
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
            format!(
                "git clone '/repository' pathforge\n{}cd pathforge\ncp -r addons \"$MY_GAME\"\n",
                with_our_times("pathforge")
            )
        );
    }

    #[test]
    fn a_block_without_cloning_is_followed_in_a_clone() {
        let script = script_of("cargo xtask build", Path::new("/repository"));
        let wanted = with_our_times("clone");
        assert_eq!(
            script,
            format!("git clone --quiet '/repository' clone\n{wanted}cd clone\ncargo xtask build\n")
        );
    }

    #[test]
    fn a_readme_without_the_heading_has_no_commands() {
        assert_eq!(commands_under("# PathForge\n```sh\nls\n```\n", HEADING), None);
    }

    #[test]
    fn files_of_crates_are_told_from_others() {
        let crates = ["i_triangle", "libm", "pathforge-core", "xtask"].map(dashed).into();
        for file in [
            "libpathforge_core-0a.rlib",
            "pathforge_core-0a.d",
            "pathforge-core-0a",
            "liblibm-1.rmeta",
            "libm-1",
            "libi_triangle-1.rlib",
            "i_triangle-1",
        ] {
            assert!(is_of(file, &crates), "{file}");
        }
        for file in ["libpathforge_godot-0a.so", "pathforge_core_extra-0a.d", "m-1", "libx.so"] {
            assert!(!is_of(file, &crates), "{file}");
        }
    }
}
