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
    /// Returns all agents and their orders as bytes for [method from_bytes]: for saved games and for the
    /// start of a lockstep game. The field of a [FlowField] node is stored by its place only.
    #[func]
    fn to_bytes(&self) -> PackedByteArray {
        let mut bytes = SavedGuidance::GAME_MARK.as_bytes().to_vec();
        self.guidance.write(&self.crowd, &mut bytes);
        // As bits, so that what is loaded is the same to the last one.
        let bits = |color: &[f32; 4]| color.map(f32::to_bits);
        self.colors.iter().map(bits).collect::<Vec<ColorBits>>().write(&mut bytes);
        PackedByteArray::from(bytes)
    }

    /// Restores all agents from bytes of [method to_bytes], and returns [code]true[/code] on success. After
    /// an error nothing has changed.
    ///
    /// - Agents that followed a [FlowField] node go on if this crowd follows a field with the same place.
    ///   Otherwise they stop.
    /// - Agents follow later edits of their [PathForgeProfile] if this crowd had the profile at the same
    ///   place, with the saved values, or adds agents with it later.
    #[func(gd_self)]
    fn from_bytes(mut this: Gd<Self>, bytes: PackedByteArray) -> bool {
        let read =
            read(bytes.as_slice()).map_err(|problem| format!("the bytes are not a saved crowd: {problem}"));
        let Some((saved, colors)) = reported("PathForgeCrowd.from_bytes", read) else { return false };
        let mut this = this.bind_mut();
        // Bytes hold the values of profiles, not the resources: a resource keeps its number where the values
        // are the same.
        let former = this.guidance.profiles().to_vec();
        this.crowd = this.guidance.restore(saved);
        this.colors = colors;
        this.keep_sources(&former);
        this.look.moved();
        true
    }

    /// Returns a number that depends on the whole state of the crowd, without the map and the fields of
    /// nodes. In a lockstep game, all players must have the same number after the same steps.
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
