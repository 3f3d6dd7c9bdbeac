//! Putting stamps down, and letting time pass.

use godot::classes::Node2D;
use godot::prelude::*;
use pathforge_core::geometry::Cell;
use pathforge_core::influence::{Falloff, SOURCE_RADIUS_MAX, STRENGTH_MAX, SourceId, SourceShape};

use super::{Attached, InfluenceMap};
use crate::engine::errors::reported;
use crate::map::grid::PathForgeGrid;
use crate::script::convert::{self, cell};
use crate::script::enumeration::{self, Constant};
use crate::script::given::given;
use crate::script::node_arg::NodeArg;

/// What scripts get instead of a stamp's number after an error.
const NO_STAMP: i64 = -1;

#[godot_api(secondary)]
impl InfluenceMap {
    /// Adds a stamp at a cell, which may lie outside the region, and returns its number, or −1 after an
    /// error. The stamp fades and flows with time. [method move_stamp] restores it elsewhere, [method
    /// remove_stamp] removes the rest of it.
    ///
    /// `strength`, from −10000 to 10000, is the value in its middle. `radius_cells`, from 0 to 256, is how
    /// far it reaches, from middle to middle. `falloff` is one of the `FALLOFF_*` constants.
    ///
    /// ```gdscript
    /// var smell := scent.add_stamp(carcass_cell, 12.0, 10.0, InfluenceMap.FALLOFF_SMOOTH)
    /// ```
    #[func(gd_self)]
    fn add_stamp(
        this: Gd<Self>,
        cell: Vector2i,
        strength: f64,
        radius_cells: f64,
        #[opt(default = Constant::of(InfluenceMap::FALLOFF_LINEAR))] falloff: Constant<enumeration::Falloff>,
    ) -> i64 {
        let method = "InfluenceMap.add_stamp";
        let Some(shape) = reported(method, shape(strength, radius_cells, falloff)) else { return NO_STAMP };
        let cell = convert::cell(cell);
        let id = Self::change(this, Some(method), |map, solid| map.add_source(cell, shape, false, solid));
        id.map_or(NO_STAMP, i64::from)
    }

    /// Moves a stamp to another cell, at its full strength. Returns [code]false[/code] if there is no such
    /// stamp. A stamp that is attached to a node still follows it.
    #[func(gd_self)]
    fn move_stamp(this: Gd<Self>, id: i64, cell: Vector2i) -> bool {
        let Ok(id) = SourceId::try_from(id) else { return false };
        let cell = convert::cell(cell);
        let moved = Self::change(this, Some("InfluenceMap.move_stamp"), |map, solid| {
            map.move_source(id, cell, solid)
        });
        moved.unwrap_or(false)
    }

    /// Removes a stamp. Influence that has flowed away from it stays, and fades. Returns [code]false[/code]
    /// if there is no such stamp.
    #[func(gd_self)]
    fn remove_stamp(mut this: Gd<Self>, id: i64) -> bool {
        let Ok(id) = SourceId::try_from(id) else { return false };
        this.bind_mut().attached.retain(|attached| attached.stamp != id);
        let removed = Self::change(this, Some("InfluenceMap.remove_stamp"), |map, _| map.remove_source(id));
        removed.unwrap_or(false)
    }

    /// Puts a stamp on the cell that `node` is at, and moves it whenever the node gets to another cell. It
    /// does not fade while the node is there. When the node is freed, its stamp fades by [member
    /// decay_per_second], or is gone at once when that is 0. Returns the stamp's number, or −1 after an
    /// error.
    ///
    /// ```gdscript
    /// for tower: Node2D in towers:
    ///     danger.attach_stamp(tower, 6.0, tower.attack_range / grid.cell_size.x)
    /// ```
    #[func(gd_self)]
    fn attach_stamp(
        mut this: Gd<Self>,
        node: NodeArg<Node2D>,
        strength: f64,
        radius_cells: f64,
        #[opt(default = Constant::of(InfluenceMap::FALLOFF_LINEAR))] falloff: Constant<enumeration::Falloff>,
    ) -> i64 {
        let method = "InfluenceMap.attach_stamp";
        let asked = shape(strength, radius_cells, falloff).and_then(|shape| Ok((shape, node.node("node")?)));
        let Some((shape, node)) = reported(method, asked) else { return NO_STAMP };
        let Some(grid) = this.bind_mut().hear_grid() else {
            Self::change(this, Some(method), |_, _| ());
            return NO_STAMP;
        };
        // A node that is nowhere is far away.
        let cell = cell_of(&node, &grid).unwrap_or(cell(convert::NO_CELL));
        let stamp =
            Self::change(this.clone(), Some(method), |map, solid| map.add_source(cell, shape, true, solid));
        let Some(stamp) = stamp else { return NO_STAMP };
        if this.is_instance_valid() {
            this.bind_mut().attached.push(Attached { stamp, node: node.instance_id() });
        }
        i64::from(stamp)
    }

    /// Puts a stamp on the cell of each position, in the grid's local space, all alike: the footprints of a
    /// crowd, a burst of shots. They have no numbers: they fade, flow and are gone. Positions that are not
    /// finite are left out.
    ///
    /// ```gdscript
    /// congestion.stamp_batch(crowd.get_positions(), 0.2, 1.5)
    /// ```
    #[func(gd_self)]
    fn stamp_batch(
        mut this: Gd<Self>,
        positions: PackedVector2Array,
        strength: f64,
        radius_cells: f64,
        #[opt(default = Constant::of(InfluenceMap::FALLOFF_LINEAR))] falloff: Constant<enumeration::Falloff>,
    ) {
        let method = "InfluenceMap.stamp_batch";
        let Some(shape) = reported(method, shape(strength, radius_cells, falloff)) else { return };
        let geometry = this.bind_mut().hear_grid().map(|grid| grid.bind().cell_geometry());
        Self::change(this, Some(method), |map, solid| {
            let Some(geometry) = geometry else { return };
            let cells = positions.as_slice().iter().filter_map(|&position| geometry.cell_at(position));
            cells.for_each(|cell| map.deposit(cell, shape, solid));
        });
    }

    /// Takes all stamps and all influence away.
    #[func(gd_self)]
    fn clear(mut this: Gd<Self>) {
        this.bind_mut().attached.clear();
        Self::change(this, Some("InfluenceMap.clear"), |map, _| map.clear());
    }

    /// Advances the map by `delta` seconds: attached stamps follow their nodes, values fade and flow. Changes
    /// come in ticks, each when values would have changed by about 3 %. The rest of the time is kept for the
    /// next tick.
    #[func(gd_self)]
    fn step(this: Gd<Self>, delta: f64) {
        let method = "InfluenceMap.step";
        let Some(delta) = reported(method, given("delta", delta).at_least_zero()) else { return };
        if this.clone().bind_mut().hear_grid().is_none() {
            Self::change(this, Some(method), |_, _| ());
        } else {
            Self::pass_time(this, delta);
        }
    }
}

impl InfluenceMap {
    /// Lets time pass, when there is a grid.
    pub(super) fn pass_time(mut this: Gd<Self>, delta: f64) {
        let Some(grid) = this.bind_mut().hear_grid() else {
            let node = this.clone().upcast();
            this.bind_mut().link.warn_once(&node);
            return;
        };
        let moves = this.bind_mut().look_at_nodes(&grid);
        Self::change(this, None, |map, solid| {
            for (stamp, whereto) in moves {
                match whereto {
                    Some(cell) if map.source_cell(stamp) != Some(cell) => {
                        map.move_source(stamp, cell, solid);
                    }
                    Some(_) => {}
                    None if map.settings().decay_per_second > 0.0 => map.release_source(stamp),
                    None => {
                        map.remove_source(stamp);
                    }
                }
            }
            map.step(delta, solid);
        });
    }

    /// Where the nodes are that stamps are attached to; `None` for a freed node, which is forgotten.
    fn look_at_nodes(&mut self, grid: &Gd<PathForgeGrid>) -> Vec<(SourceId, Option<Cell>)> {
        let mut moves = Vec::with_capacity(self.attached.len());
        self.attached.retain(|attached| {
            let Ok(node) = Gd::<Node2D>::try_from_instance_id(attached.node) else {
                moves.push((attached.stamp, None));
                return false;
            };
            moves.extend(cell_of(&node, grid).map(|cell| (attached.stamp, Some(cell))));
            true
        });
        moves
    }
}

/// The cell that a node is at, if it is anywhere.
fn cell_of(node: &Gd<Node2D>, grid: &Gd<PathForgeGrid>) -> Option<Cell> {
    let (to_global, position) = (grid.get_global_transform(), node.get_global_position());
    if to_global.determinant() == 0.0 || !position.is_finite() {
        return None;
    }
    grid.bind().cell_geometry().cell_at(to_global.affine_inverse() * position)
}

fn shape(strength: f64, radius: f64, falloff: Constant<enumeration::Falloff>) -> Result<SourceShape, String> {
    let strength = given("strength", strength as f32).within(-STRENGTH_MAX..=STRENGTH_MAX)?;
    let radius = given("radius_cells", radius as f32).within(0.0..=SOURCE_RADIUS_MAX)?;
    let falloff = given("falloff", falloff)
        .read("a FALLOFF_* constant", |number| Falloff::ALL.get(usize::try_from(number.0).ok()?).copied())?;
    Ok(SourceShape { strength, radius, falloff })
}
