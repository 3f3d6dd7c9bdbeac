//! Values as scripts give them, and what they must be. Each mistake has one text, whatever method or property
//! meets it.

use std::borrow::Cow;
use std::fmt::Display;
use std::ops::RangeInclusive;

use godot::obj::Inherits;
use godot::prelude::*;

use crate::engine::errors::report;
use crate::script::enumeration::Constant;
use crate::script::node_arg::NodeArg;

/// A value from a script, not checked yet.
pub struct Given<T> {
    name: Cow<'static, str>,
    /// `true` if errors begin with the name: what prints them says the method, or the property itself.
    is_named: bool,
    pub value: T,
}

/// The argument `name` of a method.
pub fn given<T>(name: impl Into<Cow<'static, str>>, value: T) -> Given<T> {
    Given { name: name.into(), is_named: true, value }
}

/// Why a value is refused. Everything that can be printed becomes one by `?`.
pub struct Problem(String);

impl<E: Display> From<E> for Problem {
    fn from(problem: E) -> Self {
        Self(problem.to_string())
    }
}

impl<T: Display> Given<T> {
    /// The same with the property's name in its errors.
    pub fn named(self) -> Self {
        Self { is_named: true, ..self }
    }

    /// What `read` makes of the value, or that it is not `wanted`.
    pub fn read<U>(self, wanted: impl Display, read: impl FnOnce(&T) -> Option<U>) -> Result<U, String> {
        let Self { name, is_named, value } = self;
        read(&value).ok_or_else(|| {
            let name = if is_named { format!("{name} ") } else { String::new() };
            format!("{name}{value} is not {wanted}")
        })
    }

    fn only_if(self, fits: impl FnOnce(&T) -> bool, wanted: impl Display) -> Result<T, String>
    where
        T: Copy,
    {
        self.read(wanted, |value| fits(value).then_some(*value))
    }
}

impl<T: Display + Copy + PartialOrd> Given<T> {
    /// The value, which must lie in `range`.
    pub fn within(self, range: RangeInclusive<T>) -> Result<T, String> {
        let (start, end) = (range.start(), range.end());
        self.only_if(|value| range.contains(value), format_args!("within {start} and {end}"))
    }
}

impl Given<i64> {
    /// The value, which must not be less than `least`.
    pub fn at_least(self, least: i64) -> Result<i64, String> {
        self.only_if(|&value| value >= least, format_args!("at least {least}"))
    }

    /// The same as a `u32`.
    pub fn within_u32(self, range: RangeInclusive<u32>) -> Result<u32, String> {
        self.within(i64::from(*range.start())..=i64::from(*range.end())).map(|value| value as u32)
    }

    /// A set of 32 flags.
    pub fn flags(self) -> Result<u32, String> {
        self.read(format_args!("within 0 and {} (32 bits)", u32::MAX), |&bits| u32::try_from(bits).ok())
    }
}

impl<T: Display + Copy + Into<f64>> Given<T> {
    /// The value, which must be finite and above zero.
    pub fn above_zero(self) -> Result<T, String> {
        self.only_if(|&value| 0.0 < value.into() && value.into() <= f64::MAX, "a finite number above 0")
    }

    /// The value, which must be finite and not negative.
    pub fn at_least_zero(self) -> Result<T, String> {
        self.only_if(|&value| (0.0..=f64::MAX).contains(&value.into()), "a finite number of at least 0")
    }
}

impl Given<f64> {
    /// The same as a number of single precision.
    pub fn single_precision(self) -> Given<f32> {
        let Self { name, is_named, value } = self;
        Given { name, is_named, value: value as f32 }
    }
}

impl<E> Given<Constant<E>> {
    /// The same as a number.
    pub fn number(self) -> Given<i64> {
        let Self { name, is_named, value } = self;
        Given { name, is_named, value: value.0 }
    }
}

impl Given<Vector2> {
    /// The value, which must be finite.
    pub fn finite(self) -> Result<Vector2, String> {
        self.only_if(|value| value.is_finite(), "finite")
    }
}

impl Given<Vector3> {
    /// The value, which must be finite.
    pub fn finite(self) -> Result<Vector3, String> {
        self.only_if(|value| value.is_finite(), "finite")
    }
}

impl<T: GodotClass + Inherits<Object>> Given<NodeArg<T>> {
    /// The node, none for `null`.
    pub fn node(self) -> Result<Option<Gd<T>>, String> {
        self.value.optional("the node")
    }
}

/// Hands the value of a property to `store`; prints why where it refuses it, else does what comes `after`.
pub fn set<C, T>(
    class: &mut C,
    property: &'static str,
    value: T,
    store: impl FnOnce(&mut C, Given<T>) -> Result<(), Problem>,
    after: impl FnOnce(&mut C),
) {
    let name = property.rsplit('.').next().unwrap_or_default();
    match store(class, Given { name: name.into(), is_named: false, value }) {
        Ok(()) => after(class),
        Err(Problem(problem)) => report(property, problem),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_say_what_was_given_and_what_is_allowed() {
        assert_eq!(given("mode", 7).within(0..=3), Err("mode 7 is not within 0 and 3".to_owned()));
        let property = || Given { name: "gravity".into(), is_named: false, value: -1.0 };
        assert_eq!(property().above_zero().unwrap_err(), "-1 is not a finite number above 0");
        assert_eq!(property().named().above_zero().unwrap_err(), "gravity -1 is not a finite number above 0");
        assert_eq!(
            given("layers", 1 << 32).flags().unwrap_err(),
            "layers 4294967296 is not within 0 and 4294967295 (32 bits)"
        );
        assert_eq!(given("side", 64).within_u32(1..=64), Ok(64));
        assert_eq!(given("delta", 0.0).at_least_zero(), Ok(0.0));
        assert!(given("delta", f64::NAN).at_least_zero().is_err());
    }
}
