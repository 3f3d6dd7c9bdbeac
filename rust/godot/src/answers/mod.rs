//! What queries answer with: paths, diagnoses, and which agents are in the way of another.

pub mod blockage;
pub mod diagnosis;
pub mod path;
mod path_frame;
pub mod trip;
