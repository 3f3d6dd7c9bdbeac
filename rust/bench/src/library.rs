//! What a user downloads.

use crate::goals;
use crate::options::Options;
use crate::report::{Report, Table};

/// How `cargo xtask bench` tells the size of the stripped library.
const BYTES: &str = "PATHFORGE_LIBRARY_BYTES";

/// Reports it.
pub fn run(_: &Options, report: &mut Report) {
    let bytes = std::env::var(BYTES).ok().and_then(|bytes| bytes.parse::<f64>().ok());
    let Some(mebibytes) = bytes.map(|bytes| bytes / f64::from(1 << 20)) else {
        eprintln!("library: {BYTES} is not set; start this through cargo xtask bench");
        return;
    };
    let mut table = Table::new("The library", "As `cargo xtask package` ships it, stripped.", "platform");
    let platform = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
    table.row(platform).number("size", mebibytes, "MiB");
    report.add(table);
    report.reach(&goals::LIBRARY, "", mebibytes);
}
