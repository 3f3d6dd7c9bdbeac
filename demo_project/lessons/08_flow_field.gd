extends Node2D
## One field for many: it is computed once, and each unit asks which way to go. Click: a new goal.

const SPEED := 150.0  # Pixels a second.

var positions: PackedVector2Array

@onready var grid: PathForgeGrid = $PathForgeGrid
@onready var field: FlowField = $PathForgeGrid/FlowField
@onready var goal: Node2D = $Goal


func _ready() -> void:
	for wall: Rect2i in [Rect2i(10, 0, 1, 14), Rect2i(20, 6, 1, 14), Rect2i(29, 0, 1, 14)]:
		grid.fill_solid_region(wall)
	field.goals = [grid.local_to_cell(goal.position)]
	for n: int in 200:
		positions.append(Vector2(24.0 + n % 10 * 26.0, 40.0 + n / 10 * 28.0))


func _physics_process(delta: float) -> void:
	var directions := field.sample_batch(positions)
	for n: int in positions.size():
		positions[n] += directions[n] * SPEED * delta
		if positions[n].distance_to(goal.position) < 24.0:
			positions[n] = Vector2(24.0, 40.0 + n / 10 * 28.0)  # It starts again.
	queue_redraw()


func _draw() -> void:
	for n: int in positions.size():  # Beside its position, as a field keeps no units apart.
		draw_circle(positions[n] + Vector2.from_angle(n) * (n % 11), 4.5, Color.GOLD)


func _unhandled_input(event: InputEvent) -> void:
	var click := event as InputEventMouseButton
	if click and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		var cell := grid.local_to_cell(grid.get_local_mouse_position())
		if grid.can_stand(cell):
			goal.position = grid.cell_to_local(cell)
			field.goals = [cell]
