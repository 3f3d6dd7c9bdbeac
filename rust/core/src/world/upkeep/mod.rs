//! What keeps fields and preparations of a world up to date, in steps or in the background.

mod field_build;
mod field_order;
mod field_upkeep;
mod preparation;

pub use field_order::{FieldKind, FieldOrder};
pub use field_upkeep::{FieldFigures, FieldMessage, FieldUpkeep};
pub use preparation::Preparations;
