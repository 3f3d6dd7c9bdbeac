//! A resource as an argument that may be left out.

use std::fmt;

use godot::classes::Resource;
use godot::meta::GodotImmutable;
use godot::meta::error::ConvertError;
use godot::meta::shape::GodotShape;
use godot::obj::Bounds;
use godot::obj::Inherits;
use godot::obj::bounds::DeclUser;
use godot::prelude::*;

/// A resource of class `T`, or none.
pub struct ResourceArg<T: GodotClass>(pub Option<Gd<T>>);

impl<T: GodotClass> ResourceArg<T> {
    /// What a call without the argument means.
    pub const NONE: Self = Self(None);
}

// A derived one would ask for that of the class.
impl<T: GodotClass> Clone for ResourceArg<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: GodotClass> fmt::Debug for ResourceArg<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: GodotClass + Inherits<Resource> + Bounds<Declarer = DeclUser>> GodotConvert for ResourceArg<T> {
    type Via = Option<Gd<T>>;

    fn godot_shape() -> GodotShape {
        Self::Via::godot_shape()
    }
}

impl<T: GodotClass + Inherits<Resource> + Bounds<Declarer = DeclUser>> FromGodot for ResourceArg<T> {
    fn try_from_godot(via: Self::Via) -> Result<Self, ConvertError> {
        Ok(Self(via))
    }
}

impl<T: GodotClass + Inherits<Resource> + Bounds<Declarer = DeclUser>> ToGodot for ResourceArg<T> {
    // By value, as numbers are: the binding does not export the name.
    type Pass = <i64 as ToGodot>::Pass;

    fn to_godot(&self) -> Self::Via {
        self.0.clone()
    }
}

// SAFETY: the trait is asked for default values alone, and the only one is `ResourceArg::NONE`, which has nothing in it
// that could be changed or shared. The binding cannot give an object argument a default without this.
unsafe impl<T: GodotClass + Inherits<Resource> + Bounds<Declarer = DeclUser>> GodotImmutable
    for ResourceArg<T>
{
}
