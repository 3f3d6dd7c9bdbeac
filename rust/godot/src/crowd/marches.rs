//! Groups that keep a shape on the march.

use godot::prelude::*;
use pathforge_core::crowd::{AgentView, MarchShape};
use pathforge_core::geometry::Cell;
use pathforge_core::world::{GoalMode, PathQuery, Profile};

use super::goals::placement_at;
use super::{PathForgeCrowd, ids_of};
use crate::convert;
use crate::errors::{report, reported};
use crate::given::given;

#[godot_api(secondary)]
impl PathForgeCrowd {
    /// Sends agents to a cell in a shape, and returns how many there are: [constant MARCH_BLOCK], [constant MARCH_COLUMN] or
    /// [constant MARCH_WEDGE]. They form up on the way, keep together at the pace of the slowest, narrow in front of a gate and widen
    /// behind it, and stand in the shape around the cell at the end. The path is that of the widest of them, found once. When nothing
    /// leads to the cell, they go as near as they can. A cell outside the region is an error, and no agent is sent.
    ///
    /// ```gdscript
    /// crowd.assign_march(ids, Vector2i(60, 20), PathForgeCrowd.MARCH_WEDGE)
    /// ```
    #[func]
    fn assign_march(
        &mut self,
        ids: PackedInt32Array,
        cell: Vector2i,
        #[opt(default = PathForgeCrowd::MARCH_BLOCK)] shape: i64,
    ) -> i64 {
        const METHOD: &str = "PathForgeCrowd.assign_march";
        let shapes = [MarchShape::Block, MarchShape::Column, MarchShape::Wedge];
        let shape = given("shape", shape).read("MARCH_BLOCK, MARCH_COLUMN or MARCH_WEDGE", |number| {
            shapes.into_iter().find(|shape| *shape as i64 == *number)
        });
        let Some(shape) = reported(METHOD, shape) else { return 0 };
        let Some(grid) = self.grid_for(METHOD) else { return 0 };
        let region = grid.bind().cell_region();
        if !region.contains(convert::cell(cell)) {
            report(METHOD, format_args!("cell {cell} is outside the region {}", convert::region(region)));
            return 0;
        }
        let ids = ids_of(&ids);
        let points = self.path_of_widest(&ids, convert::cell(cell));
        self.goals.forget_trips(&ids);
        self.tell_nodes(&ids, true);
        let group = self.goals.end_path(convert::cell(cell));
        self.crowd.assign_march(&ids, &points, group, shape) as i64
    }
}

impl PathForgeCrowd {
    /// The centres along the path of the widest of some agents, of several the one that is nearest to their middle. Where it is, if
    /// it cannot go anywhere.
    fn path_of_widest(&mut self, ids: &[u32], cell: Cell) -> Vec<[f64; 2]> {
        let views: Vec<AgentView> = ids.iter().filter_map(|&id| self.crowd.view(id)).collect();
        let count = views.len().max(1) as f64;
        let sum = views.iter().fold([0.0; 2], |[x, y], view| [x + view.x, y + view.y]);
        let off = |view: &AgentView| (view.x - sum[0] / count).hypot(view.y - sum[1] / count);
        let profile = |view: &AgentView| self.profile_of(view.id).unwrap_or_default();
        let width = |view: &AgentView| profile(view).footprint.w().max(profile(view).footprint.h());
        let widest = views.iter().max_by(|a, b| width(a).cmp(&width(b)).then(off(b).total_cmp(&off(a))));
        let Some(&view) = widest else { return Vec::new() };
        let profile = profile(&view);
        let Some(mut grid) = self.resolve_grid() else { return Vec::new() };
        let query = PathQuery {
            goal_mode: GoalMode::Nearest,
            ..PathQuery::new(placement_at(&view, &profile), cell, profile)
        };
        let half = [profile.footprint.w(), profile.footprint.h()].map(|side| f64::from(side) / 2.0);
        let mut points = Vec::new();
        grid.bind_mut().answer(&query).route.for_each_cell(|cell| {
            points.push([f64::from(cell.x) + half[0], f64::from(cell.y) + half[1]]);
        });
        if points.is_empty() {
            points.push([view.x, view.y]);
        }
        points
    }

    /// The profile of an agent.
    pub(super) fn profile_of(&self, id: u32) -> Option<Profile> {
        let number = usize::from(self.who.get(id as usize)?.profile);
        Some(self.profiles.get(number)?.profile)
    }
}
