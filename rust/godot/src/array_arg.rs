//! An array argument that may be left out.

use godot::builtin::AnyArray;
use godot::meta::GodotImmutable;
use godot::meta::error::ConvertError;
use godot::meta::shape::GodotShape;
use godot::prelude::*;
use pathforge_core::geometry::Cell;

use crate::convert;

/// An array argument that may be left out.
#[derive(Clone, Debug)]
pub struct ArrayArg(pub AnyArray);

impl ArrayArg {
    /// What a call without the argument means.
    pub fn none() -> Self {
        Self(VarArray::new().into_read_only().upcast_any_array())
    }

    /// The cells of an argument called `blocked`.
    pub fn blocked(&self) -> Result<Vec<Cell>, String> {
        convert::cells("blocked", &self.0)
    }
}

impl GodotConvert for ArrayArg {
    type Via = AnyArray;

    fn godot_shape() -> GodotShape {
        Self::Via::godot_shape()
    }
}

impl FromGodot for ArrayArg {
    fn try_from_godot(via: Self::Via) -> Result<Self, ConvertError> {
        Ok(Self(via))
    }
}

impl ToGodot for ArrayArg {
    // By value, as numbers are: the binding does not export the name.
    type Pass = <i64 as ToGodot>::Pass;

    fn to_godot(&self) -> Self::Via {
        self.0.clone()
    }
}

// SAFETY: the trait is asked for default values alone, and the only one is an empty array that is read-only.
unsafe impl GodotImmutable for ArrayArg {}
