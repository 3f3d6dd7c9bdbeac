//! Saving: a small, checked, machine-independent form of a map, and a hash of its state.
//!
//! Layout, all numbers little-endian: `PFG2`, region x, y, w, h as `i32`, one byte of flags, then the arrays
//! solid, terrain, weight, one-way, floors and edges, then the links. Flags: 1: terrain ids follow, 2:
//! weights follow, 4: one-way flags follow, 8: floors follow, 16: edges follow, 32: links follow. Each array
//! is stored as runs, row by row over the map. A run is its length as a LEB128 number and the value: one byte
//! for terrain and for edges, an `f32` for a weight. Solid and one-way have no value, as runs alternate
//! beginning with 0. A floor is a `u32`: 0 without one, else 2³⁰ + left · 2¹⁵ + right, with heights in steps
//! of 1/16384 of the cell.

use std::error::Error;
use std::fmt;

use super::floors::Floor;
use super::one_way::flag_data;
use super::{EditError, RegionError, Terrain, check_region};
use crate::bitgrid::BitGrid;
use crate::bytes::{BytesError, Hash, Reader, Saved};
use crate::geometry::CellRect;
use crate::raster::Raster;

const MARK: &str = "PFG2";
const HAS_IDS: u8 = 1;
const HAS_WEIGHTS: u8 = 2;
const HAS_ONE_WAY: u8 = 4;
const HAS_FLOORS: u8 = 8;
const HAS_EDGES: u8 = 16;
const HAS_LINKS: u8 = 32;

/// Bytes that are not a map which [`Terrain::to_bytes`] saved.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum MapBytesError {
    /// They are cut short, too many or not in the form of a saved map.
    Malformed(BytesError),
    /// No map can have the region that they name.
    Region(RegionError),
    /// No cell can have a terrain or a weight that they name.
    Cells(EditError),
}

impl fmt::Display for MapBytesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(problem) => write!(f, "the bytes are not a saved map: {problem}"),
            Self::Region(problem) => problem.fmt(f),
            Self::Cells(problem) => problem.fmt(f),
        }
    }
}

impl Error for MapBytesError {}

impl From<BytesError> for MapBytesError {
    fn from(problem: BytesError) -> Self {
        Self::Malformed(problem)
    }
}

impl From<RegionError> for MapBytesError {
    fn from(problem: RegionError) -> Self {
        Self::Region(problem)
    }
}

impl From<EditError> for MapBytesError {
    fn from(problem: EditError) -> Self {
        Self::Cells(problem)
    }
}

impl Terrain {
    /// Returns the map as bytes, for saving.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MARK.as_bytes().to_vec();
        [self.region.x, self.region.y, self.region.w, self.region.h].write(&mut bytes);
        let (ids, weights) = (self.telling_ids(), self.telling_weights());
        let (one_way, floors, edges) = (self.telling_one_way(), self.telling_floors(), self.telling_edges());
        let flag = |is_there: bool, flag: u8| if is_there { flag } else { 0 };
        bytes.push(
            flag(ids.is_some(), HAS_IDS)
                | flag(weights.is_some(), HAS_WEIGHTS)
                | flag(one_way.is_some(), HAS_ONE_WAY)
                | flag(floors.is_some(), HAS_FLOORS)
                | flag(edges.is_some(), HAS_EDGES)
                | flag(self.link_table().is_some(), HAS_LINKS),
        );
        write_flags(&mut bytes, &self.solid_data());
        if let Some(ids) = ids {
            write_runs(&mut bytes, &ids, Saved::write);
        }
        if let Some(weights) = weights {
            write_runs(&mut bytes, &weights, Saved::write);
        }
        if let Some(one_way) = one_way {
            write_flags(&mut bytes, &flag_data(one_way));
        }
        if let Some(floors) = floors {
            write_runs(&mut bytes, &floors, Saved::write);
        }
        if let Some(edges) = edges {
            write_runs(&mut bytes, &edges, Saved::write);
        }
        if let Some(links) = self.link_table() {
            links.write(&mut bytes);
        }
        bytes
    }

    /// Returns the map that [`Terrain::to_bytes`] saved.
    ///
    /// # Errors
    /// When the bytes are cut short, too many, or not a saved map.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, MapBytesError> {
        let mut reader = Reader::new(bytes, MARK)?;
        let [x, y, w, h] = reader.read()?;
        let region = CellRect::new(x, y, w, h);
        check_region(region)?;
        // Flags of a later version may add arrays that this one cannot read.
        let flags: u8 = reader.read()?;
        if flags & !(HAS_IDS | HAS_WEIGHTS | HAS_ONE_WAY | HAS_FLOORS | HAS_EDGES | HAS_LINKS) != 0 {
            return Err(BytesError::Value("unknown flags").into());
        }
        // Every run takes a byte: so a short text cannot ask for a large map's memory before it is found out.
        let mut terrain = Self::new(region)?;
        let cells = terrain.layout.cells();
        terrain.replace_solid(&read_flags(&mut reader, cells)?);
        if flags & HAS_IDS != 0 {
            terrain.set_terrain_data(&read_runs(&mut reader, cells, false, Saved::read)?)?;
        }
        if flags & HAS_WEIGHTS != 0 {
            terrain.set_weight_data(&read_runs(&mut reader, cells, false, Saved::read)?)?;
        }
        if flags & HAS_ONE_WAY != 0 {
            terrain.replace_one_way(&read_flags(&mut reader, cells)?);
        }
        if flags & HAS_FLOORS != 0 {
            let floors: Vec<f32> = read_runs(&mut reader, cells, false, Saved::read)?;
            if !floors.iter().all(|&floor| Floor::is_packed(floor)) {
                return Err(BytesError::Value("a floor has heights that no floor has").into());
            }
            terrain.replace_floors(&floors);
        }
        if flags & HAS_EDGES != 0 {
            terrain.set_edge_data(&read_runs(&mut reader, cells, false, Saved::read)?)?;
        }
        if flags & HAS_LINKS != 0 {
            terrain.read_links(&mut reader)?;
        }
        reader.end()?;
        Ok(terrain)
    }

    /// Returns a number that depends on the region and on every cell, the same on every machine; equal maps
    /// have equal hashes.
    pub fn state_hash(&self) -> u64 {
        let mut hash = Hash::<32>::default();
        let region = [self.region.x, self.region.y, self.region.w, self.region.h];
        for number in region {
            hash.add(u64::from(number.cast_unsigned()));
        }
        // Whole words, borders included: those are always zero.
        self.solid.words().iter().for_each(|word| hash.add(word));
        if let Some(ids) = self.telling_ids() {
            // Marks the array, so that ids never hash like weights of the same bits.
            hash.add(u64::from(HAS_IDS));
            for id in ids {
                hash.add(u64::from(id));
            }
        }
        if let Some(weights) = self.telling_weights() {
            hash.add(u64::from(HAS_WEIGHTS));
            for weight in weights {
                hash.add(u64::from(weight.to_bits()));
            }
        }
        if let Some(one_way) = self.telling_one_way() {
            hash.add(u64::from(HAS_ONE_WAY));
            one_way.words().iter().for_each(|word| hash.add(word));
        }
        if let Some(floors) = self.telling_floors() {
            hash.add(u64::from(HAS_FLOORS));
            for floor in floors {
                hash.add(u64::from(floor.to_bits()));
            }
        }
        if let Some(edges) = self.telling_edges() {
            hash.add(u64::from(HAS_EDGES));
            for sides in edges {
                hash.add(u64::from(sides));
            }
        }
        if let Some(links) = self.link_table() {
            hash.add(u64::from(HAS_LINKS));
            let mut bytes = Vec::new();
            links.write(&mut bytes);
            for byte in bytes {
                hash.add(u64::from(byte));
            }
        }
        hash.0
    }

    /// Returns the terrain ids, unless all are 0: an array of defaults means the same as none, so equal maps
    /// save alike.
    fn telling_ids(&self) -> Option<Vec<u8>> {
        self.ids().map(Raster::to_vec).filter(|ids| ids.iter().any(|&id| id != 0))
    }

    /// Returns the weights, unless all are 1.
    fn telling_weights(&self) -> Option<Vec<f32>> {
        // By bits, as floats are compared nowhere for equality; weights have no negative zero.
        let one = 1.0_f32.to_bits();
        self.weights().map(Raster::to_vec).filter(|w| w.iter().any(|w| w.to_bits() != one))
    }

    /// Returns the one-way flags, unless none is set.
    fn telling_one_way(&self) -> Option<&BitGrid> {
        self.one_way().filter(|one_way| one_way.words().iter().any(|word| word != 0))
    }

    /// Returns the edges, unless none is blocked.
    fn telling_edges(&self) -> Option<Vec<u8>> {
        self.edges()?;
        Some(self.edge_data()).filter(|edges| edges.iter().any(|&sides| sides != 0))
    }
}

fn write_length(bytes: &mut Vec<u8>, mut length: usize) {
    while length >= 0x80 {
        bytes.push(length as u8 | 0x80);
        length >>= 7;
    }
    bytes.push(length as u8);
}

/// Writes flags as the lengths of runs that alternate, the first of them 0.
fn write_flags(bytes: &mut Vec<u8>, flags: &[u8]) {
    // Data that begin with a 1 begin with an empty run.
    if flags.first() == Some(&1) {
        write_length(bytes, 0);
    }
    write_runs(bytes, flags, |_, _| ());
}

/// Reads what [`write_flags`] wrote.
fn read_flags(reader: &mut Reader<'_>, count: usize) -> Result<Vec<u8>, BytesError> {
    // Each run flips the value, so the first one is 0.
    let mut value = 1_u8;
    read_runs(reader, count, true, |_| {
        value ^= 1;
        Ok(value)
    })
}

fn write_runs<T: Copy + PartialEq>(bytes: &mut Vec<u8>, data: &[T], write: impl Fn(&T, &mut Vec<u8>)) {
    for run in data.chunk_by(|a, b| a == b) {
        write_length(bytes, run.len());
        write(&run[0], bytes);
    }
}

/// `count` elements from their runs. Only the first run may be empty, and only where `first_may_be_empty`.
fn read_runs<T: Copy>(
    reader: &mut Reader<'_>,
    count: usize,
    first_may_be_empty: bool,
    mut value: impl FnMut(&mut Reader<'_>) -> Result<T, BytesError>,
) -> Result<Vec<T>, BytesError> {
    let mut data = Vec::new();
    let mut is_first = first_may_be_empty;
    while data.len() < count {
        let length = read_length(reader)?;
        // `write_runs` writes no empty runs, and equal maps must have equal bytes.
        if length == 0 && !is_first || length > count - data.len() {
            return Err(BytesError::Value("a run's length does not fit the map"));
        }
        is_first = false;
        let value = value(reader)?;
        data.resize(data.len() + length, value);
    }
    Ok(data)
}

fn read_length(reader: &mut Reader<'_>) -> Result<usize, BytesError> {
    let mut length = 0;
    // Five digits of seven bits: enough for every count of cells, and a bound for damaged bytes.
    for shift in (0..35).step_by(7) {
        let byte: u8 = reader.read()?;
        length |= usize::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(length);
        }
    }
    Err(BytesError::Value("a run's length has too many digits"))
}
