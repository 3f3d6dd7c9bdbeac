//! Calls that panic, which is a defect of this library. gdext catches and prints the panic, and leaves the answer
//! as the caller has handed it over: that of an earlier call, perhaps. So the answer is made empty, as that of a
//! refused call is: the default of its type.

use std::cell::Cell;
use std::panic::{set_hook, take_hook};

use godot::prelude::*;
use godot::sys;

thread_local! {
    static SEEN: Cell<u32> = const { Cell::new(0) };
}

/// Counts panics from now on, beside what is done about them already.
pub fn watch() {
    let before = take_hook();
    set_hook(Box::new(move |panic| {
        SEEN.set(SEEN.get().wrapping_add(1));
        before(panic);
    }));
}

/// Calls `work`; returns `true` if this thread has panicked in it, in no call within it.
pub fn panics(work: impl FnOnce()) -> bool {
    let before = SEEN.get();
    work();
    SEEN.replace(before) != before
}

/// The last panic was seen to.
pub fn forget() {
    SEEN.set(SEEN.get().wrapping_sub(1));
}

/// Makes the answer of a typed call empty. An object stays.
///
/// # Safety
/// `answer` points to a value of this type.
pub unsafe fn clear(of_type: VariantType, answer: sys::GDExtensionTypePtr) {
    if matches!(of_type, VariantType::NIL | VariantType::OBJECT) {
        return;
    }
    // SAFETY: these are Godot's functions for values of this type; each has a constructor without arguments,
    // the first.
    unsafe {
        if let Some(destroy) = sys::interface_fn!(variant_get_ptr_destructor)(of_type.sys()) {
            destroy(answer);
        }
        if let Some(construct) = sys::interface_fn!(variant_get_ptr_constructor)(of_type.sys(), 0) {
            construct(answer.cast(), std::ptr::null());
        }
    }
}

/// Makes the answer of an untyped call empty, and ends the call as any other.
///
/// # Safety
/// Both point to what Godot has initialised.
pub unsafe fn clear_variant(
    of_type: VariantType,
    answer: sys::GDExtensionVariantPtr,
    error: *mut sys::GDExtensionCallError,
) {
    // SAFETY: as the caller promises.
    unsafe {
        (*error).error = sys::GDEXTENSION_CALL_OK;
        *answer.cast::<Variant>() = Variant::nil();
        // A script that knows the type of the answer reads it as such.
        if !matches!(of_type, VariantType::NIL | VariantType::OBJECT) {
            sys::interface_fn!(variant_construct)(of_type.sys(), answer.cast(), std::ptr::null(), 0, error);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    #[test]
    fn a_panic_is_seen_where_it_is_caught() {
        watch();
        let fail = || drop(catch_unwind(|| panic!("on purpose")));
        assert!(panics(fail));
        assert!(!panics(|| assert!(panics(fail))), "it is the inner call's");
        assert!(!panics(|| {
            fail();
            forget();
        }));
    }
}
