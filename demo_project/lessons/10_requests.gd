extends Node2D
## Paths without waiting: 500 requests in one frame, searched on other threads. Click: a new goal.

const UNITS := 500

var paths: Array[PackedVector2Array] = []

@onready var grid: PathForgeGrid = $PathForgeGrid
@onready var label: Label = $Label


func _ready() -> void:
	for n: int in 40:
		grid.fill_solid_region(Rect2i(10 + n * 7 % 100, n * 13 % 52, 2, 9))
	ask(Vector2i(118, 30))


func ask(goal: Vector2i) -> void:
	paths.clear()
	for n: int in UNITS:
		var start := Vector2i(n % 9, n / 9)
		grid.request_path(start, goal, null, PathForgeGrid.GOAL_NEAREST, _on_path_answered)


func _on_path_answered(path: PathForgePath) -> void:
	paths.append(path.positions)
	label.text = "%d of %d paths are there. Click: a new goal." % [paths.size(), UNITS]
	queue_redraw()


func _draw() -> void:
	for positions: PackedVector2Array in paths:
		if positions.size() > 1:
			draw_polyline(positions, Color(Color.GOLD, 0.3), 2.0)


func _unhandled_input(event: InputEvent) -> void:
	var cell := grid.local_to_cell(grid.get_local_mouse_position())
	if event is InputEventMouseButton and event.is_pressed() and grid.is_in_boundsv(cell):
		ask(cell)
