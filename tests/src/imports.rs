//! Which module of the core imports which, read from its source text.

use std::collections::{BTreeMap, BTreeSet};

/// The core's modules, row by row from the lowest layer up: a module imports only from rows before its own.
pub const ROWS: [&[&str]; 11] = [
    &["geometry", "cost", "pages", "bytes", "sort", "parallel", "union_find"],
    &["bitgrid", "raster", "height_field"],
    &["terrain"],
    &["derived"],
    &["clearance", "passability", "items"],
    &["connectivity"],
    &["primitives"],
    &["influence", "search", "path", "field", "hierarchy", "surfaces"],
    &["crowd"],
    &["world", "instances"],
    &["diagnose", "guidance", "walker"],
];

/// The files of the crowd, row by row: a file imports only from files before its own, be it in its row or
/// above.
pub const CROWD_ROWS: [&[&str]; 6] = [
    &[
        "vector",
        "millis",
        "varied",
        "tuning",
        "guide",
        "behaviour",
        "outline",
        "spec",
        "body",
        "control",
        "progress",
        "priority",
        "slot",
        "agent",
        "ground",
        "settle_radius",
    ],
    &["solver", "velocity_obstacle", "sweep", "neighbours", "march"],
    &["substep", "preferred_velocity", "arrival", "yielding", "single_file"],
    &["avoidance", "steer"],
    &["contact"],
    &[
        "place_candidates",
        "state",
        "members",
        "orders",
        "lead_march",
        "driven",
        "room",
        "places",
        "group_arrival",
        "open_orders",
        "queries",
        "blockage",
        "free_places",
        "trace",
        "bytes",
        "step",
    ],
];

/// Rows whose modules may import from each other: plain data without algorithms.
const OPEN_ROWS: std::ops::Range<usize> = 0..2;

/// The row of a module; `None` for a module that is not in the table.
pub fn row_of(module: &str) -> Option<usize> {
    ROWS.iter().position(|row| row.contains(&module))
}

/// Whether `module` may import from `imported`.
///
/// # Errors
/// Why not.
pub fn check(module: &str, imported: &str) -> Result<(), String> {
    let unknown = |name: &str| format!("`{name}` is not a module of the table of layers");
    let row = row_of(module).ok_or_else(|| unknown(module))?;
    let imported_row = row_of(imported).ok_or_else(|| unknown(imported))?;
    let allowed = module == imported || imported_row < row || imported_row == row && OPEN_ROWS.contains(&row);
    if allowed {
        Ok(())
    } else {
        Err(format!("`{module}` (row {row}) imports from `{imported}` (row {imported_row})"))
    }
}

/// Whether the crowd's `file` may import from its file `imported`.
///
/// # Errors
/// Why not.
pub fn check_crowd(file: &str, imported: &str) -> Result<(), String> {
    let all = CROWD_ROWS.concat();
    let place = |name: &str| {
        let place = all.iter().position(|&other| other == name);
        place.ok_or_else(|| format!("`{name}` is not a file of the crowd's table"))
    };
    if place(imported)? < place(file)? {
        Ok(())
    } else {
        Err(format!("`{file}` imports from `{imported}`, which comes after it"))
    }
}

/// A file of the core: its module path, and the paths that it names outside its tests, comments and texts,
/// from the root of the crate on. The module path is `["search", "jps"]` for `search/jps.rs` and `["search"]`
/// for `search/mod.rs`.
pub struct Module {
    /// Its module path.
    pub path: Vec<String>,
    /// What it names.
    pub imports: Vec<Vec<String>>,
}

impl Module {
    /// Reads the file at `path` from its source.
    pub fn new(path: &[&str], source: &str) -> Self {
        let path: Vec<String> = path.iter().map(|&part| part.to_owned()).collect();
        let mut imports = named_paths(&path, &without_tests(&without_comments(source)));
        imports.sort();
        imports.dedup();
        Self { path, imports }
    }

    /// The top-level modules that the file names.
    pub fn imported_modules(&self) -> Vec<&str> {
        let mut found: Vec<&str> =
            self.imports.iter().filter_map(|path| path.first()).map(String::as_str).collect();
        found.dedup();
        found
    }

    /// What the file names of the folder that it lies in.
    pub fn imported_siblings(&self) -> Vec<&str> {
        let folder = &self.path[..self.path.len() - 1];
        let others = self.imports.iter().filter(|path| !path.starts_with(&self.path));
        let siblings = others.filter_map(|path| path.strip_prefix(folder)?.first());
        let mut found: Vec<&str> = siblings.map(String::as_str).collect();
        found.dedup();
        found
    }
}

/// The imports that run in circles between the files and folders of one folder, each as a line; empty if
/// there are none.
///
/// A name that a folder's `mod.rs` only passes on counts as an import from the file that it comes from.
pub fn circles(modules: &[Module]) -> Vec<String> {
    // For each folder, which of its files and folders imports from which, by which path.
    let mut folders: BTreeMap<&[String], BTreeMap<(&str, &str), String>> = BTreeMap::new();
    for module in modules {
        for import in &module.imports {
            let shared = module.path.iter().zip(import).take_while(|(own, other)| own == other).count();
            let (Some(own), Some(name)) = (module.path.get(shared), import.get(shared)) else { continue };
            let folder = &module.path[..shared];
            if let Some(other) = origin(modules, folder, name).filter(|other| other != own) {
                let edges = folders.entry(folder).or_default();
                edges
                    .entry((own, other))
                    .or_insert_with(|| format!("{} imports {}", module.path.join("/"), import.join("::")));
            }
        }
    }
    folders.into_values().flat_map(in_circles).collect()
}

/// The file or folder in `folder` that `name` is, or that the folder's `mod.rs` passes it on from.
fn origin<'a>(modules: &'a [Module], folder: &[String], name: &'a str) -> Option<&'a str> {
    let children = || modules.iter().filter_map(|module| module.path.strip_prefix(folder)?.first());
    if children().any(|child| child == name) {
        return Some(name);
    }
    let own = modules.iter().find(|module| module.path == folder)?;
    let passed_on = own.imports.iter().find(|path| path.last().is_some_and(|last| last == name))?;
    let child = passed_on.strip_prefix(folder)?.first()?;
    children().any(|other| other == child).then_some(child)
}

/// The circles, and what lies between two of them: imports that remain when imports from files that import
/// nothing, and by files that nothing imports, are taken away, again and again.
fn in_circles(mut edges: BTreeMap<(&str, &str), String>) -> Vec<String> {
    loop {
        let count = edges.len();
        let (importers, imported): (BTreeSet<&str>, BTreeSet<&str>) = edges.keys().copied().unzip();
        edges.retain(|(own, other), _| imported.contains(own) && importers.contains(other));
        if edges.len() == count {
            return edges.into_values().collect();
        }
    }
}

/// The paths that the code of the module at `own` names, from the root of the crate on.
fn named_paths(own: &[String], code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for (start, word) in words(code) {
        let rest = &code[start + word.len()..];
        if code[..start].trim_end().ends_with("::") {
            continue;
        }
        let above = own.split_last().map_or(own, |(_, above)| above);
        match word {
            // `$crate` and `pub(crate)` are followed by something else.
            "crate" => named_after(rest, &[], &mut found),
            "super" => named_after(rest, above, &mut found),
            "self" => named_after(rest, own, &mut found),
            "use"
                if !["crate", "super", "self"]
                    .contains(&words(rest).next().map_or("", |(_, first)| first)) =>
            {
                named(rest, own, &mut found);
            }
            _ => {}
        }
    }
    found
}

/// Every word of the code with the place where it begins.
fn words(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + code[at..].find(is_part)?;
        let len = code[start..].find(|c| !is_part(c)).unwrap_or(code.len() - start);
        at = start + len;
        Some((start, &code[start..at]))
    })
}

/// Adds the paths in `text`, which begins with `::`, to those below `folder`.
fn named_after(text: &str, folder: &[String], found: &mut Vec<Vec<String>>) {
    if let Some(rest) = text.trim_start().strip_prefix("::") {
        named(rest, folder, found);
    }
}

/// Adds the paths that `text` begins with: one, or all in braces. Returns what follows them.
fn named<'a>(text: &'a str, folder: &[String], found: &mut Vec<Vec<String>>) -> &'a str {
    let text = text.trim_start();
    if let Some(mut rest) = text.strip_prefix('{') {
        loop {
            rest = rest.trim_start();
            if let Some(after) = rest.strip_prefix('}') {
                return after;
            }
            rest = named(rest, folder, found).trim_start();
            // A comma, or what follows `as`.
            let end = rest.find([',', '}']).unwrap_or(rest.len());
            rest = rest[end..].strip_prefix(',').unwrap_or(&rest[end..]);
            if rest.is_empty() {
                return rest;
            }
        }
    }
    let len = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '*')).unwrap_or(text.len());
    let (name, rest) = text.split_at(len);
    match (name, rest.trim_start().strip_prefix("::")) {
        ("", _) => return rest,
        ("self", _) => found.push(folder.to_vec()),
        ("super", Some(after)) => {
            return named(after, folder.split_last().map_or(folder, |(_, above)| above), found);
        }
        (_, Some(after)) if !after.trim_start().starts_with('<') => {
            return named(after, &[folder, &[name.to_owned()]].concat(), found);
        }
        _ => found.push([folder, &[name.to_owned()]].concat()),
    }
    rest
}

/// The source with comments, texts and letters blanked out.
fn without_comments(source: &str) -> String {
    let mut code = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(letter) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if letter == '"' {
            text_len(rest)
        } else if letter == '\'' && rest[1..].chars().nth(1) == Some('\'') {
            // A letter in quotes, which may be a brace or a quote; a lifetime has no second quote.
            rest.char_indices().nth(3).map_or(rest.len(), |(end, _)| end)
        } else {
            code.push(letter);
            rest = &rest[letter.len_utf8()..];
            continue;
        };
        code.push(' ');
        rest = &rest[skipped..];
    }
    code
}

/// The length of the text in quotes that `source` begins with.
fn text_len(source: &str) -> usize {
    let mut escaped = false;
    for (place, letter) in source.char_indices().skip(1) {
        match letter {
            '"' if !escaped => return place + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    source.len()
}

/// The code without the items that follow `#[cfg(test)]`.
fn without_tests(code: &str) -> String {
    let mut kept = String::new();
    let mut rest = code;
    while let Some(start) = rest.find("#[cfg(test)]") {
        kept.push_str(&rest[..start]);
        let item = &rest[start..];
        let end = match (item.find('{'), item.find(';')) {
            (Some(brace), semicolon) if semicolon.is_none_or(|s| brace < s) => {
                brace + block_len(&item[brace..])
            }
            (_, Some(semicolon)) => semicolon + 1,
            _ => item.len(),
        };
        rest = &item[end..];
    }
    kept + rest
}

/// The length of the block in braces that `code` begins with.
fn block_len(code: &str) -> usize {
    let mut depth = 0;
    for (place, letter) in code.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 1 => return place + 1,
            '}' => depth -= 1,
            _ => {}
        }
    }
    code.len()
}
