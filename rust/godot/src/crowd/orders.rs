//! Sending agents somewhere.

use godot::prelude::*;
use pathforge_core::crowd::MarchShape;
use pathforge_core::geometry::Cell;
use pathforge_core::world::Profile;

use super::goals::Trip;
use super::{PathForgeCrowd, firsts_of, ids_of};
use crate::convert;
use crate::errors::{report, reported};
use crate::flow_field::FlowField;
use crate::node_arg::NodeArg;
use crate::path::PathForgePath;

/// So few agents of a profile walk to a goal by paths of their own. A path takes some 10 to 100 microseconds, a field
/// of a map of 256² cells some 400.
const TRIPS_MAX: usize = 6;
/// On maps with at most so many cells they share a field all the same.
const SMALL_MAP: u64 = 64 * 64;

#[godot_api(secondary)]
impl PathForgeCrowd {
    /// Sends agents along a [FlowField] and returns how many there are. They follow it as it changes; when it is freed,
    /// they stop. The field should be for a body of their profile: one that is wider than the field's waits where it
    /// does not fit. Of a field with a [member FlowField.coarseness] above 1 they find places around the goals in its exact
    /// part.
    #[func]
    fn assign_field(&mut self, ids: PackedInt32Array, field: NodeArg<FlowField>) -> i64 {
        const METHOD: &str = "PathForgeCrowd.assign_field";
        let Some(field) = reported(METHOD, field.node("field")) else { return 0 };
        let number = self.goals.field_of(field.instance_id(), &self.crowd);
        let ids = ids_of(&ids);
        self.goals.forget_trips(&ids);
        self.tell_nodes(&ids, true);
        self.crowd.assign_field(&ids, number) as i64
    }

    /// Sends agents along a path from [method PathForgeGrid.find_path], all along the same, and returns how many there
    /// are. The path stays what it is when the map changes. Where no path is left, they stop.
    #[func]
    fn assign_path(&mut self, ids: PackedInt32Array, path: Option<Gd<PathForgePath>>) -> i64 {
        let Some(path) = path else {
            report("PathForgeCrowd.assign_path", "path is null; use stop() to stop agents");
            return 0;
        };
        let geometry = self.seen.geometry;
        let positions = path.bind().center_positions();
        let points: Vec<[f64; 2]> =
            positions.as_slice().iter().map(|&position| geometry.cell_space_of(position).into()).collect();
        let last = points.last().map(|&[x, y]| Cell::new(x.floor() as i32, y.floor() as i32));
        let ids = ids_of(&ids);
        self.goals.forget_trips(&ids);
        self.tell_nodes(&ids, !points.is_empty());
        let group = last.map_or(0, |cell| self.goals.end_path(cell));
        self.crowd.assign_path(&ids, &points, group) as i64
    }

    /// Sends agents to a cell and returns how many there are. Each goes to where its body covers the cell or, when it
    /// can stand nowhere there, to where it comes nearest; those that find the place taken settle around it. Agents
    /// from where it cannot be reached are reported as stuck. A cell outside the region is an error, and no agent is
    /// sent.
    ///
    /// Agents of one profile share a field to the cell, which the crowd makes before the next step and keeps up to date
    /// with the map; very few agents look for paths of their own instead.
    #[func]
    fn assign_goal(&mut self, ids: PackedInt32Array, cell: Vector2i) -> i64 {
        self.send("PathForgeCrowd.assign_goal", &ids_of(&ids), cell, TRIPS_MAX)
            .map_or(0, |count| count as i64)
    }

    /// Sends agents to a cell, and each to a place of its own there, for armies that arrive in formation; returns how
    /// many agents there are. Places are in the grid's local space, one for each agent; they are given out so that
    /// those in front get the places in front. Agents leave the common path when they can walk straight to their place;
    /// two of one size that are held up beside each other may swap.
    ///
    /// A place where the body cannot stand, or whose disc another's place overlaps, is moved to the nearest one that
    /// fits; large bodies choose first. Places that other agents have, walk to or rest in count, too, so two armies
    /// that are sent to one spot stand side by side.
    ///
    /// ```gdscript
    /// var places := PackedVector2Array()
    /// for index: int in ids.size():
    ///     places.append(corner + Vector2(index % 20, index / 20) * 16.0)
    /// crowd.assign_formation(ids, grid.local_to_cell(places[0]), places)
    /// ```
    #[func]
    fn assign_formation(&mut self, ids: PackedInt32Array, cell: Vector2i, places: PackedVector2Array) -> i64 {
        const METHOD: &str = "PathForgeCrowd.assign_formation";
        if ids.len() != places.len() {
            report(METHOD, format_args!("there are {} ids and {} places", ids.len(), places.len()));
            return 0;
        }
        if places.as_slice().iter().any(|place| !place.is_finite()) {
            report(METHOD, "a place is not finite");
            return 0;
        }
        let (given, ids): (Vec<usize>, Vec<u32>) = firsts_of(&ids).unzip();
        let Some(count) = self.send(METHOD, &ids, cell, 0) else { return 0 };
        let geometry = self.seen.geometry;
        let mut at: Vec<(u32, [f64; 2])> = ids
            .iter()
            .filter_map(|&id| self.crowd.view(id))
            .map(|view| (view.id, [view.x, view.y]))
            .collect();
        let mut places: Vec<[f64; 2]> =
            given.iter().map(|&n| geometry.cell_space_of(places.as_slice()[n]).into()).collect();
        let (from, to) = (middle(at.iter().map(|(_, at)| at)), middle(places.iter()));
        let way = [to[0] - from[0], to[1] - from[1]];
        // In ranks of about as many as there are ranks, so that those in front go to the places in front.
        MarchShape::Block.arrange(&mut at, way, |(_, at)| *at);
        MarchShape::Block.arrange(&mut places, way, |place| *place);
        let ids: Vec<u32> = at.iter().map(|(id, _)| *id).collect();
        self.crowd.assign_places(&ids, &places);
        count as i64
    }

    /// Stops agents where they are and returns how many there are.
    #[func]
    fn stop(&mut self, ids: PackedInt32Array) -> i64 {
        let ids = ids_of(&ids);
        self.goals.forget_trips(&ids);
        self.tell_nodes(&ids, false);
        self.crowd.stop(&ids) as i64
    }
}

impl PathForgeCrowd {
    /// Sends agents to a cell: at most `trips_max` of a profile by paths of their own.
    fn send(&mut self, method: &str, ids: &[u32], cell: Vector2i, trips_max: usize) -> Option<usize> {
        let mut grid = self.grid_for(method)?;
        let region = grid.bind().cell_region();
        let goal = convert::cell(cell);
        if !region.contains(goal) {
            report(method, format_args!("cell {cell} is outside the region {}", convert::region(region)));
            return None;
        }
        self.goals.forget_trips(ids);
        self.tell_nodes(ids, true);
        let mut count = 0;
        for (number, profile) in self.profiles.clone().iter().map(|known| &known.profile).enumerate() {
            let is_one =
                |id: &&u32| self.who.get(**id as usize).is_some_and(|who| usize::from(who.profile) == number);
            let some: Vec<u32> = ids.iter().filter(is_one).copied().collect();
            if some.is_empty() {
                continue;
            }
            let is_known = self.goals.find(goal, profile).is_some();
            if !is_known && some.len() <= trips_max && region.area() > SMALL_MAP {
                count += self.send_alone(&mut grid, &some, goal, profile);
            } else {
                let field = self.goals.field_to(goal, profile, &self.crowd);
                count += self.crowd.assign_field(&some, field);
            }
        }
        Some(count)
    }

    fn send_alone(
        &mut self,
        grid: &mut Gd<crate::grid::PathForgeGrid>,
        ids: &[u32],
        cell: Cell,
        profile: &Profile,
    ) -> usize {
        let mut grid = grid.bind_mut();
        self.goals.planned_on.get_or_insert(grid.map_version());
        let mut count = 0;
        for &id in ids {
            if !self.crowd.contains(id) {
                continue;
            }
            let trip = Trip { id, cell, profile: *profile };
            trip.plan(&mut grid, &mut self.crowd);
            self.goals.trips.push(trip);
            count += 1;
        }
        count
    }
}

fn middle<'a>(all: impl ExactSizeIterator<Item = &'a [f64; 2]>) -> [f64; 2] {
    let count = all.len().max(1) as f64;
    let sum = all.fold([0.0; 2], |sum, at| [sum[0] + at[0], sum[1] + at[1]]);
    sum.map(|sum| sum / count)
}
