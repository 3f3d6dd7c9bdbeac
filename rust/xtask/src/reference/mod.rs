//! The class reference, `docs/reference/`: a page a class, from the help that F1 shows. And that help itself,
//! a document a class, which libraries for users read from the addon's folder.
//!
//! Godot tells what there is, with types and defaults; the library's own documents tell what it means.

mod groups;
mod markdown;
mod page;

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use fs_err as fs;
use roxmltree::Document;
use xshell::cmd;

use crate::paths::Paths;
use crate::process::Limits;
use crate::{addon, files, godot, guides};

const PAGES: &str = "docs/reference";
/// Where `rust/godot/src/engine/help.rs` finds the help. Games are exported without this folder's parent.
const HELP: &str = "addons/pathforge/editor/help";
/// Godot's last words before a document, and the first of every document.
const DOCUMENT: &str = "<?xml";

/// Writes every page and document, and puts lessons into the other pages that name them.
pub fn write(paths: &Paths) -> Result<()> {
    for page in guides::fill(&paths.root)? {
        println!("lessons: {}", page.display());
    }
    addon::build(paths, false)?;
    godot::locate(paths)?.import(&paths.test_project())?;
    let made = made(paths)?;
    for folder in [PAGES, HELP] {
        files::remove_dir(&paths.root.join(folder))?;
        println!("reference: {folder}");
    }
    for (path, text) in made {
        files::put(&paths.root.join(path), text.as_bytes())?;
    }
    Ok(())
}

/// The files that differ from what would be written with the library that is built and in the test project,
/// which is imported.
pub fn stale(paths: &Paths) -> Result<Vec<String>> {
    let mut expected = made(paths)?;
    let mut stale: Vec<String> = Vec::new();
    for folder in [PAGES, HELP] {
        for name in files::names_in(&paths.root.join(folder)).unwrap_or_default() {
            let path = format!("{folder}/{}", name.to_string_lossy());
            let is_right = expected.remove(&path).is_some_and(|text| {
                fs::read_to_string(paths.root.join(&path)).is_ok_and(|committed| committed == text)
            });
            if !is_right {
                stale.push(path);
            }
        }
    }
    stale.extend(expected.into_keys());
    Ok(stale)
}

/// Every page and document, by its file's path in the repository.
fn made(paths: &Paths) -> Result<BTreeMap<String, String>> {
    let help = help(paths)?;
    let mut documents = Vec::new();
    for text in help.split(DOCUMENT).skip(1) {
        // The last one ends where the test's result begins.
        let end = text.rfind("</class>").map_or(text.len(), |at| at + "</class>".len());
        documents.push(format!("{DOCUMENT}{}", &text[..end]));
    }
    let skeletons = skeletons(paths)?;
    let mut made = BTreeMap::new();
    let mut index = Vec::new();
    for text in &documents {
        let help = parsed(text)?;
        let name = help.root_element().attribute("name").unwrap_or_default();
        let path = skeletons.join(format!("{name}.xml"));
        let skeleton = fs::read_to_string(&path)?;
        let page = page::Page::new(help.root_element(), parsed(&skeleton)?.root_element())?;
        index.push((name.to_owned(), page.brief.clone()));
        made.insert(format!("{PAGES}/{name}.md"), page.text);
        made.insert(format!("{HELP}/{name}.xml"), format!("{text}\n"));
    }
    ensure!(!made.is_empty(), "the library has no help");
    index.sort();
    let rows = index.iter().map(|(name, brief)| format!("| [`{name}`]({name}.md) | {brief} |\n"));
    let rows: String = rows.collect();
    made.insert(
        format!("{PAGES}/README.md"),
        format!("# Class reference\n\nWhat F1 shows in Godot.\n\n| class | |\n|---|---|\n{rows}"),
    );
    Ok(made)
}

fn parsed(text: &str) -> Result<Document<'_>> {
    Document::parse(text).context("a class document cannot be read")
}

/// What the library tells Godot's editor, as its own test prints it.
fn help(paths: &Paths) -> Result<String> {
    let sh = paths.shell()?;
    let test = ["--lib", "tests::print_help", "--", "--exact", "--nocapture"];
    Ok(cmd!(sh, "cargo test --quiet --package pathforge-godot {test...}").read()?)
}

/// What Godot knows of the classes without their help: a folder of documents. The test project must have the
/// library, and be imported.
fn skeletons(paths: &Paths) -> Result<PathBuf> {
    let folder = paths.scratch().join("classes");
    files::remove_dir(&folder)?;
    fs::create_dir_all(&folder)?;
    let godot = godot::locate(paths)?;
    let project = paths.test_project();
    let place = folder.display().to_string();
    let args = ["--doctool", &place, "--gdextension-docs"];
    godot.run_headless(&project, &args, Limits::seconds(600, 300), &mut |_| ())?;
    Ok(folder.join("doc_classes"))
}
