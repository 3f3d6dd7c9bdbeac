extends Node2D
## One field for many: it is computed once, and each unit asks which way to go. Click: a new goal.

const SPEED := 150.0  # Pixels a second.
const UNITS := 300

var positions: PackedVector2Array

@onready var grid: PathForgeGrid = $PathForgeGrid
@onready var field: FlowField = $PathForgeGrid/FlowField


func _ready() -> void:
	for wall: Rect2i in [Rect2i(10, 0, 1, 14), Rect2i(20, 6, 1, 14), Rect2i(29, 0, 1, 14)]:
		grid.fill_solid_region(wall)
	field.goals = [Vector2i(37, 4)]
	for n: int in UNITS:
		positions.append(Vector2(20.0 + n % 15 * 18.0, 40.0 + n / 15 * 28.0))


func _physics_process(delta: float) -> void:
	if field.is_ready():
		var directions := field.sample_batch(positions)  # Zero at the goal.
		for n: int in UNITS:
			positions[n] += directions[n] * SPEED * delta
		queue_redraw()


func _draw() -> void:
	for position_of_unit: Vector2 in positions:
		draw_circle(position_of_unit, 5.0, Color.GOLD)


func _unhandled_input(event: InputEvent) -> void:
	var cell := grid.local_to_cell(grid.get_local_mouse_position())
	if event is InputEventMouseButton and event.is_pressed() and grid.is_in_boundsv(cell):
		field.goals = [cell]
