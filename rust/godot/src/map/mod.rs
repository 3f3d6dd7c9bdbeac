//! The map: grids and what fills them (tiles, navigation polygons, obstacles, links, influence maps), spaces that lay
//! grids out in 3D, and how nodes find both.

pub mod grid;
pub mod grid_link;
pub mod influence_map;
pub mod item_rules;
pub mod link_nodes;
pub mod map_link;
pub mod navigation_cells;
pub mod obstacle;
pub mod seat;
pub mod space;
pub mod standalone;
pub mod storeys;
pub mod tile_maps;
pub mod tile_rules;
