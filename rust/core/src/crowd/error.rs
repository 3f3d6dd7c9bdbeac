//! Errors of a crowd.

use std::error::Error;
use std::fmt;

use crate::bytes::BytesError;

/// A request that a crowd cannot follow. Nothing was changed.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum CrowdError {
    /// A step's time is below zero, infinite or not a number.
    BadDelta {
        /// What was given, in seconds.
        delta: f64,
    },
    /// The bytes are not a crowd that was saved.
    BadBytes(BytesError),
}

impl From<BytesError> for CrowdError {
    fn from(problem: BytesError) -> Self {
        Self::BadBytes(problem)
    }
}

impl fmt::Display for CrowdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadDelta { delta } => {
                write!(f, "delta {delta} is not a finite number of seconds of at least 0")
            }
            Self::BadBytes(problem) => write!(f, "the bytes are not a saved crowd: {problem}"),
        }
    }
}

impl Error for CrowdError {}
