//! The order of the core's layers: a module imports only from rows above its own in the design's table.

use std::fs;
use std::path::{Path, PathBuf};

use pathforge_tests::imports::{CROWD_ROWS, ROWS, check, check_crowd, imported_modules, imported_siblings};

fn source_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the core's sources") {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            source_files(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn a_module_imports_only_from_rows_above_its_own() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rust/core/src");
    let mut files = Vec::new();
    source_files(&root, &mut files);
    files.sort();
    assert!(files.len() > 20, "the core has more files than {}", files.len());
    let mut wrong = Vec::new();
    for file in files {
        let place = file.strip_prefix(&root).expect("a file of the core").with_extension("");
        let mut path: Vec<&str> = place.iter().map(|part| part.to_str().expect("plain names")).collect();
        if path == ["lib"] || path.last() == Some(&"tests") {
            continue;
        }
        if path.last() == Some(&"mod") {
            path.pop();
        }
        let source = fs::read_to_string(&file).expect("a readable file");
        for imported in imported_modules(&path, &source) {
            if let Err(why) = check(path[0], &imported) {
                wrong.push(format!("{}: {why}", place.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_module_stands_in_the_table_once() {
    let mut all: Vec<&str> = ROWS.concat();
    all.sort_unstable();
    let count = all.len();
    all.dedup();
    assert_eq!(all.len(), count);
}

#[test]
fn a_file_of_the_crowd_imports_only_from_files_before_its_own() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rust/core/src/crowd");
    let mut files = Vec::new();
    source_files(&root, &mut files);
    let mut names = Vec::new();
    let mut wrong = Vec::new();
    for file in files {
        let name = file.file_stem().and_then(|name| name.to_str()).expect("plain names");
        if name == "mod" {
            continue;
        }
        let source = fs::read_to_string(&file).expect("a readable file");
        wrong.extend(imported_siblings(&source).iter().filter_map(|other| check_crowd(name, other).err()));
        names.push(name.to_owned());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let mut table = CROWD_ROWS.concat();
    table.sort_unstable();
    names.sort_unstable();
    assert_eq!(names, table, "the table has each file once");
}

#[test]
fn what_a_file_of_the_crowd_imports_is_found() {
    let source = "use super::preferred_velocity::{Preference, preference};\npub(super) fn f(_: super::Crowd) { super::neighbours::g() }\n// super::no";
    assert_eq!(imported_siblings(source), ["Crowd", "neighbours", "preferred_velocity"]);
    assert!(check_crowd("steer", "preferred_velocity").is_ok());
    for (file, imported) in
        [("preferred_velocity", "steer"), ("steer", "steer"), ("steer", "Crowd"), ("agent", "ground")]
    {
        assert!(check_crowd(file, imported).is_err(), "{file} may not import from {imported}");
    }
}

#[test]
fn imports_are_found_however_they_are_written() {
    let found = |path: &[&str], source: &str| imported_modules(path, source);
    assert_eq!(found(&["search"], "use crate::bitgrid::BitGrid;"), ["bitgrid"]);
    assert_eq!(
        found(&["search"], "pub(crate) use crate::{cost::{A, B}, path, field::C};"),
        ["cost", "field", "path"]
    );
    assert_eq!(found(&["search", "jps"], "use super::goals::Goals;"), ["search"]);
    assert_eq!(found(&["search", "jps"], "use super::super::field::Field;"), ["field"]);
    assert_eq!(found(&["raster"], "use super::bitgrid::GridLayout;"), ["bitgrid"]);
    assert_eq!(
        found(&["raster"], "fn f() -> crate::world::World { crate :: path :: g() }"),
        ["path", "world"]
    );
    assert_eq!(
        found(&["path"], "// use crate::world;\n/* crate::world */ const A: &str = \"crate::world\";"),
        [""; 0]
    );
    let tests =
        "use crate::cost;\n#[cfg(test)]\nmod tests { use crate::world; fn a() { '{'; } }\nuse crate::error;";
    assert_eq!(found(&["path"], tests), ["cost", "error"]);
    assert_eq!(found(&["path"], "#[cfg(test)]\nmod tests;\nuse crate::cost;"), ["cost"]);
    assert_eq!(found(&["path"], "use crate::Cell;"), ["Cell"]);
}

#[test]
fn the_table_forbids_what_it_should() {
    for (module, imported) in [
        ("search", "world"),
        ("search", "field"),
        ("path", "search"),
        ("primitives", "search"),
        ("terrain", "clearance"),
    ] {
        assert!(check(module, imported).is_err(), "{module} may not import from {imported}");
    }
    for (module, imported) in
        [("world", "search"), ("raster", "bitgrid"), ("pages", "geometry"), ("cost", "cost")]
    {
        assert!(check(module, imported).is_ok(), "{module} may import from {imported}");
    }
    assert!(check("search", "Cell").is_err(), "what the crate root re-exports is imported from its module");
}
