extends Node2D
## A portal: a link that costs little and takes no time. Click: a new goal. Right click: the portal.

const SPEED := 120.0  # Pixels a second.

var ids: PackedInt32Array
var through := 0

@onready var grid: PathForgeGrid = $PathForgeGrid
@onready var crowd: PathForgeCrowd = $PathForgeCrowd
@onready var portal: PathForgeLink2D = $PathForgeGrid/Portal
@onready var label: Label = $Label


func _ready() -> void:
	for n: int in 4:
		grid.fill_solid_region(Rect2i(10 + 6 * n, 4 * (n % 2), 2, 16))
	crowd.agents_entered_links.connect(_on_agents_entered_links)
	var cells: Array[Vector2i] = []
	for n: int in 60:
		cells.append(Vector2i(1 + n % 6, 8 + n / 6))
	ids = crowd.add_agents(grid.cells_to_local(cells), null, SPEED)
	send(Vector2i(35, 10))


func send(goal: Vector2i) -> void:
	through = 0
	crowd.assign_goal(ids, goal)
	label.text = "A new goal. The portal is %s." % ("open" if portal.enabled else "shut")


func _on_agents_entered_links(entered: PackedInt32Array, _links: PackedInt32Array) -> void:
	through += entered.size()
	label.text = "%d of %d went through the portal." % [through, ids.size()]


func _unhandled_input(event: InputEvent) -> void:
	var click := event as InputEventMouseButton
	if click and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		send(grid.local_to_cell(grid.get_local_mouse_position()))
	elif click and click.pressed and click.button_index == MOUSE_BUTTON_RIGHT:
		portal.enabled = not portal.enabled
		label.text = "The portal is %s." % ("open" if portal.enabled else "shut")
