//! Prints what `tests/data/digests.txt` must hold. With the path of such a file it compares, and fails when a
//! line differs.

use std::process::ExitCode;

use pathforge_tests::digests;

fn main() -> ExitCode {
    let lines = digests::lines();
    let Some(path) = std::env::args().nth(1) else {
        println!("{}", lines.join("\n"));
        return ExitCode::SUCCESS;
    };
    let committed = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::FAILURE;
        }
    };
    let differing = digests::differing(&lines, &committed);
    for line in &differing {
        println!("differs: {line}");
    }
    println!("{} of {} lines are as committed", lines.len() - differing.len(), lines.len());
    if differing.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
