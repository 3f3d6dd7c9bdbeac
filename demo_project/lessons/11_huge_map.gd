extends Node2D
## Paths on 2048×1024 cells: a search in clusters, prepared while the game loads. Click: a new goal.

const ROOMS := Vector2i(64, 32)
const ROOM := 32  # Cells from wall to wall.

@export var caravan: PathForgeProfile  # Its search is SEARCH_HIERARCHICAL.

@onready var grid: PathForgeGrid = $PathForgeGrid
@onready var line: Line2D = $Path
@onready var label: Label = $Label


func _ready() -> void:
	grid.begin_edit()
	for n: int in ROOMS.x * ROOMS.y:  # Each room has a wall and a door above and to the left.
		var corner := Vector2i(n % ROOMS.x, n / ROOMS.x) * ROOM
		grid.fill_solid_region(Rect2i(corner, Vector2i(ROOM, 1)))
		grid.fill_solid_region(Rect2i(corner, Vector2i(1, ROOM)))
		grid.fill_solid_region(Rect2i(corner + Vector2i(2 + n % 23, 0), Vector2i(6, 1)), false)
		grid.fill_solid_region(Rect2i(corner + Vector2i(0, 2 + n % 19), Vector2i(1, 6)), false)
	grid.end_edit()
	grid.prepare_profile(caravan)  # In the background.
	await grid.profile_prepared
	show_path(Vector2i(2030, 1000))


func show_path(goal: Vector2i) -> void:
	var path := grid.find_path(Vector2i(16, 16), goal, caravan, PathForgeGrid.GOAL_NEAREST)
	line.points = path.positions
	label.text = "%d cells in %d µs. Click: a new goal." % [path.get_cell_count(), path.search_usec]


func _unhandled_input(event: InputEvent) -> void:
	var click := event as InputEventMouseButton
	if click and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		show_path(grid.local_to_cell(grid.get_local_mouse_position()))
