//! One step: profiles, fields, nodes, the core's step and signals, in this order.

use std::sync::Arc;
use std::time::Instant;

use godot::classes::Node;
use godot::prelude::*;
use pathforge_core::crowd::{Crowd, CrowdGround, CrowdNews};
use pathforge_core::field::FlowField as CoreField;
use pathforge_core::guidance::{CrowdMap, Guidance};
use pathforge_core::walker::Notice;

use super::bound_nodes::Move;
use super::nodes::Told;
use super::{PathForgeCrowd, array_of};
use crate::engine::clock::{self, Figure};
use crate::engine::errors::report;
use crate::engine::state;
use crate::fields::flow_field::FlowField;
use crate::map::grid::PathForgeGrid;
use crate::map::grid_link::NO_GRID;
use crate::movers::agent::Agent;
use crate::script::convert;

#[godot_api(secondary)]
impl PathForgeCrowd {
    /// Moves all agents by `delta` seconds, and returns [code]true[/code] on success: for games that step the
    /// crowd themselves, with [member auto_step] off. A delta of 0 does nothing; a negative, infinite or NaN
    /// delta is an error. A delta above 1/60 s is cut into substeps. At most 60 are computed, so time beyond
    /// one second is lost.
    ///
    /// Before any agent moves, the fields that the crowd makes for goals are updated with the map.
    #[func(gd_self)]
    fn step(this: Gd<Self>, delta: f64) -> bool {
        Self::advance(this, delta, true)
    }
}

impl PathForgeCrowd {
    /// Steps and emits signals for agents that arrived, got stuck or are blocked.
    pub(super) fn advance(mut this: Gd<Self>, delta: f64, is_loud: bool) -> bool {
        let (outcome, told, moves) = {
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
        // Nothing is borrowed from here on: scripts that hear of it call this node, and may free it.
        moves.iter().for_each(Move::make);
        for (agent, messages) in told {
            Agent::tell(&agent, messages);
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
        let blocked = this.bind().nodes_among(&outcome.blocked);
        for agent in arrived {
            Agent::hear_and_tell(agent, Notice::Rests, None);
        }
        for (agent, refused) in stuck {
            let cut_off = refused.as_ref().map(|path| Notice::CutOff(path.bind().outcome().reason));
            Agent::hear_and_tell(agent, cut_off.unwrap_or(Notice::Stuck), refused);
        }
        for agent in blocked {
            Agent::hear_and_tell(agent, Notice::Blocked, None);
        }
        if !this.is_instance_valid() {
            return true;
        }
        let hindered = this.bind_mut().hindered_nodes(&outcome.hindered);
        for (agent, standing) in hindered {
            Agent::hinder(&agent, &standing);
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
        for (is_entered, news) in [(true, outcome.entered_links), (false, outcome.left_links)] {
            if news.is_empty() || !this.is_instance_valid() {
                continue;
            }
            let (ids, links): (Vec<u32>, Vec<u32>) = news.into_iter().unzip();
            let (ids, links) = (array_of(ids), array_of(links));
            if is_entered {
                this.signals().agents_entered_links().emit(&ids, &links);
            } else {
                this.signals().agents_left_links().emit(&ids, &links);
            }
        }
        for news in outcome.groups {
            if !this.is_instance_valid() {
                return true;
            }
            let cell = this.bind().guidance.cell_of(news.group);
            if let Some(cell) = cell {
                let (arrived, blocked) = (i64::from(news.arrived), i64::from(news.blocked));
                this.signals().group_arrived().emit(convert::vector(cell), arrived, blocked);
            }
        }
        true
    }

    fn move_on(&mut self, delta: f64) -> Result<(CrowdNews, Told, Vec<Move>), String> {
        let grid = self.resolve_grid().ok_or(NO_GRID)?;
        self.geometry = grid.bind().cell_geometry();
        // Before the fields: agents whose profile was edited get others, which the update makes.
        self.follow_profiles(&grid);
        // A node that was freed lends its field no more: agents that follow it stop.
        self.guidance.end_lent(&mut self.crowd, |key| node_of(key).is_none());
        let updated = self.on_map(&grid, Guidance::update);
        if let Some(figures) = updated {
            clock::count(Figure::FieldUsec, figures.usec);
            clock::count(Figure::FieldUpdates, 1);
            clock::count(Figure::FieldCells, figures.cells);
        }
        // Before the step: bodies were moved since the last one, and others keep clear of where they are now.
        let told = self.hear_nodes(&grid, delta);
        // The monitor is for agents alone: not for fields, and not for paths of nodes.
        let begun = Instant::now();
        let layers = self.on_map(&grid, |guidance, crowd, map| guidance.layers(crowd, map));
        let lent = self.lent_fields();
        let outcome = self.guidance.step(&mut self.crowd, &layers, &lent, delta);
        drop(lent);
        let outcome = outcome.map_err(|error| error.to_string())?;
        clock::count(Figure::StepUsec, begun.elapsed().as_micros() as u64);
        clock::count(Figure::Steps, 1);
        self.look.moved();
        self.pace_nodes(&grid, delta);
        Ok((outcome, told, self.moves(&grid)))
    }

    /// The fields that nodes lend, by the number of the guidance.
    pub(super) fn lent_fields(&self) -> Vec<Option<Arc<CoreField>>> {
        let node_field = |key: Option<u64>| node_of(key?)?.bind().field_in_use();
        self.guidance.lent().map(node_field).collect()
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
            self.geometry = grid.bind().cell_geometry();
        } else {
            report(method, NO_GRID);
        }
        grid
    }

    /// Calls `work` with the map of `grid`, which is locked meanwhile.
    pub(super) fn on_map<T>(
        &mut self,
        grid: &Gd<PathForgeGrid>,
        work: impl FnOnce(&mut Guidance, &mut Crowd, &mut CrowdMap<'_>) -> T,
    ) -> T {
        let state = state::of(grid);
        let world = &mut state.lock().world;
        let id = grid.instance_id().to_i64().cast_unsigned();
        work(&mut self.guidance, &mut self.crowd, &mut CrowdMap { id, world })
    }

    /// Calls `work` with the crowd and the layers of `grid`.
    pub(super) fn with_layers<T>(
        &mut self,
        grid: &Gd<PathForgeGrid>,
        work: impl FnOnce(&mut Crowd, &CrowdGround<'_>) -> T,
    ) -> T {
        self.geometry = grid.bind().cell_geometry();
        let layers = self.on_map(grid, |guidance, crowd, map| guidance.layers(crowd, map));
        layers.with(&[], |ground| work(&mut self.crowd, ground))
    }

    /// Pixels that a cell is wide, on average of both directions.
    pub(super) fn cell_px(&self) -> f64 {
        self.geometry.cell_side()
    }
}

/// The node that lends a field; `None` once it is freed.
fn node_of(key: u64) -> Option<Gd<FlowField>> {
    Gd::try_from_instance_id(InstanceId::try_from_i64(key.cast_signed())?).ok()
}
