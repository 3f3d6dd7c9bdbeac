extends Node2D
## Cells from a tile map: the grid follows while tiles are painted. Click: paint or erase a wall.

const WALL := Vector2i(0, 0)  # In the atlas of the tile set. It has a collision polygon.

@onready var grid: PathForgeGrid = $PathForgeGrid
@onready var walls: TileMapLayer = $Walls
@onready var line: Line2D = $Path
@onready var label: Label = $Label


func _ready() -> void:
	# The grid's Source Layers name the tile map, and Import On Ready is on: see the inspector.
	grid.cells_changed.connect(_on_cells_changed)
	show_path()


func _on_cells_changed(_region: Rect2i) -> void:
	show_path()


func show_path() -> void:
	var path := grid.find_path(Vector2i(2, 10), Vector2i(37, 10))
	line.points = path.positions
	label.text = "The grid follows the tile map. Click: paint or erase a wall."
	if not path.is_complete():
		label.text = "The walls leave no way through. Click: paint or erase a wall."


func _unhandled_input(event: InputEvent) -> void:
	var click := event as InputEventMouseButton
	if click and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		var cell := walls.local_to_map(walls.get_local_mouse_position())
		if not grid.is_in_boundsv(cell):
			label.text = "The map ends above. Click: paint or erase a wall."
		elif walls.get_cell_source_id(cell) == -1:
			walls.set_cell(cell, 0, WALL)
		else:
			walls.erase_cell(cell)
