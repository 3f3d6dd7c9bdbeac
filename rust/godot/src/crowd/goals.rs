//! The fields that agents follow: those of nodes, and those that the crowd makes for goals, shared by goal and profile.

use std::time::Instant;

use godot::prelude::*;
use pathforge_core::crowd::{AgentState, AgentView, Crowd, CrowdField};
use pathforge_core::field::{AnyField, FieldBuilder, FieldRef, FlowField as ExactField};
use pathforge_core::geometry::Cell;
use pathforge_core::world::{GoalMode, MapVersion, Profile};

use super::stepping::Figures;
use crate::flow_field::FlowField;
use crate::grid::PathForgeGrid;

/// So many ends of paths are remembered.
const PATH_ENDS_MAX: usize = 256;

/// Where some agents go.
pub enum Goal {
    /// To a cell, by a field of the crowd's own.
    Made(Box<Made>),
    /// Where a node's field leads.
    Node(InstanceId),
}

impl Goal {
    /// The cell, or the first of a node's field.
    pub fn cell(&self) -> Option<Cell> {
        match self {
            Self::Made(made) => Some(made.cell),
            Self::Node(id) => {
                let node = Gd::<FlowField>::try_from_instance_id(*id).ok()?;
                node.bind().field_in_use()?.exact_part().integration().goals().next()
            }
        }
    }
}

/// A field of the crowd's own.
pub struct Made {
    pub cell: Cell,
    pub profile: Profile,
    pub field: ExactField,
    /// What it was made from; `None` when it is not made yet.
    pub version: Option<MapVersion>,
}

/// An agent that walks to a cell by a path of its own.
#[derive(Clone, Copy, Debug)]
pub struct Trip {
    pub id: u32,
    pub cell: Cell,
    pub profile: Profile,
}

/// All goals by the number of their field, and all trips.
#[derive(Default)]
pub struct Goals {
    pub fields: Vec<Option<Goal>>,
    pub trips: Vec<Trip>,
    /// The map that all trips were planned on.
    pub planned_on: Option<MapVersion>,
    /// The groups of the last orders to walk along a path, and where the path ends.
    path_ends: Vec<(u32, Cell)>,
    builder: FieldBuilder,
}

/// The fields of a step.
pub struct Held {
    /// Those of nodes, by number.
    nodes: Vec<Option<AnyField>>,
}

impl Goals {
    /// The number of the field to `cell` for bodies of `profile`, made anew when there is none.
    pub fn field_to(&mut self, cell: Cell, profile: &Profile, crowd: &Crowd) -> u32 {
        self.find(cell, profile).unwrap_or_else(|| {
            let made = Made { cell, profile: *profile, field: ExactField::default(), version: None };
            self.add(Goal::Made(Box::new(made)), crowd)
        })
    }

    /// The number of the field to `cell` for bodies of `profile`, if there is one.
    pub fn find(&self, cell: Cell, profile: &Profile) -> Option<u32> {
        let is_same = |goal: &Option<Goal>| match goal {
            Some(Goal::Made(made)) => made.cell == cell && made.profile == *profile,
            _ => false,
        };
        self.fields.iter().position(is_same).map(|place| place as u32)
    }

    /// The number of a node's field.
    pub fn field_of(&mut self, node: InstanceId, crowd: &Crowd) -> u32 {
        let is_same = |goal: &Option<Goal>| matches!(goal, Some(Goal::Node(id)) if *id == node);
        match self.fields.iter().position(is_same) {
            Some(place) => place as u32,
            None => self.add(Goal::Node(node), crowd),
        }
    }

    fn add(&mut self, goal: Goal, crowd: &Crowd) -> u32 {
        self.drop_unused(crowd);
        let free = self.fields.iter().position(Option::is_none).unwrap_or_else(|| {
            self.fields.push(None);
            self.fields.len() - 1
        });
        self.fields[free] = Some(goal);
        free as u32
    }

    /// Drops the fields that no agent follows.
    fn drop_unused(&mut self, crowd: &Crowd) {
        let mut used = vec![false; self.fields.len()];
        for field in crowd.fields_in_use() {
            if let Some(used) = used.get_mut(field as usize) {
                *used = true;
            }
        }
        for (goal, used) in self.fields.iter_mut().zip(used) {
            if !used {
                *goal = None;
            }
        }
    }

    /// Agents that were told something else make no trips any more.
    pub fn forget_trips(&mut self, ids: &[u32]) {
        if !self.trips.is_empty() {
            self.trips.retain(|trip| !ids.contains(&trip.id));
        }
    }

    /// The numbers of nodes that are not there any more; they are free afterwards.
    pub fn drop_gone(&mut self) -> Vec<u32> {
        let mut gone = Vec::new();
        for (number, goal) in self.fields.iter_mut().enumerate() {
            let is_gone =
                matches!(goal, Some(Goal::Node(id)) if Gd::<FlowField>::try_from_instance_id(*id).is_err());
            if is_gone {
                *goal = None;
                gone.push(number as u32);
            }
        }
        gone
    }

    /// Brings the crowd's own fields up to date with the map, and the paths of those that walk by one.
    pub fn keep_up(&mut self, grid: &mut PathForgeGrid, crowd: &mut Crowd, figures: &mut Figures) {
        let begun = Instant::now();
        let mut cells = 0;
        let Self { fields, builder, .. } = self;
        for goal in fields {
            if let Some(Goal::Made(made)) = goal {
                cells += made.keep_up(grid, builder);
            }
        }
        if cells > 0 {
            figures.field_usec = begun.elapsed().as_micros() as i64;
            figures.field_cells = cells as i64;
        }
        let version = grid.map_version();
        if self.planned_on != Some(version) {
            let planned_before = self.planned_on.replace(version).is_some();
            let is_under_way = |crowd: &mut Crowd, trip: &Trip| {
                crowd
                    .view(trip.id)
                    .is_some_and(|v| !matches!(v.state, AgentState::Arrived | AgentState::Idle))
            };
            self.trips.retain(|trip| is_under_way(crowd, trip));
            if planned_before {
                self.trips.iter().for_each(|trip| trip.plan(grid, crowd));
            }
        }
    }

    /// Plans the trip of an agent that was put elsewhere, if it makes one.
    pub fn plan_anew(&self, grid: &mut PathForgeGrid, crowd: &mut Crowd, id: u32) {
        let is_under_way = |crowd: &mut Crowd| {
            crowd.view(id).is_some_and(|v| !matches!(v.state, AgentState::Arrived | AgentState::Idle))
        };
        if let Some(trip) = self.trips.iter().find(|trip| trip.id == id).filter(|_| is_under_way(crowd)) {
            trip.plan(grid, crowd);
        }
    }

    /// The cell of a group that the crowd was sent to, or to which a node's field leads.
    pub fn cell_of(&self, group: u32) -> Option<Cell> {
        let of_field = |goal: &Option<Goal>| match goal {
            Some(Goal::Made(made)) => Some(made.cell),
            Some(Goal::Node(id)) => {
                let node = Gd::<FlowField>::try_from_instance_id(*id).ok()?;
                let field = node.bind().field_in_use()?;
                let mut goals = field.exact_part().integration().goals();
                let first = goals.next()?;
                (group_of(std::iter::once(first).chain(goals)) == group).then_some(first)
            }
            None => None,
        };
        let is_it = |cell: &Cell| group_of([*cell].into_iter()) == group;
        let mut trips = self.trips.iter().map(|trip| trip.cell);
        let mut nodes = self.fields.iter().filter(|goal| matches!(goal, Some(Goal::Node(_))));
        let made = self.fields.iter().filter(|goal| matches!(goal, Some(Goal::Made(_))));
        made.filter_map(of_field)
            .find(is_it)
            .or_else(|| trips.find(is_it))
            .or_else(|| nodes.find_map(of_field))
            .or_else(|| self.path_ends.iter().map(|&(_, cell)| cell).find(is_it))
    }

    /// Agents are sent along a path that ends at `cell`; returns their group.
    pub fn end_path(&mut self, cell: Cell) -> u32 {
        let group = group_of([cell].into_iter());
        self.path_ends.retain(|&(known, _)| known != group);
        self.path_ends.truncate(PATH_ENDS_MAX - 1);
        self.path_ends.insert(0, (group, cell));
        group
    }

    /// The fields of nodes, to be held during a step.
    pub fn hold(&self) -> Held {
        let node_field = |goal: &Option<Goal>| match goal {
            Some(Goal::Node(id)) => {
                Gd::<FlowField>::try_from_instance_id(*id).ok().and_then(|node| node.bind().field_in_use())
            }
            _ => None,
        };
        Held { nodes: self.fields.iter().map(node_field).collect() }
    }

    /// All fields by number.
    pub fn list<'a>(&'a self, held: &'a Held) -> Vec<Option<CrowdField<'a>>> {
        let field = |(goal, node): (&'a Option<Goal>, &'a Option<AnyField>)| match goal {
            Some(Goal::Made(made)) => {
                Some(CrowdField { field: (&made.field).into(), group: group_of([made.cell].into_iter()) })
            }
            _ => node.as_ref().map(|field| {
                let field = FieldRef::from(field);
                CrowdField { field, group: group_of(field.exact_part().integration().goals()) }
            }),
        };
        self.fields.iter().zip(&held.nodes).map(field).collect()
    }
}

impl Made {
    /// Repairs the field or builds it anew; returns how many cells were written.
    fn keep_up(&mut self, grid: &mut PathForgeGrid, builder: &mut FieldBuilder) -> u64 {
        let changes = self.version.and_then(|version| grid.anchors_changed_since(version, &self.profile));
        if changes.as_ref().is_some_and(Vec::is_empty) {
            return 0;
        }
        let goals = grid.field_goals(&[self.cell], GoalMode::Nearest, &self.profile);
        let source = grid.field_source(&self.profile);
        self.version = Some(source.version());
        if let Some(changes) = changes
            && let Some(change) = builder.repair(source.ground(), &changes, &goals, &mut self.field)
        {
            return change.written;
        }
        builder.build(source.ground(), &goals, None, &mut self.field);
        self.field.integration().reached().max(1)
    }
}

impl Trip {
    /// Looks for the agent's path from where it is.
    pub fn plan(&self, grid: &mut PathForgeGrid, crowd: &mut Crowd) {
        let Some(view) = crowd.view(self.id) else { return };
        let (w, h) = (f64::from(self.profile.footprint.w()), f64::from(self.profile.footprint.h()));
        let start = placement_at(&view, &self.profile);
        let query = pathforge_core::world::PathQuery {
            goal_mode: GoalMode::Nearest,
            ..pathforge_core::world::PathQuery::new(start, self.cell, self.profile)
        };
        let mut points = Vec::new();
        let outcome = grid.answer(&query);
        outcome.route.for_each_cell(|cell| {
            points.push([f64::from(cell.x) + w / 2.0, f64::from(cell.y) + h / 2.0]);
        });
        if points.is_empty() {
            // Nowhere to go: as good as there.
            points.push([view.x, view.y]);
        }
        crowd.assign_path(&[self.id], &points, group_of([self.cell].into_iter()));
    }
}

/// The placement that an agent is nearest to.
pub fn placement_at(view: &AgentView, profile: &Profile) -> Cell {
    let round = |at: f64, side: i32| (at - f64::from(side) / 2.0 + 0.5).floor() as i32;
    Cell::new(round(view.x, profile.footprint.w()), round(view.y, profile.footprint.h()))
}

/// A number that tells goals apart: FNV-1a over their cells.
pub fn group_of(goals: impl Iterator<Item = Cell>) -> u32 {
    goals.fold(0x811c_9dc5, |hash, cell| {
        let mixed = (hash ^ cell.x as u32).wrapping_mul(0x0100_0193);
        (mixed ^ cell.y as u32).wrapping_mul(0x0100_0193)
    }) & 0x7fff_ffff
}
