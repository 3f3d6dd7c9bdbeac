extends Node2D
## A ladder for small bodies, one at a time. Click: all go there. Right click: the ladder.

const SPEED := 200.0  # Pixels a second.

@onready var grid: PathForgeGrid = $PathForgeGrid
@onready var ladder: PathForgeLink2D = $PathForgeGrid/Ladder
@onready var agents: Array[Node] = find_children("", "PathForgeAgent2D")
@onready var label: Label = $Label


func _ready() -> void:
	grid.fill_solid_region(Rect2i(18, 0, 4, 17))
	for agent: PathForgeAgent2D in agents:
		agent.link_reached.connect(_on_link_reached.bind(agent.get_parent()))
		agent.link_left.connect(_on_link_left.bind(agent.get_parent()))
	send(Vector2i(32, 5))


func send(cell: Vector2i) -> void:
	for agent: PathForgeAgent2D in agents:
		agent.target_position = grid.cell_to_global(cell, agent.profile)


func _on_link_reached(details: Dictionary, body: Node2D) -> void:
	body.scale = Vector2(0.7, 0.7)
	label.text = "%s is on the %s." % [body.name, details["tag"]]


func _on_link_left(_details: Dictionary, body: Node2D) -> void:
	body.scale = Vector2.ONE


func _physics_process(delta: float) -> void:
	for agent: PathForgeAgent2D in agents:
		agent.get_parent().position += agent.get_next_velocity(SPEED) * delta


func _unhandled_input(event: InputEvent) -> void:
	var click := event as InputEventMouseButton
	if click and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		send(grid.local_to_cell(grid.get_local_mouse_position()))
	elif click and click.pressed and click.button_index == MOUSE_BUTTON_RIGHT:
		ladder.enabled = not ladder.enabled
		label.text = "The ladder %s." % ("stands" if ladder.enabled else "is gone: all walk round")
