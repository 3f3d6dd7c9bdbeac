//! What queries answer with: paths, diagnoses, and who is in an agent's way.

pub mod blockage;
pub mod diagnosis;
pub mod path;
pub mod trip;
