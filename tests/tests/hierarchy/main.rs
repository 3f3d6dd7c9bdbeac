//! Laws of HAA*: searches over clusters of the map.

mod existence;
mod preparation;
mod quality;
mod repairs;
