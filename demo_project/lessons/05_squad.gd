extends Node2D
## A squad of walkers: one order sends all, and each gets a place of its own. Click: another goal.

const SPEED := 180.0  # Pixels a second.

@onready var grid: PathForgeGrid = $PathForgeGrid
@onready var crowd: PathForgeCrowd = $PathForgeGrid/PathForgeCrowd
@onready var squad: Array[Node] = $Squad.get_children()


func _ready() -> void:
	grid.fill_solid_region(Rect2i(20, 0, 1, 20))
	grid.fill_solid_region(Rect2i(20, 8, 1, 4), false)  # A gate.
	send(Vector2i(32, 9))


func send(goal: Vector2i) -> void:
	var ids := PackedInt32Array()
	for body: CharacterBody2D in squad:
		var agent: PathForgeAgent2D = body.get_node(^"PathForgeAgent2D")
		ids.append(agent.get_agent_id())
	crowd.assign_goal(ids, goal)


func _physics_process(_delta: float) -> void:
	for body: CharacterBody2D in squad:
		var agent: PathForgeAgent2D = body.get_node(^"PathForgeAgent2D")
		body.velocity = agent.get_next_velocity(SPEED)  # Also at rest: it makes way for others.
		body.move_and_slide()


func _unhandled_input(event: InputEvent) -> void:
	var cell := grid.global_to_cell(get_global_mouse_position())
	if event is InputEventMouseButton and event.is_pressed() and grid.is_in_boundsv(cell):
		send(cell)
