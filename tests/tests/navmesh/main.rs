//! Navigation polygons: every situation of the source by hand, and random levels against an oracle that tries
//! places.

mod broken;
mod cells;
mod level;
mod levels;
mod mesh;
mod oracle;
mod situations;
mod tiles;
mod tolerance;
mod walkable;
