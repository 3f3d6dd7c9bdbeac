//! The tables of `ARCHITECTURE.md`: a module imports only from modules before it in the table of its folder.
//! In the crates of the algorithms, no imports between the files of any folder run in circles.
//!
//! `cargo modules --acyclic` misses circles through items (its issue 185), and knows no order.
//! Sources are read as rustfmt writes them: paths without spaces, a file's tests at its end.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The imports between the files and folders of one folder: who imports from whom, by which path.
type Edges = BTreeMap<(String, String), String>;

/// A source file: its module path, as `search::jps`, empty for the crate's root, and the paths that it names.
struct Module {
    path: Vec<String>,
    names: Vec<Vec<String>>,
}

impl Module {
    fn new(path: &str, source: &str) -> Self {
        let path: Vec<String> = path.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect();
        let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or(source);
        let lines = code.lines().map(|line| line.split("//").next().unwrap_or(line));
        let code = expanded(lines.collect::<Vec<_>>().join("\n"));
        let words = code.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
        let names = words.filter(|word| word.contains("::")).map(|word| absolute(&path, word)).collect();
        Self { path, names }
    }
}

/// The code with `a::{b, c::d}` written out as `a::b, a::c::d`.
fn expanded(mut code: String) -> String {
    // The last list holds no other.
    while let Some(brace) = code.rfind("::{") {
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        let start = code[..brace].rfind(|c| !is_part(c)).map_or(0, |before| before + 1);
        let end = brace + code[brace..].find('}').expect("a list ends");
        let prefix = &code[start..brace];
        let names = code[brace + 3..end].split(',').map(str::trim).filter(|name| !name.is_empty());
        let names: Vec<String> = names.map(|name| format!("{prefix}::{name}")).collect();
        code.replace_range(start..=end, &names.join(", "));
    }
    code
}

/// What a module calls `name`, from the crate's root on.
fn absolute(own: &[String], name: &str) -> Vec<String> {
    let mut folder = own.to_vec();
    for part in name.split("::").filter(|part| !["", "self"].contains(part)) {
        match part {
            "crate" => folder.clear(),
            "super" => drop(folder.pop()),
            _ => folder.push(part.to_owned()),
        }
    }
    folder
}

/// The modules of a crate, without those of tests.
fn modules(root: &Path) -> Vec<Module> {
    fn read(folder: &Path, path: &str, found: &mut Vec<Module>) {
        for entry in fs::read_dir(folder).expect("a folder of sources") {
            let file = entry.expect("a readable folder").path();
            let name = file.file_stem().and_then(|name| name.to_str()).expect("plain names").to_owned();
            let own = format!("{path}::{name}");
            match name.as_str() {
                "tests" => {}
                _ if file.is_dir() => read(&file, &own, found),
                "mod" | "lib" => found.push(Module::new(path, &fs::read_to_string(&file).expect("a file"))),
                _ => found.push(Module::new(&own, &fs::read_to_string(&file).expect("a file"))),
            }
        }
    }
    let mut found = Vec::new();
    read(root, "", &mut found);
    assert!(found.len() > 10, "{} has sources", root.display());
    found
}

/// The files and folders in `folder`.
fn children<'a>(modules: &'a [Module], folder: &[String]) -> BTreeSet<&'a str> {
    modules
        .iter()
        .filter_map(|module| module.path.strip_prefix(folder)?.first())
        .map(String::as_str)
        .collect()
}

/// The imports between the files and folders of `folder`. A name that its `mod.rs` only passes on counts as
/// an import from the file that it comes from.
fn edges(modules: &[Module], folder: &[String]) -> Edges {
    let children = children(modules, folder);
    let own = modules.iter().find(|module| module.path == folder);
    let passed_on = |name: &str| {
        let names = own.into_iter().flat_map(|own| &own.names);
        let below = names.filter_map(|path| path.strip_prefix(folder));
        let mut found = below.filter(|path| path.len() > 1 && path[path.len() - 1] == name);
        found.find_map(|path| children.get(path[0].as_str()).copied())
    };
    let mut found = Edges::new();
    for module in modules {
        let Some(own) = module.path.strip_prefix(folder).and_then(<[_]>::first) else { continue };
        for path in &module.names {
            let Some(name) = path.strip_prefix(folder).and_then(<[_]>::first) else { continue };
            let Some(other) = children.get(name.as_str()).copied().or_else(|| passed_on(name)) else {
                continue;
            };
            if other != own {
                let line = format!("{} imports {}", module.path.join("/"), path.join("::"));
                found.entry((own.clone(), other.to_owned())).or_insert(line);
            }
        }
    }
    found
}

/// The tables: for each folder of sources, the ranks of its modules.
fn tables(page: &str) -> BTreeMap<String, BTreeMap<String, usize>> {
    let mut tables: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    let (mut folder, mut rank) = (None, 0);
    for line in page.lines() {
        if line.starts_with("## ") {
            folder = None;
        } else if let Some(begun) = line.strip_prefix("Rows of `") {
            folder = begun.split('`').next();
        }
        let cells = line.strip_prefix("| ").into_iter().flat_map(|row| row.split(" |"));
        let cell = cells.map(str::trim).find(|cell| cell.starts_with('`'));
        let (Some(folder), Some(cell)) = (folder, cell) else { continue };
        let parts: Vec<&str> = cell.split('`').collect();
        for pair in parts.chunks_exact(2) {
            // Modules with a slash between them do not know each other.
            rank += usize::from(!pair[0].contains('/'));
            let before = tables.entry(folder.to_owned()).or_default().insert(pair[1].to_owned(), rank);
            assert_eq!(before, None, "`{}` stands twice in the table of {folder}", pair[1]);
        }
    }
    tables
}

/// What remains when imports from files that import nothing, and those by files that nothing imports, are
/// taken away, again and again: the circles, and what lies between two of them.
fn circles(mut edges: Edges) -> Vec<String> {
    loop {
        let count = edges.len();
        let (importers, imported): (BTreeSet<String>, BTreeSet<String>) = edges.keys().cloned().unzip();
        edges.retain(|(own, other), _| imported.contains(own) && importers.contains(other));
        if edges.len() == count {
            return edges.into_values().collect();
        }
    }
}

fn repository() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

#[test]
fn a_module_imports_only_from_modules_before_it_in_its_table() {
    let page = fs::read_to_string(repository().join("ARCHITECTURE.md")).expect("the page");
    let mut wrong = Vec::new();
    let tables = tables(&page);
    assert!(tables.len() > 1, "tables were found");
    for (folder, ranks) in tables {
        let (root, path) = folder.split_once("/src").expect("a folder of sources");
        let modules = modules(&repository().join(root).join("src"));
        let path: Vec<String> = path.split('/').skip(1).map(str::to_owned).collect();
        let listed: BTreeSet<&str> = ranks.keys().map(String::as_str).collect();
        assert_eq!(children(&modules, &path), listed, "the table of {folder} has each of its modules");
        let against =
            edges(&modules, &path).into_iter().filter(|((own, other), _)| ranks[other] >= ranks[own]);
        wrong.extend(against.map(|(_, line)| format!("{folder}: {line}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn imports_between_the_files_of_a_folder_do_not_run_in_circles() {
    let mut found = Vec::new();
    for root in ["rust/core", "rust/navmesh", "rust/platformer"] {
        let modules = modules(&repository().join(root).join("src"));
        let folders: BTreeSet<&[String]> =
            modules.iter().filter_map(|module| module.path.split_last()).map(|(_, folder)| folder).collect();
        found.extend(folders.into_iter().flat_map(|folder| circles(edges(&modules, folder))));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn imports_are_found_however_they_are_written() {
    let source = "pub use plan::Plan;\nuse query::{A, B};\nuse crate::{cost, path::{self, deep::{C, D}}};\n\
        fn f(_: super::World) -> super::super::field::E { g() } // super::no\n\
        #[cfg(test)]\nmod tests {\n    use crate::no;\n}";
    let module = Module::new("world::room", source);
    let names: Vec<String> = module.names.iter().map(|path| path.join("::")).collect();
    assert_eq!(
        names,
        [
            "world::room::plan::Plan",
            "world::room::query::A",
            "world::room::query::B",
            "cost",
            "path",
            "path::deep::C",
            "path::deep::D",
            "world::World",
            "field::E"
        ]
    );
}

#[test]
fn circles_are_found_through_folders_and_names_that_are_passed_on() {
    let found = |query: &str| {
        let files = [
            ("world", "mod plan; mod query;\npub use plan::Plan;"),
            ("world::plan", "use super::query::A;"),
            ("world::plan::job", "fn f() -> crate::world::query::A {}"),
            ("world::query", query),
            ("world::leaf", "use super::query::A;"),
        ];
        let modules: Vec<Module> = files.iter().map(|(path, source)| Module::new(path, source)).collect();
        circles(edges(&modules, &["world".to_owned()]))
    };
    assert_eq!(found("use super::World;"), [""; 0]);
    for source in
        ["use super::plan::job::Job;", "use super::{World, Plan};", "fn f(_: crate::world::Plan) {}"]
    {
        assert_eq!(found(source).len(), 2, "{source}");
    }
}

#[test]
fn tables_are_read() {
    let page = "Rows of `rust/a/src/b`:\n\n| row | modules |\n|---|---|\n| 0 | `c`, `d` |\n| 1 | `e` (which) / `f` |\n## x\n| `g` |";
    let ranks =
        BTreeMap::from([("c", 1), ("d", 2), ("e", 3), ("f", 3)].map(|(name, rank)| (name.to_owned(), rank)));
    assert_eq!(tables(page), BTreeMap::from([("rust/a/src/b".to_owned(), ranks)]));
}
