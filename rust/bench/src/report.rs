//! Tables of results, as Markdown.

use std::fmt::Write;

/// All tables of a run.
#[derive(Default)]
pub struct Report {
    text: String,
}

impl Report {
    /// Adds a table with a title, a line about what is measured, and rows below a head.
    pub fn table(&mut self, title: &str, about: &str, head: &[&str], rows: &[Vec<String>]) {
        let _ = write!(self.text, "\n## {title}\n\n{about}\n\n");
        let _ = writeln!(self.text, "| {} |", head.join(" | "));
        let _ = writeln!(self.text, "|{}", "---|".repeat(head.len()));
        for row in rows {
            let _ = writeln!(self.text, "| {} |", row.join(" | "));
        }
    }

    /// Everything so far.
    pub fn markdown(&self) -> &str {
        &self.text
    }
}
