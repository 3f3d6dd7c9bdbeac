extends Node2D
## A path for a unit of 3×3 cells. Click: it goes there, or as near as its body fits.

const SPEED := 240.0  # Pixels a second.

@export var hauler: PathForgeProfile  # Its footprint is 3×3 cells.

var path: PackedVector2Array  # The centres of the body that are still ahead.

@onready var grid: PathForgeGrid = $PathForgeGrid
@onready var unit: Polygon2D = $Unit


func _ready() -> void:
	grid.fill_solid_region(Rect2i(20, 0, 1, 20))
	grid.fill_solid_region(Rect2i(20, 4, 1, 1), false)  # A gap of one cell.
	grid.fill_solid_region(Rect2i(20, 13, 1, 3), false)  # A gap of three.
	unit.position = grid.cell_to_local(Vector2i(4, 2), hauler)
	go_to(Vector2i(35, 3))


func go_to(goal: Vector2i) -> void:
	var start := grid.local_to_cell(unit.position, hauler)
	var answer := grid.find_path(start, goal, hauler, PathForgeGrid.GOAL_NEAREST)
	path = answer.positions
	print(answer.describe())


func _process(delta: float) -> void:
	if not path.is_empty():
		unit.position = unit.position.move_toward(path[0], SPEED * delta)
		if unit.position == path[0]:
			path.remove_at(0)


func _unhandled_input(event: InputEvent) -> void:
	var click := event as InputEventMouseButton
	if click and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		go_to(grid.local_to_cell(grid.get_local_mouse_position()))
