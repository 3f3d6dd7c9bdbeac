//! Nodes with a value for each cell that is made from a grid: flow fields and clearance maps.

pub mod clearance_map;
pub mod flow_field;
