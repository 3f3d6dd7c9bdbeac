//! Saved bytes: one writer and one reader for everything that can be saved.
//!
//! All numbers are little-endian and as wide as their type; a list is its length as a `u32` and its elements.
//! Nothing is padded and nothing is optional, so equal values have equal bytes on every machine, and hashes
//! of states are taken from them. A type lists its fields once, in `saved_fields!`, for both directions.

use std::error::Error;
use std::fmt;

/// Why bytes cannot be read as a saved value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BytesError {
    /// They begin with another mark than this one.
    Mark(&'static str),
    /// They end too early.
    CutShort,
    /// They go on behind the end.
    TooLong,
    /// A value cannot be saved; says what is wrong with it.
    Value(&'static str),
}

impl fmt::Display for BytesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mark(mark) => write!(f, "they do not begin with {mark}"),
            Self::CutShort => write!(f, "they are cut short"),
            Self::TooLong => write!(f, "they go on behind the end"),
            Self::Value(problem) => write!(f, "{problem}"),
        }
    }
}

impl Error for BytesError {}

/// A value that is saved as bytes.
pub trait Saved: Sized {
    /// The fewest bytes that a value takes.
    const BYTES_MIN: usize;

    /// Appends the value.
    fn write(&self, bytes: &mut Vec<u8>);

    /// Reads what [`Saved::write`] appended.
    ///
    /// # Errors
    /// When the bytes end too early or are not such a value.
    fn read(reader: &mut Reader<'_>) -> Result<Self, BytesError>;
}

/// Bytes that are still to be read.
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Returns a reader of what follows `mark`.
    ///
    /// # Errors
    /// When the bytes do not begin with it.
    pub fn new(bytes: &'a [u8], mark: &'static str) -> Result<Self, BytesError> {
        let rest = bytes.strip_prefix(mark.as_bytes()).ok_or(BytesError::Mark(mark))?;
        Ok(Self { rest })
    }

    /// Returns the next `count` bytes.
    ///
    /// # Errors
    /// When there are fewer.
    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], BytesError> {
        // Bytes come from files that may be damaged: every length is checked, none is trusted.
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(BytesError::CutShort)?;
        self.rest = rest;
        Ok(taken)
    }

    /// Returns the next value.
    ///
    /// # Errors
    /// As [`Saved::read`].
    pub fn read<T: Saved>(&mut self) -> Result<T, BytesError> {
        T::read(self)
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// When bytes are left.
    pub fn end(&self) -> Result<(), BytesError> {
        if self.rest.is_empty() { Ok(()) } else { Err(BytesError::TooLong) }
    }
}

macro_rules! impl_number {
    ($($Number:ty),*) => {$(
        impl Saved for $Number {
            const BYTES_MIN: usize = size_of::<Self>();

            fn write(&self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_le_bytes());
            }

            fn read(reader: &mut Reader<'_>) -> Result<Self, BytesError> {
                let bytes = reader.take(Self::BYTES_MIN)?;
                bytes.try_into().map(Self::from_le_bytes).map_err(|_| BytesError::CutShort)
            }
        }
    )*};
}

impl_number!(u8, u16, u32, u64, i32);

impl Saved for bool {
    const BYTES_MIN: usize = 1;

    fn write(&self, bytes: &mut Vec<u8>) {
        u8::from(*self).write(bytes);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, BytesError> {
        // Any byte above 1 is `true` as well; `write` makes it 1 again.
        u8::read(reader).map(|byte| byte != 0)
    }
}

/// Infinities and NaN are refused, so that no code that reads a value has to expect them.
impl Saved for f32 {
    const BYTES_MIN: usize = 4;

    fn write(&self, bytes: &mut Vec<u8>) {
        self.to_bits().write(bytes);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, BytesError> {
        let value = Self::from_bits(reader.read()?);
        if value.is_finite() { Ok(value) } else { Err(BytesError::Value("a number is not finite")) }
    }
}

impl<T: Saved + Copy + Default, const N: usize> Saved for [T; N] {
    const BYTES_MIN: usize = N * T::BYTES_MIN;

    fn write(&self, bytes: &mut Vec<u8>) {
        write_each(self, bytes);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, BytesError> {
        let mut all = [T::default(); N];
        read_each(&mut all, reader)?;
        Ok(all)
    }
}

// Out of line and by slices: unrolled for each length they took three kilobytes of the library.
#[inline(never)]
fn write_each<T: Saved>(all: &[T], bytes: &mut Vec<u8>) {
    for element in all {
        element.write(bytes);
    }
}

#[inline(never)]
fn read_each<T: Saved>(all: &mut [T], reader: &mut Reader<'_>) -> Result<(), BytesError> {
    for element in all {
        *element = reader.read()?;
    }
    Ok(())
}

impl<T: Saved> Saved for Vec<T> {
    // The length alone: a list may be empty.
    const BYTES_MIN: usize = 4;

    fn write(&self, bytes: &mut Vec<u8>) {
        (self.len() as u32).write(bytes);
        write_each(self, bytes);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, BytesError> {
        let count = reader.read::<u32>()? as usize;
        // A length that the bytes cannot hold must not ask for the memory of so many elements.
        if count.saturating_mul(T::BYTES_MIN) > reader.rest.len() {
            return Err(BytesError::CutShort);
        }
        (0..count).map(|_| reader.read()).collect()
    }
}

macro_rules! impl_tuple {
    ($($T:ident $n:tt),*) => {
        impl<$($T: Saved),*> Saved for ($($T,)*) {
            const BYTES_MIN: usize = 0 $(+ $T::BYTES_MIN)*;

            fn write(&self, bytes: &mut Vec<u8>) {
                $(self.$n.write(bytes);)*
            }

            fn read(reader: &mut Reader<'_>) -> Result<Self, BytesError> {
                // Elements are evaluated from left to right, the order in which they were written.
                Ok(($(reader.read::<$T>()?,)*))
            }
        }
    };
}

impl_tuple!(A 0, B 1);
impl_tuple!(A 0, B 1, C 2);
impl_tuple!(A 0, B 1, C 2, D 3);

/// Saves a type by its fields, in the order in which they are listed here. Fields behind `but` are saved
/// elsewhere, and read as their default.
macro_rules! saved_fields {
    ($Type:ty { $($field:ident: $Field:ty),* $(,)? } $(but $($other:ident),*)?) => {
        impl $crate::bytes::Saved for $Type {
            const BYTES_MIN: usize = 0 $(+ <$Field as $crate::bytes::Saved>::BYTES_MIN)*;

            fn write(&self, bytes: &mut Vec<u8>) {
                $($crate::bytes::Saved::write(&self.$field, bytes);)*
            }

            fn read(reader: &mut $crate::bytes::Reader<'_>) -> Result<Self, $crate::bytes::BytesError> {
                // Fields are evaluated in the order of this expression, the one in which they were written.
                Ok(Self { $($field: reader.read::<$Field>()?,)* $($($other: Default::default()),*)? })
            }
        }
    };
}

/// Saves a type in the form of another: `$to` converts to that form, `$from` converts back or says what is
/// wrong.
macro_rules! saved_as {
    ($Type:ty as $Form:ty, $to:expr, $from:expr) => {
        impl $crate::bytes::Saved for $Type {
            const BYTES_MIN: usize = <$Form as $crate::bytes::Saved>::BYTES_MIN;

            fn write(&self, bytes: &mut Vec<u8>) {
                // A closure among a macro's arguments gets its types from this annotation.
                let to: fn(&Self) -> $Form = $to;
                $crate::bytes::Saved::write(&to(self), bytes);
            }

            fn read(reader: &mut $crate::bytes::Reader<'_>) -> Result<Self, $crate::bytes::BytesError> {
                let from: fn($Form) -> Result<Self, &'static str> = $from;
                from(reader.read()?).map_err($crate::bytes::BytesError::Value)
            }
        }
    };
}

pub(crate) use {saved_as, saved_fields};

/// A hash of 64-bit words: the FNV-1a step (Fowler, Noll and Vo) on whole words instead of bytes, with a
/// shift that mixes upper bits into lower ones.
pub(crate) struct Hash<const SHIFT: u32>(pub u64);

impl<const SHIFT: u32> Default for Hash<SHIFT> {
    fn default() -> Self {
        // The offset basis of 64-bit FNV.
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl<const SHIFT: u32> Hash<SHIFT> {
    pub fn add(&mut self, word: u64) {
        // The prime of 64-bit FNV. A product carries bits up only; the shift below brings upper bits down
        // again.
        let mixed = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        self.0 = mixed ^ mixed >> SHIFT;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        type All = ((u8, bool, f32), Vec<(u16, [i32; 2])>, u64);
        let all: All = ((7, true, -1.5), vec![(1, [-2, 3]), (4, [5, 6])], u64::MAX);
        let mut bytes = b"MARK".to_vec();
        all.0.write(&mut bytes);
        all.1.write(&mut bytes);
        all.2.write(&mut bytes);
        let read = |bytes: &[u8]| {
            let mut reader = Reader::new(bytes, "MARK")?;
            let found: All = (reader.read()?, reader.read()?, reader.read()?);
            reader.end().map(|()| found)
        };
        assert_eq!(read(&bytes), Ok(all));
        for cut in 4..bytes.len() {
            assert_eq!(read(&bytes[..cut]), Err(BytesError::CutShort));
        }
        bytes.push(0);
        assert_eq!(read(&bytes), Err(BytesError::TooLong));
        bytes[0] = b'N';
        assert_eq!(read(&bytes), Err(BytesError::Mark("MARK")));
    }

    #[test]
    fn a_length_that_lies_takes_no_memory() {
        let mut bytes = u32::MAX.to_le_bytes().to_vec();
        bytes.extend([0; 64]);
        assert_eq!(Reader { rest: &bytes }.read::<Vec<u64>>(), Err(BytesError::CutShort));
        assert_eq!(
            Reader { rest: &f32::NAN.to_le_bytes() }.read::<f32>(),
            Err(BytesError::Value("a number is not finite"))
        );
    }
}
