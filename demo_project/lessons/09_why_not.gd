extends Node2D
## Why is there no path? Left click: another goal. Right click: build or remove a wall.

const START := Vector2i(4, 9)

@export var hauler: PathForgeProfile  # Its footprint is 3×3 cells.

var goal := Vector2i(32, 9)

@onready var grid: PathForgeGrid = $PathForgeGrid
@onready var label: Label = $Label


func _ready() -> void:
	grid.fill_solid_region(Rect2i(20, 0, 1, 20))
	grid.fill_solid_region(Rect2i(20, 9, 1, 2), false)  # Too narrow for a body of 3×3.
	explain()


func explain() -> void:
	var diagnosis := grid.explain(START, goal, hauler)
	label.text = diagnosis.text
	if diagnosis.reason == PathForgePath.REASON_DISCONNECTED:
		print("The widest body that gets there has %d cells." % diagnosis.largest_side)


func _unhandled_input(event: InputEvent) -> void:
	var click := event as InputEventMouseButton
	var cell := grid.local_to_cell(grid.get_local_mouse_position())
	if not click or not click.pressed:
		return
	if click.button_index == MOUSE_BUTTON_LEFT:
		goal = cell
		explain()
	elif click.button_index == MOUSE_BUTTON_RIGHT and grid.is_in_boundsv(cell):
		grid.set_point_solid(cell, not grid.is_point_solid(cell))
		explain()
