//! Maps drawn in text: plain rows, rows of cells with edges between them, or the octile format of the Moving
//! AI benchmarks.

use std::error::Error;
use std::fmt;

use super::{RegionError, Terrain, check_region};
use crate::geometry::{Cell, CellRect, Side};

/// A text that draws no map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MapTextError {
    /// A row of another length than the first, counted from 1.
    RaggedRow {
        /// The row.
        row: usize,
        /// Its length.
        given: usize,
        /// The length of the first.
        wanted: usize,
    },
    /// A letter that means nothing, row and column counted from 1.
    UnknownLetter {
        /// The letter.
        letter: char,
        /// Its row.
        row: usize,
        /// Its column.
        column: usize,
    },
    /// A letter of a drawing with edges where it cannot be, row and column counted from 1.
    MisplacedLetter {
        /// The letter.
        letter: char,
        /// Its row.
        row: usize,
        /// Its column.
        column: usize,
        /// What can be there.
        wanted: &'static str,
    },
    /// A drawing with edges that does not end with a row and a column of edges.
    UnfinishedEdges {
        /// Its rows.
        rows: usize,
        /// The letters of its first row.
        columns: usize,
    },
    /// The header is broken.
    BadHeader {
        /// What is missing or wrong.
        what: &'static str,
    },
    /// No map can have the region that the text draws.
    Region(RegionError),
}

impl fmt::Display for MapTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RaggedRow { row, given, wanted } => {
                write!(f, "row {row} has {given} letters, the first has {wanted}")
            }
            Self::UnknownLetter { letter, row, column } => {
                write!(f, "letter '{letter}' in row {row}, column {column} means nothing")
            }
            Self::MisplacedLetter { letter, row, column, wanted } => {
                write!(f, "letter '{letter}' in row {row}, column {column} is not {wanted}")
            }
            Self::UnfinishedEdges { rows, columns } => write!(
                f,
                "a drawing with edges has rows and columns of edges around all cells, so both are odd numbers from 3 \
                 on; it has {rows} rows of {columns} letters"
            ),
            Self::BadHeader { what } => write!(f, "the map's header is broken: {what}"),
            Self::Region(problem) => problem.fmt(f),
        }
    }
}

impl Error for MapTextError {}

impl From<RegionError> for MapTextError {
    fn from(problem: RegionError) -> Self {
        Self::Region(problem)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Letter {
    Open,
    Solid,
    Water,
    OneWay,
}

fn plain(letter: char) -> Option<Letter> {
    match letter {
        '#' | '@' | 'T' => Some(Letter::Solid),
        '.' | 'G' | 'S' => Some(Letter::Open),
        '~' | 'W' => Some(Letter::Water),
        '=' => Some(Letter::OneWay),
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
    /// Returns the map that `text` draws, with its top-left cell at `origin`.
    ///
    /// Plain rows: `#` `@` `T` solid, `.` `G` `S` open, `~` `W` open and of terrain 1, `=` one-way. After a
    /// header that begins with `type octile` (Moving AI): `.` `G` `S` open, `@` `O` `T` `W` solid. Blank
    /// lines before and after the rows are left out, and so is white space at the ends of lines.
    ///
    /// A drawing whose first letter is `+` has edges between its cells: rows and columns of edges take turns
    /// with those of cells, from the first to the last. At corners is `+`; an edge is `|` or `-` where it is
    /// blocked, and a space or `.` where it is open. An arrow, `<` `>` `^` `v`, points the one way in which it
    /// is open.
    ///
    /// ```
    /// use pathforge_core::geometry::{Cell, Side};
    /// use pathforge_core::terrain::Terrain;
    ///
    /// let drawing = "
    ///     +-+-+-+
    ///     |. .|~|
    ///     + +v+ +
    ///     |. # .|
    ///     +-+-+-+";
    /// let terrain = Terrain::from_text(drawing, Cell::new(0, 0))?;
    /// assert!(terrain.is_edge_blocked(Cell::new(1, 0), Side::Right));
    /// assert!(!terrain.is_edge_blocked(Cell::new(1, 0), Side::Bottom), "the way down is open");
    /// assert!(terrain.is_edge_blocked(Cell::new(1, 1), Side::Top));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When a letter is unknown, rows differ in length, the header is broken, or the map is too large.
    pub fn from_text(text: &str, origin: Cell) -> Result<Self, MapTextError> {
        let (lines_before, lines) = drawn_rows(text);
        if lines.first().is_some_and(|line| line.starts_with('+')) {
            return read_with_edges(text, lines_before, lines.len(), origin);
        }
        let (region, letters) = if lines.first().is_some_and(|line| line.starts_with("type ")) {
            let rows = octile_rows(&lines)?;
            // Errors number the lines of the whole text, header and blank lines included.
            read_letters(rows, lines_before + lines.len() - rows.len(), origin, octile)?
        } else {
            read_letters(&lines, lines_before, origin, plain)?
        };
        Ok(drawn(region, &letters)?)
    }
}

/// Returns the map of `region` with the cells of `letters`, row by row.
fn drawn(region: CellRect, letters: &[Letter]) -> Result<Terrain, RegionError> {
    let data = |is: Letter| letters.iter().map(|&letter| u8::from(letter == is)).collect::<Vec<_>>();
    let mut terrain = Terrain::new(region)?;
    terrain.replace_solid(&data(Letter::Solid));
    terrain.replace_ids(&data(Letter::Water));
    terrain.replace_one_way(&data(Letter::OneWay));
    Ok(terrain)
}

/// Returns the map of a drawing with edges: `count` lines of `text` after the first `lines_before`.
fn read_with_edges(
    text: &str,
    lines_before: usize,
    count: usize,
    origin: Cell,
) -> Result<Terrain, MapTextError> {
    let lines = text.lines().skip(lines_before).take(count);
    // Spaces are open edges, so the first row says where all rows begin.
    let first: Vec<char> = lines.clone().next().unwrap_or_default().trim_end().chars().collect();
    let indent = first.iter().take_while(|letter| letter.is_whitespace()).count();
    let columns = first.len() - indent;
    if columns.min(count) < 3 || columns.is_multiple_of(2) || count.is_multiple_of(2) {
        return Err(MapTextError::UnfinishedEdges { rows: count, columns });
    }
    let (w, h) = (columns / 2, count / 2);
    let side = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
    let region = CellRect::new(origin.x, origin.y, side(w), side(h));
    check_region(region)?;
    let mut letters = Vec::with_capacity(w * h);
    let mut edges = vec![0_u8; w * h];
    for ((line, number), row) in lines.zip(lines_before + 1..).zip(0..) {
        let mut given: Vec<char> = line.trim_end().chars().collect();
        let is_indented = given.iter().take(indent).all(|letter| letter.is_whitespace());
        if given.len() > indent + columns || !is_indented {
            let given = given.len().saturating_sub(indent.min(given.len()));
            return Err(MapTextError::RaggedRow { row: number, given, wanted: columns });
        }
        // Editors strip spaces at the ends of lines, which are open edges.
        given.resize(indent + columns, ' ');
        for (&letter, column) in given[indent..].iter().zip(0_usize..) {
            // The cell after the place, which is at its own lower right.
            let (x, y) = (column / 2, row / 2);
            let place = || MapTextError::UnknownLetter { letter, row: number, column: indent + column + 1 };
            let misplaced = |wanted| MapTextError::MisplacedLetter {
                letter,
                row: number,
                column: indent + column + 1,
                wanted,
            };
            let (before, side) = match (row % 2, column % 2) {
                (1, 1) => {
                    letters.push(plain(letter).ok_or_else(place)?);
                    continue;
                }
                (0, 0) if letter == '+' => continue,
                (0, 0) => return Err(misplaced("'+', which is at every corner between cells")),
                (1, _) => (x.checked_sub(1).map(|x| y * w + x), Side::Right),
                _ => (y.checked_sub(1).map(|y| y * w + x), Side::Bottom),
            };
            let after = (x < w && y < h).then_some(y * w + x);
            let (there, back) = match (side, letter) {
                (_, ' ' | '.') => (false, false),
                (Side::Right, '|') | (Side::Bottom, '-') => (true, true),
                (Side::Right, '<') | (Side::Bottom, '^') => (true, false),
                (Side::Right, '>') | (Side::Bottom, 'v') => (false, true),
                (Side::Right, _) => {
                    return Err(misplaced("an edge beside a cell: '|', '<', '>', '.' or a space"));
                }
                _ => return Err(misplaced("an edge above or below a cell: '-', '^', 'v', '.' or a space")),
            };
            if let Some(before) = before {
                edges[before] |= u8::from(there) << side as u8;
            }
            if let Some(after) = after {
                edges[after] |= u8::from(back) << side.opposite() as u8;
            }
        }
    }
    let mut terrain = drawn(region, &letters)?;
    terrain.replace_edges(&edges);
    Ok(terrain)
}

/// Returns the rows behind the header `type octile`, `height H`, `width W`, `map`, checked against it.
fn octile_rows<'a, 't>(lines: &'a [&'t str]) -> Result<&'a [&'t str], MapTextError> {
    let bad = |what| MapTextError::BadHeader { what };
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
    // The other rows are compared with the first by `read_letters`.
    if rows.first().is_some_and(|row| row.chars().count() != width) {
        return Err(bad("the first row's length is not the width"));
    }
    Ok(rows)
}

/// Returns the lines of `text` without white space at their ends and without blank lines before and after,
/// and how many lines were left out before the first.
fn drawn_rows(text: &str) -> (usize, Vec<&str>) {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(lines.len());
    let last = lines.iter().rposition(|line| !line.is_empty()).map_or(first, |last| last + 1);
    (first, lines[first..last].to_vec())
}

/// Returns the region that `rows` draw with its top-left cell at `origin`, and the meaning of each letter,
/// row by row.
fn read_letters<L>(
    rows: &[&str],
    lines_before: usize,
    origin: Cell,
    meaning: impl Fn(char) -> Option<L>,
) -> Result<(CellRect, Vec<L>), MapTextError> {
    // Letters, not bytes: an unknown letter may take several bytes and gets an error that names its column.
    let width = rows.first().map_or(0, |row| row.chars().count());
    // Saturates to a side that `check_region` refuses.
    let side = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
    let region = CellRect::new(origin.x, origin.y, side(width), side(rows.len()));
    // Before memory is asked for: a text may be longer than any map.
    check_region(region)?;
    let mut meanings = Vec::with_capacity(width * rows.len());
    for (row, number) in rows.iter().zip(lines_before + 1..) {
        let given = row.chars().count();
        if given != width {
            return Err(MapTextError::RaggedRow { row: number, given, wanted: width });
        }
        for (letter, column) in row.chars().zip(1..) {
            // Rows and columns are counted from 1, as in editors.
            let unknown = MapTextError::UnknownLetter { letter, row: number, column };
            meanings.push(meaning(letter).ok_or(unknown)?);
        }
    }
    Ok((region, meanings))
}
