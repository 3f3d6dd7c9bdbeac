//! The pages that people read, such as the README and the guides in `docs/`: lessons shown on them, and their links.

mod lessons;
mod links;

use std::path::{Path, PathBuf};
use std::{fs, io};

pub use lessons::is_lesson;
pub use links::anchor_of;

/// Below the repository: where pages are. Of the first, only its own files.
const PLACES: [&str; 7] = ["", ".github", "addons", "demo_project", "docs", "rust", "tests"];
/// Where lessons are.
const LESSONS: &str = "demo_project/lessons";

/// Puts the lessons that pages name into them. Returns the pages that were changed.
pub fn fill(root: &Path) -> io::Result<Vec<PathBuf>> {
    let changed = outdated(root)?;
    for (page, text) in &changed {
        fs::write(page, text)?;
    }
    Ok(changed.into_iter().map(|(page, _)| page).collect())
}

/// What is wrong on all pages: lessons that differ from their file, links that lead nowhere.
pub fn problems(root: &Path) -> io::Result<Vec<String>> {
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

/// Pages that show a lesson as it is not, with their right text.
fn outdated(root: &Path) -> io::Result<Vec<(PathBuf, String)>> {
    let mut outdated = Vec::new();
    for page in pages(root)? {
        let text = fs::read_to_string(&page)?;
        let lesson = |name: &str| {
            let path = root.join(LESSONS).join(name).with_extension("gd");
            let missing = |error| io::Error::other(format!("{}: {} {error}", page.display(), path.display()));
            fs::read_to_string(&path).map_err(missing)
        };
        let filled = lessons::filled(&text, &lesson)?;
        if filled != text {
            outdated.push((page, filled));
        }
    }
    Ok(outdated)
}

/// Every page, sorted.
fn pages(root: &Path) -> io::Result<Vec<PathBuf>> {
    let mut pages = Vec::new();
    for place in PLACES {
        let folder = root.join(place);
        if folder.is_dir() {
            collect(&folder, !place.is_empty(), &mut pages)?;
        }
    }
    pages.sort();
    Ok(pages)
}

fn collect(folder: &Path, is_deep: bool, pages: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            // Godot's caches and copies of the addon begin with a dot or are no part of the repository.
            let is_ours = path.file_name().is_some_and(|name| !name.to_string_lossy().starts_with('.'));
            if is_deep && is_ours {
                collect(&path, true, pages)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
    Ok(())
}
