//! Tests support.
