//! Saving a crowd.
//!
//! Layout: the mark, the crowd and what leads it in the core's form, the colour of each id.

use godot::prelude::*;
use pathforge_core::bytes::{BytesError, Reader, Saved as _};
use pathforge_core::guidance::SavedGuidance;

use super::PathForgeCrowd;
use crate::engine::errors::reported;

/// The bits of a colour: those of an overbright or infinite one are kept, too.
type ColorBits = [u32; 4];

#[godot_api(secondary)]
impl PathForgeCrowd {
    /// Returns all agents and their orders, in a form that [method from_bytes] reads, for saved games and for
    /// starting a lockstep game. A node's field is named by its place only.
    #[func]
    fn to_bytes(&self) -> PackedByteArray {
        let mut bytes = SavedGuidance::GAME_MARK.as_bytes().to_vec();
        self.guidance.write(&self.crowd, &mut bytes);
        // As bits, so that what is loaded is the same to the last one.
        let bits = |color: &[f32; 4]| color.map(f32::to_bits);
        self.colors.iter().map(bits).collect::<Vec<ColorBits>>().write(&mut bytes);
        PackedByteArray::from(bytes)
    }

    /// Restores all agents from bytes that [method to_bytes] made. Returns [code]true[/code] if it could;
    /// after an error nothing has changed. Agents that followed a node's field go on when this crowd follows
    /// a field with the same place, and stop otherwise. Agents follow the edits of their [PathForgeProfile]
    /// when this crowd had it at the same place, with the values that were saved, or has agents added with it
    /// later.
    #[func(gd_self)]
    fn from_bytes(mut this: Gd<Self>, bytes: PackedByteArray) -> bool {
        let read =
            read(bytes.as_slice()).map_err(|problem| format!("the bytes are not a saved crowd: {problem}"));
        let Some((saved, colors)) = reported("PathForgeCrowd.from_bytes", read) else { return false };
        let mut this = this.bind_mut();
        // Bytes hold what profiles say, not the resources: one stays with its number where that says the same
        // as before.
        let former = this.guidance.profiles().to_vec();
        this.crowd = this.guidance.restore(saved);
        this.colors = colors;
        this.keep_sources(&former);
        this.look.moved();
        true
    }

    /// Returns a number that depends on everything that later steps depend on, apart from the map and the
    /// fields of nodes: in a lockstep game, all players must have the same after the same steps.
    #[func]
    fn state_hash(&self) -> i64 {
        self.crowd.state_hash().cast_signed()
    }
}

fn read(bytes: &[u8]) -> Result<(SavedGuidance, Vec<[f32; 4]>), BytesError> {
    let mut reader = Reader::new(bytes, SavedGuidance::GAME_MARK)?;
    let saved = SavedGuidance::read(&mut reader)?;
    let colors = reader.read::<Vec<ColorBits>>()?;
    reader.end()?;
    Ok((saved, colors.into_iter().map(|bits| bits.map(f32::from_bits)).collect()))
}
