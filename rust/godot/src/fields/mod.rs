//! Nodes with a value for each cell of a grid: flow fields, influence maps, clearance maps.

pub mod clearance_map;
pub mod flow_field;
pub mod influence_map;
