//! Where the cells lie that the nodes of a crowd walk on: on the grid's own plane, or where spaces lay them
//! out.

use godot::prelude::*;

use crate::map::grid::{CellFrame, PathForgeGrid};
use crate::map::space::PathForgeSpace3D;

/// What a node lays out.
#[derive(Clone, Copy)]
pub enum Layout {
    /// It is not there any more.
    Gone,
    /// It is flattened to nothing.
    Flat,
    /// Where its cells are, how long one is in global space, and of which grid they are, as far as that is
    /// known.
    Of { frame: CellFrame, side: f64, grid: Option<InstanceId> },
}

/// All that were asked for during a step, each looked at once.
pub struct Layouts<'a> {
    grid: &'a Gd<PathForgeGrid>,
    known: Vec<(InstanceId, Layout)>,
}

impl Layout {
    pub const fn is_gone(&self) -> bool {
        matches!(self, Self::Gone)
    }

    fn new(frame: Option<CellFrame>, grid: Option<InstanceId>) -> Self {
        frame.map_or(Self::Flat, |frame| Self::Of { frame, side: frame.global_cell_side(), grid })
    }
}

impl<'a> Layouts<'a> {
    pub const fn new(grid: &'a Gd<PathForgeGrid>) -> Self {
        Self { grid, known: Vec::new() }
    }

    /// What the node of this id lays out: the grid of the crowd, another grid that the agent is on, or a
    /// space.
    pub fn of(&mut self, id: InstanceId) -> Layout {
        // There are few: a list is faster than a map.
        if let Some(&(_, layout)) = self.known.iter().find(|(known, _)| *known == id) {
            return layout;
        }
        let layout = match Gd::<PathForgeSpace3D>::try_from_instance_id(id) {
            Ok(space) => Layout::new(space.bind().frame(), space.bind().known_grid_id()),
            Err(_) if Gd::<PathForgeGrid>::try_from_instance_id(id).is_ok() => {
                Layout::new(CellFrame::of(self.grid), Some(self.grid.instance_id()))
            }
            Err(_) => Layout::Gone,
        };
        self.known.push((id, layout));
        layout
    }
}
