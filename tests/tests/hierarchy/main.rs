//! Laws of HAA*: searches over clusters of the map.

mod existence;
mod quality;
mod repairs;
