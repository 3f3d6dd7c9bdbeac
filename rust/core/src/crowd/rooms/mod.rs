//! Rooms and detours of groups, found between substeps.

pub(in crate::crowd) mod find_detours;
pub(in crate::crowd) mod lay_rooms;
pub(in crate::crowd) mod parties;
pub(in crate::crowd) mod rounds;
