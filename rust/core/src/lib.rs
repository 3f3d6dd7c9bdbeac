//! PathForge core.
