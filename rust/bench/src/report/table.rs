//! Tables of figures: a row for each subject, a column for each thing that is measured of it.

use crate::measure::Samples;

/// One table of a section.
#[derive(Debug, Default)]
pub struct Table {
    /// What it is about.
    pub title: String,
    /// What is measured and how; where a peer solves an easier problem, it says so.
    pub about: String,
    /// The head of the first column.
    pub subject: String,
    /// Its rows.
    pub rows: Vec<Row>,
}

/// One row.
#[derive(Debug)]
pub struct Row {
    /// A map, a level, a number of agents.
    pub subject: String,
    /// Names of columns and their contents.
    pub cells: Vec<(String, Figure)>,
}

/// The content of a cell.
#[derive(Clone, Debug)]
pub enum Figure {
    /// Words.
    Text(String),
    /// A whole number.
    Count(u64),
    /// A number in a unit, with the quartiles of what it is the median of.
    Number { value: f64, quartiles: Option<[f64; 2]>, unit: &'static str, digits: Option<usize> },
}

impl Table {
    /// An empty table; `subject` is what its rows are for: "map", "agents".
    pub fn new(title: &str, about: &str, subject: &str) -> Self {
        Self { title: title.into(), about: about.into(), subject: subject.into(), rows: Vec::new() }
    }

    /// Adds a row, to be filled by what it returns.
    pub fn row(&mut self, subject: impl Into<String>) -> &mut Row {
        self.rows.push(Row { subject: subject.into(), cells: Vec::new() });
        self.rows.last_mut().expect("one was added")
    }

    /// The row of `subject`, added when there is none yet: for tables that are filled column by column.
    pub fn entry(&mut self, subject: &str) -> &mut Row {
        let place = self.rows.iter().position(|row| row.subject == subject);
        match place {
            Some(place) => &mut self.rows[place],
            None => self.row(subject),
        }
    }
}

impl Row {
    fn with(&mut self, column: &str, figure: Figure) -> &mut Self {
        self.cells.push((column.into(), figure));
        self
    }

    /// Median and quartiles of `samples`, which are in `unit` already.
    pub fn samples(&mut self, column: &str, samples: &Samples, unit: &'static str) -> &mut Self {
        let quartiles = (samples.count() > 2).then(|| samples.quartiles());
        self.with(column, Figure::Number { value: samples.median(), quartiles, unit, digits: None })
    }

    /// A number in a unit, shown with three digits.
    pub fn number(&mut self, column: &str, value: f64, unit: &'static str) -> &mut Self {
        self.with(column, Figure::Number { value, quartiles: None, unit, digits: None })
    }

    /// A number with so many digits after the point.
    pub fn fixed(&mut self, column: &str, value: f64, digits: usize) -> &mut Self {
        self.with(column, Figure::Number { value, quartiles: None, unit: "", digits: Some(digits) })
    }

    /// How many times as fast.
    pub fn ratio(&mut self, column: &str, value: f64) -> &mut Self {
        self.number(column, value, "×")
    }

    /// A whole number.
    pub fn count(&mut self, column: &str, value: usize) -> &mut Self {
        self.with(column, Figure::Count(value as u64))
    }

    /// Words.
    pub fn text(&mut self, column: &str, text: impl Into<String>) -> &mut Self {
        self.with(column, Figure::Text(text.into()))
    }

    /// Returns `true` if both sides gave the same answers.
    pub fn agree(&mut self, column: &str, agree: bool) -> &mut Self {
        self.text(column, if agree { "yes" } else { "**no**" })
    }
}

/// Three digits that count.
pub fn number(value: f64) -> String {
    rounded_as(value, value)
}

/// With as many digits after the point as three digits of `other` have.
pub fn rounded_as(value: f64, other: f64) -> String {
    rounded(value, digits_of(other))
}

fn digits_of(value: f64) -> usize {
    match value.abs() {
        v if v == 0.0 || v >= 99.95 => 0,
        v if v >= 9.995 => 1,
        v if v >= 0.9995 => 2,
        _ => 3,
    }
}

fn rounded(value: f64, digits: usize) -> String {
    if value.is_nan() {
        return "–".into();
    }
    if value.is_infinite() {
        return "∞".into();
    }
    if value >= 9999.5 { grouped(value.round() as u64) } else { format!("{value:.digits$}") }
}

/// With commas between thousands.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_three_digits() {
        let shown = [0.0123, 1.234, 12.34, 123.4, 99.97, 1234.5, 1_234_567.8].map(number);
        assert_eq!(shown, ["0.012", "1.23", "12.3", "123", "100", "1234", "1,234,568"]);
    }
}
