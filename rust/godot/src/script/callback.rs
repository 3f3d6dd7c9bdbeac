//! Callbacks: what can be called, and calling it.

use godot::prelude::*;
use godot::sys::{self, GodotFfi};

use crate::script::optional_arg::CallbackArg;

impl CallbackArg {
    /// The callback, if there is one; an error says why it could not be called with a path, or a ticket and a
    /// path.
    pub fn checked(self) -> Result<Option<Callable>, String> {
        let callback = self.0;
        if callback.is_null() {
            return Ok(None);
        }
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
    // SAFETY: the callable, the arguments and the places of answer and error live until the call is over; the
    // answer's place holds a nil, which owns nothing.
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
