//! A callback argument that may be left out.

use godot::meta::GodotImmutable;
use godot::meta::error::ConvertError;
use godot::meta::shape::GodotShape;
use godot::prelude::*;
use godot::sys::{self, GodotFfi};

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

/// Calls a callback; an error says which argument it does not take. `Callable::call` says nothing of that.
pub fn call(callback: &Callable, arguments: &[Variant]) -> Result<(), String> {
    let (callable, method) = (callback.to_variant(), StringName::from("call"));
    let pointers: Vec<_> = arguments.iter().map(|argument| argument.sys().cast()).collect();
    let (mut answer, mut error) = (Variant::nil(), sys::default_call_error());
    let call = sys::interface_fn!(variant_call);
    // SAFETY: the callable, the arguments and the places of answer and error live until the call is over; the answer's
    // place holds a nil, which owns nothing.
    unsafe {
        call(
            callable.sys().cast_mut().cast(),
            method.sys().cast(),
            pointers.as_ptr(),
            pointers.len() as i64,
            answer.sys_mut().cast(),
            &raw mut error,
        );
    }
    match error.error {
        sys::GDEXTENSION_CALL_OK => Ok(()),
        sys::GDEXTENSION_CALL_ERROR_INVALID_ARGUMENT => {
            let what = arguments.get(error.argument as usize).map_or(VariantType::NIL, Variant::get_type);
            let number = error.argument + 1;
            Err(format!("callback {callback} does not take {what:?}, which its argument {number} is"))
        }
        _ => Err(format!("callback {callback} cannot be called with {} arguments", arguments.len())),
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
