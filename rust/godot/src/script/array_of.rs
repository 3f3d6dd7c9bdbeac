//! Arrays as properties and arguments: typed to help, completion and the inspector; scripts may give untyped
//! ones, too.
//!
//! An array that is typed in Rust is refused by the binding before the class can look at it, and the script
//! that called stops there.

use std::marker::PhantomData;
use std::ops::Deref;

use godot::builtin::AnyArray;
use godot::meta::error::ConvertError;
use godot::meta::shape::GodotShape;
use godot::meta::{Element, GodotImmutable};
use godot::obj::{Bounds, bounds};
use godot::prelude::*;
use godot::register::property::SimpleVar;
use pathforge_core::geometry::Cell;

use crate::script::convert::{self, vector};

/// An array of `E` to scripts; any array when it is given.
#[derive(Clone, Debug)]
pub struct ArrayOf<E>(AnyArray, PhantomData<E>);

/// `Array[Vector2i]`.
pub type CellArray = ArrayOf<Vector2i>;
/// An array of nodes, with nulls where none is set yet.
pub type NodeArray<T> = ArrayOf<Option<Gd<T>>>;

/// Such an array as a node keeps it: the nodes' ids. The place of a node that was freed is empty.
pub struct NodeList<T>(Vec<Option<InstanceId>>, PhantomData<fn() -> T>);

impl<T> Clone for NodeList<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone(), PhantomData)
    }
}

impl<T> Default for NodeList<T> {
    fn default() -> Self {
        Self(Vec::new(), PhantomData)
    }
}

impl<T: GodotClass> NodeList<T> {
    /// Each place with its node, if there is one.
    pub fn places(&self) -> impl Iterator<Item = Option<Gd<T>>> {
        self.0.iter().map(|id| Gd::try_from_instance_id((*id)?).ok())
    }

    /// The nodes that are there.
    pub fn living(&self) -> Vec<Gd<T>> {
        self.places().flatten().collect()
    }

    /// Each place with the node's id.
    pub fn ids(&self) -> &[Option<InstanceId>] {
        &self.0
    }
}

impl<E: Element> ArrayOf<E> {
    /// What scripts get.
    pub fn of(array: Array<E>) -> Self {
        Self(array.upcast_any_array(), PhantomData)
    }

    /// What a call without the argument means.
    pub fn none() -> Self {
        Self(VarArray::new().into_read_only().upcast_any_array(), PhantomData)
    }

    /// The array itself if it has this type, else a typed one with the same elements, when all of them fit.
    pub fn typed(&self) -> Result<Array<E>, String> {
        if let Ok(array) = self.0.clone().try_cast_array::<E>() {
            return Ok(array);
        }
        Ok(convert::elements("", &self.0)?.into_iter().collect())
    }
}

impl<E> Deref for ArrayOf<E> {
    type Target = AnyArray;

    fn deref(&self) -> &AnyArray {
        &self.0
    }
}

impl CellArray {
    /// The array of `cells`.
    pub fn of_cells(cells: &[Cell]) -> Self {
        Self::of(cells.iter().copied().map(vector).collect())
    }

    /// The cells, when all elements are `Vector2i`.
    pub fn cells(&self, name: &str) -> Result<Vec<Cell>, String> {
        convert::cells(name, &self.0)
    }
}

impl<T: GodotClass + Bounds<Exportable = bounds::Yes> + Inherits<Object>> NodeArray<T> {
    /// The nodes, null for places that are not set yet or whose node was freed, when no element is anything
    /// else.
    pub fn nodes(&self) -> Result<NodeList<T>, String> {
        let mut ids = Vec::with_capacity(self.0.len());
        for (index, element) in self.0.iter_shared().enumerate() {
            let node = alive(&element).and_then(|object| object.try_cast::<T>().ok());
            let is_null =
                element.is_nil() || element.get_type() == VariantType::OBJECT && alive(&element).is_none();
            if node.is_none() && !is_null {
                let class = T::class_id().to_string();
                let article = if class.starts_with(['A', 'E', 'I', 'O']) { "an" } else { "a" };
                return Err(format!("[{index}] is {element}, not {article} {class}"));
            }
            ids.push(node.map(|node| node.instance_id()));
        }
        Ok(NodeList(ids, PhantomData))
    }

    /// What scripts get of a list.
    pub fn of_list(list: &NodeList<T>) -> Self {
        Self::of(list.places().collect())
    }
}

fn alive(variant: &Variant) -> Option<Gd<Object>> {
    variant.try_to::<Gd<Object>>().ok().filter(Gd::is_instance_valid)
}

impl<E: Element> GodotConvert for ArrayOf<E> {
    type Via = AnyArray;

    fn godot_shape() -> GodotShape {
        Array::<E>::godot_shape()
    }
}

impl<E: Element> ToGodot for ArrayOf<E> {
    // By value: the binding does not export the name.
    type Pass = <AnyArray as ToGodot>::Pass;

    fn to_godot(&self) -> AnyArray {
        self.0.clone()
    }
}

impl<E: Element> FromGodot for ArrayOf<E> {
    fn try_from_godot(array: AnyArray) -> Result<Self, ConvertError> {
        Ok(Self(array, PhantomData))
    }
}

// SAFETY: the trait is asked for default values alone. That is what `none` gives, an empty array that is
// read-only.
unsafe impl<E: Element> GodotImmutable for ArrayOf<E> {}

impl<E: Element + Clone> SimpleVar for ArrayOf<E> {}

impl<E: Element + Clone> Export for ArrayOf<E> {}
