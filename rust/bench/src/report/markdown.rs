//! Tables and goals as Markdown.

use std::fmt::Write as _;

use super::goal::{Bound, Reached};
use super::table::{Figure, Table, number};

/// A table with its title.
pub fn table(table: &Table) -> String {
    let mut text = format!("### {}\n\n{}\n\n", table.title, table.about);
    let columns = table.columns();
    let heads: Vec<String> = columns.iter().map(|column| head(table, column)).collect();
    let _ = writeln!(text, "| {} | {} |", table.subject, heads.join(" | "));
    let _ = writeln!(text, "|---|{}", "---:|".repeat(columns.len()));
    for row in &table.rows {
        let cell = |column: &&str| {
            row.cells.iter().find(|(name, _)| name == column).map_or(String::new(), |(_, f)| f.show())
        };
        let cells: Vec<String> = columns.iter().map(cell).collect();
        let _ = writeln!(text, "| {} | {} |", row.subject, cells.join(" | "));
    }
    text
}

/// A column's name with its unit.
fn head(table: &Table, column: &str) -> String {
    let cells = table.rows.iter().flat_map(|row| &row.cells);
    let unit = cells.filter(|(name, _)| name == column).map(|(_, f)| Figure::unit(f)).find(|u| !u.is_empty());
    match unit {
        Some("×") if column.contains('×') => column.to_owned(),
        Some(unit) => format!("{column}, {unit}"),
        None => column.to_owned(),
    }
}

/// Rows of what was measured, in other words than the goals', without what was aimed at.
pub fn in_short<'a>(rows: impl Iterator<Item = (&'a str, &'a Reached)>) -> String {
    let mut text = "| what | measured |\n|---|---|\n".to_owned();
    for (words, row) in rows {
        let _ = writeln!(text, "| {words} | {} |", measured(row));
    }
    text
}

/// The rows of all goals.
pub fn goals(reached: &[Reached]) -> String {
    let mut text = "| issue | goal | at | measured | |\n|---:|---|---:|---:|---|\n".to_owned();
    for row in reached {
        let goal = row.goal;
        let limit = match goal.bound {
            Bound::AtMost(limit) => format!("≤ {}", with_unit(limit, goal.unit)),
            Bound::AtLeast(limit) => format!("≥ {}", with_unit(limit, goal.unit)),
        };
        let (measured, verdict) = if row.subjects == 0 {
            (String::new(), "not in this run".to_owned())
        } else {
            (measured(row), verdict(row))
        };
        let _ = writeln!(text, "| {} | {} | {limit} | {measured} | {verdict} |", goal.issue, goal.words);
    }
    text
}

fn with_unit(value: f64, unit: &str) -> String {
    let text = if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value}") };
    join(&text, unit)
}

fn join(text: &str, unit: &str) -> String {
    match unit {
        "" => text.to_owned(),
        "×" => format!("{text}×"),
        unit => format!("{text} {unit}"),
    }
}

fn measured(row: &Reached) -> String {
    let value = join(&number(row.value), row.goal.unit);
    if row.subjects > 1 {
        format!("{value}, worst of {}: {}", row.subjects, row.subject)
    } else if row.subject.is_empty() {
        value
    } else {
        format!("{value}, {}", row.subject)
    }
}

/// Met, or by how much not and why.
fn verdict(row: &Reached) -> String {
    if row.is_met() {
        return "met".into();
    }
    let limit = row.goal.bound.limit();
    let by = match row.goal.bound {
        Bound::AtMost(0.0) => format!("{} above the goal", number(row.value)),
        Bound::AtMost(_) => format!("{} times the goal", number(row.value / limit)),
        Bound::AtLeast(_) => format!("{} of the goal", number(row.value / limit)),
    };
    let of =
        if row.subjects > 1 { format!(", met on {} of {}", row.met, row.subjects) } else { String::new() };
    let why = if row.goal.why.is_empty() { String::new() } else { format!(". {}", row.goal.why) };
    format!("**missed**: {by}{of}{why}")
}

#[cfg(test)]
mod tests {
    use super::super::goal::Goal;
    use super::*;

    #[test]
    fn units_stand_in_the_head() {
        let mut one = Table::new("T", "about", "map");
        one.row("a").number("x", 1.0, "ms").ratio("× peer", 2.0).count("n", 1200);
        let text = table(&one);
        assert!(text.contains("| map | x, ms | × peer | n |"), "{text}");
        assert!(text.contains("| a | 1.00 | 2.00 | 1,200 |"), "{text}");
    }

    #[test]
    fn a_missed_goal_says_by_how_much_and_why() {
        static GOAL: Goal =
            Goal { issue: 3, words: "w", bound: Bound::AtMost(2.0), unit: "ms", why: "Because." };
        static NONE: Goal = Goal { bound: Bound::AtMost(0.0), ..GOAL };
        let mut reached = Reached::nothing(&GOAL);
        reached.add("rooms", 1.0);
        reached.add("caves", 3.0);
        assert!(
            in_short([("words", &reached)].into_iter()).contains("| words | 3.00 ms, worst of 2: caves |")
        );
        let text = goals(&[reached]);
        assert!(text.contains("≤ 2 ms | 3.00 ms, worst of 2: caves"), "{text}");
        assert!(text.contains("1.50 times the goal, met on 1 of 2. Because."), "{text}");
        let mut reached = Reached::nothing(&NONE);
        reached.add("caves", 3.0);
        assert!(goals(&[reached]).contains("3.00 above the goal"));
    }
}
