//! Which module of the core imports which, read from its source text.

/// The core's modules, row by row from the lowest layer up: a module imports only from rows before its own.
pub const ROWS: [&[&str]; 10] = [
    &["geometry", "cost", "pages", "bytes", "sort", "parallel", "union_find"],
    &["bitgrid", "raster", "height_field"],
    &["terrain"],
    &["clearance", "passability", "items"],
    &["connectivity"],
    &["primitives"],
    &["influence", "search", "path", "field", "hierarchy"],
    &["crowd", "platformer", "navmesh"],
    &["world", "instances"],
    &["diagnose", "guidance", "walker"],
];

/// The files of the crowd, row by row: a file imports only from files before its own, be it in its row or above.
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
    &["substep", "preferred_velocity", "arrival", "yielding"],
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
        "queries",
        "blockage",
        "trace",
        "bytes",
        "step",
    ],
];

/// Rows whose modules may import from each other: plain data without algorithms.
const OPEN_ROWS: std::ops::Range<usize> = 0..2;

/// The row of a module; `None` for one that the table does not have.
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

/// What a file names of the folder that it lies in, outside its tests, comments and texts.
pub fn imported_siblings(source: &str) -> Vec<String> {
    let code = without_tests(&without_comments(source));
    let mut found = Vec::new();
    for (start, word) in words(&code) {
        if word == "super" && !code[..start].trim_end().ends_with("::") {
            first_names(&code[start + word.len()..], &mut found);
        }
    }
    // `pub(super)` is followed by something else.
    found.sort();
    found.dedup();
    found
}

/// The top-level modules that a file of the crate names, outside its tests, comments and texts.
///
/// `path` is the file's module path: `["search", "jps"]` for `search/jps.rs`, `["search"]` for `search/mod.rs`.
pub fn imported_modules(path: &[&str], source: &str) -> Vec<String> {
    let code = without_tests(&without_comments(source));
    let mut found = Vec::new();
    for (start, word) in words(&code) {
        let rest = &code[start + word.len()..];
        match word {
            // `$crate` and `pub(crate)` are followed by something else.
            "crate" => first_names(rest, &mut found),
            "super" if !code[..start].trim_end().ends_with("::") => {
                let mut depth = path.len().saturating_sub(1);
                let mut rest = rest;
                while let Some(after) = after_colons(rest).and_then(|r| r.strip_prefix("super")) {
                    depth = depth.saturating_sub(1);
                    rest = after;
                }
                if depth == 0 {
                    first_names(rest, &mut found);
                } else {
                    found.push(path[0].to_owned());
                }
            }
            _ => {}
        }
    }
    found.sort();
    found.dedup();
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

fn after_colons(text: &str) -> Option<&str> {
    text.trim_start().strip_prefix("::").map(str::trim_start)
}

/// Adds the names that follow `::`: one, or the first of each path in braces.
fn first_names(rest: &str, found: &mut Vec<String>) {
    let Some(rest) = after_colons(rest) else { return };
    let name_of = |text: &str| -> String {
        text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_' || *c == '*').collect()
    };
    if let Some(group) = rest.strip_prefix('{') {
        let mut depth = 0;
        let mut begins = true;
        for (place, letter) in group.char_indices() {
            match letter {
                '}' if depth == 0 => break,
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => begins = true,
                c if begins && !c.is_whitespace() => {
                    found.push(name_of(&group[place..]));
                    begins = false;
                }
                _ => {}
            }
        }
    } else {
        found.push(name_of(rest));
    }
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
