extends Node2D
## A squad of walkers: one order sends all, and each gets a place of its own. Click: another goal.

const SPEED := 180.0  # Pixels a second.

@onready var grid: PathForgeGrid = $PathForgeGrid
@onready var crowd: PathForgeCrowd = $PathForgeGrid/PathForgeCrowd
@onready var squad: Array[Node] = $Squad.get_children()
@onready var label: Label = $Label


func _ready() -> void:
	grid.fill_solid_region(Rect2i(20, 0, 1, 20))
	grid.fill_solid_region(Rect2i(20, 8, 1, 4), false)  # A gate.
	crowd.group_arrived.connect(_on_group_arrived)
	send(Vector2i(32, 9))


func send(goal: Vector2i) -> void:
	if not grid.can_stand(goal):
		label.text = "No unit can stand there. Click: another goal."
		return
	var ids := PackedInt32Array()
	for body: CharacterBody2D in squad:
		var agent: PathForgeAgent2D = body.get_node(^"PathForgeAgent2D")
		ids.append(agent.get_agent_id())
	crowd.assign_goal(ids, goal)
	label.text = "Nine walkers of 2×2 cells keep clear of each other. Click: another goal."


func _on_group_arrived(_goal: Vector2i, _arrived: int, blocked: int) -> void:
	label.text = "All nine are there. Click: another goal."
	if blocked > 0:
		label.text = "%d of nine are kept out. Click: another goal." % blocked


func _physics_process(_delta: float) -> void:
	for body: CharacterBody2D in squad:
		var agent: PathForgeAgent2D = body.get_node(^"PathForgeAgent2D")
		body.velocity = agent.get_next_velocity(SPEED)  # Also at rest: it makes way for others.
		body.move_and_slide()


func _unhandled_input(event: InputEvent) -> void:
	var click := event as InputEventMouseButton
	if click and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		send(grid.local_to_cell(grid.get_local_mouse_position()))
