extends Node2D
## One field for many: it is computed once, and each unit asks which way to go. Click: a new goal.

const SPEED := 150.0  # Pixels a second.
const UNITS := 200

var starts: PackedVector2Array
var offsets: PackedVector2Array  # Each is drawn beside its place: a field keeps none apart.
var positions: PackedVector2Array

@onready var grid: PathForgeGrid = $PathForgeGrid
@onready var field: FlowField = $PathForgeGrid/FlowField
@onready var goal_mark: ColorRect = $Goal
@onready var label: Label = $Label


func _ready() -> void:
	for wall: Rect2i in [Rect2i(10, 0, 1, 14), Rect2i(20, 6, 1, 14), Rect2i(29, 0, 1, 14)]:
		grid.fill_solid_region(wall)
	for n: int in UNITS:
		starts.append(Vector2(24.0 + n % 10 * 26.0, 40.0 + n / 10 * 28.0))
		offsets.append(Vector2.from_angle(n) * (n % 11))
	positions = starts.duplicate()
	go_to(Vector2i(37, 4))


func go_to(goal: Vector2i) -> void:
	if grid.can_stand(goal):
		field.goals = [goal]
		goal_mark.position = Vector2(goal) * grid.cell_size
		label.text = "Those that get there start again. A field keeps none apart; a crowd does."
	else:
		label.text = "No unit can stand there. Click: another goal."


func _physics_process(delta: float) -> void:
	if field.is_ready():
		var directions := field.sample_batch(positions)
		for n: int in UNITS:
			positions[n] += directions[n] * SPEED * delta
			if directions[n] == Vector2.ZERO:  # At the goal.
				positions[n] = starts[n]
		queue_redraw()


func _draw() -> void:
	for n: int in UNITS:
		draw_circle(positions[n] + offsets[n], 4.5, Color.GOLD)


func _unhandled_input(event: InputEvent) -> void:
	var click := event as InputEventMouseButton
	if click and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		go_to(grid.local_to_cell(grid.get_local_mouse_position()))
