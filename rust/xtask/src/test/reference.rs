//! The class reference says what F1 shows; the other pages show lessons as they are, and their links lead
//! somewhere.

use anyhow::Result;

use super::Context;
use crate::report::Findings;
use crate::{guides, reference};

/// Makes every page of the reference anew and compares, and reads all other pages.
pub fn pages(context: &Context<'_>) -> Result<Findings> {
    context.test_project()?;
    let stale = reference::stale(context.paths)?;
    let mut findings = if stale.is_empty() {
        Findings::passed()
    } else {
        Findings::failed(format!(
            "these files are not what the comments of the classes say: {}\ntry: cargo xtask reference",
            stale.join(", ")
        ))
    };
    let problems = guides::problems(&context.paths.root)?;
    findings.add(if problems.is_empty() {
        Findings::passed()
    } else {
        Findings::failed(problems.join("\n"))
    });
    Ok(findings)
}
