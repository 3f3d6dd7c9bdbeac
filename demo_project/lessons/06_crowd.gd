extends Node2D
## A crowd: 400 agents in one node pass a gate and settle around their goal. Click: a new goal.

const SPEED := 120.0  # Pixels a second.

@export var soldier: PathForgeProfile

var soldiers: PackedInt32Array  # Agents are ids, not nodes.
var arrived := 0

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
	arrived = 0
	crowd.assign_goal(soldiers, goal)


func _on_agents_arrived(ids: PackedInt32Array) -> void:
	arrived += ids.size()
	label.text = "%d of %d have arrived. Click: a new goal." % [arrived, soldiers.size()]


func _unhandled_input(event: InputEvent) -> void:
	var cell := grid.local_to_cell(grid.get_local_mouse_position())
	if event is InputEventMouseButton and event.is_pressed() and grid.is_in_boundsv(cell):
		send(cell)
