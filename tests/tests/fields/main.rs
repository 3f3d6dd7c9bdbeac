//! Laws of integration and flow fields.

mod coarse;
mod costs;
mod maps;
mod repairs;
mod sampling;
mod scene;
mod sight;
mod steps;
