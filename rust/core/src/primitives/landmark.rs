use crate::pages::NumberView;

/// Which way the paths of a landmark go: a step costs what its target does, so the way back costs another
/// sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// To the landmark.
    To,
    /// From it.
    From,
}

/// The minimum costs of paths to a landmark, or from it, in units, by padded index; `u32::MAX` where there is
/// none.
#[derive(Clone, Copy)]
pub struct LandmarkCosts<'a> {
    /// Which way the paths go.
    pub way: Way,
    /// One element a padded cell.
    pub costs: NumberView<'a>,
}
