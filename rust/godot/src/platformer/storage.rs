//! The hidden property that keeps the node's own cells in the scene.
//!
//! Bytes: version, whether the solid cells are the node's own, position and size of the region (four `i32`, little
//! endian), then two bits a cell, lowest first: solid, one-way.

use godot::prelude::*;
use pathforge_core::geometry::CellRect;
use pathforge_core::platformer::PlatformerMap;

use super::PathForgePlatformer;
use crate::errors::reported;

const VERSION: u8 = 1;
const HEAD: usize = 18;

impl PathForgePlatformer {
    /// What is saved; nothing when there is nothing to save.
    pub(super) fn cells_for_the_scene(&self) -> PackedByteArray {
        let map = self.platformer.map();
        let (solid, one_way) = (map.solid_data(), map.one_way_data());
        let nothing = !self.owns && !one_way.contains(&1);
        if !self.store_cells || nothing || map.region().is_empty() {
            return PackedByteArray::new();
        }
        let CellRect { x, y, w, h } = map.region();
        let mut bytes = vec![VERSION, u8::from(self.owns)];
        bytes.extend([x, y, w, h].into_iter().flat_map(i32::to_le_bytes));
        let cells: Vec<u8> = solid.iter().zip(&one_way).map(|(s, o)| s | o << 1).collect();
        bytes.extend(cells.chunks(4).map(|four| four.iter().rev().fold(0, |byte, cell| byte << 2 | cell)));
        PackedByteArray::from(bytes)
    }

    /// Takes what was saved. A region that the scene gave before is kept.
    pub(super) fn take_cells_of_the_scene(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        let Some((owns, map)) = reported("PathForgePlatformer._stored_cells", read(bytes)) else { return };
        let region = self.platformer.map().region();
        let keeps = self.owns && region != map.region();
        let fitted = if keeps { map.resized(region) } else { Ok(map) };
        if let Some(map) = reported("PathForgePlatformer._stored_cells", fitted) {
            self.owns |= owns;
            self.replace_map(map);
        }
    }
}

fn read(bytes: &[u8]) -> Result<(bool, PlatformerMap), String> {
    let broken = || "the saved cells are cut short or of another version".to_owned();
    if bytes.len() < HEAD || bytes[0] != VERSION {
        return Err(broken());
    }
    let number = |at: usize| i32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let region = CellRect::new(number(2), number(6), number(10), number(14));
    let mut map = PlatformerMap::new(region).map_err(|error| error.to_string())?;
    let cells = map.layout().cells();
    let packed = &bytes[HEAD..];
    if packed.len() != cells.div_ceil(4) {
        return Err(broken());
    }
    let bit = |bit: u32| -> Vec<u8> {
        (0..cells).map(|at| packed[at / 4] >> (2 * (at % 4) as u32 + bit) & 1).collect()
    };
    map.set_solid_data(&bit(0)).map_err(|error| error.to_string())?;
    map.set_one_way_data(&bit(1)).map_err(|error| error.to_string())?;
    Ok((bytes[1] != 0, map))
}
