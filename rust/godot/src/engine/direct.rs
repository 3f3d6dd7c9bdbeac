//! Direct calls: the few verbs that games call for each cell, or for each unit and frame.
//!
//! gdext makes a `Gd<Self>` for every call, which asks the engine for the object's class by name; a call with
//! a default left out also allocates. Both take longer than reading a cell. So for these verbs a function of
//! our own is registered that finds the object's [`State`] by the pointer that Godot hands over, and answers
//! from it. What is not plain (an error to report, a state that is locked, an argument to convert) goes to
//! the method that was declared, which stays the one place that says what the verb does: a direct answer is
//! the same one, sooner, or none.
//!
//! The crate's `entry` registers these functions instead of gdext's.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::{Arc, OnceLock, Weak};

use godot::classes::Node;
use godot::obj::Inherits;
use godot::prelude::*;
use godot::private::{Storage, as_storage};
use godot::sys::{self, GodotFfi, PtrcallType};

use crate::engine::panics::{self, clear, clear_variant};
use crate::engine::state::{self, HasState, State};

/// Objects that a thread remembers, by their addresses. A power of two.
const REMEMBERED: usize = 4096;
/// Neighbouring objects differ in higher bits of their addresses than these.
const ALIGNMENT_BITS: u32 = 5;

/// The functions that gdext registers for a method.
#[derive(Clone, Copy)]
pub struct Declared {
    pub userdata: *mut c_void,
    pub call: sys::GDExtensionClassMethodCall,
    pub ptrcall: sys::GDExtensionClassMethodPtrCall,
}

/// The functions that are registered instead.
pub struct Functions(pub Declared);

/// A direct answer, and what is asked where it has none. Lives as long as the process, as methods do.
struct Direct<F> {
    declared: Declared,
    answer: F,
}

impl Declared {
    /// Asks `answer` first. It gets the object, its state and the arguments, and must not lock what is locked
    /// already.
    ///
    /// The types have to be those of the declared method.
    pub fn after<C, A, R, F>(self, answer: F) -> Functions
    where
        C: HasState + Inherits<Node> + Inherits<<C as GodotClass>::Base>,
        A: Arguments,
        R: GodotFfi + ToGodot + Default,
        F: Fn(&Gd<C>, &State<C::State>, A) -> Option<R> + 'static,
    {
        let direct = Box::leak(Box::new(Direct { declared: self, answer }));
        Functions(Self {
            userdata: std::ptr::from_mut(direct).cast(),
            call: Some(call::<C, A, R, F>),
            ptrcall: Some(ptrcall::<C, A, R, F>),
        })
    }
}

unsafe extern "C" fn ptrcall<C, A, R, F>(
    userdata: *mut c_void,
    instance: sys::GDExtensionClassInstancePtr,
    args: *const sys::GDExtensionConstTypePtr,
    ret: sys::GDExtensionTypePtr,
) where
    C: HasState + Inherits<Node> + Inherits<<C as GodotClass>::Base>,
    A: Arguments,
    R: GodotFfi + ToGodot + Default,
    F: Fn(&Gd<C>, &State<C::State>, A) -> Option<R>,
{
    // SAFETY: `after` registers this function with this userdata, for a method with these arguments and this
    // answer.
    let (direct, arguments) = unsafe { (&*userdata.cast::<Direct<F>>(), A::from_pointers(args)) };
    let Declared { userdata, ptrcall, .. } = direct.declared;
    match answer(&direct.answer, instance, arguments) {
        // SAFETY: as above.
        Answer::Found(answer) => unsafe { answer.move_return_ptr(ret, PtrcallType::Standard) },
        Answer::Ask => {
            if let Some(ptrcall) = ptrcall {
                // SAFETY: what Godot hands to this function is what it would hand to that one.
                unsafe { ptrcall(userdata, instance, args, ret) }
            }
        }
        // SAFETY: as above.
        Answer::Panicked => unsafe { clear(R::default().to_variant().get_type(), ret) },
    }
}

unsafe extern "C" fn call<C, A, R, F>(
    userdata: *mut c_void,
    instance: sys::GDExtensionClassInstancePtr,
    args: *const sys::GDExtensionConstVariantPtr,
    count: sys::GDExtensionInt,
    ret: sys::GDExtensionVariantPtr,
    error: *mut sys::GDExtensionCallError,
) where
    C: HasState + Inherits<Node> + Inherits<<C as GodotClass>::Base>,
    A: Arguments,
    R: GodotFfi + ToGodot + Default,
    F: Fn(&Gd<C>, &State<C::State>, A) -> Option<R>,
{
    // SAFETY: as in `ptrcall`; a variant is what its pointer points to.
    let (direct, variants) = unsafe {
        let variants =
            if count > 0 { std::slice::from_raw_parts(args.cast::<&Variant>(), count as usize) } else { &[] };
        (&*userdata.cast::<Direct<F>>(), variants)
    };
    let found = A::from_variants(variants)
        .map_or(Answer::Ask, |arguments| answer(&direct.answer, instance, arguments));
    let Declared { userdata, call, .. } = direct.declared;
    match found {
        // SAFETY: Godot hands over a variant and an error that it has initialised.
        Answer::Found(answer) => unsafe {
            // Without an answer, the nil that is there stays: to put another there takes two more calls of
            // Godot's.
            if size_of::<R>() > 0 {
                *ret.cast::<Variant>() = answer.to_variant();
            }
            (*error).error = sys::GDEXTENSION_CALL_OK;
        },
        Answer::Ask => {
            if let Some(call) = call {
                // SAFETY: as in `ptrcall`.
                unsafe { call(userdata, instance, args, count, ret, error) }
            }
        }
        // SAFETY: as above.
        Answer::Panicked => unsafe { clear_variant(R::default().to_variant().get_type(), ret, error) },
    }
}

/// What comes of a direct call.
enum Answer<R> {
    Found(R),
    /// The declared method has to be asked.
    Ask,
    /// Part of an edit may be done, so the declared method is not asked: it would edit again.
    Panicked,
}

fn answer<C, A, R>(
    answer: &impl Fn(&Gd<C>, &State<C::State>, A) -> Option<R>,
    instance: sys::GDExtensionClassInstancePtr,
    arguments: A,
) -> Answer<R>
where
    C: HasState + Inherits<Node> + Inherits<<C as GodotClass>::Base>,
{
    // A panic must not unwind into Godot.
    let found = catch_unwind(AssertUnwindSafe(|| {
        let known = remembered::<C>(instance);
        let state = known.state.upgrade()?;
        answer(&known.object, &state, arguments)
    }));
    match found {
        Ok(found) => found.map_or(Answer::Ask, Answer::Found),
        Err(why) => {
            panics::forget();
            // gdext's hook has printed where.
            let why = why
                .downcast_ref::<&str>()
                .copied()
                .or_else(|| why.downcast_ref::<String>().map(|why| &**why));
            godot_error!("{}: a call panicked: {}", C::class_id(), why.unwrap_or("for an unknown reason"));
            Answer::Panicked
        }
    }
}

/// An object that was called before.
struct Known<C: HasState> {
    /// A node: this does not keep it alive.
    object: Gd<C>,
    state: Weak<State<C::State>>,
}

#[derive(Clone)]
struct Slot {
    instance: sys::GDExtensionClassInstancePtr,
    /// How many objects had gone when this was written: later, another object may be at the same address.
    gone: usize,
    known: Rc<dyn Any>,
}

thread_local! {
    static LATEST: RefCell<Box<[Option<Slot>]>> = RefCell::new(vec![None; REMEMBERED].into());
}

fn remembered<C>(instance: sys::GDExtensionClassInstancePtr) -> Rc<Known<C>>
where
    C: HasState + Inherits<Node> + Inherits<<C as GodotClass>::Base>,
{
    let number = (instance as usize >> ALIGNMENT_BITS) % REMEMBERED;
    let gone = state::gone();
    let known = LATEST.with_borrow(|latest| match &latest[number] {
        Some(slot) if slot.instance == instance && slot.gone == gone => Some(Rc::clone(&slot.known)),
        _ => None,
    });
    known.and_then(|known| known.downcast().ok()).unwrap_or_else(|| {
        // SAFETY: Godot calls methods of a class with the storage that gdext made for an object of that
        // class.
        let object = unsafe { as_storage::<C>(instance) }.get_gd();
        let known = Rc::new(Known { state: Arc::downgrade(&state::of(&object)), object });
        let slot = Slot { instance, gone, known: known.clone() };
        let earlier = LATEST.with_borrow_mut(|latest| latest[number].replace(slot));
        drop(earlier);
        known
    })
}

/// The arguments of a direct call.
pub trait Arguments: Sized {
    /// # Safety
    /// `args` are the arguments of a call of a method that takes these types.
    unsafe fn from_pointers(args: *const sys::GDExtensionConstTypePtr) -> Self;

    /// `None` where there is anything to convert.
    fn from_variants(variants: &[&Variant]) -> Option<Self>;
}

/// One of them.
pub trait Argument: Sized {
    /// # Safety
    /// `pointer` points to an argument of this type.
    unsafe fn from_pointer(pointer: sys::GDExtensionConstTypePtr) -> Self;

    fn from_variant(variant: Option<&Variant>) -> Option<Self>;
}

/// Returns where a variant of type `wanted` has its value; `None` for one of another type. gdext's conversion
/// copies the value by three calls of Godot's functions.
fn value_of(variant: &Variant, wanted: VariantType) -> Option<sys::GDExtensionConstTypePtr> {
    let (pointer, wanted) = (std::ptr::from_ref(variant).cast_mut().cast(), wanted.sys());
    // SAFETY: both functions read the variant; the second is the one for its type.
    unsafe {
        let is_wanted = sys::interface_fn!(variant_get_type)(pointer) == wanted;
        let getter = is_wanted.then(|| sys::interface_fn!(variant_get_ptr_internal_getter)(wanted))??;
        Some(getter(pointer).cast_const().cast())
    }
}

macro_rules! impl_argument {
    ($($Type:ty = $NAME:ident),*) => {$(
        impl Argument for $Type {
            unsafe fn from_pointer(pointer: sys::GDExtensionConstTypePtr) -> Self {
                // SAFETY: as the caller says.
                unsafe { <Self as GodotFfi>::from_arg_ptr(pointer.cast_mut(), PtrcallType::Standard) }
            }

            fn from_variant(variant: Option<&Variant>) -> Option<Self> {
                let pointer = value_of(variant?, VariantType::$NAME)?;
                // SAFETY: a variant of this type has a value of it, as calls by pointer hand it over.
                Some(unsafe { Self::from_pointer(pointer) })
            }
        }
    )*};
}

impl_argument!(bool = BOOL, Vector2i = VECTOR2I, Vector2 = VECTOR2, f64 = FLOAT, i64 = INT);

/// Whether an object argument is `null` or left out. Nothing is asked of an object: that needs the declared
/// method.
pub struct IsNull(pub bool);

impl Argument for IsNull {
    unsafe fn from_pointer(pointer: sys::GDExtensionConstTypePtr) -> Self {
        // SAFETY: as the caller says. An object is handed over as a pointer to the pointer to it; `null` is such
        // a null pointer, or no pointer at all.
        Self(pointer.is_null() || unsafe { (*pointer.cast::<sys::GDExtensionObjectPtr>()).is_null() })
    }

    fn from_variant(variant: Option<&Variant>) -> Option<Self> {
        Some(Self(variant.is_none_or(Variant::is_nil)))
    }
}

/// `None` where a default is meant.
impl<T: Argument> Argument for Option<T> {
    unsafe fn from_pointer(pointer: sys::GDExtensionConstTypePtr) -> Self {
        // SAFETY: as the caller says.
        Some(unsafe { T::from_pointer(pointer) })
    }

    fn from_variant(variant: Option<&Variant>) -> Option<Self> {
        if variant.is_none() { Some(None) } else { T::from_variant(variant).map(Some) }
    }
}

impl Arguments for () {
    unsafe fn from_pointers(_args: *const sys::GDExtensionConstTypePtr) -> Self {}

    fn from_variants(variants: &[&Variant]) -> Option<Self> {
        variants.is_empty().then_some(())
    }
}

macro_rules! impl_arguments {
    ($count:literal; $($T:ident $n:tt),*) => {
        impl<$($T: Argument),*> Arguments for ($($T,)*) {
            unsafe fn from_pointers(args: *const sys::GDExtensionConstTypePtr) -> Self {
                // SAFETY: as the caller says.
                unsafe { ($($T::from_pointer(*args.add($n)),)*) }
            }

            fn from_variants(variants: &[&Variant]) -> Option<Self> {
                if variants.len() > $count {
                    return None;
                }
                Some(($($T::from_variant(variants.get($n).copied())?,)*))
            }
        }
    };
}

impl_arguments!(1; A 0);
impl_arguments!(2; A 0, B 1);
impl_arguments!(3; A 0, B 1, C 2);

/// What gdext and Godot call `Object.has_connections` by.
const HAS_CONNECTIONS_HASH: i64 = 2_619_796_661;

/// Returns `true` if anything is connected to `signal` of an object whose method is running. The binding's
/// own method looks the object and its class up first, which takes longer than an edit of a cell.
pub fn has_connections<T: GodotClass>(object: &Gd<T>, signal: &StringName) -> bool {
    static METHOD: OnceLock<usize> = OnceLock::new();
    let method = *METHOD.get_or_init(|| {
        let (class, name) = (StringName::from("Object"), StringName::from("has_connections"));
        let find = sys::interface_fn!(classdb_get_method_bind);
        // SAFETY: both names live until the call is over.
        unsafe { find(class.sys().cast(), name.sys().cast(), HAS_CONNECTIONS_HASH) as usize }
    });
    if method == 0 {
        // A Godot in which the method takes or returns something else: the signal is emitted in any case.
        return true;
    }
    let (arguments, mut answer) = ([signal.sys()], 0_u8);
    let ask = sys::interface_fn!(object_method_bind_ptrcall);
    // SAFETY: the object lives; the hash stands for one name as the argument and a boolean as the answer.
    unsafe {
        ask(
            method as sys::GDExtensionMethodBindPtr,
            object.obj_sys(),
            arguments.as_ptr(),
            (&raw mut answer).cast(),
        );
    }
    answer != 0
}
