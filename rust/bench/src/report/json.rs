//! A run as JSON: what is kept of it. The pages are made from that.

use serde_json::{Map, Value, json};

use super::goal::{Bound, Reached};
use super::table::{Figure, Table};

/// A table: its rows by the names of the columns, the subject first.
pub fn table(table: &Table) -> Value {
    let rows: Vec<Value> = table
        .rows
        .iter()
        .map(|row| {
            let mut fields = Map::from_iter([(table.subject.clone(), json!(row.subject))]);
            fields.extend(row.cells.iter().map(|(name, cell)| (name.clone(), figure(cell))));
            Value::Object(fields)
        })
        .collect();
    json!({ "title": table.title, "about": table.about, "rows": rows })
}

fn figure(figure: &Figure) -> Value {
    match figure {
        Figure::Text(text) => json!(text),
        Figure::Count(count) => json!(count),
        Figure::Number { value, quartiles, unit, digits } => {
            // JSON has no word for it.
            let value = if value.is_infinite() { json!("∞") } else { json!(value) };
            let mut fields = Map::from_iter([("value".to_owned(), value)]);
            fields.extend(quartiles.map(|quartiles| ("quartiles".to_owned(), json!(quartiles))));
            fields.insert("unit".to_owned(), json!(unit));
            fields.extend(digits.map(|digits| ("digits".to_owned(), json!(digits))));
            Value::Object(fields)
        }
    }
}

/// A goal and what was reached of it.
pub fn goal(reached: &Reached) -> Value {
    let goal = reached.goal;
    let kind = match goal.bound {
        Bound::AtMost(_) => "at most",
        Bound::AtLeast(_) => "at least",
    };
    json!({
        "issue": goal.issue,
        "goal": goal.words,
        "bound": kind,
        "limit": goal.bound.limit(),
        "unit": goal.unit,
        "measured": (reached.subjects > 0).then_some(reached.value),
        "worst": reached.subject,
        "subjects": reached.subjects,
        "met_on": reached.met,
        "met": (reached.subjects > 0).then_some(reached.is_met()),
        "why": if reached.is_met() { "" } else { goal.why },
    })
}
