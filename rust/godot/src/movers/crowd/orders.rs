//! Orders: agents are sent to a cell, in a formation, on a march, along a field or a path, or stopped.

use godot::prelude::*;
use pathforge_core::crowd::MarchShape;
use pathforge_core::geometry::Cell;

use super::{PathForgeCrowd, firsts_of, ids_of};
use crate::answers::path::PathForgePath;
use crate::engine::errors::{report, reported};
use crate::fields::flow_field::FlowField;
use crate::map::grid::PathForgeGrid;
use crate::script::convert;
use crate::script::enumeration::{self, Constant};
use crate::script::given::given;
use crate::script::node_arg::NodeArg;

#[godot_api(secondary)]
impl PathForgeCrowd {
    /// Sends agents along a [FlowField] and returns how many of `ids` are agents. They follow the field as it
    /// changes, and stop when it is freed. Use a field for a body of their profile: a wider agent waits where
    /// it does not fit.
    #[func]
    fn assign_field(&mut self, ids: PackedInt32Array, field: NodeArg<FlowField>) -> i64 {
        const METHOD: &str = "PathForgeCrowd.assign_field";
        let Some(field) = reported(METHOD, field.node("field")) else { return 0 };
        let ids = ids_of(&ids);
        if self.grid_for(METHOD).is_none() {
            return 0;
        }
        // The order counts instead of the targets of nodes, whose paths end with it.
        self.tell_nodes(&ids, true);
        let key = field.instance_id().to_i64().cast_unsigned();
        self.guidance.send_along_field(&mut self.crowd, &ids, key) as i64
    }

    /// Sends agents along one path from [method PathForgeGrid.find_path] and returns how many of `ids` are
    /// agents. Edits of the map do not change the path. Agents stop at its end. A refused path is an error,
    /// and no agent is sent.
    #[func]
    fn assign_path(&mut self, ids: PackedInt32Array, path: Option<Gd<PathForgePath>>) -> i64 {
        const METHOD: &str = "PathForgeCrowd.assign_path";
        let Some(path) = path else {
            report(METHOD, "path is null; use stop() to stop agents");
            return 0;
        };
        if self.grid_for(METHOD).is_none() {
            return 0;
        }
        let geometry = self.geometry;
        let positions = path.bind().center_positions();
        if positions.is_empty() {
            let why = path.bind().text();
            report(METHOD, format_args!("path has no cells ({why}); use stop() to stop agents"));
            return 0;
        }
        let centers: Vec<[f64; 2]> =
            positions.as_slice().iter().map(|&position| geometry.cell_space_of(position).into()).collect();
        let ids = ids_of(&ids);
        self.tell_nodes(&ids, true);
        self.guidance.send_along_path(&mut self.crowd, &ids, &centers) as i64
    }

    /// Sends agents to a cell and returns how many of `ids` are agents. Each agent goes to where its body
    /// covers the cell or, if it fits nowhere there, to the nearest place that it can reach. Agents that find
    /// the place taken settle around it. Agents that cannot reach the cell are [constant STATE_STUCK], and
    /// make way for others until there is a path. A cell outside the region is an error, and no agent is
    /// sent.
    ///
    /// Agents of one profile share a field to the cell, which the crowd updates with the map. Small groups
    /// search for paths instead. An order to the cell that agents already go to is a new order: its signals
    /// are emitted again.
    #[func]
    fn assign_goal(&mut self, ids: PackedInt32Array, cell: Vector2i) -> i64 {
        let Some((grid, cell)) = self.order_to("PathForgeCrowd.assign_goal", cell) else { return 0 };
        let ids = ids_of(&ids);
        self.tell_nodes(&ids, true);
        self.on_map(&grid, |guidance, crowd, map| guidance.send(crowd, map, &ids, cell)) as i64
    }

    /// Sends agents to a cell, each to a place of its own there, and returns how many of `ids` are agents.
    /// `places` are in the grid's local space, one for each agent. Agents in front get the places in front.
    ///
    /// Agents leave the common path when they can walk straight to their place. If a wall hides the place,
    /// they walk around it from the cell. Two agents of one size that hold each other up may swap places.
    ///
    /// A place where the body does not fit, or that overlaps another place, moves to the nearest free place;
    /// large bodies choose first. Places of other agents count, too, so two armies that are sent to one spot
    /// stand side by side.
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
        if let Some(n) = places.as_slice().iter().position(|place| !place.is_finite()) {
            report(METHOD, format_args!("place {n}, {}, is not finite", places.as_slice()[n]));
            return 0;
        }
        // An agent that is named twice gets the first of its places; the other stays free.
        let (given, ids): (Vec<usize>, Vec<u32>) = firsts_of(&ids).unzip();
        let Some((grid, cell)) = self.order_to(METHOD, cell) else { return 0 };
        let geometry = self.geometry;
        let places: Vec<[f64; 2]> =
            given.iter().map(|&n| geometry.cell_space_of(places.as_slice()[n]).into()).collect();
        self.tell_nodes(&ids, true);
        self.on_map(&grid, |guidance, crowd, map| {
            guidance.send_in_formation(crowd, map, &ids, cell, places) as i64
        })
    }

    /// Sends agents to a cell in a shape, and returns how many of `ids` are agents. `shape` is [constant
    /// MARCH_BLOCK], [constant MARCH_COLUMN] or [constant MARCH_WEDGE]. A cell outside the region is an
    /// error, and no agent is sent.
    ///
    /// - The agents form up on the way. Agents that are ahead when the order is given walk in front, and keep
    ///   their order from left to right.
    /// - They keep together at the pace of the slowest agent, narrow in front of a gate and widen behind it.
    /// - At the end they stand in the shape around the cell.
    ///
    /// All follow one path, which is found once and is wide enough for the widest body. If nothing leads to
    /// the cell, they go as near as they can.
    ///
    /// ```gdscript
    /// crowd.assign_march(ids, Vector2i(60, 20), PathForgeCrowd.MARCH_WEDGE)
    /// ```
    #[func]
    fn assign_march(
        &mut self,
        ids: PackedInt32Array,
        cell: Vector2i,
        #[opt(default = Constant::of(PathForgeCrowd::MARCH_BLOCK))] shape: Constant<enumeration::MarchShape>,
    ) -> i64 {
        const METHOD: &str = "PathForgeCrowd.assign_march";
        let shapes = [MarchShape::Block, MarchShape::Column, MarchShape::Wedge];
        let shape = given("shape", shape).read("MARCH_BLOCK, MARCH_COLUMN or MARCH_WEDGE", |number| {
            shapes.into_iter().find(|shape| *shape as i64 == number.0)
        });
        let Some(shape) = reported(METHOD, shape) else { return 0 };
        let Some((grid, cell)) = self.order_to(METHOD, cell) else { return 0 };
        let ids = ids_of(&ids);
        self.tell_nodes(&ids, true);
        self.on_map(&grid, |guidance, crowd, map| guidance.march(crowd, map, &ids, cell, shape)) as i64
    }

    /// Stops agents where they are and returns how many of `ids` are agents. Their order ends without a
    /// signal.
    #[func]
    fn stop(&mut self, ids: PackedInt32Array) -> i64 {
        let ids = ids_of(&ids);
        self.tell_nodes(&ids, false);
        self.guidance.stop(&mut self.crowd, &ids) as i64
    }
}

impl PathForgeCrowd {
    /// The grid, and the cell that agents are to be sent to, if it lies in the region.
    fn order_to(&mut self, method: &str, cell: Vector2i) -> Option<(Gd<PathForgeGrid>, Cell)> {
        let grid = self.grid_for(method)?;
        let checked = convert::inside(grid.bind().cell_region(), "cell", cell);
        reported(method, checked).map(|()| (grid, convert::cell(cell)))
    }
}
