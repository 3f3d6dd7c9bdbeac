//! Levels drawn in text.

use super::PlatformerMap;
use crate::error::EditError;
use crate::geometry::{Cell, CellRect};

impl PlatformerMap {
    /// The level that `text` draws, with its top-left cell at `origin`: `#` solid, `=` one-way, `.` open. Blank lines
    /// before and after the rows are left out, and so is white space at the ends of lines.
    ///
    /// # Errors
    /// When a letter is unknown, rows differ in length, or the level is too large.
    pub fn from_text(text: &str, origin: Cell) -> Result<Self, EditError> {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(lines.len());
        let last = lines.iter().rposition(|line| !line.is_empty()).map_or(first, |last| last + 1);
        let rows = &lines[first..last];
        let wanted = rows.first().map_or(0, |row| row.chars().count());
        let mut letters = Vec::with_capacity(wanted * rows.len());
        for (row, number) in rows.iter().zip(first + 1..) {
            let given = row.chars().count();
            if given != wanted {
                return Err(EditError::RaggedRow { row: number, given, wanted });
            }
            for (letter, column) in row.chars().zip(1..) {
                if !matches!(letter, '#' | '=' | '.') {
                    return Err(EditError::UnknownLetter { letter, row: number, column });
                }
                letters.push(letter as u8);
            }
        }
        let side = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
        let mut map = Self::new(CellRect::new(origin.x, origin.y, side(wanted), side(rows.len())))?;
        let is = |wanted: u8| letters.iter().map(|&l| u8::from(l == wanted)).collect::<Vec<_>>();
        map.set_solid_data(&is(b'#'))?;
        map.set_one_way_data(&is(b'='))?;
        Ok(map)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawn_level_has_its_cells() {
        let map = PlatformerMap::from_text("\n  .=.\n  ##.\n", Cell::new(4, -1)).unwrap();
        assert_eq!(map.region(), CellRect::new(4, -1, 3, 2));
        assert_eq!(map.solid_data(), [0, 0, 0, 1, 1, 0]);
        assert_eq!(map.one_way_data(), [0, 1, 0, 0, 0, 0]);
        assert_eq!(
            PlatformerMap::from_text("..\n...", Cell::default()).unwrap_err(),
            EditError::RaggedRow { row: 2, given: 3, wanted: 2 }
        );
        assert_eq!(
            PlatformerMap::from_text(".~", Cell::default()).unwrap_err(),
            EditError::UnknownLetter { letter: '~', row: 1, column: 2 }
        );
        assert!(PlatformerMap::from_text("", Cell::default()).unwrap().region().is_empty());
    }
}
