//! What gdext reads of Godot's API, in the order of the file. Reading drops everything else.

// Fields are those of the file; `DeJson` writes code without `?`.
#![allow(clippy::question_mark, clippy::struct_excessive_bools, clippy::struct_field_names)]

use nanoserde::{DeJson, SerJson};

#[derive(DeJson)]
pub struct Api {
    pub header: Header,
    pub builtin_class_sizes: Vec<BuiltinSizes>,
    pub global_enums: Vec<Enum>,
    pub utility_functions: Vec<Function>,
    pub builtin_classes: Vec<BuiltinClass>,
    pub classes: Vec<Class>,
    pub singletons: Vec<Singleton>,
    pub native_structures: Vec<NativeStructure>,
}

#[derive(DeJson, SerJson)]
pub struct Header {
    version_major: u32,
    version_minor: u32,
    version_patch: u32,
    version_status: String,
    version_build: String,
    version_full_name: String,
}

#[derive(DeJson, SerJson)]
pub struct BuiltinSizes {
    build_configuration: String,
    sizes: Vec<BuiltinSize>,
}

#[derive(DeJson, SerJson)]
struct BuiltinSize {
    name: String,
    size: u32,
}

/// An enumeration of the engine, a class or a builtin type; the last has no `is_bitfield`.
#[derive(DeJson, SerJson)]
pub struct Enum {
    name: String,
    is_bitfield: Option<bool>,
    values: Vec<Constant>,
}

#[derive(DeJson, SerJson)]
struct Constant {
    name: String,
    value: i64,
}

/// A utility function, or a method of a builtin type.
#[derive(DeJson, SerJson)]
pub struct Function {
    pub name: String,
    pub return_type: Option<String>,
    category: Option<String>,
    is_vararg: bool,
    is_const: Option<bool>,
    is_static: Option<bool>,
    hash: Option<i64>,
    pub arguments: Option<Vec<Argument>>,
}

#[derive(DeJson, SerJson)]
pub struct BuiltinClass {
    name: String,
    indexing_return_type: Option<String>,
    is_keyed: bool,
    enums: Option<Vec<Enum>>,
    operators: Vec<Operator>,
    methods: Option<Vec<Function>>,
    constructors: Vec<Constructor>,
    has_destructor: bool,
}

#[derive(DeJson, SerJson)]
struct Operator {
    name: String,
    right_type: Option<String>,
    return_type: String,
}

#[derive(DeJson, SerJson)]
struct Constructor {
    index: u32,
    arguments: Option<Vec<Argument>>,
}

#[derive(DeJson, SerJson)]
pub struct Class {
    pub name: String,
    is_refcounted: bool,
    is_instantiable: bool,
    pub inherits: Option<String>,
    api_type: String,
    constants: Option<Vec<Constant>>,
    enums: Option<Vec<Enum>>,
    pub methods: Option<Vec<Method>>,
    pub signals: Option<Vec<Signal>>,
}

#[derive(DeJson, SerJson)]
pub struct Method {
    pub name: String,
    is_const: bool,
    is_vararg: bool,
    is_static: bool,
    is_virtual: bool,
    is_required: Option<bool>,
    hash: Option<i64>,
    pub return_value: Option<ReturnValue>,
    pub arguments: Option<Vec<Argument>>,
}

#[derive(DeJson, SerJson)]
pub struct ReturnValue {
    #[nserde(rename = "type")]
    pub type_: String,
    meta: Option<String>,
}

#[derive(DeJson, SerJson)]
pub struct Argument {
    name: String,
    #[nserde(rename = "type")]
    pub type_: String,
    meta: Option<String>,
    default_value: Option<String>,
}

#[derive(DeJson, SerJson)]
pub struct Signal {
    name: String,
    pub arguments: Option<Vec<Argument>>,
}

#[derive(DeJson, SerJson)]
pub struct Singleton {
    pub name: String,
}

#[derive(DeJson, SerJson)]
pub struct NativeStructure {
    pub name: String,
    pub format: String,
}

impl Api {
    /// As JSON without spaces, a line an item, so that a change is seen in a diff.
    pub fn to_json(&self) -> String {
        let header = self.header.serialize_json();
        let parts = [
            list("builtin_class_sizes", &self.builtin_class_sizes),
            list("global_enums", &self.global_enums),
            list("utility_functions", &self.utility_functions),
            list("builtin_classes", &self.builtin_classes),
            list("classes", &self.classes),
            list("singletons", &self.singletons),
            list("native_structures", &self.native_structures),
        ];
        format!("{{\"header\":{header},\n{}}}\n", parts.join(",\n"))
    }
}

fn list<T: SerJson>(name: &str, items: &[T]) -> String {
    let items: Vec<String> = items.iter().map(SerJson::serialize_json).collect();
    format!("\"{name}\":[\n{}]", items.join(",\n"))
}
