//! Plain words: counts phrases that make a reader look back, sentences that are too long and comments that
//! are too wide.
//!
//! `tests/data/words.txt` holds how many there may be of each kind of text. A count may only go down, and the
//! file with it.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result};
use fs_err as fs;
use walkdir::WalkDir;

use super::Context;
use crate::report::Findings;

/// How many faults each kind of text may have.
const ALLOWED: &str = "tests/data/words.txt";
/// Faults that are shown of a kind that has too many.
const SHOWN_MAX: usize = 20;
const SENTENCE_WORDS_MAX: usize = 30;
const COMMENT_COLUMNS_MAX: usize = 120;
/// Phrases that name no thing, tell a story or turn a sentence round.
const PHRASES: [&str; 15] = [
    "one that",
    "those that",
    "those which",
    "whoever",
    "nobody",
    "somebody",
    "everybody",
    "told as",
    "so it may",
    "with none",
    "be it that",
    "comes to nothing",
    "as before",
    "gets so",
    "the later the more",
];

/// A kind of text that people read.
struct Kind {
    name: &'static str,
    /// Folders below the repository, and the endings of their files.
    places: &'static [(&'static str, &'static str)],
    /// Parts of paths that are left out.
    except: &'static [&'static str],
    read: fn(&str) -> Vec<Text>,
}

const KINDS: [Kind; 5] = [
    Kind {
        name: "pages",
        places: &[("", "md"), ("docs", "md"), (".github", "md")],
        except: &["docs/reference/", "docs/bench/", "BENCHMARKS.md", "docs/decisions/"],
        read: page,
    },
    Kind { name: "decisions", places: &[("docs/decisions", "md")], except: &[], read: page },
    Kind { name: "class docs", places: &[("docs/reference", "md")], except: &[], read: page },
    Kind {
        name: "errors and screens",
        places: &[
            ("rust/godot/src", "rs"),
            ("demo_project", "gd"),
            ("demo_project", "tscn"),
            ("demo_project", "tres"),
        ],
        except: &["/addons/"],
        read: strings,
    },
    Kind {
        name: "comments",
        places: &[("rust", "rs"), ("tests", "rs"), ("tests", "gd"), ("demo_project", "gd"), ("addons", "gd")],
        except: &["project/addons/", "godot/addons/", "test/words.rs"],
        read: comments,
    },
];

/// A paragraph, and the line that it begins on.
#[derive(Debug, PartialEq)]
struct Text {
    line: usize,
    words: String,
    /// Lines of a comment that are too wide.
    wide_lines: usize,
}

/// Counts the faults of each kind of text.
pub fn plain_words(context: &Context<'_>) -> Result<Findings> {
    let root = &context.paths.root;
    let allowed = fs::read_to_string(root.join(ALLOWED))?;
    let mut findings = Findings::default();
    for kind in &KINDS {
        let faults = faults_of(root, kind)?;
        let line = allowed.lines().find_map(|line| line.strip_prefix(kind.name)?.strip_prefix(": "));
        let most: usize =
            line.with_context(|| format!("{ALLOWED} has no line for {}", kind.name))?.parse()?;
        findings.add(match faults.len() {
            count if count > most => {
                let shown = faults.iter().take(SHOWN_MAX).map(String::as_str).collect::<Vec<_>>().join("\n");
                Findings::failed(format!("{}: {count} faults, {most} are allowed\n{shown}", kind.name))
            }
            count if count < most => Findings::failed(format!(
                "{}: {count} faults instead of {most}: write so in {ALLOWED}",
                kind.name
            )),
            _ => Findings::passed(),
        });
    }
    Ok(findings)
}

/// What is wrong with the texts of a kind, with their places.
fn faults_of(root: &Path, kind: &Kind) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for &(place, ending) in kind.places {
        let depth = if place.is_empty() { 1 } else { usize::MAX };
        let walk = WalkDir::new(root.join(place)).max_depth(depth).sort_by_file_name().into_iter();
        // What begins with a dot is a cache of Godot's.
        let is_ours = |name: &str| !name.starts_with('.') && name != "target";
        let walk =
            walk.filter_entry(|entry| entry.depth() == 0 || is_ours(&entry.file_name().to_string_lossy()));
        for entry in walk {
            let path = entry?.into_path();
            let shown = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            let is_meant = path.extension().is_some_and(|extension| extension == ending)
                && !kind.except.iter().any(|part| shown.contains(part));
            if is_meant {
                let texts = (kind.read)(&fs::read_to_string(&path)?);
                faults.extend(texts.iter().flat_map(|text| faults_in(text, &shown)));
            }
        }
    }
    Ok(faults)
}

fn faults_in(text: &Text, path: &str) -> Vec<String> {
    let mut faults =
        vec![format!("{path}:{}: wider than {COMMENT_COLUMNS_MAX} columns", text.line); text.wide_lines];
    for sentence in text.words.split_inclusive(['.', '!', '?']).collect::<Vec<_>>().iter().map(|s| s.trim()) {
        let words = sentence.split_whitespace().count();
        if words > SENTENCE_WORDS_MAX {
            faults.push(format!("{path}:{}: {words} words: {sentence}", text.line));
        }
    }
    let lower = format!(" {} ", text.words.to_lowercase().replace(['.', ',', ';', ':', '(', ')', '"'], " "));
    for phrase in PHRASES {
        let hits = lower.matches(&format!(" {phrase} ")).count();
        faults.extend(std::iter::repeat_n(format!("{path}:{}: \"{phrase}\"", text.line), hits));
    }
    faults
}

/// Puts lines together to paragraphs.
#[derive(Default)]
struct Paragraphs {
    all: Vec<Text>,
    open: bool,
    in_code: bool,
}

impl Paragraphs {
    fn add(&mut self, line: usize, words: &str) {
        let words = without_code(words);
        match self.all.last_mut().filter(|_| self.open) {
            Some(text) => {
                let _ = write!(text.words, " {words}");
            }
            None => self.all.push(Text { line, words, wide_lines: 0 }),
        }
        self.open = true;
    }

    /// One line of Markdown.
    fn markdown(&mut self, line: usize, text: &str) {
        let is_sketch = !self.open && text.starts_with("    ");
        let text = text.trim();
        if text.starts_with("```") {
            (self.in_code, self.open) = (!self.in_code, false);
        }
        if self.in_code || is_sketch || text.is_empty() || text.starts_with("```") || text.starts_with("<!--")
        {
            self.open = false;
            return;
        }
        if text.starts_with('|') {
            for cell in text.split('|') {
                self.open = false;
                self.add(line, cell);
            }
            self.open = false;
            return;
        }
        let item = text.trim_start_matches(|c: char| c.is_ascii_digit());
        if text.starts_with("- ")
            || text.starts_with('#')
            || item.len() < text.len() && item.starts_with(". ")
        {
            self.open = false;
        }
        self.add(line, text.trim_start_matches(['-', '#', ' ']));
        if text.starts_with('#') {
            self.open = false;
        }
    }
}

fn page(text: &str) -> Vec<Text> {
    let mut paragraphs = Paragraphs::default();
    for (number, line) in text.lines().enumerate() {
        paragraphs.markdown(number + 1, line);
    }
    paragraphs.all
}

/// Comments of Rust and of GDScript.
fn comments(text: &str) -> Vec<Text> {
    let mut paragraphs = Paragraphs::default();
    for (number, line) in text.lines().enumerate() {
        let code = line.trim_start();
        let comment = ["///", "//!", "//", "##", "# "].iter().find_map(|mark| code.strip_prefix(mark));
        let Some(comment) = comment.filter(|_| !code.starts_with("#[")) else {
            (paragraphs.open, paragraphs.in_code) = (false, false);
            continue;
        };
        paragraphs.markdown(number + 1, comment);
        if line.chars().count() > COMMENT_COLUMNS_MAX {
            match paragraphs.all.last_mut() {
                Some(text) => text.wide_lines += 1,
                None => paragraphs.all.push(Text { line: number + 1, words: String::new(), wide_lines: 1 }),
            }
        }
    }
    paragraphs.all
}

/// Strings of several words outside comments.
fn strings(text: &str) -> Vec<Text> {
    let mut all = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let code = line.trim_start();
        if code.starts_with("//") || code.starts_with('#') {
            continue;
        }
        let parts = code.split('"').skip(1).step_by(2).filter(|part| part.contains(' '));
        all.extend(parts.map(|part| Text { line: number + 1, words: without_code(part), wide_lines: 0 }));
    }
    all
}

/// The text with one word for each piece of code and each link's target.
fn without_code(text: &str) -> String {
    let text = text.replace("[code]", "`").replace("[/code]", "`");
    let parts: Vec<_> = text.split('`').collect();
    let plain: String =
        parts.iter().enumerate().map(|(n, part)| if n % 2 == 0 { part } else { "code" }).collect();
    let mut rest = plain.as_str();
    let mut kept = String::new();
    while let Some((before, after)) = rest.split_once("](") {
        kept.push_str(before);
        rest = after.split_once(')').map_or("", |(_, after)| after);
    }
    // A dot within a word or number ends no sentence.
    let kept: Vec<char> = kept.chars().chain(rest.chars()).collect();
    let ends = |n: usize| kept.get(n + 1).is_none_or(|next| next.is_whitespace() || *next == ')');
    (0..kept.len()).filter(|&n| kept[n] != '.' || ends(n)).map(|n| kept[n]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(texts: &[Text]) -> usize {
        texts.iter().map(|text| faults_in(text, "page").len()).sum()
    }

    #[test]
    fn phrases_and_long_sentences_are_faults() {
        assert_eq!(count(&page("A unit waits. It moves on when the door is open.")), 0);
        assert_eq!(count(&page("Nobody waits for one that rests.")), 2);
        assert_eq!(count(&page(&"word ".repeat(31))), 1);
        assert_eq!(count(&page(&format!("{0}. {0}.", "word ".repeat(30).trim()))), 0);
        assert_eq!(count(&page(&format!("| {} | {} |", "word ".repeat(20), "word ".repeat(20)))), 0);
        assert_eq!(count(&page(&format!("```\n{}\n```", "word ".repeat(40)))), 0, "code is no prose");
        assert_eq!(count(&page(&format!("{}0.5 {}", "word ".repeat(20), "word ".repeat(20)))), 1);
    }

    #[test]
    fn comments_are_joined_and_measured() {
        let long = format!("/// {}\n/// {}\nfn f() {{}}\n", "word ".repeat(20), "word ".repeat(20));
        assert_eq!(count(&comments(&long)), 1);
        assert_eq!(count(&comments(&format!("// {}\n", "w".repeat(120)))), 1);
        assert_eq!(count(&comments("let a = \"one that\"; // no comment line\n")), 0);
    }

    #[test]
    fn strings_are_what_is_shown() {
        assert_eq!(count(&strings("report(\"nobody is there\"); // one that\n// \"one that\"")), 1);
    }
}
