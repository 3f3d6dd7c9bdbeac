//! Records of agents: a scene of the tests or what a game has saved, replayed.

use std::path::absolute;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use xshell::cmd;

use crate::paths::Paths;
use crate::{flags, process};

/// Seconds that are recorded, unless told otherwise.
const SECONDS: u32 = 20;

/// Replays, and writes what became of agents into target/records.
pub fn run(paths: &Paths, options: &flags::Record) -> Result<ExitCode> {
    ensure!(options.map.is_none() || options.crowd.is_some(), "`--map` needs `--crowd`, the crowd on it");
    let sh = paths.shell()?;
    let (name, agents) = (&options.scene, options.agents.as_deref().unwrap_or("-"));
    let seconds = options.seconds.unwrap_or(SECONDS).to_string();
    let after = options.after.unwrap_or(0).to_string();
    let files = options.crowd.iter().chain(&options.map).map(absolute).collect::<Result<Vec<_>, _>>()?;
    let record = ["--profile", "optimised", "--package", "pathforge-tests", "--bin", "record"];
    process::run_in_foreground(cmd!(
        sh,
        "cargo run {record...} -- {name} {agents} {seconds} {after} {files...}"
    ))
}
