//! Tables and goals as Markdown, from a run's JSON.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::items;
use super::table::{grouped, number, rounded_as};

/// All tables, by section.
pub fn tables(report: &Value) -> String {
    let mut text = String::new();
    for section in items(&report["sections"]) {
        let _ = write!(text, "\n## {}\n", text_of(&section["heading"]));
        for one in items(&section["tables"]) {
            let _ = write!(text, "\n{}", table(one));
        }
    }
    text
}

/// A table with its title.
pub fn table(table: &Value) -> String {
    let mut text = format!("### {}\n\n{}\n\n", text_of(&table["title"]), text_of(&table["about"]));
    let rows: Vec<&Map<String, Value>> = items(&table["rows"]).iter().filter_map(Value::as_object).collect();
    // The subject is the first of each row.
    let subject = rows.first().and_then(|row| row.keys().next()).map_or("", String::as_str);
    let columns = columns(&rows, subject);
    let heads: Vec<String> = columns.iter().map(|column| head(&rows, column)).collect();
    let _ = writeln!(text, "| {subject} | {} |", heads.join(" | "));
    let _ = writeln!(text, "|---|{}", "---:|".repeat(columns.len()));
    for row in rows {
        let cells: Vec<String> =
            columns.iter().map(|&column| row.get(column).map_or(String::new(), show)).collect();
        let _ = writeln!(text, "| {} | {} |", text_of(&row[subject]), cells.join(" | "));
    }
    text
}

/// Names of all columns after the first, in the order in which they first occur.
fn columns<'a>(rows: &[&'a Map<String, Value>], subject: &str) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    for name in rows.iter().flat_map(|row| row.keys()).filter(|name| *name != subject) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names
}

/// A column's name with its unit.
fn head(rows: &[&Map<String, Value>], column: &str) -> String {
    let unit = rows.iter().filter_map(|row| row.get(column)?["unit"].as_str()).find(|unit| !unit.is_empty());
    match unit {
        Some("×") if column.contains('×') => column.to_owned(),
        Some(unit) => format!("{column}, {unit}"),
        None => column.to_owned(),
    }
}

/// A cell as a reader sees it, without its unit.
fn show(cell: &Value) -> String {
    match cell {
        Value::String(text) => text.clone(),
        Value::Number(count) => grouped(count.as_u64().unwrap_or_default()),
        Value::Object(figure) => {
            let value = match &figure["value"] {
                Value::String(endless) => return endless.clone(),
                value => value.as_f64().unwrap_or(f64::NAN),
            };
            let quartiles = figure.get("quartiles").map(|quartiles| {
                let [low, high] = [0, 1].map(|at| quartiles[at].as_f64().unwrap_or(f64::NAN));
                format!(" ({}–{})", rounded_as(low, value), rounded_as(high, value))
            });
            match figure.get("digits").and_then(Value::as_u64) {
                Some(digits) if value.is_finite() => format!("{value:.*}", digits as usize),
                _ => number(value) + &quartiles.unwrap_or_default(),
            }
        }
        _ => String::new(),
    }
}

/// Rows of what was measured, in other words than the goals', without what was aimed at.
pub fn in_short<'a>(rows: impl Iterator<Item = (&'a str, &'a Value)>) -> String {
    let mut text = "| what | measured |\n|---|---|\n".to_owned();
    for (words, goal) in rows {
        let _ = writeln!(text, "| {words} | {} |", measured(goal));
    }
    text
}

/// A row for each goal.
pub fn goals(goals: &[Value]) -> String {
    let mut text = "| issue | goal | at | measured | |\n|---:|---|---:|---:|---|\n".to_owned();
    for goal in goals {
        let sign = if is_at_most(goal) { '≤' } else { '≥' };
        let limit = with_unit(limit_of(goal), text_of(&goal["unit"]));
        let (measured, verdict) = if goal["subjects"] == 0 {
            (String::new(), "not in this run".to_owned())
        } else {
            (measured(goal), verdict(goal))
        };
        let (issue, words) = (&goal["issue"], text_of(&goal["goal"]));
        let _ = writeln!(text, "| {issue} | {words} | {sign} {limit} | {measured} | {verdict} |");
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

fn measured(goal: &Value) -> String {
    let value = join(&number(value_of(goal)), text_of(&goal["unit"]));
    match (goal["subjects"].as_u64(), text_of(&goal["worst"])) {
        (Some(subjects @ 2..), worst) => format!("{value}, worst of {subjects}: {worst}"),
        (_, "") => value,
        (_, worst) => format!("{value}, {worst}"),
    }
}

/// Met, or by how much not and why.
fn verdict(goal: &Value) -> String {
    if goal["met"] == true {
        return "met".into();
    }
    let (value, limit) = (value_of(goal), limit_of(goal));
    let by = match limit {
        0.0 => format!("{} above the goal", number(value)),
        _ if is_at_most(goal) => format!("{} times the goal", number(value / limit)),
        _ => format!("{} of the goal", number(value / limit)),
    };
    let (met, subjects) = (&goal["met_on"], &goal["subjects"]);
    let of = if *subjects == 1 { String::new() } else { format!(", met on {met} of {subjects}") };
    let why = match text_of(&goal["why"]) {
        "" => String::new(),
        why => format!(". {why}"),
    };
    format!("**missed**: {by}{of}{why}")
}

fn is_at_most(goal: &Value) -> bool {
    goal["bound"] == "at most"
}

fn value_of(goal: &Value) -> f64 {
    goal["measured"].as_f64().unwrap_or(f64::NAN)
}

fn limit_of(goal: &Value) -> f64 {
    goal["limit"].as_f64().unwrap_or(f64::NAN)
}

fn text_of(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::goal::{Bound, Goal, Reached};
    use super::super::{Table, json};
    use super::*;

    #[test]
    fn units_stand_in_the_head() {
        let mut one = Table::new("T", "about", "map");
        one.row("a").number("x", 1.0, "ms").ratio("× peer", 2.0).count("n", 1200);
        let text = table(&json::table(&one));
        assert!(text.contains("| map | x, ms | × peer | n |"), "{text}");
        assert!(text.contains("| a | 1.00 | 2.00 | 1,200 |"), "{text}");
    }

    #[test]
    fn columns_come_in_the_order_of_the_rows() {
        let mut one = Table::new("", "", "map");
        one.row("a").number("x", 1.0, "ms").count("y", 2);
        one.row("b").count("y", 3).text("z", "w");
        let text = table(&json::table(&one));
        assert!(text.contains("| map | x, ms | y | z |"), "{text}");
        assert!(text.contains("| b |  | 3 | w |"), "{text}");
    }

    #[test]
    fn what_never_came_is_endless() {
        let mut one = Table::new("", "", "scene");
        one.row("a").number("last", f64::INFINITY, "s").fixed("tail", f64::INFINITY, 2);
        one.row("b").number("last", f64::NAN, "s").fixed("tail", 1.0, 3);
        let text = table(&json::table(&one));
        assert!(text.contains("| a | ∞ | ∞ |") && text.contains("| b | – | 1.000 |"), "{text}");
    }

    #[test]
    fn a_missed_goal_says_by_how_much_and_why() {
        static GOAL: Goal =
            Goal { issue: 3, words: "w", bound: Bound::AtMost(2.0), unit: "ms", why: "Because." };
        static NONE: Goal = Goal { bound: Bound::AtMost(0.0), ..GOAL };
        let mut reached = Reached::nothing(&GOAL);
        reached.add("rooms", 1.0);
        reached.add("caves", 3.0);
        let goal = json::goal(&reached);
        assert!(in_short([("words", &goal)].into_iter()).contains("| words | 3.00 ms, worst of 2: caves |"));
        let text = goals(&[goal]);
        assert!(text.contains("≤ 2 ms | 3.00 ms, worst of 2: caves"), "{text}");
        assert!(text.contains("1.50 times the goal, met on 1 of 2. Because."), "{text}");
        let mut reached = Reached::nothing(&NONE);
        reached.add("caves", 3.0);
        assert!(goals(&[json::goal(&reached)]).contains("3.00 above the goal"));
    }
}
