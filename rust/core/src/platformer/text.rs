//! Levels drawn as text.

use super::PlatformerMap;
use crate::geometry::Cell;
use crate::terrain::{MapTextError, drawn_rows, read_letters};

impl PlatformerMap {
    /// Returns the level that `text` draws, with its top-left cell at `origin`: `#` solid, `=` one-way, `.` open. Blank
    /// lines around the rows and white space around each row are ignored.
    ///
    /// # Errors
    /// If a letter is unknown, rows differ in length, or the level is too large.
    pub fn from_text(text: &str, origin: Cell) -> Result<Self, MapTextError> {
        let (lines_before, rows) = drawn_rows(text);
        let known = |letter| matches!(letter, '#' | '=' | '.').then_some(letter);
        let (region, letters) = read_letters(&rows, lines_before, origin, known)?;
        let mut map = Self::new(region)?;
        map.write_solid(|place| letters[place] == '#');
        map.write_one_way(|place| letters[place] == '=');
        Ok(map)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::CellRect;

    #[test]
    fn a_drawn_level_has_its_cells() {
        let map = PlatformerMap::from_text("\n  .=.\n  ##.\n", Cell::new(4, -1)).unwrap();
        assert_eq!(map.region(), CellRect::new(4, -1, 3, 2));
        assert_eq!(map.solid_data(), [0, 0, 0, 1, 1, 0]);
        assert_eq!(map.one_way_data(), [0, 1, 0, 0, 0, 0]);
        assert_eq!(
            PlatformerMap::from_text("..\n...", Cell::default()).unwrap_err(),
            MapTextError::RaggedRow { row: 2, given: 3, wanted: 2 }
        );
        assert_eq!(
            PlatformerMap::from_text(".~", Cell::default()).unwrap_err(),
            MapTextError::UnknownLetter { letter: '~', row: 1, column: 2 }
        );
        assert!(PlatformerMap::from_text("", Cell::default()).unwrap().region().is_empty());
    }
}
