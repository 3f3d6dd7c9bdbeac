//! The part of a class that scripts see by name: signals, constants, and the methods behind its properties.
//!
//! gdext finds the methods of properties, and signals, only in a class's first `#[godot_api]` block, and
//! wants each method written out. [`class_api`] writes that block, a line a method.

/// The first `#[godot_api]` block of a class. After the class, in this order:
/// - `then |this| …;`, optional: what follows each property that was set.
/// - `{ … }`, optional: items that are taken as they are, such as signals.
/// - constants, `const NAME = value;`, which are `i64`.
/// - `get get_name() -> Type = |this| value;`
/// - `set set_name(name: Type) = |this| …;`, where `name` is what a script gives, a
///   [`Given`](crate::script::given::Given). An error that leaves it by `?` is printed as `Class.name:
///   error`, and nothing follows.
/// - `grid in link;`, the grid that a node works on, in a field of type
///   [`GridLink`](crate::map::grid_link::GridLink).
macro_rules! class_api {
    (impl $Class:ident then |$this:ident| $after:expr; $($rest:tt)*) => {
        class_api! { @ $Class (|$this: &mut $Class| $after) [] [] $($rest)* }
    };
    (impl $Class:ident; $($rest:tt)*) => {
        class_api! { @ $Class (|_: &mut $Class| ()) [] [] $($rest)* }
    };
    (@ $Class:ident $after:tt [$($constants:tt)*] [] { $($items:tt)* } $($rest:tt)*) => {
        class_api! { @ $Class $after [$($constants)*] [$($items)*] $($rest)* }
    };
    (@ $Class:ident $after:tt [$($constants:tt)*] [$($done:tt)*]
        $(#[$($attribute:tt)*])* const $NAME:ident = $value:expr; $($rest:tt)*
    ) => {
        class_api! { @ $Class $after [$($constants)* (stringify!($NAME), $Class::$NAME),] [$($done)*
            // The help is gathered in a test. Godot gets enumerations, which gdext has no attribute for.
            $(#[$($attribute)*])*
            #[cfg(test)]
            #[constant]
            pub const $NAME: i64 = $value;
            #[cfg(not(test))]
            pub const $NAME: i64 = $value;
        ] $($rest)* }
    };
    (@ $Class:ident $after:tt [$($constants:tt)*] [$($done:tt)*]
        $(#[$($attribute:tt)*])* get $getter:ident() -> $T:ty = |$this:ident| $value:expr; $($rest:tt)*
    ) => {
        class_api! { @ $Class $after [$($constants)*] [$($done)*
            $(#[$($attribute)*])*
            #[func]
            pub fn $getter(&self) -> $T {
                let $this = self;
                $value
            }
        ] $($rest)* }
    };
    (@ $Class:ident $after:tt [$($constants:tt)*] [$($done:tt)*]
        set $setter:ident($property:ident: $T:ty) = |$this:ident| $store:expr; $($rest:tt)*
    ) => {
        class_api! { @ $Class $after [$($constants)*] [$($done)*
            #[func]
            pub fn $setter(&mut self, $property: $T) {
                let name = concat!(stringify!($Class), ".", stringify!($property));
                crate::script::given::set(self, name, $property, |$this, $property| { $store; Ok(()) }, $after);
            }
        ] $($rest)* }
    };
    (@ $Class:ident $after:tt [$($constants:tt)*] [$($done:tt)*]
        grid in $link:ident $(then |$this:ident| $then:expr)?; $($rest:tt)*
    ) => {
        class_api! { @ $Class $after [$($constants)*] [$($done)*
            #[func]
            pub fn get_grid(&self) -> crate::script::node_arg::NodeArg<PathForgeGrid> {
                self.$link.named().into()
            }

            #[func]
            pub fn set_grid(&mut self, grid: crate::script::node_arg::NodeArg<PathForgeGrid>) {
                let name = concat!(stringify!($Class), ".grid");
                let Some(grid) = crate::engine::errors::reported(name, grid.optional("the node")) else { return };
                self.$link.name(grid.as_ref());
                $(let $this = &mut *self; $then;)?
                self.base_mut().update_configuration_warnings();
            }

            /// Returns the grid that the node uses: [member grid], or else the nearest grid in the tree, or
            /// `null`.
            #[func]
            pub fn get_effective_grid(&self) -> Option<Gd<PathForgeGrid>> {
                self.$link.effective(&self.to_gd().upcast())
            }
        ] $($rest)* }
    };
    (@ $Class:ident $after:tt [$($constants:tt)*] [$($done:tt)*]) => {
        #[godot_api]
        impl $Class {
            $($done)*
        }

        impl crate::script::enumeration::Constants for $Class {
            const CONSTANTS: &'static [(&'static str, i64)] = &[$($constants)*];
        }
    };
}

pub(crate) use class_api;
