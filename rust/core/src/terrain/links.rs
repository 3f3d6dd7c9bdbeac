//! Links: steps between two cells that need not be neighbours, with a cost of their own: ladders, portals,
//! ferries, stairs.
//!
//! A link has a number that no later link of the map gets. What it means to a body is in
//! `passability/placement_links.rs`.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use super::{Capability, Change, Terrain};
use crate::bitgrid::{LocalRect, local};
use crate::bytes::{BytesError, Reader, Saved};
use crate::cost::{Cost, DIAGONAL, STRAIGHT};
use crate::geometry::{Cell, CellRect, Footprint};

/// The most links that a map has.
pub const LINKS_MAX: usize = 65_536;
/// The highest cost of a link, in cell widths.
pub const LINK_COST_MAX: u32 = 100_000;
/// The longest time that a body takes over a link, in seconds.
pub const LINK_SECONDS_MAX: f32 = 600.0;
/// The longest tag of a link, in bytes.
pub const LINK_TAG_MAX: usize = 255;

/// A link of a map.
#[derive(Clone, PartialEq, Debug)]
pub struct Link {
    /// The cell where it begins.
    pub from: Cell,
    /// The cell where it ends.
    pub to: Cell,
    /// What the step costs: at least one unit.
    pub cost: Cost,
    /// Whether it leads back at the same cost, too.
    pub is_two_way: bool,
    /// Whether bodies can take it.
    pub is_enabled: bool,
    /// Bodies take it that may enter one of these terrains.
    pub terrains: Capability,
    /// The largest footprint that takes it.
    pub footprint_max: Footprint,
    /// How many bodies can be on it at a time; 0 for any number.
    pub bodies_max: u32,
    /// How long a body takes; `None` for the time that the straight line takes at its speed.
    pub seconds: Option<f32>,
    /// What it is to the game.
    pub tag: Arc<str>,
}

impl Link {
    /// Returns a link both ways, for all bodies, that costs what the straight way over open ground does.
    pub fn new(from: Cell, to: Cell) -> Self {
        let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
        let straight = STRAIGHT.saturating_mul(dx.abs_diff(dy));
        Self {
            from,
            to,
            cost: Cost::from_units(DIAGONAL.saturating_mul(dx.min(dy)).saturating_add(straight)),
            is_two_way: true,
            is_enabled: true,
            terrains: Capability::ALL,
            footprint_max: Footprint::LARGEST,
            bodies_max: 0,
            seconds: None,
            tag: Arc::from(""),
        }
    }

    /// Returns whether bodies of a footprint that may enter the terrains of `capability` can take it.
    pub(crate) const fn takes(&self, footprint: Footprint, capability: Capability) -> bool {
        self.is_enabled
            && self.terrains.0 & capability.0 != 0
            && footprint.w() <= self.footprint_max.w()
            && footprint.h() <= self.footprint_max.h()
    }
}

/// Why a map takes no such link. Nothing was changed.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum LinkError {
    /// An end lies outside the region.
    OutOfBounds {
        /// What was given.
        cell: Cell,
        /// The map's region.
        region: CellRect,
    },
    /// Both ends are one cell.
    ToItself {
        /// What was given.
        cell: Cell,
    },
    /// The cost is not between one unit and [`LINK_COST_MAX`] cell widths.
    BadCost {
        /// What was given.
        cost: Cost,
    },
    /// The time is not between 0 and [`LINK_SECONDS_MAX`].
    BadSeconds {
        /// What was given.
        seconds: f32,
    },
    /// The tag has more than [`LINK_TAG_MAX`] bytes.
    LongTag {
        /// Bytes that were given.
        bytes: usize,
    },
    /// The map has [`LINKS_MAX`] links.
    TooMany,
    /// The map has no link with this number.
    Unknown {
        /// What was given.
        id: i64,
    },
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfBounds { cell, region } => {
                write!(f, "cell ({}, {}) is outside the region {region}", cell.x, cell.y)
            }
            Self::ToItself { cell } => write!(f, "both ends are the cell ({}, {})", cell.x, cell.y),
            Self::BadCost { cost } => {
                write!(
                    f,
                    "cost {cost} is not within {:.4} and {LINK_COST_MAX} cells",
                    1.0 / f64::from(STRAIGHT)
                )
            }
            Self::BadSeconds { seconds } => {
                write!(f, "{seconds} seconds are not within 0 and {LINK_SECONDS_MAX}")
            }
            Self::LongTag { bytes } => {
                write!(f, "the tag has {bytes} bytes, at most {LINK_TAG_MAX} are kept")
            }
            Self::TooMany => write!(f, "the map has {LINKS_MAX} links, which is the limit"),
            Self::Unknown { id } => write!(f, "the map has no link {id}"),
        }
    }
}

impl Error for LinkError {}

/// The links of a map, by number.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Links {
    by_id: BTreeMap<u32, Link>,
    /// The number of the next link.
    next: u32,
    /// Counts the changes, so that what is made from the links knows when it is out of date; 0 without links.
    changes: u64,
}

impl Links {
    /// Returns the links in the order of their numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &Link)> {
        self.by_id.iter().map(|(&id, link)| (id, link))
    }

    /// Counts the changes.
    pub(crate) const fn changes(&self) -> u64 {
        self.changes
    }

    /// Writes the links behind the cells of a saved map.
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        self.next.write(bytes);
        (self.by_id.len() as u32).write(bytes);
        for (id, link) in self.iter() {
            id.write(bytes);
            [link.from.x, link.from.y, link.to.x, link.to.y].write(bytes);
            (link.cost.units(), link.is_two_way, link.is_enabled).write(bytes);
            (link.terrains, link.footprint_max).write(bytes);
            (link.bodies_max, link.seconds.is_some(), link.seconds.unwrap_or_default()).write(bytes);
            bytes.push(link.tag.len() as u8);
            bytes.extend_from_slice(link.tag.as_bytes());
        }
    }
}

impl Terrain {
    /// Returns the links; `None` while there are none.
    pub(crate) fn link_table(&self) -> Option<&Links> {
        self.links.as_deref().filter(|links| !links.by_id.is_empty())
    }

    /// Returns the numbers of all links, ascending.
    pub fn link_ids(&self) -> Vec<u32> {
        self.link_table().map_or_else(Vec::new, |links| links.by_id.keys().copied().collect())
    }

    /// Returns the link with a number.
    ///
    /// # Errors
    /// When the map has none with this number.
    pub fn link(&self, id: i64) -> Result<&Link, LinkError> {
        let link = || self.links.as_ref()?.by_id.get(&u32::try_from(id).ok()?);
        link().ok_or(LinkError::Unknown { id })
    }

    /// Adds a link; returns its number.
    ///
    /// # Errors
    /// When no body could ever take it, or the map has [`LINKS_MAX`] links.
    pub fn add_link(&mut self, link: Link) -> Result<u32, LinkError> {
        self.check_link(&link)?;
        if self.link_table().is_some_and(|links| links.by_id.len() >= LINKS_MAX) {
            return Err(LinkError::TooMany);
        }
        let ends = [link.from, link.to];
        let links = self.links_mut();
        let id = links.next;
        links.next += 1;
        links.by_id.insert(id, link);
        self.note_link_ends(ends);
        Ok(id)
    }

    /// Changes a link; returns whether that made a difference.
    ///
    /// # Errors
    /// When the map has no such link, or takes none like the new one.
    pub fn set_link(&mut self, id: i64, link: Link) -> Result<bool, LinkError> {
        let old = self.link(id)?;
        if *old == link {
            return Ok(false);
        }
        let ends = [old.from, old.to];
        self.check_link(&link)?;
        let new_ends = [link.from, link.to];
        self.links_mut().by_id.insert(id as u32, link);
        self.note_link_ends(ends);
        if new_ends != ends {
            self.note_link_ends(new_ends);
        }
        Ok(true)
    }

    /// Removes a link, and returns it.
    ///
    /// # Errors
    /// When the map has no such link.
    pub fn remove_link(&mut self, id: i64) -> Result<Link, LinkError> {
        let link = self.link(id)?.clone();
        self.links_mut().by_id.remove(&(id as u32));
        self.note_link_ends([link.from, link.to]);
        Ok(link)
    }

    fn links_mut(&mut self) -> &mut Links {
        let links = Arc::make_mut(self.links.get_or_insert_default());
        links.changes += 1;
        links
    }

    fn check_link(&self, link: &Link) -> Result<(), LinkError> {
        let region = self.region;
        let outside = [link.from, link.to].into_iter().find(|&cell| !region.contains(cell));
        if let Some(cell) = outside {
            return Err(LinkError::OutOfBounds { cell, region });
        }
        if link.from == link.to {
            return Err(LinkError::ToItself { cell: link.from });
        }
        if !(1..=LINK_COST_MAX * STRAIGHT).contains(&link.cost.units()) {
            return Err(LinkError::BadCost { cost: link.cost });
        }
        if let Some(seconds) = link.seconds.filter(|seconds| !(0.0..=LINK_SECONDS_MAX).contains(seconds)) {
            return Err(LinkError::BadSeconds { seconds });
        }
        let bytes = link.tag.len();
        if bytes > LINK_TAG_MAX { Err(LinkError::LongTag { bytes }) } else { Ok(()) }
    }

    /// Notes that steps between the cells of a link have changed. Bodies may stand around both.
    fn note_link_ends(&mut self, ends: [Cell; 2]) {
        for (x, y) in ends.into_iter().filter_map(|end| local(self.region, end)) {
            self.journal.record(LocalRect { x0: x, y0: y, x1: x + 1, y1: y + 1 }, Change::EDGE);
        }
    }

    /// Takes over the links of another map both of whose ends lie in this one, with their numbers.
    pub fn take_links(&mut self, other: &Self) {
        let Some(links) = &other.links else { return };
        let mut links = Links::clone(links);
        links.changes += 1;
        links.by_id.retain(|_, link| self.region.contains(link.from) && self.region.contains(link.to));
        self.links = Some(Arc::new(links));
    }

    /// Reads what [`Links::write`] wrote.
    pub(super) fn read_links(&mut self, reader: &mut Reader<'_>) -> Result<(), BytesError> {
        const BAD: BytesError = BytesError::Value("a link that no map has");
        let mut links = Links { next: reader.read()?, changes: 1, ..Links::default() };
        let count: u32 = reader.read()?;
        let mut ids = 0..links.next;
        for _ in 0..count {
            let id: u32 = reader.read()?;
            let [from_x, from_y, to_x, to_y] = reader.read()?;
            let (cost, is_two_way, is_enabled) = reader.read::<(u32, bool, bool)>()?;
            let (terrains, footprint_max) = reader.read()?;
            let (bodies_max, is_timed, seconds) = reader.read::<(u32, bool, f32)>()?;
            let length: u8 = reader.read()?;
            let tag = std::str::from_utf8(reader.take(length.into())?).map_err(|_| BAD)?;
            let link = Link {
                from: Cell::new(from_x, from_y),
                to: Cell::new(to_x, to_y),
                cost: Cost::from_units(cost),
                is_two_way,
                is_enabled,
                terrains,
                footprint_max,
                bodies_max,
                seconds: is_timed.then_some(seconds),
                tag: Arc::from(tag),
            };
            // Numbers ascend, so that equal maps have equal bytes.
            if !ids.contains(&id) || self.check_link(&link).is_err() || links.by_id.len() >= LINKS_MAX {
                return Err(BAD);
            }
            ids.start = id + 1;
            links.by_id.insert(id, link);
        }
        self.links = Some(Arc::new(links));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map() -> Terrain {
        Terrain::new(CellRect::new(-2, -2, 10, 10)).unwrap()
    }

    #[test]
    fn numbers_are_never_given_again() {
        let mut map = map();
        let link = Link::new(Cell::new(0, 0), Cell::new(5, 3));
        assert_eq!(link.cost.units(), 3 * DIAGONAL + 2 * STRAIGHT);
        assert_eq!(map.add_link(link.clone()), Ok(0));
        assert_eq!(map.remove_link(0), Ok(link.clone()));
        assert_eq!(map.remove_link(0), Err(LinkError::Unknown { id: 0 }));
        assert_eq!(map.add_link(link.clone()), Ok(1));
        assert_eq!(map.set_link(1, link), Ok(false));
        assert_eq!(map.link_ids(), [1]);
    }

    #[test]
    fn links_that_no_body_could_take_are_refused() {
        let mut map = map();
        let (inside, outside) = (Cell::new(0, 0), Cell::new(8, 0));
        assert!(matches!(map.add_link(Link::new(inside, outside)), Err(LinkError::OutOfBounds { .. })));
        assert!(matches!(map.add_link(Link::new(inside, inside)), Err(LinkError::ToItself { .. })));
        let free = Link { cost: Cost::ZERO, ..Link::new(inside, Cell::new(1, 0)) };
        assert!(matches!(map.add_link(free), Err(LinkError::BadCost { .. })));
        assert_eq!((map.revision(), map.link_ids().len()), (0, 0));
    }

    #[test]
    fn links_are_saved_with_the_map() {
        let mut map = map();
        map.add_link(Link::new(Cell::new(0, 0), Cell::new(5, 3))).unwrap();
        let ladder = Link {
            tag: Arc::from("ladder"),
            is_enabled: false,
            terrains: Capability(6),
            footprint_max: Footprint::new(2, 3).unwrap(),
            bodies_max: 1,
            seconds: Some(2.5),
            ..Link::new(Cell::new(-2, 7), Cell::new(7, -2))
        };
        map.add_link(ladder.clone()).unwrap();
        map.remove_link(0).unwrap();
        let loaded = Terrain::from_bytes(&map.to_bytes()).unwrap();
        assert_eq!(loaded.link(1), Ok(&ladder));
        assert_eq!((loaded.to_bytes(), loaded.state_hash()), (map.to_bytes(), map.state_hash()));
        let smaller = map.resized(CellRect::new(-2, -2, 9, 10)).unwrap();
        assert!(smaller.link_ids().is_empty());
    }
}
