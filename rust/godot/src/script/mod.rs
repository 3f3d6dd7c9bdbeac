//! What scripts give and get: values, arguments, arrays, callbacks, properties, profiles. Here a value is
//! checked and converted, and an error names it with its limit.

pub mod array_of;
pub mod callback;
pub mod convert;
pub mod dictionary_of;
pub mod enumeration;
pub mod geometry;
pub mod given;
pub mod link_values;
pub mod node_arg;
pub mod optional_arg;
pub mod profile;
pub mod properties;
pub mod warnings;
