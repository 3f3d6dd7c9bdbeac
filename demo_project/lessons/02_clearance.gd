extends Node2D
## Clearance: the largest square body whose top-left cell is here. Click to build and remove walls.

@onready var grid: PathForgeGrid = $PathForgeGrid
@onready var clearance: ClearanceMap = $PathForgeGrid/ClearanceMap
@onready var square: ReferenceRect = $Square
@onready var label: Label = $Label


func _ready() -> void:
	for wall: Rect2i in [Rect2i(8, 4, 2, 9), Rect2i(10, 11, 8, 2), Rect2i(24, 7, 9, 2)]:
		grid.fill_solid_region(wall)


func _process(_delta: float) -> void:
	show_clearance(grid.local_to_cell(grid.get_local_mouse_position()))


func show_clearance(cell: Vector2i) -> void:
	var side := clearance.get_clearance(cell) if grid.is_in_boundsv(cell) else 0
	square.visible = side > 0
	square.position = Vector2(cell) * grid.cell_size
	square.size = side * grid.cell_size
	label.text = "No body fits here."
	if side > 0:
		label.text = "A square body of up to %d×%d cells fits at %s." % [side, side, cell]


func _unhandled_input(event: InputEvent) -> void:
	var cell := grid.local_to_cell(grid.get_local_mouse_position())
	var click := event as InputEventMouseButton
	if click and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		if grid.is_in_boundsv(cell):
			grid.set_point_solid(cell, not grid.is_point_solid(cell))
