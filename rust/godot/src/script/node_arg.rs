//! A node as an argument, which may be gone.
//!
//! The binding refuses a freed object before a method of ours can look at it, and Godot then speaks of a bug.
//! So such arguments are taken as they come; help shows the class that is wanted.

use std::fmt;
use std::marker::PhantomData;

use godot::builtin::AnyArray;
use godot::classes::{Node, TileMapLayer};
use godot::meta::GodotImmutable;
use godot::meta::error::ConvertError;
use godot::meta::shape::GodotShape;
use godot::obj::Inherits;
use godot::prelude::*;
use godot::register::info::{ParamMetadata, PropertyHintInfo, PropertyUsageFlags};

/// A `T`, or whatever a script gave instead.
pub struct NodeArg<T>(Variant, PhantomData<T>);

// The binding asks for these; derived ones would ask for those of the class.
impl<T> Clone for NodeArg<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone(), PhantomData)
    }
}

// SAFETY: the trait is asked for default values alone, which are what `none` gives: null, in which nothing
// could be changed.
unsafe impl<T: GodotClass> GodotImmutable for NodeArg<T> {}

impl<T> fmt::Debug for NodeArg<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: GodotClass + Inherits<Node>> From<Option<Gd<T>>> for NodeArg<T> {
    fn from(node: Option<Gd<T>>) -> Self {
        Self(node.to_variant(), PhantomData)
    }
}

impl<T: GodotClass + Inherits<Object>> NodeArg<T> {
    /// What an argument is that a script leaves out.
    pub fn none() -> Self {
        Self(Variant::nil(), PhantomData)
    }

    /// The node, none for `null`, or what is wrong with the argument `name`.
    pub fn optional(&self, name: &str) -> Result<Option<Gd<T>>, String> {
        if self.0.is_nil() { Ok(None) } else { self.node(name).map(Some) }
    }

    /// The node, or what is wrong with the argument `name`.
    pub fn node(&self, name: &str) -> Result<Gd<T>, String> {
        if self.0.is_nil() {
            return Err(format!("{name} is null"));
        }
        if let Ok(node) = self.0.try_to::<Gd<T>>() {
            return Ok(node);
        }
        let wanted = T::class_id();
        Err(match self.0.try_to::<Gd<Object>>() {
            Ok(other) => {
                let class = other.get_class().to_string();
                format!("{name} is a {class}, not a {wanted}{}", hint::<T>(&class))
            }
            Err(_) if self.0.get_type() == VariantType::OBJECT => format!("{name} was freed"),
            Err(_) => format!("{name} is {}, not a {wanted}", self.0),
        })
    }
}

/// What to give instead of an object of `class`: a `TileMap` of an older project has the layers that are
/// wanted.
fn hint<T: GodotClass>(class: &str) -> &'static str {
    let is_near = class == "TileMap" && T::class_id() == TileMapLayer::class_id();
    if is_near {
        "; its layers are its children, hidden in the editor: get_child(0, true) is the first"
    } else {
        ""
    }
}

fn is_living_tile_map(element: &Variant) -> bool {
    element.try_to::<Gd<Object>>().is_ok_and(|object| object.is_class("TileMap"))
}

/// The objects of class `T` in an array argument, or what is wrong with one.
pub fn all<T: GodotClass + Inherits<Object>>(name: &str, array: &AnyArray) -> Result<Vec<Gd<T>>, String> {
    let wanted = T::class_id();
    let each = array.iter_shared().enumerate().map(|(index, element)| {
        let object = element.try_to::<Gd<T>>().ok().filter(Gd::is_instance_valid);
        object.ok_or_else(|| match element.get_type() {
            VariantType::OBJECT if is_living_tile_map(&element) => {
                format!("{name}[{index}] is a TileMap, not a {wanted}{}", hint::<T>("TileMap"))
            }
            VariantType::OBJECT => format!("{name}[{index}] is not a {wanted}, or was freed"),
            _ => format!("{name}[{index}] is {element}, not a {wanted}"),
        })
    });
    each.collect()
}

impl<T: GodotClass> GodotConvert for NodeArg<T> {
    type Via = Variant;

    fn godot_shape() -> GodotShape {
        GodotShape::Custom {
            variant_type: VariantType::NIL,
            var_hint: PropertyHintInfo::none(),
            export_hint: PropertyHintInfo::none(),
            class_name: Some(T::class_id().to_cow_str()),
            usage_flags: PropertyUsageFlags::NIL_IS_VARIANT,
            metadata: ParamMetadata::NONE,
        }
    }
}

impl<T: GodotClass> FromGodot for NodeArg<T> {
    fn try_from_godot(via: Variant) -> Result<Self, ConvertError> {
        Ok(Self(via, PhantomData))
    }
}

impl<T: GodotClass> ToGodot for NodeArg<T> {
    // By value: the binding does not export the name.
    type Pass = <i64 as ToGodot>::Pass;

    fn to_godot(&self) -> Variant {
        self.0.clone()
    }
}

/// A node as a property: scripts and the inspector see one of its class. Its methods take and give a
/// [`NodeArg`]. A parameter of the class itself would be read as a pointer, also to a node that was freed.
///
/// The binding knows by the name that the field is never read.
pub struct PhantomVar<T>(PhantomData<fn() -> T>);

impl<T> Default for PhantomVar<T> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<T: GodotClass> GodotConvert for PhantomVar<T>
where
    Option<Gd<T>>: GodotConvert,
{
    type Via = <Option<Gd<T>> as GodotConvert>::Via;

    fn godot_shape() -> GodotShape {
        Option::<Gd<T>>::godot_shape()
    }
}

// The value is in the node's own fields, which the methods of the property read and write.
impl<T: GodotClass> Var for PhantomVar<T>
where
    Option<Gd<T>>: GodotConvert,
{
    type PubType = NodeArg<T>;

    fn var_get(_: &Self) -> Self::Via {
        unreachable!("the property has a getter")
    }

    fn var_set(_: &mut Self, _: Self::Via) {
        unreachable!("the property has a setter")
    }

    fn var_pub_get(_: &Self) -> NodeArg<T> {
        unreachable!("the property has a getter")
    }

    fn var_pub_set(_: &mut Self, _: NodeArg<T>) {
        unreachable!("the property has a setter")
    }
}

impl<T: GodotClass> Export for PhantomVar<T> where Option<Gd<T>>: GodotConvert {}
