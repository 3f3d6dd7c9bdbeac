//! Neighbour lists: the few agents whose discs are nearest to each agent's own.
//!
//! Distances are from edge to edge. Large bodies have more neighbours, because more fit around them.

use wide::{f32x4, u32x4};

use super::body::Body;
use super::lattice::{LANES, Lattice};
use super::solver::NEIGHBOURS_MAX;
use crate::bytes::{BytesError, Reader, Saved};

/// Neighbours that an agent steers clear of; bigger ones have more around them.
const NEIGHBOURS: usize = 6;
/// From this radius on, an agent is big, in cells.
const BIG: f32 = 0.75;
/// Agents that are gathered before the nearest of them are taken: a power of two.
const HITS: usize = 64;
/// The bits of a key that hold the number of a hit.
const NUMBER: u32 = HITS as u32 - 1;

/// The nearest neighbours of an agent, the nearest first.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Near {
    count: u32,
    places: [u32; NEIGHBOURS_MAX],
}

impl Near {
    /// Where they are in the arrays.
    #[inline]
    pub fn places(&self) -> &[u32] {
        &self.places[..(self.count as usize).min(NEIGHBOURS_MAX)]
    }

    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.places().iter().map(|&place| place as usize)
    }
}

impl Saved for Near {
    const BYTES_MIN: usize = 1;

    fn write(&self, bytes: &mut Vec<u8>) {
        (self.places().len() as u8).write(bytes);
        self.places().iter().for_each(|place| place.write(bytes));
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, BytesError> {
        let mut near = Self { count: reader.read::<u8>()?.into(), ..Self::default() };
        let places = near.places.get_mut(..near.count as usize);
        for place in places.ok_or(BytesError::Value("an agent has too many neighbours"))? {
            *place = reader.read()?;
        }
        Ok(near)
    }
}

/// The agent that looks, and how far.
struct Search {
    at: [f32; 2],
    radius: f32,
    own: u32,
    look: f32,
    radius_max: f32,
}

/// Agents that are close, and how close: memory of a search. No two keys are equal in the end.
pub(super) struct Hits {
    keys: [f32; HITS],
    places: [u32; HITS],
}

impl Default for Hits {
    fn default() -> Self {
        Self { keys: [0.0; HITS], places: [0; HITS] }
    }
}

impl Hits {
    /// The neighbours of `body`, which is at `own` in the arrays, of the agents whose discs are at most `look` away; no disc is
    /// larger than `radius_max`.
    pub fn nearest(
        &mut self,
        lattice: &Lattice,
        body: &Body,
        own: usize,
        look: f32,
        radius_max: f32,
    ) -> Near {
        let by = Search { at: body.at, radius: body.radius, own: own as u32, look, radius_max };
        if body.radius < BIG {
            self.nearest_of::<NEIGHBOURS>(lattice, &by)
        } else {
            self.nearest_of::<NEIGHBOURS_MAX>(lattice, &by)
        }
    }

    #[inline]
    fn nearest_of<const K: usize>(&mut self, lattice: &Lattice, by: &Search) -> Near {
        let reach = by.radius + by.look;
        let square = reach + by.radius_max;
        let low = [by.at[0] - square, by.at[1] - square];
        let high = [by.at[0] + square, by.at[1] + square];
        let (own_x, own_y) = (f32x4::splat(by.at[0]), f32x4::splat(by.at[1]));
        let (own_radius, reach) = (f32x4::splat(by.radius), f32x4::splat(reach));
        let own = u32x4::splat(by.own);
        let mut count = 0;
        for row in lattice.within(low, high) {
            for block in row {
                let (dx, dy) = (f32x4::new(block.x) - own_x, f32x4::new(block.y) - own_y);
                let radius = f32x4::new(block.radius);
                let distance2 = dx * dx + dy * dy;
                let (limit, touch) = (reach + radius, own_radius + radius);
                let is_close = distance2.simd_lt(limit * limit).to_bitmask();
                let is_own = u32x4::new(block.place).simd_eq(own).to_bitmask();
                let is_near = is_close & !is_own;
                let keys = (distance2 - touch * touch).to_array();
                if count > HITS - LANES {
                    count = self.keep::<K>(count);
                }
                for (lane, (&key, &place)) in keys.iter().zip(&block.place).enumerate() {
                    let n = count & (HITS - 1);
                    (self.keys[n], self.places[n]) = (key, place);
                    count += (is_near >> lane & 1) as usize;
                }
            }
        }
        count = self.keep::<K>(count);
        let mut near = Near { count: count as u32, places: [0; NEIGHBOURS_MAX] };
        near.places[..K].copy_from_slice(&self.places[..K]);
        near
    }

    /// Leaves the `K` nearest of so many, sorted; returns how many are left. Each key is carried past all that are kept, and
    /// the smaller of two stays: no branch that would be guessed wrong half of the time.
    #[inline]
    fn keep<const K: usize>(&mut self, count: usize) -> usize {
        let mut kept = [f32::INFINITY; K];
        for (n, &key) in self.keys[..count].iter().enumerate() {
            // The number is in the last bits, which changes a key by less than one part in a hundred thousand.
            let mut key = f32::from_bits(key.to_bits() & !NUMBER | n as u32);
            for slot in &mut kept {
                let (less, more) = if key < *slot { (key, *slot) } else { (*slot, key) };
                (*slot, key) = (less, more);
            }
        }
        let mut places = [0; K];
        for (place, key) in places.iter_mut().zip(&kept) {
            *place = self.places[(key.to_bits() & NUMBER) as usize];
        }
        self.keys[..K].copy_from_slice(&kept);
        self.places[..K].copy_from_slice(&places);
        count.min(K)
    }
}
