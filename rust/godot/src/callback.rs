//! A callback argument that may be left out.

use godot::meta::GodotImmutable;
use godot::meta::error::ConvertError;
use godot::meta::shape::GodotShape;
use godot::prelude::*;

/// A callback, or none.
#[derive(Clone, Debug)]
pub struct CallbackArg(Option<Callable>);

impl CallbackArg {
    /// What a call without the argument means.
    pub const NONE: Self = Self(None);

    /// The callback, if there is one; an error says why it could not be called with a path, or a ticket and a path.
    pub fn checked(self) -> Result<Option<Callable>, String> {
        let Some(callback) = self.0.filter(|callback| !callback.is_null()) else { return Ok(None) };
        if !callback.is_valid() {
            return Err(format!(
                "callback {callback} cannot be called: its object was freed or has no such method"
            ));
        }
        match callback.get_argument_count() {
            // Callables that can take any number, or do not tell, have 0 as well; they belong to no object.
            0 if callback.object().is_some() => {}
            0..=2 => return Ok(Some(callback)),
            _ => {}
        }
        let count = callback.get_argument_count();
        Err(format!("callback {callback} takes {count} arguments, not the path, or the ticket and the path"))
    }
}

impl From<Callable> for CallbackArg {
    fn from(callback: Callable) -> Self {
        Self(Some(callback))
    }
}

impl GodotConvert for CallbackArg {
    type Via = Callable;

    fn godot_shape() -> GodotShape {
        Self::Via::godot_shape()
    }
}

impl FromGodot for CallbackArg {
    fn try_from_godot(via: Callable) -> Result<Self, ConvertError> {
        Ok(Self(Some(via)))
    }
}

impl ToGodot for CallbackArg {
    // By value, as numbers are: the binding does not export the name.
    type Pass = <i64 as ToGodot>::Pass;

    fn to_godot(&self) -> Callable {
        self.0.clone().unwrap_or_else(Callable::invalid)
    }
}

// SAFETY: the trait is asked for default values alone, and the only one is `CallbackArg::NONE`, which has nothing in it that
// could be changed or shared.
unsafe impl GodotImmutable for CallbackArg {}
