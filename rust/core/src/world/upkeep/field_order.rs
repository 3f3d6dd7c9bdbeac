//! What fields are asked for.

use crate::cost::Cost;
use crate::geometry::Cell;
use crate::world::query::{GoalMode, Profile};

/// What field is wanted: when two orders differ, so do their fields.
#[derive(Clone, PartialEq, Debug)]
pub struct FieldOrder {
    /// What a repair cannot change.
    pub kind: FieldKind,
    /// The cells to lead to.
    pub goals: Vec<Cell>,
    /// What counts as being at a goal.
    pub goal_mode: GoalMode,
}

/// What a field is built for: map, body and extent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FieldKind {
    /// Tells the worlds apart that a field may be asked for.
    pub map: u64,
    /// The body.
    pub profile: Profile,
    /// The largest cost of the field; `None` for the whole map.
    pub max_cost: Option<Cost>,
}
