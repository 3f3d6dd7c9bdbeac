//! The grid's direct answers, to what games ask for each cell.

use godot::prelude::*;
use pathforge_core::cost::{is_weight_within, kept_weight};
use pathforge_core::geometry::{Cell, CellRect, Footprint};
use pathforge_core::path::Route;
use pathforge_core::terrain::Terrain;

use super::PathForgeGrid;
use super::astar_verbs::point_positions;
use super::map::Map;
use crate::answers::path::cell_array;
use crate::engine::direct::{Declared, Functions, IsNull};
use crate::engine::state::State;
use crate::script::convert::{cell, vector_or_none};
use crate::script::geometry::CellGeometry;

type Grid = Gd<PathForgeGrid>;
type Shared = State<Map>;
/// The ends of a path, and whether a path that ends elsewhere is accepted.
type Ends = (Vector2i, Vector2i, Option<bool>);

impl PathForgeGrid {
    /// The direct answer of a method, if it has one.
    pub fn direct(method: &str, declared: Declared) -> Option<Functions> {
        Some(match method {
            "is_point_solid" => {
                declared.after(|_: &Grid, map: &Shared, (id,): (Vector2i,)| read(map, id, Terrain::is_solid))
            }
            "get_point_weight_scale" => declared.after(|_: &Grid, map: &Shared, (id,): (Vector2i,)| {
                read(map, id, |terrain, cell| f64::from(terrain.weight(cell)))
            }),
            "get_point_terrain" => declared.after(|_: &Grid, map: &Shared, (id,): (Vector2i,)| {
                read(map, id, |terrain, cell| i64::from(terrain.terrain(cell)))
            }),
            "is_in_boundsv" => declared.after(|_: &Grid, map: &Shared, (id,): (Vector2i,)| {
                Some(map.try_lock()?.world.terrain().region().contains(cell(id)))
            }),
            "local_to_cell" => {
                declared.after(|_: &Grid, map: &Shared, (position, profile): (Vector2, IsNull)| {
                    profile.0.then_some(())?;
                    Some(vector_or_none(map.try_lock()?.geometry.cell_at(position)))
                })
            }
            "cell_to_local" => declared.after(|_: &Grid, map: &Shared, (id, profile): (Vector2i, IsNull)| {
                profile.0.then_some(())?;
                Some(map.try_lock()?.geometry.footprint_center(cell(id), Footprint::ONE))
            }),
            "set_point_solid" => {
                declared.after(|grid: &Grid, map: &Shared, (id, solid): (Vector2i, Option<bool>)| {
                    edit(grid, map, id, |terrain, cell| terrain.set_solid(cell, solid.unwrap_or(true)))
                })
            }
            "set_point_weight_scale" => {
                declared.after(|grid: &Grid, map: &Shared, (id, weight): (Vector2i, f64)| {
                    edit(grid, map, id, |terrain, cell| {
                        terrain.local(cell).ok().filter(|_| is_weight_within(weight as f32))?;
                        let weight = kept_weight(weight as f32);
                        let changed = terrain.fill_weight(CellRect::cell(cell), weight);
                        changed.ok().map(|rect| rect.is_some())
                    })
                })
            }
            "set_point_terrain" => {
                declared.after(|grid: &Grid, map: &Shared, (id, terrain): (Vector2i, i64)| {
                    edit(grid, map, id, |cells, cell| {
                        cells.local(cell).ok()?;
                        let changed = cells.fill_terrain(CellRect::cell(cell), terrain);
                        changed.ok().map(|rect| rect.is_some())
                    })
                })
            }
            "get_id_path" => {
                declared.after(|_: &Grid, map: &Shared, ends: Ends| Some(cell_array(&route(map, ends)?.0)))
            }
            "get_point_path" => declared.after(|_: &Grid, map: &Shared, ends: Ends| {
                let (route, geometry) = route(map, ends)?;
                Some(point_positions(&route, &geometry))
            }),
            _ => return None,
        })
    }
}

fn read<T>(map: &Shared, id: Vector2i, read: impl FnOnce(&Terrain, Cell) -> T) -> Option<T> {
    let map = map.try_lock()?;
    let terrain = map.world.terrain();
    terrain.local(cell(id)).ok()?;
    Some(read(terrain, cell(id)))
}

fn route(map: &Shared, (from, to, partial): Ends) -> Option<(Route, CellGeometry)> {
    let mut map = map.try_lock()?;
    let route = map.astar_route(cell(from), cell(to), partial.unwrap_or(false)).ok()?;
    Some((route, map.geometry))
}

/// An edit of one cell, which returns whether the cell changed; `None`, and nothing is changed, where there
/// is an error to report, as outside the region.
fn edit(
    grid: &Grid,
    map: &Shared,
    id: Vector2i,
    edit: impl FnOnce(&mut Terrain, Cell) -> Option<bool>,
) -> Option<()> {
    let rect = CellRect::cell(cell(id));
    let is_announced = {
        let mut map = map.try_lock()?;
        edit(map.world.terrain_mut(), cell(id))? && map.edits.note(rect).is_some()
    };
    if is_announced {
        PathForgeGrid::announce(grid, map, rect);
    }
    Some(())
}
