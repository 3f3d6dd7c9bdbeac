//! An argument that may be left out.

use godot::meta::error::ConvertError;
use godot::meta::shape::GodotShape;
use godot::meta::{GodotImmutable, GodotType};
use godot::prelude::*;

/// An argument that may be left out, as what a call without it means.
#[derive(Clone, Debug)]
pub struct OptionalArg<V>(pub V);

/// A callback, or an empty `Callable`.
pub type CallbackArg = OptionalArg<Callable>;
/// A resource of class `T`, or none.
pub type ResourceArg<T> = OptionalArg<Option<Gd<T>>>;

impl<T: GodotClass> ResourceArg<T> {
    /// What a call without the argument means.
    pub const NONE: Self = Self(None);
}

impl<T: GodotClass> From<Option<Gd<T>>> for ResourceArg<T> {
    fn from(resource: Option<Gd<T>>) -> Self {
        Self(resource)
    }
}

impl CallbackArg {
    /// What a call without the argument means.
    pub fn none() -> Self {
        Self(Callable::invalid())
    }
}

impl<V: GodotType + GodotConvert<Via = V>> GodotConvert for OptionalArg<V> {
    type Via = V;

    fn godot_shape() -> GodotShape {
        V::godot_shape()
    }
}

impl<V: GodotType + GodotConvert<Via = V>> FromGodot for OptionalArg<V> {
    fn try_from_godot(via: V) -> Result<Self, ConvertError> {
        Ok(Self(via))
    }
}

impl<V: GodotType + GodotConvert<Via = V> + Clone> ToGodot for OptionalArg<V> {
    // By value, as numbers are: the binding does not export the name.
    type Pass = <i64 as ToGodot>::Pass;

    fn to_godot(&self) -> V {
        self.0.clone()
    }
}

// SAFETY: the trait is asked for default values alone. Those are `NONE` and what `none` gives, which have
// nothing in them that could be changed: no object and no callable. The binding cannot give an argument of
// these types a default without this.
unsafe impl<V: GodotType + GodotConvert<Via = V> + Clone> GodotImmutable for OptionalArg<V> {}
