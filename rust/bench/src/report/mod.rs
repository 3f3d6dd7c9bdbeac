//! What a run measured: tables of figures, and what they say about the goals of the issues.

mod files;
mod goal;
mod json;
mod markdown;
mod plot;
mod table;

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::goals;

pub use files::write;
pub use goal::{Bound, Goal, Reached};
pub use plot::Plot;
pub use table::{Table, grouped};

/// All that a run measured.
pub struct Report {
    sections: Vec<Section>,
    plots: Vec<Plot>,
    reached: Vec<Reached>,
}

/// What one section measured.
struct Section {
    name: &'static str,
    heading: &'static str,
    tables: Vec<Table>,
}

impl Default for Report {
    fn default() -> Self {
        Self {
            sections: Vec::new(),
            plots: Vec::new(),
            reached: goals::ALL.iter().map(|goal| Reached::nothing(goal)).collect(),
        }
    }
}

impl Report {
    /// What is added from here on belongs to the section `name`, which the page has under `heading`.
    pub fn begin(&mut self, name: &'static str, heading: &'static str) {
        self.sections.push(Section { name, heading, tables: Vec::new() });
    }

    fn section(&mut self) -> &mut Section {
        if self.sections.is_empty() {
            self.begin("", "");
        }
        self.sections.last_mut().expect("there is one")
    }

    /// Adds a table.
    pub fn add(&mut self, table: Table) {
        eprintln!("{}", markdown::table(&table));
        self.section().tables.push(table);
    }

    /// Adds a plot; one without points is left out.
    pub fn plot(&mut self, mut plot: Plot) {
        plot.lines.retain(|(_, points)| !points.is_empty());
        if !plot.lines.is_empty() {
            self.plots.push(plot);
        }
    }

    /// Says what was measured for a goal on one map, level or body. Call it for each: the worst counts.
    ///
    /// # Panics
    /// When the goal is not in the list of all goals.
    pub fn reach(&mut self, goal: &'static Goal, subject: &str, value: f64) {
        let row = self.reached.iter_mut().find(|row| std::ptr::eq(row.goal, goal));
        row.expect("every goal is in goals::ALL").add(subject, value);
    }

    /// How many goals are met, of how many that were measured.
    pub fn score(&self) -> (usize, usize) {
        let measured = self.reached.iter().filter(|row| row.subjects > 0);
        (measured.clone().filter(|row| row.is_met()).count(), measured.count())
    }

    /// What users ask for first, as Markdown.
    pub fn in_short(&self) -> String {
        let asked = goals::ASKED_FIRST.iter().filter_map(|(goal, words)| {
            let row = self.reached.iter().find(|row| std::ptr::eq(row.goal, *goal) && row.subjects > 0)?;
            Some((*words, row))
        });
        markdown::in_short(asked)
    }

    /// A row for each goal, as Markdown.
    pub fn goals(&self) -> String {
        markdown::goals(&self.reached)
    }

    /// All tables, as Markdown.
    pub fn tables(&self) -> String {
        let mut text = String::new();
        for section in &self.sections {
            let _ = write!(text, "\n## {}\n", section.heading);
            for table in &section.tables {
                let _ = write!(text, "\n{}", markdown::table(table));
            }
        }
        text
    }

    /// Everything, for programs.
    pub fn json(&self) -> Value {
        let section = |section: &Section| {
            let tables: Vec<Value> = section.tables.iter().map(json::table).collect();
            json!({ "name": section.name, "tables": tables })
        };
        json!({
            "goals": self.reached.iter().map(json::goal).collect::<Vec<_>>(),
            "sections": self.sections.iter().map(section).collect::<Vec<_>>(),
        })
    }
}
