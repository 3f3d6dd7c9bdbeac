//! Telling a script what it did wrong: one line that names the method, the value and the limit.

use std::fmt::Display;

use godot::global::push_error;
use godot::prelude::*;

/// Prints `Class.method: problem` as an engine error, with the script's place in the editor's debugger.
pub fn report(method: &str, problem: impl Display) {
    push_error(&[format!("{method}: {problem}").to_variant()]);
}

/// The value, or `None` after reporting why there is none.
pub fn reported<T, E: Display>(method: &str, result: Result<T, E>) -> Option<T> {
    result.map_err(|problem| report(method, problem)).ok()
}
