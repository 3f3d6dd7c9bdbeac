//! `PathForgeMap`: a grid without a scene, freed with its last reference.

use godot::classes::RefCounted;
use godot::prelude::*;

use crate::engine::weak::Weak;
use crate::map::grid::PathForgeGrid;

/// Holds a [PathForgeGrid] for code that has no scene: a `Resource`, a `RefCounted`, a simulation on another
/// thread.
///
/// A grid is a node, and a node outside the scene tree must be freed by hand. A map makes a grid of its own
/// and frees it with the last reference to the map. So a map can be a member of any counted object.
///
/// ```gdscript
/// extends Resource
///
/// var map := PathForgeMap.new()
///
/// func _init() -> void:
///     map.grid.region = Rect2i(0, 0, 16, 16)
///
/// func path_to(start: Vector2i, goal: Vector2i) -> Array[Vector2i]:
///     return map.grid.get_id_path(start, goal)
/// ```
///
/// Keep the map, not the grid: a variable of type [PathForgeGrid] does not keep a grid alive.
///
/// Outside the scene tree a grid has no frames. Methods that answer at once work. Answers of [method
/// PathForgeGrid.request_path], preparations and painted tiles come on a later frame, so they never come
/// here. Use [method PathForgeGrid.find_path] and [method PathForgeGrid.find_paths].
///
/// The grid may be added to a scene, as a child of any node. It still belongs to the map: it is queued for
/// deletion with the last reference to the map, and [member grid] is `null` after the scene has freed it.
///
/// A `Resource` saves the grid's cells, and hands them to its duplicates, by an exported array:
///
/// ```gdscript
/// extends Resource
///
/// @export_storage var cells: PackedByteArray:
///     get = get_cells, set = set_cells
///
/// var map := PathForgeMap.new()
///
/// func get_cells() -> PackedByteArray:
///     return map.grid.to_bytes()
///
/// func set_cells(bytes: PackedByteArray) -> void:
///     map.grid.from_bytes(bytes)
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = RefCounted)]
pub struct PathForgeMap {
    base: Base<RefCounted>,

    /// The map's own grid, the same one each time. It is `null` after other code has freed the grid: the map
    /// makes no second one.
    #[var(get, no_set)]
    grid: PhantomVar<Option<Gd<PathForgeGrid>>>,

    #[init(val = Weak::of(PathForgeGrid::new_alloc()))]
    owned: Weak<Gd<PathForgeGrid>>,
}

#[godot_api]
impl PathForgeMap {
    #[func]
    fn get_grid(&self) -> Option<Gd<PathForgeGrid>> {
        self.owned.get()
    }
}

impl Drop for PathForgeMap {
    fn drop(&mut self) {
        let Some(mut grid) = self.owned.get() else { return };
        // The engine and the grid's own signal may still be using the grid in these cases. Any thread may
        // queue a node.
        if grid.is_inside_tree() || PathForgeGrid::is_announcing(&grid) {
            grid.queue_free();
        } else {
            grid.free();
        }
    }
}
