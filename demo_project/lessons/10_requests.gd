extends Node2D
## Paths without waiting: 500 requests in one frame, searched on other threads. Click: a new goal.

const UNITS := 500

var paths: Array[PackedVector2Array] = []
var order := 0

@onready var grid: PathForgeGrid = $PathForgeGrid
@onready var label: Label = $Label


func _ready() -> void:
	for n: int in 40:
		grid.fill_solid_region(Rect2i(10 + n * 7 % 100, n * 13 % 52, 2, 9))
	ask(Vector2i(118, 30))


func ask(goal: Vector2i) -> void:
	if not grid.can_stand(goal):
		label.text = "No unit can stand there. Click: another goal."
		return
	paths.clear()
	order += 1
	label.text = "0 of %d paths are there." % UNITS
	for n: int in UNITS:
		var start := Vector2i(n % 9, n / 9)
		grid.request_path(
			start, goal, null, PathForgeGrid.GOAL_NEAREST, _on_path_answered.bind(order)
		)


func _on_path_answered(path: PathForgePath, order_of_path: int) -> void:
	if order_of_path != order:
		return  # It is for the goal before.
	paths.append(path.positions)
	label.text = "%d of %d paths are there. Click: a new goal." % [paths.size(), UNITS]
	queue_redraw()


func _draw() -> void:
	for positions: PackedVector2Array in paths:
		if positions.size() > 1:
			draw_polyline(positions, Color(Color.GOLD, 0.3), 2.0)


func _unhandled_input(event: InputEvent) -> void:
	var click := event as InputEventMouseButton
	if click and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		ask(grid.local_to_cell(grid.get_local_mouse_position()))
