//! The map: grids and what fills them (tiles, navigation regions, obstacles), spaces that lay grids out in
//! 3D, and how other nodes find them.

pub mod free_places;
pub mod grid;
pub mod grid_link;
pub mod item_rules;
pub mod map_link;
pub mod monitors;
pub mod navigation_cells;
pub mod obstacle;
pub mod seat;
pub mod space;
pub mod standalone;
pub mod tile_maps;
pub mod tile_rules;
