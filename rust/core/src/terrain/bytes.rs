//! Saving: a small, checked, machine-independent form of a map, and a hash of its state.
//!
//! Layout, all numbers little-endian: `PFG1`, region x, y, w, h as `i32`, one byte of flags (1: terrain ids follow,
//! 2: weights follow), then each array as runs, row by row over the map: a run is its length as a LEB128 number and
//! the value (solid: nothing, as runs alternate beginning with open; terrain: one byte; weight: an `f32`).

use super::{Terrain, check_region};
use crate::error::EditError;
use crate::geometry::CellRect;
use crate::raster::Raster;

const MAGIC: &[u8; 4] = b"PFG1";
const HAS_IDS: u8 = 1;
const HAS_WEIGHTS: u8 = 2;

impl Terrain {
    /// The map as bytes, for saving.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for number in [self.region.x, self.region.y, self.region.w, self.region.h] {
            bytes.extend(number.to_le_bytes());
        }
        let (ids, weights) = (self.telling_ids(), self.telling_weights());
        let flags = if ids.is_some() { HAS_IDS } else { 0 } | if weights.is_some() { HAS_WEIGHTS } else { 0 };
        bytes.push(flags);
        let solid = self.solid_data();
        if solid.first() == Some(&1) {
            write_length(&mut bytes, 0);
        }
        write_runs(&mut bytes, &solid, |_, _| ());
        if let Some(ids) = ids {
            write_runs(&mut bytes, &ids, Vec::push);
        }
        if let Some(weights) = weights {
            write_runs(&mut bytes, &weights, |bytes, weight| bytes.extend(weight.to_le_bytes()));
        }
        bytes
    }

    /// The map that [`Terrain::to_bytes`] saved.
    ///
    /// # Errors
    /// When the bytes are cut short, too many, or not a saved map.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, EditError> {
        let mut reader = Reader { rest: bytes };
        if reader.take::<4>()? != *MAGIC {
            return Err(bad("they do not begin with PFG1"));
        }
        let mut number = || reader.take().map(i32::from_le_bytes);
        let region = CellRect::new(number()?, number()?, number()?, number()?);
        check_region(region)?;
        let [flags] = reader.take()?;
        if flags & !(HAS_IDS | HAS_WEIGHTS) != 0 {
            return Err(bad("unknown flags"));
        }
        // Every run takes a byte: so a short text cannot ask for a large map's memory before it is found out.
        let mut terrain = Self::new(region)?;
        let cells = terrain.shape.cells();
        let mut value = 1_u8;
        let solid = reader.runs(cells, true, |_| {
            value ^= 1;
            Ok(value)
        })?;
        terrain.set_solid_data(&solid)?;
        if flags & HAS_IDS != 0 {
            let ids = reader.runs(cells, false, |reader| reader.take().map(|[id]: [u8; 1]| id))?;
            terrain.set_terrain_data(&ids)?;
        }
        if flags & HAS_WEIGHTS != 0 {
            let weights = reader.runs(cells, false, |reader| reader.take().map(f32::from_le_bytes))?;
            terrain.set_weight_data(&weights)?;
        }
        if reader.rest.is_empty() { Ok(terrain) } else { Err(bad("there are more than the map needs")) }
    }

    /// A number that depends on the region and on every cell, the same on every machine; equal maps have equal hashes.
    pub fn state_hash(&self) -> u64 {
        let mut hash = Fnv::default();
        let region = [self.region.x, self.region.y, self.region.w, self.region.h];
        for number in region {
            hash.add(u64::from(number.cast_unsigned()));
        }
        self.solid.words().iter().for_each(|word| hash.add(word));
        if let Some(ids) = self.telling_ids() {
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
        hash.0
    }

    /// The terrain ids, unless all are 0: an array of defaults means the same as none, so equal maps save alike.
    fn telling_ids(&self) -> Option<Vec<u8>> {
        self.ids().map(Raster::to_vec).filter(|ids| ids.iter().any(|&id| id != 0))
    }

    /// The weights, unless all are 1.
    fn telling_weights(&self) -> Option<Vec<f32>> {
        let one = 1.0_f32.to_bits();
        self.weights().map(Raster::to_vec).filter(|w| w.iter().any(|w| w.to_bits() != one))
    }
}

/// Fowler–Noll–Vo over 64-bit words, with a mixing step, since a word's upper bits would not reach the lower ones.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn add(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        self.0 = mixed ^ mixed >> 32;
    }
}

fn bad(what: &'static str) -> EditError {
    EditError::BadBytes { what }
}

fn write_length(bytes: &mut Vec<u8>, mut length: usize) {
    while length >= 0x80 {
        bytes.push(length as u8 | 0x80);
        length >>= 7;
    }
    bytes.push(length as u8);
}

fn write_runs<T: Copy + PartialEq>(bytes: &mut Vec<u8>, data: &[T], write: impl Fn(&mut Vec<u8>, T)) {
    for run in data.chunk_by(|a, b| a == b) {
        write_length(bytes, run.len());
        write(bytes, run[0]);
    }
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], EditError> {
        let (head, rest) = self.rest.split_first_chunk::<N>().ok_or(bad("they are cut short"))?;
        self.rest = rest;
        Ok(*head)
    }

    fn length(&mut self) -> Result<usize, EditError> {
        let mut length = 0;
        for shift in (0..35).step_by(7) {
            let [byte] = self.take()?;
            length |= usize::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(length);
            }
        }
        Err(bad("a run's length has too many digits"))
    }

    /// `count` elements from their runs. Only the first run may be empty, and only where `first_may_be_empty`.
    fn runs<T: Copy>(
        &mut self,
        count: usize,
        first_may_be_empty: bool,
        mut value: impl FnMut(&mut Self) -> Result<T, EditError>,
    ) -> Result<Vec<T>, EditError> {
        let mut data = Vec::new();
        let mut is_first = first_may_be_empty;
        while data.len() < count {
            let length = self.length()?;
            if length == 0 && !is_first || length > count - data.len() {
                return Err(bad("a run's length does not fit the map"));
            }
            is_first = false;
            let value = value(self)?;
            data.resize(data.len() + length, value);
        }
        Ok(data)
    }
}
