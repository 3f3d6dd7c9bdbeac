use crate::primitives::{GridPoint, SearchEnd};

/// The path that a search found, if there is one, and the work that it took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchResult {
    /// How it ended.
    pub end: SearchEnd,
    /// Cost of the path in units; meaningless unless found.
    pub cost: u32,
    /// Nodes taken from the frontier and expanded.
    pub expanded: u32,
    /// Nodes put into the frontier.
    pub generated: u32,
    /// The turning points of the path, start and goal included; consecutive ones lie on a straight or
    /// diagonal line, or are the ends of a link. A path of one cell is one point. Empty unless found.
    pub waypoints: Vec<GridPoint>,
    /// The places of the ends of links among `waypoints`, ascending.
    pub link_ends: Vec<u32>,
}

impl SearchResult {
    /// Returns the result of a search that found no path.
    pub(crate) const fn without_path(end: SearchEnd, expanded: u32, generated: u32) -> Self {
        Self { end, cost: 0, expanded, generated, waypoints: Vec::new(), link_ends: Vec::new() }
    }
}
