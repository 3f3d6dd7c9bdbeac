//! PathForge binding.
