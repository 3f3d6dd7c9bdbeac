//! Laws of integration and flow fields, on random maps, bodies and edits.

mod climb;
mod costs;
mod maps;
mod repairs;
mod sampling;
mod scene;
mod sight;
mod steps;
