//! The class reference: its pages are those that the help makes.

use anyhow::Result;

use super::Context;
use crate::reference;
use crate::report::Findings;

/// Makes every page anew, and compares.
pub fn pages(context: &Context<'_>) -> Result<Findings> {
    let stale = reference::stale(context.paths)?;
    Ok(if stale.is_empty() {
        Findings::passed()
    } else {
        Findings::failed(format!(
            "these pages are not what F1 shows: {}\ntry: cargo xtask reference",
            stale.join(", ")
        ))
    })
}
