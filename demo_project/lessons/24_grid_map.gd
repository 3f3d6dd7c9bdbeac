extends Node3D
## Cells and heights from a GridMap. Click: build a wall, or clear what stands there.

var tank := PathForgeProfile.new()
var route := PackedVector3Array()
var ends: Array[Vector2i] = [Vector2i(2, 8), Vector2i(36, 8)]

@onready var grid: PathForgeGrid = $PathForgeGrid
@onready var space: PathForgeSpace3D = $PathForgeGrid/PathForgeSpace3D
@onready var town: GridMap = $Town
@onready var unit: Node3D = $Unit


func _ready() -> void:
	var rules := PathForgeItemRules.new()
	rules.floor_items = ["ground", "road", "ramp", "bridge"]  # By shape, the others are solid.
	space.import_grid_map(town, rules)
	tank.footprint = Vector2i(2, 2)
	unit.global_position = space.cell_to_global(ends[0], tank)
	drive()


func drive() -> void:
	var path := grid.find_path(space.global_to_cell(unit.position, tank), ends[1], tank)
	route = space.path_to_positions(path)
	$Label.text = "Click: build a wall, or clear what stands there. " + path.describe()


func toggle_wall(place: Vector3i) -> void:
	var is_free := town.get_cell_item(place) == GridMap.INVALID_CELL_ITEM
	town.set_cell_item(place, town.mesh_library.find_item_by_name("wall") if is_free else -1)
	space.update_grid_map(town, [place])
	drive()


func _process(delta: float) -> void:
	if not route.is_empty():
		unit.position = unit.position.move_toward(route[0], 5.0 * delta)
		if unit.position.is_equal_approx(route[0]):
			route.remove_at(0)
			if route.is_empty():
				ends.reverse()
				drive()


func _unhandled_input(event: InputEvent) -> void:
	var click := event as InputEventMouseButton
	if click and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		var camera := get_viewport().get_camera_3d()
		var from := camera.project_ray_origin(click.position)
		var hit := space.intersect_ray(from, camera.project_ray_normal(click.position))
		if hit.is_finite():
			toggle_wall(town.local_to_map(town.to_local(hit + Vector3.UP * 0.5)))
