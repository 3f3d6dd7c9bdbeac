//! What a run measured: tables of figures, and what they say about the goals of the issues.

mod files;
mod goal;
mod json;
mod markdown;
mod plot;
mod table;

use serde_json::{Value, json};

use crate::goals;

pub use files::{write, write_pages};
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
        eprintln!("{}", markdown::table(&json::table(&table)));
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

    /// A row for each goal, as Markdown.
    pub fn goals(&self) -> String {
        let goals: Vec<Value> = self.reached.iter().map(json::goal).collect();
        markdown::goals(&goals)
    }

    /// Everything, for programs.
    pub fn json(&self) -> Value {
        let section = |section: &Section| {
            let tables: Vec<Value> = section.tables.iter().map(json::table).collect();
            json!({ "name": section.name, "heading": section.heading, "tables": tables })
        };
        json!({
            "plots": self.plots.iter().map(|plot| json!([plot.name, plot.title])).collect::<Vec<_>>(),
            "goals": self.reached.iter().map(json::goal).collect::<Vec<_>>(),
            "sections": self.sections.iter().map(section).collect::<Vec<_>>(),
        })
    }
}

/// The items of an array; none of anything else.
fn items(array: &Value) -> &[Value] {
    array.as_array().map_or(&[], Vec::as_slice)
}
