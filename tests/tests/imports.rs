//! The order of the core's layers: a module imports only from rows above its own in the design's table.

use std::fs;
use std::path::{Path, PathBuf};

use pathforge_tests::imports::{CROWD_ROWS, Module, ROWS, check, check_crowd, circles};

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

/// The core's files without its root and its tests.
fn modules() -> Vec<Module> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rust/core/src");
    let mut files = Vec::new();
    source_files(&root, &mut files);
    files.sort();
    assert!(files.len() > 20, "the core has more files than {}", files.len());
    let module = |file: &PathBuf| {
        let place = file.strip_prefix(&root).expect("a file of the core").with_extension("");
        let mut path: Vec<&str> = place.iter().map(|part| part.to_str().expect("plain names")).collect();
        if path.last() == Some(&"mod") {
            path.pop();
        }
        let source = fs::read_to_string(file).expect("a readable file");
        (path != ["lib"] && !path.contains(&"tests")).then(|| Module::new(&path, &source))
    };
    files.iter().filter_map(module).collect()
}

#[test]
fn a_module_imports_only_from_rows_above_its_own() {
    let mut wrong = Vec::new();
    for module in modules() {
        for imported in module.imported_modules() {
            if let Err(why) = check(&module.path[0], imported) {
                wrong.push(format!("{}: {why}", module.path.join("/")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn imports_between_the_files_of_a_folder_do_not_run_in_circles() {
    let found = circles(&modules());
    assert!(found.is_empty(), "{}", found.join("\n"));
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
    let mut names = Vec::new();
    let mut wrong = Vec::new();
    for module in modules() {
        let [folder, name] = module.path.as_slice() else { continue };
        if folder == "crowd" {
            wrong
                .extend(module.imported_siblings().iter().filter_map(|other| check_crowd(name, other).err()));
            names.push(name.clone());
        }
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
    let steer = Module::new(&["crowd", "steer"], source);
    assert_eq!(steer.imported_siblings(), ["Crowd", "neighbours", "preferred_velocity"]);
    assert!(check_crowd("steer", "preferred_velocity").is_ok());
    for (file, imported) in
        [("preferred_velocity", "steer"), ("steer", "steer"), ("steer", "Crowd"), ("agent", "ground")]
    {
        assert!(check_crowd(file, imported).is_err(), "{file} may not import from {imported}");
    }
}

#[test]
fn circles_are_found_through_folders_and_names_that_are_passed_on() {
    let found = |files: &[(&[&str], &str)]| {
        circles(&files.iter().map(|(path, source)| Module::new(path, source)).collect::<Vec<_>>())
    };
    let folder: (&[&str], &str) =
        (&["world"], "mod plan; mod query;\npub use plan::Plan;\nuse query::{A, B as C};");
    let plan: (&[&str], &str) = (&["world", "plan"], "use super::query::A;");
    let job: (&[&str], &str) = (&["world", "plan", "job"], "fn f() -> crate::world::query::A {}");
    assert_eq!(found(&[folder, plan, job, (&["world", "query"], "use super::World;")]), [""; 0]);
    for source in
        ["use super::plan::job::Job;", "use super::{World, Plan};", "fn f(_: crate::world::Plan) {}"]
    {
        let lines = found(&[folder, plan, job, (&["world", "query"], source)]);
        assert_eq!(lines.len(), 2, "{source}: {lines:?}");
        assert_eq!(lines[0], "world/plan imports world::query::A");
    }
    // A folder and its own files are no siblings, and what only leads to a circle is not named.
    assert_eq!(
        found(&[
            (&["a"], "mod b;\nuse b::B;"),
            (&["a", "b"], "use super::A; use crate::c::C;"),
            (&["c"], "use crate::d::D;"),
            (&["d"], "use super::c::C;"),
        ]),
        ["c imports d::D", "d imports c::C"]
    );
}

#[test]
fn imports_are_found_however_they_are_written() {
    let found = |path: &[&str], source: &str| -> Vec<String> {
        Module::new(path, source).imported_modules().into_iter().map(str::to_owned).collect()
    };
    assert_eq!(found(&["search"], "use crate::bitgrid::BitGrid;"), ["bitgrid"]);
    assert_eq!(
        found(
            &["search"],
            "pub(crate) use crate::{cost::{A, B}, path, field::C as D, geometry::{self, E::*}};"
        ),
        ["cost", "field", "geometry", "path"]
    );
    assert_eq!(found(&["search", "jps"], "use super::goals::Goals;"), ["search"]);
    assert_eq!(found(&["search", "jps"], "use super::super::field::Field;"), ["field"]);
    assert_eq!(found(&["raster"], "use super::bitgrid::GridLayout;"), ["bitgrid"]);
    assert_eq!(
        found(&["raster"], "fn f() -> crate::world::World { crate :: path :: g::<u8>() }"),
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
