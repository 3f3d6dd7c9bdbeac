//! Steps of the crowd.

use std::sync::Arc;
use std::time::Instant;

use godot::classes::Node;
use godot::prelude::*;
use pathforge_core::bitgrid::BitGrid;
use pathforge_core::crowd::{Crowd, CrowdGround, CrowdNews};
use pathforge_core::passability::PlacementCosts;
use pathforge_core::walker::Notice;
use pathforge_core::world::MapVersion;

use super::nodes::Told;
use super::{PathForgeCrowd, array_of};
use crate::agent::PathForgeAgent2D;
use crate::convert;
use crate::errors::report;
use crate::geometry::CellGeometry;
use crate::grid::PathForgeGrid;
use crate::grid_link::NO_GRID;

/// What the last step took.
#[derive(Clone, Copy, Default, Debug)]
pub struct Figures {
    pub step_usec: i64,
    pub field_usec: i64,
    pub field_cells: i64,
}

/// The grid and the map that the crowd knows.
#[derive(Default)]
pub struct Seen {
    map: Option<(InstanceId, MapVersion)>,
    /// Counts how often it was another.
    changes: u64,
    /// Where cells lie, for queries by position.
    pub geometry: CellGeometry,
}

impl Seen {
    fn look_at(&mut self, grid: &Gd<PathForgeGrid>) -> u64 {
        let state = grid.bind();
        let map = Some((grid.instance_id(), state.map_version()));
        self.geometry = state.cell_geometry();
        if map != self.map {
            self.map = map;
            self.changes += 1;
        }
        self.changes
    }
}

#[godot_api(secondary)]
impl PathForgeCrowd {
    /// Moves all agents by `delta` seconds: for games that step the crowd themselves, with [member auto_step] off.
    /// Returns whether it could. A delta of 0 does nothing; below zero, infinite or not a number is an error. Longer
    /// ones than 1/60 s are cut into parts, of which at most 60 are computed: what goes beyond a second is lost.
    ///
    /// Fields that the crowd makes for goals are brought up to date with the map before anybody moves.
    #[func(gd_self)]
    fn step(this: Gd<Self>, delta: f64) -> bool {
        Self::advance(this, delta, true)
    }

    /// Returns how long the last step took, in microseconds, without the fields.
    #[func]
    fn get_step_usec(&self) -> i64 {
        self.figures.step_usec
    }

    /// Returns how long the crowd's own fields took when they were last brought up to date, in microseconds, all together.
    #[func]
    fn get_field_usec(&self) -> i64 {
        self.figures.field_usec
    }

    /// Returns how many cells of the crowd's own fields were written when they were last brought up to date.
    #[func]
    fn get_field_cell_count(&self) -> i64 {
        self.figures.field_cells
    }
}

impl PathForgeCrowd {
    /// Steps and emits signals for agents that arrived, got stuck or are blocked.
    pub(super) fn advance(mut this: Gd<Self>, delta: f64, is_loud: bool) -> bool {
        let (outcome, told) = {
            let mut crowd = this.bind_mut();
            match crowd.move_on(delta) {
                Ok(outcome) => outcome,
                Err(problem) => {
                    if is_loud {
                        report("PathForgeCrowd.step", problem);
                    }
                    return false;
                }
            }
        };
        for (agent, messages) in told {
            PathForgeAgent2D::tell(&agent, messages);
        }
        if !this.is_instance_valid() {
            return true;
        }
        Self::tell_jams(this.clone(), delta);
        if !this.is_instance_valid() {
            return true;
        }
        let (arrived, stuck) = {
            let mut crowd = this.bind_mut();
            (crowd.nodes_among(&outcome.arrived), crowd.stuck_nodes(&outcome.stuck))
        };
        for agent in arrived {
            PathForgeAgent2D::hear_and_tell(agent, Notice::Rests, None);
        }
        for (agent, refused) in stuck {
            let cut_off = refused.as_ref().map(|path| Notice::CutOff(path.bind().outcome().reason));
            PathForgeAgent2D::hear_and_tell(agent, cut_off.unwrap_or(Notice::Stuck), refused);
        }
        if !this.is_instance_valid() {
            return true;
        }
        if !outcome.arrived.is_empty() {
            this.signals().agents_arrived().emit(&array_of(outcome.arrived));
        }
        if !outcome.stuck.is_empty() && this.is_instance_valid() {
            this.signals().agents_stuck().emit(&array_of(outcome.stuck));
        }
        if !outcome.blocked.is_empty() && this.is_instance_valid() {
            this.signals().agents_blocked().emit(&array_of(outcome.blocked));
        }
        for news in outcome.groups {
            if !this.is_instance_valid() {
                return true;
            }
            let cell = this.bind().goals.cell_of(news.group);
            if let Some(cell) = cell {
                let (arrived, blocked) = (i64::from(news.arrived), i64::from(news.blocked));
                this.signals().group_arrived().emit(convert::vector(cell), arrived, blocked);
            }
        }
        true
    }

    fn move_on(&mut self, delta: f64) -> Result<(CrowdNews, Told), String> {
        let mut grid = self.resolve_grid().ok_or(NO_GRID)?;
        let revision = self.seen.look_at(&grid);
        self.follow_profiles(&mut grid);
        let gone = self.goals.drop_gone();
        if !gone.is_empty() {
            self.crowd.stop_followers(|field| gone.contains(&field));
        }
        self.goals.keep_up(&mut grid.bind_mut(), &mut self.crowd, &mut self.figures);
        let told = self.hear_nodes(&grid, delta);
        let begun = Instant::now();
        let (layers, costs) = layers_of(&self.crowd, &mut grid.bind_mut());
        let layers: Vec<&BitGrid> = layers.iter().map(AsRef::as_ref).collect();
        let costs: Vec<Option<&PlacementCosts>> = costs.iter().map(Option::as_deref).collect();
        let held = self.goals.hold();
        let fields = self.goals.list(&held);
        let region = grid.bind().cell_region();
        let ground = CrowdGround { region, revision, layers: &layers, costs: &costs, fields: &fields };
        let outcome = self.crowd.step(delta, &ground).map_err(|error| error.to_string())?;
        self.figures.step_usec = begun.elapsed().as_micros() as i64;
        self.look.moved();
        self.pace_nodes(&grid);
        self.move_nodes(&grid);
        Ok((outcome, told))
    }

    /// Warns once when agents stand still for want of a grid.
    pub(super) fn warn_of_no_grid(&mut self, node: &Gd<Node>) {
        if !self.crowd.is_empty() {
            self.link.warn_once(node);
        }
    }

    /// The grid, looked for when there is none yet.
    pub(super) fn resolve_grid(&mut self) -> Option<Gd<PathForgeGrid>> {
        let node = self.to_gd().upcast();
        self.link.resolve(&node)
    }

    /// The grid, or an error that names the method which needs it.
    pub(super) fn grid_for(&mut self, method: &str) -> Option<Gd<PathForgeGrid>> {
        let grid = self.resolve_grid();
        if let Some(grid) = &grid {
            self.seen.look_at(grid);
        } else {
            report(method, NO_GRID);
        }
        grid
    }

    /// Calls `work` with the crowd and the layers of `grid`.
    pub(super) fn with_layers<T>(
        &mut self,
        grid: &mut Gd<PathForgeGrid>,
        work: impl FnOnce(&mut Crowd, &CrowdGround<'_>) -> T,
    ) -> T {
        let revision = self.seen.look_at(grid);
        let mut state = grid.bind_mut();
        let (layers, _) = layers_of(&self.crowd, &mut state);
        let layers: Vec<&BitGrid> = layers.iter().map(AsRef::as_ref).collect();
        let region = state.cell_region();
        work(&mut self.crowd, &CrowdGround { region, revision, layers: &layers, costs: &[], fields: &[] })
    }

    /// Pixels that a cell is wide, on average of both directions.
    pub(super) fn cell_px(&self) -> f64 {
        let frame = self.seen.geometry.transform();
        f64::from(frame.a.x * frame.b.y - frame.a.y * frame.b.x).abs().sqrt().max(1e-6)
    }
}

/// The placements of each kind in a crowd, and what they cost those kinds that are slowed by it; an empty list where none is.
fn layers_of(
    crowd: &Crowd,
    grid: &mut PathForgeGrid,
) -> (Vec<Arc<BitGrid>>, Vec<Option<Arc<PlacementCosts>>>) {
    let layers = crowd.kinds().iter().map(|kind| grid.placements(kind.layer)).collect();
    let slows = crowd.kinds().iter().any(|kind| kind.is_slowed);
    let costs = crowd.kinds().iter().filter(|_| slows);
    let costs =
        costs.map(|kind| kind.is_slowed.then(|| grid.placement_costs(kind.layer, kind.terrain_costs))?);
    (layers, costs.collect())
}
