extends Node2D
## A saved map. Click: build or remove walls. S saves, L loads. Equal hashes mean equal cells.

const FILE := "user://lesson_16.map"

@onready var grid: PathForgeGrid = $PathForgeGrid
@onready var label: Label = $Label


func _ready() -> void:
	grid.fill_solid_region(Rect2i(12, 4, 6, 8))


func save_map() -> void:
	var file := FileAccess.open(FILE, FileAccess.WRITE)
	file.store_buffer(grid.to_bytes())
	file.close()
	label.text = "Saved, hash %d. Change something, then press L." % grid.state_hash()


func load_map() -> void:
	if not FileAccess.file_exists(FILE):
		label.text = "Nothing is saved yet: press S."
	elif grid.from_bytes(FileAccess.get_file_as_bytes(FILE)):
		label.text = "Loaded, hash %d." % grid.state_hash()


func _unhandled_input(event: InputEvent) -> void:
	var key := event as InputEventKey
	if key and key.pressed and key.keycode == KEY_S:
		save_map()
	elif key and key.pressed and key.keycode == KEY_L:
		load_map()
	var click := event as InputEventMouseButton
	var cell := grid.local_to_cell(grid.get_local_mouse_position())
	if click and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		if grid.is_in_boundsv(cell):
			grid.set_point_solid(cell, not grid.is_point_solid(cell))
			label.text = "Changed, hash %d. S saves, L loads." % grid.state_hash()
