//! What leads an agent: the number of a field, of a path of the crowd's own, or of none.

/// A guide that is none.
pub(super) const NO_GUIDE: u32 = u32::MAX;
/// Marks guides that are paths of the crowd's own; the others are numbers of fields.
pub(super) const PATH_GUIDE: u32 = 1 << 31;
