//! What Godot's output gives away: errors, panics, leaks, libraries that did not load.

/// What kind of trouble a line reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An error of the engine, of a script or of the addon. A test may expect it.
    Error,
    /// A panic or a crash. Nothing may expect it.
    Panic,
    /// Something outlived the run.
    Leak,
}

/// One line that reports trouble.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// Its kind.
    pub kind: Kind,
    /// The line, without colours.
    pub text: String,
}

/// How Godot starts the first line of an error; what follows it is indented.
const ERROR_STARTS: [&str; 5] =
    ["ERROR:", "SCRIPT ERROR:", "USER ERROR:", "USER SCRIPT ERROR:", "SHADER ERROR:"];
const EXTENSION_FAILURES: [&str; 3] =
    ["Can't open dynamic library", "Error loading extension", "GDExtension dynamic library not found"];
const PANICS: [&str; 6] = [
    "panicked at",
    "[panic",
    "Rust function panicked",
    "Program crashed with signal",
    "has overflowed its stack",
    "fatal runtime error",
];
const LEAKS: [&str; 4] =
    ["ObjectDB instances leaked", "resources still in use at exit", "leaked at exit", "Leaked instance:"];

/// Godot prints this of itself at the end of every game on the web without threads.
const OF_WEB: &str = "Pages in use exist at exit in PagedAllocator: N16WorkerThreadPool5GroupE";

/// Reads one line. Most report nothing.
pub fn trouble_in(line: &str) -> Option<Trouble> {
    let text = without_colours(line);
    if text.contains(OF_WEB) {
        return None;
    }
    let has = |signs: &[&str]| signs.iter().any(|sign| text.contains(sign));
    let kind = if has(&PANICS) {
        Kind::Panic
    } else if has(&LEAKS) {
        Kind::Leak
    } else if has(&EXTENSION_FAILURES) || ERROR_STARTS.iter().any(|start| text.starts_with(start)) {
        Kind::Error
    } else {
        return None;
    };
    Some(Trouble { kind, text })
}

/// The line without colours, when it is a warning that reports no trouble.
pub fn warning_in(line: &str) -> Option<String> {
    let text = without_colours(line);
    let is_warning = ["WARNING:", "USER WARNING:"].iter().any(|start| text.starts_with(start));
    (is_warning && trouble_in(line).is_none()).then_some(text)
}

/// Reads a whole output, each line of trouble with the indented line after it, which says where it came from.
pub fn troubles(lines: &[String]) -> Vec<Trouble> {
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(mut trouble) = trouble_in(line) else { continue };
        let next = lines.get(at + 1).map(|next| without_colours(next));
        if let Some(origin) =
            next.filter(|next| next.starts_with(' ') && next.trim_start().starts_with("at:"))
        {
            trouble.text = format!("{} ({})", trouble.text, origin.trim());
        }
        found.push(trouble);
    }
    found
}

/// Takes terminal colours out of a line.
pub fn without_colours(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find("\u{1b}[") {
        plain.push_str(&rest[..at]);
        let code = &rest[at + 2..];
        let end = code.find(|letter: char| letter.is_ascii_alphabetic()).map_or(code.len(), |end| end + 1);
        rest = &code[end..];
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(line: &str) -> Option<Kind> {
        trouble_in(line).map(|trouble| trouble.kind)
    }

    #[test]
    fn what_the_web_prints_at_each_end_is_passed_over() {
        assert_eq!(kind(&format!("ERROR: {OF_WEB}")), None);
        assert_eq!(kind("ERROR: Pages in use exist at exit in PagedAllocator: 4Mine"), Some(Kind::Error));
    }

    #[test]
    fn errors_are_seen_whoever_reports_them() {
        assert_eq!(kind("ERROR: PathForgeGrid.set_point_solid: (9, 9) is out of bounds"), Some(Kind::Error));
        assert_eq!(kind("USER ERROR: as Godot 4.4 writes push_error"), Some(Kind::Error));
        assert_eq!(kind("SCRIPT ERROR: Invalid call."), Some(Kind::Error));
        assert_eq!(kind("\u{1b}[1;31mERROR:\u{1b}[0;91m coloured\u{1b}[0m"), Some(Kind::Error));
        assert_eq!(kind("Can't open dynamic library: libpathforge.so"), Some(Kind::Error));
    }

    #[test]
    fn panics_and_leaks_are_told_from_errors() {
        assert_eq!(kind("thread '<unnamed>' panicked at core/src/search.rs:12:5:"), Some(Kind::Panic));
        assert_eq!(kind("ERROR: [panic core/src/search.rs:12]"), Some(Kind::Panic));
        assert_eq!(
            kind("WARNING: ObjectDB instances leaked at exit (run with --verbose for details)."),
            Some(Kind::Leak)
        );
        assert_eq!(kind("ERROR: 3 resources still in use at exit."), Some(Kind::Leak));
    }

    #[test]
    fn harmless_lines_are_let_through() {
        assert_eq!(kind("Godot Engine v4.6.3.stable"), None);
        assert_eq!(kind("WARNING: Could not set V-Sync mode."), None);
        assert_eq!(kind("PASS search.finds_errors: ERROR: in the middle"), None);
        assert_eq!(kind(""), None);
    }

    #[test]
    fn an_error_keeps_the_line_that_says_where() {
        let lines =
            ["ERROR: wrong".to_owned(), "   at: push_error (core/x.cpp:9)".to_owned(), "done".to_owned()];
        assert_eq!(troubles(&lines)[0].text, "ERROR: wrong (at: push_error (core/x.cpp:9))");
    }
}
