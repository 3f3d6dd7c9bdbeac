extends Node2D
## A crowd: 400 agents in one node pass a gate and settle around their goal. Click: a new goal.

const SPEED := 120.0  # Pixels a second.

@export var soldier: PathForgeProfile

var soldiers: PackedInt32Array  # Agents are ids, not nodes.

@onready var grid: PathForgeGrid = $PathForgeGrid
@onready var crowd: PathForgeCrowd = $PathForgeCrowd
@onready var label: Label = $Label


func _ready() -> void:
	grid.fill_solid_region(Rect2i(40, 0, 2, 40))
	grid.fill_solid_region(Rect2i(40, 17, 2, 6), false)  # A gate.
	crowd.agents_arrived.connect(_on_agents_arrived)
	var cells: Array[Vector2i] = []
	for n: int in 400:
		cells.append(Vector2i(3 + n % 20, 10 + n / 20))
	soldiers = crowd.add_agents(grid.cells_to_local(cells, soldier), soldier, SPEED)
	send(Vector2i(60, 20))


func send(goal: Vector2i) -> void:
	if grid.can_stand(goal):
		crowd.assign_goal(soldiers, goal)
		label.text = "On their way. Click: a new goal."
	else:
		label.text = "No unit can stand there. Click: another goal."


func _on_agents_arrived(_ids: PackedInt32Array) -> void:
	var arrived := crowd.get_state_counts()[PathForgeCrowd.STATE_ARRIVED]
	label.text = "%d of %d have arrived. Click: a new goal." % [arrived, soldiers.size()]


func _unhandled_input(event: InputEvent) -> void:
	var click := event as InputEventMouseButton
	if click and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		send(grid.local_to_cell(grid.get_local_mouse_position()))
