//! Telling a script what it did wrong: one line that names the method, the value and the limit.

use std::fmt::Display;

use godot::classes::Node;
use godot::global::{push_error, push_warning};
use godot::prelude::*;

/// Prints `Class.method: problem` as an engine error, with the script's place in the editor's debugger.
pub fn report(method: &str, problem: impl Display) {
    push_error(&[format!("{method}: {problem}").to_variant()]);
}

/// Prints `Class.method: problem` as a warning, for what was done though it may not be what was wanted.
pub fn report_warning(method: &str, problem: impl Display) {
    push_warning(&[format!("{method}: {problem}").to_variant()]);
}

/// Prints `Class (where it is): problem` as a warning, for what no call is to blame for.
pub fn warn(node: &Gd<Node>, problem: impl Display) {
    let place = if node.is_inside_tree() { node.get_path().to_string() } else { node.get_name().to_string() };
    push_warning(&[format!("{} ({place}): {problem}", node.get_class()).to_variant()]);
}

/// The value, or `None` after reporting why there is none.
pub fn reported<T, E: Display>(method: &str, result: Result<T, E>) -> Option<T> {
    result.map_err(|problem| report(method, problem)).ok()
}
