//! The class reference, `docs/reference/`: a page a class, from the help that F1 shows.
//!
//! Godot tells what there is, with types and defaults; the library's own documents tell what it means.

mod groups;
mod markdown;
mod page;

use std::collections::BTreeMap;
use std::path::PathBuf;

use roxmltree::Document;

use crate::paths::Paths;
use crate::problem::{Outcome, Problem, While};
use crate::process::{self, Limits};
use crate::{addon, files, godot, guides};

const FOLDER: &str = "docs/reference";
/// Godot's last words before a document, and the first of every document.
const DOCUMENT: &str = "<?xml";

/// Writes every page, and puts lessons into the other pages that name them.
pub fn write(paths: &Paths) -> Outcome<()> {
    let filled = guides::fill(&paths.root).while_doing(|| "fill pages with lessons".to_owned())?;
    for page in filled {
        println!("lessons: {}", page.display());
    }
    addon::build(paths, false)?;
    let (folder, pages) = (paths.root.join(FOLDER), pages(paths)?);
    files::remove_dir(&folder)?;
    for (name, text) in pages {
        files::put(&folder.join(name), text.as_bytes())?;
    }
    println!("reference: {}", folder.display());
    Ok(())
}

/// The pages that differ from what would be written with the library that is built.
pub fn stale(paths: &Paths) -> Outcome<Vec<String>> {
    let folder = paths.root.join(FOLDER);
    let mut expected = pages(paths)?;
    let mut stale: Vec<String> = Vec::new();
    for name in files::names_in(&folder).unwrap_or_default() {
        let name = name.to_string_lossy().into_owned();
        let is_right = expected.remove(&name).is_some_and(|text| {
            files::read_text(&folder.join(&name)).is_ok_and(|committed| committed == text)
        });
        if !is_right {
            stale.push(name);
        }
    }
    stale.extend(expected.into_keys());
    Ok(stale)
}

/// Every page by its file's name.
fn pages(paths: &Paths) -> Outcome<BTreeMap<String, String>> {
    let help = help(paths)?;
    let mut documents = Vec::new();
    for text in help.split(DOCUMENT).skip(1) {
        // The last one ends where the test's result begins.
        let end = text.rfind("</class>").map_or(text.len(), |at| at + "</class>".len());
        documents.push(format!("{DOCUMENT}{}", &text[..end]));
    }
    let skeletons = skeletons(paths)?;
    let mut pages = BTreeMap::new();
    let mut index = Vec::new();
    for text in &documents {
        let help = parsed(text)?;
        let name = help.root_element().attribute("name").unwrap_or_default();
        let path = skeletons.join(format!("{name}.xml"));
        let skeleton = files::read_text(&path)?;
        let page = page::Page::new(help.root_element(), parsed(&skeleton)?.root_element());
        let page = page.map_err(Problem::new)?;
        index.push((name.to_owned(), page.brief.clone()));
        pages.insert(format!("{name}.md"), page.text);
    }
    if pages.is_empty() {
        return Err(Problem::new("the library has no help"));
    }
    index.sort();
    let rows = index.iter().map(|(name, brief)| format!("| [`{name}`]({name}.md) | {brief} |\n"));
    let rows: String = rows.collect();
    pages.insert(
        "README.md".to_owned(),
        format!("# Class reference\n\nWhat F1 shows in Godot.\n\n| class | |\n|---|---|\n{rows}"),
    );
    Ok(pages)
}

fn parsed(text: &str) -> Outcome<Document<'_>> {
    Document::parse(text).map_err(|error| Problem::new(format!("a class document cannot be read: {error}")))
}

/// What the library tells Godot's editor, as its own test prints it.
fn help(paths: &Paths) -> Outcome<String> {
    let mut cargo = process::command(Paths::cargo());
    cargo
        .current_dir(&paths.root)
        .args(["test", "--quiet", "--package", "pathforge-godot", "--lib", "tests::print_help"])
        .args(["--", "--exact", "--nocapture"]);
    process::output_of(cargo)
}

/// What Godot knows of the classes without their help: a folder of documents. The test project must have the library.
fn skeletons(paths: &Paths) -> Outcome<PathBuf> {
    let folder = paths.scratch().join("classes");
    files::remove_dir(&folder)?;
    files::make_dir(&folder)?;
    let godot = godot::locate(paths)?;
    let project = paths.test_project();
    godot.import(&project)?;
    let place = folder.display().to_string();
    let args = ["--doctool", &place, "--gdextension-docs"];
    godot.run_headless(&project, &args, Limits::seconds(120, 60), &mut |_| ())?;
    let folder = folder.join("doc_classes");
    std::fs::read_dir(&folder).while_doing(|| "look at Godot's class documents".to_owned())?;
    Ok(folder)
}
