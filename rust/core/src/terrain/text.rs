//! Maps drawn in text: plain rows, or the octile format of the Moving AI benchmarks.

use super::Terrain;
use crate::error::EditError;
use crate::geometry::{Cell, CellRect};

#[derive(Clone, Copy)]
enum Letter {
    Open,
    Solid,
    Water,
}

fn plain(letter: char) -> Option<Letter> {
    match letter {
        '#' | '@' | 'T' => Some(Letter::Solid),
        '.' | 'G' | 'S' => Some(Letter::Open),
        '~' | 'W' => Some(Letter::Water),
        _ => None,
    }
}

fn octile(letter: char) -> Option<Letter> {
    match letter {
        '.' | 'G' | 'S' => Some(Letter::Open),
        '@' | 'O' | 'T' | 'W' => Some(Letter::Solid),
        _ => None,
    }
}

impl Terrain {
    /// The map that `text` draws, with its top-left cell at `origin`.
    ///
    /// Plain rows: `#` `@` `T` solid, `.` `G` `S` open, `~` `W` open and of terrain 1. After a header that begins with
    /// `type octile` (Moving AI): `.` `G` `S` open, `@` `O` `T` `W` solid. Blank lines before and after the rows are
    /// left out, and so is white space at the ends of lines.
    ///
    /// # Errors
    /// When a letter is unknown, rows differ in length, the header is broken, or the map is too large.
    pub fn from_text(text: &str, origin: Cell) -> Result<Self, EditError> {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(lines.len());
        let last = lines.iter().rposition(|line| !line.is_empty()).map_or(first, |last| last + 1);
        let lines = &lines[first..last];
        if lines.first().is_some_and(|line| line.starts_with("type ")) {
            let rows = octile_rows(lines)?;
            draw(rows, first + lines.len() - rows.len(), origin, octile)
        } else {
            draw(lines, first, origin, plain)
        }
    }
}

/// The rows behind the header `type octile`, `height H`, `width W`, `map`, checked against it.
fn octile_rows<'a, 't>(lines: &'a [&'t str]) -> Result<&'a [&'t str], EditError> {
    let bad = |what| EditError::BadHeader { what };
    if lines[0] != "type octile" {
        return Err(bad("only 'type octile' is known"));
    }
    let start = lines.iter().position(|&line| line == "map").ok_or(bad("the line 'map' is missing"))?;
    let side = |name: &str| {
        lines[1..start].iter().find_map(|line| line.strip_prefix(name)?.trim().parse::<usize>().ok())
    };
    let height = side("height ").ok_or(bad("the line 'height N' is missing"))?;
    let width = side("width ").ok_or(bad("the line 'width N' is missing"))?;
    let rows = &lines[start + 1..];
    if rows.len() != height {
        return Err(bad("the number of rows is not the height"));
    }
    if rows.first().is_some_and(|row| row.chars().count() != width) {
        return Err(bad("the first row's length is not the width"));
    }
    Ok(rows)
}

fn draw(
    rows: &[&str],
    lines_before: usize,
    origin: Cell,
    meaning: fn(char) -> Option<Letter>,
) -> Result<Terrain, EditError> {
    let width = rows.first().map_or(0, |row| row.chars().count());
    let side = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
    let mut terrain = Terrain::new(CellRect::new(origin.x, origin.y, side(width), side(rows.len())))?;
    let mut solid = Vec::with_capacity(width * rows.len());
    let mut ids = Vec::with_capacity(width * rows.len());
    for (y, row) in rows.iter().enumerate() {
        let number = lines_before + y + 1;
        let given = row.chars().count();
        if given != width {
            return Err(EditError::RaggedRow { row: number, given, wanted: width });
        }
        for (x, letter) in row.chars().enumerate() {
            let meaning =
                meaning(letter).ok_or(EditError::UnknownLetter { letter, row: number, column: x + 1 })?;
            solid.push(u8::from(matches!(meaning, Letter::Solid)));
            ids.push(u8::from(matches!(meaning, Letter::Water)));
        }
    }
    terrain.set_solid_data(&solid)?;
    terrain.set_terrain_data(&ids)?;
    Ok(terrain)
}
