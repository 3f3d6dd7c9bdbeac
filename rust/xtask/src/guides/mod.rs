//! The pages that people read, such as the README and the guides in `docs/`: lessons shown on them, and their
//! links.

mod lessons;
mod links;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use fs_err as fs;
use walkdir::WalkDir;

pub use lessons::is_lesson;
pub use links::anchor_of;
#[cfg(test)]
pub use links::pictures as pictures_on;

/// Below the repository: where pages are. Of the first, only its own files.
const PLACES: [&str; 7] = ["", ".github", "addons", "demo_project", "docs", "rust", "tests"];
/// Where lessons are.
const LESSONS: &str = "demo_project/lessons";

/// Puts the lessons that pages name into them. Returns the pages that were changed.
pub fn fill(root: &Path) -> Result<Vec<PathBuf>> {
    let changed = outdated(root)?;
    for (page, text) in &changed {
        fs::write(page, text)?;
    }
    Ok(changed.into_iter().map(|(page, _)| page).collect())
}

/// What is wrong on all pages: lessons that differ from their file, links that lead nowhere.
pub fn problems(root: &Path) -> Result<Vec<String>> {
    let shown = |page: &Path| page.strip_prefix(root).unwrap_or(page).display().to_string();
    let mut problems = Vec::new();
    for (page, _) in outdated(root)? {
        problems.push(format!("{} shows a lesson as it was: try cargo xtask reference", shown(&page)));
    }
    for page in pages(root)? {
        for link in links::broken(&page, &fs::read_to_string(&page)?)? {
            problems.push(format!("{} links to {link}, which is not there", shown(&page)));
        }
    }
    Ok(problems)
}

/// Every picture that a page shows, as a path from the repository's root.
#[cfg(test)]
pub fn pictures(root: &Path) -> Result<Vec<String>> {
    let mut pictures = Vec::new();
    for page in pages(root)? {
        let folder = page.parent().unwrap_or(root).to_path_buf();
        for picture in links::pictures(&fs::read_to_string(&page)?) {
            let path = fs::canonicalize(folder.join(&picture)).with_context(|| page.display().to_string())?;
            pictures.push(path.strip_prefix(fs::canonicalize(root)?)?.display().to_string());
        }
    }
    Ok(pictures)
}

/// Pages that show a lesson as it is not, with their right text.
fn outdated(root: &Path) -> Result<Vec<(PathBuf, String)>> {
    let mut outdated = Vec::new();
    for page in pages(root)? {
        let text = fs::read_to_string(&page)?;
        let lesson = |name: &str| Ok(fs::read_to_string(root.join(LESSONS).join(name).with_extension("gd"))?);
        let filled = lessons::filled(&text, &lesson).with_context(|| page.display().to_string())?;
        if filled != text {
            outdated.push((page, filled));
        }
    }
    Ok(outdated)
}

/// Every page, sorted.
fn pages(root: &Path) -> Result<Vec<PathBuf>> {
    let mut pages = Vec::new();
    for place in PLACES {
        let depth = if place.is_empty() { 1 } else { usize::MAX };
        let walk = WalkDir::new(root.join(place)).max_depth(depth).into_iter();
        // What begins with a dot is a cache of Godot's.
        let is_ours = |name: &OsStr| !name.to_string_lossy().starts_with('.');
        for entry in walk.filter_entry(|entry| entry.depth() == 0 || is_ours(entry.file_name())) {
            let path = entry?.into_path();
            if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    Ok(pages)
}
