//! The map under the agent, as its walker sees it: from its grid, where that lies, what was edited since the
//! last look, and the profile.
//!
//! A borrow of a node takes longer than most looks at its cells, and a crowd has its grid borrowed when it
//! leads hundreds of agents. So what looks at the map takes a [`Site`], a grid that is borrowed already.

use godot::prelude::*;
use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::walker::{Ground, Order, Point, Walker};
use pathforge_core::world::GoalMode;

use super::Agent;
use crate::map::grid::{CellFrame, PathForgeGrid};
use crate::map::map_link::Map;
use crate::map::obstacle;
use crate::script::convert;
use crate::script::profile::{Asker, ProfileArg};

/// How near the end of a way from a storey to another a body has come to it, in sides of a cell.
const STEP_END: f64 = 0.05;
/// How far off such a way a body is still on it, in sides of a cell: as far as one step of a walker.
const STEP_OFF_MAX: f64 = 2.0;
/// How far off its link a game may move a body, in sides of a cell, besides half of the length of the link.
const OFF_LINK_CELLS: f64 = 4.0;

/// A grid that is borrowed, where its cells lie, and where the agent is in global space.
#[derive(Clone, Copy)]
pub struct Site<'a> {
    pub grid: &'a PathForgeGrid,
    /// Its id, and the id of the node that lays out its cells. Asking an object for it takes several calls of
    /// the engine, and a crowd has hundreds of nodes on one grid.
    pub id: InstanceId,
    pub layout: InstanceId,
    pub frame: CellFrame,
    pub position: Vector3,
}

/// The map that the agent knows.
#[derive(Clone, Copy)]
pub struct KnownMap {
    pub grid: InstanceId,
    /// The node that lays out its cells: the grid, or a space.
    pub layout: InstanceId,
    /// How many of its edits the agent knows of.
    edits: u64,
    /// Where its cells were at the last look: the walker is in cell space. `None` where they are flattened to
    /// nothing.
    pub frame: Option<CellFrame>,
}

/// What a path is planned on, beside cells and where they lie. It is compared at each look, so that no setter
/// has to tell of a change, neither the agent's own nor that of a resource that many share.
#[derive(Clone, Copy, PartialEq)]
pub struct Premises {
    asker: Asker,
    goal_mode: GoalMode,
    region: CellRect,
    /// Changes of heights, for a body that climbs only so much.
    heights: u64,
}

impl Agent {
    /// Looks for the grid. Passes on to the walker if it is another grid, or has moved below the agent.
    pub(super) fn find_grid(&mut self) -> Option<Gd<PathForgeGrid>> {
        let map = self.link.resolve(&self.seat.node());
        let ids = map.as_ref().map(|map| (map.grid.instance_id(), map.layout));
        let frame = map.as_ref().and_then(|map| map.frame);
        let target = self.target();
        // Edits of the other grid say nothing about this one, and a request to it is of no use any more.
        if ids != self.known.map(|known| (known.grid, known.layout)) {
            self.known = map.as_ref().map(|&Map { ref grid, layout, frame }| {
                let edits = grid.bind().edit_number();
                KnownMap { grid: grid.instance_id(), layout, edits, frame }
            });
            self.outdate_membership();
            self.take_back_request();
            if let Some(target) = target {
                // A grid that is squeezed flat has no cells to aim at; the walker refuses what is not a
                // number.
                let nowhere = Point::new(f64::NAN, f64::NAN);
                self.walker.enter_map(frame.map_or(nowhere, |frame| frame.point(target)));
            }
        } else if let Some(known) = &mut self.known
            && frame.is_some()
            && frame != known.frame
        {
            // The grid was moved or turned: the target, which is global, is now in another cell.
            let former = std::mem::replace(&mut known.frame, frame);
            let is_as_large = former.zip(frame).is_some_and(|(former, frame)| former.has_cells_of(&frame));
            if !is_as_large {
                // Its radius is another one in cells, and all that stands on the map is elsewhere.
                self.outdate_membership();
                self.walker.look_anew();
            }
            if let Some(target) = target {
                self.at_grid(|agent, site| {
                    let target = site.frame.point(target);
                    agent.on_site(site, |walker, ground, here| walker.move_target(ground, here, target));
                });
            }
        }
        map.map(|map| map.grid)
    }

    /// The grid that the agent knows, if that is still there, and where its cells lie.
    pub(super) fn known_grid(&self) -> Option<(Gd<PathForgeGrid>, CellFrame)> {
        let KnownMap { grid, frame, .. } = self.known?;
        Gd::try_from_instance_id(grid).ok().zip(frame)
    }

    /// Calls `work` with the grid that the agent knows, borrowed, and where the agent is; `None` without a
    /// grid.
    pub(super) fn at_grid<R>(&mut self, work: impl FnOnce(&mut Self, Site<'_>) -> R) -> Option<R> {
        let (grid, frame) = self.known_grid()?;
        let KnownMap { grid: id, layout, .. } = self.known?;
        let (position, grid) = (self.seat.place(), grid.bind());
        Some(work(self, Site { grid: &grid, id, layout, frame, position }))
    }

    /// Calls `work` with the walker, the ground that it walks on and where the body is.
    pub(super) fn on_site<R>(
        &mut self,
        Site { grid, frame, position, .. }: Site<'_>,
        work: impl FnOnce(&mut Walker, &Ground<'_>, Point) -> R,
    ) -> R {
        let profile = self.asker(grid).profile;
        let here = self.here(&frame, (grid, position));
        self.was_at = Some(here);
        if self.is_off_link(&frame) {
            self.walker.put_off_link();
        }
        let walker = &mut self.walker;
        grid.with_ground(&profile, frame.metric(), |ground| work(walker, ground, here))
    }

    /// Where the body is in cell space. On its way from a storey to another it is at the start of that way
    /// until it has come to its end.
    pub(super) fn here(&self, frame: &CellFrame, (grid, position): (&PathForgeGrid, Vector3)) -> Point {
        let Some(([start, end], [from, to])) = self.storey_step(frame) else {
            return self.point_of_body(frame, grid, position);
        };
        let near = frame.global_cell_side() * STEP_END;
        let off = position - to;
        let is_past = off.dot(to - from) >= 0.0;
        // Physics may hold a body a little above or below the end of its stairs. A lift is straight up.
        let along = |way: Vector3| f64::from(Vector2::new(way.x, way.z).length());
        let is_on_stairs = along(to - from) > near && along(off) <= near;
        let climb = f64::from((to - from).y.abs());
        let is_beside = is_on_stairs && f64::from(off.y.abs()) <= frame.global_cell_side().max(climb / 2.0);
        if is_past || is_beside || f64::from(off.length()) <= near { end } else { start }
    }

    /// Where the body is in cell space, whether or not it is on its way between storeys.
    pub fn point_of_body(&self, frame: &CellFrame, grid: &PathForgeGrid, position: Vector3) -> Point {
        frame.point_from(position, self.was_at, |cell: Cell| {
            let map = grid.map();
            map.region().contains(cell) && !map.world.terrain().is_solid(cell)
        })
    }

    /// The part of the path on which the body is now, in cells and in space, if that leads from a storey to
    /// another. A body far off the straight line between both was put there.
    fn storey_step(&self, frame: &CellFrame) -> Option<([Point; 2], [Vector3; 2])> {
        let next = self.walker.next_index();
        let &[start, end] = self.walker.points().get(next.checked_sub(1)?..=next)? else { return None };
        self.walker.link_under()?;
        // As high above the ground as where it entered the link.
        let lift = Vector3::UP * self.link_lift;
        let [from, to] = frame.between_storeys(start, end)?.map(|place| place + lift);
        let (place, way) = (self.seat.place(), to - from);
        let part = (place - from).dot(way) / way.length_squared().max(f32::MIN_POSITIVE);
        let off = place.distance_to(from + way * part.clamp(0.0, 1.0));
        (f64::from(off) <= frame.global_cell_side() * STEP_OFF_MAX).then_some(([start, end], [from, to]))
    }

    /// Returns `true` if the body is farther off the link that it is on than a game moves it there: it was put
    /// elsewhere.
    fn is_off_link(&self, frame: &CellFrame) -> bool {
        let Some([from, to]) = self.walker.link_under().and_then(|link| self.link_ends(link.index - 1))
        else {
            return false;
        };
        let (place, way) = (self.seat.place(), to - from);
        let part = (place - from).dot(way) / way.length_squared().max(f32::MIN_POSITIVE);
        let off = place.distance_to(from + way * part.clamp(0.0, 1.0));
        f64::from(off) > frame.global_cell_side() * OFF_LINK_CELLS + f64::from(way.length()) / 2.0
    }

    /// Returns `true` if the body is on its way from a storey to another.
    pub(super) fn is_between_storeys(&self) -> bool {
        let frame = self.known.and_then(|known| known.frame);
        frame.is_some_and(|frame| self.storey_step(&frame).is_some())
    }

    /// The way to a position to walk to: along the ground of the body's storey, or straight through space to
    /// another storey.
    pub(super) fn way_to(&self, position: Vector3) -> Vector3 {
        let here = self.seat.place();
        let Some(frame) = self.known.and_then(|known| known.frame) else { return position - here };
        match self.storey_step(&frame) {
            Some((_, [_, end])) => end - here,
            None => frame.at(here).0.along(position - here),
        }
    }

    /// Gives the walker a target in global space; returns what the crowd is to be told.
    pub(super) fn set_target_on(&mut self, site: Site<'_>, target: Vector3) -> Option<Order> {
        let target = site.frame.point(target);
        self.on_site(site, |walker, ground, here| walker.set_target(ground, here, target))
    }

    /// Tells the walker what was edited, and whether the data that its path was planned with has changed
    /// since the last look. Once a frame for all edits, since there may be hundreds of agents and of bodies
    /// that block cells.
    pub(super) fn look_around(&mut self, site: Site<'_>) {
        let goal_mode = self.walker.settings.goal_mode;
        let asker = self.worn(site.grid);
        let heights = site.grid.map().height_changes_for(&asker.profile);
        let now = Premises { asker, goal_mode, region: site.grid.cell_region(), heights };
        if self.premises.replace(now).is_some_and(|before| before != now) {
            self.walker.look_anew();
        }
        let Some(known) = &mut self.known else { return };
        let number = site.grid.edit_number();
        // Also without a target: old edits do not count for a later one.
        let seen = std::mem::replace(&mut known.edits, number);
        if seen == number || self.walker.target().is_none() {
            return;
        }
        // Its own obstacle moves along with it, and would make it ask for a path in each step.
        let others = site.grid.edits_since(seen).map(|mut edits| {
            edits.retain(|&rect| !self.is_own_obstacle(rect));
            edits
        });
        self.on_site(site, |walker, ground, here| walker.edited(ground, here, others.as_deref()));
    }

    /// The body as its profile has it.
    fn worn(&self, grid: &PathForgeGrid) -> Asker {
        Asker::of(&ProfileArg::from(self.profile.clone()), grid.grid_diagonal_mode())
    }

    /// The body as paths are asked for: it walks through an obstacle of its own.
    pub(super) fn asker(&self, grid: &PathForgeGrid) -> Asker {
        let mut asker = self.worn(grid);
        // Straight lines between corners, whatever the profile says.
        asker.smoothing = true;
        let own = self.own_obstacle().and_then(|(id, _)| convert::obstacle(id));
        if let Some(id) = own {
            // There is always room for it: see `IGNORED_OBSTACLES_MAX`.
            let ignored = asker.profile.ignored_obstacles;
            asker.profile.ignored_obstacles = ignored.with(id).unwrap_or(ignored);
        }
        asker
    }

    /// The obstacle of its own: its id on the grid, and the cells that it covers.
    pub(super) fn own_obstacle(&self) -> Option<(i64, Rect2i)> {
        obstacle::standing(self.obstacle?)
    }

    /// Returns `true` if an edit of `rect` is a step of the body's own obstacle.
    fn is_own_obstacle(&self, rect: CellRect) -> bool {
        // The engine's own arithmetic overflows where an obstacle is as far away as numbers go.
        self.own_obstacle()
            .is_some_and(|(_, cells)| convert::rect(cells).grown(1, 1, 1, 1).intersection(rect) == rect)
    }

    /// The part of its speed with which the ground lets the body walk where it is.
    pub(super) fn weight_factor(&self) -> f64 {
        let Some((mut grid, frame)) = self.known_grid() else { return 1.0 };
        let profile = self.asker(&grid.bind()).profile;
        if !profile.slowed_by_weight {
            return 1.0;
        }
        let costs = grid.bind_mut().placement_costs(profile.layer_key(), profile.terrain_costs);
        let (here, region) = (frame.point(self.seat.place()), grid.bind().cell_region());
        let corner = |at: f64, side: i32, least: i32| (at - f64::from(side) * 0.5 - f64::from(least)) as f32;
        let position = [
            corner(here.x, profile.footprint.w(), region.x),
            corner(here.y, profile.footprint.h(), region.y),
        ];
        costs.map_or(1.0, |costs| f64::from(costs.pace(position)))
    }
}
