//! The scenarios of the Moving AI benchmarks (Sturtevant, *Benchmarks for Grid-Based Pathfinding*, 2012),
//! read from a folder that is not part of the project.

use std::fs;
use std::path::{Path, PathBuf};

use pathforge_core::geometry::Cell;

/// The environment variable that names the folder with the maps.
pub const FOLDER_VARIABLE: &str = "PATHFORGE_MAPS";

/// A question with a known answer: a body of one cell that cuts no corners.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Scenario {
    /// Where it begins.
    pub start: Cell,
    /// Where it ends.
    pub goal: Cell,
    /// The length of the shortest path, in cells; a diagonal step is √2 long.
    pub length: f64,
}

/// The folder with the maps: what [`FOLDER_VARIABLE`] names, counted from the repository's root, or else
/// `../shared/movingai` beside it; `None` when there is no such folder.
pub fn folder() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    let named = std::env::var_os(FOLDER_VARIABLE);
    let folder = root.join(named.map_or_else(|| PathBuf::from("../shared/movingai"), PathBuf::from));
    folder.is_dir().then_some(folder)
}

/// The names of the maps in `folder` that have scenarios, in order.
///
/// # Errors
/// When the folder cannot be read.
pub fn map_names(folder: &Path) -> std::io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        names.extend(name.strip_suffix(".map.scen").map(str::to_owned));
    }
    names.sort();
    Ok(names)
}

/// The scenarios of a `.scen` file: a line `version …`, then nine columns a line. The fifth to the ninth are
/// start x, start y, goal x, goal y and the length.
///
/// # Errors
/// When a line does not have them.
pub fn parse(text: &str) -> Result<Vec<Scenario>, String> {
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("version"));
    lines.map(|line| parse_line(line).ok_or_else(|| format!("not a scenario: {line}"))).collect()
}

fn parse_line(line: &str) -> Option<Scenario> {
    let columns: Vec<&str> = line.split_whitespace().collect();
    let number = |n: usize| columns.get(n)?.parse::<i32>().ok();
    Some(Scenario {
        start: Cell::new(number(4)?, number(5)?),
        goal: Cell::new(number(6)?, number(7)?),
        length: columns.get(8)?.parse().ok()?,
    })
}
