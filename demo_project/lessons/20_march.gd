extends Node2D
## A march: thirty agents keep a shape and narrow at a gate. Click: march. Space: another shape.

const NAMES: PackedStringArray = ["a block", "a column", "a wedge"]

var ids: PackedInt32Array
var goal := Vector2i(33, 9)
var shape := PathForgeCrowd.MARCH_BLOCK

@onready var grid: PathForgeGrid = $PathForgeGrid
@onready var crowd: PathForgeCrowd = $PathForgeGrid/PathForgeCrowd
@onready var label: Label = $Label


func _ready() -> void:
	grid.fill_solid_region(Rect2i(20, 0, 1, 20))
	grid.fill_solid_region(Rect2i(20, 8, 1, 3), false)  # A gate.
	var cells: Array[Vector2i] = []
	for n: int in 30:
		cells.append(Vector2i(3 + n % 5, 6 + n / 5))
	ids = crowd.add_agents(grid.cells_to_local(cells), null, 110.0)
	crowd.group_arrived.connect(_on_group_arrived)
	march()


func march() -> void:
	crowd.assign_march(ids, goal, shape)
	label.text = "On the march as %s. Click: there. Space: another shape." % NAMES[shape]


func _on_group_arrived(_goal: Vector2i, arrived: int, blocked: int) -> void:
	label.text = "All are there. Click: march."
	if blocked > 0:
		label.text = "%d are there, %d are not: %s. Click: march." % [arrived, blocked, reason()]


func reason() -> String:
	for id: int in ids:
		if crowd.get_state(id) in [PathForgeCrowd.STATE_BLOCKED, PathForgeCrowd.STATE_STUCK]:
			var blockage := crowd.get_blockage(id)
			return "nothing leads there" if blockage.ids.is_empty() else blockage.text
	return "they go on"


func _unhandled_input(event: InputEvent) -> void:
	if event.is_action_pressed(&"ui_accept"):
		shape = (shape + 1) % NAMES.size()
		march()
	var click := event as InputEventMouseButton
	if click and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		var cell := grid.local_to_cell(grid.get_local_mouse_position())
		if grid.can_stand(cell):
			goal = cell
			march()
		else:
			label.text = "No unit can stand there. Click: another goal."
