//! Links on pages that lead to files of the repository and to headings.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use fs_err as fs;

/// The links of `text`, which is the page at `page`, that lead nowhere. Links into the web are not followed.
pub fn broken(page: &Path, text: &str) -> Result<Vec<String>> {
    let folder = page.parent().unwrap_or(page);
    let mut broken = Vec::new();
    for link in links(&prose(text)) {
        if link.contains("://") || link.starts_with("mailto:") {
            continue;
        }
        let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
        let target = if file.is_empty() { page.to_path_buf() } else { folder.join(file) };
        let is_there = if anchor.is_empty() {
            target.exists()
        } else {
            target.is_file() && anchors(&fs::read_to_string(&target)?).iter().any(|there| there == anchor)
        };
        if !is_there {
            broken.push(link);
        }
    }
    Ok(broken)
}

/// The files of the pictures that `text` shows.
#[cfg(test)]
pub fn pictures(text: &str) -> Vec<String> {
    let prose = prose(text);
    let shown = prose.split("![").skip(1).filter_map(|rest| rest.split_once("](")?.1.split_once(')'));
    let files = shown.map(|(file, _)| file).filter(|file| !file.contains("://"));
    files.map(str::to_owned).collect()
}

/// The text without code, whose brackets are no links.
fn prose(text: &str) -> String {
    let mut prose = String::new();
    let mut is_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            // Every other piece between backticks is code.
            let pieces = line.split('`').enumerate();
            prose.extend(pieces.map(|(at, piece)| if at % 2 == 0 { piece } else { "code" }));
            prose.push('\n');
        }
    }
    prose
}

/// The target of each `[text](target)`.
fn links(prose: &str) -> Vec<String> {
    let targets = prose.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    targets.map(|(target, _)| target.to_owned()).collect()
}

/// What a heading can be linked by, as GitHub makes it: the second heading of one name gets a number.
fn anchors(text: &str) -> Vec<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut anchors = Vec::new();
    let mut is_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        let Some(heading) = line.strip_prefix('#').filter(|_| !is_code) else { continue };
        let anchor = anchor_of(heading.trim_start_matches('#'));
        let count = seen.entry(anchor.clone()).or_default();
        anchors.push(if *count == 0 { anchor } else { format!("{anchor}-{count}") });
        *count += 1;
    }
    anchors
}

/// A heading's anchor: small letters, digits, `_` and `-`, and `-` for spaces.
pub fn anchor_of(heading: &str) -> String {
    let letters = heading.trim().chars().filter(|letter| letter.is_alphanumeric() || " _-".contains(*letter));
    letters.flat_map(char::to_lowercase).map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_files_and_headings_are_followed() {
        let folder = std::env::temp_dir().join(format!("pathforge-links-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let page = folder.join("a.md");
        fs::write(folder.join("b.md"), "# One, `two`!\n## Again\n## Again\n```\n# code\n```\n").unwrap();
        let text = "# Here\n[a](b.md) [b](b.md#one-two) [c](b.md#again-1) [d](#here) [e](https://x.org/#y)\n\
            ```\n[not](a link)\n```\n`[nor](this)` [f](c.md) [g](b.md#code) [h](#there)\n[`i`](b.md#again-2)\n";
        fs::write(&page, text).unwrap();

        let broken = broken(&page, text).unwrap();

        assert_eq!(broken, ["c.md", "b.md#code", "#there", "b.md#again-2"]);
        fs::remove_dir_all(&folder).unwrap();
    }
}
