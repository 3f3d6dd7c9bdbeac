extends Node3D
## A grid in 3D: a tank of 2×2 cells drives over hills, round what is too steep. Click: drive there.

@export var noise: FastNoiseLite  # The ground is drawn by it, too: parts/hills.tscn.

var tank := PathForgeProfile.new()
var path: PathForgePath
var route := PackedVector3Array()

@onready var grid: PathForgeGrid = $PathForgeGrid
@onready var space: PathForgeSpace3D = $PathForgeGrid/PathForgeSpace3D
@onready var unit: Node3D = $Unit
@onready var label: Label = $Label


func _ready() -> void:
	tank.footprint = Vector2i(2, 2)
	space.import_heights_from_image(noise.get_image(40, 20), 0.0, 5.0)
	space.close_steep_cells(38.0)
	unit.global_position = space.cell_to_global(Vector2i(4, 4), tank)
	drive_to(space.cell_to_global(Vector2i(34, 15)))


func drive_to(target: Vector3) -> void:
	var start := space.global_to_cell(unit.global_position, tank)
	var goal := space.global_to_cell(target)  # The tank is to cover it.
	path = grid.find_path(start, goal, tank, PathForgeGrid.GOAL_NEAREST)
	route = space.path_to_positions(path)
	label.text = "On the way."


func _process(delta: float) -> void:
	if not route.is_empty():
		unit.position = unit.position.move_toward(route[0], 6.0 * delta)
		if unit.position.is_equal_approx(route[0]):
			route.remove_at(0)
	elif path.is_complete():
		label.text = "There. Click: drive elsewhere."
	else:
		label.text = "It is too steep there: this is as near as it gets. Click: drive elsewhere."


func _unhandled_input(event: InputEvent) -> void:
	var click := event as InputEventMouseButton
	if click and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		var camera := get_viewport().get_camera_3d()
		var from := camera.project_ray_origin(click.position)
		var hit := space.intersect_ray(from, camera.project_ray_normal(click.position))
		if hit.is_finite():
			drive_to(hit)
