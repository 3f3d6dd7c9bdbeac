//! Numbers that were chosen, times and vectors.

pub(in crate::crowd) mod millis;
pub(in crate::crowd) mod tuning;
#[cfg(feature = "tuning")]
pub(in crate::crowd) mod varied;
pub(in crate::crowd) mod vector;
