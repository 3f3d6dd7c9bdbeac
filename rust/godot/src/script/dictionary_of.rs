//! Dictionaries as properties: typed to help, completion and the inspector; scripts may assign untyped ones,
//! too, as with [`ArrayOf`](crate::script::array_of::ArrayOf).

use std::marker::PhantomData;

use godot::builtin::AnyDictionary;
use godot::meta::Element;
use godot::meta::error::ConvertError;
use godot::meta::shape::GodotShape;
use godot::prelude::*;
use godot::register::property::SimpleVar;

use crate::script::convert;

/// A dictionary of `K` and `V` to scripts; any dictionary when it is given.
#[derive(Clone, Debug)]
pub struct DictionaryOf<K, V>(AnyDictionary, PhantomData<(K, V)>);

impl<K: Element, V: Element> DictionaryOf<K, V> {
    /// What scripts get.
    pub fn of(dictionary: Dictionary<K, V>) -> Self {
        Self(dictionary.upcast_any_dictionary(), PhantomData)
    }

    /// The dictionary itself if it has this type, else a typed one of the same pairs, when all of them fit.
    pub fn typed(&self) -> Result<Dictionary<K, V>, String> {
        if let Ok(dictionary) = self.0.clone().try_cast_dictionary::<K, V>() {
            return Ok(dictionary);
        }
        let pair = |(key, value): (Variant, Variant)| {
            let shown = key.clone();
            let key =
                convert::fitting::<K>(&key).map_err(|problem| format!("the key {shown} is {problem}"))?;
            let value = convert::fitting::<V>(&value).map_err(|problem| format!("[{shown}] is {problem}"))?;
            Ok((key, value))
        };
        self.0.iter_shared().map(pair).collect()
    }
}

impl<K: Element, V: Element> GodotConvert for DictionaryOf<K, V> {
    type Via = AnyDictionary;

    fn godot_shape() -> GodotShape {
        Dictionary::<K, V>::godot_shape()
    }
}

impl<K: Element, V: Element> ToGodot for DictionaryOf<K, V> {
    // By value: the binding does not export the name.
    type Pass = <AnyDictionary as ToGodot>::Pass;

    fn to_godot(&self) -> AnyDictionary {
        self.0.clone()
    }
}

impl<K: Element, V: Element> FromGodot for DictionaryOf<K, V> {
    fn try_from_godot(dictionary: AnyDictionary) -> Result<Self, ConvertError> {
        Ok(Self(dictionary, PhantomData))
    }
}

impl<K: Element + Clone, V: Element + Clone> SimpleVar for DictionaryOf<K, V> {}

impl<K: Element + Clone, V: Element + Clone> Export for DictionaryOf<K, V> {}
