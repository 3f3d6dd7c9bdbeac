//! Laws of integration and flow fields.

mod costs;
mod maps;
mod repairs;
mod sampling;
mod scene;
mod sight;
mod steps;
